//! How far a run goes: quick, standard, deep or exhaustive, and the numbers behind each word.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// How far a run goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A few sources, a short answer.
    Quick,
    /// The default.
    #[default]
    Standard,
    /// More sources, a long report, gaps found from full summaries.
    Deep,
    /// As deep, and for as many rounds as close gaps.
    Exhaustive,
}

impl Mode {
    /// Every mode, the smallest first.
    pub const ALL: [Mode; 4] = [Mode::Quick, Mode::Standard, Mode::Deep, Mode::Exhaustive];

    /// The mode's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Quick => "quick",
            Mode::Standard => "standard",
            Mode::Deep => "deep",
            Mode::Exhaustive => "exhaustive",
        }
    }

    /// Whether gaps are found from full summaries, drafts criticised and citations reported in a step of their own.
    pub fn is_deep(self) -> bool {
        matches!(self, Mode::Deep | Mode::Exhaustive)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A round of gathering. Most runs have two; there is no ninth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Round {
    /// The plan's queries.
    First,
    /// The queries that close gaps, as in every round after it.
    Second,
    /// The third round.
    Third,
    /// The fourth round.
    Fourth,
    /// The fifth round.
    Fifth,
    /// The sixth round.
    Sixth,
    /// The seventh round.
    Seventh,
    /// The last round that any run has.
    Eighth,
}

impl Round {
    /// Every round in order.
    pub const ALL: [Round; 8] = [
        Round::First,
        Round::Second,
        Round::Third,
        Round::Fourth,
        Round::Fifth,
        Round::Sixth,
        Round::Seventh,
        Round::Eighth,
    ];

    /// Its number, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The round of a number; what lies beyond the ends is the round there.
    pub fn of(number: usize) -> Self {
        Self::ALL.get(number.saturating_sub(1)).copied().unwrap_or(Round::Eighth)
    }
}

/// The numbers of one mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeSettings {
    /// How many pages round 1 may read.
    pub round1_sources: usize,
    /// How many pages round 2 may read, and each round after it.
    pub round2_sources: usize,
    /// How many rounds there are at most.
    #[serde(default = "two")]
    pub rounds: usize,
    /// How many queries a round sends at most.
    #[serde(default = "five")]
    pub queries: usize,
    /// How many survivors of the gate make a full report.
    pub full_report_from: usize,
    /// How many survivors of the gate make a short report.
    pub short_report_from: usize,
    /// About how many words a full report has.
    pub words: usize,
    /// Whether the run and its report are kept unless the user says otherwise.
    pub save: bool,
    /// The least relevance, from 1 to 5, with which a source survives the gate.
    pub relevance_cutoff: u8,
}

impl ModeSettings {
    /// How many pages all rounds may read together.
    pub fn max_sources(&self) -> usize {
        let further = self.round2_sources.saturating_mul(self.rounds.saturating_sub(1));
        self.round1_sources.saturating_add(further)
    }

    /// The same numbers with this many rounds. Where fewer pages are read than a report needs, it
    /// needs fewer.
    #[must_use]
    pub fn with_rounds(self, rounds: usize) -> Self {
        let numbers = Self { rounds, ..self };
        let max = numbers.max_sources();
        Self {
            full_report_from: self.full_report_from.min(max),
            short_report_from: self.short_report_from.min(max),
            ..numbers
        }
    }

    /// The same numbers with this many sources, shared out between the rounds as usual. Where they
    /// are fewer than a report needs, it needs fewer.
    #[must_use]
    pub fn with_sources(self, max: usize) -> Self {
        let Shares { round1_sources, round2_sources, rounds } = shared_out(max, self);
        Self {
            round1_sources,
            round2_sources,
            rounds,
            full_report_from: self.full_report_from.min(max),
            short_report_from: self.short_report_from.min(max),
            ..self
        }
    }

    /// How many pages a round may read.
    pub fn sources_in(&self, round: Round) -> usize {
        match round {
            Round::First => self.round1_sources,
            _ => self.round2_sources,
        }
    }
}

/// How many rounds a run has that says nothing of it.
fn two() -> usize {
    2
}

/// How many queries a round sends in a run that says nothing of it.
fn five() -> usize {
    5
}

