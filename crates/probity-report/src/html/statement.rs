//! Statements as the page shows them: the sentence, its citations, and behind each its evidence.

use crate::assemble::{CheckedStatement, Evidence};
use crate::escape::one_line;
use crate::sentence::split_stop;

use super::passage::{self, Piece};
use super::source::{SourceView, Stretch};

/// How much of a passage a panel shows, in characters.
const PASSAGE_CHARS: usize = 700;

/// Gives every citation of the page an id of its own.
#[derive(Default)]
pub(crate) struct Numbering(usize);

impl Numbering {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }
}

/// One sentence.
pub(crate) struct StatementView {
    pub(crate) stem: String,
    pub(crate) stop: String,
    pub(crate) citations: Vec<CitationView>,
    pub(crate) mark: Option<&'static str>,
    pub(crate) why: String,
    pub(crate) is_inference: bool,
}

/// One `[n]` with what it rests on.
pub(crate) struct CitationView {
    pub(crate) id: usize,
    pub(crate) n: usize,
    pub(crate) support: &'static str,
    pub(crate) passage: Vec<Piece>,
    pub(crate) title: String,
    pub(crate) outlet: String,
    pub(crate) href: String,
    pub(crate) score: String,
    pub(crate) parts: String,
    pub(crate) gate: String,
    pub(crate) why: String,
    pub(crate) published: String,
    pub(crate) bar: Vec<Stretch>,
}

impl StatementView {
    pub(crate) fn new(
        statement: &CheckedStatement,
        sources: &[SourceView],
        numbering: &mut Numbering,
    ) -> Self {
        let text = one_line(&statement.shown());
        let (stem, stop) = split_stop(&text);
        let citation = |evidence: &Evidence| {
            let source = evidence.n.checked_sub(1).and_then(|index| sources.get(index))?;
            Some(citation(statement, evidence, source, numbering.next()))
        };
        Self {
            stem: stem.to_owned(),
            stop: stop.to_owned(),
            citations: statement.evidence.iter().filter_map(citation).collect(),
            mark: statement.mark(),
            why: statement.reasons.iter().map(|r| one_line(r)).collect::<Vec<_>>().join(" "),
            is_inference: statement.form.is_inference(),
        }
    }
}

fn citation(
    statement: &CheckedStatement,
    evidence: &Evidence,
    source: &SourceView,
    id: usize,
) -> CitationView {
    let passage = evidence.passage.as_deref().unwrap_or_default();
    let passage = probity_core::printable::brief(&one_line(passage), PASSAGE_CHARS);
    CitationView {
        id,
        n: evidence.n,
        support: statement.bearing(evidence),
        passage: passage::marked(&passage, &statement.text),
        title: source.title.clone(),
        outlet: source.outlet.clone(),
        href: source.href.clone(),
        score: source.score.clone(),
        parts: source.score_parts.clone(),
        gate: source.gate.clone(),
        why: source.why.clone(),
        published: match evidence.page {
            Some(page) => format!("{}, page {page}", source.published),
            None => source.published.clone(),
        },
        bar: source.bar.clone(),
    }
}
