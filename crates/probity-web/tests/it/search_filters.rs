//! Filters, keys and pages in the words of each provider, and who is asked when one refuses.

use jiff::civil::date;
use probity_testkit::fake_api::{Answer, FakeApi};
use probity_web::search::{Filters, Lang, ProviderName, Query, SearchSet, Selection, Site};

use crate::search_fixtures::fixture;
use crate::search_requests::{KEY, context, parameters, query, search, settings};

/// What a filter becomes in the hands of each provider.
fn filtered() -> Query {
    let site = |host: &str| Site::new(host).unwrap();
    let filters = Filters {
        sites: vec![site("a.example")],
        exclude_sites: vec![site("b.a.example")],
        since: Some(date(2025, 1, 31)),
        until: Some(date(2025, 12, 1)),
        lang: Lang::new("de").ok(),
        kind: None,
    };
    query("quay rules").with_filters(filters)
}

#[tokio::test]
async fn every_provider_is_sent_filters_in_its_own_words() {
    let expected: [(ProviderName, &[&str]); 17] = [
        (ProviderName::Searxng, &["q=quay rules site:a.example -site:b.a.example", "language=de"]),
        (ProviderName::Brave, &["freshness=2025-01-31to2025-12-01", "search_lang=de"]),
        (ProviderName::Google, &["sort=date:r:20250131:20251201", "lr=lang_de", "cx=engine-1"]),
        (ProviderName::Serpapi, &["tbs=cdr:1,cd_min:01/31/2025,cd_max:12/01/2025", "hl=de"]),
        (ProviderName::Kagi, &["q=quay rules site:a.example -site:b.a.example"]),
        (ProviderName::Bing, &["freshness=2025-01-31..2025-12-01", "setLang=de"]),
        (ProviderName::Mojeek, &["since=20250131", "before=20251202", "lb=de"]),
        (ProviderName::Guardian, &["from-date=2025-01-31", "to-date=2025-12-01"]),
        (ProviderName::StackExchange, &["fromdate=1738281600", "todate=1764547200"]),
        (ProviderName::Github, &["q=quay rules pushed:2025-01-31..2025-12-01"]),
        (
            ProviderName::Openalex,
            &["filter=from_publication_date:2025-01-31,to_publication_date:2025-12-01"],
        ),
        (ProviderName::Crossref, &["filter=from-pub-date:2025-01-31,until-pub-date:2025-12-01"]),
        (ProviderName::SemanticScholar, &["publicationDateOrYear=2025-01-31:2025-12-01"]),
        (ProviderName::Pubmed, &["mindate=2025/01/31", "maxdate=2025/12/01", "datetype=pdat"]),
        (ProviderName::Wikipedia, &["srsearch=quay rules"]),
        (
            ProviderName::Arxiv,
            &[
                "search_query=(all:quay OR all:rules) AND submittedDate:[202501310000 TO 202512012359]",
            ],
        ),
        (ProviderName::Wikidata, &["uselang=de"]),
    ];
    for (provider, expected) in expected {
        let (_, asked) = search(provider, &filtered(), |_| Answer::status(404)).await;
        let sent = parameters(&asked[0]);
        for one in expected {
            assert!(sent.contains(&(*one).to_owned()), "{provider}: {one} in {sent:?}");
        }
    }
    let (_, asked) = search(ProviderName::Tavily, &filtered(), |_| Answer::status(404)).await;
    let body = asked[0].json();
    assert_eq!(body["include_domains"][0], "a.example");
    assert_eq!(
        (&body["exclude_domains"][0], &body["end_date"]),
        (&"b.a.example".into(), &"2025-12-01".into())
    );
    let (_, asked) = search(ProviderName::Duckduckgo, &filtered(), |_| Answer::status(404)).await;
    let form = asked[0].form();
    for (name, value) in [("df", "2025-01-31..2025-12-01"), ("kl", "de-de")] {
        assert!(form.contains(&(name.to_owned(), value.to_owned())), "{form:?}");
    }
    let (_, asked) = search(ProviderName::Exa, &filtered(), |_| Answer::status(404)).await;
    let body = asked[0].json();
    assert_eq!(body["includeDomains"][0], "a.example");
    assert_eq!(body["excludeDomains"][0], "b.a.example");
    assert_eq!(body["startPublishedDate"], "2025-01-31T00:00:00.000Z");
    let (_, asked) = search(ProviderName::Serper, &filtered(), |_| Answer::status(404)).await;
    let body = asked[0].json();
    assert_eq!(body["q"], "quay rules site:a.example -site:b.a.example");
    assert_eq!(
        (&body["hl"], &body["tbs"]),
        (&"de".into(), &"cdr:1,cd_min:01/31/2025,cd_max:12/01/2025".into())
    );
    let archived = query("quay rules a.example/fees").with_filters(filtered().filters().clone());
    let (_, asked) = search(ProviderName::Wayback, &archived, |_| Answer::status(404)).await;
    assert_eq!(
        (asked[0].parameter("from"), asked[0].parameter("to")),
        (Some("20250131"), Some("20251201"))
    );
    let (_, asked) = search(ProviderName::Perplexity, &filtered(), |_| Answer::status(404)).await;
    assert_eq!(asked[0].json()["search_after_date_filter"], "01/31/2025");
    let (_, asked) = search(ProviderName::Jina, &filtered(), |_| Answer::status(404)).await;
    assert_eq!(asked[0].header("x-site"), Some("a.example"));
}

