//! Things that share a part of their names: the castle and the museum of one town.

use crate::lex::tokens;
use crate::lexicon::kinds;
use crate::tag::{Tag, Tagged, named_things, tag};
use crate::words::{bare, words};

/// Words that join the parts of a name.
const JOINTS: &[&str] = &["of", "the", "de", "for"];
/// From this share of its uses on a word is a common noun.
const NOUN: f32 = 0.3;

/// A name that says what kind of thing it names: the City Museum of Brackley is a museum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FullName {
    /// The kind of thing.
    head: String,
    /// The words that tell it from others of its kind.
    own: Vec<String>,
}

impl FullName {
    /// The names in a text that say what kind of thing they name.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let tagged = named_things(tag(tokens(text)));
        let mut found = Vec::new();
        let mut at = 0;
        while at < tagged.len() {
            let end = run_end(&tagged, at);
            if end > at {
                found.extend(tagged.get(at..end).and_then(Self::of));
            }
            at = end.max(at + 1);
        }
        found
    }

    fn of(run: &[Tagged<'_>]) -> Option<Self> {
        let is_joint = |word: &Tagged<'_>| JOINTS.contains(&word.token.lower.as_ref());
        let first = run.split(is_joint).next()?;
        let head = first.last()?;
        let known = kinds(&head.lemma.base).or_else(|| kinds(bare(&head.token.lower)));
        let is_kind = known.is_some_and(|kinds| kinds.noun >= NOUN);
        let rest = match first.len() == run.len() {
            true => first.get(..first.len() - 1)?,
            false => run.get(first.len()..)?,
        };
        let own: Vec<String> = rest
            .iter()
            .filter(|word| !is_joint(word))
            .map(|word| bare(&word.token.lower).to_owned())
            .collect();
        (is_kind && !own.is_empty()).then(|| Self { head: bare(&head.token.lower).to_owned(), own })
    }

    /// Whether a sentence under a title speaks of something else that shares words with this name, and
    /// not of this.
    pub(super) fn is_not_meant(&self, title: &str, text: &str) -> bool {
        self.is_another(text) || self.is_another(title) && !self.is_named(text)
    }

    /// The same for a whole text.
    pub(super) fn is_never_meant(&self, title: &str, text: &str) -> bool {
        self.is_another(title) && !self.is_named(text)
    }

    fn is_another(&self, text: &str) -> bool {
        let shares = |other: &FullName| {
            other.head != self.head
                && !self.own.contains(&other.head)
                && !other.own.contains(&self.head)
                && other.own.iter().any(|word| self.own.contains(word))
        };
        !self.is_named(text) && Self::all(text).iter().any(shares)
    }

    fn is_named(&self, text: &str) -> bool {
        words(text).any(|word| {
            let word = bare(&word.lower);
            word == self.head || word.strip_suffix('s') == Some(&self.head)
        })
    }
}

/// Where the name ends that begins at a word; at the word itself, if none does.
fn run_end(tagged: &[Tagged<'_>], from: usize) -> usize {
    let is_name = |at: usize| {
        tagged.get(at).is_some_and(|word| {
            // A title, or the word that opens a sentence, may have its capital for another reason.
            let noun = matches!(word.tag, Tag::Noun | Tag::Verb) && (at == 0 || at > from);
            word.token.is_capital() && (word.tag == Tag::Name || noun)
        })
    };
    if !is_name(from) {
        return from;
    }
    let mut end = from + 1;
    loop {
        if is_name(end) {
            end += 1;
            continue;
        }
        let joint = |at: usize| {
            tagged.get(at).is_some_and(|word| JOINTS.contains(&word.token.lower.as_ref()))
        };
        match (joint(end), joint(end + 1)) {
            (true, _) if is_name(end + 1) => end += 2,
            (true, true) if is_name(end + 2) => end += 3,
            _ => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_other(question: &str, title: &str, text: &str) -> bool {
        FullName::all(question).iter().any(|name| name.is_not_meant(title, text))
    }

    #[test]
    fn another_kind_of_thing_with_the_same_name_is_another_thing() {
        for (question, title, text) in [
            ("When does the City Museum of Arden open?", "", "Arden Castle opens at nine."),
            ("When does the City Museum of Arden open?", "Arden Castle", "It opens at nine."),
            ("Who leads Norfell University?", "", "The Norfell Hospital is led by Ada Lorne."),
            ("How long is the Tarn Bridge?", "Tarn Tunnel", "With 900 metres it is the longest."),
        ] {
            assert!(is_other(question, title, text), "{question} {title} {text}");
        }
    }

    #[test]
    fn the_thing_itself_under_a_shorter_or_longer_name_is_not() {
        for (question, title, text) in [
            ("When does the City Museum of Arden open?", "Arden", "The museum opens at nine."),
            (
                "When does the City Museum of Arden open?",
                "Arden Castle",
                "The museum is next door.",
            ),
            ("When does the City Museum of Arden open?", "", "The Arden Museum opens at nine."),
            ("When does the City Museum of Arden open?", "", "Opening hours vary in Arden."),
            ("Who leads Norfell University?", "", "Ada Lorne leads the University of Norfell."),
            ("How big is Port Arden?", "", "Port Arden Harbour has forty berths."),
            ("Who was Marie Lorne?", "", "Pierre Lorne was her husband."),
        ] {
            assert!(!is_other(question, title, text), "{question} {title} {text}");
        }
    }
}
