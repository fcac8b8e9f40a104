//! A run with a model that stops anywhere pays for no call twice, and ends with the same report.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use probity_core::{Answering, Mode, RunId};
use probity_model::{ModelSet, Request, Speed, Task};
use probity_reader::TextReader;
use probity_report::facts::Usage;
use probity_report::json::ReportJson;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::{Llm, spent_in};
use probity_research::approve::{Approved, Approver, Offer, Ruling};
use probity_research::driver::{Cancel, Parts};
use probity_research::event::Unwatched;
use probity_research::gather::Nowhere;
use probity_research::journal::{Entry, Keep, Keeping};
use probity_research::run::{GateCalls, Gathering};
use probity_research::{Finished, Journal, RunError, RunSpec, research};
use probity_testkit::model::{Act, ScriptedModel, well};
use tokio::sync::watch;

use crate::models::{endless, gatherer};
use crate::scripted::{Paper, clock, spec};

/// Keeps so many entries, then stops the run.
#[derive(Clone)]
struct Stops {
    kept: Arc<Mutex<Vec<Entry>>>,
    left: Arc<AtomicUsize>,
    switch: watch::Sender<bool>,
}

impl Keep for Stops {
    fn append<'a>(&'a self, _: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        Box::pin(async move {
            self.kept.lock().unwrap().push(entry.clone());
            if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.switch.send(true).unwrap();
                std::future::pending::<()>().await;
            }
            Ok(())
        })
    }
}

/// Answers what is asked back, and approves the plan that comes of it.
struct Says;

impl Approver for Says {
    fn approve<'a>(&'a self, offer: &'a Offer) -> Answering<'a, Ruling> {
        let answer = (!offer.clarify.is_empty()).then(|| "Outdoor music.".to_owned());
        Box::pin(std::future::ready(Ruling::Go(Approved { answer, plan: None })))
    }
}

/// A model that asks back where it may, has to be asked twice for every score, and whose sections and drafts are
/// wrong at first.
fn forgetful() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(|request| match (request.task, well(request)) {
        (Task::Plan, Act::Say(said)) if request.system.contains("- clarify: ") => {
            Act::Say(said.replacen('{', "{\"clarify\": \"Which music?\", ", 1))
        }
        (Task::Score, _) if request.turns.len() == 1 => Act::Say("Good, good.".to_owned()),
        (Task::Section | Task::Synthesise, Act::Say(said)) => {
            let again = request.texts().any(|text| text.contains("It was written before"));
            Act::Say(if again { said } else { said.replace("10 pm", "4 am") })
        }
        (_, said) => said,
    }))
}

async fn run(
    spec: &RunSpec,
    model: &Arc<ScriptedModel>,
    gatherer: &Paper,
    kept: Arc<Mutex<Vec<Entry>>>,
    steps: usize,
) -> Result<Finished, RunError> {
    let (switch, cancel) = Cancel::new();
    let entries = kept.lock().unwrap().clone();
    let keep = Stops { kept, left: Arc::new(AtomicUsize::new(steps)), switch };
    let journal = Journal::recording(&spec.run_id, entries, keep, clock())?;
    let model_set = ModelSet::of_one(Arc::clone(model) as Arc<dyn probity_model::Model>);
    let analyst =
        Llm::new(model_set, spec, &journal, &Unwatched, Embedded::new(TextReader::Embedded));
    let (watcher, analyst) = (&Unwatched, &analyst);
    let embedded = &Embedded::new(TextReader::Embedded);
    research(Parts {
        spec,
        journal: &journal,
        analyst,
        embedded,
        gatherer,
        watcher,
        approver: &Says,
        cancel,
    })
    .await
}

fn json(finished: &Finished) -> String {
    serde_json::to_string(&ReportJson::new(&finished.report)).unwrap()
}

/// What was asked, without the nonce that differs each time.
pub(crate) fn question(request: &Request) -> String {
    let text: Vec<&str> = request.texts().collect();
    let text = text.join("\n");
    match text.split("<data ").nth(1).and_then(|rest| rest.split('>').next()) {
        Some(nonce) => text.replace(nonce, "NONCE"),
        None => text,
    }
}

