//! Prices, and whose they are: a sum of money is the price of what its clause is about.

use std::ops::Range;

use super::amounts::is_number;
use super::{HINT, MEANT, View};
use crate::clause::clauses;
use crate::lex::tokens;
use crate::quantity::{Quantity, Unit};
use crate::question::Role;
use crate::tag::{Tag, Tagged, named_things, tag};

/// A price of something else.
const OTHER: f64 = 0.0;
/// A price in a sentence that leaves its subject to the one before.
const CARRIED: f64 = 0.8;

/// Words beside which a bare number is a sum of money.
const PRICED: &[&str] = &[
    "price", "cost", "charge", "fee", "fare", "rate", "pay", "payment", "rent", "spend", "salary",
    "wage", "tuition", "toll", "worth", "bill", "earn", "sell", "ask", "quote", "fine", "budget",
    "total", "amount",
];
/// Words between a noun and what describes it.
const DESCRIBING: &[&str] = &["for", "of", "in", "at", "with", "on", "to", "from"];
const FREE: &[&str] = &["free", "gratis"];

impl View<'_, '_> {
    pub(super) fn price(&self) -> f64 {
        let tagged = named_things(tag(tokens(self.text())));
        let value = self
            .sums(&tagged)
            .into_iter()
            .map(|place| self.belongs(&tagged, place))
            .fold(0.0, f64::max);
        let priced = tagged.iter().any(is_price_word);
        if value == 0.0 && priced && self.values.subject.is_none() { HINT } else { value }
    }

    /// The sums of money that are prices of the subject, by their places in the sentence.
    pub(super) fn prices(&self) -> Vec<Range<usize>> {
        let tagged = named_things(tag(tokens(self.text())));
        let mine: Vec<usize> = self
            .sums(&tagged)
            .into_iter()
            .filter(|place| self.belongs(&tagged, *place) > HINT)
            .collect();
        let ranges = self.quantities().into_iter().map(|one| one.range);
        ranges.filter(|range| mine.contains(&range.start)).collect()
    }

    /// The noun that a sum of money in the sentence is the price of, if it is not the subject.
    pub(super) fn other_owner(&self) -> Option<String> {
        let tagged = named_things(tag(tokens(self.text())));
        let place = self.sums(&tagged).into_iter().next()?;
        let at = tagged.iter().position(|one| one.token.end() > place)?;
        let owner = owner_before(tagged.get(..at)?).filter(|owner| owner.tag == Tag::Noun)?;
        (!self.stands_for_subject(owner.token.start))
            .then(|| owner.token.lower.clone().into_owned())
    }

