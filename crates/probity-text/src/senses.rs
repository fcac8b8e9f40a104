//! What English words mean, as far as WordNet knows: synonyms, kinds of things, opposites, families.
//!
//! word → base forms (`lemma`) → senses → what two words are to each other ([`Relation`])
//!
//! The graph is in the binary (`assets/wordnet`, made by `scripts/make-senses`) and is read where it
//! lies. Words of other languages have no senses here.

mod graph;
mod lemma;

use graph::{Graph, Link, Synset};

/// Senses beyond this one are too rare to speak for a word, counted from 0.
const COMMON_RANK: u8 = 1;
/// How many steps up a kind of thing may be: lettuce → greens → vegetable.
const STEPS: usize = 6;
/// Above these a chain is too general to tell anything: entity, abstraction, object, …
const MIN_DEPTH: usize = 4;

/// What a word of a text is to a word of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They share a sense; `common` when it is a usual one of both.
    Synonym {
        /// Whether the sense is a usual one of both words.
        common: bool,
    },
    /// The same family: `inspect`, `inspection`.
    Family,
    /// One does what the other says: `inspect`, `inspector`.
    Doer,
    /// A person named after a thing: `guitar`, `guitarist`.
    Namesake,
    /// The text's word is a kind of the question's: `lettuce` for `vegetable`, so many steps down.
    Kind(usize),
    /// The text's word is more general: `vehicle` for `lorry`.
    Broader,
    /// They say the reverse of each other.
    Opposite,
}

/// The senses of a word.
#[derive(Debug, Clone, Default)]
pub struct Senses {
    bases: Vec<String>,
    /// Each sense, and how many others of the word are more usual; the most usual first.
    senses: Vec<(Synset, u8)>,
    /// What its usual senses are kinds of, and how many steps up.
    above: Vec<(Synset, usize)>,
    family: Vec<Synset>,
    opposites: Vec<Synset>,
}

impl Senses {
    /// The senses of a lower-case English word in any of its forms; none for an unknown word.
    pub fn of(word: &str) -> Self {
        let graph = Graph::embedded();
        let mut found = Senses::default();
        lemma::each(word, |base| {
            let known = found.senses.len();
            for link in graph.links(base) {
                match link {
                    Link::Sense(synset, rank) => found.senses.push((synset, rank)),
                    Link::Family(synset) => found.family.push(synset),
                    Link::Opposite(synset) => found.opposites.push(synset),
                }
            }
            if found.senses.len() > known {
                found.bases.push(base.to_owned());
            }
        });
        for (synset, _) in found.senses.iter().filter(|(_, rank)| *rank <= COMMON_RANK) {
            let chain = graph.chain(*synset);
            let reach = chain.clone().count().saturating_sub(MIN_DEPTH).min(STEPS);
            found
                .above
                .extend(chain.enumerate().skip(1).take(reach).map(|(steps, above)| (above, steps)));
        }
        found
    }

    /// The base forms of the word that are known.
    pub fn bases(&self) -> &[String] {
        &self.bases
    }

    /// Whether nothing is known of the word.
    pub fn is_empty(&self) -> bool {
        self.senses.is_empty()
    }

    /// Whether a usual sense of the word is a person or a group of people.
    pub fn is_person(&self) -> bool {
        self.common()
            .any(|synset| Graph::embedded().is_person(synset) || Graph::embedded().is_group(synset))
    }

    /// Whether a usual sense of the word is a place or a building.
    pub fn is_place(&self) -> bool {
        self.common().any(|synset| Graph::embedded().is_place(synset))
    }

    /// Whether the word is in the first place a verb in its base form, as `soak`.
    pub fn is_plain_verb(&self, word: &str) -> bool {
        let verb = self.first().is_some_and(|synset| Graph::embedded().is_verb(synset));
        verb && !word.ends_with("ed")
            && !word.ends_with("ing")
            && (!word.ends_with('s') || word.ends_with("ss"))
    }

    /// Whether the word is in the first place a time: `day`, `summer`.
    pub fn is_time(&self) -> bool {
        self.first().is_some_and(|synset| Graph::embedded().is_time(synset))
    }

    fn first(&self) -> Option<Synset> {
        self.senses.first().map(|(synset, _)| *synset)
    }

