//! How far whoever tells people of news has looked, on both engines.

use crate::place::Place;

#[tokio::test]
async fn a_place_moves_on_and_never_back() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        assert_eq!(store.alert_place("ledger").await.unwrap(), None);
        for (to, expected) in [(0, 0), (7, 7), (3, 7), (8, 8)] {
            store.move_alert_place("ledger", to).await.unwrap();
            assert_eq!(store.alert_place("ledger").await.unwrap(), Some(expected));
        }
        assert_eq!(store.alert_place("topics").await.unwrap(), None);
    }
}
