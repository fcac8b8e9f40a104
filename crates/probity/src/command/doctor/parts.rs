//! What the program is made of and runs on: model, search providers, clock, terminal.

use std::io::IsTerminal as _;

use probity_model::Lineup;
use probity_model::lineup::Assignment;
use probity_text::embed::{DIMENSIONS, Embedder};
use probity_web::search::{Chosen, LIBRARY, NEWS, ProviderName, Selection, URLS};

use super::check::Check;
use crate::app::App;
use crate::config::env;

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
    const NAME: &str = "language model";
    let settings = &app.settings.model;
    let opened = Assignment::make(settings, None, None).and_then(|made| match made {
        Some(made) => Lineup::open(&made, settings, settings.limits).map(|_| Some(made.author())),
        None => Ok(None),
    });
    match opened {
        Ok(Some(author)) => Check::ok(NAME, format!("{author} would write")),
        Ok(None) => Check::ok(NAME, "none; the embedded analyst judges and writes"),
        Err(error) => Check::failure(
            NAME,
            error.to_string(),
            "set what is missing, or `default` in [model] of the configuration",
        ),
    }
}

/// Which providers a search would ask.
pub(super) fn search(app: &App) -> Check {
    const NAME: &str = "search";
    let settings = &app.settings.search;
    // What they hold is another check's business; by name they can always be asked.
    let here: &[&str] = match settings.providers {
        Selection::Auto => &[],
        Selection::Named(_) => &[LIBRARY, NEWS, URLS],
    };
    let asked = match settings.providers.resolve(settings, here) {
        Ok(asked) => asked,
        Err(error) => {
            let fix =
                "set what is missing, or name other providers in [search] of the configuration";
            return Check::failure(NAME, error.to_string(), fix);
        }
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
            NAME,
            format!("{names} would be asked; no provider has a key or an address of its own"),
            "keyless providers answer seldom when asked often: set SEARXNG_URL or a key such as BRAVE_API_KEY",
        );
    }
    Check::ok(NAME, format!("{names} would be asked"))
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
        return Check::ok(NAME, "stdout is no terminal: plain text without colour");
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
