//! `probity models`: who would judge and write, and what is missing to ask whom.

use std::process::ExitCode;

use probity_model::model_set::Assignment;
use probity_model::{ProviderName, Table, Task};
use serde::Serialize;

use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity models`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the providers, the tasks of each, and what is missing.
    List,
}

/// A provider and what is missing to ask it.
#[derive(Serialize)]
struct Listed {
    provider: String,
    /// Where it is.
    address: Option<String>,
    /// Where its key is looked for.
    key: Option<&'static str>,
    /// Whether it can be asked.
    ready: bool,
    /// What is missing, if something is.
    missing: Option<String>,
    /// The models that it is asked for where none is named.
    small: Option<String>,
    strong: Option<String>,
}

/// Who would do a task.
#[derive(Serialize)]
struct Doing {
    task: Task,
    model: String,
    /// Tokens that it takes in all.
    window: usize,
    /// US dollars for a million tokens sent, sent and cached, and received.
    input: Option<f64>,
    cached: Option<f64>,
    output: Option<f64>,
    /// The day of these prices.
    prices_of: Option<String>,
}

#[derive(Serialize)]
struct Models {
    /// The day of the prices.
    prices_of: String,
    /// Who does what; nothing means the embedded analyst.
    would_be_used: Vec<Doing>,
    providers: Vec<Listed>,
}

/// Runs `probity models`.
pub(crate) fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    let Command::List = command;
    let table = Table::embedded().with(&app.settings.model.known);
    let assignment = Assignment::make(&app.settings.model, None, None)
        .map_err(|error| usage(error.to_string()))?;
    let tasks = assignment.map(|assignment| assignment.tasks).unwrap_or_default();
    let models = Models {
        prices_of: table.as_of().to_owned(),
        would_be_used: tasks
            .into_iter()
            .map(|(task, name)| {
                let facts = table.facts(&name);
                Doing {
                    task,
                    model: name.to_string(),
                    window: facts.window,
                    input: facts.price.map(|price| price.input),
                    cached: facts.price.map(|price| price.cached),
                    output: facts.price.map(|price| price.output),
                    prices_of: facts.price.map(|_| table.priced_on(&name).to_owned()),
                }
            })
            .collect(),
        providers: ProviderName::ALL.into_iter().map(|name| listed(name, &table, app)).collect(),
    };
    if app.json {
        output::print_json(&models)?;
    } else {
        print(&models)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(provider: ProviderName, table: &Table, app: &App) -> Listed {
    let settings = app.settings.model.of(provider);
    let given = settings.base_url.as_ref().map(ToString::to_string);
    let address = given.clone().or_else(|| provider.default_url().map(str::to_owned));
    let key = provider.key_variables().first().copied();
    let own_host = given.is_none() || settings.is_at_own_host(provider);
    let no_key = provider.needs_key() && !settings.has_key() && own_host;
    let no_key = key.filter(|_| no_key).map(|variable| {
        let account = provider.account_variables();
        match (&settings.account_problem, account) {
            (Some(problem), [first, ..]) => format!("set {variable}, or fix {first}: {problem}"),
            (None, [_, ..]) => format!("set {variable}, or {}", account.join(" and ")),
            _ => format!("set {variable}"),
        }
    });
    let no_address = provider.url_variable().filter(|_| address.is_none());
    let no_address = no_address.map(|variable| match provider.region_variable() {
        Some(region) => format!("set {region} or {variable}"),
        None => format!("set {variable}"),
    });
    let missing: Vec<String> = [no_key, no_address].into_iter().flatten().collect();
    let missing = (!missing.is_empty()).then(|| missing.join("; "));
    let model = |task| table.default_model(provider, task).map(|name| name.model);
    Listed {
        provider: provider.to_string(),
        ready: missing.is_none(),
        address,
        key,
        missing,
        small: model(Task::Score),
        strong: model(Task::Synthesise),
    }
}

fn print(models: &Models) -> anyhow::Result<()> {
    match models.would_be_used.is_empty() {
        true => output::print_line("The embedded analyst judges and writes: no key is set.")?,
        false => output::print_line(&format!("Who does what (prices of {}):", models.prices_of))?,
    }
    for doing in &models.would_be_used {
        let price = match (doing.input, doing.output) {
            (Some(input), Some(output)) => {
                let day = doing.prices_of.as_deref().filter(|day| *day != models.prices_of);
                let day = day.map_or_else(String::new, |day| format!(" (of {day})"));
                format!("${input} in, ${output} out for a million tokens{day}")
            }
            _ => "price not known".to_owned(),
        };
        output::print_line(&format!(
            "  {:<11} {}  window {}, {price}",
            doing.task.to_string(),
            doing.model,
            doing.window
        ))?;
    }
    output::print_line("Providers:")?;
    for one in &models.providers {
        let state = one.missing.clone().unwrap_or_else(|| "ready".to_owned());
        let models = match (&one.small, &one.strong) {
            (Some(small), Some(strong)) if small != strong => format!("{small}, {strong}"),
            (Some(small), _) => small.clone(),
            _ => format!("name a model: {}:NAME", one.provider),
        };
        output::print_line(&format!("  {:<11} {state}; {models}", one.provider))?;
    }
    Ok(())
}
