//! Whole runs with a scripted language model: well behaved, and bad in every way at every stage.

use std::sync::{Arc, Mutex};

use probity_core::{Decision, Mode, ProblemKind, Verdict};
use probity_model::{ModelSet, Request, Speed, Task};
use probity_reader::TextReader;
use probity_report::json::ReportJson;
use probity_report::markdown::markdown;
use probity_report::parse::parse;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::llm::Llm;
use probity_research::driver::{Finished, Parts};
use probity_research::gather::Gatherer;
use probity_research::journal::{Entry, Forget, Keep};
use probity_research::run::Gathering;
use probity_research::{Event, Journal, RunSpec, research};
use probity_testkit::model::{Act, INVENTED, Manner, ScriptedModel, well};
use serde_json::json;

use crate::scripted::{Paper, Sheet, clock, sheet, spec};

/// What a run with a model came to.
pub(crate) struct Ran {
    pub(crate) finished: Finished,
    pub(crate) events: Vec<Event>,
}

impl Ran {
    pub(crate) fn markdown(&self) -> String {
        markdown(&self.finished.report)
    }

    pub(crate) fn json(&self) -> String {
        serde_json::to_string(&ReportJson::new(&self.finished.report)).unwrap()
    }
}

pub(crate) async fn run_model(
    spec: &RunSpec,
    model: &Arc<ScriptedModel>,
    gatherer: &dyn Gatherer,
) -> Ran {
    run_kept(spec, model, gatherer, Vec::new(), Forget).await
}

pub(crate) async fn run_kept(
    spec: &RunSpec,
    model: &Arc<ScriptedModel>,
    gatherer: &dyn Gatherer,
    entries: Vec<Entry>,
    keep: impl Keep + 'static,
) -> Ran {
    let events = Mutex::new(Vec::new());
    let watcher = |event: &Event| events.lock().unwrap().push(event.clone());
    let journal = Journal::recording(&spec.run_id, entries, keep, clock()).unwrap();
    let model_set = ModelSet::of_one(Arc::clone(model) as Arc<dyn probity_model::Model>);
    let analyst =
        Llm::new(model_set, spec, &journal, &watcher, Embedded::new(TextReader::Embedded));
    let embedded = Embedded::new(TextReader::Embedded);
    let parts = Parts {
        watcher: &watcher,
        ..Parts::unattended(spec, &journal, &analyst, &embedded, gatherer)
    };
    let finished = research(parts).await.unwrap();
    Ran { finished, events: events.into_inner().unwrap() }
}

pub(crate) fn gatherer() -> Paper {
    let page = |name: &str| Sheet {
        text: format!(
            "The page of {name} is about the town.\nOutdoor music in Port Ellery must stop at 10 pm at night.\nThe harbour is old."
        ),
        ..sheet(name, 4)
    };
    Paper::new(["a", "b", "c", "d", "e"].map(page).to_vec(), ["f", "g", "h"].map(page).to_vec())
}

#[tokio::test]
async fn a_model_that_behaves_writes_a_checked_report() {
    let slow = Speed { per_second: Some(10.0), slots: 1 };
    let well_behaved = ScriptedModel::well_behaved;
    for (model, is_own) in [(well_behaved(), false), (well_behaved().at(slow), true)] {
        let (model, gatherer) = (Arc::new(model), gatherer());
        let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
        let facts = ran.finished.facts();
        assert_eq!(facts.gate.decision, Decision::FullReport);
        assert_eq!(facts.author.name, "compatible:scripted");
        assert!(facts.problems.is_empty(), "{:?}", facts.problems);
        let text = ran.markdown();
        assert!(text.contains("21 of 21 cited statements"), "{text}");
        // The drafted headline follows from none of them, so the first of them stands in its place.
        assert!(!text.contains("Music must stop at ten"), "{text}");
        assert!(!text.contains("No language model"));
        // plan, 7 summaries, gaps, 7 scores, synthesis.
        assert_eq!(model.asked().len(), 17);
        assert_eq!(facts.usage.model_calls, 17);
        assert_eq!(facts.usage.by_task["summarise"].model_calls, 7);
        let pace = ran.events.iter().find_map(|event| match event {
            Event::Pace { seconds, .. } => Some(*seconds),
            _ => None,
        });
        assert_eq!(pace.is_some(), is_own, "how long it takes is told of a server of one's own");
        assert!(pace.is_none_or(|seconds| (600..1_500).contains(&seconds)), "{pace:?}");
        let words = ran.events.iter().any(|e| matches!(e, Event::Writing { words } if *words > 5));
        assert!(words, "words of the report are heard as they come");
        let total = ran.events.iter().rev().find_map(|event| match event {
            Event::Spend { total, .. } => Some(total.clone()),
            _ => None,
        });
        let total = total.unwrap();
        assert_eq!((total.model_calls, total.input_tokens), (17, facts.usage.input_tokens));
        assert!((total.cost_usd - facts.usage.cost_usd).abs() < 1e-9 && total.cost_usd > 0.0);
    }
}

