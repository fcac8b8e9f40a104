//! Passages that were read → the sentences that answer, how far they can be relied on.
//!
//! A passage counts by how surely the reader finds an answer in it and by its share of the question's words;
//! a sentence adds how likely the answer stands in it. Passage and sentence are chosen together. The numbers in
//! `WEIGHTS` were chosen on one half of 774 foreign questions and tried on the other;
//! `probity bench answers` shows what they reach on any library.

use std::collections::HashSet;
use std::ops::Range;

use probity_core::{ClaimReview, Mode};
use probity_model::untrusted::quarantine;
use probity_reader::{PassageAnswer, Stop, Stopped};
use probity_text::Language;
use probity_text::lexical::Lexical;
use probity_text::words::{Stemmer, words};

use super::question::{Asked, Part, Wanted};
use super::read::CachedReader;
use super::retrieve::{Found, Library};
use super::value;

/// How readings are weighed.
struct Weights {
    /// The most that the answerable logit of a passage counts for.
    answerable: f64,
    /// What a passage gets for having as much of the question's words as the best one.
    relative: f64,
    /// What each unit of a sentence's log-likelihood is worth, and the least that counts.
    likelihood: f64,
    unlikely: f64,
}

const WEIGHTS: Weights =
    Weights { answerable: 2.0, relative: 6.0, likelihood: 0.5, unlikely: -12.0 };

/// What a sentence loses that only repeats somebody's claim to rate it, where an amount, a time or a name is asked
/// for: more than anything can win, because the value in it is not the page's.
const REVIEWED: f64 = 20.0;

/// How sure one can be that a passage answers at all: a logistic of its answerable logit, its share of BM25 and
/// its cosine.
const PLAIN: [f64; 4] = [0.50, 2.95, 2.05, -1.89];
/// From here on a passage answers plainly; below, it is the nearest there is. At this cut 83 % of answerable
/// questions are answered and 79 to 90 % of the others are not.
const ANSWERS_FROM: f64 = 0.36;
/// The same for questions in a language that the reader was not taught, and is less sure in.
const FOREIGN_FROM: f64 = -1.0;
/// A sentence that has so much of the words of such a question answers, whatever the reader makes of it.
const FOREIGN_SHARE: f64 = 0.8;
/// There the reader finds the passage, but hardly the sentence: what one counts for that has all words of the question.
const FOREIGN_WORDS: f64 = 3.0;

/// How sure one can be that the first sentence is right: a logistic of the answerable logit, the margin to the
/// next different answer and the number of sources that agree.
const CERTAIN: [f64; 4] = [0.445, 0.41, 0.09, -2.06];
/// The largest margin that counts.
const MARGIN: f64 = 6.0;
/// Below this probability of being right, a sentence states nothing plainly; it is only the nearest there is. Where a
/// value is asked for, a small margin means that another value is nearly as good; elsewhere it may mean that several
/// sentences answer.
const UNSURE: f64 = 0.2;
const UNSURE_OF_VALUE: f64 = 0.3;
/// Below this one the sentence is shown with its passage, because the answer may stand beside it.
const DOUBTFUL: f64 = 0.45;

/// Sentences that share this much of their words say the same.
const SAME: f64 = 0.8;

/// How many passages a mode reads to find the answer.
pub fn passages_read(mode: Mode) -> usize {
    match mode {
        Mode::Quick => 5,
        Mode::Standard => 10,
        Mode::Deep | Mode::Exhaustive => 20,
    }
}

/// A sentence that may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Which of the sources it is of.
    pub source: usize,
    /// Where it is in the source's text.
    pub sentence: Range<usize>,
    /// Where the answer itself stands in the source's text.
    pub span: Range<usize>,
    /// The passage around it.
    pub passage: Range<usize>,
    /// The heading above it, in the source's text.
    pub heading: Option<Range<usize>>,
    /// How good it is beside others.
    pub score: f64,
    /// The answerable logit of its passage.
    pub answerable: f64,
    /// How plainly its passage answers, as a logit.
    pub plain: f64,
    /// How likely the answer stands in this sentence of the passage, as a log-likelihood.
    pub likely: f64,
}

/// How well a part of a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// A source states the answer.
    Plain,
    /// What was found is near, but does not state it.
    Near,
    /// Nothing was found.
    Nothing,
}

/// What the sources have on a part of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Sentences that say different things, the best first.
    pub choices: Vec<Choice>,
    /// How well they answer.
    pub band: Band,
    /// How likely the first is right, from 0 to 1.
    pub certainty: f64,
    /// How many passages were read.
    pub read: usize,
}

impl Answered {
    /// Whether the answer may stand beside the best sentence rather than in it.
    pub(super) fn is_doubtful(&self) -> bool {
        self.band != Band::Plain || self.certainty < DOUBTFUL
    }
}

