//! Codings, scores set by hand, reverts and imports, as an editor makes them.

use probity_core::{Clock, Timestamp, WebUrl};
use probity_credibility::ledger::{
    Alpha, EventKind, ImportRow, Name, Opinion, Provenance, Signature, Subject, seeds,
};
use probity_store::ledger::{Intent, LedgerError, Newcomer, OutletQuery};

use crate::place::{Place, ada, all_events, coding, nudge, outlet, score, sound};

#[tokio::test]
async fn every_ledger_begins_with_the_seeded_outlets() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let scores = store.scores().await.unwrap();
        assert_eq!(scores.len(), 18);
        for seed in seeds() {
            let stored = scores.get(seed.domain).copied().unwrap();
            assert_eq!(stored.to_bits(), seed.score.get().to_bits(), "{}", seed.domain);
        }
        let proof = sound(&store).await;
        assert_eq!((proof.events, proof.outlets), (0, 18));
    }
}

#[tokio::test]
async fn a_coding_moves_the_score_and_leaves_one_event() {
    for place in Place::on_each_engine().await {
        let at = Timestamp(1_772_366_400_123);
        let store = place.open().await.with_clock(Clock::Fixed(at));
        let url = WebUrl::parse("https://www.reuters.com/world/story").unwrap();
        let mut request = coding("reuters.com", &["source-unreliable"], "headline ≠ text");
        request.subject = Subject::article(&url);
        let event = store.code(request, Newcomer::Guard, Intent::Apply).await.unwrap();

        let stored = store.event(1).await.unwrap().unwrap();
        assert_eq!(&stored, event.record());
        assert_eq!((stored.kind, stored.at, stored.by.as_str()), (EventKind::Nudge, at, "Ada"));
        assert_eq!((stored.before, stored.alpha, stored.target), (0.92, Some(0.1), Some(0.0)));
        assert!((stored.after - 0.828).abs() < 1e-12);
        assert_eq!(stored.note.as_deref(), Some("headline ≠ text"));
        assert_eq!(stored.subject, Subject::article(&url));

        let entry = store.outlet(&outlet("reuters.com")).await.unwrap().unwrap();
        assert_eq!((entry.score, entry.last_event, entry.events), (stored.after, Some(1), 1));
        assert_eq!(sound(&store).await.head, event.head());
    }
}

#[tokio::test]
async fn a_preview_shows_the_change_and_writes_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let request = coding("wired.com", &["high-quality-source"], "x");
        let shown = store.code(request.clone(), Newcomer::Guard, Intent::Preview).await.unwrap();
        assert_eq!(shown.record().before, 0.72);
        assert!(all_events(&store).await.is_empty());
        assert_eq!(store.outlet(&outlet("wired.com")).await.unwrap().unwrap().score, 0.72);
        let made = store.code(request, Newcomer::Guard, Intent::Apply).await.unwrap();
        assert_eq!(made.record().after, shown.record().after);
    }
}

#[tokio::test]
async fn an_unknown_outlet_begins_neutral_unless_it_looks_like_another() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let slip = coding("reuter.com", &["high-quality-source"], "x");
        let refused = store.code(slip.clone(), Newcomer::Guard, Intent::Apply).await;
        let Err(LedgerError::LooksLike { known, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(known.as_str(), "reuters.com");
        assert!(store.outlet(&outlet("reuter.com")).await.unwrap().is_none());
        store.code(slip, Newcomer::Add, Intent::Preview).await.unwrap();

        let request = coding("gazette.example", &["high-quality-source"], "x");
        let event = store.code(request, Newcomer::Guard, Intent::Apply).await.unwrap();
        assert_eq!((event.record().before, event.record().after), (0.5, 0.55));
        let entry = store.outlet(&outlet("gazette.example")).await.unwrap().unwrap();
        assert_eq!((entry.score, entry.seeded), (0.55, None));
        assert_eq!(sound(&store).await.outlets, 19);
    }
}

#[tokio::test]
async fn an_unknown_code_changes_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let request = coding("reuters.com", &["high-quality-source", "no-such-code"], "x");
        let refused = store.code(request, Newcomer::Add, Intent::Apply).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the codebook has no code `no-such-code` (it has: high-quality-source, source-unreliable)"
        );
        assert!(all_events(&store).await.is_empty());
    }
}

