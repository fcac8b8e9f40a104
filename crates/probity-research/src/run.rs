//! What a run was asked to do: everything needed to do it again.

use probity_core::{Mode, ModeSettings, Modes, RunId, Timestamp};
use probity_credibility::{Policy, Question};
use probity_model::Limits;
use probity_model::model_set::Assignment;
use probity_report::OnUnverified;
use probity_report::facts::Plan;
use probity_store::NewRun;
use probity_web::search::{FILES, Filters, LIBRARY};
use serde::{Deserialize, Serialize};

/// How a run gathers its sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gathering {
    /// The engine runs the plan's queries.
    #[default]
    Planned,
    /// A model drives the searches and chooses the pages, within the same limits.
    Agentic,
}

/// What a run sets out to find. By default its analyst plans that, without approval.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Inquiry {
    /// The plan, where the user gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Whether the analyst's plan waits for approval.
    pub approve: bool,
    /// Whether the analyst may ask back where the question can be meant in several ways.
    pub clarify: bool,
}

impl Inquiry {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Where a run looks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Where {
    /// The search providers, as `--search` names them.
    pub search: Option<String>,
    /// A folder that is read for this run alone.
    pub library: Option<String>,
    /// A collection of the stored library, by name; nothing else of the library is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// A list of addresses that the user provided, one a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urls: Option<String>,
    /// Documents that were uploaded for this run, by the id under which the store has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// An earlier run whose sources are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Earlier>,
    /// Hosts and ports that may be fetched although they are private.
    #[serde(default)]
    pub allow_hosts: Vec<String>,
    /// Which search results are wanted.
    #[serde(default, skip_serializing_if = "Filters::is_empty")]
    pub filters: Filters,
}

/// An earlier run whose sources are asked something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// Its id.
    pub id: RunId,
    /// Whether it is searched beyond them as well.
    pub beyond: bool,
}

impl Where {
    /// Whether it looks at the user's own documents and nowhere else.
    pub fn is_own_documents(&self) -> bool {
        let own = |name: &str| [LIBRARY, FILES].contains(&name.trim());
        let only_own = match self.search.as_deref() {
            Some(names) => names.split(',').all(own),
            None => self.library.is_some() || self.files.is_some() || self.collection.is_some(),
        };
        self.urls.is_none() && self.run.is_none() && only_own
    }
}

/// What a run was asked to do. It is written down before the run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The run.
    pub run_id: RunId,
    /// The question.
    pub question: Question,
    /// How far it goes.
    pub mode: Mode,
    /// The numbers of the mode.
    pub numbers: ModeSettings,
    /// How pages are scored.
    pub policy: Policy,
    /// How it gathers.
    #[serde(default)]
    pub gathering: Gathering,
    /// What it sets out to find, and who has a say in that.
    #[serde(default, skip_serializing_if = "Inquiry::is_usual")]
    pub inquiry: Inquiry,
    /// Where it looks.
    #[serde(rename = "where")]
    pub place: Where,
    /// Who judges: `embedded` or a model's name.
    pub analyst: String,
    /// What happens to sentences that the sources do not support.
    pub on_unverified: OnUnverified,
    /// When it was asked; the run has no other "now".
    pub asked_at: Timestamp,
    /// What a model's report is to be like.
    #[serde(default)]
    pub shape: Shape,
    /// The limits of waiting and working.
    #[serde(default)]
    pub limits: RunLimits,
    /// Which language models do what, and what they may spend.
    #[serde(default)]
    pub model: ModelUse,
}

impl RunSpec {
    /// A run with nothing set: the usual numbers of its mode, the embedded analyst, whatever searches there are.
    pub fn usual(
        run_id: impl Into<RunId>,
        question: Question,
        mode: Mode,
        asked_at: Timestamp,
    ) -> Self {
        Self {
            run_id: run_id.into(),
            question,
            mode,
            numbers: Modes::default().of(mode),
            policy: Policy::default(),
            gathering: Gathering::default(),
            inquiry: Inquiry::default(),
            place: Where::default(),
            analyst: crate::analyst::embedded::NAME.to_owned(),
            on_unverified: OnUnverified::default(),
            asked_at,
            shape: Shape::default(),
            limits: RunLimits::default(),
            model: ModelUse::default(),
        }
    }

