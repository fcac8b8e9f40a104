//! What a person means by an outlet: its domain, or the address of one of its pages.

use anyhow::Context as _;
use probity_core::{Outlet, WebUrl, printable};
use probity_credibility::ledger::Subject;
use probity_credibility::outlet::Resolver;

use crate::app::App;
use crate::failure::{WithHint as _, usage};

/// An outlet, and what was looked at.
pub(crate) struct Target {
    pub(crate) outlet: Outlet,
    /// The outlet as such, or the article whose address was given.
    pub(crate) subject: Subject,
    /// The article, where an address was given.
    pub(crate) url: Option<WebUrl>,
}

/// Reads a domain or an address. Aliases count: `bbc.co.uk` is kept as `bbc.com`.
pub(crate) fn read(text: &str, app: &App) -> anyhow::Result<Target> {
    let resolver = Resolver::new(&app.settings.credibility.outlets)
        .context("the configuration of outlets cannot be used")?;
    if text.contains("://") || text.trim_start().starts_with("//") {
        return read_address(text, &resolver);
    }
    let outlet = read_domain(text, &resolver).map_err(|error| usage(error.to_string())).hint(
        "name an outlet by its domain, such as reuters.com, or give the whole address of a page",
    )?;
    Ok(Target { outlet, subject: Subject::outlet(), url: None })
}

/// Reads a domain as the ledger keeps it.
pub(crate) fn read_domain(
    text: &str,
    resolver: &Resolver,
) -> Result<Outlet, probity_core::outlet::OutletError> {
    let named = Outlet::new(text)?;
    let home = WebUrl::parse(&format!("https://{named}/")).ok();
    let kept = home.and_then(|url| resolver.outlet_of(&url));
    kept.ok_or_else(|| probity_core::outlet::OutletError(named.to_string()))
}

fn read_address(text: &str, resolver: &Resolver) -> anyhow::Result<Target> {
    let brief = printable::brief(text, 80);
    let found = resolver
        .resolve_text(text)
        .map_err(|error| usage(format!("{brief}: {error}")))
        .hint("give the whole address, for example https://www.reuters.com/world/")?;
    let Some(outlet) = found.outlet else {
        return Err(usage(format!("whose page {brief} is cannot be told: {}", found.reason)))
            .hint("name the outlet by its domain, or give the publisher's own address");
    };
    let url = match found.publisher_url {
        Some(url) => url,
        None => WebUrl::parse(text).map_err(|error| usage(format!("{brief}: {error}")))?,
    };
    Ok(Target { outlet, subject: Subject::article(&url), url: Some(url) })
}
