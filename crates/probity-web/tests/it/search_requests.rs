//! What each provider is really asked: path, parameters, headers, body, and page after page.

use probity_core::{Clock, Secret, Timestamp, WebUrl};
use probity_testkit::fake_api::{Answer, FakeApi, Request};
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::search::{
    Found, Lang, ProviderName, Query, SearchContext, SearchSet, SearchSettings, Selection,
};

use crate::search_fixtures::{TODAY, fixture};

pub(crate) const KEY: &str = "key-that-nobody-may-see";

pub(crate) fn client() -> ApiClient {
    ApiClient::new(ApiSettings::default()).unwrap()
}

pub(crate) fn context() -> SearchContext {
    SearchContext::new(client()).with_clock(Clock::Fixed(Timestamp::at_start_of(TODAY)))
}

/// Settings with every provider at one fake API, with a key, in no hurry and at no pace.
pub(crate) fn settings(api: &FakeApi) -> SearchSettings {
    let mut settings = SearchSettings::default();
    for provider in ProviderName::ALL {
        let one = settings.of_mut(provider);
        one.url = Some(WebUrl::parse(&api.url()).unwrap());
        one.per_second = Some(1_000.0);
        if provider.spec().key.is_some() {
            one.key = Some(Secret::new(KEY));
        }
        one.mailto = Some("desk@example.org".to_owned());
        one.engine = Some("engine-1".to_owned());
    }
    settings
}

pub(crate) async fn search(
    provider: ProviderName,
    query: &Query,
    answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
) -> (Found, Vec<Request>) {
    let api = FakeApi::start(answer).await;
    let set =
        SearchSet::new(&Selection::parse(provider.as_str()).unwrap(), &settings(&api), context())
            .unwrap();
    let found = set.search(query).await;
    (found, api.requests())
}

pub(crate) fn query(text: &str) -> Query {
    Query::new(text).unwrap().with_limit(7)
}

fn german(text: &str) -> Query {
    query(text).with_lang(Some(Lang::new("de").unwrap()))
}

/// The parameters of a request as `name=value`, sorted.
pub(crate) fn parameters(request: &Request) -> Vec<String> {
    let mut all: Vec<String> =
        request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    all.sort();
    all
}

#[tokio::test]
async fn searxng_is_asked_for_json() {
    let (found, asked) = search(ProviderName::Searxng, &german("noise & music"), |request| {
        if request.parameter("pageno") == Some("1") {
            Answer::json(fixture("searxng", "ok.json"))
        } else {
            Answer::json(fixture("searxng", "empty.json"))
        }
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!(found.problems, []);
    assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("GET", "/search"));
    assert_eq!(
        parameters(&asked[0]),
        ["format=json", "language=de", "pageno=1", "q=noise & music"]
    );
    assert_eq!(asked.len(), 2, "two results are too few, and the second page has none");
    assert_eq!(asked[1].parameter("pageno"), Some("2"));
    assert!(asked[0].header("user-agent").unwrap().starts_with("probity/"));
}

#[tokio::test]
async fn searxng_without_json_says_how_to_get_it() {
    let (found, _) = search(ProviderName::Searxng, &query("noise"), |_| Answer::status(403)).await;
    assert!(found.problems[0].detail.contains("search.formats"), "{:?}", found.problems);
}

#[tokio::test]
async fn tavily_gets_its_key_as_a_bearer() {
    let (found, asked) = search(ProviderName::Tavily, &query("rumba"), |_| {
        Answer::json(fixture("tavily", "ok.json"))
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("POST", "/search"));
    assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(asked[0].header("content-type"), Some("application/json"));
    let body = asked[0].json();
    assert_eq!((body["query"].as_str(), body["max_results"].as_u64()), (Some("rumba"), Some(7)));
    let (_, asked) =
        search(ProviderName::Tavily, &query("rumba").with_limit(90), |_| Answer::status(500)).await;
    assert_eq!(asked[0].json()["max_results"], 20, "no more than it gives");
}

#[tokio::test]
async fn brave_is_asked_page_after_page() {
    let page = |request: &Request| {
        let offset: usize = request.parameter("offset").unwrap().parse().unwrap();
        let items: Vec<String> = (0..20)
            .map(|n| {
                format!("{{\"url\": \"https://a.example/{}\", \"title\": \"t\"}}", offset * 20 + n)
            })
            .collect();
        Answer::json(format!(
            "{{\"type\": \"search\", \"web\": {{\"results\": [{}]}}}}",
            items.join(",")
        ))
    };
    let (found, asked) =
        search(ProviderName::Brave, &german("erster tanz").with_limit(50), page).await;
    assert_eq!(found.hits.len(), 50);
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].path, "/res/v1/web/search");
    assert_eq!(asked[0].header("x-subscription-token"), Some(KEY));
    assert_eq!(asked[0].header("accept"), Some("application/json"));
    assert_eq!(
        parameters(&asked[2]),
        [
            "count=20",
            "offset=2",
            "q=erster tanz",
            "result_filter=web",
            "search_lang=de",
            "text_decorations=false"
        ]
    );
    let long = Query::new(&"word ".repeat(90)).unwrap();
    let (_, asked) =
        search(ProviderName::Brave, &long, |_| Answer::json(fixture("brave", "ok.json"))).await;
    assert_eq!(
        asked[0].parameter("q").unwrap().split(' ').count(),
        50,
        "no more words than it takes"
    );
}