    /// The run as a store takes it; `written` is this as JSON.
    pub fn entry<'a>(&'a self, written: &'a str) -> NewRun<'a> {
        NewRun {
            id: &self.run_id,
            question: self.question.as_str(),
            mode: self.mode.as_str(),
            spec: written,
            asked_at: self.asked_at,
        }
    }
}

/// What a report is to be like where a language model writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shape {
    /// Its language; the question's where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<ReportLanguage>,
    /// How it is written.
    pub style: Style,
    /// The headings of its sections, where the user wants certain ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<String>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Connected prose.
    #[default]
    Report,
    /// As few words as the answer takes.
    Brief,
    /// Addressed to someone who has to decide.
    Memo,
    /// Lists wherever they will do.
    Bullets,
}

impl Style {
    /// Every style.
    pub const ALL: [Style; 4] = [Style::Report, Style::Brief, Style::Memo, Style::Bullets];

    /// The style's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Style::Report => "report",
            Style::Brief => "brief",
            Style::Memo => "memo",
            Style::Bullets => "bullets",
        }
    }

    /// The instruction for a model.
    pub fn instruction(self) -> &'static str {
        match self {
            Style::Report => "Write connected prose.",
            Style::Brief => "Write as few and as short sentences as the answer takes.",
            Style::Memo => "Write for somebody who has to decide: what matters for that first.",
            Style::Bullets => "Write entries of lists rather than prose, one point each.",
        }
    }
}

/// The language of a report, by its name or code: `German`, `pt-BR`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReportLanguage(String);

/// How long the name of a language may be, in characters.
const LANGUAGE_CHARS: std::ops::RangeInclusive<usize> = 2..=40;

impl std::str::FromStr for ReportLanguage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let is_name = text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
        match is_name && LANGUAGE_CHARS.contains(&text.chars().count()) {
            true => Ok(Self(text.to_owned())),
            false => Err("name a language, such as German or pt-BR".to_owned()),
        }
    }
}

impl TryFrom<String> for ReportLanguage {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ReportLanguage> for String {
    fn from(language: ReportLanguage) -> String {
        language.0
    }
}

impl std::fmt::Display for ReportLanguage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a run does with language models. By default nothing: the embedded analyst needs none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelUse {
    /// Who does what; none means the embedded analyst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment: Option<Assignment>,
    /// The most that may be spent.
    pub limits: Limits,
    /// Whether the draft is criticised before it becomes a report.
    pub skeptic: bool,
    /// Whether a model judges the citations that the own check is unsure of.
    pub check: bool,
    /// How the gate asks the model about the sources.
    #[serde(skip_serializing_if = "GateCalls::is_usual")]
    pub gate: GateCalls,
}

/// How the gate asks a model about the sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateCalls {
    /// A short call for each source.
    #[default]
    Each,
    /// Several sources a call, for models whose calls are dear.
    Batched,
}

impl GateCalls {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// How long a run waits and how much it does at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunLimits {
    /// Seconds to wait for a relevance score.
    pub scoring_seconds: u64,
    /// Seconds to wait for a plan or for gaps.
    pub planning_seconds: u64,
    /// Seconds to wait for a summary.
    pub summary_seconds: u64,
    /// Seconds to wait for the draft of a report.
    pub synthesis_seconds: u64,
    /// Results to ask of each query.
    pub results_per_query: usize,
    /// Judgements in progress at once.
    pub parallel_judgements: usize,
    /// Seconds that a plan waits for approval.
    pub approval_seconds: u64,
    /// Seconds of work after which no round beyond the second is begun.
    pub gathering_seconds: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            scoring_seconds: 15,
            planning_seconds: 30,
            summary_seconds: 60,
            synthesis_seconds: 120,
            results_per_query: 10,
            parallel_judgements: 16,
            approval_seconds: 86_400,
            gathering_seconds: 3_600,
        }
    }
}

/// The most candidates that a run keeps; searches beyond that add nothing.
pub const MAX_CANDIDATES: usize = 500;
