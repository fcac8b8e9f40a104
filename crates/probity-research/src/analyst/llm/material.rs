//! What reports are written from: the facts of the sources, numbered once for all prompts of a run.
//!
//! A source whose facts could not be extracted is shown by its passages nearest to the question; they are numbered
//! after all facts. The numbers do not depend on what fits into a prompt, so that an outline and the sections written
//! by it mean the same.

use probity_core::SourceId;
use probity_model::tokens;
use serde::Serialize;

use super::super::{Fact, SourceView};
use super::show::{self, Shown};

/// How many passages stand in for the facts of a source.
const PASSAGES: usize = 3;

/// A fact as a prompt shows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Noted {
    /// What the model calls it: `F1`.
    pub(super) label: String,
    /// The statement and the words that it rests on.
    pub(super) text: String,
    #[serde(skip)]
    place: usize,
    /// How many more important ones its source has.
    #[serde(skip)]
    rank: usize,
}

/// A source with its facts.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Stated {
    #[serde(flatten)]
    pub(super) source: Shown,
    pub(super) facts: Vec<Noted>,
}

/// The facts of all sources, in the order of the sources, and then what replaces facts.
pub(super) struct Material<'a> {
    /// The source of each fact by its place among the sources, its rank there, and the fact.
    facts: Vec<(usize, usize, Fact)>,
    sources: &'a [SourceView<'a>],
}

impl<'a> Material<'a> {
    pub(super) fn of(question: &str, sources: &'a [SourceView<'a>]) -> Self {
        let ranked = |place: usize, facts: Vec<Fact>| {
            facts.into_iter().enumerate().map(move |(rank, fact)| (place, rank, fact))
        };
        let stated = sources.iter().enumerate();
        let mut facts: Vec<(usize, usize, Fact)> =
            stated.flat_map(|(place, source)| ranked(place, source.facts.to_vec())).collect();
        for (place, source) in sources.iter().enumerate().filter(|(_, s)| s.facts.is_empty()) {
            let passages = show::nearest(question, source.text, PASSAGES);
            facts.extend(ranked(place, passages.into_iter().map(from_passage).collect()));
        }
        Self { facts, sources }
    }

    /// How many facts there are.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// The places of all facts.
    pub(super) fn places(&self) -> Vec<usize> {
        (0..self.len()).collect()
    }

    /// The facts at these places by source, as many as fit: the most important of every source first. With `quoted`
    /// each is shown with the words that it rests on.
    pub(super) fn show(&self, places: &[usize], quoted: bool, room: usize) -> Vec<Stated> {
        let noted = |place: &usize| {
            let (source, rank, fact) = self.facts.get(*place)?;
            let label = format!("F{}", place + 1);
            Some((
                *source,
                Noted { label, text: fact_text(fact, quoted), place: *place, rank: *rank },
            ))
        };
        let mut chosen: Vec<(usize, Noted)> = places.iter().filter_map(noted).collect();
        chosen.sort_by_key(|(source, noted)| (noted.rank, *source));
        let mut left = room;
        chosen.retain(|(_, noted)| {
            let size = tokens::estimate(&noted.text) + tokens::estimate(&noted.label) + 2;
            let fits = size <= left;
            left = left.saturating_sub(if fits { size } else { 0 });
            fits
        });
        let mut shown = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            let own = chosen.iter().filter(|(of, _)| *of == index);
            let mut facts: Vec<Noted> = own.map(|(_, noted)| noted.clone()).collect();
            facts.sort_by_key(|noted| noted.place);
            if !facts.is_empty() {
                shown.push(Stated { source: Shown::frame(source, index + 1), facts });
            }
        }
        shown
    }

    /// The place of the fact that a label names.
    pub(super) fn place(&self, label: &str) -> Option<usize> {
        let label = label.trim().trim_matches(['[', ']', '(', ')', '.']);
        let number: usize = label.trim_start_matches(['F', 'f']).parse().ok()?;
        number.checked_sub(1).filter(|place| *place < self.facts.len())
    }

    /// The source of a fact.
    pub(super) fn source(&self, place: usize) -> Option<SourceId> {
        let (source, ..) = self.facts.get(place)?;
        self.sources.get(*source).map(|source| source.id)
    }
}

/// A passage in place of a fact that is not stated otherwise.
fn from_passage(passage: String) -> Fact {
    Fact { statement: String::new(), quote: passage, figure: String::new() }
}

fn fact_text(fact: &Fact, quoted: bool) -> String {
    let (statement, quote) = (show::clean(&fact.statement), show::clean(&fact.quote));
    let (statement, quote) = (statement.trim(), quote.trim());
    match (statement.is_empty(), quote.is_empty() || statement == quote) {
        (true, _) => format!("“{quote}”"),
        (false, false) if quoted => format!("{statement} “{quote}”"),
        (false, _) => statement.to_owned(),
    }
}
