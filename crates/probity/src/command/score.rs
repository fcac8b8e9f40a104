//! `probity score`: what a page would be worth before it is fetched.

use std::borrow::Cow;
use std::io::{BufRead, Read as _, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use anyhow::Context as _;
use jiff::civil::Date;
use probity_core::{Band, WebUrl, limits, printable};
use probity_credibility::score::QuestionScorer;
use probity_credibility::{Assessment, AuthoritySource, Discovery, Question, Tier};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::output;

/// What may be typed after `probity score`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The pages to score.
    #[arg(value_name = "URL", required_unless_present = "stdin", conflicts_with = "stdin")]
    urls: Vec<String>,
    /// The question the pages are scored against.
    #[arg(long, short, value_name = "TEXT")]
    question: String,
    /// The title, as a search would give it.
    #[arg(long, value_name = "TEXT", default_value = "", conflicts_with = "stdin")]
    title: String,
    /// The excerpt, as a search would give it.
    #[arg(long, value_name = "TEXT", default_value = "", conflicts_with = "stdin")]
    snippet: String,
    /// The day of publication, as a search would give it.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "stdin")]
    date: Option<Date>,
    /// Read JSON lines {url, title, snippet, date} from stdin and write one scored line for each.
    #[arg(long)]
    stdin: bool,
}

/// One scored page, as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Scored<'a> {
    url: &'a str,
    host: &'a str,
    outlet: Option<&'a str>,
    tier: Tier,
    authority: f64,
    authority_source: AuthoritySource,
    relevance: f64,
    recency: f64,
    score: f64,
    blocked: bool,
    explanation: &'a str,
}

impl<'a> Scored<'a> {
    fn new(url: &'a WebUrl, assessment: &'a Assessment, explanation: &'a str) -> Self {
        Self {
            url: url.as_str(),
            host: url.host(),
            outlet: assessment.outlet.as_ref().map(|outlet| outlet.as_str()),
            tier: assessment.tier,
            authority: assessment.score.authority,
            authority_source: assessment.authority_source,
            relevance: tidy(assessment.score.relevance),
            recency: assessment.score.recency,
            score: tidy(assessment.score.total),
            blocked: assessment.blocked(),
            explanation,
        }
    }
}

/// Rounds away the noise of binary fractions: 0.8600000000000001 is 0.86.
fn tidy(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}

