//! A world and an analyst that do exactly what a test says, and remember what they were asked.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use probity_core::{Clock, Document, Mode, Outlet, SearchHit, WebUrl};
use probity_credibility::{Known, Question};
use probity_reader::TextReader;
use probity_report::draft::{Draft, Shortfall, Statement, Theme};
use probity_report::facts::{Author, Usage};
use probity_report::markdown::markdown;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::*;
use probity_research::driver::{Cancel, Finished, Parts};
use probity_research::event::Unwatched;
use probity_research::gather::*;
use probity_research::journal::{Entry, Forget, Keep};
use probity_research::run::RunSpec;
use probity_research::{Event, Journal, RunError, research};
use probity_web::fetch::{FetchOutcome, Page};

pub(crate) const QUESTION: &str = "How loud may outdoor music be at night in Port Ellery?";

/// A page of the paper world.
#[derive(Clone)]
pub(crate) struct Sheet {
    pub(crate) url: String,
    pub(crate) title: String,
    /// The title that the page has, if it is not that of the result.
    pub(crate) page_title: Option<String>,
    pub(crate) snippet: String,
    pub(crate) text: String,
    pub(crate) outcome: FetchOutcome,
    pub(crate) lands_at: Option<String>,
    pub(crate) origin: Origin,
    /// What the scripted analyst will say of it; none is an unusable answer.
    pub(crate) relevance: Option<u8>,
}

/// A page whose title and snippet match the question well enough to be read.
pub(crate) fn sheet(name: &str, relevance: u8) -> Sheet {
    Sheet {
        url: format!("https://{name}.example.org/page"),
        title: format!("{name}: outdoor music at night in Port Ellery"),
        page_title: None,
        snippet: "How loud may it be? 2026".to_owned(),
        text: format!("The page of {name} says that music must stop at 10 pm."),
        outcome: FetchOutcome::Read,
        lands_at: None,
        origin: Origin::Web,
        relevance: Some(relevance),
    }
}

/// A world of given pages that logs what it is asked for.
#[derive(Default)]
pub(crate) struct Paper {
    pub(crate) first: Vec<Sheet>,
    pub(crate) second: Vec<Sheet>,
    pub(crate) log: Mutex<Vec<String>>,
}

impl Paper {
    pub(crate) fn new(first: Vec<Sheet>, second: Vec<Sheet>) -> Self {
        Self { first, second, log: Mutex::default() }
    }

    pub(crate) fn asked(&self, kind: &str) -> Vec<String> {
        let log = self.log.lock().unwrap();
        let prefix = format!("{kind} ");
        log.iter().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
    }

    fn note(&self, line: String) {
        self.log.lock().unwrap().push(line);
    }

    pub(crate) fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.first.iter().chain(&self.second)
    }
}

impl Gatherer for Paper {
    fn search<'a>(&'a self, query: &'a str, _: usize) -> Gathered<'a, SearchAnswer> {
        self.note(format!("search {query}"));
        let sheets = if query.starts_with("follow-up") { &self.second } else { &self.first };
        let hits = sheets.iter().map(|sheet| FoundHit {
            origin: sheet.origin,
            outlet: None,
            hit: SearchHit {
                url: WebUrl::parse(&sheet.url).unwrap(),
                title: sheet.title.clone(),
                snippet: sheet.snippet.clone(),
                published: None,
                providers: vec!["paper".to_owned()],
            },
        });
        let answer = SearchAnswer { hits: hits.collect(), ..SearchAnswer::default() };
        Box::pin(async { answer })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        self.note(format!("read {}", target.url()));
        let sheet = self.sheets().find(|s| s.url == target.url().as_str()).unwrap().clone();
        let mut page = Page::unasked(target.url().clone(), sheet.outcome, "as the test says");
        page.final_url = WebUrl::parse(sheet.lands_at.as_deref().unwrap_or(&sheet.url)).unwrap();
        let title = sheet.page_title.unwrap_or(sheet.title);
        page.document = Some(Document { text: sheet.text, title, ..Document::default() });
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        self.note(format!("ledger {}", outlets.len()));
        Box::pin(async { Ok(BTreeMap::new()) })
    }
}

/// How the scripted analyst misbehaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Not at all.
    Good,
    /// It fails whenever it is asked.
    Fails,
    /// It never answers.
    Silent,
}

/// An analyst that plans two queries, follows up once, and scores as the sheets say.
pub(crate) struct Scripted {
    relevance: HashMap<String, Option<u8>>,
    pub(crate) manner: Manner,
    pub(crate) delay: Duration,
    pub(crate) log: Arc<Mutex<Vec<String>>>,
    /// Where requests are written so that another process can read them.
    pub(crate) file: Option<std::path::PathBuf>,
}