#[tokio::test(start_paused = true)]
async fn every_way_of_misbehaving_at_every_stage_ends_in_time_with_an_honest_result() {
    for task in Task::ALL.into_iter().filter(|task| *task != Task::Gather) {
        for manner in Manner::ALL {
            misbehave(Gathering::Planned, task, manner).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_way_of_misbehaving_with_tools_ends_in_time_with_an_honest_result() {
    for task in [Task::Gather, Task::Summarise, Task::Gaps] {
        for manner in Manner::ALL {
            misbehave(Gathering::Agentic, task, manner).await;
        }
    }
}

async fn misbehave(gathering: Gathering, task: Task, manner: Manner) {
    let model = ScriptedModel::well_behaved().misbehaving(task, manner);
    let (model, gatherer) = (Arc::new(model), gatherer());
    // Few sources: what is tested is every stage, not every page.
    let mut spec = spec(Mode::Quick);
    spec.gathering = gathering;
    if matches!(task, Task::Outline | Task::Section | Task::Lead) {
        spec.shape.outline = ["Part 1", "Part 2", "Part 3"].map(str::to_owned).to_vec();
    }
    spec.model.skeptic = true;
    spec.model.check = true;
    let began = tokio::time::Instant::now();
    let ran = run_model(&spec, &model, &gatherer).await;
    let name = format!("{gathering:?} {task} {manner:?}");
    // Ten turns in each round may each be waited for; everything else once.
    assert!(began.elapsed().as_secs() < 900, "{name}: {:?}", began.elapsed());
    assert!(model.asked().len() <= 120, "{name}: {} calls", model.asked().len());
    let text = ran.markdown();
    let parsed = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    let read: Vec<String> = gatherer.asked("read");
    for (_, _, url) in &parsed.sources {
        assert!(read.contains(url), "{name}: {url} was never read");
    }
    for forged in ["[99]", "[42]", "S99", "squawk", INVENTED, "invented.example"] {
        assert!(!text.contains(forged), "{name}: {forged} in\n{text}");
    }
    let rest: Vec<&String> = read.iter().filter(|url| !url.contains(".example.org/")).collect();
    assert!(rest.is_empty(), "{name}: {rest:?}");
    if manner == Manner::Sloppy && task != Task::Gather {
        assert!(ran.finished.facts().problems.is_empty(), "{name}: what can be read is read");
    }
    let broken =
        matches!(manner, Manner::Empty | Manner::Silent | Manner::Unreachable | Manner::Garbage);
    if broken
        && matches!(task, Task::Plan | Task::Synthesise | Task::Summarise | Task::Score)
        && gathering == Gathering::Planned
    {
        let said = text.contains("Fallbacks taken") || text.contains("no score could be read");
        assert!(said, "{name}: the report does not say what stood in\n{text}");
    }
    if broken && task == Task::Synthesise {
        assert!(text.contains("No language model wrote this report"), "{name}");
    }
}

#[tokio::test]
async fn an_unusable_answer_is_mended_once_and_never_twice() {
    let model = ScriptedModel::new(|request| {
        let again = request.turns.len() > 1;
        match (request.task, again) {
            (Task::Plan, false) => Act::Say("I would search for music.".to_owned()),
            (Task::Score, _) => Act::Say("It is great!".to_owned()),
            _ => well(request),
        }
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let ran = run_model(&spec(Mode::Quick), &model, &gatherer).await;
    assert_eq!(model.count(Task::Plan), 2);
    let problems = &ran.finished.facts().problems;
    assert!(problems.iter().all(|p| p.subject == "relevance gate"), "the second plan was used");
    // Three sources, asked at once: each twice at most, and no more once nothing helps.
    assert!((4..=6).contains(&model.count(Task::Score)), "{}", model.count(Task::Score));
    let repair = model.asked().into_iter().find(|r| r.turns.len() > 1).unwrap();
    let said: Vec<&str> = repair.texts().collect();
    assert!(said.last().unwrap().contains("the reply holds no JSON"), "{said:?}");
}

#[tokio::test]
async fn spending_limits_end_gathering_and_the_report_says_so() {
    let everything = {
        let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), gatherer());
        run_model(&spec(Mode::Standard), &model, &gatherer).await.finished.facts().usage.clone()
    };
    let tokens = everything.input_tokens + everything.output_tokens;
    for limit in 0..=everything.model_calls {
        let mut limited = spec(Mode::Standard);
        limited.model.limits.max_calls = Some(limit);
        let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), gatherer());
        let ran = run_model(&limited, &model, &gatherer).await;
        assert!(model.asked().len() as u64 <= limit, "{limit}: {}", model.asked().len());
        limits_told(&ran, (model.asked().len() as u64) < everything.model_calls);
    }
    for share in [0.0, 0.2, 0.5, 0.9] {
        for by_cost in [true, false] {
            let mut limited = spec(Mode::Standard);
            match by_cost {
                true => limited.model.limits.max_cost = Some(everything.cost_usd * share),
                false => limited.model.limits.max_tokens = Some((tokens as f64 * share) as u64),
            }
            let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), gatherer());
            let ran = run_model(&limited, &model, &gatherer).await;
            let usage = &ran.finished.facts().usage;
            assert!(usage.cost_usd <= everything.cost_usd * share + 1e-9 || !by_cost);
            let spent = (usage.input_tokens + usage.output_tokens) as f64;
            assert!(spent <= tokens as f64 * share || by_cost);
            limits_told(&ran, true);
        }
    }
}

