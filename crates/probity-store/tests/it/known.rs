//! What pages show of their outlets and whom they cite, kept and counted.

use std::collections::BTreeSet;

use probity_core::Outlet;
use probity_credibility::ledger::Opinion;
use probity_credibility::{Known, Policy, Signals};
use probity_store::Store;

use crate::place::{Place, outlet};

async fn cite(store: &Store, by: &str, cited: &[&str]) {
    let cited: BTreeSet<Outlet> = cited.iter().map(|name| outlet(name)).collect();
    store.note_page(&outlet(by), None, &cited).await.unwrap();
}

#[tokio::test]
async fn what_a_page_shows_stands_for_its_outlet_and_the_next_page_changes_nothing_so_soon() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let first = Signals { corrections: true, words: 400, ..Signals::default() };
        let later = Signals { shouts: true, ..Signals::default() };
        let gazette = outlet("gazette.example");
        assert!(store.is_page_due(&gazette).await.unwrap());
        for shown in [None, Some(&first), Some(&later)] {
            store.note_page(&gazette, shown, &BTreeSet::new()).await.unwrap();
        }
        assert!(!store.is_page_due(&gazette).await.unwrap());
        let asked = [outlet("gazette.example"), outlet("reuters.com"), outlet("nobody.example")];
        let known = store.known_of(&asked, &Policy::default()).await.unwrap();
        assert_eq!(known[&asked[0]].signals, Some(first));
        assert_eq!(known[&asked[1]], Opinion::Given(0.92).into());
        assert!(!known.contains_key(&asked[2]));
        let all = store.all_known(&Policy::default()).await.unwrap();
        assert_eq!(all[&asked[0]], known[&asked[0]]);
        assert_eq!(all.len(), 19);
    }
}

#[tokio::test]
async fn only_credible_outlets_count_among_those_that_cite_and_each_once() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let farm: Vec<String> = (0..40).map(|n| format!("new-daily-news-{n}.com")).collect();
        for site in &farm {
            let others: Vec<&str> = farm.iter().map(String::as_str).collect();
            cite(&store, site, &others).await;
        }
        for _ in 0..2 {
            cite(&store, "reuters.com", &["local-gazette.com", "reuters.com"]).await;
        }
        cite(&store, "nature.com", &["local-gazette.com"]).await;
        cite(&store, "rt.com", &["local-gazette.com"]).await;
        let asked = [outlet("local-gazette.com"), outlet(&farm[0]), outlet("reuters.com")];
        let policy = Policy { citations: true, ..Policy::default() };
        let known = store.known_of(&asked, &policy).await.unwrap();
        assert_eq!(known[&asked[0]].cited_by, 2, "two credible outlets, and not state media");
        let cited_by = |known: Option<&Known>| known.map_or(0, |known| known.cited_by);
        assert_eq!(cited_by(known.get(&asked[1])), 0, "a farm of new domains");
        assert_eq!(known[&asked[2]].cited_by, 0, "nobody cites himself");
        let all = store.all_known(&policy).await.unwrap();
        assert_eq!((cited_by(all.get(&asked[0])), cited_by(all.get(&asked[1]))), (2, 0));
        let plain = store.all_known(&Policy::default()).await.unwrap();
        assert_eq!(cited_by(plain.get(&asked[0])), 0, "not asked for");
    }
}

#[tokio::test]
async fn outlets_that_were_met_are_found_by_what_their_names_look_like() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let shown = Signals::default();
        for met in ["reuters.co", "reuters-today.net", "reuter.com", "harbour.example"] {
            store.note_page(&outlet(met), Some(&shown), &BTreeSet::new()).await.unwrap();
        }
        let found = store.look_alikes(&outlet("reuters.com"), 10).await.unwrap();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(met, alike)| (met.as_str(), alike.words())).collect();
        let expected = [
            ("reuters.co", "reads the same"),
            ("reuter.com", "one letter apart"),
            ("reuters-today.net", "one name holds the other"),
        ];
        assert_eq!(found, expected);
        assert_eq!(store.look_alikes(&outlet("reuters.com"), 1).await.unwrap().len(), 1);
        let twin = store.look_alikes(&outlet("reuters.co"), 10).await.unwrap();
        assert!(twin.iter().any(|(met, _)| met.as_str() == "reuters.com"), "also of the ledger");
    }
}
