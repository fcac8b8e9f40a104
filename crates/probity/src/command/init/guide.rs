//! The guided way: one question after the other, each answer tried before the next.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use probity_core::Secret;
use probity_model::settings::{BaseUrl, Choice};
use probity_model::{ModelName, ProviderName as ModelProvider, Table, Task};
use probity_web::search::{LIBRARY, ProviderName, Selection};

use super::plan::{Plan, Source, folder_of, search_url, store_of};
use super::talk::{Talk, agree, ask, ask_secret, choose};
use super::trial::{self, Part};
use crate::app::App;
use crate::command::doctor::{self, Check, State};
use crate::config::env;
use crate::failure::usage;

/// How often a part that does not work may be answered again.
const AGAIN: usize = 5;
/// How long a server on this machine may take to accept a connection.
const KNOCK: Duration = Duration::from_millis(300);
/// Servers of models that people run themselves.
const LOCAL: [ModelProvider; 4] =
    [ModelProvider::Ollama, ModelProvider::LmStudio, ModelProvider::LlamaCpp, ModelProvider::Vllm];

/// Asks for everything.
pub(super) async fn guide(
    talk: &mut dyn Talk,
    app: &App,
    offline: bool,
) -> anyhow::Result<(Plan, Vec<Check>)> {
    talk.say(
        "Press Enter for the answer in brackets, Ctrl-C to leave without writing anything.\n",
    )?;
    let mut plan = Plan::default();
    let mut checks = Vec::new();
    for part in Part::ALL {
        checks.extend(settle(talk, &mut plan, part, app, offline).await?);
        if part == Part::Search {
            library(talk, &mut plan)?;
        }
    }
    let write = format!("Write {}?", app.paths.config.display());
    match agree(talk, &write, true)? {
        true => Ok((plan, checks)),
        false => Err(usage("nothing was written, as you wished")),
    }
}

/// Asks about a part until it works, or is kept although it does not.
async fn settle(
    talk: &mut dyn Talk,
    plan: &mut Plan,
    part: Part,
    app: &App,
    offline: bool,
) -> anyhow::Result<Vec<Check>> {
    for _ in 0..AGAIN {
        match part {
            Part::Model => model(talk, plan, &app.paths.config)?,
            Part::Search => search(talk, plan, &app.paths.config)?,
            Part::Store => store(talk, plan)?,
        }
        if offline {
            return Ok(Vec::new());
        }
        talk.say("Trying …\n")?;
        let checks = trial::try_out(plan, part, app).await?;
        for check in &checks {
            talk.say(&format!("{}\n", doctor::describe(check, app)))?;
        }
        let works = checks.iter().all(|check| check.state != State::Failure);
        if works || agree(talk, "Keep it anyway?", false)? {
            return Ok(checks);
        }
    }
    Err(usage("no answer worked; nothing was written"))
}

fn model(talk: &mut dyn Talk, plan: &mut Plan, config: &Path) -> anyhow::Result<()> {
    let set = ModelProvider::ALL
        .into_iter()
        .flat_map(|provider| provider.key_variables().iter().copied())
        .find(|name| env::lookup(name).is_some());
    let running = LOCAL.into_iter().find(|provider| listens(*provider));
    let mut options = vec![(Who::Embedded, "the embedded analyst: no key, no network".to_owned())];
    options.push((Who::Hosted, "a hosted model, with your key".to_owned()));
    let here = running.map(|provider| format!(" ({provider} is running)")).unwrap_or_default();
    options.push((Who::Local, format!("a model on your own server{here}")));
    let mut usual = 0;
    if let Some(variable) = set {
        // A user who has set a key wants it used.
        usual = options.len();
        let whose = format!("the model whose key is in the environment ({variable})");
        options.push((Who::Environment, whose));
    }
    let shown: Vec<String> = options.iter().map(|(_, text)| text.clone()).collect();
    let number = choose(talk, "Who judges sources and writes reports?", &shown, usual)?;
    (plan.base_url, plan.model_key) = (None, None);
    match options.get(number).map(|(who, _)| who) {
        Some(Who::Environment) => plan.model = Choice::Auto,
        Some(Who::Hosted) => hosted(talk, plan, config)?,
        Some(Who::Local) => local(talk, plan, running)?,
        Some(Who::Embedded) | None => plan.model = Choice::Embedded,
    }
    Ok(())
}

/// Who writes.
enum Who {
    Environment,
    Embedded,
    Hosted,
    Local,
}