#[tokio::test]
async fn a_later_page_that_fails_costs_only_itself() {
    let (found, _) = search(ProviderName::Brave, &query("x").with_limit(40), |request| {
        if request.parameter("offset") == Some("0") {
            Answer::json(fixture("brave", "ok.json"))
        } else {
            Answer::status(400).with_body("{\"error\": {\"detail\": \"offset too large\"}}")
        }
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!(found.problems.len(), 1);
    assert!(
        found.problems[0].detail.contains("page 2")
            && found.problems[0].detail.contains("offset too large")
    );
}

#[tokio::test]
async fn exa_and_serper_get_their_keys_in_a_header() {
    let (found, asked) =
        search(ProviderName::Exa, &query("hotels"), |_| Answer::json(fixture("exa", "ok.json")))
            .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!((asked[0].path.as_str(), asked[0].header("x-api-key")), ("/search", Some(KEY)));
    let body = asked[0].json();
    assert_eq!(
        (body["numResults"].as_u64(), body["contents"]["highlights"].as_bool()),
        (Some(7), Some(true))
    );

    let (found, asked) = search(ProviderName::Serper, &german("fähre").with_limit(2), |_| {
        Answer::json(fixture("serper", "ok.json"))
    })
    .await;
    assert_eq!(found.hits.len(), 2, "no more than were asked for");
    assert_eq!((asked[0].path.as_str(), asked[0].header("x-api-key")), ("/search", Some(KEY)));
    let body = asked[0].json();
    assert_eq!(
        (body["q"].as_str(), body["num"].as_u64(), body["hl"].as_str()),
        (Some("fähre"), Some(2), Some("de"))
    );
}

#[tokio::test]
async fn duckduckgo_is_asked_as_a_browser_without_scripts_would() {
    let (found, asked) =
        search(ProviderName::Duckduckgo, &german("port ellery noise"), |request| {
            match request.form().iter().any(|(name, _)| name == "vqd") {
                false => Answer::ok("text/html", fixture("duckduckgo", "ok.html")),
                true => Answer::ok("text/html", fixture("duckduckgo", "partial.html")),
            }
        })
        .await;
    assert_eq!((asked[0].method.as_str(), asked[0].path.as_str()), ("POST", "/html/"));
    let sent: Vec<String> =
        asked[0].form().iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(sent, ["q=port ellery noise", "b=", "kl=de-de", "df="]);
    let agent = asked[0].header("user-agent").unwrap();
    assert!(agent.starts_with("Mozilla/5.0 (compatible; probity/"), "in form a browser's: {agent}");
    assert_eq!((asked[1].method.as_str(), asked[1].path.as_str()), ("POST", "/html/"));
    assert!(asked[1].form().contains(&("vqd".to_owned(), "4-1234567890&x".to_owned())));
    assert_eq!(asked.len(), 2, "the second page has no next");
    let urls: Vec<&str> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
    assert_eq!(urls[0], "https://code.portellery.example.org/chapter-14?a=1&b=2");
    assert!(
        urls.iter().all(|url| !url.contains("duckduckgo.com") && !url.contains("ads.example.com"))
    );
}

#[tokio::test]
async fn a_challenge_of_duckduckgo_is_a_problem() {
    let challenge = |_: &Request| Answer::ok("text/html", fixture("duckduckgo", "challenge.html"));
    let (found, asked) = search(ProviderName::Duckduckgo, &query("x"), challenge).await;
    assert_eq!((found.hits.len(), found.answered, asked.len()), (0, 0, 1));
    assert!(found.problems[0].detail.contains("challenge"));
}

#[tokio::test]
async fn wikipedia_is_asked_once_for_order_and_introductions() {
    let (found, asked) = search(ProviderName::Wikipedia, &query("rumba"), |_| {
        Answer::json(fixture("wikipedia", "ok.json"))
    })
    .await;
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].path, "/w/api.php");
    for (name, value) in [
        ("action", "query"),
        ("list", "search"),
        ("srsearch", "rumba"),
        ("gsrsearch", "rumba"),
        ("srlimit", "7"),
        ("gsrlimit", "7"),
        ("prop", "info|extracts"),
        ("format", "json"),
        ("formatversion", "2"),
    ] {
        assert_eq!(asked[0].parameter(name), Some(value));
    }
    assert!(asked[0].header("user-agent").unwrap().ends_with("(mailto:desk@example.org)"));
    assert_eq!(found.hits[0].title, "Rumba flamenca", "the order of the list, not of the pages");
}

