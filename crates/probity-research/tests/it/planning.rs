//! A plan before whoever asked: followed as it is, changed, answered, waited for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use probity_core::{Answering, Mode, ProblemKind};
use probity_model::{ModelSet, Task};
use probity_reader::TextReader;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::Llm;
use probity_research::analyst::{Plan, PlanPart};
use probity_research::approve::{
    ApproveError, Approved, Approver, Elsewhere, Offer, Ruling, Unattended, give, open_offer,
};
use probity_research::driver::Parts;
use probity_research::event::{Event, Unwatched};
use probity_research::journal::{Forget, JournalError, Keep};
use probity_research::run::Inquiry;
use probity_research::work::{WorkSettings, work};
use probity_research::{Finished, Journal, RunError, RunSpec, research};
use probity_store::queue::{Enqueued, JobState, RunJob};
use probity_store::{Location, RunStatus, Store};
use probity_testkit::model::{Act, ScriptedModel, well};
use tokio::sync::watch;

use crate::models::{gatherer, run_model};
use crate::scripted::{QUESTION, clock, spec};
use crate::work::{LIMITS, handlers};

/// Says one thing after another, and notes what was offered.
#[derive(Default)]
struct Says {
    words: Mutex<VecDeque<Ruling>>,
    offers: Mutex<Vec<Offer>>,
}

impl Says {
    fn these(words: impl IntoIterator<Item = Ruling>) -> Self {
        Self { words: Mutex::new(words.into_iter().collect()), offers: Mutex::default() }
    }
}

impl Approver for Says {
    fn approve<'a>(&'a self, offer: &'a Offer) -> Answering<'a, Ruling> {
        self.offers.lock().unwrap().push(offer.clone());
        let word = self.words.lock().unwrap().pop_front().expect("asked more often than expected");
        Box::pin(std::future::ready(word))
    }
}

/// A model that asks back where it may.
fn curious() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(|request| match (request.task, well(request)) {
        (Task::Plan, Act::Say(said)) if request.system.contains("- clarify: ") => {
            Act::Say(said.replacen('{', "{\"clarify\": \"Which town?\", ", 1))
        }
        (_, said) => said,
    }))
}

async fn run(
    spec: &RunSpec,
    model: &Arc<ScriptedModel>,
    approver: &dyn Approver,
    entries: Vec<probity_research::journal::Entry>,
    keep: impl Keep + 'static,
) -> Result<Finished, RunError> {
    let journal = Journal::recording(&spec.run_id, entries, keep, clock())?;
    let model_set = ModelSet::of_one(Arc::clone(model) as Arc<dyn probity_model::Model>);
    let embedded = Embedded::new(TextReader::Embedded);
    let analyst = Llm::new(model_set, spec, &journal, &Unwatched, embedded.clone());
    let gatherer = gatherer();
    let parts =
        Parts { approver, ..Parts::unattended(spec, &journal, &analyst, &embedded, &gatherer) };
    research(parts).await
}

fn offered(approve: bool, clarify: bool) -> RunSpec {
    let mut spec = spec(Mode::Quick);
    spec.inquiry = Inquiry { plan: None, approve, clarify };
    spec
}

fn part(question: &str, query: &str) -> PlanPart {
    PlanPart { question: question.to_owned(), queries: vec![query.to_owned()] }
}

fn sent(finished: &Finished) -> Vec<String> {
    finished.facts().queries.iter().map(|query| query.text.clone()).collect()
}

fn planned(model: &ScriptedModel) -> usize {
    model.asked().iter().filter(|request| request.task == Task::Plan).count()
}

#[tokio::test]
async fn a_plan_has_a_brief_and_sub_questions_that_the_run_is_told_of() {
    let model = Arc::new(ScriptedModel::well_behaved());
    let ran = run_model(&spec(Mode::Deep), &model, &gatherer()).await;
    let plan = ran.finished.facts().plan.clone().unwrap();
    assert!(plan.brief.starts_with("When outdoor music has to stop"));
    assert_eq!(plan.parts.len(), 2);
    let reported = ran.events.iter().any(
        |event| matches!(event, Event::Plan { queries, parts, .. } if queries.len() == 3 && parts.len() == 2),
    );
    assert!(reported, "{:?}", ran.events);
    for task in [Task::Gaps, Task::Outline] {
        let asked = model.asked();
        let request = asked.iter().find(|request| request.task == task).unwrap();
        let knows = request.texts().any(|text| text.contains("How loud may it be there?"));
        assert!(knows, "{task} knows the sub-questions");
    }
    assert!(ran.json().contains("\"plan\":{\"brief\""));
}

