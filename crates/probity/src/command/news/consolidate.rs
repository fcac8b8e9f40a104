//! `probity news consolidate`: judge, group and route the articles of the window, now.

use std::process::ExitCode;

use probity_core::counted;
use probity_news::consolidate::Turn;

use crate::app::App;
use crate::failure::WithHint as _;
use crate::newsroom;
use crate::output;

/// Runs `probity news consolidate`.
pub(crate) async fn run(app: &App) -> anyhow::Result<ExitCode> {
    let turn = newsroom::consolidate(app)
        .await?
        .ok_or_else(|| anyhow::anyhow!("another process is consolidating the topics"))
        .hint("wait for it, or look at what there is: `probity news topics`")?;
    if app.json {
        output::print_json(&turn)?;
    } else {
        output::print_line(&summary(&turn))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a turn came to, in a line.
pub(crate) fn summary(turn: &Turn) -> String {
    let Turn { articles, stories, created, changed, merged, split, judged, by_model, .. } = turn;
    let by_model = match by_model {
        0 => String::new(),
        count => format!(", {count} of them by a language model"),
    };
    let articles = counted(*articles, "article tells", "articles tell");
    let stories = counted(*stories, "story", "stories");
    let created = counted(*created, "new topic", "new topics");
    format!(
        "{articles} {stories}: {created}, {changed} changed, \
         {merged} merged, {split} split; {judged} judged by category{by_model}."
    )
}