#[tokio::test]
async fn a_score_set_by_hand_and_its_revert_are_both_events() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        nudge(&store, "bbc.com", "high-quality-source", "first").await;
        let before = store.outlet(&outlet("bbc.com")).await.unwrap().unwrap().score;
        let set = store
            .set_score(&outlet("bbc.com"), score(0.4), &ada(), Newcomer::Guard, Intent::Apply)
            .await
            .unwrap();
        assert_eq!((set.record().kind, set.record().after), (EventKind::Set, 0.4));
        nudge(&store, "bbc.com", "high-quality-source", "after the set").await;

        let undone = store.revert(2, &ada(), Intent::Apply).await.unwrap();
        assert_eq!((undone.record().reverts, undone.record().after), (Some(2), before));
        assert_eq!(store.outlet(&outlet("bbc.com")).await.unwrap().unwrap().score, before);
        assert_eq!(all_events(&store).await.len(), 4);
        assert!(matches!(
            store.revert(99, &ada(), Intent::Apply).await,
            Err(LedgerError::UnknownEvent(99))
        ));
        sound(&store).await;
    }
}

fn row(domain: &str, value: f64, name: Option<&str>) -> ImportRow {
    ImportRow {
        outlet: outlet(domain),
        score: score(value),
        name: name.map(|name| Name::new(name).unwrap()),
    }
}

fn provenance() -> Provenance {
    Provenance {
        label: Name::new("Media survey 2026").unwrap(),
        signature: Signature::new("Ada", Some("spring edition")).unwrap(),
    }
}

#[tokio::test]
async fn an_import_is_one_event_for_each_outlet_that_changes() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let rows = [
            row("reuters.com", 0.92, None),
            row("ft.com", 0.91, None),
            row("bbc.com", 0.83, Some("British Broadcasting Corporation")),
            row("gazette.example", 0.5, None),
        ];
        let shown =
            store.import_scores(&rows, &provenance(), Alpha::WHOLE, Intent::Preview).await.unwrap();
        assert_eq!((shown.events.len(), shown.unchanged), (3, 1));
        assert!(all_events(&store).await.is_empty());

        let made =
            store.import_scores(&rows, &provenance(), Alpha::WHOLE, Intent::Apply).await.unwrap();
        assert_eq!((made.events.len(), made.unchanged), (3, 1));
        let events = all_events(&store).await;
        assert!(events.iter().all(|event| event.kind == EventKind::Import));
        assert!(
            events.iter().all(|event| event.provenance.as_deref() == Some("Media survey 2026"))
        );
        let bbc = store.outlet(&outlet("bbc.com")).await.unwrap().unwrap();
        assert_eq!(bbc.name.as_deref(), Some("British Broadcasting Corporation"));
        assert!(store.outlet(&outlet("gazette.example")).await.unwrap().is_some());

        let again =
            store.import_scores(&rows, &provenance(), Alpha::WHOLE, Intent::Apply).await.unwrap();
        assert_eq!((again.events.len(), again.unchanged), (0, 4));
        sound(&store).await;
    }
}

#[tokio::test]
async fn an_import_that_fails_half_way_leaves_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        // The row that will fail is the last one: its score was edited behind the ledger's back.
        place
            .raw("UPDATE outlets SET credibility_score = 0.01 WHERE domain = 'wsj.com'")
            .await
            .unwrap();
        let rows =
            [row("ft.com", 0.1, None), row("new.example", 0.2, None), row("wsj.com", 0.3, None)];
        let refused = store
            .import_scores(&rows, &provenance(), Alpha::WHOLE, Intent::Apply)
            .await
            .unwrap_err();
        assert!(matches!(refused, LedgerError::Tampered(_)), "{refused}");
        assert!(all_events(&store).await.is_empty());
        assert_eq!(store.outlets(&OutletQuery::default()).await.unwrap().total, 18);
        place
            .raw("UPDATE outlets SET credibility_score = 0.90 WHERE domain = 'wsj.com'")
            .await
            .unwrap();
        sound(&store).await;

        let twice = [row("ft.com", 0.1, None), row("ft.com", 0.2, None)];
        let refused = store.import_scores(&twice, &provenance(), Alpha::WHOLE, Intent::Apply).await;
        assert!(matches!(refused, Err(LedgerError::Twice(_))));
    }
}