#[tokio::test]
async fn an_offered_plan_is_followed_changed_or_left() {
    let go = |plan: Option<Plan>| Ruling::Go(Approved { plan, answer: None });
    let model = Arc::new(ScriptedModel::well_behaved());
    let says = Says::these([go(None)]);
    let finished = run(&offered(true, false), &model, &says, Vec::new(), Forget).await.unwrap();
    assert_eq!(sent(&finished)[1..3], ["port ellery music", "port ellery noise limits"]);
    assert_eq!(says.offers.lock().unwrap()[0].plan.parts.len(), 2);

    let own = Plan { parts: vec![part("Who is fined?", "port ellery fines")], ..Plan::default() };
    let says = Says::these([go(Some(own.clone()))]);
    let finished = run(&offered(true, false), &model, &says, Vec::new(), Forget).await.unwrap();
    assert_eq!(sent(&finished)[..2], [QUESTION, "port ellery fines"]);
    assert_eq!(finished.facts().plan, Some(own));

    let says = Says::these([Ruling::Stop]);
    let stopped = run(&offered(true, false), &model, &says, Vec::new(), Forget).await;
    assert!(matches!(stopped, Err(RunError::Journal(JournalError::Interrupted))));
}

#[tokio::test]
async fn a_given_plan_is_followed_without_asking_model_or_user() {
    let model = Arc::new(ScriptedModel::well_behaved());
    let mut spec = offered(true, true);
    spec.inquiry.plan = Some(Plan { parts: vec![part("Who?", "fines")], ..Plan::default() });
    let nobody = Says::default();
    let finished = run(&spec, &model, &nobody, Vec::new(), Forget).await.unwrap();
    assert_eq!(sent(&finished)[..2], [QUESTION, "fines"]);
    assert_eq!(planned(&model), 0);
}

#[tokio::test]
async fn an_answer_to_a_question_back_is_planned_with_and_known_to_every_judge() {
    let model = curious();
    let answer = Some("The one on the coast.".to_owned());
    let says =
        Says::these([Ruling::Go(Approved { answer, plan: None }), Ruling::Go(Approved::default())]);
    run(&offered(true, true), &model, &says, Vec::new(), Forget).await.unwrap();
    let offers = says.offers.lock().unwrap();
    let asked: Vec<&str> = offers.iter().map(|offer| offer.clarify.as_str()).collect();
    assert_eq!(asked, ["Which town?", ""], "one question back, then the plan alone");
    assert_eq!(planned(&model), 2);
    let knows = |request: &probity_model::Request| {
        request.texts().any(|text| text.contains("(Which town? The one on the coast.)"))
    };
    for request in model.asked().iter().skip(1) {
        assert!(knows(request), "{}", request.task);
    }
}

#[tokio::test]
async fn a_question_back_that_nobody_answers_is_reported() {
    let model = curious();
    let spec = offered(false, true);
    let finished = run(&spec, &model, &Unattended, Vec::new(), Forget).await.unwrap();
    let reported = finished.facts().problems.iter().find(|problem| problem.subject == "question");
    let reported = reported.unwrap();
    assert_eq!(reported.kind, ProblemKind::Analysis);
    assert!(reported.detail.contains("“Which town?”"), "{reported:?}");
    assert_eq!(planned(&model), 1);
    let model = curious();
    let finished = run(&offered(false, false), &model, &Says::default(), Vec::new(), Forget).await;
    assert!(finished.unwrap().facts().problems.is_empty(), "not asked back, nothing to tell");
}

async fn place() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&Location::file(folder.path().join("x.db"))).await.unwrap();
    (folder, store)
}

async fn queued(store: &Store, spec: &RunSpec) {
    let written = serde_json::to_string(spec).unwrap();
    let run = spec.entry(&written);
    let queued = store.enqueue_run(&run, &RunJob::of("ada"), LIMITS).await.unwrap();
    assert_eq!(queued, Enqueued::Added);
}

