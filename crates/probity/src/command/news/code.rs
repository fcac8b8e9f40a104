//! `probity news code`: an editor's codes on a stored article, which nudge its outlet's score.

use std::process::ExitCode;

use probity_core::ArticleId;

use crate::app::App;
use crate::command::outlets::change;
use crate::command::outlets::code::Codes;
use crate::failure::{WithHint as _, missing, usage};

/// What may be typed after `probity news code`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The article's number, as `probity news articles` shows it.
    #[arg(value_name = "ARTICLE")]
    article: ArticleId,
    #[command(flatten)]
    codes: Codes,
}

/// Runs `probity news code`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let Some(article) = store.article(args.article).await? else {
        return Err(missing("article", args.article))
            .hint("`probity news articles` shows their numbers");
    };
    let Some(address) = article.publisher_url.as_deref().filter(|_| article.outlet.is_some())
    else {
        return Err(usage(format!("the publisher of article {} is not known", args.article)))
            .hint("code the outlet by its domain: `probity outlets code`");
    };
    let made = args.codes.apply(address, None, None, app).await?;
    // What was coded stays, so that the ledger's reference leads somewhere.
    let signed = &args.codes.signed;
    if !signed.dry_run {
        store.keep_articles(&[article.id], true).await?;
    }
    change::print(&made, signed.intent(), app).await
}
