//! Pace and purse on both engines: however many ask, every slot and every dollar is given once.

use std::sync::Arc;
use std::time::Duration;

use probity_core::shared::{Reserved, Shared};
use probity_store::SharedStore;

use crate::place::Place;

const HOUR: Duration = Duration::from_secs(3_600);
const LONG: Duration = Duration::from_secs(1_000 * 3_600);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slots_are_spaced_over_all_processes() {
    for place in Place::on_each_engine().await {
        let stores = [place.open().await, place.open().await];
        let asking: Vec<_> = (0..12)
            .map(|n| {
                let store = stores[n % 2].clone();
                tokio::spawn(async move { store.reserve("host a.example", HOUR, LONG).await })
            })
            .collect();
        let mut hours = Vec::new();
        for asked in asking {
            let Reserved::After(wait) = asked.await.unwrap().unwrap() else { panic!("no slot") };
            // Rounded, because the tasks ask a moment one after the other.
            hours.push((wait.as_secs() + 1_800) / 3_600);
        }
        hours.sort_unstable();
        assert_eq!(hours, (0..12).collect::<Vec<_>>());

        let other = stores[0].reserve("host b.example", HOUR, Duration::ZERO).await.unwrap();
        assert_eq!(other, Reserved::After(Duration::ZERO), "others do not wait");
        let late = stores[1].reserve("host b.example", HOUR, Duration::from_secs(60)).await;
        assert!(matches!(late.unwrap(), Reserved::Full(wait) if wait > Duration::from_secs(60)));
        // What was refused took no slot.
        let next = stores[0].reserve("host b.example", HOUR, LONG).await.unwrap();
        assert!(matches!(next, Reserved::After(wait) if wait <= HOUR));
    }
}

#[tokio::test]
async fn what_asks_for_rest_or_fails_again_and_again_is_left_alone_by_all() {
    for place in Place::on_each_engine().await {
        let (here, there) = (place.open().await, place.open().await);
        let ask = async |name| there.reserve(name, Duration::ZERO, Duration::from_secs(1)).await;
        here.close_pace("search brave", HOUR).await.unwrap();
        assert!(
            matches!(ask("search brave").await.unwrap(), Reserved::Closed(wait) if wait <= HOUR)
        );
        // A shorter wish does not undo a longer one.
        here.close_pace("search brave", Duration::ZERO).await.unwrap();
        assert!(matches!(ask("search brave").await.unwrap(), Reserved::Closed(_)));

        let open = Reserved::After(Duration::ZERO);
        assert_eq!(ask("model x").await.unwrap(), open);
        for _ in 0..4 {
            here.note_pace("model x", true).await.unwrap();
        }
        assert_eq!(ask("model x").await.unwrap(), open);
        here.note_pace("model x", false).await.unwrap();
        for _ in 0..4 {
            here.note_pace("model x", true).await.unwrap();
        }
        assert_eq!(ask("model x").await.unwrap(), open, "a success begins the count anew");
        there.note_pace("model x", true).await.unwrap();
        assert!(matches!(ask("model x").await.unwrap(), Reserved::Closed(_)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_is_spent_in_a_day_than_may_be() {
    for place in Place::on_each_engine().await {
        let purses: Vec<Arc<dyn Shared>> = vec![
            Arc::new(SharedStore::new(&place.open().await, Some(1.0))),
            Arc::new(SharedStore::new(&place.open().await, Some(1.0))),
        ];
        let holding: Vec<_> = (0..10)
            .map(|n| {
                let purse = Arc::clone(&purses[n % 2]);
                tokio::spawn(async move { purse.hold(0.3).await })
            })
            .collect();
        let mut held = 0;
        for hold in holding {
            match hold.await.unwrap() {
                Ok(()) => held += 1,
                Err(limit) => assert_eq!(limit, "the day's limit of $1.00"),
            }
        }
        assert_eq!(held, 3);
        // Calls that cost less than they could have leave room for others.
        for _ in 0..3 {
            purses[0].settle(0.3, 0.1).await;
        }
        assert_eq!(place.open().await.spent_today().await.unwrap(), 300_000);
        assert!(purses[1].hold(0.7).await.is_ok());
        assert!(purses[0].hold(0.000_001).await.is_err());
        let unlimited = SharedStore::new(&place.open().await, None);
        assert!(unlimited.hold(1e9).await.is_ok());
    }
}
