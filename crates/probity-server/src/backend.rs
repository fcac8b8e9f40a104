//! What the server asks of the program around it: settings in force, runs made from questions, checks.

mod adjust;
mod sign_on;
mod threshold;
mod way;

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Answering, Mode, Modes, WebUrl};
use probity_credibility::Policy;
use probity_news::NewsSettings;
use probity_news::consolidate::Turn;
use probity_reader::TextReader;
use probity_research::RunSpec;
use probity_research::execute::RunEnvironment;
use probity_research::run::RunLimits;
use probity_store::library::Ingested;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::adjust::{Adjust, AdjustError, KeyView, NewKey, Origin, Trial};
pub use self::sign_on::{GrantedRole, Identity, SignOn, SignOnFailure};
pub use self::threshold::{ThresholdChange, ThresholdView, Thresholds, ThresholdsView};
pub use self::way::{NewWay, WayKind, WayView};
use crate::api::plan::PlanView;

/// The numbers and names in force, as the methodology page explains them.
#[derive(Debug, Clone)]
pub struct Constants {
    /// How pages are scored.
    pub policy: Policy,
    /// The step of a coding.
    pub alpha: f64,
    /// The numbers of each mode.
    pub modes: Modes,
    /// How long a run waits and how much it does at once.
    pub limits: RunLimits,
    /// The model that judges and writes when a question names none: `embedded` or a model's name.
    pub analyst: String,
    /// The search providers that a question may name.
    pub providers: Vec<String>,
    /// The providers that are asked when a question does not say.
    pub usual_providers: String,
    /// The program's version.
    pub version: &'static str,
    /// Over how long articles can belong to one topic, and where categories' lines are drawn.
    pub news: NewsSettings,
    /// Whether agents may code outlets over MCP.
    pub allow_coding: bool,
    /// The reader of texts beside questions and claims.
    pub reader: TextReader,
}

/// A question as a client asks it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The question, of 3 to 2,000 characters.
    #[schema(min_length = 3, max_length = 2000, example = "How loud may music be at night?")]
    pub question: String,
    /// How far the run goes: `quick`, `standard`, `deep` or `exhaustive`.
    #[serde(default)]
    #[schema(value_type = Option<ModeName>)]
    pub mode: Option<Mode>,
    /// The search providers to ask: `auto`, or names separated by commas.
    #[serde(default)]
    #[schema(max_length = 200, example = "library")]
    pub search: Option<String>,
    /// A collection of the library, by name or number: nothing else of the library is asked, and nothing else at all
    /// unless `search` names it.
    #[serde(default)]
    #[schema(max_length = 80)]
    pub collection: Option<String>,
    /// Who judges and writes: `auto`, `embedded`, a provider, or PROVIDER:NAME.
    #[serde(default)]
    #[schema(max_length = 200, example = "embedded")]
    pub model: Option<String>,
    /// The most that language models may cost, in US dollars.
    #[serde(default)]
    #[schema(minimum = 0.0)]
    pub max_cost: Option<f64>,
    /// How many pages may be read, instead of as many as the mode does.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 60)]
    pub sources: Option<usize>,
    /// For how many rounds the run may continue, while each closes a gap.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8)]
    pub depth: Option<usize>,
    /// How many queries a round may send.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 12)]
    pub breadth: Option<usize>,
    /// About how many words the report has, instead of as many as the mode does.
    #[serde(default)]
    #[schema(minimum = 50, maximum = 10000)]
    pub words: Option<usize>,
    /// The language that a model writes in, by name or code; the question's if nothing is said.
    #[serde(default)]
    #[schema(max_length = 40, example = "German")]
    pub language: Option<String>,
    /// How a model writes: `report`, `brief`, `memo` or `bullets`.
    #[serde(default)]
    #[schema(max_length = 20, example = "memo")]
    pub style: Option<String>,
    /// The headings of the sections that a model is to write, one a line.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub outline: Option<String>,
    /// Whether the run waits with its plan until that is approved.
    #[serde(default)]
    pub approve: bool,
    /// Whether a model may ask back once, where the question can be meant in several ways; the run then waits for an
    /// answer.
    #[serde(default)]
    pub clarify: bool,
    /// The plan to follow, instead of one that is made.
    #[serde(default)]
    pub plan: Option<PlanView>,
    /// Documents that were uploaded, by the id of their upload. Nothing else is asked, unless
    /// `search` names it.
    #[serde(default)]
    #[schema(max_length = 80)]
    pub upload: Option<String>,
    /// Addresses to treat as results, one per line. Nothing else is searched, unless `search` names
    /// it.
    #[serde(default)]
    #[schema(max_length = 20000)]
    pub urls: Option<String>,
    /// A finished run whose sources are asked, instead of a search.
    #[serde(default)]
    #[schema(max_length = 80)]
    pub run: Option<String>,
    /// Whether a search joins the sources of that run.
    #[serde(default)]
    pub beyond: bool,
    /// Whether the run is cancelled when the client that waits for it goes away.
    #[serde(default)]
    pub cancel_if_gone: bool,
}

