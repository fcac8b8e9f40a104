//! Papers behind walls are read from open copies, which are scored like any page.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use probity_core::{Clock, WebUrl};
use probity_credibility::{Grounds, Permit, Policy, Scorer};
use probity_research::gather::{Gatherer as _, Target};
use probity_research::live_gatherer::{LiveGatherer, Opening};
use probity_research::run::Where;
use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_testkit::fake_api::{Answer, FakeApi};
use probity_web::fetch::{FetchOutcome, FetchSettings, Page, Resolver};
use probity_web::open_copy::Unpaywall;
use probity_web::search::{LocalProvider, ProviderSettings, SearchSettings};

/// Every name lies on this machine.
struct Here(SocketAddr);

impl Resolver for Here {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        futures::future::ready(Ok(vec![self.0])).boxed()
    }
}

/// A publisher with walls, and a repository with open copies.
async fn web() -> BadWeb {
    let web = BadWeb::start(|asked| match asked.page() {
        "/doi/full/10.5555/ferry.2026" => Reply::status(402),
        "/doi/10.5555/gone" => Reply::status(404),
        "/papers/ferry" => Reply::html(GOOD),
        _ => Reply::status(403),
    });
    web.await.unwrap()
}

/// An index of works that knows one of them, as its documentation writes it.
async fn index(copy: String) -> FakeApi {
    FakeApi::start(move |request| match request.path.as_str() {
        "/works/doi:10.5555/ferry.2026" => Answer::json(format!(
            "{{\"best_oa_location\": {{\"is_oa\": true, \"pdf_url\": null, \"landing_page_url\": \"{copy}\"}}}}"
        )),
        _ => Answer::status(404),
    })
    .await
}

/// The other index, as its documentation writes it: one paper with a copy that is gone and one that is there.
async fn unpaywall(web: &BadWeb) -> FakeApi {
    let at = format!("http://repository.example.edu:{}", web.address().port());
    FakeApi::start(move |request| match request.path.as_str() {
        "/v2/10.5555/ferry.2026" => Answer::json(format!(
            "{{\"doi\": \"10.5555/ferry.2026\", \"is_oa\": true, \"best_oa_location\": \
             {{\"url\": \"{at}/papers/lost\", \"url_for_pdf\": null, \"host_type\": \"repository\"}}, \
             \"oa_locations\": [{{\"url\": \"{at}/papers/lost\"}}, {{\"url\": \"{at}/papers/ferry\", \
             \"url_for_pdf\": \"{at}/papers/ferry\"}}]}}"
        )),
        "/v2/10.5555/slow" => Answer::status(429),
        _ => Answer::status(404),
    })
    .await
}

async fn read(web: &BadWeb, index: &FakeApi, wanted: bool, path: &str) -> Page {
    read_beside(web, index, None, wanted, path).await
}

async fn read_beside(
    web: &BadWeb,
    index: &FakeApi,
    other: Option<&FakeApi>,
    wanted: bool,
    path: &str,
) -> Page {
    let port = web.address().port();
    let hosts = [format!("press.example.com:{port}"), format!("repository.example.edu:{port}")];
    let openalex = ProviderSettings {
        url: Some(WebUrl::parse(&index.url()).unwrap()),
        ..ProviderSettings::default()
    };
    let search = SearchSettings { openalex, ..SearchSettings::default() };
    let scorer = Scorer::new(Policy::default(), Default::default(), "2026-11-15".parse().unwrap());
    let opening = Opening {
        search: &search,
        fetch: FetchSettings {
            robots: false,
            delay: Duration::ZERO,
            open_copies: wanted,
            unpaywall: other.map(|other| Unpaywall {
                email: "ann@example.org".to_owned(),
                url: Some(WebUrl::parse(&format!("{}/v2", other.url())).unwrap()),
            }),
            allow_hosts: hosts.iter().map(|host| host.parse().unwrap()).collect(),
            resolver: Arc::new(Here(web.address())),
            ..FetchSettings::default()
        },
        clock: Clock::System,
        store: None,
        shared: None,
        scorer: scorer.unwrap(),
        indexes: None,
        own: vec![LocalProvider::new("paper", |_| futures::future::ready(Ok(Vec::new())))],
    };
    let place = Where { search: Some("paper".to_owned()), ..Where::default() };
    let (gatherer, _) = LiveGatherer::open(opening, &place).await.unwrap();
    let url = WebUrl::parse(&format!("http://press.example.com:{port}{path}")).unwrap();
    gatherer.read(&Target::Web(Permit::by_user(url))).await
}