/// The numbers of every mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modes {
    /// The numbers of quick mode.
    #[serde(deserialize_with = "quick")]
    pub quick: ModeSettings,
    /// The numbers of standard mode.
    #[serde(deserialize_with = "standard")]
    pub standard: ModeSettings,
    /// The numbers of deep mode.
    #[serde(deserialize_with = "deep")]
    pub deep: ModeSettings,
    /// The numbers of exhaustive mode.
    #[serde(deserialize_with = "exhaustive")]
    pub exhaustive: ModeSettings,
}

/// The changed numbers of a mode; the others stay as they are.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Changes {
    round1_sources: Option<usize>,
    round2_sources: Option<usize>,
    max_sources: Option<usize>,
    rounds: Option<usize>,
    queries: Option<usize>,
    full_report_from: Option<usize>,
    full_report_threshold: Option<usize>,
    short_report_from: Option<usize>,
    short_report_threshold: Option<usize>,
    words: Option<usize>,
    save: Option<bool>,
    relevance_cutoff: Option<u8>,
}

impl Changes {
    fn of<E: Error>(self, usual: ModeSettings) -> Result<ModeSettings, E> {
        let full = [
            ("full_report_from", self.full_report_from),
            ("full_report_threshold", self.full_report_threshold),
        ];
        let short = [
            ("short_report_from", self.short_report_from),
            ("short_report_threshold", self.short_report_threshold),
        ];
        let usual = ModeSettings { rounds: self.rounds.unwrap_or(usual.rounds), ..usual };
        let Shares { round1_sources, round2_sources, rounds } = match self.max_sources {
            None => Shares {
                round1_sources: self.round1_sources.unwrap_or(usual.round1_sources),
                round2_sources: self.round2_sources.unwrap_or(usual.round2_sources),
                rounds: usual.rounds,
            },
            Some(max) => {
                let rounds = [
                    ("round1_sources", self.round1_sources),
                    ("round2_sources", self.round2_sources),
                ];
                for (name, given) in rounds {
                    either([("max_sources", Some(max)), (name, given)])?;
                }
                shared_out(max, usual)
            }
        };
        Ok(ModeSettings {
            round1_sources,
            round2_sources,
            rounds,
            queries: self.queries.unwrap_or(usual.queries),
            full_report_from: either(full)?.unwrap_or(usual.full_report_from),
            short_report_from: either(short)?.unwrap_or(usual.short_report_from),
            words: self.words.unwrap_or(usual.words),
            save: self.save.unwrap_or(usual.save),
            relevance_cutoff: self.relevance_cutoff.unwrap_or(usual.relevance_cutoff),
        })
    }
}

/// The value of a setting that has two names, of which only one may be used.
fn either<E: Error>(names: [(&str, Option<usize>); 2]) -> Result<Option<usize>, E> {
    match names {
        [(one, Some(_)), (other, Some(_))] => Err(E::custom(format_args!(
            "`{one}` and `{other}` say the same thing twice; keep one of them"
        ))),
        [(_, one), (_, other)] => Ok(one.or(other)),
    }
}

/// How sources are shared out between rounds.
struct Shares {
    round1_sources: usize,
    round2_sources: usize,
    rounds: usize,
}

/// So many sources, shared out between the rounds as the mode usually does; round 1 has the rest. Where they do not
/// go round, there are fewer rounds.
fn shared_out(max: usize, usual: ModeSettings) -> Shares {
    let further = usual.rounds.saturating_sub(1);
    let second = max.saturating_mul(usual.round2_sources) / usual.max_sources().max(1);
    if further <= 1 || second > 0 {
        let first = max.saturating_sub(second.saturating_mul(further));
        return Shares { round1_sources: first, round2_sources: second, rounds: usual.rounds };
    }
    let first = max.saturating_sub(further).max(1);
    let left = max.saturating_sub(first);
    Shares { round1_sources: first, round2_sources: left.min(1), rounds: left + 1 }
}

fn quick<'de, D: Deserializer<'de>>(from: D) -> Result<ModeSettings, D::Error> {
    Changes::deserialize(from)?.of(Modes::default().quick)
}

fn standard<'de, D: Deserializer<'de>>(from: D) -> Result<ModeSettings, D::Error> {
    Changes::deserialize(from)?.of(Modes::default().standard)
}

