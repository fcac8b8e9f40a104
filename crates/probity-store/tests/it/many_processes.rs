//! Several processes write one ledger at once, from its first moment.

use probity_credibility::ledger::{Alpha, Credibility, Target, nudge};

use crate::place::{Place, all_events, outlet, sound};
use crate::worker;

const PROCESSES: usize = 5;
const CODINGS: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_codings_from_several_processes_are_all_kept() {
    for place in Place::on_each_engine().await {
        // The store is not there yet: the processes also race to create it.
        let workers: Vec<_> = (0..PROCESSES)
            .map(|n| worker::start(&place.argument, "reuters.com", &format!("p{n}"), CODINGS))
            .collect();
        for worker in workers {
            let output = worker.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
        }

        let store = place.open().await;
        let events = all_events(&store).await;
        assert_eq!(events.len(), PROCESSES * CODINGS);
        assert_eq!(sound(&store).await.events, 100);

        let mut replayed = Credibility::new(0.92).unwrap();
        for event in &events {
            let target =
                if event.codes[0].weight.get() > 0 { Target::Trust } else { Target::Distrust };
            replayed = nudge(replayed, Alpha::DEFAULT, Some(target));
        }
        let stored = store.outlet(&outlet("reuters.com")).await.unwrap().unwrap().score;
        assert_eq!(stored.to_bits(), replayed.get().to_bits());
        for n in 0..PROCESSES {
            let own = events.iter().filter(|event| {
                event.note.as_deref().is_some_and(|note| note.starts_with(&format!("p{n}-")))
            });
            assert_eq!(own.count(), CODINGS);
        }
    }
}
