//! Words that stand on one line of the table of concepts: the same idea, or its reverse.

use std::collections::HashMap;
use std::sync::LazyLock;

static TABLE: &str = include_str!("../lexicon/concepts.txt");

/// What two words are to each other by the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concept {
    /// They can stand for each other.
    Same,
    /// They say the reverse of each other.
    Opposite,
}

/// A line, and whether the word stands behind its bar.
type Place = (usize, bool);

static PLACES: LazyLock<HashMap<&str, Vec<Place>>> = LazyLock::new(|| {
    let mut places: HashMap<&str, Vec<Place>> = HashMap::new();
    for (line, text) in TABLE.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
        for (behind, half) in text.split('|').enumerate() {
            for word in half.split_whitespace() {
                places.entry(word).or_default().push((line, behind > 0));
            }
        }
    }
    places
});

/// What two words are to each other, in any of their base forms.
pub(super) fn relation(a: &[String], b: &[String]) -> Option<Concept> {
    let places = |words: &[String]| -> Vec<Place> {
        words.iter().filter_map(|word| PLACES.get(word.as_str())).flatten().copied().collect()
    };
    let (mine, theirs) = (places(a), places(b));
    let meets = |same: bool| {
        mine.iter().any(|(line, side)| {
            theirs.iter().any(|(other, far)| line == other && (side == far) == same)
        })
    };
    if mine.is_empty() || theirs.is_empty() {
        None
    } else if meets(true) {
        Some(Concept::Same)
    } else {
        meets(false).then_some(Concept::Opposite)
    }
}