impl Scripted {
    pub(crate) fn new(gatherer: &Paper) -> Self {
        let relevance =
            gatherer.sheets().map(|sheet| (sheet.url.clone(), sheet.relevance)).collect();
        let log = Arc::default();
        Self { relevance, manner: Manner::Good, delay: Duration::ZERO, log, file: None }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn answer<'a, T: Send + 'a>(&'a self, request: String, answer: Option<T>) -> Judging<'a, T> {
        if let Some(file) = &self.file {
            use std::io::Write as _;
            let mut file =
                std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
            writeln!(file, "{request}").unwrap();
        }
        self.log.lock().unwrap().push(request);
        Box::pin(async move {
            if self.manner == Manner::Silent {
                std::future::pending::<()>().await;
            }
            if !self.delay.is_zero() {
                tokio::time::sleep(self.delay).await;
            }
            let usage = Usage {
                model_calls: 1,
                input_tokens: 10,
                output_tokens: 2,
                cost_usd: 0.001,
                ..Usage::default()
            };
            let result = match answer {
                Some(answer) if self.manner == Manner::Good => Ok(answer),
                _ => Err(AnalystError::Unusable("gibberish".to_owned())),
            };
            AnalystAnswer { result, usage }
        })
    }
}

impl Analyst for Scripted {
    fn author(&self) -> Author {
        Author { name: "scripted".to_owned(), is_model: true }
    }

    fn plan<'a>(&'a self, question: &'a str, _: bool) -> Judging<'a, Planned> {
        let queries = vec!["port ellery music".to_owned(), question.to_uppercase()];
        self.answer("plan".to_owned(), Some(Planned::of(queries)))
    }

    fn summarise<'a>(&'a self, _: &'a str, source: SourceView<'a>) -> Judging<'a, Summary> {
        let summary = Summary::of(format!("Summary of {}", source.url));
        self.answer(format!("summarise {}", source.url), Some(summary))
    }

    fn gaps<'a>(&'a self, _: GapsTask<'a>) -> Judging<'a, Gaps> {
        let queries = vec!["follow-up".to_owned(), "port ellery music".to_owned()];
        self.answer(
            "gaps".to_owned(),
            Some(Gaps { unanswered: vec!["fines".to_owned()], queries, closed: Vec::new() }),
        )
    }

    fn judge<'a>(&'a self, _: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement> {
        let score = self.relevance.get(source.url).copied().flatten();
        let judgement = score.map(|score| Judgement { score, why: format!("Scored {score}.") });
        self.answer(format!("judge {}", source.url), judgement)
    }

    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        let statements = task
            .sources
            .iter()
            .map(|source| Statement::citing(source.text.trim_end_matches('\n'), source.id))
            .collect();
        let theme = Theme { heading: "Hours of music".to_owned(), statements };
        let draft = Draft {
            headline: "Music stops at ten".to_owned(),
            themes: vec![theme],
            ..Draft::default()
        };
        self.answer(format!("synthesise {} {}", task.sources.len(), task.words), Some(draft))
    }

    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        let account = vec![format!("{} sources were read.", task.sources.len())];
        let shortfall = Shortfall {
            headline: "No source answers it".to_owned(),
            account,
            ..Shortfall::default()
        };
        self.answer("explain".to_owned(), Some(shortfall))
    }
}

pub(crate) fn spec(mode: Mode) -> RunSpec {
    let (question, asked_at) = (Question::new(QUESTION).unwrap(), "2026-11-15".parse().unwrap());
    let usual = RunSpec::usual("20261115-tester", question, mode, asked_at);
    RunSpec { analyst: "scripted".to_owned(), ..usual }
}

/// What a run did and what was seen of it.
pub(crate) struct Done {
    pub(crate) finished: Finished,
    pub(crate) events: Vec<Event>,
}

pub(crate) async fn run(spec: &RunSpec, analyst: &dyn Analyst, gatherer: &dyn Gatherer) -> Done {
    let events = Mutex::new(Vec::new());
    let watcher = |event: &Event| events.lock().unwrap().push(event.clone());
    let journal = Journal::recording(&spec.run_id, Vec::new(), Forget, clock()).unwrap();
    let embedded = Embedded::new(TextReader::Embedded);
    let parts = Parts {
        watcher: &watcher,
        ..Parts::unattended(spec, &journal, analyst, &embedded, gatherer)
    };
    let finished = research(parts).await.unwrap();
    probity_testkit::lint::check(&markdown(&finished.report));
    Done { finished, events: events.into_inner().unwrap() }
}

pub(crate) async fn run_with(
    spec: &RunSpec,
    analyst: &dyn Analyst,
    gatherer: &dyn Gatherer,
    entries: Vec<Entry>,
    keep: impl Keep + 'static,
) -> Result<Finished, RunError> {
    let journal = Journal::recording(&spec.run_id, entries, keep, clock())?;
    let (watcher, cancel) = (&Unwatched, Cancel::never());
    let embedded = &Embedded::new(TextReader::Embedded);
    research(Parts {
        watcher,
        cancel,
        ..Parts::unattended(spec, &journal, analyst, embedded, gatherer)
    })
    .await
}

pub(crate) fn clock() -> Clock {
    Clock::Fixed("2026-11-15".parse().unwrap())
}
