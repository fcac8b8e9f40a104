//! `probity news cluster`: articles in, their stories out.

mod line;

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::{Outlet, printable};
use probity_credibility::outlet::Resolver;
use probity_news::cluster::{Settings, Story, stories};
use probity_news::represent::{Candidate, representative};
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::failure::usage;
use crate::json_lines::open;
use crate::output;
use line::{Item, Refused};

/// What may be typed after `probity news cluster`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// JSON lines {id, title, text, published, url}, of which text, published and url may be
    /// missing; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The mean likeness at which two groups of articles are one story, from 0 to 1.
    #[arg(long, value_name = "NUMBER", default_value_t = Settings::default().threshold)]
    threshold: f32,
    /// How many hours between two groups halve their likeness.
    #[arg(long, value_name = "HOURS", default_value_t = Settings::default().half_life_hours)]
    half_life: f32,
}

/// What is written for an article. The order of the fields is part of the format.
#[derive(Serialize)]
struct Placed<'a> {
    id: &'a Value,
    cluster: &'a Value,
    representative: &'a Value,
    is_representative: bool,
    size: usize,
    duplicate_of: Option<&'a Value>,
    outlet: Option<&'a Outlet>,
    credibility: f64,
}

/// A story with the article that represents it.
struct StoryView<'a> {
    story: &'a Story,
    representative: &'a str,
    duplicates: HashMap<&'a str, &'a str>,
}

/// Runs `probity news cluster`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let read = line::read(BufReader::new(open(&args.file)?))?;
    let judged = judge(read.items, app).await?;
    let articles = judged.iter().map(|one| one.item.article.clone());
    let found = stories(articles, settings);
    let by_id: HashMap<&str, &Judged> =
        judged.iter().map(|one| (one.item.article.id.as_str(), one)).collect();
    let views: Vec<StoryView<'_>> = found.iter().filter_map(|story| view(story, &by_id)).collect();
    let mut out = output::stdout();
    if app.json {
        write_lines(&mut out, &judged, &views, &by_id, &read.refused)?;
    } else {
        write_text(&mut out, &views, &by_id)?;
        for refused in &read.refused {
            output::note(&format!("line {}: {}", refused.line, refused.error));
        }
    }
    out.flush()?;
    Ok(if read.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn settings(args: &Args) -> anyhow::Result<Settings> {
    if !(0.0..=1.0).contains(&args.threshold) {
        return Err(usage("--threshold is a number from 0 to 1"));
    }
    if !(args.half_life > 0.0 && args.half_life.is_finite()) {
        return Err(usage("--half-life is a number of hours above 0"));
    }
    Ok(Settings { threshold: args.threshold, half_life_hours: args.half_life })
}

/// An article, and the credibility of its outlet.
struct Judged {
    item: Item,
    outlet: Option<Outlet>,
    credibility: f64,
}

async fn judge(items: Vec<Item>, app: &App) -> anyhow::Result<Vec<Judged>> {
    let ledger = app.ledger().await?;
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    let judge = |item: Item| {
        let found = item.url.as_deref().and_then(|url| resolver.resolve_text(url).ok());
        let outlet = found.filter(|found| found.resolved).and_then(|found| found.outlet);
        let known = outlet.as_ref().and_then(|outlet| ledger.get(outlet)).copied();
        Judged { item, outlet, credibility: known.unwrap_or(probity_news::NEUTRAL) }
    };
    Ok(items.into_iter().map(judge).collect())
}

fn view<'a>(story: &'a Story, by_id: &HashMap<&str, &Judged>) -> Option<StoryView<'a>> {
    let candidates: Vec<Candidate<'a>> = story
        .articles
        .iter()
        .filter_map(|id| {
            let one = by_id.get(id.as_str())?;
            let (credibility, published) = (one.credibility, one.item.article.published);
            // No category is asked about, so all are equally relevant.
            Some(Candidate { id, relevance: 1.0, credibility, published })
        })
        .collect();
    let representative = representative(&candidates)?.id;
    let duplicates = story.duplicates.iter().map(|(id, of)| (id.as_str(), of.as_str())).collect();
    Some(StoryView { story, representative, duplicates })
}

/// A line for each article in the order they came, then one for each that could not be read.
fn write_lines(
    out: &mut impl Write,
    judged: &[Judged],
    views: &[StoryView<'_>],
    by_id: &HashMap<&str, &Judged>,
    refused: &[Refused],
) -> anyhow::Result<()> {
    let mut story_of: HashMap<&str, &StoryView<'_>> = HashMap::with_capacity(judged.len());
    for one in views {
        story_of.extend(one.story.articles.iter().map(|id| (id.as_str(), one)));
    }
    let name = |id: &str| by_id.get(id).map_or(&Value::Null, |one| &one.item.id);
    for one in judged {
        let id = one.item.article.id.as_str();
        let Some(views) = story_of.get(id) else { continue };
        let placed = Placed {
            id: &one.item.id,
            cluster: views.story.articles.first().map_or(&Value::Null, |first| name(first)),
            representative: name(views.representative),
            is_representative: views.representative == id,
            size: views.story.articles.len(),
            duplicate_of: views.duplicates.get(id).map(|of| name(of)),
            outlet: one.outlet.as_ref(),
            credibility: one.credibility,
        };
        serde_json::to_writer(&mut *out, &placed)?;
        writeln!(out)?;
    }
    for refused in refused {
        serde_json::to_writer(&mut *out, refused)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The stories, the largest first, each with its articles.
fn write_text(
    out: &mut impl Write,
    views: &[StoryView<'_>],
    by_id: &HashMap<&str, &Judged>,
) -> anyhow::Result<()> {
    let mut views: Vec<&StoryView<'_>> = views.iter().collect();
    views.sort_by_key(|one| std::cmp::Reverse(one.story.articles.len()));
    let shown: HashSet<&str> = views.iter().map(|one| one.representative).collect();
    for one in views {
        for id in &one.story.articles {
            let Some(judged) = by_id.get(id.as_str()) else { continue };
            let mark = if shown.contains(id.as_str()) { '*' } else { ' ' };
            let title = printable::brief(&judged.item.article.title, 160);
            writeln!(out, "{mark} {:.2}  {title}", judged.credibility)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
