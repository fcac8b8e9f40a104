//! One check: what was looked at, what was found, and what to do about it.

use serde::Serialize;

/// How a check came out.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// As it should be.
    Ok,
    /// Probity works, but something deserves a look.
    Warning,
    /// Something that Probity needs does not work.
    Failure,
}

/// A check that was made.
#[derive(Serialize)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    pub(crate) found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<&'static str>,
    /// Whether a provider that was asked answered; nothing if none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answers: Option<bool>,
}

impl Check {
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), fix: None, answers: None }
    }

    pub(super) fn warning(name: &'static str, found: impl Into<String>, fix: &'static str) -> Self {
        Self { name, state: State::Warning, found: found.into(), fix: Some(fix), answers: None }
    }

    pub(super) fn failure(name: &'static str, found: impl Into<String>, fix: &'static str) -> Self {
        Self { name, state: State::Failure, found: found.into(), fix: Some(fix), answers: None }
    }

    /// The same check, with whether anyone answered.
    pub(super) fn answering(mut self, answers: bool) -> Self {
        self.answers = Some(answers);
        self
    }

    pub(super) fn is_failure(&self) -> bool {
        self.state == State::Failure
    }

    pub(super) fn is_warning(&self) -> bool {
        self.state == State::Warning
    }
}
