//! Providers that are slow, full, broken or gone: each costs only its own results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use probity_core::{Secret, WebUrl};
use probity_testkit::fake_api::{Answer, FakeApi, Request};
use probity_web::search::{
    Found, LocalProvider, ProviderName, Query, SearchSet, SearchSettings, Selection, UrlList,
};

use crate::search_fixtures::fixture;
use crate::search_requests::{context, settings};

/// Short, because some tests wait for it to pass.
const SHORT: Duration = Duration::from_millis(300);

fn query() -> Query {
    Query::new("port ellery noise").unwrap()
}

async fn serper(settings: &SearchSettings) -> Found {
    set("serper", settings).search(&query()).await
}

fn set(selection: &str, settings: &SearchSettings) -> SearchSet {
    SearchSet::new(&Selection::parse(selection).unwrap(), settings, context()).unwrap()
}

/// Answers from a list, one after the other, then with the last again.
fn in_turn(answers: Vec<Answer>) -> impl Fn(&Request) -> Answer + Send + Sync + 'static {
    let next = AtomicUsize::new(0);
    move |_| answers[next.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1)].clone()
}

fn good() -> Answer {
    Answer::json(fixture("serper", "ok.json"))
}

#[tokio::test]
async fn a_short_wait_is_waited_and_the_request_repeated() {
    for status in [429, 503] {
        let busy = Answer::status(status).with_header("retry-after", "0");
        let api = FakeApi::start(in_turn(vec![busy.clone(), busy, good()])).await;
        let found = serper(&settings(&api)).await;
        assert_eq!((found.hits.len(), found.problems.len()), (3, 0), "{status}: {found:?}");
        assert_eq!(api.requests().len(), 3);
    }
}

#[tokio::test]
async fn a_long_wait_is_a_problem_at_once_and_for_every_query() {
    let api = FakeApi::start(in_turn(vec![
        Answer::status(429).with_header("retry-after", "3600"),
        good(),
    ]))
    .await;
    let set = set("serper", &settings(&api));
    let found = set.search(&query()).await;
    assert_eq!(
        found.problems[0].to_string(),
        "serper: asks us to wait 3600 s, longer than this search may take; try again later"
    );
    let again = set.search(&query()).await;
    assert!(again.problems[0].detail.starts_with("asks us to wait"), "{:?}", again.problems);
    assert_eq!(api.requests().len(), 1, "it is left alone as it asked");
}

#[tokio::test]
async fn a_passing_error_is_repeated_and_a_lasting_one_reported() {
    let api = FakeApi::start(in_turn(vec![Answer::status(500), good()])).await;
    assert_eq!(serper(&settings(&api)).await.hits.len(), 3);

    let broken = Answer::status(500).with_body("<h1>Internal</h1> error");
    let api = FakeApi::start(in_turn(vec![broken])).await;
    let found = serper(&settings(&api)).await;
    assert_eq!(
        found.problems[0].to_string(),
        "serper: 127.0.0.1 answered with status 500: Internal error"
    );
    assert_eq!((found.answered, api.requests().len()), (0, 3));

    let api = FakeApi::start(in_turn(vec![
        Answer::status(400).with_body("{\"message\": \"Missing query\"}"),
    ]))
    .await;
    let found = serper(&settings(&api)).await;
    assert!(found.problems[0].detail.ends_with("status 400: Missing query"));
    assert_eq!(api.requests().len(), 1, "a wrong request stays wrong");
}

#[tokio::test]
async fn cut_connections_are_tried_again() {
    for cut in [Answer::HangUp, Answer::Cut { body: b"{\"organic\": [".to_vec() }] {
        let api = FakeApi::start(in_turn(vec![cut.clone(), good()])).await;
        assert_eq!(serper(&settings(&api)).await.hits.len(), 3, "{cut:?}");
        let api = FakeApi::start(in_turn(vec![cut.clone()])).await;
        let found = serper(&settings(&api)).await;
        assert_eq!((found.hits.len(), found.problems.len()), (0, 1));
        assert!(found.problems[0].detail.contains("cannot be reached"), "{:?}", found.problems);
    }
}

