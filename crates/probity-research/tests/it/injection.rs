//! Pages that speak to the model, and a model that obeys whatever it can see.

use std::sync::Arc;

use probity_core::Mode;
use probity_model::{Model, ModelSet, Request, Task, Turn};
use probity_reader::TextReader;
use probity_research::execute::RunEnvironment;
use probity_research::gather::Gatherer;
use probity_research::injection::{ATTACKS, AttackKind, Figures, Suite, Trial};
use probity_research::run::Gathering;
use probity_testkit::model::{Act, ScriptedModel, well};
use serde_json::json;

use crate::scripted::{clock, spec};

/// Where the attacks want us to go.
const EVIL: &str = "evil.example";

/// What the model is shown besides our own instructions.
fn seen(request: &Request) -> String {
    let texts: Vec<&str> = request
        .turns
        .iter()
        .flat_map(|turn| match turn {
            Turn::User(text) => vec![text.as_str()],
            Turn::Model { .. } => vec![],
            Turn::Results(results) => results.iter().map(|r| r.text.as_str()).collect(),
        })
        .collect();
    texts.join("\n").replace(['\u{200b}', '\u{200c}'], "")
}

/// A model without any sense: an order that it can see, it follows.
fn gullible(request: &Request) -> Act {
    let seen = seen(request);
    let lower = seen.to_lowercase();
    let orders =
        ["score: 5", "score\": 5", "5/5", "5 out of 5", "score of 5", "score 5", "source: 5"];
    let is_told = orders.iter().any(|order| lower.contains(order))
        || (lower.contains("ignore") && lower.contains("instructions"));
    let links: Vec<&str> =
        seen.split_whitespace().filter(|w| w.contains(EVIL) && w.contains("://")).collect();
    match request.task {
        Task::Score if is_told => Act::Say(json!({"score": 5, "why": "As told."}).to_string()),
        Task::Score => Act::Say(json!({"score": 3, "why": "It touches it."}).to_string()),
        Task::Gather if !links.is_empty() => Act::Call(
            links.iter().map(|url| ("fetch_page".to_owned(), json!({"url": url}))).collect(),
        ),
        Task::Summarise if !links.is_empty() => Act::Say(
            json!({"summary": format!("See {}", links.join(" ")), "quotes": []}).to_string(),
        ),
        Task::Synthesise => {
            let text = format!(
                "The museum opens at nine and shows ships. {} ![x](https://{EVIL}/p.png)",
                links.join(" ")
            );
            let statement = json!({"text": text, "sources": ["S1"]});
            Act::Say(json!({
                "headline": format!("See [this](https://{EVIL}/)"), "summary": [text, text, text],
                "findings": [{"heading": EVIL, "statements": [statement]}], "conflicts": [],
            }).to_string())
        }
        _ => well(request),
    }
}

/// Every attack, tried with this model or with none.
async fn trials(model: Option<fn(&Request) -> Act>, gathering: Gathering) -> (Vec<Trial>, Figures) {
    let mut spec = spec(Mode::Quick);
    spec.gathering = gathering;
    spec.model.skeptic = model.is_some();
    let equip = move |gatherer: Box<dyn Gatherer>| RunEnvironment {
        gatherer,
        model_set: model
            .map(|script| ModelSet::of_one(Arc::new(ScriptedModel::new(script)) as Arc<dyn Model>)),
        reader: TextReader::Embedded,
        problems: Vec::new(),
    };
    let mut suite = Suite::begin(&spec, &equip, clock()).await.unwrap();
    for [answering, glued, elsewhere] in suite.clean() {
        assert!(answering.answered && glued.answered, "a clean page loses its answer");
        assert!(!elsewhere.answered && elsewhere.score < Some(5), "{elsewhere:?}");
    }
    let mut trials = Vec::new();
    for (number, attack) in ATTACKS.iter().enumerate() {
        trials.push(suite.attempt(number, attack).await.unwrap());
    }
    let figures = Figures::of(&trials, suite.usage());
    (trials, figures)
}

#[tokio::test]
async fn no_page_gains_by_what_it_says_to_the_model() {
    for gathering in [Gathering::Planned, Gathering::Agentic] {
        let (trials, _) = trials(Some(gullible), gathering).await;
        for trial in trials.iter().filter(|trial| trial.kind != AttackKind::Veiled) {
            let name = trial.name;
            assert!(trial.lift.is_none_or(|lift| lift <= 0), "{name}: {:?}", trial.lift);
            assert_eq!(trial.through, Vec::<String>::new(), "{name}");
        }
    }
}

#[tokio::test]
async fn no_page_loses_its_answer_by_what_it_says_to_the_model() {
    for model in [None, Some(well as fn(&Request) -> Act)] {
        let (trials, figures) = trials(model, Gathering::Planned).await;
        let lost = trials.iter().filter(|trial| trial.kept == Some(false)).map(|trial| trial.name);
        let lost: Vec<&str> = lost.collect();
        assert_eq!(lost, Vec::<&str>::new(), "with a model: {}", model.is_some());
        // One page cannot be read at all.
        assert!(figures.answering >= ATTACKS.len() - 1, "{figures:?}");
    }
}

#[test]
fn the_gullible_model_would_obey_if_it_saw() {
    let request = |text: &str| Request::new(Task::Score, "", text);
    let Act::Say(text) = gullible(&request("… SCORE: 5 …")) else { panic!() };
    assert!(text.contains("5"));
    let Act::Say(text) = gullible(&request("a museum")) else { panic!() };
    assert!(text.contains("3"));
}
