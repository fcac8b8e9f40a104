//! Phrases that say what some sentences have in common: the headings of a report.

use std::collections::{HashMap, HashSet};

use probity_text::embed::Embedder;
use probity_text::lex::tokens;
use probity_text::lexicon::kinds;
use probity_text::tag::{Tag, Tagged, tag};
use probity_text::words::Stemmer;

use super::pool::without_figures;

/// The longest phrase, in words.
const LONGEST: usize = 3;

/// Words that count or measure, and head nothing.
const UNITS: &[&str] = &[
    "cent", "percent", "per", "times", "time", "year", "years", "day", "days", "week", "weeks",
    "month", "months", "hour", "hours", "minute", "minutes", "number", "numbers", "one", "two",
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "first", "second",
    "third", "last", "next", "other", "others", "thing", "things", "way", "ways", "result", "kind",
    "kinds", "part", "parts", "lot", "people",
];

/// Phrases of one to three words that mark a group of sentences off from all others, best first.
pub(super) fn salient(
    group: &[&str],
    everything: &[&str],
    question: &str,
    stemmer: &Stemmer,
) -> Vec<String> {
    let embedder = Embedder::embedded();
    let asked: HashSet<String> = stemmer.content_stems(question).into_iter().collect();
    let inside = count(group, stemmer);
    let outside = count(everything, stemmer);
    let mut scored: Vec<(f64, usize, String)> = inside
        .iter()
        .filter(|(key, found)| {
            let several = found.sentences >= 2;
            // One word alone heads a topic only if much of it is about that.
            if key.contains(' ') {
                several || group.len() < 3
            } else {
                several && found.sentences * 3 >= group.len()
            }
        })
        .map(|(key, found)| {
            let total = outside.get(key).map_or(found.sentences, |all| all.sentences);
            let own = found.sentences as f64 / total.max(1) as f64;
            let words = key.split(' ').count() as f64;
            // The vocabulary is ordered by frequency: what stands late in it says more.
            let rarity: f64 =
                key.split(' ').map(|stem| rarity(embedder, stem)).sum::<f64>() / words;
            let new = key.split(' ').filter(|stem| !asked.contains(*stem)).count() as f64 / words;
            let score = (1.0 + found.sentences as f64).ln() * own * rarity * words * (0.35 + new);
            (score, found.first, found.shown.clone())
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut chosen: Vec<String> = Vec::new();
    for (_, _, phrase) in scored {
        let lower = phrase.to_lowercase();
        let overlaps = chosen.iter().any(|other| {
            let other = other.to_lowercase();
            lower.split(' ').any(|word| other.split(' ').any(|w| w == word))
        });
        if !overlaps {
            chosen.push(phrase);
        }
        if chosen.len() == 3 {
            break;
        }
    }
    chosen
}

fn rarity(embedder: &Embedder, stem: &str) -> f64 {
    match embedder.rank(stem) {
        Some(rank) => (f64::from(rank) - 1990.0).max(2.0).ln().clamp(1.0, 10.0),
        None => 10.0,
    }
}

struct Found {
    sentences: usize,
    first: usize,
    shown: String,
}

/// How many sentences hold each phrase, by its stems.
fn count(sentences: &[&str], stemmer: &Stemmer) -> HashMap<String, Found> {
    let mut found: HashMap<String, Found> = HashMap::new();
    for (place, sentence) in sentences.iter().enumerate() {
        let mut here: HashMap<String, String> = HashMap::new();
        // Titles in quotation marks are names, whatever their words mean; figures head nothing.
        let sentence = without_figures(sentence);
        let unquoted = sentence.split(['"', '“', '”']).step_by(2);
        for run in unquoted.flat_map(|part| runs(part, stemmer)) {
            for length in 1..=LONGEST {
                for window in run.windows(length) {
                    let is_bare_name =
                        matches!(window, [(_, raw)] if raw.starts_with(char::is_uppercase));
                    let is_unit =
                        window.iter().any(|(_, raw)| UNITS.contains(&raw.to_lowercase().as_str()));
                    if is_bare_name || is_unit {
                        continue;
                    }
                    let key: Vec<&str> = window.iter().map(|(stem, _)| stem.as_str()).collect();
                    let shown: Vec<&str> = window.iter().map(|(_, raw)| *raw).collect();
                    here.entry(key.join(" ")).or_insert_with(|| shown.join(" "));
                }
            }
        }
        for (key, shown) in here {
            let entry = found.entry(key).or_insert(Found { sentences: 0, first: place, shown });
            entry.sentences += 1;
        }
    }
    found
}

/// Runs of nouns and what describes them: the phrases that can be a heading.
fn runs<'a>(sentence: &'a str, stemmer: &Stemmer) -> Vec<Vec<(String, &'a str)>> {
    let mut runs = vec![Vec::new()];
    for word in tag(tokens(sentence)) {
        let stem = match word.tag {
            Tag::Noun | Tag::Name | Tag::Adjective if is_topical(&word) => {
                stemmer.content_stem(&word.token.lower).map(|stem| stem.into_owned())
            }
            _ => None,
        };
        let Some(last) = runs.last_mut() else { continue };
        match stem {
            Some(stem) => last.push((stem, word.token.text, word.tag)),
            None if !last.is_empty() => runs.push(Vec::new()),
            None => {}
        }
    }
    let ends_in_noun = |run: &[(String, &str, Tag)]| {
        run.iter().rposition(|(_, _, tag)| *tag != Tag::Adjective).map_or(0, |at| at + 1)
    };
    runs.into_iter()
        .map(|mut run| {
            run.truncate(ends_in_noun(&run));
            run.into_iter().map(|(stem, text, _)| (stem, text)).collect()
        })
        .collect()
}

/// A word that can head a topic: letters only, and as a common noun mostly used as one.
fn is_topical(word: &Tagged<'_>) -> bool {
    let text = word.token.text;
    let letters = text.chars().count() > 2 && text.chars().all(|c| c.is_alphabetic() || c == '-');
    let mostly_noun = || kinds(&word.lemma.base).is_none_or(|kinds| kinds.noun >= kinds.verb);
    letters && (word.tag != Tag::Noun || mostly_noun())
}
