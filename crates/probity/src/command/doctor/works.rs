//! What would work now, by what the checks found.

use serde::Serialize;

use super::check::{Check, State};
use super::parts::{LANGUAGE_MODEL, NO_MODEL, SEARCH};
use super::places::DATA_FOLDER;
use super::stored::STORE;

/// Something that people use Probity for.
#[derive(Serialize)]
pub(super) struct Works {
    /// What it is.
    pub(super) what: &'static str,
    /// Whether it would work; unknown if nothing was tested.
    pub(super) works: Option<bool>,
    /// How to do it, or what prevents it.
    pub(super) how: String,
}

/// What would work, in the order in which people come to need it.
pub(super) fn works(checks: &[Check], reached_out: bool) -> Vec<Works> {
    let found = |name: &str| checks.iter().find(|check| check.name == name);
    let fails = |name: &str| found(name).is_some_and(|check| check.state == State::Failure);
    let kept = !fails(DATA_FOLDER) && !fails(STORE);
    let web = found(SEARCH).and_then(|check| check.answers);
    let model = found(LANGUAGE_MODEL);
    let written = match model {
        Some(check) if check.is_failure() => Some(false),
        Some(check) => check.answers,
        None => None,
    };
    let writer = match model {
        Some(check) if check.found == NO_MODEL => "written by the embedded analyst".to_owned(),
        Some(check) => check.found.clone(),
        None => String::new(),
    };
    vec![
        Works {
            what: "research in your own documents",
            works: Some(true),
            how: "probity research --no-save --library FOLDER \"…\"".to_owned(),
        },
        Works {
            what: "research on the web",
            works: reached_out.then_some(web == Some(true)),
            how: match (reached_out, web) {
                (true, Some(false)) => "no search provider answered".to_owned(),
                (true, None) => "the settings name no search provider on the web".to_owned(),
                _ => "probity research \"…\"".to_owned(),
            },
        },
        Works { what: "reports", works: written, how: writer },
        Works {
            what: "saved runs, ledger and library, and the server",
            works: Some(kept),
            how: if kept { "probity serve" } else { "the data folder or the store fails" }
                .to_owned(),
        },
    ]
}