async fn worked(store: &Store, model: &Arc<ScriptedModel>) {
    let (_keep, stop) = watch::channel(false);
    let settings =
        WorkSettings { retry: Duration::ZERO, until_empty: true, ..WorkSettings::new("w") };
    work(store, &handlers(Arc::clone(model) as Arc<dyn probity_model::Model>), &settings, stop)
        .await;
}

#[tokio::test]
async fn a_queued_run_waits_for_approval_and_goes_on_with_it() {
    let ((_folder, store), model) = (place().await, curious());
    let spec = offered(true, true);
    queued(&store, &spec).await;
    let id = spec.run_id.as_str();
    let now = probity_core::Clock::System.now();
    let early = give(&store, &id.into(), QUESTION, Approved::default(), now).await;
    assert!(matches!(early, Err(ApproveError::NothingWaits(_))), "{early:?}");
    worked(&store, &model).await;
    let waiting = open_offer(QUESTION, &store.journal(&id.into()).await.unwrap()).unwrap();
    assert_eq!(waiting.clarify, "Which town?");
    assert!(waiting.until > now);
    assert_eq!(store.job(id).await.unwrap().unwrap().state, JobState::Queued);
    // Looking at it again and again tells and pays for nothing twice.
    store.hasten(id).await.unwrap();
    worked(&store, &model).await;
    assert_eq!(model.asked().len(), 1);
    let events = store.events_after(&id.into(), 0, 100).await.unwrap();
    assert_eq!(events.iter().filter(|event| event.kind == "offer").count(), 1);
    assert!(events.iter().all(|event| event.kind != "end"));

    let answer = Some("The one on the coast.".to_owned());
    give(&store, &id.into(), QUESTION, Approved { answer, plan: None }, now).await.unwrap();
    worked(&store, &model).await;
    let next = open_offer(QUESTION, &store.journal(&id.into()).await.unwrap()).unwrap();
    assert_eq!((next.number, next.clarify.as_str()), (2, ""));
    let wrong = Approved { plan: Some(Plan::default()), answer: None };
    let wrong = give(&store, &id.into(), QUESTION, wrong, now).await;
    assert!(matches!(wrong, Err(ApproveError::Plan(_))), "{wrong:?}");
    let plan = Plan { parts: vec![part("Who is fined?", "fines")], ..Plan::default() };
    give(&store, &id.into(), QUESTION, Approved { plan: Some(plan), answer: None }, now)
        .await
        .unwrap();
    worked(&store, &model).await;
    let record = store.run(&id.into()).await.unwrap().unwrap();
    assert_eq!(record.summary.status, RunStatus::Finished);
    assert!(record.report.unwrap().contains("Who is fined?"));
    assert_eq!(planned(&model), 2);
    let late = give(&store, &id.into(), QUESTION, Approved::default(), now).await;
    assert!(matches!(late, Err(ApproveError::NothingWaits(_))), "{late:?}");
}

#[tokio::test]
async fn a_plan_that_nobody_approves_in_time_ends_the_run_which_can_still_be_approved() {
    let ((_folder, store), model) = (place().await, curious());
    let mut spec = offered(true, false);
    spec.limits.approval_seconds = 0;
    queued(&store, &spec).await;
    let id = spec.run_id.as_str();
    worked(&store, &model).await;
    let record = store.run(&id.into()).await.unwrap().unwrap();
    assert_eq!(record.summary.status, RunStatus::Failed);
    assert!(record.summary.error.unwrap().contains("the plan was not approved in time"));
    let now = probity_core::Clock::System.now();
    give(&store, &id.into(), QUESTION, Approved::default(), now).await.unwrap();
    store.requeue_run(&id.into(), &RunJob::of("ada"), LIMITS).await.unwrap();
    worked(&store, &model).await;
    assert_eq!(store.run(&id.into()).await.unwrap().unwrap().summary.status, RunStatus::Finished);
    assert_eq!(planned(&model), 1);
}

#[tokio::test]
async fn a_run_that_waits_says_until_when() {
    let model = curious();
    let waits = run(&offered(true, false), &model, &Elsewhere, Vec::new(), Forget).await;
    let Err(RunError::Journal(JournalError::Waiting { until })) = waits else {
        panic!("it did not wait");
    };
    assert_eq!(until.to_string(), "2026-11-16T00:00:00Z");
}
