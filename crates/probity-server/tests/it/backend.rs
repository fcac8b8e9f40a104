//! A program around the server: the usual settings, and runs that no one carries out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use probity_core::{Clock, Document, Mode, Modes, Timestamp, WebUrl};
use probity_credibility::{Policy, Question};
use probity_news::NewsSettings;
use probity_news::consolidate::Turn;
use probity_research::RunSpec;
use probity_research::execute::RunEnvironment;
use probity_research::run::{Inquiry, RunLimits, Where};
use probity_server::{
    Adjust, Ask, AskError, Backend, Check, CheckState, Constants, Cost, FeedPreview, Later, Look,
    Offer, OfferedFeed, Place, PreviewItem, SignOn,
};
use probity_store::Store;
use probity_store::library::{Ingested, Library, ReadDocument};

use crate::adjust::TestAdjust;
use crate::sign_on::TestProvider;

/// When every test happens.
pub(crate) const NOW: Timestamp = Timestamp(1_794_744_000_000);

pub(crate) struct TestBackend {
    constants: Arc<Constants>,
    adjusting: TestAdjust,
    next: AtomicU32,
    store: Store,
}

impl TestBackend {
    pub(crate) fn new(store: Store) -> Self {
        let constants = Constants {
            policy: Policy::default(),
            alpha: 0.1,
            modes: Modes::default(),
            limits: RunLimits::default(),
            analyst: "embedded".to_owned(),
            providers: vec!["library".to_owned()],
            usual_providers: "auto".to_owned(),
            version: "0.0.0-test",
            news: NewsSettings::default(),
            allow_coding: false,
            reader: probity_reader::TextReader::default(),
        };
        let (constants, adjusting) = (Arc::new(constants), TestAdjust::default());
        Self { constants, adjusting, next: AtomicU32::new(1), store }
    }
}

impl Backend for TestBackend {
    fn constants(&self) -> Arc<Constants> {
        let (mut constants, now) = ((*self.constants).clone(), self.adjusting.in_force());
        constants.policy.threshold = now.credibility;
        constants.modes = now.modes;
        Arc::new(constants)
    }

    fn adjust(&self) -> Option<&dyn Adjust> {
        Some(&self.adjusting)
    }

    fn sign_on(&self) -> Option<Arc<dyn SignOn>> {
        Some(Arc::new(TestProvider))
    }

    fn spec(&self, ask: &Ask) -> Result<RunSpec, AskError> {
        let question = Question::new(&ask.question)
            .map_err(|error| AskError { field: "question", why: error.to_string() })?;
        if ask.search.as_deref() == Some("nowhere") {
            let why = "there is no provider `nowhere`".to_owned();
            return Err(AskError { field: "search", why });
        }
        let mode = ask.mode.unwrap_or(Mode::Standard);
        let id = format!("20261115-test{:02}", self.next.fetch_add(1, Ordering::Relaxed));
        Ok(RunSpec {
            inquiry: Inquiry { plan: None, approve: ask.approve, clarify: ask.clarify },
            place: Where {
                search: ask.search.clone(),
                collection: ask.collection.clone(),
                files: ask.upload.clone(),
                urls: ask.urls.clone(),
                ..Where::default()
            },
            ..RunSpec::usual(id.as_str(), question, mode, NOW)
        })
    }

    fn places(&self, _: std::time::Duration) -> Later<'_, Vec<Place>> {
        let place = |name, missing: Option<&str>| Place {
            name,
            about: format!("what the {name} has"),
            missing: missing.map(str::to_owned),
        };
        let places = vec![
            place("web", Some("there is no network in a test")),
            place("library", None),
            place("news", Some("no feed brought any article yet")),
        ];
        Box::pin(std::future::ready(places))
    }

    fn offers(&self) -> Vec<Offer> {
        let costs = |from, to| {
            let modes = ["quick", "standard", "deep"];
            modes.map(|mode| Cost { mode, from: Some(from), to: Some(to) }).to_vec()
        };
        vec![
            Offer {
                name: "embedded".to_owned(),
                writes: "the embedded analyst".to_owned(),
                costs: costs(0.0, 0.0),
            },
            Offer {
                name: "anthropic".to_owned(),
                writes: "anthropic:large".to_owned(),
                costs: costs(0.02, 0.3),
            },
        ]
    }

    fn add_page<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Ingested, String>> {
        Box::pin(async move {
            if url.dns_host() == "gone.example" {
                return Err("not_found: 404 Not Found".to_owned());
            }
            let document = Document {
                title: format!("A page of {}", url.dns_host()),
                text: "The harbour bridge opened in 1931.".to_owned(),
                markdown: "The harbour bridge opened in 1931.".to_owned(),
                ..Document::default()
            };
            let reading = ReadDocument { document, ..ReadDocument::default() };
            let library = Library::of(&self.store);
            library.add_page(url, reading).await.map_err(|error| error.to_string())
        })
    }

    fn read_again<'a>(&'a self, _: &'a str) -> Later<'a, Result<(), String>> {
        Box::pin(std::future::ready(Err("the file cannot be read: it is gone".to_owned())))
    }

    fn environment<'a>(&'a self, _: &'a RunSpec) -> Later<'a, Result<RunEnvironment, String>> {
        Box::pin(std::future::ready(Err("this place has no world".to_owned())))
    }

    fn look_for_feed<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Look, String>> {
        let url = url.to_string();
        let looked = match url.contains("nofeed") {
            true => Err(format!("{url} is not a feed and links none")),
            false if url.contains("page") => Ok(Look::Page(vec![OfferedFeed {
                url: format!("{url}feed.xml"),
                title: "All & more".to_owned(),
            }])),
            false => Ok(Look::Feed(Box::new(FeedPreview {
                url,
                title: "Port <News>".to_owned(),
                site_url: None,
                format: "rss".to_owned(),
                items_count: 1,
                items: vec![PreviewItem {
                    title: "Ferry & storm".to_owned(),
                    url: Some("javascript:alert(1)".to_owned()),
                    published_at: None,
                }],
                problem: None,
            }))),
        };
        Box::pin(std::future::ready(looked))
    }

    fn consolidate(&self) -> Later<'_, Result<Option<Turn>, String>> {
        let news = self.constants.news.clone();
        let consolidator = probity_news::consolidate::Consolidator::new(
            self.store.clone(),
            news,
            Clock::Fixed(NOW),
        );
        Box::pin(
            async move { consolidator.take_turn_now("server").await.map_err(|e| e.to_string()) },
        )
    }

    fn checks(&self) -> Later<'_, Vec<Check>> {
        let check = Check {
            name: "store".to_owned(),
            state: CheckState::Ok,
            found: "it is there".to_owned(),
            fix: None,
        };
        Box::pin(std::future::ready(vec![check]))
    }
}