/// The names of the modes, for the API's document.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ModeName {
    Quick,
    Standard,
    Deep,
    Exhaustive,
}

/// Why a question cannot be researched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AskError {
    /// The field that is wrong.
    pub field: &'static str,
    /// What is wrong with it.
    pub why: String,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// It works, but something deserves a look.
    Warning,
    /// Something that is needed does not work.
    Failure,
}

/// A check that was made.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it came out.
    pub state: CheckState,
    /// What was found.
    pub found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// What is at an address where a feed is expected.
#[derive(Debug, Clone)]
pub enum Look {
    /// A feed.
    Feed(Box<FeedPreview>),
    /// A page that offers these feeds, at least one.
    Page(Vec<OfferedFeed>),
}

/// A feed before it is added.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FeedPreview {
    /// The address where it lies.
    pub url: String,
    /// What it calls itself.
    pub title: String,
    /// The page it belongs to.
    pub site_url: Option<String>,
    /// `rss`, `rdf`, `atom` or `json`.
    pub format: String,
    /// How many items it holds.
    pub items_count: usize,
    /// The first of them.
    pub items: Vec<PreviewItem>,
    /// What of it cannot be read, where something cannot.
    pub problem: Option<String>,
}

impl FeedPreview {
    /// How many items are shown.
    pub const ITEMS: usize = 10;
}

/// An item of a feed before it is added.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PreviewItem {
    /// Its headline.
    pub title: String,
    /// The address it gives.
    pub url: Option<String>,
    /// When it was published.
    pub published_at: Option<String>,
}

/// A feed that a page offers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OfferedFeed {
    /// Its address.
    pub url: String,
    /// What the page calls it.
    pub title: String,
}

/// A place where a question can look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Place {
    /// What a question names it by: `web`, `library` or `news`.
    pub name: &'static str,
    /// Who is asked there, or what it holds.
    pub about: String,
    /// Why nothing can be found there now, and what to do about it.
    pub missing: Option<String>,
}

/// An author: who may judge and write.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Offer {
    /// What a question names them by: `embedded`, a provider, or PROVIDER:NAME.
    pub name: String,
    /// Who would write.
    pub writes: String,
    /// What a run costs in each mode.
    pub costs: Vec<Cost>,
}

/// What a run may cost.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Cost {
    /// The mode.
    pub mode: &'static str,
    /// The least, in US dollars; none where prices are not known.
    pub from: Option<f64>,
    /// The most that is usual, in US dollars.
    pub to: Option<f64>,
}

/// Work that ends later.
pub type Later<'a, T> = Answering<'a, T>;

/// The program around the server.
pub trait Backend: Send + Sync + 'static {
    /// The numbers and names in force now.
    fn constants(&self) -> Arc<Constants>;

    /// What admins may change while the program runs; nothing where its settings are fixed.
    fn adjust(&self) -> Option<&dyn Adjust>;

    /// The provider that people may log in at besides by password, if there is one.
    fn sign_on(&self) -> Option<Arc<dyn SignOn>>;

    /// A run for a question, with an id that is new.
    ///
    /// # Errors
    /// When the question, or something that was asked with it, cannot be used.
    fn spec(&self, ask: &Ask) -> Result<RunSpec, AskError>;

    /// Where a question can look now. Whether the web can be reached is found out in the background and
    /// cached for a while; no caller waits for it longer than its own deadline.
    fn places(&self, patience: Duration) -> Later<'_, Vec<Place>>;

    /// Who may judge and write, the one who does if nothing is said first.
    fn offers(&self) -> Vec<Offer>;

    /// Fetches a page into the library, or says why it could not be read.
    fn add_page<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Ingested, String>>;

    /// Reads a file of this machine again that the library has, or says why it could not be read.
    fn read_again<'a>(&'a self, origin: &'a str) -> Later<'a, Result<(), String>>;

    /// What a check works with: the world and the models, as its description opens them.
    ///
    /// # Errors
    /// Says what could not be opened.
    fn environment<'a>(&'a self, spec: &'a RunSpec) -> Later<'a, Result<RunEnvironment, String>>;

    /// Looks for a feed at an address: itself, or what the page there offers.
    ///
    /// # Errors
    /// Says why there is none, or why the address cannot be read.
    fn look_for_feed<'a>(&'a self, url: &'a WebUrl) -> Later<'a, Result<Look, String>>;

    /// Judges, groups and routes the articles of the window, now. Gives nothing if another process is at
    /// it.
    ///
    /// # Errors
    /// Says what went wrong.
    fn consolidate(&self) -> Later<'_, Result<Option<Turn>, String>>;

    /// Whether everything that is needed is in place.
    fn checks(&self) -> Later<'_, Vec<Check>>;
}
