//! Settings: the configuration file, what was set on the page, the environment and the flags, in that order.
//!
//! Two phases: what was written ([`settings::Settings`]) is read and checked as a whole, then
//! [`crate::app::App`] resolves it into what a command needs.

pub(crate) mod alerts;
pub(crate) mod env;
pub(crate) mod fetching;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod mistake;
pub(crate) mod oidc;
pub(crate) mod page;
pub(crate) mod paths;
pub(crate) mod settings;
pub(crate) mod sharing;

pub(crate) use paths::Paths;
pub(crate) use settings::Settings;
