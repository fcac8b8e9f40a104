//! Does a source answer the question? From 1 to 5, by its best passages.
//!
//! The passages that have most of the question's words and meaning are read; the surest one counts. The numbers
//! stand in `CUTS`; `probity bench relevance` shows what they keep and drop on any judged passages.

use std::ops::Range;

use probity_core::SourceId;
use probity_core::printable::brief;
use probity_reader::{PassageAnswer, Stop, Stopped};
use probity_report::phrases::{Phrase, Phrases};
use probity_text::passages::marked_headings;
use serde::Serialize;

use super::super::SourceView;
use super::question::{Asked, Wanted};
use super::read::CachedReader;
use super::retrieve::{Found, Library};

/// How many passages of a source are read: the more, the longer it is.
const PASSAGES: std::ops::RangeInclusive<usize> = 3..=10;
/// For this many passages one more is read.
const PER_PASSAGE_READ: usize = 8;
/// How much of a sentence a reason quotes, in characters.
const QUOTED: usize = 220;

/// The probabilities at which a score begins.
struct Cuts {
    /// 5: it directly answers.
    directly: f64,
    /// 4: strongly relevant.
    strongly: f64,
    /// 3: kept.
    kept: f64,
    /// 2: on the topic.
    topic: f64,
    /// A passage that the reader finds off topic answers nothing, however much it looks like an answer.
    off_topic: f64,
}

const CUTS: Cuts = Cuts { directly: 0.85, strongly: 0.4, kept: 0.35, topic: 0.5, off_topic: 0.5 };

/// What counts for the value that orders sources: the answerable logit, the share of BM25, the cosine.
const VALUE: [f64; 3] = [1.0, 3.0, 2.0];

/// What the judge makes of a source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judged {
    /// From 1, off topic, to 5, directly answers.
    pub score: u8,
    /// Orders sources of the same question; the higher the better.
    pub value: f64,
    /// One sentence that says why.
    pub why: String,
    /// How surely the best passage answers, from 0 to 1.
    pub answerable: f64,
    /// How surely it is on the topic, from 0 to 1.
    pub topic: f64,
    /// The passage that speaks most to the question, in bytes of the text.
    pub evidence: Option<Range<usize>>,
}

/// Judges one source.
///
/// # Errors
/// When it is told to stop.
pub fn judge(
    question: &str,
    source: &SourceView<'_>,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Judged, Stopped> {
    let asked = Asked::new(question);
    let sources = [*source];
    let library = Library::new(&sources);
    let mut best: Option<Verdict> = None;
    let most = passages_read(library.count());
    for part in &asked.parts {
        let found = library.best(&part.text, most);
        let answers = reading.answers(&part.text, &library, &found, stop)?;
        for (found, answer) in found.iter().zip(&answers) {
            let verdict = Verdict::new(&asked, found, answer);
            if best.as_ref().is_none_or(|best| verdict.sure > best.sure) {
                best = Some(verdict);
            }
        }
        // What a yes-no question asks may be stated or denied outright where nothing looks like an answer.
        if let (Wanted::Truth, Some(claim), Some(verdict)) = (part.wanted, &part.claim, &mut best) {
            let texts: Vec<&str> =
                found.iter().map(|one| library.text(one.source, &one.passage)).collect();
            for read in reading.reader().entails(claim, &texts, stop)? {
                verdict.sure = verdict.sure.max(read.supported.max(read.contradicted));
            }
        }
    }
    Ok(best.map_or_else(|| nothing(question), |verdict| verdict.judged(question, &library)))
}

/// How many of a source's passages are read.
pub(super) fn passages_read(passages: usize) -> usize {
    (passages / PER_PASSAGE_READ).clamp(*PASSAGES.start(), *PASSAGES.end())
}

/// Judges a text by itself; headings are told by their Markdown marks.
///
/// # Errors
/// When it is told to stop.
pub fn judge_text(
    question: &str,
    title: &str,
    text: &str,
    reading: &CachedReader,
    stop: &Stop,
) -> Result<Judged, Stopped> {
    let headings = marked_headings(text);
    let source = SourceView {
        id: SourceId(0),
        title,
        url: "",
        outlet: "",
        published: None,
        credibility: 0.0,
        authority: 0.0,
        snippet: "",
        text,
        headings: &headings,
        lists: &[],
        summary: "",
        facts: &[],
        relevance: None,
        why: "",
    };
    judge(question, &source, reading, stop)
}

/// A source without a passage.
fn nothing(question: &str) -> Judged {
    let why = Phrases::of(question).say(Phrase::JudgedNothing, &[]);
    Judged { score: 1, value: f64::MIN, why, answerable: 0.0, topic: 0.0, evidence: None }
}

/// What one passage says to a question.
struct Verdict {
    /// How surely it answers, from 0 to 1.
    answers: f64,
    /// The same, as far as it is trusted.
    sure: f64,
    /// How surely it is on the topic.
    topic: f64,
    value: f64,
    passage: Range<usize>,
    sentence: Range<usize>,
}

impl Verdict {
    fn new(asked: &Asked, found: &Found, answer: &PassageAnswer) -> Self {
        let (answers, topic) = (sigmoid(answer.answerable), sigmoid(answer.topic));
        let sure = if topic < CUTS.off_topic { answers.min(CUTS.kept / 2.0) } else { answers };
        // The reader was taught English; elsewhere the share of the question's words tells more.
        let sure = if asked.is_english() { sure } else { sure.max(covered(found)) };
        let [a, share, cosine] = VALUE;
        let lexical = &found.lexical;
        let value = a * answer.answerable + share * lexical.share + cosine * lexical.cosine;
        let best = answer
            .sentences
            .iter()
            .zip(&found.passage.sentences)
            .filter_map(|(score, sentence)| Some((score.as_ref()?.score, sentence)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let sentence = best.map_or_else(|| found.passage.range.clone(), |(_, one)| one.clone());
        Self { answers, sure, topic, value, passage: found.passage.range.clone(), sentence }
    }

    fn judged(self, question: &str, library: &Library<'_>) -> Judged {
        let said = library.slice(0, &self.sentence);
        let said = format!("“{}”", brief(said.trim(), QUOTED));
        let (score, why) = match self.sure {
            sure if sure >= CUTS.directly => (5, Phrase::Judged5),
            sure if sure >= CUTS.strongly => (4, Phrase::Judged4),
            sure if sure >= CUTS.kept => (3, Phrase::Judged3),
            _ if self.topic >= CUTS.topic => (2, Phrase::Judged2),
            _ => (1, Phrase::Judged1),
        };
        let why = Phrases::of(question).say(why, &[(&said).into()]);
        let (answerable, topic) = (rounded(self.answers), rounded(self.topic));
        Judged { score, value: self.value, why, answerable, topic, evidence: Some(self.passage) }
    }
}

/// How surely a passage in a language without a trained reader answers: half of the question's words keep it.
fn covered(found: &Found) -> f64 {
    const KEPT: f64 = 0.5;
    (found.lexical.covered - KEPT + CUTS.kept).clamp(0.0, 1.0)
}

fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
