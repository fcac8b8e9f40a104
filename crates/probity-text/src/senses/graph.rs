//! The graph of senses, read in place from the bytes in the binary.
//!
//! Four counts (words, senses, bytes of text, links), then as little-endian numbers of 32 bits:
//! where each word begins in the text, where its links begin, the links, the senses; then the text.
//! Words are sorted, so that one is found by halving.

use std::sync::OnceLock;

static BYTES: &[u8] = include_bytes!("../../assets/wordnet/senses.bin");

/// The number of a sense.
pub(super) type Synset = u32;

/// The low bits of a link or a sense hold the number of another sense.
const SYNSET_BITS: u32 = 20;
const SYNSET_MASK: u32 = (1 << SYNSET_BITS) - 1;
/// No chain of kinds is longer than this.
const CHAIN: usize = 24;

/// WordNet's numbers of its lexicographer files.
mod file {
    pub(super) const ARTIFACT: u32 = 6;
    pub(super) const GROUP: u32 = 14;
    pub(super) const LOCATION: u32 = 15;
    pub(super) const PERSON: u32 = 18;
    pub(super) const TIME: u32 = 28;
    pub(super) const VERBS: std::ops::RangeInclusive<u32> = 29..=43;
}

/// What a word leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// One of its senses, and how many others are more usual.
    Sense(Synset, u8),
    /// A sense of a word of its family.
    Family(Synset),
    /// A sense that says the reverse.
    Opposite(Synset),
}

/// The parts of the asset.
#[derive(Default)]
pub(super) struct Graph {
    text_starts: &'static [[u8; 4]],
    link_starts: &'static [[u8; 4]],
    links: &'static [[u8; 4]],
    synsets: &'static [[u8; 4]],
    text: &'static [u8],
}

impl Graph {
    pub(super) fn embedded() -> &'static Graph {
        static GRAPH: OnceLock<Graph> = OnceLock::new();
        GRAPH.get_or_init(|| Graph::read(BYTES).unwrap_or_default())
    }

    fn read(bytes: &'static [u8]) -> Option<Self> {
        let (counts, rest) = bytes.split_first_chunk::<16>()?;
        let count = |at: usize| counts.as_chunks::<4>().0.get(at).map(number);
        let take = |bytes: &'static [u8], count: usize| {
            let (head, tail) = bytes.split_at_checked(count.checked_mul(4)?)?;
            Some((head.as_chunks::<4>().0, tail))
        };
        let (text_starts, rest) = take(rest, count(0)? + 1)?;
        let (link_starts, rest) = take(rest, count(0)? + 1)?;
        let (links, rest) = take(rest, count(3)?)?;
        let (synsets, text) = take(rest, count(1)?)?;
        (text.len() == count(2)?).then_some(Self { text_starts, link_starts, links, synsets, text })
    }

    fn word(&self, at: usize) -> Option<&'static [u8]> {
        self.text.get(number(self.text_starts.get(at)?)..number(self.text_starts.get(at + 1)?))
    }

    /// What a word in its base form leads to.
    pub(super) fn links(&self, word: &str) -> impl Iterator<Item = Link> {
        let (mut low, mut high) = (0, self.text_starts.len().saturating_sub(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.word(middle).is_some_and(|other| other < word.as_bytes()) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let range = (self.word(low) == Some(word.as_bytes())).then(|| {
            let start = |at: usize| self.link_starts.get(at).map_or(0, number);
            start(low)..start(low + 1)
        });
        let links = range.and_then(|range| self.links.get(range)).unwrap_or_default();
        links.iter().filter_map(|bytes| {
            let link = u32::from_le_bytes(*bytes);
            let synset = link & SYNSET_MASK;
            Some(match link >> 28 {
                0 => Link::Sense(synset, u8::try_from(link >> SYNSET_BITS & 15).ok()?),
                1 => Link::Family(synset),
                _ => Link::Opposite(synset),
            })
        })
    }

    fn synset(&self, synset: Synset) -> Option<u32> {
        self.synsets.get(usize::try_from(synset).ok()?).map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// A sense, what it is a kind of, and so on to the most general.
    pub(super) fn chain(&self, synset: Synset) -> impl Iterator<Item = Synset> + Clone {
        std::iter::successors(Some(synset), |at| {
            self.synset(*at).map(|entry| entry & SYNSET_MASK).filter(|above| *above != SYNSET_MASK)
        })
        .take(CHAIN)
    }

    fn file(&self, synset: Synset) -> u32 {
        self.synset(synset).map_or(0, |entry| entry >> SYNSET_BITS)
    }

    pub(super) fn is_person(&self, synset: Synset) -> bool {
        self.file(synset) == file::PERSON
    }

    pub(super) fn is_group(&self, synset: Synset) -> bool {
        self.file(synset) == file::GROUP
    }

    pub(super) fn is_place(&self, synset: Synset) -> bool {
        self.file(synset) == file::LOCATION || self.file(synset) == file::ARTIFACT
    }

    pub(super) fn is_time(&self, synset: Synset) -> bool {
        self.file(synset) == file::TIME
    }

    pub(super) fn is_verb(&self, synset: Synset) -> bool {
        file::VERBS.contains(&self.file(synset))
    }
}

fn number(bytes: &[u8; 4]) -> usize {
    u32::from_le_bytes(*bytes) as usize
}