fn hosted(talk: &mut dyn Talk, plan: &mut Plan, config: &Path) -> anyhow::Result<()> {
    let names: Vec<&str> = ModelProvider::ALL
        .into_iter()
        .filter(|p| p.needs_key())
        .map(ModelProvider::as_str)
        .collect();
    talk.say(&format!("Providers: {}\n", names.join(", ")))?;
    plan.model = ask(talk, "Provider, or PROVIDER:MODEL", "anthropic", whole_choice)?;
    let Some(provider) = plan.model_provider() else { return Ok(()) };
    if provider.default_url().is_none() {
        let read = |text: &str| text.parse::<BaseUrl>().map_err(|why| usage(format!("it {why}")));
        plan.base_url = Some(ask(talk, "Its address", "", read)?);
    }
    let key = ask_secret(talk, &format!("Key of {provider}"))?;
    plan.model_key = Some(Source::typed(config, provider.as_str(), Secret::new(key))?);
    Ok(())
}

/// A provider or a model that can be asked without naming anything more.
fn whole_choice(text: &str) -> anyhow::Result<Choice> {
    let choice: Choice = text.parse().map_err(|error| usage(format!("{error}")))?;
    match &choice {
        Choice::Provider(provider) if default_model(*provider).is_none() => {
            Err(usage(format!("{provider} has no default model; type {provider}:NAME.")))
        }
        Choice::Auto | Choice::Embedded => Err(usage("Type the name of a provider.")),
        _ => Ok(choice),
    }
}

fn default_model(provider: ModelProvider) -> Option<ModelName> {
    Table::embedded().default_model(provider, Task::Synthesise)
}

fn local(
    talk: &mut dyn Talk,
    plan: &mut Plan,
    running: Option<ModelProvider>,
) -> anyhow::Result<()> {
    let names: Vec<&str> = LOCAL.into_iter().map(ModelProvider::as_str).collect();
    talk.say(&format!("Servers: {}, compatible (any with OpenAI's chat API)\n", names.join(", ")))?;
    let usual = running.unwrap_or(ModelProvider::Ollama);
    let provider = ask(talk, "Server", usual.as_str(), |text| {
        let found = ModelProvider::ALL.into_iter().find(|p| p.as_str() == text && !p.needs_key());
        found.ok_or_else(|| usage(format!("Type one of {}, compatible.", names.join(", "))))
    })?;
    let address = provider.default_url().unwrap_or_default();
    let read = |text: &str| text.parse::<BaseUrl>().map_err(|why| usage(format!("it {why}")));
    let url = ask(talk, "Its address", address, read)?;
    plan.base_url = Some(url).filter(|url| Some(url) != address.parse::<BaseUrl>().ok().as_ref());
    let usual = default_model(provider).map(|name| name.model).unwrap_or_default();
    let name = ask(talk, "Name of the model there", &usual, |text| {
        format!("{provider}:{text}").parse::<ModelName>().map_err(|error| usage(error.to_string()))
    })?;
    plan.model = Choice::Model(name);
    Ok(())
}

/// Whether something accepts connections where a provider's server usually is.
fn listens(provider: ModelProvider) -> bool {
    let url = provider.default_url().and_then(|url| url.parse::<BaseUrl>().ok());
    let Some(url) = url else { return false };
    let address = url.url().socket_addrs(|| None).ok().and_then(|all| all.into_iter().next());
    address
        .and_then(|address| address.to_socket_addrs().ok()?.next())
        .is_some_and(|address| TcpStream::connect_timeout(&address, KNOCK).is_ok())
}

fn search(talk: &mut dyn Talk, plan: &mut Plan, config: &Path) -> anyhow::Result<()> {
    let options = [
        "providers that need no key (they limit requests)",
        "a SearXNG instance of yours",
        "a provider with your key",
        "only your own documents",
    ];
    let number = choose(talk, "Where does Probity search?", &options.map(str::to_owned), 0)?;
    (plan.search, plan.search_url, plan.search_key) = (Selection::Auto, None, None);
    match number {
        1 => {
            let url = ask(talk, "Its address", "http://127.0.0.1:8888", search_url)?;
            plan.search_url = Some((ProviderName::Searxng, url));
        }
        2 => {
            let keyed: Vec<ProviderName> = ProviderName::ALL
                .into_iter()
                .filter(|name| {
                    let spec = name.spec();
                    // What needs more than a key is for the file itself.
                    spec.key.is_some_and(|key| key.required)
                        && spec.engine_variable.is_none()
                        && spec.url.is_some()
                })
                .collect();
            let names: Vec<&str> = keyed.iter().map(|name| name.as_str()).collect();
            talk.say(&format!("Providers: {}\n", names.join(", ")))?;
            let provider = ask(talk, "Provider", "brave", |text| {
                let found = keyed.iter().copied().find(|name| name.as_str() == text);
                found.ok_or_else(|| usage(format!("Type one of {}.", names.join(", "))))
            })?;
            let key = ask_secret(talk, &format!("Key of {provider}"))?;
            let name = format!("search-{provider}");
            plan.search_key = Some((provider, Source::typed(config, &name, Secret::new(key))?));
        }
        3 => plan.search = Selection::Named(vec![LIBRARY.to_owned()]),
        _ => {}
    }
    Ok(())
}

