//! The thresholds that admins may change: credibility, and the gate of each mode.

use probity_core::{Mode, ModeSettings, Modes};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Origin;
use crate::read::objects;

/// The name of the threshold of credibility.
const CREDIBILITY: &str = "credibility";
/// The numbers of a mode's gate, by name.
const GATE: [&str; 3] = ["relevance_cutoff", "full_report_from", "short_report_from"];

/// Thresholds to be changed; what is absent stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ThresholdChange {
    /// At or below this credibility a page is blocked, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub credibility: Option<f64>,
    /// The gate of quick mode.
    #[serde(skip_serializing_if = "GateChange::is_empty", deserialize_with = "objects::named")]
    pub quick: GateChange,
    /// The gate of standard mode.
    #[serde(skip_serializing_if = "GateChange::is_empty", deserialize_with = "objects::named")]
    pub standard: GateChange,
    /// The gate of deep mode.
    #[serde(skip_serializing_if = "GateChange::is_empty", deserialize_with = "objects::named")]
    pub deep: GateChange,
    /// The gate of exhaustive mode.
    #[serde(skip_serializing_if = "GateChange::is_empty", deserialize_with = "objects::named")]
    pub exhaustive: GateChange,
}

/// The numbers of a gate to be changed; what is absent stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GateChange {
    /// The least relevance, from 1 to 5, with which a source survives.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 5)]
    pub relevance_cutoff: Option<u8>,
    /// How many survivors make a full report.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 200)]
    pub full_report_from: Option<usize>,
    /// How many survivors make a short report.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 200)]
    pub short_report_from: Option<usize>,
}

impl GateChange {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn over(self, numbers: ModeSettings) -> ModeSettings {
        ModeSettings {
            relevance_cutoff: self.relevance_cutoff.unwrap_or(numbers.relevance_cutoff),
            full_report_from: self.full_report_from.unwrap_or(numbers.full_report_from),
            short_report_from: self.short_report_from.unwrap_or(numbers.short_report_from),
            ..numbers
        }
    }

    /// What of `wanted` differs from `given`.
    fn between(given: ModeSettings, wanted: ModeSettings) -> Self {
        let differs = |given: usize, wanted: usize| (given != wanted).then_some(wanted);
        Self {
            relevance_cutoff: (given.relevance_cutoff != wanted.relevance_cutoff)
                .then_some(wanted.relevance_cutoff),
            full_report_from: differs(given.full_report_from, wanted.full_report_from),
            short_report_from: differs(given.short_report_from, wanted.short_report_from),
        }
    }
}

/// Thresholds in force, or to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// At or below this a page is blocked.
    pub credibility: f64,
    /// The numbers of each mode.
    pub modes: Modes,
}

impl Thresholds {
    /// Every threshold by name, with its value.
    pub fn named(&self) -> Vec<(String, f64)> {
        let mut named = vec![(CREDIBILITY.to_owned(), self.credibility)];
        for mode in Mode::ALL {
            let numbers = self.modes.of(mode);
            let values = [
                f64::from(numbers.relevance_cutoff),
                numbers.full_report_from as f64,
                numbers.short_report_from as f64,
            ];
            named.extend(
                GATE.iter().zip(values).map(|(name, value)| (format!("{mode}.{name}"), value)),
            );
        }
        named
    }

    /// Checks that they do not contradict each other.
    ///
    /// # Errors
    /// Says what does not hold.
    pub fn check(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.credibility) {
            let given = self.credibility;
            return Err(format!(
                "the credibility threshold is {given}; it has to lie between 0 and 1"
            ));
        }
        self.modes.check().map_err(|error| error.to_string())
    }
}

impl ThresholdChange {
    /// The thresholds with the change.
    pub fn over(&self, given: Thresholds) -> Thresholds {
        Thresholds {
            credibility: self.credibility.unwrap_or(given.credibility),
            modes: Modes {
                quick: self.quick.over(given.modes.quick),
                standard: self.standard.over(given.modes.standard),
                deep: self.deep.over(given.modes.deep),
                exhaustive: self.exhaustive.over(given.modes.exhaustive),
            },
        }
    }

