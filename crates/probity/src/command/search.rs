//! `probity search`: what the providers find, and what of it a run would block.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::{Problem, SearchHit, printable};
use probity_credibility::Discovery;
use probity_research::gather::Origin;
use probity_research::live_gatherer;
use probity_store::library::Library;
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::search::{
    Found, LIBRARY, NEWS, Query, SearchContext, SearchSet, Selection, UrlList, query,
};
use serde::Serialize;

use crate::app::{App, not_opened};
use crate::failure::{WithHint as _, usage};
use crate::filter_args::FilterArgs;
use crate::{output, urls};

/// How many lines a snippet may take on a terminal.
const SNIPPET_LINES: usize = 3;

/// With fewer results that a run would download than this, what helps is said.
const FEW: usize = 3;

/// What may be typed after `probity search`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to search for.
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// The providers to ask: `auto`, or names separated by commas.
    #[arg(long, value_name = "NAMES")]
    search: Option<String>,
    /// How many results to show, and to ask each provider for.
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// The question that a run would ask; the query itself by default.
    #[arg(long, short, value_name = "TEXT")]
    question: Option<String>,
    /// A file of addresses, one per line, to treat as results (`-` for stdin). Without --search,
    /// nothing else is searched.
    #[arg(long, value_name = "FILE")]
    urls: Option<PathBuf>,
    // Last, because its heading would stand over whatever follows.
    #[command(flatten)]
    filter: FilterArgs,
}

/// The results as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Output<'a> {
    query: &'a str,
    blocked: usize,
    hits: &'a [Judged],
    problems: &'a [Problem],
}

/// A result with what a run would make of it before fetching anything.
#[derive(Serialize)]
struct Judged {
    #[serde(flatten)]
    hit: SearchHit,
    score: f64,
    blocked: bool,
    explanation: String,
}

/// Scores results as a run would that asks the question and sends the query.
async fn judge(
    hits: Vec<SearchHit>,
    query: &Query,
    question: Option<&str>,
    app: &App,
) -> anyhow::Result<Vec<Judged>> {
    let scorer = app.scorer().await?;
    let mut scorer = scorer.for_question(question.unwrap_or(query.text()));
    if question.is_some() {
        scorer = scorer.found_by([query.text()]);
    }
    let judge = |hit: SearchHit| {
        let assessment = scorer.assess(Discovery::from(&hit));
        let own = live_gatherer::origin(&hit) != Origin::Web;
        let explanation = match own {
            true => assessment.explanation_of_handed_over(),
            false => assessment.explanation(),
        };
        let score = assessment.score.total;
        Judged { hit, score, blocked: assessment.blocked() && !own, explanation }
    };
    Ok(hits.into_iter().map(judge).collect())
}

/// Runs `probity search`.
pub(crate) async fn run(args: Args, app: &App) -> anyhow::Result<ExitCode> {
    let query = query(&args, app)?;
    let set = providers(&args, app).await?;
    let mut found = set.search(&query).await;
    found.hits.truncate(query.limit());
    let hits = std::mem::take(&mut found.hits);
    let mut judging = app.clone();
    judging.settings.credibility = args.filter.policy(&app.settings.credibility);
    let hits = judge(hits, &query, args.question.as_deref(), &judging).await?;
    if app.json {
        let blocked = hits.iter().filter(|hit| hit.blocked).count();
        let problems = &found.problems;
        output::print_json(&Output { query: query.text(), blocked, hits: &hits, problems })?;
    } else {
        write_text(&mut output::stdout(), &query, &set, (&found, &hits), app)?;
    }
    if found.answered == 0 {
        if app.json {
            return Ok(ExitCode::FAILURE);
        }
        let names = set.names().join(", ");
        return Err(anyhow::anyhow!("no search provider answered ({names})"))
            .hint("the problems above say why; --search NAMES asks other providers");
    }
    Ok(ExitCode::SUCCESS)
}

fn query(args: &Args, app: &App) -> anyhow::Result<Query> {
    let limit = args.limit.unwrap_or(app.settings.search.results);
    if !(1..=query::RESULTS_MAX).contains(&limit) {
        return Err(usage(format!("--limit must be 1 to {}, not {limit}", query::RESULTS_MAX)));
    }
    let lang = app.settings.search.lang.clone();
    let query = Query::new(&args.query.join(" ")).map_err(|error| usage(error.to_string()))?;
    Ok(query.with_limit(limit).with_lang(lang).with_filters(args.filter.filters()?))
}

