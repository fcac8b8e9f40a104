//! `probity score`: what a page would be worth before it is fetched.

mod lines;

use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use jiff::civil::Date;
use probity_core::{Band, WebUrl, printable};
use probity_credibility::relevance::Near;
use probity_credibility::{Assessment, Discovery, QueryShare, Question, Scored, Share};

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
    /// A query that found the pages; relevance is the larger of its share and the question's. May
    /// be repeated.
    #[arg(long, value_name = "TEXT")]
    query: Vec<String>,
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

/// Runs `probity score`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let question = Question::new(&args.question)
        .map_err(|error| usage(error.to_string()))
        .hint("ask about something, for example: --question \"How loud may music be at night?\"")?;
    let scorer = app.scorer().await?;
    let queries = args.query.iter().map(String::as_str);
    let mut scorer = scorer.for_question(question.as_str()).found_by(queries);
    if args.stdin {
        return lines::score_lines(&mut scorer, std::io::stdin().lock(), output::stdout());
    }
    // Refuse all of a call with a bad address, rather than printing half of its answer.
    let urls = args.urls.iter().map(|text| parse_url(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut out = output::stdout();
    for url in &urls {
        let page =
            Discovery { url, title: &args.title, snippet: &args.snippet, published: args.date };
        let assessment = scorer.assess(page);
        if app.json {
            serde_json::to_writer(&mut out, &Scored::new(url, &assessment))?;
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
    let authority = &assessment.authority;
    let outlet = authority.outlet.as_ref().map_or("none", |outlet| outlet.as_str());
    writeln!(
        out,
        "  authority  {:.2}  {}: {authority}; outlet: {outlet}",
        score.authority,
        Band::of(score.authority).words(),
    )?;
    let relevance = score.relevance;
    writeln!(out, "  relevance  {relevance:.2}  {}", shown(&assessment.question, "question"))?;
    if let Some(QueryShare { query, share }) = &assessment.query {
        let query = printable::brief(query, 80);
        writeln!(out, "                   {}: “{query}”", shown(share, "query"))?;
    }
    let recent =
        assessment.recency_evidence.as_deref().unwrap_or("no recent year or \"ago\" found");
    writeln!(out, "  recency    {:.2}  {}", score.recency, printable::line(recent))?;
    Ok(())
}

/// "3 of 5 question words; missing: night, town".
fn shown(share: &Share, whose: &str) -> String {
    let list = |title: &str, words: &[String]| match words {
        [] => String::new(),
        words => format!("; {title}: {}", printable::brief(&words.join(", "), 200)),
    };
    let near = |near: &Near| format!("{} by {} {:.2}", near.word, near.by, near.counts);
    let near = list("near", &share.near.iter().map(near).collect::<Vec<_>>());
    let missing = share.missing.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let missing = list("missing", &missing);
    format!("{} of {} {whose} words{near}{missing}", share.found, share.words())
}
