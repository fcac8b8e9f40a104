//! Lists and histories: filtered, sorted, page by page.

use probity_store::ledger::{EventQuery, OutletOrder, OutletQuery};

use crate::place::{Place, nudge, outlet};

#[tokio::test]
async fn outlets_are_filtered_sorted_and_paged() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        nudge(&store, "wired.com", "high-quality-source", "x").await;
        nudge(&store, "ft.com", "high-quality-source", "x").await;
        nudge(&store, "ft.com", "high-quality-source", "x").await;
        let list = async |query: OutletQuery| {
            let page = store.outlets(&query).await.unwrap();
            let domains: Vec<String> =
                page.items.iter().map(|entry| entry.outlet.to_string()).collect();
            (domains, page.total)
        };
        let all = OutletQuery::default();

        let (domains, total) = list(OutletQuery { limit: Some(3), ..all.clone() }).await;
        assert_eq!(
            (domains.as_slice(), total),
            (&["sec.gov", "apnews.com", "reuters.com"].map(String::from)[..], 18)
        );
        let (domains, _) = list(OutletQuery { limit: Some(1), offset: 1, ..all.clone() }).await;
        assert_eq!(domains, ["apnews.com"]);
        let (domains, _) =
            list(OutletQuery { reversed: true, limit: Some(1), ..all.clone() }).await;
        assert_eq!(domains, ["techcrunch.com"]);

        let text = |text: &str| OutletQuery { text: Some(text.to_owned()), ..all.clone() };
        assert_eq!(list(text("TIMES")).await.0, ["ft.com", "nytimes.com"]);
        assert_eq!(list(text("%")).await.1, 0);
        assert_eq!(list(text("_")).await.1, 0);
        assert_eq!(list(text(r"\")).await.1, 0);

        let between = OutletQuery { at_least: Some(0.85), below: Some(0.90), ..all.clone() };
        assert_eq!(list(between).await.1, 4);
        let changed = OutletQuery { order: OutletOrder::Changed, limit: Some(2), ..all.clone() };
        assert_eq!(list(changed).await.0, ["ft.com", "wired.com"]);
        let busiest = OutletQuery { order: OutletOrder::Events, limit: Some(1), ..all.clone() };
        assert_eq!(list(busiest).await.0, ["ft.com"]);
        let by_name = OutletQuery { order: OutletOrder::Domain, limit: Some(2), ..all };
        assert_eq!(list(by_name).await.0, ["apnews.com", "arstechnica.com"]);
    }
}

#[tokio::test]
async fn a_history_is_read_forwards_and_backwards() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for turn in 0..6 {
            let domain = if turn % 2 == 0 { "ft.com" } else { "bbc.com" };
            nudge(&store, domain, "high-quality-source", "x").await;
        }
        let read = async |query: EventQuery| -> Vec<i64> {
            store.events(&query).await.unwrap().iter().map(|event| event.seq).collect()
        };
        let ft = EventQuery { outlet: Some(outlet("ft.com")), ..EventQuery::default() };
        assert_eq!(read(ft.clone()).await, [1, 3, 5]);
        assert_eq!(read(EventQuery { after: Some(1), limit: Some(1), ..ft.clone() }).await, [3]);
        let newest = EventQuery { newest_first: true, ..ft };
        assert_eq!(read(newest.clone()).await, [5, 3, 1]);
        assert_eq!(read(EventQuery { after: Some(5), limit: Some(1), ..newest }).await, [3]);
        let all = EventQuery { after: Some(4), ..EventQuery::default() };
        assert_eq!(read(all).await, [5, 6]);
        let last = EventQuery { newest_first: true, limit: Some(2), ..EventQuery::default() };
        assert_eq!(read(last).await, [6, 5]);
    }
}
