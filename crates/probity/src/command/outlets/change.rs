//! What every change has in common: who signs it, whether it is only shown, how it is shown.

use std::process::ExitCode;

use probity_core::Band;
use probity_credibility::Authority;
use probity_credibility::ledger::{LedgerEvent, Signature};
use probity_server::api::ledger::EventView;
use probity_store::ledger::{Intent, LedgerError, Newcomer};
use serde::Serialize;

use super::view::reason;
use crate::app::App;
use crate::failure::{Hint, usage};
use crate::output;

/// Who makes a change, and whether it is made.
#[derive(clap::Args)]
pub(crate) struct Signed {
    /// Who makes the change.
    #[arg(long, value_name = "NAME")]
    pub(crate) by: String,
    /// Why, in one line.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Show what would happen, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl Signed {
    /// The signature, if its texts are plain.
    pub(crate) fn signature(&self) -> anyhow::Result<Signature> {
        signature(&self.by, self.note.as_deref())
    }

    /// Whether the change is made.
    pub(crate) fn intent(&self) -> Intent {
        if self.dry_run { Intent::Preview } else { Intent::Apply }
    }
}

/// A signature, if its texts are plain.
pub(crate) fn signature(by: &str, note: Option<&str>) -> anyhow::Result<Signature> {
    Signature::new(by, note).map_err(|error| usage(error.to_string()))
}

/// A typed mistake is no reason to add an outlet.
pub(crate) fn newcomer(new: bool) -> Newcomer {
    if new { Newcomer::Add } else { Newcomer::Guard }
}

/// An outlet's authority in research, and why.
#[derive(Serialize)]
pub(crate) struct Research {
    pub(crate) authority: f64,
    pub(crate) explanation: String,
}

impl Research {
    pub(crate) fn new(authority: &Authority) -> Self {
        let value = (authority.value * 1e12).round() / 1e12;
        Self { authority: value, explanation: authority.to_string() }
    }

    /// As it is once an event counts.
    pub(crate) async fn after(event: &LedgerEvent, app: &App) -> anyhow::Result<Self> {
        let record = event.record();
        let mut scorer = app.scorer_without_ledger()?;
        let known = app.store().await?.known_after(record, scorer.policy()).await?;
        scorer.learn([(record.outlet.clone(), known)]);
        Ok(Self::new(&scorer.authority_of(&record.outlet)))
    }
}

fn with_hint(error: &LedgerError, hint: impl Into<String>) -> anyhow::Error {
    usage(error.to_string()).context(Hint(hint.into()))
}

/// What a person typed wrong is a usage error with the way out; the rest is a failure.
pub(crate) fn explain(error: LedgerError) -> anyhow::Error {
    let hint = match &error {
        LedgerError::LooksLike { outlet, known } => {
            format!("name {known} if you mean it; `--new` adds {outlet} anyway")
        }
        LedgerError::UnknownEvent(_) => {
            "`probity outlets history OUTLET` shows their numbers".into()
        }
        LedgerError::Coding(_) | LedgerError::Codebook(_) => {
            "`probity outlets codebook` lists the codes".into()
        }
        LedgerError::Foreign(_) | LedgerError::Twice(_) => {
            return usage(error.to_string());
        }
        LedgerError::Tampered(_) | LedgerError::Store(_) => return error.into(),
    };
    with_hint(&error, hint)
}

/// A change as JSON: the event, and what it means.
#[derive(Serialize)]
pub(crate) struct ChangeView {
    pub(crate) dry_run: bool,
    pub(crate) band: &'static str,
    #[serde(flatten)]
    pub(crate) event: EventView,
    /// None where many changes are reported at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) research: Option<Research>,
}

impl ChangeView {
    pub(crate) fn new(event: &LedgerEvent, intent: Intent, research: Option<Research>) -> Self {
        let record = event.record();
        let (dry_run, event) = match intent {
            Intent::Apply => (false, EventView::new(record)),
            Intent::Preview => (true, EventView::preview(record)),
        };
        Self { dry_run, band: Band::of(record.after).words(), event, research }
    }
}

/// Shows one change.
pub(crate) async fn print(
    event: &LedgerEvent,
    intent: Intent,
    app: &App,
) -> anyhow::Result<ExitCode> {
    let research = Research::after(event, app).await?;
    if app.json {
        output::print_json(&ChangeView::new(event, intent, Some(research)))?;
    } else {
        let Research { authority, explanation } = research;
        let change = describe(event, intent, app);
        output::print_line(&format!("{change}\n  in research {authority:.2}: {explanation}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `reuters.com  0.920 → 0.928 (+0.008)  primary or top-tier  event 7: …`
pub(crate) fn describe(event: &LedgerEvent, intent: Intent, app: &App) -> String {
    let record = event.record();
    let place = match intent {
        Intent::Apply => format!("event {}", record.seq),
        Intent::Preview => "dry run, nothing written".to_owned(),
    };
    let outlet = app.style.stdout(anstyle::Style::new().bold(), record.outlet.as_str());
    format!(
        "{outlet}  {:.3} → {:.3} ({:+.3})  {}\n  {place}: {}",
        record.before,
        record.after,
        record.after - record.before,
        Band::of(record.after).words(),
        reason(record),
    )
}
