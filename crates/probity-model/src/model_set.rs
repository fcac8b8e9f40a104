//! Who does what: a chain of models for every task, from the settings and the user's choice.

use std::collections::BTreeMap;
use std::sync::Arc;

use probity_core::Shared;
use serde::{Deserialize, Serialize};

use crate::meter::Limits;
use crate::model::{Chain, Model};
use crate::name::{ModelName, ProviderName};
use crate::provider::{ClientError, Provider, Reach, Remote};
use crate::settings::{BaseUrl, Choice, ModelSettings};
use crate::shared_backoff::SharedBackoff;
use crate::table::Table;
use crate::task::Task;
use crate::wire::Protocol;

/// Why no models can be had.
#[derive(Debug, thiserror::Error)]
pub enum LineupError {
    /// A provider that needs a key has none.
    #[error("{model} needs a key; set {variable} or the file {variable}_FILE names")]
    NoKey {
        /// The model.
        model: ModelName,
        /// Where the key is looked for.
        variable: &'static str,
    },
    /// An account that was named for a provider cannot be used.
    #[error("{model} cannot be asked with the account that {variable} names: {reason}")]
    Account {
        /// The model.
        model: ModelName,
        /// Where the account is named.
        variable: &'static str,
        /// Why not.
        reason: String,
    },
    /// A provider that has no address of its own got none.
    #[error("{model} needs an address; give --base-url or set {variable}")]
    NoAddress {
        /// The model.
        model: ModelName,
        /// Where the address is looked for.
        variable: &'static str,
    },
    /// A provider without default models was named alone.
    #[error("{0} has no default model; name one as {0}:NAME")]
    NoDefault(ProviderName),
    /// A limit on cost cannot be kept.
    #[error(
        "the price of {0} is not known, so a limit on cost could not be kept; set it in \
         [model.known.\"{0}\"] or limit tokens or calls instead"
    )]
    NoPrice(ModelName),
    /// No client could be made.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Who does what, by name: what a run writes down so that it can be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The model of each task.
    pub tasks: BTreeMap<Task, ModelName>,
    /// The fallbacks, in order.
    #[serde(default)]
    pub fallback: Vec<ModelName>,
    /// The base URL that was given for this run, and for whom.
    #[serde(default)]
    pub base_url: Option<(ProviderName, BaseUrl)>,
}

impl Assignment {
    /// Who the settings mean, and who was named instead of their default; none is the embedded analyst.
    ///
    /// # Errors
    /// When a provider without default models is named alone.
    pub fn make(
        settings: &ModelSettings,
        named: Option<&Choice>,
        base_url: Option<BaseUrl>,
    ) -> Result<Option<Self>, LineupError> {
        let choice = named.unwrap_or(&settings.default);
        let table = Table::embedded();
        // A provider without a default model needs one by name.
        let has_key = |p: &ProviderName| {
            p.needs_key()
                && settings.of(*p).key.is_some()
                && table.default_model(*p, Task::Plan).is_some()
        };
        let chosen = match choice {
            Choice::Embedded => return Ok(None),
            Choice::Auto => ProviderName::ALL.into_iter().find(has_key).map(Choice::Provider),
            other => Some(other.clone()),
        };
        let Some(chosen) = chosen else { return Ok(None) };
        let mut tasks = BTreeMap::new();
        for task in Task::ALL {
            let by_default = match &chosen {
                Choice::Model(name) => Some(name.clone()),
                Choice::Provider(provider) => table.default_model(*provider, task),
                Choice::Auto | Choice::Embedded => None,
            };
            // A model named for this run does everything; the settings' tasks refine a default.
            let refined = match (named, settings.tasks.of(task)) {
                (Some(Choice::Model(_)), _) | (_, None) => by_default,
                (_, Some(name)) => Some(name.clone()),
            };
            match (refined, &chosen) {
                (Some(name), _) => tasks.insert(task, name),
                (None, Choice::Provider(provider)) => {
                    return Err(LineupError::NoDefault(*provider));
                }
                (None, _) => return Ok(None),
            };
        }
        let provider = match &chosen {
            Choice::Model(name) => name.provider,
            Choice::Provider(provider) => *provider,
            Choice::Auto | Choice::Embedded => return Ok(None),
        };
        let base_url = base_url.map(|url| (provider, url));
        Ok(Some(Self { tasks, fallback: settings.fallback.clone(), base_url }))
    }

