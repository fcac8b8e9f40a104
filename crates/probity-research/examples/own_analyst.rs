//! A run whose sources are judged by code of your own.
//!
//!     cargo run -p probity-research --example own_analyst
//!
//! This analyst drops every source that is older than a year, and leaves everything else to the embedded one. A
//! run treats it like any other: what it writes is checked, and it can reach no page by itself.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use jiff::civil::Date;
use probity_core::{Clock, Mode};
use probity_credibility::{Question, Scorer};
use probity_reader::TextReader;
use probity_report::draft::{Draft, Shortfall};
use probity_report::facts::Author;
use probity_research::Analyst;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::{
    AnalystAnswer, Gaps, GapsTask, Judgement, Judging, Planned, ShortfallTask, SourceView, Summary,
    SynthesisTask,
};
use probity_research::driver::{Finished, Parts, research};
use probity_research::journal::{Forget, Journal};
use probity_research::live_gatherer::{LiveGatherer, Opening};
use probity_research::run::{RunSpec, Where};
use probity_web::search::SearchSettings;

const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let finished = run(Date::constant(2025, 1, 1)).await?;
    println!("{}", finished.report.title());
    println!("{}", finished.facts().gate.rationale);
    Ok(())
}

/// An analyst that wants recent sources.
struct Recent {
    since: Date,
    rest: Embedded,
}

impl Analyst for Recent {
    fn author(&self) -> Author {
        self.rest.author()
    }

    fn judge<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement> {
        if source.published.is_none_or(|day| day < self.since) {
            let why = format!("Published before {}, or nobody knows when.", self.since);
            return Box::pin(async { AnalystAnswer::free(Judgement { score: 1, why }) });
        }
        self.rest.judge(question, source)
    }

    fn plan<'a>(&'a self, question: &'a str, clarify: bool) -> Judging<'a, Planned> {
        self.rest.plan(question, clarify)
    }

    fn summarise<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Summary> {
        self.rest.summarise(question, source)
    }

    fn gaps<'a>(&'a self, task: GapsTask<'a>) -> Judging<'a, Gaps> {
        self.rest.gaps(task)
    }

    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft> {
        self.rest.synthesise(task)
    }

    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall> {
        self.rest.explain(task)
    }
}

/// Asks the example library, with sources since this day.
pub(crate) async fn run(since: Date) -> Result<Finished, Box<dyn Error>> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library");
    let question = Question::new(QUESTION)?;
    let spec = RunSpec {
        place: Where { library: Some(library.display().to_string()), ..Where::default() },
        ..RunSpec::usual("example", question, Mode::Standard, Clock::System.now())
    };
    let scorer = Scorer::new(spec.policy.clone(), HashMap::new(), spec.asked_at)?;
    let search = SearchSettings::default();
    let opening = Opening::usual(&search, scorer);
    let (gatherer, _) = LiveGatherer::open(opening, &spec.place).await?;
    let embedded = Embedded::new(TextReader::open("embedded")?);
    let analyst = Recent { since, rest: embedded.clone() };
    let journal = Journal::recording(&spec.run_id, Vec::new(), Forget, Clock::System)?;
    let parts = Parts::unattended(&spec, &journal, &analyst, &embedded, &gatherer);
    Ok(research(parts).await?)
}
