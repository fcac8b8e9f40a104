//! Any one call of a run fails, whichever it is: the run ends with a report or can be taken up again, and nothing that
//! was written down is lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use probity_core::{Mode, Outlet, Problem, ProblemKind, RunId};
use probity_credibility::Known;
use probity_model::{Model, ModelError, ModelSet};
use probity_reader::TextReader;
use probity_report::json::ReportJson;
use probity_research::approve::Unattended;
use probity_research::driver::Cancel;
use probity_research::event::Unwatched;
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::gather::{Gathered, Gatherer, SearchAnswer, Target};
use probity_research::journal::{Entry, Keep, Keeping};
use probity_research::{Finished, JournalError, RunError, RunSpec};
use probity_testkit::fault::{Fault, chosen};
use probity_testkit::model::{Act, ScriptedModel, well};
use probity_web::fetch::{FetchOutcome, Page};

use crate::models::gatherer;
use crate::scripted::{Paper, clock, spec};

/// How many n of each kind are tried.
const SOME: usize = 6;

/// What may fail in a run.
#[derive(Debug, Clone, Default)]
struct Faults {
    search: Fault,
    read: Fault,
    ledger: Fault,
    model: Fault,
    journal: Fault,
}

struct Failing {
    gatherer: Paper,
    faults: Faults,
}

impl Gatherer for Failing {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Gathered<'a, SearchAnswer> {
        if !self.faults.search.strikes() {
            return self.gatherer.search(query, limit);
        }
        let problems = vec![Problem::new(ProblemKind::Search, query, "the provider is away")];
        Box::pin(async { SearchAnswer { problems, silent: true, ..SearchAnswer::default() } })
    }

    fn read<'a>(&'a self, target: &'a Target) -> Gathered<'a, Page> {
        if !self.faults.read.strikes() {
            return self.gatherer.read(target);
        }
        let page = Page::unasked(target.url().clone(), FetchOutcome::Failed, "the host is away");
        Box::pin(async { page })
    }

    fn ledger<'a>(
        &'a self,
        outlets: &'a [Outlet],
    ) -> Gathered<'a, Result<BTreeMap<Outlet, Known>, String>> {
        if !self.faults.ledger.strikes() {
            return self.gatherer.ledger(outlets);
        }
        Box::pin(async { Err("the store is away".to_owned()) })
    }
}

/// A journal that cannot be written once.
#[derive(Clone)]
struct FailingKeep {
    kept: Arc<Mutex<Vec<Entry>>>,
    fault: Fault,
}

impl Keep for FailingKeep {
    fn append<'a>(&'a self, _: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        let written = match self.fault.strikes() {
            true => Err("the disk is full".to_owned()),
            false => {
                self.kept.lock().unwrap().push(entry.clone());
                Ok(())
            }
        };
        Box::pin(async { written })
    }
}

async fn run(
    spec: &RunSpec,
    with_model: bool,
    faults: &Faults,
    kept: &Arc<Mutex<Vec<Entry>>>,
) -> Result<Finished, RunError> {
    let fault = faults.model.clone();
    let model = ScriptedModel::new(move |request| match fault.strikes() {
        true => {
            let (model, reason) = ("compatible:scripted".to_owned(), "refused".to_owned());
            Act::Fail(ModelError::Unreachable { model, reason })
        }
        false => well(request),
    });
    let model_set = with_model.then(|| ModelSet::of_one(Arc::new(model) as Arc<dyn Model>));
    let environment = RunEnvironment {
        gatherer: Box::new(Failing { gatherer: gatherer(), faults: faults.clone() }),
        model_set,
        reader: TextReader::Embedded,
        problems: Vec::new(),
    };
    let entries = kept.lock().unwrap().clone();
    let execution = Execution {
        spec,
        entries,
        watcher: &Unwatched,
        approver: &Unattended,
        cancel: Cancel::never(),
        clock: clock(),
    };
    let keep = FailingKeep { kept: Arc::clone(kept), fault: faults.journal.clone() };
    execution.keeping(environment, keep).await
}

fn json(finished: &Finished) -> String {
    serde_json::to_string(&ReportJson::new(&finished.report)).unwrap()
}

#[tokio::test]
async fn whichever_call_of_a_run_fails_it_ends_or_can_be_taken_up_again() {
    for with_model in [false, true] {
        let mut spec = spec(Mode::Standard);
        spec.limits.parallel_judgements = 1;
        let counted = Faults::default();
        let whole = run(&spec, with_model, &counted, &Arc::default()).await.unwrap();
        type Part = fn(&mut Faults) -> &mut Fault;
        let outside: [(&str, Part); 4] = [
            ("search", |faults| &mut faults.search),
            ("page", |faults| &mut faults.read),
            ("ledger", |faults| &mut faults.ledger),
            ("model", |faults| &mut faults.model),
        ];
        for (name, part) in outside {
            let calls = part(&mut counted.clone()).calls();
            assert!(calls > 0 || name == "model", "no {name} was asked for");
            for nth in chosen(calls, SOME) {
                let mut faults = Faults::default();
                *part(&mut faults) = Fault::at(nth);
                let ended = run(&spec, with_model, &faults, &Arc::default()).await;
                let ended = ended.unwrap_or_else(|error| panic!("{name} {nth}: {error}"));
                assert!(ended.facts().read() > 0, "{name} {nth}: nothing was read");
            }
        }
        for nth in chosen(counted.journal.calls(), 3 * SOME) {
            let kept = Arc::new(Mutex::new(Vec::new()));
            let faults = Faults { journal: Fault::at(nth), ..Faults::default() };
            let expected = match run(&spec, with_model, &faults, &kept).await {
                Err(failed) => {
                    let storage = matches!(failed, RunError::Journal(JournalError::Storage { .. }));
                    assert!(storage && failed.to_string().contains("the disk is full"), "{failed}");
                    json(&whole)
                }
                // An answer that cannot be written down is one that was not had: the judgement that asked for it
                // does without, is written down itself, and stays as it is.
                Ok(ended) => {
                    assert!(with_model, "step {nth} was not written, and nobody minded");
                    json(&ended)
                }
            };
            let before = kept.lock().unwrap().clone();
            let resumed = run(&spec, with_model, &Faults::default(), &kept).await.unwrap();
            assert_eq!(json(&resumed), expected, "another report after step {nth} was not written");
            let after = kept.lock().unwrap();
            assert_eq!(after[..before.len()], before[..], "what was written was written again");
        }
    }
}
