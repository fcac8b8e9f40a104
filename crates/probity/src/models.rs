//! Language models as the command line and the settings choose them.

use probity_core::Mode;
use probity_model::model_set::Assignment;
use probity_model::settings::{BaseUrl, Choice};
use probity_model::{Limits, ModelName, ModelSet, ProviderName};
use probity_research::run::{Gathering, ModelUse};

use crate::app::App;
use crate::failure::{WithHint as _, usage};

/// The flags that choose a language model and say what it may spend.
#[derive(Default, clap::Args)]
#[command(next_help_heading = "Language models")]
pub(crate) struct ModelChoice {
    /// The model that judges and writes: `auto`, `embedded`, a provider, or PROVIDER:NAME.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The address of the model's provider, for a proxy or your own server.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Stop gathering before a call that could exceed this cost in US dollars.
    #[arg(long, value_name = "USD")]
    max_cost: Option<f64>,
    /// Stop gathering before a call that could exceed this many tokens.
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// Make at most N calls to models.
    #[arg(long, value_name = "N")]
    max_calls: Option<u64>,
}

impl ModelChoice {
    /// Which models do what, and what they may spend, by flags and settings.
    pub(crate) fn choose(&self, app: &App) -> anyhow::Result<ModelUse> {
        let settings = &app.settings.model;
        let named = self.model.as_deref().map(|text| self.named(text)).transpose()?;
        let base_url = self.base_url.as_deref().map(str::parse::<BaseUrl>).transpose();
        let base_url = base_url.map_err(|error| usage(format!("--base-url {error}")))?;
        let assignment = Assignment::make(settings, named.as_ref(), base_url)
            .map_err(|error| usage(error.to_string()))?;
        if self.base_url.is_some() {
            needed(assignment.as_ref(), "--base-url")?;
        }
        if self.max_cost.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
            return Err(usage("--max-cost must be 0 or more dollars"));
        }
        let limits = Limits {
            max_cost: self.max_cost.or(settings.limits.max_cost),
            max_tokens: self.max_tokens.or(settings.limits.max_tokens),
            max_calls: self.max_calls.or(settings.limits.max_calls),
        };
        let gate = app.settings.research.gate;
        Ok(ModelUse { assignment, limits, skeptic: false, check: false, gate })
    }

    /// A model by its name; with a base URL a bare name is enough.
    fn named(&self, text: &str) -> anyhow::Result<Choice> {
        let choice = text.parse();
        if self.base_url.is_some() && choice.is_err() {
            let name = format!("{}:{text}", ProviderName::Compatible);
            if let Ok(name) = name.parse::<ModelName>() {
                return Ok(Choice::Model(name));
            }
        }
        choice.map_err(|error| usage(format!("--model: {error}")))
    }
}

/// Refuses a flag that makes no sense without a language model.
fn needed(assignment: Option<&Assignment>, flag: &str) -> anyhow::Result<()> {
    match assignment {
        Some(_) => Ok(()),
        None => Err(usage(format!("{flag} needs a language model")))
            .hint("name one with --model, or set a provider's key such as ANTHROPIC_API_KEY"),
    }
}

/// The flags about language models of a run.
#[derive(Default, clap::Args)]
#[command(next_help_heading = "Language models")]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    choice: ModelChoice,
    /// Let the model search and choose pages with tools, within the same limits.
    #[arg(long)]
    agentic: bool,
    /// Have a model review the draft before it becomes a report (the default in deep mode).
    #[arg(long, conflicts_with = "no_skeptic")]
    skeptic: bool,
    /// Skip the review of the draft.
    #[arg(long)]
    no_skeptic: bool,
    /// Have the model judge citations that the built-in check is unsure of.
    #[arg(long)]
    judge_citations: bool,
}

impl ModelArgs {
    /// As if a model and a limit had been typed.
    pub(crate) fn of(model: Option<String>, max_cost: Option<f64>) -> Self {
        let choice = ModelChoice { model, max_cost, ..ModelChoice::default() };
        Self { choice, ..Self::default() }
    }

    /// How the run gathers.
    pub(crate) fn gathering(&self) -> Gathering {
        if self.agentic { Gathering::Agentic } else { Gathering::Planned }
    }

    /// What the run does with models, by flags and settings.
    pub(crate) fn choose(&self, app: &App, mode: Mode) -> anyhow::Result<ModelUse> {
        let chosen = self.choice.choose(app)?;
        let flags = [
            (self.agentic, "--agentic"),
            (self.skeptic, "--skeptic"),
            (self.judge_citations, "--judge-citations"),
        ];
        for (_, flag) in flags.into_iter().filter(|(given, _)| *given) {
            needed(chosen.assignment.as_ref(), flag)?;
        }
        let skeptic =
            chosen.assignment.is_some() && (self.skeptic || (mode.is_deep() && !self.no_skeptic));
        Ok(ModelUse { skeptic, check: self.judge_citations, ..chosen })
    }
}

/// Opens the models of a run; none for the embedded analyst.
pub(crate) fn open(app: &App, model: &ModelUse) -> anyhow::Result<Option<ModelSet>> {
    let Some(assignment) = &model.assignment else { return Ok(None) };
    let opened = ModelSet::open(assignment, &app.settings.model, model.limits);
    let opened = opened.map_err(|error| usage(error.to_string()));
    opened.map(Some).hint("`--model embedded` needs no key and no network")
}

/// Who signs a run's report.
pub(crate) fn analyst(model: &ModelUse) -> String {
    model.assignment.as_ref().map_or_else(|| "embedded".to_owned(), Assignment::author)
}