    /// What has to change for some thresholds to become others.
    pub fn between(given: Thresholds, wanted: Thresholds) -> Self {
        let moved = (given.credibility - wanted.credibility).abs() > 1e-12;
        let gate = |mode| GateChange::between(given.modes.of(mode), wanted.modes.of(mode));
        Self {
            credibility: moved.then_some(wanted.credibility),
            quick: gate(Mode::Quick),
            standard: gate(Mode::Standard),
            deep: gate(Mode::Deep),
            exhaustive: gate(Mode::Exhaustive),
        }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets one threshold by its name, as a form does.
    ///
    /// # Errors
    /// When there is no such threshold or the text is no such number.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        let wrong = || format!("`{name}`: this is not a number that it can be");
        if name == CREDIBILITY {
            let number = text.trim().replace(',', ".").parse::<f64>();
            self.credibility = Some(number.ok().filter(|n| n.is_finite()).ok_or_else(wrong)?);
            return Ok(());
        }
        let unknown = || format!("there is no threshold `{name}`");
        let (mode, number) = name.split_once('.').ok_or_else(unknown)?;
        let gate = match mode {
            "quick" => &mut self.quick,
            "standard" => &mut self.standard,
            "deep" => &mut self.deep,
            "exhaustive" => &mut self.exhaustive,
            _ => return Err(unknown()),
        };
        match number {
            "relevance_cutoff" => {
                gate.relevance_cutoff = Some(text.trim().parse().map_err(|_| wrong())?);
            }
            "full_report_from" => {
                gate.full_report_from = Some(text.trim().parse().map_err(|_| wrong())?);
            }
            "short_report_from" => {
                gate.short_report_from = Some(text.trim().parse().map_err(|_| wrong())?);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

/// A threshold, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ThresholdView {
    /// Its name: `credibility`, `standard.relevance_cutoff`.
    #[schema(example = "standard.relevance_cutoff")]
    pub name: String,
    /// Its value.
    pub value: f64,
    /// What it would be if it were not set on the page.
    pub without_page: f64,
    /// Where it comes from.
    pub origin: Origin,
}

/// The thresholds in force.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ThresholdsView {
    /// Each with where it comes from.
    pub values: Vec<ThresholdView>,
    /// When they were last set on the page, where they were.
    pub set_at: Option<String>,
    /// Who set them there.
    pub set_by: Option<String>,
}

impl ThresholdsView {
    /// Tells thresholds in force from those of the configuration file and the defaults.
    pub fn new(in_force: Thresholds, written: Thresholds, set: Option<(String, String)>) -> Self {
        let usual = Thresholds {
            credibility: probity_credibility::Policy::default().threshold,
            modes: Modes::default(),
        };
        let (written, usual) = (written.named(), usual.named());
        let values = in_force.named().into_iter().zip(written.iter().zip(&usual));
        let values = values.map(|((name, value), ((_, without_page), (_, usual)))| {
            let differs = |from: f64| (value - from).abs() > 1e-12;
            // A file that writes the default down says nothing else.
            let origin = match (differs(*without_page), differs(*usual)) {
                (true, _) => Origin::Page,
                (false, true) => Origin::File,
                (false, false) => Origin::Default,
            };
            ThresholdView { name, value, without_page: *without_page, origin }
        });
        let (set_at, set_by) = set.unzip();
        Self { values: values.collect(), set_at, set_by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Thresholds {
        Thresholds { credibility: 0.5, modes: Modes::default() }
    }

    #[test]
    fn a_gate_is_an_object_and_no_list() {
        let read = |text: &str| serde_json::from_str::<ThresholdChange>(text);
        assert!(read(r#"{"standard": {"relevance_cutoff": 4}}"#).is_ok());
        assert!(read(r#"{"standard": [4, null]}"#).is_err());
        assert!(read(r#"{"standard": {"words": 4}}"#).is_err());
    }

    #[test]
    fn a_change_is_what_lies_between_and_every_name_can_be_set() {
        for (name, value) in usual().named() {
            let mut change = ThresholdChange::default();
            let wanted = if name == CREDIBILITY { 0.6 } else { value + 1.0 };
            change.set(&name, &wanted.to_string()).unwrap();
            let changed = change.over(usual());
            assert_eq!(ThresholdChange::between(usual(), changed), change, "{name}");
            let view = ThresholdsView::new(changed, usual(), None);
            let moved: Vec<_> = view.values.iter().filter(|v| v.origin == Origin::Page).collect();
            assert_eq!(moved.len(), 1, "{name}");
            assert_eq!((moved[0].name.as_str(), moved[0].without_page), (name.as_str(), value));
        }
        let mut change = ThresholdChange::default();
        for (name, text) in [
            ("credibility", "much"),
            ("credibility", "NaN"),
            ("standard.relevance_cutoff", "-1"),
            ("standard.words", "3"),
            ("slow.relevance_cutoff", "3"),
            ("standard", "3"),
        ] {
            assert!(change.set(name, text).is_err(), "{name} {text}");
        }
        assert!(change.is_empty());
    }

    #[test]
    fn thresholds_that_contradict_each_other_are_refused() {
        let mut change = ThresholdChange::default();
        change.set("standard.short_report_from", "5").unwrap();
        assert!(change.over(usual()).check().unwrap_err().contains("short_report_from"));
        let beyond = ThresholdChange { credibility: Some(1.5), ..ThresholdChange::default() };
        assert!(beyond.over(usual()).check().unwrap_err().contains("between 0 and 1"));
        usual().check().unwrap();
    }
}
