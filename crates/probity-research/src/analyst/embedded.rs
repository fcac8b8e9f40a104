//! The embedded analyst: deterministic, offline, and open about not being a language model.
//!
//! It never writes a sentence about the world. What a report of its says is taken from the
//! sources, sentence by sentence; its own words only say what was searched and what is missing.
//!
//! ```text
//! question → Aims (names, subjects, sides, parts) → queries
//! sources → sentences that stand alone → ranked against the question → merged → themes, conflicts
//! ```

mod aims;
mod answer;
mod conflict;
mod explain;
mod gaps;
mod phrase;
mod pool;
mod synthesise;
mod theme;

use probity_report::draft::{Conflict, Draft, Shortfall};
use probity_report::facts::Author;
use probity_text::Language;
use probity_text::words::Stemmer;

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

/// What a text says about a question, in its own sentences: also for other analysts that fail.
pub(crate) fn summary(question: &str, title: &str, text: &str) -> String {
    pool::summary(question, title, text)
}

/// Where sources disagree on a subject: sentences of two that cannot both be right, each with its
/// side. Also for those who write something else than a report on a question.
pub fn disagreements(subject: &str, sources: &[SourceView<'_>]) -> Vec<Conflict> {
    let stemmer = Stemmer::new(Language::detect(subject));
    let mut voices = pool::pool(subject, sources, &stemmer).voices;
    // The articles of one story are of the same days: "on Saturday" is one Saturday to them all.
    voices.iter_mut().for_each(|voice| voice.personal = false);
    synthesise::conflicts_of(&voices, 0.0)
}

impl Analyst for Embedded {
    fn author(&self) -> Author {
        Author { name: "embedded".to_owned(), is_model: false }
    }

    fn plan<'a>(&'a self, question: &'a str) -> Judging<'a, Plan> {
        ready(Plan { queries: aims::Aims::of(question).queries() })
    }

    fn summarise<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Summary> {
        ready(Summary { text: pool::summary(question, source.title, source.text) })
    }

    fn gaps<'a>(
        &'a self,
        question: &'a str,
        queries: &'a [String],
        sources: &'a [SourceView<'a>],
        deep: bool,
    ) -> Judging<'a, Gaps> {
        ready(gaps::gaps(question, queries, sources, deep))
    }

    fn judge<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement> {
        let title = aims::placed_title(question, source.title, source.url);
        let judged = probity_text::relevance::judge(question, &title, source.text);
        ready(Judgement { score: judged.score, why: judged.why })
    }

    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        ready(synthesise::draft(&task))
    }

    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        ready(explain::shortfall(&task))
    }
}

/// The analyst computes; it never waits.
fn ready<'a, T: Send + 'a>(answer: T) -> Judging<'a, T> {
    Box::pin(std::future::ready(Answer::free(answer)))
}
