//! The embedded analyst: deterministic, offline, and open about not being a language model.
//!
//! It never writes a sentence about the world. What a report of its says is taken from the sources, sentence by
//! sentence; its own words only say what was searched and what is missing. What a text means is left to the
//! trained reader; code judges only what is exact.
//!
//! ```text
//! question → parts (question) → passages over whole texts (retrieve) → readings (read)
//!   → 1 to 5 (gate) | sentences that answer (answer) → values that differ (conflict) → draft (compose)
//! ```

pub mod answer;
mod compose;
pub mod conflict;
mod evidence;
mod explain;
mod gaps;
pub mod gate;
mod headline;
mod lines;
mod lists;
mod made;
mod meant_row;
mod premise;
pub mod question;
mod question_words;
pub mod read;
mod referring;
pub mod retrieve;
mod sentence;
mod sides;
mod stated;
mod statement;
mod summarise;
mod usage;
mod value;

use std::sync::Arc;

use probity_core::{Heading, List};
use probity_reader::{Stop, Stopped, TextReader};
use probity_report::draft::{Draft, Shortfall};
use probity_report::facts::Author;

use super::{
    Analyst, AnalystAnswer, AnalystError, Gaps, GapsTask, Judgement, Judging, Planned,
    ShortfallTask, SourceView, Summary, SynthesisTask,
};
use question::Asked;
use read::CachedReader;

/// How it signs.
pub const NAME: &str = "embedded";

/// The embedded analyst. The same question and sources give the same answers.
#[derive(Clone)]
pub struct Embedded {
    reading: Arc<CachedReader>,
}

impl Embedded {
    /// An analyst that reads with this reader.
    pub fn new(reader: TextReader) -> Self {
        Self { reading: Arc::new(CachedReader::new(reader)) }
    }

    /// Who reads.
    pub fn reader(&self) -> &TextReader {
        self.reading.reader()
    }
}

impl Analyst for Embedded {
    fn author(&self) -> Author {
        Author { name: NAME.to_owned(), is_model: false }
    }

    fn plan<'a>(&'a self, question: &'a str, _: bool) -> Judging<'a, Planned> {
        let asked = Asked::new(question);
        let parts = asked.parts.iter().map(|part| part.text.clone());
        let parts = parts.filter(|_| asked.parts.len() > 1);
        let queries = asked.keywords().into_iter().chain(parts).collect();
        Box::pin(std::future::ready(AnalystAnswer::free(Planned::of(queries))))
    }

    fn summarise<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Summary> {
        let (question, source) = (question.to_owned(), Owned::new(&source));
        self.work(move |reading, stop| {
            let text = summarise::summary(&question, &source.view(), reading, stop)?;
            Ok(Summary::of(text))
        })
    }

    fn gaps<'a>(&'a self, task: GapsTask<'a>) -> Judging<'a, Gaps> {
        let (question, queries) = (task.question.to_owned(), task.queries.to_vec());
        let sources: Vec<Owned> = task.sources.iter().map(Owned::new).collect();
        let (deep, open) = (task.deep, task.open.to_vec());
        self.work(move |reading, stop| {
            let views: Vec<SourceView<'_>> = sources.iter().map(Owned::view).collect();
            let mut gaps = gaps::gaps(&question, &queries, &views, deep, reading, stop)?;
            // Its gaps are parts of the question, word for word.
            gaps.closed = open.into_iter().filter(|gap| !gaps.unanswered.contains(gap)).collect();
            Ok(gaps)
        })
    }

    fn judge<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement> {
        let (question, source) = (question.to_owned(), Owned::new(&source));
        self.work(move |reading, stop| {
            let judged = gate::judge(&question, &source.view(), reading, stop)?;
            Ok(Judgement { score: judged.score, why: judged.why })
        })
    }

    fn judges_together(&self) -> bool {
        true
    }

