//! Feeds on the page and in the API: looked at first, added, changed, paused, removed, taken over as a list;
//! articles read and starred, each reader for themselves.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::newsroom::FERRY;
use crate::place::{Answer, Call, Place, form_key, get, post};

const LIST: &str = r#"<opml version="2.0"><body>
    <outline text="Energy"><outline text="Grid" type="rss" xmlUrl="https://grid.example/feed"/></outline>
    <outline text="Bad" type="rss" xmlUrl="ftp://bad.example/"/></body></opml>"#;

async fn page(place: &Place, path: &str) -> String {
    let answer = place.call(get(path)).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
    answer.text
}

async fn submit(place: &Place, path: &str, fields: &[(&str, &str)]) -> Answer {
    let key = form_key(&page(place, "/feeds").await);
    let fields = [&[("form_key", key.as_str())], fields].concat();
    place.call(Call::new(Method::POST, path).form(&fields)).await
}

fn change(method: Method, path: &str, body: &serde_json::Value) -> Call {
    Call::new(method, path).json(body)
}

#[tokio::test]
async fn a_feed_is_shown_before_it_is_added_by_hand() {
    let place = Place::open().await;
    let shown = submit(&place, "/feeds", &[("url", "https://port.example/feed.xml")]).await;
    assert!(shown.text.contains("Port &#60;News&#62;"), "{}", shown.text);
    assert!(shown.text.contains("Ferry &#38; storm") && !shown.text.contains("javascript:"));
    assert!(place.call(get("/api/feeds")).await.json()["items"].as_array().unwrap().is_empty());
    let fields = [
        ("url", "https://port.example/feed.xml"),
        ("step", "add"),
        ("label", "Port"),
        ("categories", "Harbour, Sea"),
    ];
    let added = submit(&place, "/feeds", &fields).await;
    assert_eq!(added.header("location"), "/feeds/1", "{}", added.text);
    let feed = page(&place, "/feeds/1").await;
    for part in ["Port", "Harbour, Sea", "not polled yet", "There are no articles yet"] {
        assert!(feed.contains(part), "{part}: {feed}");
    }
    let twice = submit(&place, "/feeds", &fields).await;
    assert!(twice.text.contains("feed 1 has this address already"), "{}", twice.text);
}

