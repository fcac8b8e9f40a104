//! `probity bench`: how well the embedded judgement does on judged data, and what a load needs.

mod capacity;
mod credibility;
mod simulate;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use probity_text::relevance::Judgement;
use probity_text::relevance::evaluate::{Case, Figures, figures, judge_case};

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// What may be typed after `probity bench`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Judge a file of questions with graded passages and print how well answers were told from the rest.
    Relevance {
        /// JSON lines, or one JSON list, of {question, passages: [{text, title, grade or label}]}.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Compare what outlets are worth with ratings from elsewhere.
    Credibility(credibility::Args),
    /// Say how many workers a load needs.
    Capacity(capacity::Args),
}

/// Runs `probity bench`.
pub(crate) async fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    let file = match command {
        Command::Relevance { file } => file,
        Command::Credibility(args) => return credibility::run(args, app).await,
        Command::Capacity(args) => return capacity::run(args, app),
    };
    let cases = read(file)?;
    let started = Instant::now();
    let judged = judge_all(&cases)?;
    let seconds = started.elapsed().as_secs_f64();
    let found = figures(&cases, &judged);
    let mut out = output::stdout();
    if app.json {
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &found, seconds)?;
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

/// Judges all cases on all cores, in their order.
fn judge_all(cases: &[Case]) -> anyhow::Result<Vec<Vec<Judgement>>> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = cases.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let running: Vec<_> = cases
            .chunks(share)
            .map(|part| scope.spawn(|| part.iter().map(judge_case).collect::<Vec<_>>()))
            .collect();
        let mut judged = Vec::with_capacity(cases.len());
        for worker in running {
            judged.extend(
                worker
                    .join()
                    .map_err(|_| anyhow::anyhow!("a worker that judged passages stopped"))?,
            );
        }
        Ok(judged)
    })
}

fn write_text(out: &mut impl std::io::Write, found: &Figures, seconds: f64) -> anyhow::Result<()> {
    writeln!(out, "{} questions, {} passages", found.questions, found.passages)?;
    writeln!(out, "  MRR@10      {:.3}", found.mrr_at_10)?;
    writeln!(out, "  nDCG@10     {:.3}", found.ndcg_at_10)?;
    writeln!(out, "  AUC         {:.3}  by question; {:.3} over all", found.auc, found.pooled_auc)?;
    writeln!(out, "  grade            passages   kept     1     2     3     4     5")?;
    for (name, shares) in ["0 not", "1 close", "2 answers"].iter().zip(&found.grades) {
        let scores: String = shares.scores.iter().map(|count| format!("{count:6}")).collect();
        writeln!(out, "  {name:<15}{:10}  {:5.3}{scores}", shares.passages, shares.kept)?;
    }
    let passages = u32::try_from(found.passages).map_or(0.0, f64::from);
    writeln!(out, "  {:.0} pairs a second", passages / seconds.max(f64::EPSILON))?;
    Ok(())
}
