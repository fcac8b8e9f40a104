//! Which of several answers leads: the newer of two that exclude each other, and what came of a plan
//! before the plan.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;
use probity_text::date_mention::dates;
use probity_text::lex::tokens;
use probity_text::quantity::{Amount, Quantity};
use probity_text::question::{Kind, Part, Tense};
use probity_text::tag::{Tag, Tagged, tag};
use probity_text::words::{Stemmer, bare, words};

use super::conflict::{agree, exclude, is_alike, same_topic};
use super::pool::Voice;

/// Words that give an amount as a plan, a limit set before, or a guess at what is to come.
const PLANNED: &[&str] = &[
    "budget",
    "budgeted",
    "plan",
    "planned",
    "plans",
    "approve",
    "approved",
    "forecast",
    "expect",
    "expects",
    "expected",
    "project",
    "projected",
    "estimate",
    "estimates",
    "estimated",
    "propose",
    "proposed",
    "target",
    "targeted",
    "will",
    "would",
    "intend",
    "intended",
    "schedule",
    "scheduled",
    "anticipated",
    "initially",
    "originally",
    "initial",
    "original",
    "aims",
];
/// Words that say it is what came out in the end.
const FINAL: &[&str] = &["final", "finally", "actual", "actually", "eventually", "ultimately"];

/// Words of which one excludes the others on its line: what a figure holds for.
const SCOPES: &[&[&str]] = &[
    &[
        "adult",
        "child",
        "kid",
        "student",
        "senior",
        "pensioner",
        "concession",
        "member",
        "family",
        "youth",
        "teenager",
        "infant",
        "resident",
        "visitor",
        "group",
        "tourist",
        "pupil",
    ],
    &[
        "weekday",
        "weekend",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "holiday",
    ],
    &["single", "return", "daily", "weekly", "monthly", "yearly", "annual", "season", "day"],
    &["spring", "summer", "autumn", "winter"],
    &["morning", "afternoon", "evening", "night"],
    &["man", "woman", "boy", "girl"],
    &["minimum", "maximum", "highest", "lowest", "record", "peak", "median", "opening"],
    &["north", "south", "east", "west"],
    &["standard", "reduced", "discounted", "full", "premium", "basic", "online"],
];
/// Words behind which a sentence says of what or of whom.
const BEHIND: &[&str] = &["in", "at", "of", "to", "on", "for", "from", "near", "by"];

/// How firmly an amount stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Planned,
    Stated,
    Final,
}

/// What a sentence gives as the value that was asked for.
pub(super) struct Given {
    amounts: Vec<Quantity>,
    /// Whether the amounts are dates.
    dated: bool,
    standing: Standing,
    /// The day from which it is known, as far as one can tell.
    day: Option<Date>,
    /// Whether a number is tied to the thing that is asked about, and not only of the asked kind.
    tied: bool,
    scope: Scope,
}

/// What an amount holds for, beyond what the question says.
#[derive(Default)]
struct Scope {
    years: BTreeSet<i32>,
    names: BTreeSet<String>,
    /// Lines of [`SCOPES`] with the words of each.
    classes: BTreeSet<(usize, String)>,
    /// The nouns that it is "for".
    served: BTreeSet<String>,
    /// The content stems of the question that the sentence has.
    asked: BTreeSet<String>,
}

/// The question, as far as values are compared.
pub(super) struct Wanted {
    words: BTreeSet<String>,
    stems: BTreeSet<String>,
    /// Whether it names a year itself.
    year: bool,
    /// Whether it asks for what was.
    past: bool,
    /// Whether amounts are tied to the thing that is asked about.
    tied: bool,
}

impl Wanted {
    pub(super) fn new(question: &str, parts: &[Part], stemmer: &Stemmer) -> Self {
        let tied = parts.iter().all(|part| matches!(part.kind, Kind::Price | Kind::Count));
        let lemmas = tag(tokens(question)).into_iter().map(|word| word.lemma.base.to_lowercase());
        let spelled = words(question).map(|word| bare(&word.lower).to_owned());
        Self {
            words: lemmas.chain(spelled).collect(),
            stems: stemmer.content_stems(question).into_iter().collect(),
            year: dates(question).iter().any(|(_, date)| date.year.is_some()),
            past: parts.iter().all(|part| part.tense == Tense::Past),
            tied,
        }
    }
}

