//! `probity outlets code`: codes applied to an outlet, an article or a report's source.

use std::process::ExitCode;

use probity_core::{Outlet, printable};
use probity_credibility::ledger::{
    Alpha, CodeName, CodingRequest, LedgerEvent, Signature, Subject,
};
use probity_store::ledger::{Intent, Newcomer};

use super::change::{self, Signed};
use super::{stream, target};
use crate::app::App;
use crate::failure::{WithHint as _, usage};

/// What may be typed after `probity outlets code`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The outlet's domain, or the address of the article that was read.
    #[arg(value_name = "OUTLET|URL", required_unless_present = "stdin", conflicts_with = "stdin")]
    target: Option<String>,
    /// A code from the codebook; give it again for more.
    #[arg(
        long = "code",
        value_name = "CODE",
        value_delimiter = ',',
        required_unless_present = "stdin",
        conflicts_with = "stdin"
    )]
    codes: Vec<String>,
    /// Who codes.
    #[arg(long, value_name = "NAME", required_unless_present = "stdin")]
    by: Option<String>,
    /// Why, in one line.
    #[arg(long, value_name = "TEXT", conflicts_with = "stdin")]
    note: Option<String>,
    /// How far the score moves towards its target, from 0 to 1; the configured step by default.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// The run in whose report the address was a source.
    #[arg(long, value_name = "RUN", conflicts_with = "stdin")]
    run: Option<String>,
    /// Add the outlet even if its name is one letter off that of an outlet in the ledger. The
    /// address of an article does so by itself.
    #[arg(long)]
    new: bool,
    /// Show what would happen, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Read codings as JSON lines {target, codes, by, note, alpha, run} from stdin and write one
    /// line for each as soon as it is committed.
    #[arg(long)]
    stdin: bool,
}

/// Codes for something that has a number of its own.
#[derive(clap::Args)]
pub(crate) struct Codes {
    /// A code from the codebook; give more for more.
    #[arg(value_name = "CODE", required = true)]
    codes: Vec<String>,
    #[command(flatten)]
    pub(crate) signed: Signed,
    /// How far the score moves towards its target, from 0 to 1; the configured step by default.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
}

impl Codes {
    /// Applies them to the outlet of an address.
    pub(crate) async fn apply(
        &self,
        target: &str,
        outlet: Option<&Outlet>,
        run: Option<&str>,
        app: &App,
    ) -> anyhow::Result<LedgerEvent> {
        let asked = Asked {
            target,
            outlet,
            codes: &self.codes,
            by: &self.signed.by,
            note: self.signed.note.as_deref(),
            alpha: self.alpha,
            run,
            new: true,
        };
        let (request, newcomer) = read(&asked, app)?;
        let made = app.store().await?.code(request, newcomer, self.signed.intent()).await;
        made.map_err(change::explain)
    }
}

/// A coding as it was asked for, on the command line or in a line of stdin.
pub(crate) struct Asked<'a> {
    pub(crate) target: &'a str,
    /// The outlet, where more is known of it than its address tells.
    pub(crate) outlet: Option<&'a Outlet>,
    pub(crate) codes: &'a [String],
    pub(crate) by: &'a str,
    pub(crate) note: Option<&'a str>,
    pub(crate) alpha: Option<f64>,
    pub(crate) run: Option<&'a str>,
    pub(crate) new: bool,
}

/// Runs `probity outlets code`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let intent = if args.dry_run { Intent::Preview } else { Intent::Apply };
    if args.stdin {
        let defaults =
            stream::Defaults { by: args.by.clone(), alpha: args.alpha, new: args.new, intent };
        return stream::run(&defaults, app).await;
    }
    let (Some(target), Some(by)) = (&args.target, &args.by) else {
        return Err(usage("give an outlet or an address, --code and --by"));
    };
    let asked = Asked {
        target,
        outlet: None,
        codes: &args.codes,
        by,
        note: args.note.as_deref(),
        alpha: args.alpha,
        run: args.run.as_deref(),
        new: args.new,
    };
    let (request, newcomer) = read(&asked, app)?;
    let made = app.store().await?.code(request, newcomer, intent).await;
    change::print(&made.map_err(change::explain)?, intent, app).await
}

/// Checks everything that can be checked without the store.
pub(crate) fn read(asked: &Asked<'_>, app: &App) -> anyhow::Result<(CodingRequest, Newcomer)> {
    let alpha = Alpha::new(asked.alpha.unwrap_or(app.settings.ledger.alpha))
        .map_err(|error| usage(error.to_string()))?;
    let codes = asked.codes.iter().map(|code| CodeName::new(code.trim()));
    let codes = codes
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| usage(error.to_string()))
        .hint("`probity outlets codebook` lists the codes")?;
    let signature =
        Signature::new(asked.by, asked.note).map_err(|error| usage(error.to_string()))?;
    let target = target::read(asked.target, app)?;
    let subject = match (asked.run, &target.url) {
        (Some(run), Some(url)) => Subject::report_source(run, url),
        (Some(run), None) => {
            let run = printable::brief(run, 40);
            return Err(usage(format!("a source of the run {run} is named by its address")));
        }
        (None, _) => target.subject,
    };
    let outlet = asked.outlet.cloned().unwrap_or(target.outlet);
    // A user who has read an article there means an outlet that exists.
    let newcomer = change::newcomer(asked.new || target.url.is_some());
    Ok((CodingRequest { outlet, subject, codes, alpha, signature }, newcomer))
}