#[tokio::test]
async fn silence_ends_at_the_providers_own_deadline() {
    let api = FakeApi::start(in_turn(vec![Answer::Silence])).await;
    let mut settings = settings(&api);
    settings.serper.timeout = Some(SHORT);
    let found = serper(&settings).await;
    assert_eq!(found.problems[0].to_string(), "serper: no answer within 0.3 s");
}

#[tokio::test]
async fn a_host_that_is_not_there_is_a_problem() {
    let mut settings = SearchSettings::default();
    settings.searxng.url = {
        let api = FakeApi::start(in_turn(vec![good()])).await;
        WebUrl::parse(&api.url()).ok()
    };
    let found = set("searxng", &settings).search(&query()).await;
    assert_eq!((found.hits.len(), found.problems.len(), found.answered), (0, 1, 0));
}

#[tokio::test]
async fn a_refused_key_names_its_variable_and_is_never_shown() {
    let key = "sk-secret-7f3a";
    let echo = Answer::status(403).with_body(format!("{{\"message\": \"Unknown key {key}.\"}}"));
    let api = FakeApi::start(in_turn(vec![echo])).await;
    let mut settings = settings(&api);
    settings.serper.key = Some(Secret::new(key));
    let found = serper(&settings).await;
    assert_eq!(
        found.problems[0].to_string(),
        "serper: the key was refused (status 403: Unknown key [redacted].); check SERPER_API_KEY"
    );
    settings.semantic_scholar.key = None;
    let found = set("semantic-scholar", &settings).search(&query()).await;
    assert!(found.problems[0].detail.starts_with("we were refused without a key"));
    assert!(found.problems[0].detail.ends_with("set SEMANTIC_SCHOLAR_API_KEY"));
}

