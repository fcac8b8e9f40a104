//! `probity news topic`: one topic, its articles, who speaks for it and why.

use std::io::Write as _;
use std::process::ExitCode;

use probity_core::{TopicId, counted, printable};
use probity_news::rank::{credibility, relevance};
use probity_news::topic_view::{self, Account};
use probity_server::api::topics::TopicView;

use super::categories::explain;
use crate::app::App;
use crate::failure::{WithHint as _, missing};
use crate::output;

/// What may be typed after `probity news topic`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The topic's number.
    #[arg(value_name = "TOPIC")]
    id: TopicId,
    /// How relevant the articles are to this category decides too.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
}

/// Runs `probity news topic`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let account =
        topic_view::topic(&store, args.id, args.category.as_deref()).await.map_err(explain)?;
    let Some(account) = account else {
        return Err(missing("topic", args.id)).hint("`probity news topics` lists the topics");
    };
    if app.json {
        output::print_json(&TopicView::new(&account))?;
        return Ok(ExitCode::SUCCESS);
    }
    let by_category = account.category.is_some();
    let Account { topic, articles, why, events, .. } = account;
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
        let kind = event.kind.as_str();
        let other = event.other.map(|other| format!(" (topic {other})")).unwrap_or_default();
        writeln!(
            out,
            "  {}  topic {} {kind}{other}, {}",
            event.at,
            event.topic,
            counted(event.articles, "article", "articles")
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
