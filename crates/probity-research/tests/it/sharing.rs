//! What processes agree on through a store, seen from where it counts: by the hosts, search providers
//! and models that they ask.
//!
//! Two stores over one place stand for two processes: they have nothing else in common. Times are only
//! compared from below, because a pause that was promised has to be kept however slow a machine is.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use probity_core::shared::{Reserved, Shared};
use probity_core::{Secret, WebUrl};
use probity_credibility::Permit;
use probity_model::{ModelError, ModelSet, Reply as ModelReply, Request, Task};
use probity_store::{Location, SharedStore, Store};
use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_testkit::fake_api::{Answer, FakeApi};
use probity_testkit::model::{Act, ScriptedModel};
use probity_testkit::postgres::TestDatabase;
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher};
use probity_web::search::{
    Found, ProviderName, Query, SearchContext, SearchSet, SearchSettings, Selection,
};

/// The pause that is asked for between two requests.
const PAUSE: Duration = Duration::from_millis(120);
/// Slots are counted in whole milliseconds, by another clock than a test's.
const GRAIN: Duration = Duration::from_millis(10);

/// What each of two processes has of one store.
struct Two {
    stores: [Store; 2],
    _folder: tempfile::TempDir,
    _database: Option<TestDatabase>,
}

impl Two {
    async fn at(location: &Location, database: Option<TestDatabase>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = match &database {
            Some(_) => location.clone(),
            None => Location::file(folder.path().join("x.db")),
        };
        let open = async || Store::open(&location).await.unwrap();
        Self { stores: [open().await, open().await], _folder: folder, _database: database }
    }

    async fn on_each_engine() -> Vec<Self> {
        let mut all = vec![Self::at(&Location::file("x.db"), None).await];
        if let Some(database) = TestDatabase::create().await {
            let location = Location::parse(&database.url()).unwrap();
            all.push(Self::at(&location, Some(database)).await);
        }
        all
    }

    fn shared(&self) -> [Arc<dyn Shared>; 2] {
        self.stores.each_ref().map(|store| Arc::new(SharedStore::new(store, None)) as _)
    }