async fn providers(args: &Args, app: &App) -> anyhow::Result<SearchSet> {
    let settings = &app.settings.search;
    let client = ApiClient::new(ApiSettings::default())?;
    let mut context = SearchContext::new(client).with_clock(app.clock);
    let mut selection = match &args.search {
        Some(text) => Selection::parse(text).map_err(|error| usage(error.to_string()))?,
        None => settings.providers.clone(),
    };
    if let Some(path) = &args.urls {
        context = context.with_local(UrlList::read(&urls::read(path)?));
        selection =
            live_gatherer::with_urls(selection, args.search.is_some()).map_err(not_opened)?;
    }
    let context = match &selection {
        Selection::Auto => match app.existing_store().await? {
            Some(store) => live_gatherer::with_filled(context, &store).await.map_err(not_opened)?,
            None => context,
        },
        Selection::Named(names) => {
            for name in names.iter().filter(|name| [LIBRARY, NEWS].contains(&name.as_str())) {
                let store = app.store().await?;
                context = match name.as_str() {
                    LIBRARY => {
                        context.with_local(live_gatherer::provider(LIBRARY, Library::of(&store)))
                    }
                    _ => context.with_local(live_gatherer::news_provider(store)),
                };
            }
            context
        }
    };
    SearchSet::new(&selection, settings, context)
        .map_err(|error| usage(error.to_string()))
        .hint("`probity search --help` and docs/search.md list the providers")
}

fn write_text(
    out: &mut impl Write,
    query: &Query,
    set: &SearchSet,
    (found, hits): (&Found, &[Judged]),
    app: &App,
) -> anyhow::Result<()> {
    for (index, hit) in hits.iter().enumerate() {
        write_hit(out, index + 1, hit, app)?;
    }
    let blocked = hits.iter().filter(|hit| hit.blocked).count();
    if blocked > 0 {
        writeln!(out, "A run would not download {blocked} of {}.", hits.len())?;
        if hits.len() - blocked < FEW {
            writeln!(out, "--relevance soft counts words of like meaning too.")?;
        }
    }
    if hits.is_empty() && found.answered > 0 {
        let names = set.names().join(", ");
        writeln!(out, "Nothing was found for \"{}\" ({names}).", printable::line(query.text()))?;
    }
    out.flush()?;
    let label = Ansi::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    let mut stderr = std::io::stderr().lock();
    for problem in &found.problems {
        let label = app.style.stderr(label, "problem:");
        writeln!(stderr, "{label} {}", printable::line(&problem.to_string()))?;
    }
    Ok(())
}

fn write_hit(out: &mut impl Write, rank: usize, judged: &Judged, app: &App) -> anyhow::Result<()> {
    let hit = &judged.hit;
    let (bold, dim) = (Ansi::new().bold(), Ansi::new().dimmed());
    let title = if hit.title.is_empty() { "(no title)" } else { &hit.title };
    writeln!(out, "{rank:>3}. {}", app.style.stdout(bold, &printable::line(title)))?;
    writeln!(out, "     {}", printable::line(hit.url.as_str()))?;
    let mut origin = hit.providers.join(", ");
    if let Some(day) = hit.published {
        origin.push_str(&format!(" · {day}"));
    }
    writeln!(out, "     {}", app.style.stdout(dim, &printable::line(&origin)))?;
    for line in wrapped(&printable::line(&hit.snippet), app.style.width().saturating_sub(6)) {
        writeln!(out, "     {line}")?;
    }
    if judged.blocked {
        let red = Ansi::new().fg_color(Some(AnsiColor::Red.into()));
        let why = printable::line(&judged.explanation);
        writeln!(out, "     {} {why}", app.style.stdout(red, "would be blocked:"))?;
    }
    Ok(())
}

/// A text in at most [`SNIPPET_LINES`] lines, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == SNIPPET_LINES;
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) if full => {
                line.push_str(" …");
                break;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_snippet_takes_few_lines() {
        assert_eq!(wrapped("", 10), Vec::<String>::new());
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        let long = wrapped(&"word ".repeat(100), 20);
        assert_eq!(long.len(), 3);
        assert!(long[2].ends_with('…'));
    }
}