#[tokio::test]
async fn an_edited_score_is_not_built_upon() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        nudge(&store, "reuters.com", "high-quality-source", "x").await;
        place
            .raw("UPDATE outlets SET credibility_score = 0.99 WHERE domain = 'reuters.com'")
            .await
            .unwrap();
        let request = coding("reuters.com", &["high-quality-source"], "x");
        let refused = store.code(request, Newcomer::Add, Intent::Apply).await.unwrap_err();
        assert!(refused.to_string().contains("outlets verify"), "{refused}");
        assert_eq!(all_events(&store).await.len(), 1);
    }
}

#[tokio::test]
async fn parallel_codings_in_one_process_are_all_kept() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let mut tasks = tokio::task::JoinSet::new();
        for turn in 0..40 {
            let store = store.clone();
            let code = if turn % 3 == 0 { "source-unreliable" } else { "high-quality-source" };
            tasks.spawn(async move { nudge(&store, "axios.com", code, "at once").await.seq });
        }
        let mut seqs = tasks.join_all().await;
        seqs.sort_unstable();
        assert_eq!(seqs, (1..=40).collect::<Vec<i64>>());
        sound(&store).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coding_that_is_given_up_half_way_leaves_all_or_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let mut finished = 0;
        for turn in 0..60 {
            let own = store.clone();
            let note = format!("turn {turn}");
            let task = tokio::spawn(async move {
                nudge(&own, "cnbc.com", "high-quality-source", &note).await;
            });
            // A different number of steps each time, so that the end falls on different moments.
            for _ in 0..turn * 4 {
                tokio::task::yield_now().await;
            }
            task.abort();
            finished += i64::from(task.await.is_ok());
        }
        let last = nudge(&store, "cnbc.com", "high-quality-source", "after all").await;
        assert!(last.seq > finished, "{} {finished}", last.seq);
        assert_eq!(sound(&store).await.events, last.seq);
    }
}

#[tokio::test]
async fn only_a_given_score_replaces_the_tier() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let herald = outlet("herald.example");
        let code = || coding("herald.example", &["source-unreliable"], "x");
        let shown = store.code(code(), Newcomer::Guard, Intent::Preview).await.unwrap();
        let moved = |by: f64| Opinion::new(0.5 + by, false);
        assert_eq!(store.opinion_after(shown.record()).await.unwrap(), moved(-0.05));
        let made = store.code(code(), Newcomer::Guard, Intent::Apply).await.unwrap();
        assert_eq!(store.opinion_after(made.record()).await.unwrap(), moved(-0.05));
        let asked = [herald.clone(), outlet("nobody.example"), outlet("ft.com")];
        let some = store.opinions_of(&asked).await.unwrap();
        assert_eq!(some.len(), 2);
        assert_eq!((some[&herald], some["ft.com"]), (moved(-0.05), Opinion::Given(0.9)));

        let by = ada();
        let set = store.set_score(&herald, score(0.7), &by, Newcomer::Guard, Intent::Apply);
        let set = set.await.unwrap();
        assert_eq!(store.opinions_of(&asked).await.unwrap()[&herald], Opinion::Given(0.7));
        let undone = store.revert(set.record().seq, &ada(), Intent::Preview).await.unwrap();
        assert_eq!(store.opinion_after(undone.record()).await.unwrap(), moved(-0.05));
        store.revert(set.record().seq, &ada(), Intent::Apply).await.unwrap();
        assert_eq!(store.opinions().await.unwrap()[&herald], moved(-0.05));
        assert_eq!(store.opinions().await.unwrap().len(), 19);
    }
}

#[tokio::test]
async fn a_list_of_less_weight_moves_a_given_score_a_part_of_the_way_and_once() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let rows = [("ft.com", 0.5), ("fresh.example", 0.2)].map(|(domain, rated)| ImportRow {
            outlet: outlet(domain),
            score: score(rated),
            name: None,
        });
        let half = Alpha::new(0.5).unwrap();
        let made = store.import_scores(&rows, &provenance(), half, Intent::Apply).await.unwrap();
        let after: Vec<f64> = made.events.iter().map(|event| event.record().after).collect();
        assert!((after[0] - 0.7).abs() < 1e-12 && after[1] == 0.2, "{after:?}");
        assert_eq!((made.conflicts.len(), made.conflicts[0].had), (1, 0.9));
        let again = store.import_scores(&rows, &provenance(), half, Intent::Apply).await.unwrap();
        assert_eq!((again.events.len(), again.unchanged), (0, 2));
        sound(&store).await;
    }
}