impl Given {
    /// What a sentence gives, if some of its quantities are values that were asked for.
    pub(super) fn of(
        text: &str,
        quantities: &[Quantity],
        amounts: &[String],
        published: Option<Date>,
        wanted: &Wanted,
    ) -> Option<Self> {
        let is_asked = |one: &&Quantity| {
            text.get(one.range.clone()).is_some_and(|text| amounts.iter().any(|a| a == text))
        };
        let mine: Vec<Quantity> = quantities.iter().filter(is_asked).cloned().collect();
        let first = mine.first()?;
        let dated = matches!(first.amount, Amount::Date(_));
        let part = around(text, first, quantities);
        let scope = Scope::of(&part, text, dated, wanted);
        let has = |list: &[&str]| words(&part).any(|word| list.contains(&word.lower.as_ref()));
        let standing = match (has(PLANNED), has(FINAL)) {
            (true, false) => Standing::Planned,
            (false, true) => Standing::Final,
            _ => Standing::Stated,
        };
        let day = match (scope.years.last(), published) {
            (Some(year), Some(day)) if i32::from(day.year()) <= *year => Some(day),
            (Some(year), _) => i16::try_from(*year).ok().and_then(|y| Date::new(y, 12, 31).ok()),
            (None, day) => day,
        };
        Some(Self { amounts: mine, dated, standing, day, tied: wanted.tied, scope })
    }

    /// Whether two give amounts of one kind that exclude each other, for the same thing as far as they
    /// say.
    fn is_rival(&self, other: &Given) -> bool {
        let pairs = || self.amounts.iter().flat_map(|a| other.amounts.iter().map(move |b| (a, b)));
        let excludes = pairs().any(|(a, b)| exclude(a, b) && is_alike(a, b))
            && !pairs().any(|(a, b)| a.unit == b.unit && agree(a, b));
        self.dated == other.dated && excludes && !self.scope.differs(&other.scope)
    }

    /// Whether all it gives are days to come, as seen from the day of its source, where the question asks
    /// for what was.
    pub(super) fn is_to_come(&self, published: Option<Date>, wanted: &Wanted) -> bool {
        let Some(day) = published.filter(|_| wanted.past && self.dated) else { return false };
        let (year, month) = (i32::from(day.year()), day.month());
        self.amounts.iter().all(|one| match one.amount {
            Amount::Date(date) => date.year.is_some_and(|given| {
                let later =
                    date.month.and_then(|m| i8::try_from(m).ok()).is_some_and(|m| m > month);
                given > year || given == year && later
            }),
            _ => false,
        })
    }

    /// Whether the first amount ends within so many bytes of the sentence.
    pub(super) fn ends_before(&self, bytes: usize) -> bool {
        self.amounts.first().is_some_and(|amount| amount.range.end <= bytes)
    }

    /// Whether this one is to lead where both answer: what came of a plan before the plan, then the
    /// newer.
    fn leads(&self, other: &Given) -> bool {
        match self.standing.cmp(&other.standing) {
            std::cmp::Ordering::Equal => {
                matches!((self.day, other.day), (Some(a), Some(b)) if a > b)
            }
            order => order.is_gt(),
        }
    }
}

impl Scope {
    fn of(part: &str, text: &str, dated: bool, wanted: &Wanted) -> Self {
        let tagged = tag(tokens(part));
        let own = |word: &Tagged<'_>| {
            let (base, lower) = (word.lemma.base.to_lowercase(), bare(&word.token.lower));
            !wanted.words.contains(&base) && !wanted.words.contains(lower)
        };
        let mut scope = Self::default();
        if !dated {
            scope.years = dates(part).into_iter().filter_map(|(_, date)| date.year).collect();
        }
        for (at, word) in tagged.iter().enumerate().filter(|(_, word)| own(word)) {
            let base = word.lemma.base.to_lowercase();
            let line = SCOPES.iter().position(|line| line.contains(&base.as_str()));
            scope.classes.extend(line.map(|line| (line, base.clone())));
            let before = tagged.get(..at).unwrap_or_default();
            let opener = before.iter().rev().find(|one| {
                !matches!(one.tag, Tag::Name | Tag::Determiner | Tag::Adjective | Tag::Number)
            });
            let opener = opener.map_or("", |one| one.token.lower.as_ref());
            let next = tagged.get(at + 1);
            let names_thing = next.is_some_and(|next| next.tag == Tag::Noun && !own(next));
            if word.tag == Tag::Name && (BEHIND.contains(&opener) || names_thing) {
                scope.names.insert(bare(&word.token.lower).to_owned());
            }
            if word.tag == Tag::Noun && opener == "for" {
                scope.served.insert(base);
            }
        }
        let held: BTreeSet<String> = {
            let stemmer = Stemmer::new(probity_text::Language::detect(text));
            stemmer.content_stems(text).into_iter().collect()
        };
        scope.asked = wanted.stems.intersection(&held).cloned().collect();
        scope
    }

    /// Whether two amounts hold for different things, so that both can be right.
    fn differs(&self, other: &Scope) -> bool {
        let apart = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
            !a.is_empty() && !b.is_empty() && a.is_disjoint(b)
        };
        self.classes != other.classes
            || apart(&self.names, &other.names)
            || apart(&self.served, &other.served)
    }

    /// Whether both name a year, and not the same.
    fn is_of_other_years(&self, other: &Scope) -> bool {
        !self.years.is_empty() && !other.years.is_empty() && self.years.is_disjoint(&other.years)
    }
}