fn limits_told(ran: &Ran, reached: bool) {
    let facts = ran.finished.facts();
    parse(&ran.markdown()).unwrap();
    let reported = facts.problems.iter().filter(|p| p.kind == ProblemKind::Budget).count();
    assert_eq!(reported, usize::from(reached), "{:?}", facts.problems);
    assert!(facts.read() > 0, "something was read");
    assert_eq!(ran.markdown().contains("A spending limit was reached"), reached);
}

#[tokio::test]
async fn an_agent_gathers_within_the_runs_own_rules() {
    let mut weak = sheet("weak", 4);
    weak.url = "https://weak.example.com/post".to_owned();
    weak.title = "weak".to_owned();
    weak.snippet = String::new();
    let mut first: Vec<Sheet> = gatherer().first;
    first.insert(0, weak);
    let gatherer = Paper::new(first, gatherer().second);
    let mut agentic = spec(Mode::Standard);
    agentic.gathering = Gathering::Agentic;
    let model = Arc::new(ScriptedModel::new(|request| match request.task {
        Task::Gather if request.turns.len() <= 2 => Act::Call(vec![
            ("fetch_page".to_owned(), json!({"url": "https://weak.example.com/post"})),
            ("search_web".to_owned(), json!({"query": "follow-up on fines"})),
        ]),
        _ => well(request),
    }));
    let ran = run_model(&agentic, &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert_eq!(facts.gate.decision, Decision::FullReport);
    assert_eq!(model.count(Task::Plan), 0, "the model gathers, so nobody plans");
    assert!(!gatherer.asked("read").iter().any(|url| url.contains("weak")));
    assert!(facts.read() <= 7);
    let reported: String = model
        .asked()
        .iter()
        .flat_map(|r| r.texts().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let blocked = format!(
        "credibility of this page is {:.2}, at or below the threshold of 0.5",
        facts.candidates[0].credibility.total
    );
    assert!(reported.contains(&blocked), "the error names score and threshold");
    let blocks = ran.events.iter().filter(|e| matches!(e, Event::Block { .. })).count();
    let found = facts.count(Verdict::Blocked);
    // Once when found, and once each time it is asked for; what the last calls of a round came to is told to
    // no one any more, so refusals that the model heard of are the fewest there can be.
    let fewest = found + refused(&model);
    assert!((fewest..=found + model.count(Task::Gather)).contains(&blocks), "{blocks} {fewest}");
    let queries = gatherer.asked("search");
    let mut distinct = queries.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), queries.len(), "no query is sent twice: {queries:?}");
}

/// How often a model that gathers was refused a page for its score.
fn refused(model: &ScriptedModel) -> usize {
    let asked = model.asked();
    let gathered: Vec<_> = asked.iter().filter(|request| request.task == Task::Gather).collect();
    // What was said in a round is said again in every request of it; the last has all of it.
    let lasts = gathered.iter().enumerate().filter(|(i, request)| {
        gathered.get(i + 1).is_none_or(|next| next.turns.len() < request.turns.len())
    });
    let texts = lasts.flat_map(|(_, request)| request.texts());
    texts.map(|text| text.matches("Blocked: the credibility of this page").count()).sum()
}