    fn common(&self) -> impl Iterator<Item = Synset> {
        self.senses.iter().filter(|(_, rank)| *rank <= COMMON_RANK).map(|(synset, _)| *synset)
    }

    fn rank(&self, synset: Synset) -> Option<u8> {
        self.senses.iter().filter(|(own, _)| *own == synset).map(|(_, rank)| *rank).min()
    }

    /// What `text`, a word of a text, is to this word of a question.
    pub fn relation(&self, text: &Senses) -> Option<Relation> {
        if self.is_empty() || text.is_empty() {
            return None;
        }
        if self.opposes(text) {
            return Some(Relation::Opposite);
        }
        let synonym = self.synonymy(text);
        if synonym == Some(Relation::Synonym { common: true }) {
            return synonym;
        }
        self.kinship(text).or(synonym).or_else(|| self.kind(text)).or_else(|| self.broader(text))
    }

    fn opposes(&self, other: &Senses) -> bool {
        let one = |a: &Senses, b: &Senses| {
            a.opposites.iter().any(|synset| b.rank(*synset).is_some_and(|rank| rank <= COMMON_RANK))
        };
        one(self, other) || one(other, self)
    }

    fn kinship(&self, other: &Senses) -> Option<Relation> {
        let graph = Graph::embedded();
        let linked = |a: &Senses, b: &Senses| {
            a.family.iter().copied().find(|synset| b.rank(*synset).is_some())
        };
        linked(self, other).or_else(|| linked(other, self))?;
        let person = |senses: &Senses| senses.first().is_some_and(|synset| graph.is_person(synset));
        if person(self) == person(other) {
            return Some(Relation::Family);
        }
        let thing = if person(self) { other } else { self };
        let does = thing
            .senses
            .iter()
            .any(|(synset, rank)| *rank <= COMMON_RANK && graph.is_verb(*synset));
        Some(if does { Relation::Doer } else { Relation::Namesake })
    }

    fn synonymy(&self, other: &Senses) -> Option<Relation> {
        let shared =
            |(synset, rank): &(Synset, u8)| other.rank(*synset).map(|second| (*rank).max(second));
        let best = self.senses.iter().filter_map(shared).min()?;
        Some(Relation::Synonym { common: best <= COMMON_RANK })
    }

    fn kind(&self, other: &Senses) -> Option<Relation> {
        self.steps_from(other).map(Relation::Kind)
    }

    fn broader(&self, other: &Senses) -> Option<Relation> {
        other.steps_from(self).filter(|steps| *steps <= 2).map(|_| Relation::Broader)
    }

    /// How many steps above a usual sense of another word a usual sense of this one is.
    fn steps_from(&self, other: &Senses) -> Option<usize> {
        let usual = |synset: Synset| self.rank(synset).is_some_and(|rank| rank <= COMMON_RANK);
        other.above.iter().filter(|(synset, _)| usual(*synset)).map(|(_, steps)| *steps).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(question: &str, text: &str) -> Option<Relation> {
        Senses::of(question).relation(&Senses::of(text))
    }

    #[test]
    fn a_guitarist_is_not_a_guitar() {
        assert_eq!(relation("guitarists", "guitar"), Some(Relation::Namesake));
        assert_eq!(relation("piano", "pianist"), Some(Relation::Namesake));
        assert_eq!(relation("inspected", "inspectors"), Some(Relation::Doer));
    }

    #[test]
    fn members_stand_below_their_class() {
        assert!(matches!(relation("vegetables", "spinach"), Some(Relation::Kind(_))));
        assert!(matches!(relation("symptoms", "nausea"), Some(Relation::Kind(_))));
        assert_eq!(relation("lettuce", "justice"), None);
    }

    #[test]
    fn synonyms_opposites_and_families_are_told_apart() {
        assert!(matches!(
            relation("injured", "hurt"),
            Some(Relation::Synonym { .. } | Relation::Family)
        ));
        assert_eq!(relation("lorries", "truck"), Some(Relation::Broader));
        assert_eq!(relation("open", "closed"), Some(Relation::Opposite));
        assert_eq!(relation("decision", "decide"), Some(Relation::Family));
    }
}
