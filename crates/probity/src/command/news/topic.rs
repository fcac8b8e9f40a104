//! `probity news topic`: one topic, its articles, who speaks for it and why.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::printable;
use probity_news::rank::{credibility, rank, relevance};
use probity_store::topics::{CoverageQuery, Covered, TopicEvent, TopicRecord};
use serde::Serialize;

use super::categories::explain;
use super::topics::Member;
use crate::app::App;
use crate::failure::{WithHint as _, usage};
use crate::output;

/// What may be typed after `probity news topic`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The topic's number.
    #[arg(value_name = "TOPIC")]
    id: i64,
    /// How relevant the articles are to this category decides too.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
}

#[derive(Serialize)]
struct View<'a> {
    #[serde(flatten)]
    topic: &'a TopicRecord,
    why: &'a str,
    articles: Vec<Member<'a>>,
    events: &'a [TopicEvent],
}

/// Runs `probity news topic`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let category = match &args.category {
        Some(name) => Some(store.category(name).await.map_err(explain)?.id),
        None => None,
    };
    let Some(topic) = store.topic(args.id).await? else {
        return Err(usage(format!("there is no topic {}", args.id)))
            .hint("`probity news topics` shows those there are");
    };
    let query = CoverageQuery { topic: Some(args.id), category, since: None };
    let coverage = store.coverage(&query).await?;
    let by_category = category.is_some();
    let told = rank(coverage, by_category, 0.0, 1.0);
    let articles = told.first().map(|told| told.articles.as_slice()).unwrap_or_default();
    let events = store.topic_events(args.id).await?;
    let why = why(articles, by_category);
    if app.json {
        let articles = articles.iter().map(|one| Member::new(one, by_category)).collect();
        output::print_json(&View { topic: &topic, why: &why, articles, events: &events })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    writeln!(out, "{}", printable::line(&topic.label))?;
    if let Some(into) = topic.merged_into {
        writeln!(out, "It is part of topic {into} now.")?;
    }
    if !why.is_empty() {
        writeln!(out, "{}", printable::line(&why))?;
    }
    for (place, one) in articles.iter().enumerate() {
        let mark = if place == 0 { '*' } else { ' ' };
        let (relevance, credibility) = (relevance(one, by_category), credibility(one));
        let outlet = one.outlet.as_ref().map_or("unresolved", |outlet| outlet.as_str());
        let line = format!(
            "{mark} {:.2} = {relevance:.2} × {credibility:.2}  {:>7}  {outlet:<20}  {}",
            relevance * credibility,
            one.article,
            one.title
        );
        writeln!(out, "{}", printable::brief(&line, app.style.width().max(80)))?;
    }
    for event in &events {
        let kind = format!("{:?}", event.kind).to_lowercase();
        let other = event.other.map(|other| format!(" (topic {other})")).unwrap_or_default();
        writeln!(
            out,
            "  {}  topic {} {kind}{other}, {} articles",
            event.at, event.topic, event.articles
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Why the first article speaks for the topic and not the second.
fn why(articles: &[Covered], by_category: bool) -> String {
    let worth = |one: &Covered| relevance(one, by_category) * credibility(one);
    let name = |one: &Covered| {
        one.outlet.as_ref().map_or("an unresolved outlet".to_owned(), ToString::to_string)
    };
    let [first, rest @ ..] = articles else { return String::new() };
    let Some(second) = rest.first() else {
        return format!("{} alone reports it.", name(first));
    };
    if worth(first) > worth(second) + 1e-9 {
        let (a, b) = (worth(first), worth(second));
        return format!("{} speaks: {a:.3} against {b:.3} of {}.", name(first), name(second));
    }
    let by = if credibility(first) > credibility(second) + 1e-9 {
        "the higher credibility"
    } else if first.published_at != second.published_at {
        "the earlier publication"
    } else {
        "the smaller number"
    };
    format!("{} and {} are worth the same; {by} decides for the first.", name(first), name(second))
}