/// The part of a sentence that an amount belongs to, with what the sentence opens with: "In 2024, …".
fn around(text: &str, amount: &Quantity, all: &[Quantity]) -> String {
    const JOINTS: &[&str] = &[", ", "; ", ": ", " (", ") ", " – ", " — "];
    const BETWEEN: &[&str] = &[" and ", " but ", " while ", " whereas ", " or ", " then "];
    let apart = |range: &Range<usize>| !all.iter().any(|one| overlaps(&one.range, range));
    // "And" parts two amounts of one kind, as in "14 for adults and 9 for children".
    let others = all.iter().filter(|one| one.unit == amount.unit && one.range != amount.range);
    let others: Vec<&Range<usize>> = others.map(|one| &one.range).collect();
    let plain = JOINTS.iter().flat_map(|joint| text.match_indices(joint));
    let between = BETWEEN.iter().flat_map(|joint| text.match_indices(joint)).filter(|(at, _)| {
        let within = |other: &&Range<usize>| {
            other.end <= *at && *at < amount.range.start
                || amount.range.end <= *at && *at < other.start
        };
        others.iter().any(within)
    });
    let cuts = plain.chain(between).map(|(at, joint)| at..at + joint.len()).filter(apart);
    let cuts: Vec<Range<usize>> = cuts.collect();
    let start = cuts.iter().map(|cut| cut.end).filter(|end| *end <= amount.range.start).max();
    let end = cuts.iter().map(|cut| cut.start).filter(|at| *at >= amount.range.end).min();
    let (start, end) = (start.unwrap_or(0), end.unwrap_or(text.len()));
    let part = text.get(start..end).unwrap_or(text);
    let opening = cuts.iter().map(|cut| cut.start).min().and_then(|at| text.get(..at));
    let fronted = opening.filter(|opening| {
        let first = words(opening).next();
        start > 0
            && first.is_some_and(|word| {
                is_fronted(&word.lower)
                    || opening.len() < start
                        && text.get(opening.len()..).is_some_and(|rest| rest.starts_with(": "))
            })
    });
    fronted.map_or_else(|| part.to_owned(), |opening| format!("{opening} {part}"))
}

fn is_fronted(word: &str) -> bool {
    matches!(word, "in" | "on" | "by" | "for" | "since" | "at" | "during" | "until" | "after")
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether two sentences answer the question with values of the same thing that exclude each other.
fn are_rivals(one: &Voice, other: &Voice) -> bool {
    let (Some(a), Some(b)) = (&one.given, &other.given) else { return false };
    let same_thing = match a.dated {
        // Another event has another date.
        true => a.scope.asked == b.scope.asked && a.scope.asked.len() > 1,
        false => a.tied || same_topic(one, other),
    };
    let stray = one.of_another || other.of_another || !one.answers || !other.answers;
    !stray && same_thing && a.is_rival(b)
}

/// Whether two sentences answer the question with values that exclude each other, and neither the time
/// nor a plan explains it.
pub(super) fn disagree(one: &Voice, other: &Voice) -> bool {
    are_rivals(one, other) && !is_explained(one, other)
}

/// Whether two sentences give values for different things, of different years, or one a plan and the
/// other what came of it.
pub(super) fn is_explained(one: &Voice, other: &Voice) -> bool {
    let (Some(a), Some(b)) = (&one.given, &other.given) else { return false };
    let planned = |given: &Given| given.standing == Standing::Planned;
    planned(a) != planned(b) || a.scope.is_of_other_years(&b.scope) || a.scope.differs(&b.scope)
}

/// Whether a sentence takes the place of another that answers: it is newer, or tells what came of a plan.
pub(super) fn supersedes(one: &Voice, other: &Voice) -> bool {
    match (&one.given, &other.given) {
        (Some(a), Some(b)) => are_rivals(one, other) && a.leads(b),
        _ => false,
    }
}

/// The sentence that leads of those that answer, the best first: the first one, unless another takes
/// its place.
pub(super) fn lead<'v>(answers: &[&'v Voice], wanted: &Wanted) -> Option<&'v Voice> {
    let mut lead = *answers.first()?;
    // A question for a year is best answered by the sentence that fits it best.
    if !wanted.year {
        for voice in answers.iter().skip(1) {
            if supersedes(voice, lead) {
                lead = voice;
            }
        }
    }
    Some(lead)
}