#[tokio::test]
async fn no_call_is_paid_for_twice_wherever_a_run_stops() {
    let ways = [
        (Gathering::Planned, false, false),
        (Gathering::Agentic, false, false),
        (Gathering::Planned, true, false),
        (Gathering::Planned, false, true),
    ];
    for (gathering, in_sections, offered) in ways {
        let mut spec = spec(Mode::Quick);
        spec.limits.parallel_judgements = 1;
        spec.gathering = gathering;
        spec.model.skeptic = true;
        (spec.inquiry.approve, spec.inquiry.clarify) = (offered, offered);
        if offered {
            // Three rounds, and a gate that asks about several sources at once.
            spec.numbers = spec.numbers.with_rounds(3);
            spec.model.gate = GateCalls::Batched;
        }
        if in_sections {
            spec.shape.outline = ["Part 1", "Part 2", "Part 3"].map(str::to_owned).to_vec();
        }
        let whole = Arc::new(Mutex::new(Vec::new()));
        let once = forgetful();
        let finished =
            run(&spec, &once, &gatherer(), Arc::clone(&whole), usize::MAX).await.unwrap();
        let expected = json(&finished);
        let done = |kind: &str| whole.lock().unwrap().iter().any(|entry| entry.kind == kind);
        for kind in ["outline", "section", "lead"] {
            assert!(done(kind) || !in_sections && kind != "section", "nothing was done: {kind}");
        }
        assert_eq!(done("offer"), offered);
        let steps = whole.lock().unwrap().len();
        assert!(steps > 20, "only {steps} steps");
        let counted = spent_in(&whole.lock().unwrap());
        let figures = |u: &Usage| (u.model_calls, u.input_tokens, u.output_tokens);
        assert_eq!(figures(&counted), figures(&finished.facts().usage), "the journal knows");
        assert!((counted.cost_usd - finished.facts().usage.cost_usd).abs() < 1e-9);
        for stop in 1..steps {
            let (kept, model, gatherer) = (Arc::default(), forgetful(), gatherer());
            let stopped = run(&spec, &model, &gatherer, Arc::clone(&kept), stop).await;
            assert!(stopped.is_err(), "the run outlived step {stop}");
            let resumed = run(&spec, &model, &gatherer, kept, usize::MAX).await.unwrap();
            assert_eq!(json(&resumed), expected, "another report after stopping at {stop}");
            let mut asked: Vec<String> = model.asked().iter().map(question).collect();
            let all = asked.len();
            asked.sort();
            asked.dedup();
            assert_eq!(all, asked.len(), "paid twice after stopping at step {stop}");
        }
    }
}

#[tokio::test]
async fn a_form_that_has_an_end_is_paid_for_once_wherever_a_run_stops() {
    let speed = Speed { per_second: Some(50.0), slots: 1 };
    let model = || Arc::new(ScriptedModel::new(endless).at(speed));
    let spec = spec(Mode::Quick);
    let whole = Arc::new(Mutex::new(Vec::new()));
    let first = run(&spec, &model(), &gatherer(), Arc::clone(&whole), usize::MAX).await.unwrap();
    let steps = whole.lock().unwrap().len();
    for stop in 1..steps {
        let (kept, model, gatherer) = (Arc::default(), model(), gatherer());
        assert!(run(&spec, &model, &gatherer, Arc::clone(&kept), stop).await.is_err());
        let resumed = run(&spec, &model, &gatherer, kept, usize::MAX).await.unwrap();
        assert_eq!(json(&resumed), json(&first), "another report after stopping at {stop}");
        let sent = |request: &Request| format!("{} {:?}", question(request), request.schema);
        let mut asked: Vec<String> = model.asked().iter().map(sent).collect();
        let all = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(all, asked.len(), "paid twice after stopping at step {stop}");
    }
}

#[tokio::test]
async fn a_replay_asks_no_model() {
    let spec = spec(Mode::Standard);
    let kept = Arc::new(Mutex::new(Vec::new()));
    let first = run(&spec, &forgetful(), &gatherer(), Arc::clone(&kept), usize::MAX).await.unwrap();
    let journal = Journal::replaying(&spec.run_id, kept.lock().unwrap().clone()).unwrap();
    let mute = Arc::new(ScriptedModel::new(|_| Act::Silence));
    let model_set = ModelSet::of_one(Arc::clone(&mute) as Arc<dyn probity_model::Model>);
    let analyst =
        Llm::new(model_set, &spec, &journal, &Unwatched, Embedded::new(TextReader::Embedded));
    let embedded = Embedded::new(TextReader::Embedded);
    let parts = Parts::unattended(&spec, &journal, &analyst, &embedded, &Nowhere);
    assert_eq!(json(&research(parts).await.unwrap()), json(&first));
    assert!(mute.asked().is_empty());
}

#[tokio::test]
async fn a_resumed_run_keeps_to_the_limit_of_the_whole() {
    let mut spec = spec(Mode::Standard);
    spec.limits.parallel_judgements = 1;
    spec.model.limits.max_calls = Some(9);
    for stop in [4, 8, 12, 16, 20] {
        let (kept, model, gatherer) = (Arc::default(), forgetful(), gatherer());
        let _ = run(&spec, &model, &gatherer, Arc::clone(&kept), stop).await;
        run(&spec, &model, &gatherer, kept, usize::MAX).await.unwrap();
        assert!(model.asked().len() <= 9, "{stop}: {}", model.asked().len());
    }
}