#[tokio::test]
async fn the_scholars_interfaces_get_their_own_parameters() {
    let (found, asked) = search(ProviderName::Arxiv, &query("surface code"), |_| {
        Answer::ok("application/atom+xml", fixture("arxiv", "ok.xml"))
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!(asked[0].path, "/api/query");
    assert_eq!(
        parameters(&asked[0]),
        [
            "max_results=7",
            "search_query=all:surface OR all:code",
            "sortBy=relevance",
            "sortOrder=descending",
            "start=0"
        ]
    );

    let (found, asked) = search(ProviderName::Openalex, &query("is noise (bad)?"), |_| {
        Answer::json(fixture("openalex", "ok.json"))
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!(asked[0].path, "/works");
    for (name, value) in [
        ("search", "is noise bad"),
        ("per_page", "7"),
        ("mailto", "desk@example.org"),
        ("api_key", KEY),
    ] {
        assert_eq!(asked[0].parameter(name), Some(value));
    }

    let (found, asked) = search(ProviderName::Crossref, &query("quiet"), |_| {
        Answer::json(fixture("crossref", "ok.json"))
    })
    .await;
    assert_eq!(found.hits.len(), 2);
    assert_eq!(asked[0].path, "/works");
    for (name, value) in
        [("query.bibliographic", "quiet"), ("rows", "7"), ("mailto", "desk@example.org")]
    {
        assert_eq!(asked[0].parameter(name), Some(value));
    }

    let (found, asked) = search(ProviderName::SemanticScholar, &query("weak-tie rumours"), |_| {
        Answer::json(fixture("semantic-scholar", "ok.json"))
    })
    .await;
    assert_eq!(found.hits.len(), 3);
    assert_eq!(asked[0].path, "/graph/v1/paper/search");
    assert_eq!(asked[0].header("x-api-key"), Some(KEY));
    assert_eq!(
        (asked[0].parameter("query"), asked[0].parameter("limit")),
        (Some("weak tie rumours"), Some("7"))
    );
}

#[tokio::test]
async fn pubmed_is_asked_for_numbers_and_then_for_records() {
    let (found, asked) = search(ProviderName::Pubmed, &query("noise and sleep"), |request| {
        match request.path.as_str() {
            "/entrez/eutils/esearch.fcgi" => Answer::json(fixture("pubmed", "numbers.json")),
            "/entrez/eutils/efetch.fcgi" => Answer::ok("text/xml", fixture("pubmed", "ok.xml")),
            _ => Answer::status(404),
        }
    })
    .await;
    assert_eq!(
        found.hits[0].url.as_str(),
        "https://pubmed.ncbi.nlm.nih.gov/39000002/",
        "the search's order"
    );
    assert_eq!(asked.len(), 2);
    for (name, value) in [
        ("db", "pubmed"),
        ("term", "noise sleep"),
        ("retmode", "json"),
        ("retmax", "7"),
        ("sort", "relevance"),
        ("tool", "probity"),
        ("email", "desk@example.org"),
        ("api_key", KEY),
    ] {
        assert_eq!(asked[0].parameter(name), Some(value));
    }
    assert_eq!(asked[1].parameter("id"), Some("39000002,39000001,39000003"));
}

#[tokio::test]
async fn pubmed_takes_any_word_when_no_paper_has_them_all() {
    let (found, asked) = search(ProviderName::Pubmed, &query("noise zxqv"), |request| {
        match (request.path.as_str(), request.parameter("term")) {
            (_, Some("noise OR zxqv")) => Answer::json(fixture("pubmed", "numbers.json")),
            (_, Some(_)) => Answer::json(fixture("pubmed", "numbers_empty.json")),
            _ => Answer::ok("text/xml", fixture("pubmed", "ok.xml")),
        }
    })
    .await;
    assert_eq!((found.hits.len(), asked.len()), (3, 3));
    let (found, asked) = search(ProviderName::Pubmed, &query("zxqv"), |_| {
        Answer::json(fixture("pubmed", "numbers_empty.json"))
    })
    .await;
    assert_eq!((found.hits.len(), found.answered, asked.len()), (0, 1, 1));
}

#[tokio::test]
async fn a_base_url_may_have_a_path() {
    let api = FakeApi::start(|_| Answer::json(fixture("brave", "ok.json"))).await;
    let mut settings = settings(&api);
    settings.brave.url = WebUrl::parse(&format!("{}/gateway/brave/", api.url())).ok();
    let set = SearchSet::new(&Selection::parse("brave").unwrap(), &settings, context()).unwrap();
    assert_eq!(set.search(&query("x")).await.hits.len(), 2);
    assert_eq!(api.requests()[0].path, "/gateway/brave/res/v1/web/search");
}