#[tokio::test]
async fn a_key_never_follows_a_redirect_elsewhere() {
    let other = FakeApi::start(in_turn(vec![good()])).await;
    let away =
        Answer::status(302).with_header("location", &other.url().replace("127.0.0.1", "localhost"));
    let api = FakeApi::start(in_turn(vec![away])).await;
    let found = set("brave", &settings(&api)).search(&query()).await;
    assert!(found.problems[0].detail.contains("redirects elsewhere"), "{:?}", found.problems);
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn an_endless_reply_is_too_large() {
    let api = FakeApi::start(in_turn(vec![Answer::json(vec![b' '; 9 * 1024 * 1024])])).await;
    let found = serper(&settings(&api)).await;
    assert!(found.problems[0].detail.contains("larger than"), "{:?}", found.problems);
}

#[tokio::test]
async fn one_bad_provider_among_three_costs_only_itself() {
    let api = FakeApi::start(|request| match request.path.as_str() {
        "/search" if request.header("x-api-key").is_some() => good(),
        "/search" => Answer::json("this is not JSON"),
        "/w/api.php" => Answer::json(fixture("wikipedia", "ok.json")),
        _ => Answer::status(404),
    })
    .await;
    let found = set("searxng,serper,wikipedia", &settings(&api)).search(&query()).await;
    assert_eq!((found.hits.len(), found.answered, found.problems.len()), (6, 2, 1));
    assert_eq!(found.problems[0].subject, "searxng");
    let providers: Vec<_> = found.hits.iter().map(|hit| hit.providers.join("+")).collect();
    assert_eq!(
        providers,
        ["serper", "wikipedia", "serper", "wikipedia", "serper", "wikipedia"],
        "ranks alternate"
    );
}

#[tokio::test]
async fn the_same_page_from_two_providers_is_one_hit_with_both_names() {
    let api = FakeApi::start(|request| match request.path.as_str() {
        "/res/v1/web/search" => Answer::json(
            "{\"type\": \"search\", \"web\": {\"results\": [{\"url\": \"https://x.example/only\", \"title\": \"O\"},
             {\"url\": \"https://ferry.portellery.example.org/times?utm_source=b\", \"title\": \"Ferry timetable\", \"description\": \"The longer description of the two, with fares.\", \"page_age\": \"2026-01-02\"}]}}",
        ),
        _ => good(),
    })
    .await;
    let found = set("brave,serper", &settings(&api)).search(&query()).await;
    let ferry = &found.hits[0];
    assert_eq!(
        ferry.url.as_str(),
        "https://ferry.portellery.example.org/times",
        "the better rank's address"
    );
    assert_eq!(ferry.providers, ["serper", "brave"]);
    assert_eq!(ferry.title, "Ferry timetable - Port Ellery");
    assert_eq!(ferry.snippet, "The longer description of the two, with fares.");
    assert_eq!(ferry.published.map(|day| day.to_string()).as_deref(), Some("2026-01-02"));
}

#[tokio::test]
async fn a_failing_local_provider_is_a_problem_like_any_other() {
    let hit = |url: &str| probity_core::SearchHit {
        url: WebUrl::parse(url).unwrap(),
        title: "Local\u{1b}[31m title".to_owned(),
        snippet: String::new(),
        published: None,
        providers: Vec::new(),
    };
    let page = hit("https://library.example.org/a");
    let context = context()
        .with_local(LocalProvider::new("library", move |query: Query| {
            let page = page.clone();
            async move {
                if query.text().contains("noise") { Ok(vec![page]) } else { Err("no".to_owned()) }
            }
        }))
        .with_local(LocalProvider::new("news", |_| async { Err("the store is locked".to_owned()) }))
        .with_local(
            LocalProvider::new("slow", |_| async { std::future::pending().await })
                .within(Duration::from_millis(1)),
        )
        .with_local(UrlList::read("https://list.example.org/b"));
    let selection = Selection::parse("library,news,slow,urls").unwrap();
    let set = SearchSet::new(&selection, &SearchSettings::default(), context).unwrap();
    assert_eq!(set.names(), ["library", "news", "slow", "urls"]);
    let found = set.search(&query()).await;
    let urls: Vec<_> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
    assert_eq!(urls, ["https://library.example.org/a", "https://list.example.org/b"]);
    assert_eq!(found.hits[0].title, "Local[31m title");
    assert_eq!(found.hits[0].providers, ["library"]);
    let problems: Vec<_> = found.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["news: the store is locked", "slow: no answer within 0.001 s"]);
}

#[tokio::test]
async fn queries_at_once_share_a_providers_pace() {
    let api = FakeApi::start(in_turn(vec![good()])).await;
    let mut settings = settings(&api);
    settings.serper.per_second = Some(1.0 / 60.0);
    settings.serper.timeout = Some(Duration::from_secs(5));
    let set = set("serper", &settings);
    let (first, second) = (query(), Query::new("another").unwrap());
    let (a, b) = tokio::join!(set.search(&first), set.search(&second));
    let answered = [&a, &b].iter().filter(|found| found.answered == 1).count();
    assert_eq!((answered, api.requests().len()), (1, 1), "the other would have to wait a minute");
    let refused = if a.answered == 1 { &b } else { &a };
    assert!(refused.problems[0].detail.starts_with("too many queries are waiting"));
}

#[test]
fn a_set_is_only_made_of_what_is_configured() {
    let settings = SearchSettings::default();
    let make = |text: &str| SearchSet::new(&Selection::parse(text).unwrap(), &settings, context());
    assert_eq!(make("auto").unwrap().names(), ["duckduckgo", "wikipedia"]);
    assert!(make("tavily").unwrap_err().to_string().contains("TAVILY_API_KEY"));
    assert!(make("yahoo").unwrap_err().to_string().contains("known are auto, web, searxng"));
    for provider in ProviderName::ALL {
        let made = make(provider.as_str());
        let needs =
            provider.spec().url.is_none() || provider.spec().key.is_some_and(|key| key.required);
        assert_eq!(made.is_err(), needs, "{provider}");
    }
}
