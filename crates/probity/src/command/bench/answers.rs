//! `probity bench answers`: how often a report over a library holds the answer, beside plain search.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use probity_core::{Decision, Mode};
use probity_credibility::Question;
use probity_report::assemble::Body;
use probity_report::phrases::Phrases;
use probity_research::execute::{Execution, RunEnvironment};
use probity_research::run::{ModelUse, RunSpec, Where};
use probity_text::lexical::{Query, Text};
use probity_text::passages::passages;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// How many words of the best passage by BM25 are compared.
const PASSAGE_WORDS: usize = 150;

/// What may be typed after `probity bench answers`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A JSON list of {question, gold: [any of these texts is the answer], answerable, false_premise}.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder with the documents.
    #[arg(long, value_name = "DIR")]
    library: PathBuf,
    /// Quick runs instead of standard ones.
    #[arg(long, conflicts_with = "deep")]
    quick: bool,
    /// Deep runs instead of standard ones.
    #[arg(long)]
    deep: bool,
    /// Print a line for every question.
    #[arg(long)]
    each: bool,
}

/// A question whose answer is known.
#[derive(Deserialize)]
struct Asked {
    question: String,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default = "yes")]
    answerable: bool,
    #[serde(default)]
    kind: String,
    /// Whether a question without an answer takes something for granted that is not so.
    #[serde(default)]
    false_premise: bool,
}

fn yes() -> bool {
    true
}

/// The result of a question.
#[derive(Serialize)]
struct Outcome {
    question: String,
    kind: String,
    answerable: bool,
    false_premise: bool,
    decision: Decision,
    /// Whether the report says that no source states the answer.
    unstated: bool,
    /// Whether the headline or the summary has the answer.
    told: bool,
    /// Whether the report has it anywhere.
    held: bool,
    /// Whether the best passage by BM25 has it.
    bm25: bool,
    confidence: Option<String>,
    headline: String,
}

/// The figures of all questions.
#[derive(Default, Serialize)]
struct Figures {
    answerable: usize,
    refused: usize,
    told: usize,
    held: usize,
    bm25: usize,
    /// Questions without an answer, and those of them that take something false for granted.
    without: Without,
    false_premise: Without,
    /// For each level of confidence: reports that state an answer, and how many of them tell the right one.
    levels: std::collections::BTreeMap<String, (usize, usize)>,
}

/// The result of questions without an answer.
#[derive(Default, Serialize)]
struct Without {
    asked: usize,
    refused: usize,
    unstated: usize,
}

impl Without {
    fn add(&mut self, one: &Outcome) {
        self.asked += 1;
        self.refused += usize::from(one.is_refused());
        self.unstated += usize::from(!one.is_refused() && one.unstated);
    }

    fn write(&self, out: &mut impl std::io::Write, what: &str) -> anyhow::Result<()> {
        writeln!(out, "{} questions {what}", self.asked)?;
        writeln!(
            out,
            "  refused                        {:5.1} %",
            share(self.refused, self.asked)
        )?;
        writeln!(
            out,
            "  said to be unstated            {:5.1} %",
            share(self.unstated, self.asked)
        )?;
        Ok(())
    }
}

impl Outcome {
    fn is_refused(&self) -> bool {
        self.decision == Decision::InsufficientData
    }
}