#[tokio::test]
async fn what_is_no_feed_is_said_and_nothing_is_added() {
    let place = Place::open().await;
    for url in ["https://nofeed.example/", "https://page.example/", "ftp://x.example/", "x y"] {
        let refused = place.call(post("/api/feeds", &json!({ "url": url }))).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{url}: {}", refused.text);
        assert_eq!(refused.json()["field"], "url", "{url}");
    }
    let answer = submit(&place, "/feeds", &[("url", "https://nofeed.example/")]).await;
    assert!(
        answer.text.contains("role=\"alert\"")
            && answer.text.contains("is not a feed and links none")
    );
    assert!(answer.text.contains("value=\"https://nofeed.example/\""), "what was typed stays");
    let offered = submit(&place, "/feeds", &[("url", "https://page.example/")]).await;
    assert!(offered.text.contains("All &#38; more"), "{}", offered.text);
    assert!(offered.text.contains("value=\"https://page.example/feed.xml\""), "{}", offered.text);
    let seen = post("/api/feeds/preview", &json!({ "url": "https://page.example/" }));
    let seen = place.call(seen).await.json();
    assert_eq!(seen["offered"][0]["url"], "https://page.example/feed.xml");
    let seen = post("/api/feeds/preview", &json!({ "url": "https://port.example/" }));
    assert_eq!(place.call(seen).await.json()["feed"]["items"][0]["title"], "Ferry & storm");
    assert!(place.call(get("/api/feeds")).await.json()["items"].as_array().unwrap().is_empty());
    let unseen = json!({ "url": "https://nofeed.example/", "unseen": true });
    assert_eq!(place.call(post("/api/feeds", &unseen)).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_feed_is_changed_paused_polled_and_removed() {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    let body = json!({ "label": "Ours", "categories": ["Sea"], "every_minutes": 30 });
    let changed = place.call(change(Method::PATCH, "/api/feeds/1", &body)).await.json();
    assert_eq!((&changed["name"], &changed["every_minutes"]), (&json!("Ours"), &json!(30)));
    let wrong = json!({ "every_minutes": 50_000 });
    let refused = place.call(change(Method::PATCH, "/api/feeds/1", &wrong)).await;
    assert_eq!(refused.json()["field"], "every_minutes", "{}", refused.text);
    // The form sends every field; an empty one takes back what was decided.
    let back = submit(&place, "/feeds/1", &[("label", ""), ("every_minutes", "")]).await;
    assert_eq!(back.header("location"), "/feeds/1", "{}", back.text);
    let feed = place.call(get("/api/feeds/1")).await.json();
    assert_eq!((&feed["name"], &feed["every_minutes"]), (&json!("Local"), &json!(null)));
    assert_eq!(feed["categories"], json!([]));

    assert_eq!(submit(&place, "/feeds/1/poll", &[]).await.status, StatusCode::SEE_OTHER);
    let due = place.call(get("/api/feeds/1")).await.json()["next_at"].as_str().unwrap().to_owned();
    assert_eq!(due, feed["polled_at"].as_str().unwrap(), "the clock stands still");
    submit(&place, "/feeds/1/disable", &[]).await;
    assert!(page(&place, "/feeds/1").await.contains("disabled switched off"));
    let paused = place.call(Call::new(Method::POST, "/api/feeds/1/poll")).await;
    assert_eq!(paused.status, StatusCode::CONFLICT, "{}", paused.text);

    place.call(change(Method::PUT, "/api/articles/1/marks", &json!({ "starred": true }))).await;
    let gone = submit(&place, "/feeds/1/remove", &[("articles", "yes")]).await;
    assert_eq!(gone.header("location"), "/feeds");
    assert_eq!(place.call(get("/feeds/1")).await.status, StatusCode::NOT_FOUND);
    let left = place.call(get("/api/articles")).await.json();
    assert_eq!(left["items"].as_array().unwrap().len(), 1, "the starred one stays: {left}");
    let actions = place.call(get("/api/actions")).await.text;
    for action in ["feed changed", "feed disabled", "feed removed with its articles"] {
        assert!(actions.contains(action), "{action}: {actions}");
    }
}

#[tokio::test]
async fn a_list_of_feeds_goes_in_and_comes_out() {
    let place = Place::open().await;
    let answer = submit(&place, "/feeds/import", &[("opml", LIST)]).await;
    assert!(answer.text.contains("1 feed was added, 0 were there already"), "{}", answer.text);
    assert!(answer.text.contains("1 entries could not be used"), "{}", answer.text);
    let mut again = Call::new(Method::POST, "/api/feeds/opml").with("content-type", "text/x-opml");
    again.body = LIST.into();
    let again = place.call(again).await.json();
    assert_eq!((&again["added"], &again["known"]), (&json!(0), &json!(1)), "{again}");
    let out = place.call(get("/api/feeds/opml")).await;
    assert!(out.text.contains("xmlUrl=\"https://grid.example/feed\""), "{}", out.text);
    assert!(out.text.contains("Energy"), "folders come back: {}", out.text);
    assert!(out.header("content-disposition").contains("feeds.opml"));
    let wrong = submit(&place, "/feeds/import", &[("opml", "hello")]).await;
    assert!(wrong.text.contains("role=\"alert\""), "{}", wrong.text);
    let mut large = Call::new(Method::POST, "/api/feeds/opml").with("content-type", "text/x-opml");
    large.body = vec![b' '; probity_news::opml::OPML_BYTES + 1];
    assert_eq!(place.call(large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn reading_and_starring_are_each_readers_own() {
    let place = Place::locked().await;
    place.ingest("Local", &FERRY).await;
    let (ada, key) = place.log_in("ada", Role::Reader).await;
    let (bob, _) = place.log_in("bob", Role::Editor).await;
    let fields = [("form_key", key.as_str()), ("read", "yes"), ("back", "/feeds/1")];
    let mark = Call::new(Method::POST, "/news/1/mark").form(&fields).with("cookie", &ada);
    assert_eq!(place.call(mark).await.header("location"), "/feeds/1#a1");
    let star = change(Method::PUT, "/api/articles/2/marks", &json!({ "starred": true }));
    let star = star.with("cookie", &ada).with("x-form-key", &key);
    let starred = place.call(star).await.json();
    assert_eq!((&starred["starred"], &starred["read"]), (&json!(true), &json!(false)));
    let count = async |cookie: &str, shelf: &str| {
        let path = format!("/api/articles?shelf={shelf}");
        let listed = place.call(get(&path).with("cookie", cookie)).await.json();
        listed["items"].as_array().unwrap().len()
    };
    assert_eq!((count(&ada, "unread").await, count(&ada, "starred").await), (2, 1));
    assert_eq!((count(&bob, "unread").await, count(&bob, "starred").await), (3, 0));
    let unread = place.call(get("/news?shelf=unread").with("cookie", &ada)).await.text;
    assert!(!unread.contains("data-article=\"1\"") && unread.contains("★ Starred"), "{unread}");
    let feeds = place.call(get("/feeds").with("cookie", &ada)).await.text;
    assert!(feeds.contains("<a href=\"/feeds/1?shelf=unread\">2</a>"), "{feeds}");
    let all = [("form_key", key.as_str()), ("feed", "1"), ("back", "//evil.example")];
    let all = Call::new(Method::POST, "/news/read").form(&all).with("cookie", &ada);
    assert_eq!(place.call(all).await.header("location"), "/", "nobody is led away");
    assert_eq!((count(&ada, "unread").await, count(&bob, "unread").await), (0, 3));
    let none = place.call(get("/news?shelf=unread").with("cookie", &ada)).await.text;
    assert!(none.contains("Nothing is unread."), "{none}");
}
