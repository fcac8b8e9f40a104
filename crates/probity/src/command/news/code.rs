//! `probity news code`: an editor's codes on a stored article, which nudge its outlet's score.

use std::process::ExitCode;

use crate::app::App;
use crate::command::outlets::change::Signed;
use crate::command::outlets::{change, code};
use crate::failure::{WithHint as _, missing, usage};

/// What may be typed after `probity news code`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The article's number, as `probity news articles` shows it.
    #[arg(value_name = "ARTICLE")]
    article: i64,
    /// A code from the codebook; give more for more.
    #[arg(value_name = "CODE", required = true)]
    codes: Vec<String>,
    #[command(flatten)]
    signed: Signed,
    /// How far the score moves towards its target, from 0 to 1; the configured step by default.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
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
    let asked = code::Asked {
        target: address,
        outlet: None,
        codes: &args.codes,
        by: &args.signed.by,
        note: args.signed.note.as_deref(),
        alpha: args.alpha,
        run: None,
        new: true,
    };
    let intent = args.signed.intent();
    let (request, newcomer) = code::read(&asked, app)?;
    let made = store.code(request, newcomer, intent).await.map_err(change::explain)?;
    // What was coded stays, so that the ledger's reference leads somewhere.
    if !args.signed.dry_run {
        store.keep_articles(&[article.id], true).await?;
    }
    change::print(&made, intent, app).await
}