#[tokio::test]
async fn an_agent_that_never_stops_is_stopped() {
    let model = ScriptedModel::new(|request| match request.task {
        Task::Gather => Act::Call(vec![
            ("search_web".to_owned(), json!({"query": format!("more {}", request.turns.len())})),
            ("launch".to_owned(), json!({})),
            ("fetch_page".to_owned(), json!({"url": "https://nowhere.example.org/"})),
        ]),
        _ => well(request),
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let mut agentic = spec(Mode::Standard);
    agentic.gathering = Gathering::Agentic;
    let ran = run_model(&agentic, &model, &gatherer).await;
    assert_eq!(model.count(Task::Gather), 20, "ten turns a round");
    assert_eq!(ran.finished.facts().read(), 7, "the engine read what the model did not");
    assert!(!gatherer.asked("read").iter().any(|url| url.contains("nowhere")));
}

#[tokio::test]
async fn a_critical_finding_changes_the_draft_and_is_kept_with_the_run() {
    let model = ScriptedModel::new(|request| match (request.task, well(request)) {
        (Task::Section, Act::Say(text)) => {
            let mut section: serde_json::Value = serde_json::from_str(&text).unwrap();
            let wrong = "Outdoor music in Port Ellery must stop at 3 am at night.";
            let statements = section["statements"].as_array_mut().unwrap();
            let facts = statements[0]["facts"].clone();
            let said = json!({"form": "sentence", "text": wrong, "facts": facts, "detail": ""});
            statements.push(said);
            Act::Say(section.to_string())
        }
        (Task::Criticise, _) => {
            let texts: String = request.texts().collect();
            let labels = texts.lines().filter_map(|line| line.split_once(". "));
            let labels: Vec<&str> = labels.map(|l| l.0).filter(|l| l.starts_with('C')).collect();
            assert_eq!(labels.len(), 3, "only what is in doubt is shown: {labels:?}");
            let finding = |label: &str, action: &str, rewrite: &str| {
                json!({
                    "sentence": label, "side": "timing", "problem": "It is not so.",
                    "action": action, "rewrite": rewrite, "sources": [],
                })
            };
            let weaker = "Outdoor music in Port Ellery must stop at night.";
            let findings = json!([
                finding(labels[0], "remove", ""),
                finding(labels[1], "weaken", weaker),
                finding(labels[2], "keep", ""),
                finding("C1", "remove", ""),
                finding("C99", "remove", ""),
            ]);
            Act::Say(json!({"findings": findings}).to_string())
        }
        (_, said) => said,
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let mut deep = spec(Mode::Deep);
    deep.model.skeptic = true;
    let ran = run_model(&deep, &model, &gatherer).await;
    assert_eq!(model.count(Task::Criticise), 1, "once, about all of them");
    let facts = ran.finished.facts();
    let actions: Vec<&str> = facts.revisions.iter().map(|r| r.action.as_str()).collect();
    assert_eq!(actions, ["removed", "weakened"], "what is not in doubt is not open to it");
    assert!(ran.markdown().contains("must stop at night"));
    assert!(ran.json().contains("\"revisions\":[{\"side\":\"timing\""));
    assert_eq!(ran.markdown().matches("3 am").count(), 1, "{}", ran.markdown());
    assert!(ran.markdown().contains("[unverified]"));
}

#[tokio::test]
async fn where_everything_is_supported_nobody_criticises() {
    let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), gatherer());
    let mut deep = spec(Mode::Deep);
    deep.model.skeptic = true;
    run_model(&deep, &model, &gatherer).await;
    assert_eq!(model.count(Task::Criticise), 0);
}

/// The level of a run whose model adds this to its draft.
async fn confidence_with(more: serde_json::Value) -> (String, String) {
    let model = ScriptedModel::new(move |request| {
        let said = well(request);
        match (request.task, said) {
            (Task::Synthesise, Act::Say(text)) => {
                let mut draft: serde_json::Value = serde_json::from_str(&text).unwrap();
                for (key, value) in more.as_object().unwrap() {
                    draft[key] = value.clone();
                }
                Act::Say(draft.to_string())
            }
            (_, said) => said,
        }
    });
    let (model, mut gatherer) = (Arc::new(model), gatherer());
    // Each page of an outlet of its own, so that nothing but the draft decides.
    for sheet in gatherer.first.iter_mut().chain(&mut gatherer.second) {
        sheet.url = sheet.url.replace(".example.org", ".example");
    }
    let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
    let confidence = ran.finished.report.confidence().unwrap().clone();
    (confidence.level.as_str().to_owned(), confidence.rationale)
}

#[tokio::test]
async fn a_model_proposes_confidence_and_the_figures_are_the_ceiling() {
    let (level, rationale) = confidence_with(json!({})).await;
    assert!(!rationale.contains("proposed"), "{level}: {rationale}");
    let doubting = json!({"confidence": "low", "confidence_reason": "Nobody measured it."});
    let (level, rationale) = confidence_with(doubting).await;
    assert_eq!(level, "Low");
    assert!(rationale.contains("proposed Low (“Nobody measured it”)"), "{rationale}");
    let (level, _) = confidence_with(json!({"confidence": "quite sure"})).await;
    assert_eq!(level, "High", "what is no level proposes nothing");
}

#[tokio::test]
async fn a_conflict_that_a_model_tells_of_keeps_confidence_at_medium_unless_it_is_beside_the_answer()
 {
    let sides = json!([
        {"text": "Outdoor music in Port Ellery must stop at 10 pm at night.", "sources": ["S1"]},
        {"text": "Outdoor music in Port Ellery must stop at 10 pm at night.", "sources": ["S2"]},
    ]);
    for (on_answer, expected) in
        [(json!("yes"), "Medium"), (json!(null), "Medium"), (json!("no"), "High")]
    {
        let conflict = json!({"conflicts": [{"statements": sides, "on_answer": on_answer}]});
        let (level, rationale) = confidence_with(conflict).await;
        assert_eq!(level, expected, "{on_answer}: {rationale}");
    }
}

#[tokio::test]
async fn a_model_that_answers_in_prose_is_asked_for_lines_and_not_everything_twice() {
    let (model, gatherer) = (Arc::new(ScriptedModel::in_prose()), gatherer());
    let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    assert!(facts.author.is_model && ran.markdown().contains("21 of 21 cited statements"));
    // The plan is asked for in JSON, once more, and in lines; everything else once, in lines.
    assert_eq!(model.asked().len(), 17 + 2);
    let in_json = model.asked().iter().filter(|request| request.schema.is_some()).count();
    assert_eq!(in_json, 2);
}

/// Does as it should where its form has an end, and else goes on until it is cut off.
pub(crate) fn endless(request: &Request) -> Act {
    let form = request.schema.as_ref().map(|form| form.schema.to_string());
    match form.is_none_or(|form| form.contains("maxLength")) {
        true => well(request),
        false => Act::CutOff("{\"brief\": \"about the music about the music".to_owned()),
    }
}

#[tokio::test]
async fn a_model_of_ones_own_that_finds_no_end_is_asked_in_a_form_that_has_one() {
    let speed = Speed { per_second: Some(50.0), slots: 1 };
    let (model, gatherer) = (Arc::new(ScriptedModel::new(endless).at(speed)), gatherer());
    let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    assert!(facts.author.is_model);
    // The plan is asked for twice; after that it is known, and nothing that it said is shown to it again.
    assert_eq!(model.asked().len(), 17 + 1);
    assert!(model.asked().iter().all(|request| request.turns.len() == 1));
}

#[tokio::test]
async fn a_provider_of_the_web_is_never_sent_limits_that_it_may_refuse() {
    let (model, gatherer) = (Arc::new(ScriptedModel::new(endless)), gatherer());
    run_model(&spec(Mode::Quick), &model, &gatherer).await;
    let sent = |request: &Request| request.schema.as_ref().map(|form| form.schema.to_string());
    let sent: Vec<String> = model.asked().iter().filter_map(sent).collect();
    assert!(!sent.is_empty() && sent.iter().all(|form| !form.contains("maxLength")));
    assert!(model.asked().iter().any(|request| request.turns.len() > 1), "nothing was mended");
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_of_ones_own_is_asked_one_thing_at_a_time_and_waited_for() {
    // Every answer takes longer than scoring may take elsewhere.
    let delay = std::time::Duration::from_secs(40);
    let slow = Speed { per_second: Some(5.0), slots: 1 };
    let (model, gatherer) =
        (Arc::new(ScriptedModel::well_behaved().after(delay).at(slow)), gatherer());
    let began = tokio::time::Instant::now();
    let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    let calls = u32::try_from(model.asked().len()).unwrap();
    assert!(began.elapsed() >= delay * calls, "no two of them at the same time");
}
