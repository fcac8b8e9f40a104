//! What admins set while the program runs: keys of models and of search providers, thresholds, ways to
//! reach people.

use probity_core::Secret;
use serde::Serialize;
use utoipa::ToSchema;

use super::Later;
use super::threshold::{ThresholdChange, ThresholdsView};
use super::way::{NewWay, WayView};

/// Where a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It was not set.
    Default,
    /// The configuration file.
    File,
    /// The page of settings.
    Page,
    /// An environment variable, which is stronger than the others.
    Environment,
}

impl Origin {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Default => "the default",
            Self::File => "the configuration file",
            Self::Page => "this page",
            Self::Environment => "the environment",
        }
    }
}

/// A key that a provider takes; never the key itself.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KeyView {
    /// What names it: `model.anthropic`, `search.brave`, `login.oidc`.
    #[schema(example = "search.brave")]
    pub name: String,
    /// Whose key it is, for people.
    #[schema(example = "Brave (search)")]
    pub label: String,
    /// Whether nothing can be asked of the provider without it.
    pub needed: bool,
    /// The environment variable that sets it too.
    pub variable: &'static str,
    /// Where the key in force comes from; absent where there is none.
    pub origin: Option<Origin>,
    /// When it was set on the page, where it was.
    pub set_at: Option<String>,
    /// Who set it on the page, if anyone did.
    pub set_by: Option<String>,
}

/// Why a setting was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdjustError {
    /// There is no such setting.
    #[error("{0}")]
    Unknown(String),
    /// What was given cannot be used.
    #[error("{why}")]
    Wrong {
        /// The field that is wrong.
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// Something stronger is in the way.
    #[error("{0}")]
    Conflict(String),
    /// It could not be written down.
    #[error("{0}")]
    Failed(String),
}

/// Whether a key is tried before it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trial {
    /// It is kept only if its provider answers.
    Needed,
    /// It is kept whatever its provider says.
    Waived,
}

/// A key to be kept.
#[derive(Debug)]
pub struct NewKey<'a> {
    /// Whose it is: `model.anthropic`, `search.brave`.
    pub name: &'a str,
    /// The key.
    pub key: Secret,
    /// Who sets it.
    pub by: &'a str,
    /// Whether it is tried first.
    pub trial: Trial,
}

/// Settings that can be changed while the program runs.
pub trait Adjust: Send + Sync {
    /// Every key that can be set, models first.
    fn keys(&self) -> Vec<KeyView>;

    /// Keeps a key after its provider answered to it, and says the result of asking.
    ///
    /// # Errors
    /// When there is no such provider, the key cannot be one, its provider refuses it, or it cannot be kept.
    fn set_key<'a>(&'a self, new: NewKey<'a>) -> Later<'a, Result<String, AdjustError>>;

    /// Forgets a key that was set on the page.
    ///
    /// # Errors
    /// When none was, or the file cannot be written.
    fn remove_key(&self, name: &str) -> Result<(), AdjustError>;

    /// The thresholds in force, and where they come from.
    fn thresholds(&self) -> ThresholdsView;

    /// Keeps thresholds that were checked.
    ///
    /// # Errors
    /// When they contradict others, or cannot be kept.
    fn set_thresholds(&self, change: &ThresholdChange, by: &str) -> Result<(), AdjustError>;

    /// Forgets the thresholds that were set on the page.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn reset_thresholds(&self) -> Result<(), AdjustError>;

    /// The ways to reach people, those of the configuration file first.
    fn ways(&self) -> Vec<WayView>;

    /// Adds a way to reach people.
    ///
    /// # Errors
    /// When it cannot be one, there are too many, or it cannot be kept.
    fn add_way<'a>(
        &'a self,
        way: &'a NewWay,
        by: &'a str,
    ) -> Later<'a, Result<WayView, AdjustError>>;

    /// Pauses a way that was added on the page, or goes on with it.
    ///
    /// # Errors
    /// When there is no such way, or it cannot be kept.
    fn pause_way(&self, id: &str, paused: bool) -> Result<(), AdjustError>;

    /// Removes a way that was added on the page.
    ///
    /// # Errors
    /// When there is no such way, or that cannot be kept.
    fn remove_way(&self, id: &str) -> Result<(), AdjustError>;

    /// Sends a test message. Gives why it was not taken, if it was not.
    ///
    /// # Errors
    /// When there is no such way.
    fn test_way<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<String>, AdjustError>>;
}
