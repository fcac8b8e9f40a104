//! Who answers: one short question to each language model and each search provider that a run would ask.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use probity_core::printable;
use probity_model::model_set::Assignment;
use probity_model::settings::Choice;
use probity_model::{ModelName, ModelSet, ProviderName as ModelProvider, Request, Task};
use probity_web::fetch::api::{ApiClient, ApiSettings};
use probity_web::search::{Chosen, ProviderName, Query, SearchContext, SearchSet, Selection};
use tokio::time::Instant;

use super::check::Check;
use super::parts;
use crate::app::App;
use crate::backend::sign_on::Oidc;

/// How long a model may take: one on this machine may have to be loaded first.
const MODEL_TIME: Duration = Duration::from_secs(60);
/// The most tokens of a model's answer. Models that think before they speak need some for that.
const MODEL_TOKENS: u32 = 256;
/// What search providers are asked: a word that every index holds.
const QUERY: &str = "encyclopedia";
/// How much of what someone said is repeated.
const SAID_CHARS: usize = 300;

/// Whether every language model that a run would ask answers.
pub(crate) async fn language_model(app: &App) -> Check {
    let settings = &app.settings.model;
    let ready = parts::language_model(app);
    let assignment = match Assignment::make(settings, None, None) {
        Ok(Some(assignment)) if !ready.is_failure() => assignment,
        // No provider, or a wrong setting: that is reported already.
        _ => return ready,
    };
    match ask_models(app, &assignment).await {
        Ok(said) => Check::ok(parts::LANGUAGE_MODEL, said).answering(true),
        Err(failed) => Check::failure(
            parts::LANGUAGE_MODEL,
            failed,
            "check the key, the address and the name of the model; `--model embedded` needs none \
             of them",
        )
        .answering(false),
    }
}

/// Whether the provider that people log in at answers; nothing where there is none.
pub(super) async fn log_in(app: &App) -> Option<Check> {
    let answered = match Oidc::open(app) {
        Ok(None) => return None,
        Ok(Some(oidc)) => oidc.probe().await,
        Err(error) => Err(format!("{error:#}")),
    };
    Some(match answered {
        Ok(said) => Check::ok(parts::LOG_IN, said).answering(true),
        Err(failed) => Check::failure(
            parts::LOG_IN,
            printable::brief(&failed, SAID_CHARS),
            "check `issuer` in [oidc]; a provider on a private host also needs `allow_hosts` in \
             [fetch]. Passwords work meanwhile",
        )
        .answering(false),
    })
}

/// Whether the models that a provider is asked for by default answer.
pub(crate) async fn ask_model_provider(
    app: &App,
    provider: ModelProvider,
) -> Result<String, String> {
    let settings = &app.settings.model;
    // Whoever has no usual model is asked for the one that the settings name.
    let choice = match &settings.default {
        Choice::Model(name) if name.provider == provider => settings.default.clone(),
        _ => Choice::Provider(provider),
    };
    let made = Assignment::make(settings, Some(&choice), None);
    let Some(mut assignment) = made.map_err(|error| error.to_string())? else {
        return Err(format!("{provider} has no model that could be asked"));
    };
    // Tasks that the settings give to others say nothing of this provider.
    assignment.tasks.retain(|_, name| name.provider == provider);
    if assignment.tasks.is_empty() {
        return Err(format!("the settings give every task to other providers than {provider}"));
    }
    ask_models(app, &assignment).await
}

/// Asks every model of an assignment.
async fn ask_models(app: &App, assignment: &Assignment) -> Result<String, String> {
    let settings = &app.settings.model;
    let model_set = ModelSet::open(assignment, settings, settings.limits);
    let model_set = model_set.map_err(|error| error.to_string())?;
    let names: BTreeSet<&ModelName> = assignment.tasks.values().collect();
    let asked = names.iter().map(|name| ask_model(assignment, &model_set, name));
    let failed: Vec<String> = join_all(asked).await.into_iter().filter_map(Result::err).collect();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    match failed.is_empty() {
        true => Ok(format!("{} answers", names.join(" and "))),
        false => Err(failed.join("; ")),
    }
}

async fn ask_model(
    assignment: &Assignment,
    model_set: &ModelSet,
    name: &ModelName,
) -> Result<(), String> {
    let task = assignment.tasks.iter().find(|(_, model)| *model == name).map(|(task, _)| *task);
    let chain = task.and_then(|task| model_set.chain(task));
    // Only the model itself: that another could stand in for it proves nothing about its key.
    let Some(model) = chain.and_then(|chain| chain.first()) else { return Ok(()) };
    let mut request = Request::new(Task::Plan, "Answer with one word.", "Answer: ready");
    request.max_output_tokens = MODEL_TOKENS;
    let answer = model.ask(&request, Instant::now() + MODEL_TIME, &|_: &str| {}).await;
    answer.map(drop).map_err(|error| printable::brief(&error.to_string(), SAID_CHARS))
}

/// The result of asking search providers.
pub(crate) struct Answers {
    /// Who answered.
    pub(crate) answered: Vec<String>,
    /// Who did not, and why.
    pub(crate) failed: Vec<(ProviderName, String)>,
}