    /// Who signs the report: the model that writes it.
    pub fn author(&self) -> String {
        self.tasks.get(&Task::Synthesise).map(ToString::to_string).unwrap_or_default()
    }
}

/// A chain of models for every task.
#[derive(Clone)]
pub struct ModelSet {
    chains: BTreeMap<Task, Chain>,
    /// Who else asks the same providers and spends the same money, if anyone is known to.
    shared: Option<Arc<dyn Shared>>,
}

impl ModelSet {
    /// Opens every model of an assignment. Nothing is sent yet.
    ///
    /// # Errors
    /// When a key, an address or a price that is needed is missing.
    pub fn open(
        assignment: &Assignment,
        settings: &ModelSettings,
        limits: Limits,
    ) -> Result<Self, LineupError> {
        let mut open = Opener {
            settings,
            table: Table::embedded().with(&settings.known),
            base_url: assignment.base_url.clone(),
            needs_price: limits.max_cost.is_some(),
            providers: BTreeMap::new(),
        };
        let mut chains = BTreeMap::new();
        for (task, name) in &assignment.tasks {
            let first = open.model(name)?;
            let others = assignment.fallback.iter().filter(|other| *other != name);
            let others = others.map(|other| open.model(other)).collect::<Result<Vec<_>, _>>()?;
            chains.insert(*task, Chain::new(first, others));
        }
        Ok(Self { chains, shared: None })
    }

    /// The same chain for every task.
    pub fn of_one(model: Arc<dyn Model>) -> Self {
        let chain = Chain::new(model, []);
        let chains = Task::ALL.into_iter().map(|task| (task, chain.clone())).collect();
        Self { chains, shared: None }
    }

    /// The same models, asked in step with other processes and paid from one purse.
    #[must_use]
    pub fn sharing(self, shared: Arc<dyn Shared>) -> Self {
        let share =
            |chain: &Chain| chain.map(|model| SharedBackoff::around(model, Arc::clone(&shared)));
        let chains = self.chains.iter().map(|(task, chain)| (*task, share(chain))).collect();
        Self { chains, shared: Some(shared) }
    }

    /// Who else spends the same money.
    pub fn shared(&self) -> Option<&dyn Shared> {
        self.shared.as_deref()
    }

    /// Who does a task.
    pub fn chain(&self, task: Task) -> Option<&Chain> {
        // A run that an earlier version began names no models for tasks which that did not know.
        self.chains.get(&task).or_else(|| self.chains.get(&task.configured_as()))
    }

    /// The name of the model that does a task.
    pub fn name(&self, task: Task) -> String {
        let first = self.chain(task).and_then(Chain::first);
        first.map_or_else(|| "no model".to_owned(), |model| model.name().to_string())
    }
}

struct Opener<'a> {
    settings: &'a ModelSettings,
    table: Table,
    base_url: Option<(ProviderName, BaseUrl)>,
    needs_price: bool,
    providers: BTreeMap<ProviderName, Arc<Provider>>,
}

