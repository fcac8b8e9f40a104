//! The examples of this crate do what they say.

use std::sync::Mutex;

use jiff::civil::Date;
use probity_core::Decision;
use probity_research::event::Event;

#[path = "../../examples/own_analyst.rs"]
#[allow(dead_code, reason = "the example as it stands")]
mod own_analyst;
#[path = "../../examples/own_search.rs"]
#[allow(dead_code, reason = "the example as it stands")]
mod own_search;

#[tokio::test]
async fn a_search_of_ones_own_is_scored_fetched_and_cited() {
    let fetched = Mutex::new(0);
    let follow = |event: &Event| {
        if matches!(event, Event::Fetched { .. }) {
            *fetched.lock().unwrap() += 1;
        }
    };
    let finished = own_search::run(&follow).await.unwrap();
    assert_eq!(*fetched.lock().unwrap(), 2);
    assert_ne!(finished.facts().gate.decision, Decision::InsufficientData);
    assert!(finished.report.title().contains("40 minutes"), "{}", finished.report.title());
}

#[tokio::test]
async fn an_analyst_of_ones_own_decides_what_is_kept() {
    let kept =
        async |year| own_analyst::run(Date::constant(year, 1, 1)).await.unwrap().facts().gate.kept;
    let (all, recent) = (kept(1900).await, kept(2025).await);
    assert!(0 < recent && recent < all, "{recent} of {all}");
    let none = own_analyst::run(Date::constant(2090, 1, 1)).await.unwrap();
    assert_eq!(none.facts().gate.decision, Decision::InsufficientData);
}