#[tokio::test]
async fn a_paper_behind_a_wall_is_read_from_its_open_copy_and_the_copys_host_is_reported() {
    let web = web().await;
    let port = web.address().port();
    let copy = format!("http://repository.example.edu:{port}/papers/ferry");
    let index = index(copy.clone()).await;
    let page = read(&web, &index, true, "/doi/full/10.5555/ferry.2026").await;
    assert!(page.outcome.is_read(), "{}", page.reason);
    assert_eq!(page.final_url.as_str(), copy, "so that its own score is asked");
    assert!(page.url.as_str().contains("press.example.com"));
    assert!(page.reason.contains("an open copy at repository.example.edu"), "{}", page.reason);
    let asked = index.requests();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].parameter("select"), Some("best_oa_location"));
}

#[tokio::test]
async fn nobody_is_asked_for_pages_that_are_no_papers_or_not_behind_walls_or_where_no_copies_are_wanted()
 {
    let web = web().await;
    let index = index("http://127.0.0.1/secret".to_owned()).await;
    for (wanted, path) in [
        (false, "/doi/full/10.5555/ferry.2026"),
        (true, "/doi/10.5555/gone"),
        (true, "/papers/ferry"),
        (true, "/notes/v10.5/x"),
    ] {
        read(&web, &index, wanted, path).await;
    }
    assert!(index.requests().is_empty());
    let page = read(&web, &index, true, "/doi/full/10.5555/ferry.2026").await;
    assert_eq!(page.outcome, FetchOutcome::PaywallStub, "a private address is no copy");
    let unknown = read(&web, &index, true, "/doi/10.5555/other").await;
    assert_eq!((unknown.outcome, index.requests().len()), (FetchOutcome::Failed, 2));
}

#[tokio::test]
async fn unpaywall_is_asked_by_e_mail_where_openalex_knows_no_copy_that_can_be_read() {
    let web = web().await;
    let at = format!("http://repository.example.edu:{}", web.address().port());
    let other = unpaywall(&web).await;
    let path = "/doi/full/10.5555/ferry.2026";
    // OpenAlex knows none, or the one that it knows is lost: it is not tried twice.
    for (openalex, lost) in
        [("http://127.0.0.1/secret".to_owned(), 1), (format!("{at}/papers/lost"), 2)]
    {
        let index = index(openalex).await;
        let page = read_beside(&web, &index, Some(&other), true, path).await;
        assert!(page.outcome.is_read(), "{}", page.reason);
        assert_eq!(page.final_url.as_str(), format!("{at}/papers/ferry"));
        assert!(page.reason.contains("an open copy at repository.example.edu"), "{}", page.reason);
        assert_eq!(web.count("/papers/lost"), lost);
    }
    let asked = other.requests();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].parameter("email"), Some("ann@example.org"));
    // One that OpenAlex has is enough.
    let index = index(format!("{at}/papers/ferry")).await;
    assert!(read_beside(&web, &index, Some(&other), true, path).await.outcome.is_read());
    assert_eq!(other.requests().len(), 2);
    for path in ["/doi/10.5555/slow", "/doi/10.5555/unknown"] {
        let page = read_beside(&web, &index, Some(&other), true, path).await;
        assert_eq!(page.outcome, FetchOutcome::Failed, "{path}: the wall stays");
    }
    assert_eq!(other.requests().len(), 4);
}

#[tokio::test]
async fn no_copy_that_unpaywall_names_is_read_from_the_inside() {
    let web = web().await;
    let index = index("http://127.0.0.1/secret".to_owned()).await;
    for inside in ["http://127.0.0.1/secret", "http://169.254.169.254/latest/", "http://[::1]/"] {
        let other = FakeApi::start(move |_| {
            Answer::json(format!(
                "{{\"is_oa\": true, \"best_oa_location\": {{\"url\": \"{inside}\", \"url_for_pdf\": \"{inside}\"}}, \
                 \"oa_locations\": [{{\"url\": \"{inside}\"}}]}}"
            ))
        });
        let other = other.await;
        let page =
            read_beside(&web, &index, Some(&other), true, "/doi/full/10.5555/ferry.2026").await;
        assert_eq!(page.outcome, FetchOutcome::PaywallStub, "{inside}: {}", page.reason);
        assert_eq!(other.requests().len(), 1, "{inside}");
    }
}

#[test]
fn an_open_copy_is_permitted_on_the_grounds_of_its_paper() {
    let paper = Permit::by_subscription(WebUrl::parse("https://doi.org/10.5555/1").unwrap());
    let copy = paper.for_open_copy(WebUrl::parse("https://repository.example.edu/1").unwrap());
    assert_eq!(
        (copy.url().host(), copy.grounds()),
        ("repository.example.edu", Grounds::Subscription)
    );
}
