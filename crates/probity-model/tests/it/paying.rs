//! Spending limits against servers that answer badly: every attempt counts before it is sent.

use std::sync::Arc;
use std::time::Duration;

use probity_model::call::Outcome;
use probity_model::meter::{Limits, Meter, Spent};
use probity_model::{ModelSet, Task};
use probity_testkit::fake_api::{Answer, FakeApi};
use tokio::time::Instant;

use crate::protocols::says;
use crate::reached::{ALL, model, request};

/// Asks again and again, as a run does, until nothing more is sent.
async fn ask_until_refused(model_set: &ModelSet, meter: &Meter) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for _ in 0..12 {
        let deadline = Instant::now() + Duration::from_secs(20);
        let outcome = model_set
            .pay(Task::Synthesise, &request(), meter, deadline, &|_: &str| {})
            .await
            .settled()
            .await;
        let refused = matches!(outcome, Outcome::Refused(_));
        outcomes.push(outcome);
        if refused {
            break;
        }
    }
    outcomes
}

#[tokio::test]
async fn answers_that_are_thrown_away_and_attempts_that_fail_count_like_any_other() {
    for protocol in ALL {
        let broken = says(protocol, "half an answer").to_string();
        let half = broken.get(..broken.len() / 2).unwrap().to_owned();
        let answers: [(&str, Answer); 4] = [
            ("no answer at all", Answer::json("{}")),
            ("half an answer", Answer::json(half)),
            ("busy", Answer::status(503).with_header("retry-after", "0")),
            (
                "busy with status 200",
                Answer::json(r#"{"error":{"message":"x","type":"overloaded"}}"#),
            ),
        ];
        for (name, answer) in answers {
            let api = FakeApi::start(move |_| answer.clone()).await;
            let model_set = ModelSet::of_one(Arc::clone(&model(protocol, &api.url(), "m")));
            let limits = Limits { max_calls: Some(3), ..Limits::default() };
            let meter = Meter::new(limits, Spent::default());
            let outcomes = ask_until_refused(&model_set, &meter).await;
            let sent = api.requests().len() as u64;
            assert_eq!(sent, 3, "{protocol:?}, {name}");
            assert_eq!(meter.spent().calls, sent, "{protocol:?}, {name}");
            let reported: u64 = outcomes.iter().map(|outcome| outcome.spent().calls).sum();
            assert_eq!(
                reported, sent,
                "{protocol:?}, {name}: what is written down is what was sent"
            );
            assert!(matches!(outcomes.last(), Some(Outcome::Refused(_))), "{protocol:?}, {name}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_thrown_away_costs_tokens() {
    let api = FakeApi::start(|_| Answer::json("no json")).await;
    let model_set = ModelSet::of_one(model(ALL[0], &api.url(), "m"));
    let meter = Meter::new(Limits::default(), Spent::default());
    let deadline = Instant::now() + Duration::from_secs(20);
    model_set
        .pay(Task::Synthesise, &request(), &meter, deadline, &|_: &str| {})
        .await
        .settled()
        .await;
    let spent = meter.spent();
    assert_eq!(spent.calls, 1);
    assert!(spent.input > 0 && spent.output > 0, "{spent:?}");
}