/// A part in per cent.
fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Runs `probity bench answers`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let text =
        std::fs::read_to_string(&args.file).map_err(|error| cannot_read(&args.file, error))?;
    let asked: Vec<Asked> = serde_json::from_str(&text)
        .map_err(|error| usage(format!("{}: {error}", args.file.display())))
        .hint("the file is a JSON list of {question, gold, answerable}")?;
    let mode = match (args.quick, args.deep) {
        (true, _) => Mode::Quick,
        (_, true) => Mode::Deep,
        _ => Mode::Standard,
    };
    let place = Where { library: Some(args.library.display().to_string()), ..Where::default() };
    let (gatherer, _) = app.open_gatherer(&place, None, None).await?;
    let texts = gatherer.library_texts().await?;
    let cut: Vec<_> = texts
        .iter()
        .flat_map(|(title, text)| {
            let found = passages(title, text, &[]);
            found
                .into_iter()
                .map(move |passage| (passage.lead.clone(), passage.text(text).to_owned()))
        })
        .collect();
    let gatherer = std::sync::Arc::new(gatherer);
    let mut out = output::stdout();
    let mut figures = Figures::default();
    for one in &asked {
        let environment = RunEnvironment {
            gatherer: Box::new(std::sync::Arc::clone(&gatherer)),
            model_set: None,
            reader: app.reader()?,
            problems: Vec::new(),
        };
        let outcome = ask(one, &place, mode, environment, app, &cut).await?;
        figures.add(&outcome);
        if app.json {
            writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
        } else if args.each {
            let mark = |yes: bool, sign| if yes { sign } else { '-' };
            let signs: String =
                [mark(outcome.told, 't'), mark(outcome.held, 'h'), mark(outcome.bm25, 'b')]
                    .iter()
                    .collect();
            let decision = outcome.decision.as_str();
            writeln!(out, "{signs} {decision:<17} {} → {}", outcome.question, outcome.headline)?;
        }
    }
    if app.json {
        writeln!(out, "{}", serde_json::to_string(&figures)?)?;
    } else {
        figures.write(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn ask(
    one: &Asked,
    place: &Where,
    mode: Mode,
    environment: RunEnvironment,
    app: &App,
    cut: &[(String, String)],
) -> anyhow::Result<Outcome> {
    let question = Question::new(&one.question).map_err(|error| usage(error.to_string()))?;
    let spec = RunSpec {
        place: place.clone(),
        ..app.run_spec("bench".to_owned(), question, mode, ModelUse::default())
    };
    let execution = Execution::unattended(&spec, app.clock);
    let finished = execution.forgetting(environment).await?;
    let report = &finished.report;
    let (top, all) = match report.body() {
        Body::Report { summary, .. } => {
            let top = format!("{}\n{}", report.title(), summary.join("\n"));
            let all: Vec<&str> = report.statements().map(|one| one.text.as_str()).collect();
            (top.clone(), format!("{top}\n{}", all.join("\n")))
        }
        Body::Shortfall { .. } => (String::new(), String::new()),
    };
    Ok(Outcome {
        question: one.question.clone(),
        kind: one.kind.clone(),
        answerable: one.answerable,
        false_premise: one.false_premise,
        decision: report.facts().gate.decision,
        unstated: Phrases::says_nothing(report.title())
            || report.title().starts_with("Not so")
            || Phrases::contradicted_claim(report.title()).is_some(),
        told: holds(&top, &one.gold),
        held: holds(&all, &one.gold),
        bm25: holds(&best_passage(&one.question, cut), &one.gold),
        confidence: report.confidence().map(|found| found.level.as_str().to_owned()),
        headline: report.title().to_owned(),
    })
}

fn best_passage(question: &str, cut: &[(String, String)]) -> String {
    let texts: Vec<Text<'_>> = cut.iter().map(|(lead, body)| Text { lead, body }).collect();
    let measured = Query::new(question).measure(&texts);
    let best = measured.iter().enumerate().max_by(|a, b| a.1.bm25.total_cmp(&b.1.bm25));
    let body = best.and_then(|(at, _)| cut.get(at)).map_or("", |(_, body)| body.as_str());
    body.split_whitespace().take(PASSAGE_WORDS).collect::<Vec<_>>().join(" ")
}

/// Whether a text has any of the answers, whatever their case, spaces and quotation marks.
fn holds(text: &str, gold: &[String]) -> bool {
    let plain = |text: &str| {
        let text = text.to_lowercase().replace(['“', '”', '"'], "").replace(['‘', '’'], "'");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = plain(text);
    gold.iter().any(|gold| text.contains(&plain(gold)))
}

impl Figures {
    fn add(&mut self, one: &Outcome) {
        if let Some(level) = one.confidence.as_ref().filter(|_| !one.unstated) {
            let counts = self.levels.entry(level.clone()).or_default();
            counts.0 += 1;
            counts.1 += usize::from(one.answerable && one.told);
        }
        if !one.answerable {
            let without =
                if one.false_premise { &mut self.false_premise } else { &mut self.without };
            return without.add(one);
        }
        self.answerable += 1;
        self.refused += usize::from(one.is_refused());
        self.told += usize::from(one.told);
        self.held += usize::from(one.held);
        self.bm25 += usize::from(one.bm25);
    }

    fn write(&self, out: &mut impl std::io::Write) -> anyhow::Result<()> {
        let of = |part| share(part, self.answerable);
        writeln!(out, "{} questions with an answer", self.answerable)?;
        writeln!(out, "  answer in headline or summary  {:5.1} %", of(self.told))?;
        writeln!(out, "  answer anywhere in the report  {:5.1} %", of(self.held))?;
        writeln!(out, "  refused                        {:5.1} %", of(self.refused))?;
        writeln!(out, "  first passage by BM25          {:5.1} %", of(self.bm25))?;
        self.without.write(out, "without one")?;
        if self.false_premise.asked > 0 {
            self.false_premise.write(out, "with a false premise")?;
        }
        writeln!(out, "reports that state an answer, by confidence")?;
        for (level, (reports, right)) in &self.levels {
            let right = share(*right, *reports);
            writeln!(out, "  {level:<8} {reports:4} reports, {right:5.1} % right")?;
        }
        Ok(())
    }
}