fn library(talk: &mut dyn Talk, plan: &mut Plan) -> anyhow::Result<()> {
    let folder = ask(talk, "\nA folder of documents to index", "none", |text| match text {
        "none" => Ok(None),
        path => folder_of(Path::new(path)).map(Some),
    })?;
    plan.library = folder.into_iter().collect();
    Ok(())
}

fn store(talk: &mut dyn Talk, plan: &mut Plan) -> anyhow::Result<()> {
    talk.say("\nRuns, ledger and library are kept in a file, or in PostgreSQL (postgres://…).\n")?;
    plan.store = ask(talk, "Store", "a file in the data folder", |text| match text {
        "a file in the data folder" => Ok(None),
        place => store_of(place).map(Some),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io;

    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;
    use crate::output::Style;

    /// Someone who gives these answers and then says nothing more.
    struct Script {
        answers: VecDeque<&'static str>,
        heard: String,
    }

    impl Talk for Script {
        fn say(&mut self, text: &str) -> io::Result<()> {
            self.heard.push_str(text);
            Ok(())
        }

        fn hear(&mut self) -> io::Result<Option<String>> {
            Ok(self.answers.pop_front().map(str::to_owned))
        }

        fn hear_secret(&mut self) -> io::Result<Option<String>> {
            self.hear()
        }
    }

    async fn talk(answers: &[&'static str]) -> (anyhow::Result<Plan>, String) {
        let folder = tempfile::tempdir().unwrap();
        let (data, config) = (folder.path().join("data"), folder.path().join("config.toml"));
        let typed = ["probity", "init", "--data-dir", data.to_str().unwrap(), "--config"];
        let cli = Cli::parse_from(typed.into_iter().chain([config.to_str().unwrap()]));
        let style = Style::detect(crate::cli::ColorChoice::Never);
        let app = App::unconfigured(&cli.global, style).unwrap();
        let mut script =
            Script { answers: answers.iter().copied().collect(), heard: String::new() };
        let plan = guide(&mut script, &app, true).await.map(|(plan, _)| plan);
        (plan, script.heard)
    }

    #[tokio::test]
    async fn whoever_presses_enter_all_the_way_gets_what_needs_no_key() {
        let (plan, heard) = talk(&["", "", "", "", ""]).await;
        let plan = plan.unwrap();
        assert_eq!(plan.search, Selection::Auto);
        assert_eq!((plan.store, plan.model_key, plan.search_key), (None, None, None));
        assert!(heard.contains("[a file in the data folder]"), "{heard}");
    }

    #[tokio::test]
    async fn a_key_that_is_typed_goes_into_a_file_beside_the_configuration() {
        let answers =
            ["2", "nobody", "openai", "sk-0123456789", "3", "brave", "bsk-0123456789", "", "", "y"];
        let (plan, heard) = talk(&answers).await;
        let plan = plan.unwrap();
        let keys: Vec<_> =
            plan.new_keys().map(|(path, key)| (path.to_owned(), key.clone())).collect();
        assert!(keys[0].0.ends_with("keys/openai"), "{keys:?}");
        assert!(keys[1].0.ends_with("keys/search-brave"), "{keys:?}");
        assert_eq!(keys[0].1, Secret::new("sk-0123456789"));
        assert!(heard.contains("nobody"), "a wrong name is said and asked again: {heard}");
        assert!(!heard.contains("sk-0123456789"), "{heard}");
    }

    #[tokio::test]
    async fn answers_that_end_or_make_no_sense_write_nothing() {
        let (plan, _) = talk(&["", ""]).await;
        let said = |plan: anyhow::Result<Plan>| format!("{:#}", plan.unwrap_err());
        assert!(said(plan).contains("the answers ended"));
        let (plan, heard) = talk(&["9", "0", "x", "-1", "99"]).await;
        assert!(said(plan).contains("no answer could be used"));
        assert_eq!(heard.matches("Type a number from 1 to").count(), 5, "{heard}");
        let (plan, _) = talk(&["", "", "/no/such/folder", "none", "mysql://x/y", "", "n"]).await;
        assert!(said(plan).contains("as you wished"));
    }
}