impl Opener<'_> {
    fn model(&mut self, name: &ModelName) -> Result<Arc<dyn Model>, LineupError> {
        let facts = self.table.facts(name);
        if self.needs_price && facts.price.is_none() {
            return Err(LineupError::NoPrice(name.clone()));
        }
        let provider = match self.providers.get(&name.provider) {
            Some(provider) => Arc::clone(provider),
            None => {
                let provider = Provider::open(self.reach(name)?)?;
                self.providers.insert(name.provider, Arc::clone(&provider));
                provider
            }
        };
        Ok(Arc::new(Remote::new(provider, name.clone(), facts)))
    }

    fn reach(&self, name: &ModelName) -> Result<Reach, LineupError> {
        let provider = name.provider;
        let settings = self.settings.of(provider);
        let given = match &self.base_url {
            Some((theirs, url)) if *theirs == provider => Some(url.clone()),
            _ => settings.base_url.clone(),
        };
        let own = || provider.default_url().and_then(|url| url.parse::<BaseUrl>().ok());
        let is_elsewhere = given.is_some() && given != own();
        let base = given.or_else(own).ok_or_else(|| LineupError::NoAddress {
            model: name.clone(),
            variable: provider.url_variable().unwrap_or_default(),
        })?;
        let variable = provider.key_variables().first().copied().unwrap_or_default();
        let own_host = provider
            .own_hosts()
            .is_some_and(|ending| base.url().host_str().is_some_and(|host| host.ends_with(ending)));
        if provider.needs_key() && !settings.has_key() && (!is_elsewhere || own_host) {
            let account = provider.account_variables().first();
            return Err(match (&settings.account_problem, account) {
                (Some(reason), Some(variable)) => {
                    let reason = reason.clone();
                    LineupError::Account { model: name.clone(), variable, reason }
                }
                _ => LineupError::NoKey { model: name.clone(), variable },
            });
        }
        // Bedrock speaks as OpenAI does where its address says so, and as it does itself everywhere else.
        let as_openai = provider == ProviderName::Bedrock && base.url().path().contains("/openai/");
        let usual = if as_openai { Protocol::Chat } else { Protocol::of(provider, is_elsewhere) };
        Ok(Reach {
            base: base.url().clone(),
            key: settings.key.clone(),
            protocol: settings.protocol.unwrap_or(usual),
            concurrency: settings.concurrency,
            account: settings.account.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use probity_core::Secret;

    use super::*;

    fn with_key(provider: ProviderName) -> ModelSettings {
        let mut settings = ModelSettings::default();
        settings.of_mut(provider).key = Some(Secret::new("k"));
        settings
    }

    fn named(settings: &ModelSettings, choice: &str, task: Task) -> Option<String> {
        let made = Assignment::make(settings, Some(&choice.parse().unwrap()), None).unwrap();
        made.map(|made| made.tasks[&task].to_string())
    }

    #[test]
    fn auto_is_whoever_has_a_key_and_else_nobody() {
        assert_eq!(named(&ModelSettings::default(), "auto", Task::Plan), None);
        let gemini = with_key(ProviderName::Gemini);
        assert!(named(&gemini, "auto", Task::Plan).unwrap().starts_with("gemini:"));
        assert_eq!(named(&gemini, "embedded", Task::Plan), None);
        let mut ollama = ModelSettings::default();
        ollama.ollama.base_url = "http://127.0.0.1:1/".parse().ok();
        assert_eq!(named(&ollama, "auto", Task::Plan), None, "an address is no key");
    }

    #[test]
    fn tasks_refine_a_default_but_not_a_model_that_was_named() {
        let mut settings = with_key(ProviderName::Anthropic);
        settings.tasks.score = Some("ollama:tiny".parse().unwrap());
        assert_eq!(named(&settings, "auto", Task::Score).unwrap(), "ollama:tiny");
        assert_ne!(
            named(&settings, "auto", Task::Plan),
            named(&settings, "auto", Task::Synthesise),
            "a small model plans, a strong one writes"
        );
        assert_eq!(named(&settings, "openai:x", Task::Score).unwrap(), "openai:x");
        // A model that the settings name is a default like any other.
        settings.default = "openai:good".parse().unwrap();
        let made = Assignment::make(&settings, None, None).unwrap().unwrap();
        assert_eq!(made.tasks[&Task::Score].to_string(), "ollama:tiny");
        assert_eq!(made.tasks[&Task::Synthesise].to_string(), "openai:good");
    }

    #[test]
    fn what_is_missing_is_named() {
        let open = |settings: &ModelSettings, choice: &str, limits| {
            let made = Assignment::make(settings, Some(&choice.parse().unwrap()), None);
            made.and_then(|made| ModelSet::open(&made.unwrap(), settings, limits).map(drop))
                .unwrap_err()
                .to_string()
        };
        let none = ModelSettings::default();
        let free = Limits::default();
        assert!(open(&none, "anthropic", free).contains("ANTHROPIC_API_KEY"));
        assert!(open(&none, "compatible", free).contains("has no default model"));
        assert!(open(&none, "compatible:x", free).contains("needs an address"));
        let mut settings = with_key(ProviderName::OpenAi);
        settings.openai.base_url = "http://127.0.0.1:9/v1".parse().ok();
        let dear = Limits { max_cost: Some(1.0), ..free };
        assert!(open(&settings, "openai:unheard-of", dear).contains("price of openai:unheard-of"));
    }
}
