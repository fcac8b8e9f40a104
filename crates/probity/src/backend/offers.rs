//! Who may judge and write, and what a run with them may cost.

use probity_core::Mode;
use probity_model::model_set::Assignment;
use probity_model::settings::Choice;
use probity_model::{ProviderName, Table, Task, TokenCount};
use probity_server::{Cost, Offer};

use crate::app::App;

/// What one call of a task takes, in tokens sent and received: as measured in whole runs with the scripted
/// model (docs/models.md).
struct Call {
    task: Task,
    sent: u64,
    received: u64,
    times: Times,
}

/// How often a task is done in a run.
enum Times {
    Once,
    /// For every page that is read.
    Pages,
    /// Per this many words of the report.
    Words(usize),
}

const CALLS: [Call; 6] = [
    Call { task: Task::Plan, sent: 450, received: 15, times: Times::Once },
    Call { task: Task::Summarise, sent: 2_235, received: 340, times: Times::Pages },
    Call { task: Task::Gaps, sent: 621, received: 15, times: Times::Once },
    Call { task: Task::Score, sent: 688, received: 13, times: Times::Pages },
    Call { task: Task::Section, sent: 2_500, received: 900, times: Times::Words(500) },
    Call { task: Task::Lead, sent: 1_000, received: 300, times: Times::Once },
];
/// Short pages, or few of them, take about half of that.
const LEAST: f64 = 0.5;
/// What thinks before it answers, fails its checks or is criticised takes about twice that.
const MOST: f64 = 2.0;

/// Everybody who is ready, the one who is asked if nothing is said first.
pub(super) fn offers(app: &App) -> Vec<Offer> {
    let settings = &app.settings.model;
    let usual = Assignment::make(settings, None, None).ok().flatten();
    let mut offers: Vec<Offer> = Vec::new();
    if let Some(assignment) = &usual {
        offers.push(offer(app, assignment.author(), assignment));
    }
    offers.push(embedded());
    for provider in ProviderName::ALL {
        let has_key = !provider.needs_key() || settings.of(provider).key.is_some();
        let has_place = settings.of(provider).base_url.is_some() || provider.needs_key();
        if !(has_key && has_place) {
            continue;
        }
        let Ok(choice) = provider.to_string().parse::<Choice>() else { continue };
        let Ok(Some(assignment)) = Assignment::make(settings, Some(&choice), None) else {
            continue;
        };
        let is_usual = usual.as_ref().is_some_and(|usual| usual.author() == assignment.author());
        if !is_usual {
            offers.push(offer(app, provider.to_string(), &assignment));
        }
    }
    offers
}

fn embedded() -> Offer {
    let costs = Mode::ALL.map(|mode| Cost { mode: mode.as_str(), from: Some(0.0), to: Some(0.0) });
    let name = "embedded".to_owned();
    Offer { name, writes: "the embedded analyst".to_owned(), costs: costs.to_vec() }
}

fn offer(app: &App, name: String, assignment: &Assignment) -> Offer {
    let table = Table::embedded().with(&app.settings.model.known);
    let costs = Mode::ALL.map(|mode| {
        let (from, to) = range(app, &table, assignment, mode).unzip();
        Cost { mode: mode.as_str(), from, to }
    });
    Offer { name, writes: assignment.author(), costs: costs.to_vec() }
}

/// The least and the most that a run usually costs; none where a price is not known.
fn range(app: &App, table: &Table, assignment: &Assignment, mode: Mode) -> Option<(f64, f64)> {
    let numbers = app.settings.research.modes.of(mode);
    let mut cost = 0.0;
    for call in CALLS {
        let price = table.facts(assignment.tasks.get(&call.task)?).price?;
        let times = match call.times {
            Times::Once => 1,
            Times::Pages => numbers.max_sources(),
            Times::Words(words) => numbers.words.div_ceil(words),
        };
        let times = u64::try_from(times).unwrap_or(u64::MAX);
        cost += price.of(TokenCount {
            input: call.sent.saturating_mul(times),
            output: call.received.saturating_mul(times),
            ..TokenCount::default()
        });
    }
    Some((cost * LEAST, cost * MOST))
}
