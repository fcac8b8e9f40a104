//! The embedded analyst: deterministic, offline, and open about not being a language model.

use probity_report::draft::{Draft, Shortfall};
use probity_report::facts::Author;

use super::{
    Analyst, Answer, Gaps, Judgement, Judging, Plan, ShortfallTask, SourceView, Summary,
    SynthesisTask,
};

/// The embedded analyst. It has no state: the same question and sources give the same answers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Embedded;

impl Embedded {
    /// The analyst.
    pub fn new() -> Self {
        Self
    }
}

impl Analyst for Embedded {
    fn author(&self) -> Author {
        Author { name: "embedded".to_owned(), is_model: false }
    }

    fn plan<'a>(&'a self, _question: &'a str) -> Judging<'a, Plan> {
        ready(Plan::default())
    }

    fn summarise<'a>(&'a self, _question: &'a str, _source: SourceView<'a>) -> Judging<'a, Summary> {
        ready(Summary::default())
    }

    fn gaps<'a>(
        &'a self,
        _question: &'a str,
        _queries: &'a [String],
        _sources: &'a [SourceView<'a>],
        _deep: bool,
    ) -> Judging<'a, Gaps> {
        ready(Gaps::default())
    }

    fn judge<'a>(&'a self, _question: &'a str, _source: SourceView<'a>) -> Judging<'a, Judgement> {
        ready(Judgement { score: 3, why: String::new() })
    }

    fn synthesise<'a>(&'a self, _task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        ready(Draft::default())
    }

    fn explain<'a>(&'a self, _task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        ready(Shortfall::default())
    }
}

/// The analyst computes; it never waits.
fn ready<'a, T: Send + 'a>(answer: T) -> Judging<'a, T> {
    Box::pin(std::future::ready(Answer::free(answer)))
}