fn deep<'de, D: Deserializer<'de>>(from: D) -> Result<ModeSettings, D::Error> {
    Changes::deserialize(from)?.of(Modes::default().deep)
}

fn exhaustive<'de, D: Deserializer<'de>>(from: D) -> Result<ModeSettings, D::Error> {
    Changes::deserialize(from)?.of(Modes::default().exhaustive)
}

impl Default for Modes {
    fn default() -> Self {
        let mode = |round1_sources, round2_sources, full_report_from, short_report_from, words| {
            ModeSettings {
                round1_sources,
                round2_sources,
                rounds: two(),
                queries: five(),
                full_report_from,
                short_report_from,
                words,
                save: true,
                relevance_cutoff: 3,
            }
        };
        Self {
            quick: ModeSettings { save: false, ..mode(2, 1, 3, 1, 300) },
            standard: mode(4, 3, 4, 2, 1_000),
            deep: mode(6, 4, 5, 2, 2_000),
            exhaustive: ModeSettings { rounds: 7, queries: 8, ..mode(12, 8, 6, 2, 4_000) },
        }
    }
}

/// The most pages a configuration may ask one run to read.
pub const MAX_SOURCES: usize = 200;
/// The most rounds of a run.
pub const ROUNDS_MOST: usize = Round::ALL.len();
/// The most queries of a round.
pub const QUERIES_MOST: usize = 12;

/// Why the numbers of a mode cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// The cutoff is no relevance score.
    #[error("{mode}: `relevance_cutoff` is {cutoff}; it has to lie between 1 and 5")]
    Cutoff {
        /// The mode.
        mode: Mode,
        /// What it was set to.
        cutoff: u8,
    },
    /// The thresholds contradict each other.
    #[error(
        "{mode}: 1 ≤ short_report_from ≤ full_report_from ≤ the sources of all rounds has to hold; it \
         is 1 ≤ {short} ≤ {full} ≤ {max}"
    )]
    Order {
        /// The mode.
        mode: Mode,
        /// `short_report_from`.
        short: usize,
        /// `full_report_from`.
        full: usize,
        /// All rounds together.
        max: usize,
    },
    /// More pages than any run should read.
    #[error("{mode}: {max} sources are more than the {MAX_SOURCES} that a run may read")]
    TooMany {
        /// The mode.
        mode: Mode,
        /// All rounds together.
        max: usize,
    },
    /// Too many or no rounds, or queries in one.
    #[error("{mode}: `{name}` is {given}; it has to lie between 1 and {most}")]
    Reach {
        /// The mode.
        mode: Mode,
        /// `rounds` or `queries`.
        name: &'static str,
        /// What it was set to.
        given: usize,
        /// The most that it can be.
        most: usize,
    },
}

impl Modes {
    /// The numbers of a mode.
    pub fn of(&self, mode: Mode) -> ModeSettings {
        match mode {
            Mode::Quick => self.quick,
            Mode::Standard => self.standard,
            Mode::Deep => self.deep,
            Mode::Exhaustive => self.exhaustive,
        }
    }

    /// Checks every mode.
    ///
    /// # Errors
    /// The first mode whose numbers contradict each other.
    pub fn check(&self) -> Result<(), ModeError> {
        Mode::ALL.into_iter().try_for_each(|mode| {
            let numbers = self.of(mode);
            let cutoff = numbers.relevance_cutoff;
            if !(1..=5).contains(&cutoff) {
                return Err(ModeError::Cutoff { mode, cutoff });
            }
            let (short, full) = (numbers.short_report_from, numbers.full_report_from);
            for (name, given, most) in [
                ("rounds", numbers.rounds, ROUNDS_MOST),
                ("queries", numbers.queries, QUERIES_MOST),
            ] {
                if !(1..=most).contains(&given) {
                    return Err(ModeError::Reach { mode, name, given, most });
                }
            }
            let max = numbers.max_sources();
            if !(1 <= short && short <= full && full <= max) {
                return Err(ModeError::Order { mode, short, full, max });
            }
            if max > MAX_SOURCES {
                return Err(ModeError::TooMany { mode, max });
            }
            Ok(())
        })
    }
}

/// What the gate decided. None of the three is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Enough sources answer the question.
    FullReport,
    /// Some do; the report is shorter and says so first.
    ShortReport,
    /// Too few do: no report, but an honest account.
    InsufficientData,
}

