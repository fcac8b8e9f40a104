//! The scores that follow from seeds and events, recomputed.

use std::collections::HashMap;

use probity_core::Outlet;

use crate::ledger::{
    Alpha, Credibility, EventKind, EventRecord, Fault, Flaw, OutletRow, Target, WeighedCode, nudge,
    seeds,
};

/// The state of an outlet by seeds and events alone.
#[derive(Debug, Clone)]
struct State {
    domain: String,
    score: f64,
    name: Option<String>,
    seeded: Option<f64>,
    last_event: Option<i64>,
}

/// All outlets by seeds and events, and what each event found before it.
#[derive(Debug, Clone)]
pub(super) struct Replay {
    places: HashMap<String, usize>,
    states: Vec<State>,
    /// For each event, the place of its outlet and the score before it: what a revert needs.
    befores: Vec<(u32, f64)>,
}

impl Replay {
    pub(super) fn from_seeds() -> Self {
        let mut replay = Self { places: HashMap::new(), states: Vec::new(), befores: Vec::new() };
        for seed in seeds() {
            let score = seed.score.get();
            replay.add(State {
                domain: seed.domain.to_owned(),
                score,
                name: Some(seed.name.to_owned()),
                seeded: Some(score),
                last_event: None,
            });
        }
        replay
    }

    fn add(&mut self, state: State) -> usize {
        let place = self.states.len();
        self.places.insert(state.domain.clone(), place);
        self.states.push(state);
        place
    }

    /// Takes an event whose place and hash are right; refuses it when it cannot have happened.
    pub(super) fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        let place = self.place_of(&record.outlet);
        let Some(state) = self.states.get(place) else {
            return Err("its outlet is unknown".to_owned());
        };
        if state.score.to_bits() != record.before.to_bits() {
            return Err(format!(
                "it says {} stood at {}, which stood at {}",
                record.outlet, record.before, state.score
            ));
        }
        let expected = self.expected_after(record, place)?;
        if expected.to_bits() != record.after.to_bits() {
            return Err(format!("it leads to {}, not to {}", expected, record.after));
        }
        let place_number = u32::try_from(place).map_err(|_| "too many outlets".to_owned())?;
        self.befores.push((place_number, record.before));
        if let Some(state) = self.states.get_mut(place) {
            state.score = record.after;
            state.last_event = Some(record.seq);
            if record.name.is_some() {
                state.name.clone_from(&record.name);
            }
        }
        Ok(())
    }

    fn place_of(&mut self, outlet: &Outlet) -> usize {
        match self.places.get(outlet.as_str()) {
            Some(place) => *place,
            None => self.add(State {
                domain: outlet.to_string(),
                score: Credibility::NEUTRAL.get(),
                name: None,
                seeded: None,
                last_event: None,
            }),
        }
    }

    fn expected_after(&self, record: &EventRecord, place: usize) -> Result<f64, String> {
        check_parts(record)?;
        match record.kind {
            EventKind::Nudge => nudged(record),
            EventKind::Set | EventKind::Import => {
                Credibility::new(record.after).map(Credibility::get).map_err(|e| e.to_string())
            }
            EventKind::Revert => self.reverted(record, place),
        }
    }

    fn reverted(&self, record: &EventRecord, place: usize) -> Result<f64, String> {
        let undone = record.reverts.unwrap_or_default();
        let index = usize::try_from(undone - 1).ok();
        match index.and_then(|index| self.befores.get(index)) {
            Some((theirs, before)) if usize::try_from(*theirs) == Ok(place) => Ok(*before),
            Some(_) => Err(format!("event {undone}, which it undoes, is about another outlet")),
            None => Err(format!("event {undone}, which it undoes, does not come before it")),
        }
    }

    /// Compares every row with what was replayed; gives the number of rows.
    pub(super) fn check_rows(
        mut self,
        rows: impl IntoIterator<Item = OutletRow>,
    ) -> Result<usize, Fault> {
        let mut count = 0;
        for row in rows {
            let Some(place) = self.places.remove(&row.domain) else {
                return Err(Fault::in_row(row.domain, row.last_event, Flaw::ExtraRow));
            };
            if let Some(state) = self.states.get(place) {
                check_row(&row, state)?;
            }
            count += 1;
        }
        let missing = self.places.values().filter_map(|place| self.states.get(*place));
        match missing.min_by_key(|state| &state.domain) {
            Some(gone) => Err(Fault::in_row(&gone.domain, gone.last_event, Flaw::MissingRow)),
            None => Ok(count),
        }
    }
}

/// Which parts an event has is decided by its kind.
fn check_parts(record: &EventRecord) -> Result<(), String> {
    let is = |kind| record.kind == kind;
    let parts = [
        ("alpha", record.alpha.is_some(), is(EventKind::Nudge)),
        ("codes", !record.codes.is_empty(), is(EventKind::Nudge)),
        ("provenance", record.provenance.is_some(), is(EventKind::Import)),
        ("reverts", record.reverts.is_some(), is(EventKind::Revert)),
    ];
    let kind = record.kind.as_str();
    for (part, is_there, belongs) in parts {
        if is_there != belongs {
            let verb = if is_there { "has" } else { "lacks" };
            return Err(format!("a {kind} {verb} `{part}`"));
        }
    }
    if record.target.is_some() && !is(EventKind::Nudge) {
        return Err(format!("a {kind} has `target`"));
    }
    Ok(())
}

fn nudged(record: &EventRecord) -> Result<f64, String> {
    let alpha = Alpha::new(record.alpha.unwrap_or(f64::NAN)).map_err(|e| e.to_string())?;
    let before = Credibility::new(record.before).map_err(|e| e.to_string())?;
    let target = Target::of_sum(WeighedCode::sum(&record.codes));
    let value = target.map(Target::value);
    if value.map(f64::to_bits) != record.target.map(f64::to_bits) {
        return Err("its target is not the one that its codes choose".to_owned());
    }
    Ok(nudge(before, alpha, target).get())
}

fn check_row(row: &OutletRow, state: &State) -> Result<(), Fault> {
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |v| v.to_string());
    let text = |value: &Option<String>| value.clone().unwrap_or("none".to_owned());
    let event = |value: Option<i64>| value.map_or("none".to_owned(), |v| v.to_string());
    let bits = |value: Option<f64>| value.map(f64::to_bits);
    let (column, stored, replayed) = if row.score.to_bits() != state.score.to_bits() {
        ("score", row.score.to_string(), state.score.to_string())
    } else if bits(row.seeded) != bits(state.seeded) {
        ("seeded score", number(row.seeded), number(state.seeded))
    } else if row.name != state.name {
        ("name", text(&row.name), text(&state.name))
    } else if row.last_event != state.last_event {
        ("last event", event(row.last_event), event(state.last_event))
    } else {
        return Ok(());
    };
    let flaw = Flaw::Row { column, stored, replayed };
    Err(Fault::in_row(&row.domain, state.last_event, flaw))
}
