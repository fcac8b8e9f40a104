//! Full texts for categories that want them: within the rules, so many a turn, not for ever.

use probity_core::Clock;
use probity_news::NewsSettings;
use probity_news::consolidate::Consolidator;
use probity_news::full_text::FullTexts;
use probity_store::Store;
use probity_store::news::ArticleQuery;
use probity_store::topics::NewCategory;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::FetchSettings;

use crate::room::{Place, add, at, fetching, poll, poller};

const FEED: &str = "feeds.example";
const PRESS: &str = "press.example";

/// A feed of a wanted story, a dead one, a forbidden one and one of another category.
async fn web() -> BadWeb {
    let web = BadWeb::start(|asked| {
        let port = asked.server.port();
        let item = |path: &str, title: &str| {
            format!("<item><title>{title}</title><link>http://{PRESS}:{port}/{path}</link></item>")
        };
        match asked.page() {
            "/feed" => {
                let items = [
                    item("open", "Ferry sinks off Lorne Islands"),
                    item("dead", "Ferry captain of Lorne is held"),
                    item("closed/page", "Ferry owner of Lorne is heard"),
                    item("other", "Bank of Solvane raises rates"),
                ];
                let text = format!("<rss><channel>{}</channel></rss>", items.concat());
                Reply::with(200, &[("content-type", "application/xml")], text)
            }
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /closed/\n"),
            "/open" => Reply::html(
                "<html><body><article><h1>Ferry sinks</h1><p>The lighthouse keeper saw the ferry go \
                 down within minutes, and rowed out with his daughter.</p></article></body></html>",
            ),
            "/other" => {
                Reply::html("<html><body><p>Rates rise to four per cent.</p></body></html>")
            }
            _ => Reply::status(404),
        }
    });
    web.await.unwrap()
}

async fn filled(
    web: &BadWeb,
    store: &Store,
    settings: &NewsSettings,
) -> probity_news::poll::Poller {
    let hosts = [FEED.to_owned(), PRESS.to_owned()];
    let rules = FetchSettings { robots: true, ..fetching(web.address(), &hosts) };
    let poller = poller(store, rules, settings.clone());
    let harbour = NewCategory {
        name: "Harbour".to_owned(),
        description: "Ships, ferries and the sea".to_owned(),
        keywords: vec!["ferry".to_owned()],
        wants_full_text: true,
        ..NewCategory::default()
    };
    store.add_category(&harbour).await.unwrap();
    let feed = add(store, &at(web, FEED, "/feed")).await;
    assert_eq!(poll(store, &poller, feed).await.new, 4);
    let consolidator = Consolidator::new(store.clone(), settings.clone(), Clock::System);
    assert_eq!(consolidator.work().await.unwrap().judged, 4);
    poller
}

#[tokio::test]
async fn categories_that_want_full_texts_get_them_within_the_rules() {
    let web = web().await;
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let before = web.count("/dead");
        let poller = filled(&web, &store, &NewsSettings::default()).await;
        assert!(store.news_search("lighthouse keeper", None, 5).await.unwrap().is_empty());
        let read = poller.read_wanted().await.unwrap();
        assert_eq!(read, FullTexts { read: 1, failed: 2 });
        assert_eq!(store.news_search("lighthouse keeper", None, 5).await.unwrap().len(), 1);
        assert_eq!((web.count("/closed/page"), web.count("/other")), (0, 0));

        let articles = store.articles(&ArticleQuery::default()).await.unwrap();
        for article in articles {
            let text = store.article_text(article.id).await.unwrap();
            let problem = text.as_ref().and_then(|text| text.problem.as_deref());
            match article.title.as_str() {
                "Ferry sinks off Lorne Islands" => assert!(article.has_text),
                "Bank of Solvane raises rates" => assert_eq!(text, None, "nobody wants it"),
                _ => assert!(problem.is_some(), "why not is kept"),
            }
        }
        assert_eq!(poller.read_wanted().await.unwrap(), FullTexts::default(), "not at once again");
        assert_eq!(web.count("/dead"), before + 1);
    }
}

#[tokio::test]
async fn no_more_pages_are_read_after_a_turn_than_is_set() {
    let web = web().await;
    let store = Place::file();
    let store = store.open().await;
    let settings = NewsSettings { full_texts: 2, ..NewsSettings::default() };
    let poller = filled(&web, &store, &settings).await;
    let first = poller.read_wanted().await.unwrap();
    let second = poller.read_wanted().await.unwrap();
    assert_eq!((first.read + first.failed, second.read + second.failed), (2, 1));
    let none = NewsSettings { full_texts: 0, ..NewsSettings::default() };
    let hosts = [PRESS.to_owned()];
    let idle = crate::room::poller(&store, fetching(web.address(), &hosts), none);
    assert_eq!(idle.read_wanted().await.unwrap(), FullTexts::default());
}