impl Answers {
    /// Who did not answer, and why: those that cannot be reached for the same reason together.
    pub(crate) fn failures(&self) -> String {
        let reason = |why: &str| why.split_once(UNREACHED).map(|(_, reason)| reason.to_owned());
        let mut groups: Vec<Vec<&(ProviderName, String)>> = Vec::new();
        for one in &self.failed {
            let is_same = |group: &&mut Vec<&(ProviderName, String)>| {
                group
                    .first()
                    .is_some_and(|(_, why)| reason(why).is_some() && reason(why) == reason(&one.1))
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push(one),
                None => groups.push(vec![one]),
            }
        }
        let lines = groups.iter().filter_map(|group| match group.as_slice() {
            [] => None,
            [(name, why)] => Some(format!("{name}: {why}")),
            [(_, why), ..] => {
                let names: Vec<&str> = group.iter().map(|(name, _)| name.as_str()).collect();
                Some(format!("{}{UNREACHED}{}", names.join(", "), reason(why)?))
            }
        });
        lines.collect::<Vec<_>>().join("; ")
    }
}

/// How a provider that cannot be reached is reported, behind its host's name.
const UNREACHED: &str = " cannot be reached";

/// Asks each provider that a search would ask. Of those that stand in for each other one answer is enough.
pub(crate) async fn ask_providers(app: &App) -> Result<Answers, String> {
    let settings = &app.settings.search;
    let chosen = settings.providers.resolve(settings, &parts::local_providers(app));
    let chosen = chosen.map_err(|error| error.to_string())?;
    let client = ApiClient::new(ApiSettings::default()).map_err(|error| error.to_string())?;
    let asked = chosen.into_iter().filter_map(|provider| match provider {
        Chosen::Http(name) => Some(ask_first(app, client.clone(), vec![name])),
        Chosen::Chain(names) => Some(ask_first(app, client.clone(), names)),
        // What is in this program answers always.
        Chosen::Local(_) => None,
    });
    let mut answers = Answers { answered: Vec::new(), failed: Vec::new() };
    for (answered, failed) in join_all(asked).await {
        answers.answered.extend(answered);
        answers.failed.extend(failed);
    }
    Ok(answers)
}

/// The first provider of some that answers, and why those before it did not.
async fn ask_first(
    app: &App,
    client: ApiClient,
    names: Vec<ProviderName>,
) -> (Option<String>, Vec<(ProviderName, String)>) {
    let mut failed = Vec::new();
    for name in names {
        match ask_provider(app, client.clone(), name).await {
            Ok(()) => return (Some(name.to_string()), failed),
            Err(why) => failed.push((name, printable::brief(&why, SAID_CHARS))),
        }
    }
    (None, failed)
}

/// Whether a search provider answers.
pub(crate) async fn ask_search_provider(app: &App, name: ProviderName) -> Result<String, String> {
    let client = ApiClient::new(ApiSettings::default()).map_err(|error| error.to_string())?;
    let asked = ask_provider(app, client, name).await;
    asked.map(|()| format!("{name} answers")).map_err(|why| printable::brief(&why, SAID_CHARS))
}

async fn ask_provider(app: &App, client: ApiClient, name: ProviderName) -> Result<(), String> {
    let selection = Selection::Named(vec![name.to_string()]);
    let context = SearchContext::new(client).with_clock(app.clock);
    let set = SearchSet::new(&selection, &app.settings.search, context);
    let set = set.map_err(|error| error.to_string())?;
    let query = Query::new(QUERY).map_err(|error| error.to_string())?.with_limit(1);
    let found = set.search(&query).await;
    match found.answered {
        0 => Err(found.problems.first().map_or_else(String::new, |said| said.detail.clone())),
        _ => Ok(()),
    }
}

/// Whether search providers answer.
pub(crate) async fn search(app: &App) -> Check {
    let ready = parts::search(app);
    if ready.is_failure() {
        return ready;
    }
    let answers = match ask_providers(app).await {
        Ok(answers) => answers,
        Err(why) => return Check::failure(parts::SEARCH, why, parts::SEARCH_FIX),
    };
    let (heard, failures) = (answers.answered.join(", "), answers.failures());
    match (heard.is_empty(), failures.is_empty()) {
        // The web is not asked: local providers always answer.
        (true, true) => ready,
        (false, true) if ready.is_warning() => {
            Check { found: format!("{heard} answered; {}", ready.found), ..ready }.answering(true)
        }
        (false, true) => Check::ok(parts::SEARCH, format!("{heard} answered")).answering(true),
        (false, false) => Check::warning(
            parts::SEARCH,
            format!("{heard} answered; failed: {failures}"),
            "a run skips providers that fail; check its key and address, or leave it out with \
             --search NAMES",
        )
        .answering(true),
        // A user who has set nothing up may only want to ask their own documents.
        (true, false) if ready.is_warning() => Check::warning(
            parts::SEARCH,
            format!("no provider answered: {failures}"),
            "check the connection, or set SEARXNG_URL or a key such as BRAVE_API_KEY; --library \
             FOLDER needs no network",
        )
        .answering(false),
        (true, false) => Check::failure(
            parts::SEARCH,
            format!("no provider answered: {failures}"),
            parts::SEARCH_FIX,
        )
        .answering(false),
    }
}