/// Runs `probity score`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let question = Question::new(&args.question)
        .map_err(|error| usage(error.to_string()))
        .hint("ask about something, for example: --question \"How loud may music be at night?\"")?;
    let scorer = app.scorer().await?;
    let mut scorer = scorer.for_question(question.as_str());
    if args.stdin {
        return score_lines(&mut scorer, std::io::stdin().lock(), output::stdout());
    }
    // Refuse all of a call with a bad address, rather than printing half of its answer.
    let urls = args.urls.iter().map(|text| parse_url(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut out = output::stdout();
    for url in &urls {
        let page =
            Discovery { url, title: &args.title, snippet: &args.snippet, published: args.date };
        let assessment = scorer.assess(page);
        let explanation = assessment.explanation();
        if app.json {
            serde_json::to_writer(&mut out, &Scored::new(url, &assessment, &explanation))?;
            writeln!(out)?;
        } else {
            write_text(&mut out, url, &assessment, app)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn parse_url(text: &str) -> anyhow::Result<WebUrl> {
    WebUrl::parse(text)
        .map_err(|error| usage(format!("{}: {error}", printable::brief(text, 80))))
        .hint("give the whole address, for example https://www.reuters.com/world/")
}

fn write_text(
    out: &mut impl Write,
    url: &WebUrl,
    assessment: &Assessment,
    app: &App,
) -> anyhow::Result<()> {
    let bold = Ansi::new().bold();
    let (verdict, color) = if assessment.blocked() {
        ("blocked", AnsiColor::Red)
    } else {
        ("may be fetched", AnsiColor::Green)
    };
    let verdict = app.style.stdout(bold.fg_color(Some(color.into())), verdict);
    let score = &assessment.score;
    writeln!(out, "{}", app.style.stdout(bold, &printable::line(url.as_str())))?;
    writeln!(
        out,
        "  score      {:.2}  {verdict} (threshold {})",
        score.total, assessment.threshold
    )?;
    let outlet = assessment.outlet.as_ref().map_or("none", |outlet| outlet.as_str());
    let tier = format!("tier {} {:.2}", assessment.tier.words(), assessment.tier_value);
    match assessment.authority_source {
        AuthoritySource::Ledger => {
            let band = Band::of(score.authority).words();
            writeln!(
                out,
                "  authority  {:.2}  ledger: {outlet}, {band} ({tier})",
                score.authority
            )?;
        }
        AuthoritySource::Tier => {
            writeln!(out, "  authority  {:.2}  {tier}; outlet: {outlet}", score.authority)?;
        }
    }
    let missing = match assessment.missing.as_slice() {
        [] => String::new(),
        words => format!("; missing: {}", printable::brief(&words.join(", "), 200)),
    };
    let found = assessment.words - assessment.missing.len();
    let words = assessment.words;
    writeln!(
        out,
        "  relevance  {:.2}  {found} of {words} question words{missing}",
        score.relevance
    )?;
    let recent =
        assessment.recency_evidence.as_deref().unwrap_or("no recent year or \"ago\" found");
    writeln!(out, "  recency    {:.2}  {}", score.recency, printable::line(recent))?;
    Ok(())
}

/// A line of `--stdin`.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow, default)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    snippet: Option<Cow<'a, str>>,
    #[serde(default)]
    date: Option<Date>,
}

/// What is written for a line that cannot be scored, so that lines out match lines in.
#[derive(Serialize)]
struct Unscored {
    line: u64,
    error: String,
}

/// Scores line by line in constant memory. A bad line becomes an error line and the exit code 1.
fn score_lines(
    scorer: &mut QuestionScorer<'_>,
    mut input: impl BufRead,
    mut out: impl Write,
) -> anyhow::Result<ExitCode> {
    let mut buffer = Vec::new();
    let (mut number, mut bad) = (0u64, 0u64);
    loop {
        buffer.clear();
        let limit = limits::JSON_LINE_BYTES as u64 + 1;
        let read = input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut buffer)
            .context("cannot read stdin")?;
        if read == 0 {
            break;
        }
        number += 1;
        let scored = if buffer.last() != Some(&b'\n') && buffer.len() as u64 >= limit {
            input.skip_until(b'\n').context("cannot read stdin")?;
            Err(format!("the line is longer than {} bytes", limits::JSON_LINE_BYTES))
        } else if buffer.trim_ascii().is_empty() {
            continue;
        } else {
            score_line(scorer, &buffer, &mut out)?
        };
        if let Err(error) = scored {
            bad += 1;
            serde_json::to_writer(&mut out, &Unscored { line: number, error })?;
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    if bad > 0 {
        return Err(anyhow::anyhow!("{bad} of {number} lines could not be scored"))
            .hint("each has an `error` field in the output that says why");
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes one scored line; the inner error is the line's own fault.
fn score_line(
    scorer: &mut QuestionScorer<'_>,
    line: &[u8],
    out: &mut impl Write,
) -> anyhow::Result<Result<(), String>> {
    let line: Line<'_> = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) => return Ok(Err(format!("not a JSON object with a url: {error}"))),
    };
    let url = match WebUrl::parse(&line.url) {
        Ok(url) => url,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let assessment = scorer.assess(Discovery {
        url: &url,
        title: line.title.as_deref().unwrap_or_default(),
        snippet: line.snippet.as_deref().unwrap_or_default(),
        published: line.date,
    });
    let explanation = assessment.explanation();
    serde_json::to_writer(out, &Scored::new(&url, &assessment, &explanation))?;
    Ok(Ok(()))
}