impl Decision {
    /// The decision's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::FullReport => "full_report",
            Decision::ShortReport => "short_report",
            Decision::InsufficientData => "insufficient_data",
        }
    }

    /// The decision as people read it.
    pub fn words(self) -> &'static str {
        match self {
            Decision::FullReport => "full report",
            Decision::ShortReport => "short report",
            Decision::InsufficientData => "not enough data",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_hold() {
        assert_eq!(Modes::default().check(), Ok(()));
        let totals = Mode::ALL.map(|mode| Modes::default().of(mode).max_sources());
        assert_eq!(totals, [3, 7, 10, 60]);
    }

    #[test]
    fn rounds_are_numbered_and_bounded() {
        let numbers = Round::ALL.map(Round::number);
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
        for round in Round::ALL {
            assert_eq!(Round::of(round.number()), round);
        }
        assert_eq!((Round::of(0), Round::of(99)), (Round::First, Round::Eighth));
    }

    #[test]
    fn sources_are_shared_out_between_all_rounds_and_none_is_lost() {
        let modes = Modes::default();
        for mode in Mode::ALL {
            for rounds in 1..=ROUNDS_MOST {
                for max in 1..=MAX_SOURCES {
                    let numbers = modes.of(mode).with_rounds(rounds).with_sources(max);
                    assert_eq!(numbers.max_sources(), max, "{mode} {rounds} {max}: {numbers:?}");
                    assert!(numbers.full_report_from <= max && numbers.rounds <= rounds);
                }
            }
        }
        let deeper = modes.standard.with_rounds(4);
        assert_eq!((deeper.max_sources(), deeper.full_report_from), (13, 4));
        assert_eq!(modes.quick.with_rounds(1).full_report_from, 2);
    }

    fn standard(json: &str) -> Result<ModeSettings, String> {
        let modes: Result<Modes, _> = serde_json::from_str(&format!("{{\"standard\": {json}}}"));
        modes.map(|modes| modes.standard).map_err(|error| error.to_string())
    }

    #[test]
    fn the_numbers_go_by_their_other_names_too() {
        let names = r#"{"max_sources": 7, "full_report_threshold": 4, "short_report_threshold": 2, "relevance_cutoff": 3}"#;
        assert_eq!(standard(names), Ok(Modes::default().standard));
        let more = standard(r#"{"max_sources": 14, "full_report_threshold": 6}"#).unwrap();
        assert_eq!((more.round1_sources, more.round2_sources, more.full_report_from), (8, 6, 6));
        let one = standard(r#"{"max_sources": 1}"#).unwrap();
        assert_eq!((one.round1_sources, one.round2_sources), (1, 0));
    }

    #[test]
    fn a_number_under_two_names_is_refused() {
        for (one, other) in [
            ("max_sources", "round1_sources"),
            ("max_sources", "round2_sources"),
            ("full_report_from", "full_report_threshold"),
            ("short_report_from", "short_report_threshold"),
        ] {
            let said = standard(&format!("{{\"{one}\": 3, \"{other}\": 3}}")).unwrap_err();
            assert!(said.contains(&format!("`{one}` and `{other}`")), "{said}");
        }
    }

    #[test]
    fn numbers_that_contradict_each_other_are_named() {
        let wrong = |change: &dyn Fn(&mut ModeSettings)| {
            let mut modes = Modes::default();
            change(&mut modes.standard);
            modes.check().unwrap_err().to_string()
        };
        assert!(wrong(&|m| m.relevance_cutoff = 0).contains("between 1 and 5"));
        assert!(wrong(&|m| m.relevance_cutoff = 6).contains("standard"));
        assert!(wrong(&|m| m.short_report_from = 0).contains("1 ≤ 0"));
        assert!(wrong(&|m| m.short_report_from = 5).contains("5 ≤ 4"));
        assert!(wrong(&|m| m.full_report_from = 8).contains("8 ≤ 7"));
        assert!(wrong(&|m| m.round2_sources = 500).contains("504"));
        assert!(wrong(&|m| m.rounds = 9).contains("`rounds` is 9"));
        assert!(wrong(&|m| m.queries = 0).contains("`queries` is 0"));
    }
}