    /// Waits until the second process knows that a name is left alone.
    async fn until_closed(&self, name: &str) {
        let asked = async || self.stores[1].reserve(name, Duration::ZERO, Duration::ZERO).await;
        while !matches!(asked().await.unwrap(), Reserved::Closed(_)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// When requests arrived.
#[derive(Clone, Default)]
struct Arrivals(Arc<Mutex<Vec<Instant>>>);

impl Arrivals {
    fn note(&self) {
        self.0.lock().unwrap().push(Instant::now());
    }

    /// Before the nth request arrives, n pauses have passed since anyone could have begun. Two who
    /// do not know of each other would need only half of them.
    fn were_spaced_since(&self, begin: Instant, expected: usize) {
        let mut arrivals = self.0.lock().unwrap().clone();
        arrivals.sort_unstable();
        assert_eq!(arrivals.len(), expected);
        for (arrival, pauses) in arrivals.iter().zip(0..) {
            let passed = arrival.duration_since(begin) + GRAIN;
            assert!(passed >= PAUSE * pauses, "request {pauses} came after {passed:?}");
        }
    }
}

fn fetchers(two: &Two, web: &BadWeb, pause: Duration) -> [Fetcher; 2] {
    let settings = FetchSettings {
        robots: false,
        delay: pause,
        per_host: 8,
        allow_hosts: vec![web.address().to_string().parse().unwrap()],
        ..FetchSettings::default()
    };
    two.shared().map(|shared| Fetcher::sharing(settings.clone(), Some(shared)).unwrap())
}

fn permit(url: &str) -> Permit {
    Permit::by_user(WebUrl::parse(url).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_fetchers_keep_a_hosts_pace_together() {
    for two in Two::on_each_engine().await {
        let arrivals = Arrivals::default();
        let seen = arrivals.clone();
        let web = BadWeb::start(move |_| {
            seen.note();
            Reply::html(GOOD)
        });
        let web = web.await.unwrap();
        let fetchers = fetchers(&two, &web, PAUSE);
        let begin = Instant::now();
        let pages: Vec<Permit> = (0..8).map(|n| permit(&web.url(&format!("/{n}")))).collect();
        let fetching = pages.iter().enumerate().map(|(n, page)| fetchers[n % 2].fetch(page));
        for page in join_all(fetching).await {
            assert!(page.outcome.is_read(), "{}", page.reason);
        }
        arrivals.were_spaced_since(begin, pages.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_asks_one_fetcher_for_rest_is_left_alone_by_the_other() {
    for two in Two::on_each_engine().await {
        let web = BadWeb::start(|_| Reply::with(429, &[("retry-after", "3600")], "later"));
        let web = web.await.unwrap();
        let [here, there] = fetchers(&two, &web, Duration::ZERO);
        assert_eq!(here.fetch(&permit(&web.url("/1"))).await.outcome, FetchOutcome::Failed);
        two.until_closed("host 127.0.0.1").await;
        let page = there.fetch(&permit(&web.url("/2"))).await;
        assert_eq!(page.outcome, FetchOutcome::Failed);
        assert_eq!(web.requests().len(), 1, "the host was asked again: {}", page.reason);
    }
}

fn searchers(two: &Two, api: &FakeApi, per_second: f64) -> [SearchSet; 2] {
    let mut settings = SearchSettings::default();
    let serper = settings.of_mut(ProviderName::Serper);
    serper.url = Some(WebUrl::parse(&api.url()).unwrap());
    serper.key = Some(Secret::new("key"));
    serper.per_second = Some(per_second);
    serper.timeout = Some(Duration::from_secs(20));
    let selection = Selection::parse("serper").unwrap();
    two.shared().map(|shared| {
        let client = ApiClient::new(ApiSettings::default()).unwrap();
        let context = SearchContext::new(client).with_shared(Some(shared));
        SearchSet::new(&selection, &settings, context).unwrap()
    })
}

async fn search(set: &SearchSet, n: usize) -> Found {
    set.search(&Query::new(&format!("noise at night {n}")).unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_searchers_keep_a_providers_pace_together() {
    for two in Two::on_each_engine().await {
        let arrivals = Arrivals::default();
        let seen = arrivals.clone();
        let api = FakeApi::start(move |_| {
            seen.note();
            Answer::json("{\"organic\": []}")
        })
        .await;
        let sets = searchers(&two, &api, 1.0 / PAUSE.as_secs_f64());
        let begin = Instant::now();
        let searching = (0..8).map(|n| search(&sets[n % 2], n));
        for found in join_all(searching).await {
            assert_eq!((found.answered, found.problems), (1, Vec::new()));
        }
        arrivals.were_spaced_since(begin, 8);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_fails_one_searcher_again_and_again_is_left_alone_by_both() {
    for two in Two::on_each_engine().await {
        let api = FakeApi::start(|_| Answer::status(500)).await;
        let [here, there] = searchers(&two, &api, 1_000.0);
        // Three attempts each; the fifth failure in a row is the last that anyone has.
        for n in 0..2 {
            assert_eq!(search(&here, n).await.answered, 0);
        }
        assert_eq!(api.requests().len(), 5);
        let found = search(&there, 2).await;
        assert!(found.problems[0].detail.contains("is left alone for"), "{:?}", found.problems);
        assert_eq!(api.requests().len(), 5, "the other process asked all the same");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_provider_that_asks_one_searcher_for_rest_is_left_alone_by_the_other() {
    for two in Two::on_each_engine().await {
        let api = FakeApi::start(|_| Answer::status(429).with_header("retry-after", "3600")).await;
        let [here, there] = searchers(&two, &api, 1_000.0);
        assert_eq!(search(&here, 0).await.answered, 0);
        two.until_closed("search serper").await;
        assert_eq!(search(&there, 1).await.answered, 0);
        assert_eq!(api.requests().len(), 1);
    }
}

/// Two processes, each with a client of its own for the same provider.
fn models(two: &Two, act: impl Fn() -> Act + Send + Sync + Clone + 'static) -> [Client; 2] {
    two.shared().map(|shared| {
        let act = act.clone();
        let model = Arc::new(ScriptedModel::new(move |_| act()));
        let model_set = ModelSet::of_one(Arc::clone(&model) as _).sharing(shared);
        Client { model, model_set }
    })
}

struct Client {
    model: Arc<ScriptedModel>,
    model_set: ModelSet,
}

impl Client {
    async fn ask(&self) -> Result<ModelReply, ModelError> {
        let request = Request::new(Task::Plan, "system".to_owned(), "user".to_owned());
        let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
        self.model_set.chain(Task::Plan).unwrap().ask(&request, deadline, &|_: &str| {}).await
    }
}

fn failing(retry_after: Option<Duration>) -> Act {
    let (model, detail) = ("compatible:scripted".to_owned(), "busy".to_owned());
    Act::Fail(ModelError::Busy { model, status: 503, detail, retry_after })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_models_provider_that_asks_one_client_for_rest_is_left_alone_by_the_other() {
    for two in Two::on_each_engine().await {
        let [here, there] = models(&two, || failing(Some(Duration::from_secs(3_600))));
        assert!(matches!(here.ask().await, Err(ModelError::Busy { .. })));
        assert!(matches!(there.ask().await, Err(ModelError::Resting { .. })));
        assert!(matches!(here.ask().await, Err(ModelError::Resting { .. })));
        assert_eq!((here.model.asked().len(), there.model.asked().len()), (1, 0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_of_a_models_provider_count_together() {
    for two in Two::on_each_engine().await {
        let clients = models(&two, || failing(None));
        for n in 0..5 {
            assert!(matches!(clients[n % 2].ask().await, Err(ModelError::Busy { .. })), "{n}");
        }
        for client in &clients {
            assert!(matches!(client.ask().await, Err(ModelError::Resting { .. })));
        }
        let asked: usize = clients.iter().map(|client| client.model.asked().len()).sum();
        assert_eq!(asked, 5);
    }
}
