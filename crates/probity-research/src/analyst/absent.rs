//! An analyst that is never asked: what a replay has.

use probity_report::draft::{Draft, Shortfall};
use probity_report::facts::Author;

use super::{
    Analyst, Gaps, GapsTask, Judgement, Judging, Planned, ShortfallTask, SourceView, Summary,
    SynthesisTask, embedded, unable,
};
use crate::run::RunSpec;

/// Signs as the run's analyst did, and judges nothing: every judgement is in the journal.
#[derive(Debug, Clone)]
pub struct Absent(Author);

impl Absent {
    /// Stands in for the analyst of a run.
    pub fn of(spec: &RunSpec) -> Self {
        let is_model = spec.model.assignment.is_some();
        Self(Author { name: spec.analyst.clone(), is_model })
    }
}

const REPLAY: &str = "judge in a replay";

impl Analyst for Absent {
    fn author(&self) -> Author {
        self.0.clone()
    }

    fn plan<'a>(&'a self, _: &'a str, _: bool) -> Judging<'a, Planned> {
        unable(REPLAY)
    }

    fn summarise<'a>(&'a self, _: &'a str, _: SourceView<'a>) -> Judging<'a, Summary> {
        unable(REPLAY)
    }

    fn gaps<'a>(&'a self, _: GapsTask<'a>) -> Judging<'a, Gaps> {
        unable(REPLAY)
    }

    fn judge<'a>(&'a self, _: &'a str, _: SourceView<'a>) -> Judging<'a, Judgement> {
        unable(REPLAY)
    }

    fn judges_together(&self) -> bool {
        !self.0.is_model && self.0.name == embedded::NAME
    }

    fn synthesise<'a>(&'a self, _: SynthesisTask<'a>) -> Judging<'a, Draft> {
        unable(REPLAY)
    }

    fn explain<'a>(&'a self, _: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        unable(REPLAY)
    }
}