    fn judge_all<'a>(
        &'a self,
        question: &'a str,
        sources: &'a [SourceView<'a>],
    ) -> Judging<'a, Vec<Option<Judgement>>> {
        let question = question.to_owned();
        let sources: Vec<Owned> = sources.iter().map(Owned::new).collect();
        self.work(move |reading, stop| {
            let views: Vec<SourceView<'_>> = sources.iter().map(Owned::view).collect();
            let judged = gate::judge_all(&question, &views, reading, stop)?;
            let judged = judged.into_iter();
            Ok(judged.map(|one| Some(Judgement { score: one.score, why: one.why })).collect())
        })
    }

    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        let sources: Vec<Owned> = task.sources.iter().map(Owned::new).collect();
        let question = task.question.to_owned();
        let (mode, decision, words) = (task.mode, task.decision, task.words);
        self.work(move |reading, stop| {
            let views: Vec<SourceView<'_>> = sources.iter().map(Owned::view).collect();
            let task = SynthesisTask {
                question: &question,
                mode,
                decision,
                words,
                sources: &views,
                gaps: &[],
                headings: &[],
                parts: &[],
            };
            compose::draft(&task, reading, stop)
        })
    }

    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        let sources: Vec<Owned> = task.sources.iter().map(Owned::new).collect();
        let (question, queries) = (task.question.to_owned(), task.queries.to_vec());
        let (gaps, unreached) = (task.gaps.to_vec(), task.unreached.to_vec());
        let (candidates, blocked, failed) = (task.candidates, task.blocked, task.failed);
        self.work(move |reading, stop| {
            let views: Vec<SourceView<'_>> = sources.iter().map(Owned::view).collect();
            let task = ShortfallTask {
                question: &question,
                queries: &queries,
                sources: &views,
                candidates,
                blocked,
                failed,
                gaps: &gaps,
                unreached: &unreached,
            };
            explain::shortfall(&task, reading, stop)
        })
    }
}

impl Embedded {
    /// Reads on a thread of its own, and stops reading when nobody waits any more.
    fn work<'a, T: Send + 'static>(
        &'a self,
        work: impl FnOnce(&CachedReader, &Stop) -> Result<T, Stopped> + Send + 'static,
    ) -> Judging<'a, T> {
        let reading = Arc::clone(&self.reading);
        Box::pin(async move {
            let (stopper, stop) = Stop::new();
            let done = tokio::task::spawn_blocking(move || work(&reading, &stop)).await;
            drop(stopper);
            match done {
                Ok(Ok(judgement)) => AnalystAnswer::free(judgement),
                Ok(Err(Stopped)) => {
                    AnalystAnswer::none(AnalystError::Failed("reading was stopped".to_owned()))
                }
                Err(error) => {
                    AnalystAnswer::none(AnalystError::Failed(format!("reading failed: {error}")))
                }
            }
        })
    }
}

/// A source that can move to another thread.
struct Owned {
    view: SourceView<'static>,
    title: String,
    url: String,
    outlet: String,
    snippet: String,
    text: String,
    headings: Vec<Heading>,
    lists: Vec<List>,
    summary: String,
    why: String,
}

impl Owned {
    fn new(source: &SourceView<'_>) -> Self {
        let nothing = SourceView {
            id: source.id,
            published: source.published,
            credibility: source.credibility,
            authority: source.authority,
            relevance: source.relevance,
            ..SourceView::of_text("", "")
        };
        Self {
            view: nothing,
            title: source.title.to_owned(),
            url: source.url.to_owned(),
            outlet: source.outlet.to_owned(),
            snippet: source.snippet.to_owned(),
            text: source.text.to_owned(),
            headings: source.headings.to_vec(),
            lists: source.lists.to_vec(),
            summary: source.summary.to_owned(),
            why: source.why.to_owned(),
        }
    }

    fn view(&self) -> SourceView<'_> {
        SourceView {
            title: &self.title,
            url: &self.url,
            outlet: &self.outlet,
            snippet: &self.snippet,
            text: &self.text,
            headings: &self.headings,
            lists: &self.lists,
            summary: &self.summary,
            facts: &[],
            why: &self.why,
            ..self.view
        }
    }
}
