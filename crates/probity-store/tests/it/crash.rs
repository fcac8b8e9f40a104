//! A process is killed in the middle of its work, again and again; nothing that it had
//! acknowledged is lost or doubled, and the next one starts without repair.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};

use crate::place::{Place, all_events, sound};
use crate::worker;

const ROUNDS: usize = 50;
/// More than a worker gets done before it is killed.
const CODINGS: usize = 100_000;

/// Lets a worker acknowledge a few codings, kills it, and gives what it acknowledged until then.
fn run_and_kill(place: &Place, round: usize) -> Vec<String> {
    let label = format!("round{round}");
    let mut child = worker::start(&place.argument, "bbc.com", &label, CODINGS);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut notes = Vec::new();
    // A different number each round, so that the kill falls on different moments.
    while notes.len() <= round % 7 {
        let line = lines.next().expect("a worker goes on until it is killed").unwrap();
        notes.extend(worker::acknowledged(&line));
    }
    child.kill().unwrap();
    // What was written before the kill and not read yet was acknowledged too.
    notes.extend(lines.map_while(Result::ok).filter_map(|line| worker::acknowledged(&line)));
    child.wait().unwrap();
    notes
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_fifty_kills() {
    for place in Place::on_each_engine().await {
        let mut acknowledged = Vec::new();
        for round in 0..ROUNDS {
            acknowledged.extend(run_and_kill(&place, round));
        }
        let store = place.open().await;
        sound(&store).await;
        let mut kept: HashMap<String, usize> = HashMap::new();
        for event in all_events(&store).await {
            *kept.entry(event.note.unwrap()).or_default() += 1;
        }
        for note in &acknowledged {
            assert_eq!(kept.get(note), Some(&1), "{note}");
        }
        // At most one coding of each round was made permanent but not acknowledged any more.
        let extra = kept.len() - acknowledged.len();
        assert!(extra <= ROUNDS, "{extra}");
        assert!(kept.values().all(|times| *times == 1));
    }
}
