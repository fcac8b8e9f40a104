//! `probity bench`: how well the embedded judgement does on judged data, and what a load needs.

mod answers;
mod capacity;
mod citations;
mod credibility;
mod figures;
mod injection;
mod simulate;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use figures::{Case, Figures, figures};
use probity_reader::{Stop, TextReader};
use probity_research::analyst::embedded::gate::{Judged, judge_text};
use probity_research::analyst::embedded::read::CachedReader;
use probity_text::lexical::{Query, Text};

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// What may be typed after `probity bench`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Judge a file of questions with graded passages and print how well answers were recognised.
    #[command(visible_alias = "reader")]
    Relevance {
        /// JSON lines, or one JSON list, of {question, passages: [{text, title, grade or label}]}.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Ask a library questions whose answers are known and print how often a report has them.
    Answers(answers::Args),
    /// Check a file of labelled claims and print how well supported ones were recognised.
    Citations {
        /// JSON lines of {claim, source, label} with an optional set; the label is `supported`,
        /// `partly`, `not_enough`, `contradicted` or `not_supported`.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Compare the scores of outlets with external ratings.
    Credibility(credibility::Args),
    /// Try prompt injections on pages and print how a model resists them: obedience, score lift,
    /// utility.
    Injection(injection::Args),
    /// Predict how many workers a load needs.
    Capacity(capacity::Args),
}

/// Runs `probity bench`.
pub(crate) async fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    let file = match command {
        Command::Relevance { file } => file,
        Command::Answers(args) => return answers::run(args, app).await,
        Command::Citations { file } => return citations::run(file, app),
        Command::Credibility(args) => return credibility::run(args, app).await,
        Command::Injection(args) => return injection::run(args, app).await,
        Command::Capacity(args) => return capacity::run(args, app),
    };
    let cases = read(file)?;
    let reader = app.reader()?;
    let started = Instant::now();
    let judged = judge_all(&cases, &reader);
    let seconds = started.elapsed().as_secs_f64();
    let found = figures(&cases, &judged);
    let baseline = figures(&cases, &cases.iter().map(by_words).collect::<Vec<_>>());
    let mut out = output::stdout();
    if app.json {
        let found = serde_json::json!({"reader": reader.name(), "judge": found, "bm25": baseline});
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &found, &baseline, reader.name(), seconds)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> anyhow::Result<Vec<Case>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| cannot_read(path, error))
        .hint("name a file of questions with graded passages")?;
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text)
            .map_err(|error| usage(format!("{}: {error}", path.display())));
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let case = |(number, line): (u64, &str)| {
        serde_json::from_str(line)
            .map_err(|error| usage(format!("{}, line {number}: {error}", path.display())))
    };
    lines.map(case).collect()
}

/// Judges all cases, in their order. The reader uses the cores.
fn judge_all(cases: &[Case], reader: &TextReader) -> Vec<Vec<Judged>> {
    let reading = CachedReader::new(reader.clone());
    let judge = |case: &Case| {
        let texts = case.passages.iter();
        texts
            .filter_map(|one| {
                judge_text(&case.question, &one.title, &one.text, &reading, &Stop::never()).ok()
            })
            .collect()
    };
    cases.iter().map(judge).collect()
}

/// The passages of a case by BM25 alone. It keeps nothing: it only orders.
fn by_words(case: &Case) -> Vec<Judged> {
    let texts: Vec<Text<'_>> =
        case.passages.iter().map(|one| Text { lead: &one.title, body: &one.text }).collect();
    let measured = Query::new(&case.question).measure(&texts);
    let judged = |bm25| Judged { score: 1, value: bm25, ..Judged::default() };
    measured.into_iter().map(|one| judged(one.bm25)).collect()
}

fn write_text(
    out: &mut impl std::io::Write,
    found: &Figures,
    bm25: &Figures,
    reader: &str,
    seconds: f64,
) -> anyhow::Result<()> {
    writeln!(out, "{} questions, {} passages, read by {reader}", found.questions, found.passages)?;
    writeln!(out, "                judge    BM25")?;
    writeln!(out, "  MRR@10        {:.3}    {:.3}", found.mrr_at_10, bm25.mrr_at_10)?;
    writeln!(out, "  nDCG@10       {:.3}    {:.3}", found.ndcg_at_10, bm25.ndcg_at_10)?;
    writeln!(out, "  AUC           {:.3}    {:.3}  by question", found.auc, bm25.auc)?;
    writeln!(out, "  AUC           {:.3}    {:.3}  over all", found.pooled_auc, bm25.pooled_auc)?;
    writeln!(out, "  grade            passages   kept     1     2     3     4     5")?;
    for (name, shares) in ["0 not", "1 close", "2 answers"].iter().zip(&found.grades) {
        let scores: String = shares.scores.iter().map(|count| format!("{count:6}")).collect();
        writeln!(out, "  {name:<15}{:10}  {:5.3}{scores}", shares.passages, shares.kept)?;
    }
    let passages = u32::try_from(found.passages).map_or(0.0, f64::from);
    writeln!(out, "  {:.0} pairs a second", passages / seconds.max(f64::EPSILON))?;
    Ok(())
}
