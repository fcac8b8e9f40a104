//! Briefings as they were saved, on both engines.

use probity_core::Timestamp;
use probity_store::news::{BRIEFINGS_KEPT, NewBriefing};

use crate::place::Place;

#[tokio::test]
async fn briefings_are_kept_latest_first_and_the_oldest_go() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let new = |title: &'static str| NewBriefing {
            since: Timestamp(7),
            category: Some("Sea"),
            title,
            report: "{}",
        };
        let first = store.keep_briefing(&new("First")).await.unwrap();
        let second = NewBriefing { category: None, ..new("Second") };
        let second = store.keep_briefing(&second).await.unwrap();
        let listed = store.briefings(None, 10).await.unwrap();
        let titles: Vec<&str> = listed.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Second", "First"]);
        assert_eq!(store.briefings(Some(second), 10).await.unwrap(), listed[1..]);
        let (one, report) = store.briefing(first).await.unwrap().unwrap();
        assert_eq!((one.category.as_deref(), report.as_str()), (Some("Sea"), "{}"));
        assert_eq!(one.since, Timestamp(7));
        for _ in 1..BRIEFINGS_KEPT {
            store.keep_briefing(&new("More")).await.unwrap();
        }
        assert!(store.briefing(first).await.unwrap().is_none(), "as many as are kept came after");
        assert!(store.briefing(second).await.unwrap().is_some());
    }
}