#[tokio::test]
async fn filters_hold_whatever_a_provider_returns() {
    let filters =
        Filters { sites: vec![Site::new("council.example.com").unwrap()], ..Filters::default() };
    let asked = query("noise").with_filters(filters);
    let (found, _) =
        search(ProviderName::Kagi, &asked, |_| Answer::json(fixture("kagi", "ok.json"))).await;
    let urls: Vec<&str> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
    assert_eq!(urls, ["https://council.example.com/quiet"]);
    assert_eq!(found.problems[0].to_string(), "filters: 1 result of other sites left out");
}

#[tokio::test]
async fn keys_go_where_each_provider_wants_them() {
    let headers = [
        (ProviderName::Kagi, "authorization", format!("Bot {KEY}")),
        (ProviderName::Bing, "ocp-apim-subscription-key", KEY.to_owned()),
        (ProviderName::Jina, "authorization", format!("Bearer {KEY}")),
        (ProviderName::Perplexity, "authorization", format!("Bearer {KEY}")),
        (ProviderName::Github, "authorization", format!("Bearer {KEY}")),
    ];
    for (provider, name, value) in headers {
        let (found, asked) = search(provider, &query("x"), |_| Answer::status(401)).await;
        assert_eq!(asked[0].header(name), Some(value.as_str()), "{provider}");
        assert!(!found.problems[0].to_string().contains(KEY), "{provider}");
    }
    let parameters = [
        (ProviderName::Google, "key"),
        (ProviderName::Serpapi, "api_key"),
        (ProviderName::Mojeek, "api_key"),
        (ProviderName::Guardian, "api-key"),
        (ProviderName::StackExchange, "key"),
    ];
    for (provider, name) in parameters {
        let (found, asked) = search(provider, &query("x"), |_| Answer::status(403)).await;
        assert_eq!(asked[0].parameter(name), Some(KEY), "{provider}");
        assert!(!found.problems[0].to_string().contains(KEY), "{provider}");
    }
}

#[tokio::test]
async fn further_pages_are_asked_for_as_each_provider_counts_them() {
    let counted = [
        (ProviderName::Google, "google", "start", ["1", "11"]),
        (ProviderName::Serpapi, "serpapi", "start", ["0", "10"]),
    ];
    for (provider, name, parameter, expected) in counted {
        let many = query("noise").with_limit(20);
        let (found, asked) =
            search(provider, &many, move |_| Answer::json(fixture(name, "ok.json"))).await;
        let sent: Vec<_> = asked.iter().filter_map(|one| one.parameter(parameter)).collect();
        assert_eq!(sent, expected, "{provider}: the second page brought nothing new");
        assert_eq!(found.hits.len(), 2);
    }
    let many = query("noise").with_limit(70);
    let (_, asked) =
        search(ProviderName::Bing, &many, |_| Answer::json(fixture("bing", "ok.json"))).await;
    assert_eq!(asked[1].parameter("offset"), Some("50"));
    let (_, asked) =
        search(ProviderName::Guardian, &many, |_| Answer::json(fixture("guardian", "ok.json")))
            .await;
    assert_eq!(asked[1].parameter("page"), Some("2"));
    // With a key one page of Mojeek's holds as much as is ever asked for.
    let api = FakeApi::start(|_| Answer::ok("text/html", fixture("mojeek", "ok.html"))).await;
    let mut keyless = settings(&api);
    keyless.mojeek.key = None;
    let set = SearchSet::new(&Selection::parse("mojeek").unwrap(), &keyless, context()).unwrap();
    set.search(&query("noise").with_limit(20)).await;
    let asked = api.requests();
    assert_eq!((asked[0].parameter("s"), asked[1].parameter("s")), (None, Some("11")));
}

#[tokio::test]
async fn the_keyless_chain_goes_on_where_a_provider_refuses() {
    let api = FakeApi::start(|request| match request.path.as_str() {
        "/html/" => Answer::ok("text/html", fixture("duckduckgo", "challenge.html")),
        "/search" => Answer::ok("text/html", fixture("mojeek", "ok.html")),
        _ => Answer::json(fixture("wikipedia", "empty.json")),
    })
    .await;
    let mut keyless = settings(&api);
    for provider in ProviderName::ALL {
        keyless.of_mut(provider).key = None;
        let own = [ProviderName::Searxng, ProviderName::Bing].contains(&provider);
        if own {
            keyless.of_mut(provider).url = None;
        }
    }
    let set = SearchSet::new(&Selection::Auto, &keyless, context()).unwrap();
    assert_eq!(set.names(), ["duckduckgo", "wikipedia"]);
    let found = set.search(&query("noise")).await;
    assert_eq!(found.hits[0].providers, ["mojeek"]);
    assert!(found.problems[0].to_string().starts_with("duckduckgo: answered with a challenge"));
    // What refused is left alone for a while: the next query does not knock again.
    let again = set.search(&query("music")).await;
    assert_eq!(again.hits[0].providers, ["mojeek"]);
    let knocked = api.requests().iter().filter(|one| one.path == "/html/").count();
    assert_eq!(knocked, 1);
}

#[tokio::test]
async fn the_archive_is_asked_for_addresses_alone() {
    let (found, asked) = search(ProviderName::Wayback, &query("how loud is it"), |_| {
        Answer::json(fixture("wayback", "ok.json"))
    })
    .await;
    assert_eq!((found.hits.len(), asked.len(), found.answered), (0, 0, 1));
    let (found, asked) = search(ProviderName::Wayback, &query("fees example.org/fees"), |_| {
        Answer::json(fixture("wayback", "ok.json"))
    })
    .await;
    assert_eq!(asked[0].parameter("url"), Some("https://example.org/fees"));
    assert_eq!(
        found.hits[0].url.as_str(),
        "https://web.archive.org/web/20260303120000/https://example.org/fees"
    );
}
