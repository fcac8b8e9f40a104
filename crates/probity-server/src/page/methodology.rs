//! How every score comes about, from the constants in force.

mod dated;

use askama::Template;
use axum::extract::State;
use dated::{CHANGES, Change, last_changed};
use probity_core::{Band, Mode, ModeSettings, Relevance, Timestamp};
use probity_credibility::ledger::{Seed, seeds};
use probity_credibility::{AuthorityMode, Policy, RelevanceMode, RelevanceTo};
use probity_store::ledger::EventQuery;

use super::{Bar, Frame, Tab, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::ledger::{CodebookEntry, codes};
use crate::state::Server;

/// A tier with who is in it.
struct TierRow {
    name: &'static str,
    value: String,
    who: String,
}

/// The numbers of a mode.
struct ModeRow {
    name: &'static str,
    sources: String,
    full: usize,
    short: usize,
    cutoff: u8,
    words: usize,
    saved: &'static str,
}

/// One step of a score, worked out.
struct Step {
    code: &'static str,
    sum: String,
}

#[derive(Template)]
#[template(path = "methodology.html")]
struct MethodologyPage {
    frame: Frame,
    policy: Policy,
    ledger_first: bool,
    blend: bool,
    either: bool,
    soft: bool,
    tiers: Vec<TierRow>,
    bands: Vec<(String, Bar)>,
    modes: Vec<ModeRow>,
    alpha: f64,
    steps: [Step; 2],
    codes: Vec<CodebookEntry>,
    codes_changed: Option<Timestamp>,
    meanings: [(u8, &'static str); 5],
    seeds: Vec<(&'static Seed, Bar)>,
    last_coding: Option<Timestamp>,
    aggregators: String,
    scoring_seconds: u64,
    window_hours: u32,
    neutral: f64,
    keep: f64,
    skip: f64,
    changes: &'static [Change],
}

impl MethodologyPage {
    /// The day on which the rules of a section last changed.
    fn changed(&self, about: &str) -> &'static str {
        last_changed(about)
    }
}

/// One coding of a score, as a sum.
fn step(code: &'static str, before: f64, alpha: f64, target: f64) -> Step {
    let after = before + alpha * (target - before);
    Step { code, sum: format!("{before:.2} + {alpha} × ({target} − {before:.2}) = {after:.3}") }
}

fn tiers(policy: &Policy) -> Vec<TierRow> {
    let table = &policy.tiers;
    let number = |value: f64| format!("{value:.2}");
    let row = |name, value: f64, who: String| TierRow { name, value: number(value), who };
    let dotted = |labels: &[String]| {
        labels.iter().map(|label| format!(".{label}")).collect::<Vec<_>>().join(" ")
    };
    vec![
        row(
            "academic or government",
            table.academic,
            format!(
                "hosts under {}, and {} directly under a country's domain",
                dotted(&table.academic_suffixes),
                table.academic_country_labels.join(", ")
            ),
        ),
        row("major", table.major, table.major_domains.join(" ")),
        row("social", table.social, table.social_domains.join(" ")),
        row(
            "organisation",
            table.organisation,
            format!("any other {}", dotted(&table.organisation_suffixes)),
        ),
        row("general", table.general, "everything else".to_owned()),
    ]
}

/// How many pages a mode reads, round by round.
fn sources(numbers: &ModeSettings) -> String {
    let (max, first, second) =
        (numbers.max_sources(), numbers.round1_sources, numbers.round2_sources);
    match numbers.rounds {
        1 => max.to_string(),
        2 => format!("{max} ({first} + {second})"),
        rounds => format!("{max} ({first} + {} × {second})", rounds - 1),
    }
}

/// `GET /methodology`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    let constants = server.backend.constants();
    let modes = Mode::ALL.into_iter().map(|mode| {
        let numbers = constants.modes.of(mode);
        ModeRow {
            name: mode.as_str(),
            sources: sources(&numbers),
            full: numbers.full_report_from,
            short: numbers.short_report_from,
            cutoff: numbers.relevance_cutoff,
            words: numbers.words,
            saved: if numbers.save { "yes" } else { "no" },
        }
    });
    let bands = Band::TABLE.map(|(from, _)| (format!("{from:.2}"), Bar::new(from)));
    let alpha = constants.alpha;
    let newest = EventQuery { newest_first: true, limit: Some(1), ..EventQuery::default() };
    page(&MethodologyPage {
        frame: Frame::new(&server, &caller, "Methodology", Tab::None),
        ledger_first: constants.policy.authority != AuthorityMode::Tiers,
        blend: constants.policy.authority == AuthorityMode::Blend,
        either: constants.policy.relevance_to == RelevanceTo::Either,
        soft: constants.policy.relevance == RelevanceMode::Soft,
        tiers: tiers(&constants.policy),
        policy: constants.policy.clone(),
        bands: bands.into_iter().collect(),
        modes: modes.collect(),
        alpha,
        steps: [
            step("source-unreliable", 0.92, alpha, 0.0),
            step("high-quality-source", probity_news::NEUTRAL, alpha, 1.0),
        ],
        codes: codes(&server).await?,
        codes_changed: server.store.code_revisions().await?.iter().map(|code| code.at).max(),
        meanings: Relevance::MEANINGS,
        seeds: seeds().iter().map(|seed| (seed, Bar::new(seed.score.get()))).collect(),
        last_coding: server.store.events(&newest).await?.first().map(|event| event.at),
        aggregators: constants.policy.outlets.aggregators_in_force().join(" "),
        scoring_seconds: constants.limits.scoring_seconds,
        window_hours: constants.news.window_hours,
        neutral: probity_news::NEUTRAL,
        keep: constants.news.routing.keep,
        skip: constants.news.routing.skip,
        changes: CHANGES,
    })
}
