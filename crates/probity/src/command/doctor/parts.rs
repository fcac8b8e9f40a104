//! What the program is made of and runs on: model, search providers, clock, terminal.

use std::io::IsTerminal as _;

use probity_model::ModelSet;
use probity_model::model_set::Assignment;
use probity_text::embed::{DIMENSIONS, Embedder};
use probity_web::search::{Chosen, LIBRARY, NEWS, ProviderName, Selection, URLS};

use super::check::Check;
use crate::app::App;
use crate::config::env;

/// The check of language models.
pub(super) const LANGUAGE_MODEL: &str = "language model";
/// What is found where no language model is set up.
pub(super) const NO_MODEL: &str = "none; the embedded analyst judges and writes";
/// The check of search providers.
pub(super) const SEARCH: &str = "search";
/// The check of the provider that people log in at.
pub(super) const LOG_IN: &str = "log-in";
/// What to do about providers that were chosen and cannot be asked.
pub(super) const SEARCH_FIX: &str =
    "set what is missing, or name other providers in [search] of the configuration";
/// A clock that shows an earlier year is wrong: this program did not exist then.
const PLAUSIBLE_FROM: i16 = 2026;
/// Tables and plots need this many columns.
const COLUMNS: usize = 60;

/// Whether the embedded model can be read and tells words apart.
pub(super) fn model() -> Check {
    const NAME: &str = "embedded model";
    let embedder = Embedder::embedded();
    let [doctor, physician, treaty] =
        ["doctor", "physician", "treaty"].map(|word| embedder.embed(word));
    if doctor.cosine(&physician) > doctor.cosine(&treaty) {
        return Check::ok(NAME, format!("static embeddings of {DIMENSIONS} numbers are ready"));
    }
    Check::failure(
        NAME,
        "the vectors in the program do not make sense",
        "install Probity again: the program file is damaged",
    )
}

/// Which language model a run would ask, and whether it could be.
pub(super) fn language_model(app: &App) -> Check {
    let settings = &app.settings.model;
    let opened = Assignment::make(settings, None, None).and_then(|made| match made {
        Some(made) => ModelSet::open(&made, settings, settings.limits).map(|_| Some(made.author())),
        None => Ok(None),
    });
    match opened {
        Ok(Some(author)) => Check::ok(LANGUAGE_MODEL, format!("{author} would write")),
        Ok(None) => Check::ok(LANGUAGE_MODEL, NO_MODEL).answering(true),
        Err(error) => Check::failure(
            LANGUAGE_MODEL,
            error.to_string(),
            "set what is missing, or `default` in [model] of the configuration",
        ),
    }
}

/// The providers in this program that the settings may name. What they hold is another check's business.
pub(super) fn local_providers(app: &App) -> Vec<&str> {
    let settings = &app.settings.search;
    match settings.providers {
        Selection::Auto => Vec::new(),
        Selection::Named(_) => {
            let tools = settings.mcp.iter().map(|tool| tool.name.as_str());
            [LIBRARY, NEWS, URLS].into_iter().chain(tools).collect()
        }
    }
}

/// Which providers a search would ask.
pub(super) fn search(app: &App) -> Check {
    let settings = &app.settings.search;
    let asked = match settings.providers.resolve(settings, &local_providers(app)) {
        Ok(asked) => asked,
        Err(error) => return Check::failure(SEARCH, error.to_string(), SEARCH_FIX),
    };
    let names: Vec<String> = asked
        .iter()
        .map(|provider| match provider {
            Chosen::Http(name) => name.to_string(),
            Chosen::Chain(names) => {
                let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                names.join(", else ")
            }
            Chosen::Local(name) => name.clone(),
        })
        .collect();
    let names = names.join(", ");
    let own = |name: &ProviderName| {
        let set = settings.of(*name);
        set.key.is_some() || set.url.is_some()
    };
    let is_keyless = !asked.iter().any(|provider| match provider {
        Chosen::Http(name) => own(name),
        Chosen::Chain(names) => names.iter().any(own),
        Chosen::Local(_) => false,
    });
    if settings.providers == Selection::Auto && is_keyless {
        return Check::warning(
            SEARCH,
            format!("{names} would be asked; no provider has a key or an address of its own"),
            "providers without a key soon limit requests: set SEARXNG_URL or a key such as BRAVE_API_KEY",
        );
    }
    Check::ok(SEARCH, format!("{names} would be asked"))
}

/// Where people log in besides by password; nothing where they do not.
pub(super) fn log_in(app: &App) -> Option<Check> {
    let issuer = app.settings.oidc.issuer.as_ref()?;
    Some(Check::ok(LOG_IN, format!("people would log in at {issuer}")))
}

/// Whether the clock can be right.
pub(super) fn clock(app: &App) -> Check {
    const NAME: &str = "clock";
    let now = app.clock.now();
    if now.year() < PLAUSIBLE_FROM {
        return Check::warning(
            NAME,
            format!("the clock says {now}"),
            "set the machine's clock: recency and the audit log depend on it",
        );
    }
    let fixed = if env::PROBITY_NOW.is_set() { ", fixed by PROBITY_NOW" } else { "" };
    Check::ok(NAME, format!("{now}{fixed}"))
}

/// What the terminal can show.
pub(super) fn terminal(app: &App) -> Check {
    const NAME: &str = "terminal";
    if !std::io::stdout().is_terminal() {
        return Check::ok(NAME, "stdout is not a terminal: plain text without colour");
    }
    let columns = app.style.width();
    let colour = if app.style.colors_stdout() { "with colour" } else { "without colour" };
    if columns < COLUMNS {
        let found = format!("{columns} columns {colour}");
        return Check::warning(
            NAME,
            found,
            "make the window wider: tables and plots need 60 columns",
        );
    }
    Check::ok(NAME, format!("{columns} columns {colour}"))
}
