//! A developing story: where its articles update a figure, the newest one is reported.
//!
//! An older figure need not be wrong: "at least 30" still holds when 45 are counted. It is out of
//! date, so it is reported as such.

use std::collections::BTreeSet;

use probity_core::Timestamp;
use probity_text::Language;
use probity_text::quantity::{Amount, Quantity, quantities};
use probity_text::sentences::split;
use probity_text::words::{Stemmer, words};

/// Two sentences are about the same thing when they share this part of the shorter one's content
/// words.
const SAME_SHARE: f64 = 0.5;
/// And at least this many.
const SAME_WORDS: usize = 2;
/// How many sentences of an article are looked at: news reports its figures first.
const SENTENCES: usize = 4;

/// What an article reports, and when.
#[derive(Debug, Clone, Copy)]
pub struct Telling<'a> {
    /// When it was published.
    pub at: Timestamp,
    /// Its headline.
    pub title: &'a str,
    /// How it begins.
    pub lead: &'a str,
    /// Whether its word is good enough to replace what others reported before.
    pub counts: bool,
}

/// A figure of a story as articles reported it over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Development {
    /// Which article has the newest figure, and the sentence.
    pub newest: (usize, String),
    /// Which tellings had another before, the newest of them first, each with its sentence.
    pub older: Vec<(usize, String)>,
}

/// The newest figure of a story that an older article reports differently, if there is one.
pub fn develop(tellings: &[Telling<'_>]) -> Option<Development> {
    let whole: String = tellings.iter().map(|telling| telling.title).collect::<Vec<_>>().join(". ");
    let stemmer = Stemmer::new(Language::detect(&whole));
    let mut dated: Vec<(usize, Timestamp, Vec<Sentence>)> = tellings
        .iter()
        .enumerate()
        .map(|(at, telling)| (at, telling.at, sentences(telling, &stemmer)))
        .collect();
    dated.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let newer = dated.iter().enumerate();
    let mut newer = newer.filter(|(_, (at, ..))| tellings.get(*at).is_some_and(|one| one.counts));
    newer.find_map(|(place, (newest, at, sentences))| {
        let before = || dated.iter().skip(place + 1).filter(|(_, then, _)| then < at);
        sentences.iter().find_map(|sentence| {
            let older: Vec<(usize, String)> = before()
                .filter_map(|(index, _, others)| {
                    let other = others.iter().find(|other| sentence.updates(other))?;
                    Some((*index, other.text.clone()))
                })
                .collect();
            let newest = (*newest, sentence.text.clone());
            (!older.is_empty()).then_some(Development { newest, older })
        })
    })
}

/// A sentence with figures in it.
struct Sentence {
    text: String,
    words: BTreeSet<String>,
    figures: Vec<Figure>,
}

struct Figure {
    quantity: Quantity,
    /// The stem of what it counts.
    noun: Option<String>,
}

/// The sentences that have figures: those of the beginning, and the headline.
fn sentences(telling: &Telling<'_>, stemmer: &Stemmer) -> Vec<Sentence> {
    let headline = format!("{}.", telling.title.trim_end_matches('.'));
    let lead = split(telling.lead).take(SENTENCES).map(str::to_owned);
    let all = lead.chain([headline]).map(|text| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let figures = quantities(&text).into_iter().filter(is_figure).map(|quantity| {
            let behind = text.get(quantity.range.end..).unwrap_or_default();
            let noun = words(behind).find_map(|word| {
                stemmer.content_stem(&word.lower).map(std::borrow::Cow::into_owned)
            });
            Figure { noun, quantity }
        });
        let figures: Vec<Figure> = figures.collect();
        let words = stemmer.content_stems(&text).into_iter();
        let words = words.filter(|word| !word.chars().any(|c| c.is_ascii_digit())).collect();
        Sentence { text, words, figures }
    });
    all.filter(|sentence| !sentence.figures.is_empty()).collect()
}

/// Days and hours are no figures of a story.
fn is_figure(quantity: &Quantity) -> bool {
    matches!(quantity.amount, Amount::Number(_))
}

impl Sentence {
    /// Whether this reports a different figure of the same thing.
    fn updates(&self, other: &Sentence) -> bool {
        let shared = self.words.intersection(&other.words).count();
        let least = self.words.len().min(other.words.len());
        shared >= SAME_WORDS
            && shared as f64 >= least as f64 * SAME_SHARE
            && self.figures.iter().any(|figure| {
                let mut rivals =
                    other.figures.iter().filter(|rival| figure.is_of_a_kind_with(rival));
                // Of several figures of a kind it is unknown which one became which.
                match (rivals.next(), rivals.next(), self.kin(figure)) {
                    (Some(rival), None, 1) => figure.quantity.amount != rival.quantity.amount,
                    _ => false,
                }
            })
    }

    /// How many figures of a kind there are, this one included.
    fn kin(&self, figure: &Figure) -> usize {
        self.figures.iter().filter(|other| figure.is_of_a_kind_with(other)).count()
    }
}

impl Figure {
    fn is_of_a_kind_with(&self, other: &Figure) -> bool {
        let nouns = match (&self.noun, &other.noun) {
            (Some(one), Some(other)) => one == other,
            // A headline leaves out what it counts.
            _ => true,
        };
        nouns && self.quantity.unit == other.quantity.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling<'a>(at: i64, title: &'a str, lead: &'a str) -> Telling<'a> {
        Telling { at: Timestamp(at), title, lead, counts: true }
    }

    #[test]
    fn the_newest_figure_leads_and_the_older_are_superseded() {
        let dated = [
            telling(
                1,
                "Ferry sinks off Lorne",
                "A ferry sank off Lorne on Saturday and at least 30 people are missing.",
            ),
            telling(
                3,
                "Ferry sinks off Lorne",
                "A ferry sank off Lorne on Saturday and 45 people are missing.",
            ),
            telling(2, "Lorne ferry sinks", "The ferry sank off Lorne and 38 people are missing."),
        ];
        let found = develop(&dated).unwrap();
        assert_eq!(found.newest.0, 1);
        assert!(found.newest.1.contains("45 people"), "{found:?}");
        let older: Vec<usize> = found.older.iter().map(|(at, _)| *at).collect();
        assert_eq!(older, [2, 0], "the newest of them first");
        let mut doubtful = dated;
        doubtful[1].counts = false;
        let found = develop(&doubtful).unwrap();
        assert_eq!(
            (found.newest.0, found.older.len()),
            (2, 1),
            "whose word is weak replaces nobody"
        );
    }

    #[test]
    fn what_is_not_told_anew_is_no_development() {
        let ferry = "A ferry sank off Lorne and 30 people are missing.";
        for (newer, why) in [
            (ferry, "the same figure"),
            ("A ferry sank off Lorne and 12 boats are searching.", "another thing is counted"),
            ("Kestrel Air agreed to buy Norvia for 45 people.", "another story"),
            ("A ferry sank off Lorne and 9 percent of the people are missing.", "another unit"),
            ("A ferry sank off Lorne on 4 May and people are missing.", "a day is no figure"),
        ] {
            let dated = [telling(1, "Ferry", ferry), telling(2, "Ferry", newer)];
            assert_eq!(develop(&dated), None, "{why}");
        }
        let at_once = [
            telling(1, "", ferry),
            telling(1, "", "A ferry sank off Lorne and 45 people are missing."),
        ];
        assert_eq!(develop(&at_once), None, "two of one time disagree; neither is newer");
    }
}
