//! What a person means by an outlet: its domain, or the address of one of its pages.

use anyhow::Context as _;
use probity_credibility::ledger::Named;
use probity_credibility::outlet::Resolver;

use crate::app::App;
use crate::failure::{Hint, usage};

/// Reads a domain or an address, by the rules that are set.
pub(crate) fn read(text: &str, app: &App) -> anyhow::Result<Named> {
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    Named::read(text, &resolver)
        .map_err(|error| usage(error.to_string()).context(Hint(error.hint().to_owned())))
}
