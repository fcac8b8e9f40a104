//! Queue, workers and watchers behind a real PgBouncer in transaction mode, where consecutive
//! transactions of one client run on connections that others have used.

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Mode, Secret};
use probity_research::work::{Tally, WorkSettings, work};
use probity_store::events::{END, RunEvent};
use probity_store::{Listen, Location, RunStatus, Store, StoreOptions};
use probity_testkit::model::ScriptedModel;
use probity_testkit::postgres::TestDatabase;
use tokio::sync::watch;

use crate::work::{ask_about, events_of, handlers};

const RUNS: usize = 12;

/// A process behind the pooler; it hears notifications if it is told where.
async fn open(pooled: &str, listen: Listen) -> Store {
    let options = StoreOptions { pooled: true, connections: 4, listen, ..StoreOptions::default() };
    Store::open_with(&Location::parse(pooled).unwrap(), &options).await.unwrap()
}

async fn carry_out(store: Store, name: &str) -> (Tally, usize) {
    let model = Arc::new(ScriptedModel::well_behaved());
    let settings = WorkSettings {
        idle: Duration::from_millis(50),
        concurrency: 3,
        until_empty: true,
        ..WorkSettings::new(name)
    };
    let (_keep, stop) = watch::channel(false);
    let tally = work(&store, &handlers(Arc::clone(&model) as _), &settings, stop).await;
    (tally, model.asked().len())
}

async fn follow(store: &Store, run: &str) -> Vec<RunEvent> {
    let (mut feed, mut seen) = (store.follow(&run.into(), 0), Vec::new());
    while let Some(event) = feed.next().await {
        seen.push(event);
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_and_watchers_do_as_well_behind_a_pooler() {
    let Some(database) = TestDatabase::create().await else { return };
    let Some(pooled) = database.pooled_url() else { return };
    // Of several that find an empty database, through the pooler too, one creates the tables.
    let opened =
        [open(&pooled, Listen::Auto), open(&pooled, Listen::Off), open(&pooled, Listen::Auto)];
    let stores = futures::future::join_all(opened).await;
    let hears = open(&pooled, Listen::At(Secret::new(database.url()))).await;
    let ids: Vec<String> = (0..RUNS).map(|n| format!("run-{n}")).collect();
    for (n, id) in ids.iter().enumerate() {
        ask_about(&stores[0], id, Mode::Quick, &format!("How loud may music be, case {n}?")).await;
    }
    let watching: Vec<_> = ids
        .iter()
        .flat_map(|id| [(id.clone(), stores[2].clone()), (id.clone(), hears.clone())])
        .map(|(id, store)| tokio::spawn(async move { (follow(&store, &id).await, id) }))
        .collect();
    let workers = [carry_out(stores[0].clone(), "one"), carry_out(stores[1].clone(), "two")];
    let done = futures::future::join_all(workers).await;
    assert_eq!(done.iter().map(|(tally, _)| tally.done).sum::<u64>(), RUNS as u64);

    for watched in watching {
        let (seen, id) = watched.await.unwrap();
        assert_eq!(seen, events_of(&stores[0], &id).await, "{id}");
        assert_eq!(seen.iter().filter(|event| event.kind == END).count(), 1, "{id}");
    }
    let mut calls = 0;
    for id in &ids {
        let run = stores[1].run(&id.as_str().into()).await.unwrap().unwrap();
        assert_eq!(run.summary.status, RunStatus::Finished, "{id}: {:?}", run.summary.error);
        let journal = stores[1].journal(&id.as_str().into()).await.unwrap();
        calls += journal.iter().filter(|entry| entry.kind == "model").count();
    }
    let asked: usize = done.iter().map(|(_, asked)| asked).sum();
    assert_eq!(asked, calls, "a call was made twice, or not written down");
}