    /// Where the sums of money begin, in bytes of the sentence; `free` is one of them.
    fn sums(&self, tagged: &[Tagged<'_>]) -> Vec<usize> {
        let priced = tagged.iter().any(is_price_word);
        let quantities = self.quantities();
        // A number right behind a noun names it: "line 4".
        let names = |one: &Quantity| {
            let before = tagged.iter().rev().find(|word| word.token.end() <= one.range.start);
            before.is_some_and(|word| word.tag == Tag::Noun && !is_price_word(word))
        };
        let bare = |one: &Quantity| {
            priced
                && !names(one)
                && one.counts.is_none()
                && matches!(one.unit, Unit::Count | Unit::Percent)
                && is_number(one)
        };
        let sums = quantities
            .iter()
            .filter(|one| matches!(one.unit, Unit::Money(_)) || bare(one))
            .map(|one| one.range.start);
        let free = tagged
            .iter()
            .filter(|one| FREE.contains(&one.token.lower.as_ref()))
            .map(|one| one.token.start);
        sums.chain(free).collect()
    }

    /// How surely a sum that begins at a byte of the sentence is the price of the subject.
    fn belongs(&self, tagged: &[Tagged<'_>], place: usize) -> f64 {
        if self.values.subject.is_none() {
            return 1.0;
        }
        let Some(at) = tagged.iter().position(|one| one.token.end() > place) else {
            return OTHER;
        };
        let clause = clauses(tagged)
            .into_iter()
            .find(|range| range.contains(&at))
            .unwrap_or(0..tagged.len());
        let before = tagged.get(clause.start..at).unwrap_or_default();
        let after = tagged.get(at..clause.end).unwrap_or_default();
        let owner = owner_before(before);
        let meant = |one: &Tagged<'_>| self.stands_for_subject(one.token.start);
        if owner.is_some_and(meant) || owner_after(after).any(meant) {
            1.0
        } else if owner.is_some_and(|owner| self.is_entry(tagged, at, owner))
            || owner.is_none_or(|owner| owner.tag == Tag::Pronoun || is_price_word(owner))
                && self.is_carried()
        {
            CARRIED
        } else {
            OTHER
        }
    }

    /// Whether the word before a sum is of the question and stands in a list of prices of what the
    /// question names: "City Museum: adults 8 crowns, children 4".
    fn is_entry(&self, tagged: &[Tagged<'_>], at: usize, owner: &Tagged<'_>) -> bool {
        let Some(colon) = tagged.iter().take(at).position(|one| one.token.text == ":") else {
            return false;
        };
        let start = self.sentence.bytes.start;
        let asked = |one: &Tagged<'_>, name: bool| {
            let word = self.words.iter().find(|word| word.start == start + one.token.start);
            let form = word.and_then(|word| self.values.reading.form(word));
            let affinity = form.and_then(|form| form.affinity.get(self.values.first..));
            let terms = self.values.part.terms.iter().zip(affinity.unwrap_or_default());
            terms.filter(|(term, _)| (term.role == Role::Name) == name).any(|(_, v)| *v >= MEANT)
        };
        let label = tagged.get(..colon).unwrap_or_default();
        !tagged.iter().any(Tagged::is_finite)
            && asked(owner, false)
            && label.iter().any(|one| asked(one, true))
    }

    fn stands_for_subject(&self, place: usize) -> bool {
        let place = self.sentence.bytes.start + place;
        self.words
            .iter()
            .any(|word| word.start == place && self.affinity(word, self.values.subject) >= MEANT)
    }

    /// Whether the title or the sentence before names the subject.
    pub(super) fn is_carried(&self) -> bool {
        if self.values.titled {
            return true;
        }
        let reading = self.values.reading;
        let at = reading
            .sentences
            .partition_point(|sentence| sentence.bytes.start < self.sentence.bytes.start);
        let before = at.checked_sub(1).and_then(|at| reading.sentences.get(at));
        before.is_some_and(|sentence| {
            reading
                .words_of(sentence)
                .iter()
                .any(|word| self.affinity(word, self.values.subject) >= MEANT)
        })
    }
}

fn is_price_word(one: &Tagged<'_>) -> bool {
    PRICED.contains(&one.lemma.base.as_str())
        || PRICED.contains(&one.token.lower.trim_end_matches('s'))
}

fn is_price_noun(one: &Tagged<'_>) -> bool {
    one.tag == Tag::Noun && is_price_word(one)
}

/// The noun whose price a sum is when it stands before it: `a guitarist charges 250 crowns`. Names,
/// times and words for prices are passed over, and so is what only describes another noun: it is the
/// admission that is priced in `admission for adults is 9 crowns`.
fn owner_before<'a, 't>(before: &'a [Tagged<'t>]) -> Option<&'a Tagged<'t>> {
    let fits = |one: &&Tagged<'_>| {
        one.tag == Tag::Pronoun
            || one.tag == Tag::Noun
                && !is_price_word(one)
                && !crate::senses::Senses::of(&one.token.lower).is_time()
    };
    // "A final cost of 318 million": the price of what the text is about, unless a noun right before
    // says of what, as in "the passport fee".
    let nearest = before.iter().rposition(|one| fits(&one) || is_price_noun(one));
    // In "a ticket for the ferry costs 9 crowns" it is the verb, whatever it looks like.
    let acts = |at: usize| {
        let spelled = before.get(at).is_some_and(|one| one.token.lower.ends_with('s'));
        spelled && !before.iter().take(at).any(Tagged::is_finite)
    };
    let noun = |at: &usize| before.get(*at).is_some_and(is_price_noun) && !acts(*at);
    if let Some(at) = nearest.filter(noun) {
        let rest = before.get(..at).unwrap_or_default();
        let told = rest.iter().rposition(|one| one.tag != Tag::Adjective);
        return told.and_then(|at| rest.get(at)).filter(fits).or(before.get(at));
    }
    let mut end = before.len();
    let mut owner = None;
    loop {
        let Some(at) = before.get(..end)?.iter().rposition(|one| fits(&one)) else { return owner };
        owner = before.get(at);
        let phrase = before.get(..at).unwrap_or_default();
        let start = phrase.iter().rposition(|one| {
            !matches!(
                one.tag,
                Tag::Adjective | Tag::Determiner | Tag::Noun | Tag::Number | Tag::Name
            )
        });
        let described = start.filter(|start| {
            let describes = |one: &Tagged<'_>| DESCRIBING.contains(&one.token.lower.as_ref());
            let noun = start.checked_sub(1).and_then(|noun| before.get(noun));
            before.get(*start).is_some_and(describes) && noun.as_ref().is_some_and(fits)
        });
        let Some(start) = described else { return owner };
        end = start;
    }
}

/// The nouns whose price a sum is when it stands behind it: `250 crowns for a guitarist`.
fn owner_after<'a, 't>(after: &'a [Tagged<'t>]) -> impl Iterator<Item = &'a Tagged<'t>> {
    let from = after.iter().position(|one| {
        matches!(one.token.lower.as_ref(), "for" | "to" | "per" | "each" | "a" | "an")
    });
    let rest = from.and_then(|from| after.get(from + 1..)).unwrap_or_default();
    rest.iter().filter(|one| one.tag == Tag::Noun).take(3)
}