/// Chooses the sentences of the sources that answer a part of a question.
///
/// # Errors
/// When it is told to stop.
pub fn choose(
    asked: &Asked,
    part: &Part,
    library: &Library<'_>,
    reading: &CachedReader,
    most: usize,
    stop: &Stop,
) -> Result<Answered, Stopped> {
    let found = library.best(&part.text, most);
    let answers = reading.answers(&part.text, library, &found, stop)?;
    let mut choices: Vec<Choice> =
        found.iter().zip(&answers).flat_map(|(found, answer)| choices_of(found, answer)).collect();
    let for_value = matches!(part.wanted, Wanted::Amount | Wanted::Time | Wanted::Name);
    for choice in choices.iter_mut().filter(|_| for_value) {
        if ClaimReview::is_sentence(library.slice(choice.source, &choice.sentence)) {
            choice.score -= REVIEWED;
        }
    }
    let share = share_of(&part.text, library);
    for choice in choices.iter_mut().filter(|_| !asked.is_english()) {
        choice.score += FOREIGN_WORDS * share(choice);
    }
    choices.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.source.cmp(&b.source)));
    let mut choices = distinct(choices, library);
    // Where the reader is a stranger, what has most of the question's words stands beside its choice.
    let of_first = |choice: &Choice| {
        let first = found.first().filter(|_| !asked.is_english());
        first.is_some_and(|one| one.source == choice.source && one.passage.range == choice.passage)
    };
    if let Some(at) = choices.iter().position(of_first).filter(|at| *at > 1) {
        let first = choices.remove(at);
        choices.insert(1, first);
    }
    let certainty = certainty(&part.text, &choices, library);
    let is_sure = certainty >= if for_value { UNSURE_OF_VALUE } else { UNSURE };
    let is_plain = |best: &Choice| match asked.is_english() {
        true => best.plain >= ANSWERS_FROM && is_sure,
        false => best.plain >= FOREIGN_FROM || share(best) >= FOREIGN_SHARE,
    };
    let band = match choices.first() {
        None => Band::Nothing,
        Some(best) if is_plain(best) => Band::Plain,
        Some(_) => Band::Near,
    };
    Ok(Answered { choices, band, certainty, read: found.len() })
}

/// How plainly a passage answers, as a logit.
pub(super) fn plainly(answerable: f64, lexical: &Lexical) -> f64 {
    let [a, bm25, cosine, base] = PLAIN;
    a * answerable + bm25 * lexical.share + cosine * lexical.cosine + base
}

/// The sentences of a passage that may answer.
pub(super) fn choices_of(found: &Found, answer: &PassageAnswer) -> Vec<Choice> {
    let start = found.passage.range.start;
    let passage = answer.answerable.min(WEIGHTS.answerable) + WEIGHTS.relative * found.relative;
    let plain = plainly(answer.answerable, &found.lexical);
    let scored = found.passage.sentences.iter().zip(&answer.sentences);
    scored
        .filter_map(|(sentence, span)| {
            let span = span.as_ref()?;
            Some(Choice {
                source: found.source,
                sentence: sentence.clone(),
                span: start + span.start..start + span.end,
                passage: found.passage.range.clone(),
                heading: found.passage.heading.clone(),
                score: passage + WEIGHTS.likelihood * span.score.max(WEIGHTS.unlikely),
                answerable: answer.answerable,
                plain,
                likely: span.score,
            })
        })
        .collect()
}

/// The sentences that say something that none before them says, and nothing to the program that reads them.
fn distinct(choices: Vec<Choice>, library: &Library<'_>) -> Vec<Choice> {
    let mut kept: Vec<(Choice, HashSet<String>)> = Vec::new();
    for choice in choices {
        let text = library.slice(choice.source, &choice.sentence);
        let own: HashSet<String> = words(text).map(|word| word.lower.into_owned()).collect();
        let repeats = kept.iter().any(|(_, known)| says_the_same(&own, known));
        if !repeats && quarantine(text).removed == 0 {
            kept.push((choice, own));
        }
    }
    kept.into_iter().map(|(choice, _)| choice).collect()
}

/// Whether two sentences have most words in common, and all of their figures.
fn says_the_same(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    let has_digit = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
    let differs = one.symmetric_difference(other).any(|word| has_digit(&word));
    !differs && overlap(one, other) >= SAME
}

/// The share of the words of two sentences that both have.
fn overlap(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let all = one.len() + other.len() - both;
    if all == 0 { 1.0 } else { both as f64 / all as f64 }
}

/// Tells the share of a question's content words that a sentence has.
fn share_of(question: &str, library: &Library<'_>) -> impl Fn(&Choice) -> f64 {
    let stemmer = Stemmer::new(Language::detect(question));
    let asked: HashSet<String> = stemmer.content_stems(question).into_iter().collect();
    move |choice| {
        let text = library.slice(choice.source, &choice.sentence);
        let own: HashSet<String> = stemmer.content_stems(text).into_iter().collect();
        own.intersection(&asked).count() as f64 / asked.len().max(1) as f64
    }
}

/// How likely the first sentence is right.
fn certainty(question: &str, choices: &[Choice], library: &Library<'_>) -> f64 {
    let Some(best) = choices.first() else { return 0.0 };
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let agrees = |choice: &Choice| value::answer_alike(question, text(best), text(choice));
    let other = choices.iter().skip(1).find(|choice| !agrees(choice));
    let margin = other.map_or(MARGIN, |other| (best.score - other.score).clamp(0.0, MARGIN));
    let mut sources: Vec<usize> = choices
        .iter()
        .skip(1)
        .filter(|choice| choice.source != best.source && agrees(choice))
        .map(|choice| choice.source)
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let [a, margins, agreeing, base] = CERTAIN;
    let logit = a * best.answerable + margins * margin + agreeing * sources.len() as f64 + base;
    1.0 / (1.0 + (-logit).exp())
}
