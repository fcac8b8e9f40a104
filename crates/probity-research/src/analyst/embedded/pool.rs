//! The sentences of the sources that may speak in a report, ranked by how well they answer.

use std::collections::HashSet;

use probity_core::SourceId;
use probity_model::untrusted::quarantine;
use probity_text::Language;
use probity_text::date_mention::dates;
use probity_text::embed::{Embedder, Vector};
use probity_text::lex::tokens;
use probity_text::quantity::{Amount, Quantity, Unit, quantities};
use probity_text::relevance::{Held, Judge, rank_sentences};
use probity_text::sentences::sentences;
use probity_text::standalone::alone;
use probity_text::tag::tag;
use probity_text::words::{Stemmer, words};

use super::super::SourceView;
use super::answer::{Given, Wanted};

/// Sentences shorter or longer than this, in words, read badly out of context.
const WORDS: std::ops::RangeInclusive<usize> = 6..=48;
/// One that names a figure may be so short: "Admission for adults is £9.50."
const WITH_FIGURE: usize = 4;
/// The most sentences of one source that are looked at.
const PER_SOURCE: usize = 400;
/// About how many words a summary has.
const SUMMARY_WORDS: usize = 160;

/// How a sentence's own words and what it says in its place count for its rank.
const OWN: f64 = 0.45;

/// What a sentence that speaks of "we" or "you" is worth: in a report nobody knows who that is.
const PERSONAL: f64 = 0.5;

/// What a sentence is worth that counts time from a day the reader does not know: "last week".
const UNDATED: f64 = 0.6;

/// What a sentence is worth that tells hardly more than the question.
const LITTLE: f64 = 0.6;
/// What a sentence is worth that speaks of a namesake of what is asked about.
const ANOTHER: f64 = 0.4;
/// A sentence answers from this surety on that it holds the value which is asked for.
pub(super) const ANSWERS: f64 = 0.6;
/// So many content words beside those of the question are news.
const NEWS: usize = 4;

/// A sentence that may speak in a report.
pub(super) struct Voice {
    /// The sources that say it, the best first.
    pub(super) sources: Vec<SourceId>,
    /// The sentence.
    pub(super) text: String,
    /// Its place in the source.
    pub(super) place: usize,
    /// The heading that it stands under there.
    pub(super) section: Option<String>,
    /// How well it answers the question.
    pub(super) score: f64,
    /// Whether it speaks of "we" or "you".
    pub(super) personal: bool,
    /// Whether it counts time from a day the reader does not know: "today".
    pub(super) undated: bool,
    /// Whether it names the kind of value that the question asks for.
    pub(super) answers: bool,
    /// How surely it does so for each part of the question.
    pub(super) parts: Vec<f64>,
    /// What it gives as the value that was asked for.
    pub(super) given: Option<Given>,
    /// Whether one person speaks in it: heard only where it contradicts an answer.
    pub(super) aside: bool,
    /// Whether it speaks of a namesake of what is asked about: of line 5 instead of line 4.
    pub(super) of_another: bool,
    /// What it means, roughly.
    pub(super) vector: Vector,
    /// Its content stems, without those of its figures.
    pub(super) stems: Vec<String>,
    /// The quantities it names.
    pub(super) quantities: Vec<Quantity>,
}

/// A sentence that stands alone.
struct Candidate {
    place: usize,
    section: Option<String>,
    text: String,
    aside: bool,
}

/// The sentences of a text that stand alone, with their places.
fn candidates(text: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut section = None;
    let mut begun = false;
    for (place, range) in sentences(text).into_iter().enumerate() {
        let is_line = fills_line(text, &range);
        let Some(raw) = text.get(range) else { continue };
        let raw = without_marker(raw);
        // Before the first sentence stand the title and the author's name.
        if is_line && let Some(heading) = heading(raw) {
            section = begun.then_some(heading);
            continue;
        }
        if !is_prose(raw) {
            continue;
        }
        begun = true;
        if let Some(sentence) = alone(raw) {
            let text = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
            let aside = is_one_voice(&text);
            found.push(Candidate { place, section: section.clone(), text, aside });
        }
        if found.len() >= PER_SOURCE {
            break;
        }
    }
    found
}

fn fills_line(text: &str, range: &std::ops::Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default().trim_end_matches(['#', '*', ' ']);
    let after = text.get(range.end..).unwrap_or_default().trim_start_matches(['#', '*', ' ']);
    (before.is_empty() || before.ends_with('\n')) && after.starts_with('\n')
}

/// A line as a heading, without its number: "Sound levels" of "§ 9.4 Sound levels".
fn heading(line: &str) -> Option<String> {
    const WORDS: std::ops::RangeInclusive<usize> = 1..=7;
    let line = line.trim_matches(['#', '*', '_', ' ', ':']);
    let plain = line.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
    let ends = plain.ends_with(|c: char| c.is_alphanumeric() || c == ')' || c == '"');
    let begins = plain.chars().next().is_some_and(char::is_uppercase);
    // "Children £4" is a row of a table.
    let row = quantities(plain).iter().any(|one| !matches!(one.amount, Amount::Date(_)));
    (ends && begins && !row && WORDS.contains(&plain.split_whitespace().count()))
        .then(|| plain.to_owned())
}

/// A sentence without the bullet or number of the list it stands in.
fn without_marker(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['-', '*', '•', '|', '>', ' ']);
    let number = text.trim_start_matches('(').trim_start_matches(|c: char| c.is_ascii_digit());
    let is_marker = number.len() < text.len() && text.len() - number.len() <= 4;
    match number.strip_prefix([')', '.']) {
        Some(rest) if is_marker && rest.starts_with(' ') => rest.trim_start(),
        _ => text,
    }
}

/// A whole statement: not a heading, a question, a table row, a fragment or two speakers of a thread.
fn is_prose(text: &str) -> bool {
    // What is said to a machine is no finding either.
    if changes_speaker(text) || quarantine(text).removed > 0 {
        return false;
    }
    let ends = text.ends_with(['.', '!', '。', '”', '"', '’', ')']);
    let words = words(text).count();
    let whole = WORDS.contains(&words)
        || (WITH_FIGURE..=*WORDS.end()).contains(&words) && !quantities(text).is_empty();
    let table = text.matches(['|', '\t']).count() > 1;
    let begins = text.chars().next().is_some_and(|c| !c.is_lowercase());
    let says = has_predicate(text) || is_entry(text);
    ends && begins && !table && !text.contains('?') && whole && says
}

/// An entry of a list that says what something costs or measures: "Museum: adults £8, children £4."
fn is_entry(text: &str) -> bool {
    let Some((label, rest)) = text.split_once(": ") else { return false };
    let short = (1..=ENTRY_LABEL).contains(&label.split_whitespace().count());
    let measures = |one: &Quantity| matches!(one.unit, Unit::Money(_) | Unit::Measure(_));
    short && quantities(rest).iter().any(measures)
}

/// The longest label of an entry, in words.
const ENTRY_LABEL: usize = 6;

/// Whether a name in small letters and a colon stand in it, as threads mark who speaks.
fn changes_speaker(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| match pair {
        [before, word] => word.strip_suffix(':').is_some_and(|name| {
            let odd = name.contains(|c: char| c == '_' || c.is_ascii_digit());
            name.starts_with(char::is_lowercase) && (odd || before.ends_with(['.', '!', '?']))
        }),
        _ => false,
    })
}

/// Whether something is said at all. Only English is tagged; elsewhere the length has to do.
fn has_predicate(text: &str) -> bool {
    Language::detect(text) != Language::English
        || tag(tokens(text)).iter().any(|word| word.is_finite())
}

fn is_undated(text: &str) -> bool {
    const DAYS: &[&str] = &["today", "yesterday", "tomorrow", "tonight"];
    dates(text).iter().any(|(_, date)| date.relative.is_some())
        || words(text).any(|word| DAYS.contains(&word.lower.as_ref()))
}

/// Whether one person speaks in it who is not quoted: what "I" did or guess is no finding, though it may
/// stand against one.
fn is_one_voice(text: &str) -> bool {
    const SPEAKERS: &[&str] = &["i", "i'm", "i've", "i'd", "i'll", "my", "me", "mine", "myself"];
    let mut before = "";
    let speaks = words(text).any(|word| {
        // "World War I" and "Elizabeth I" speak of somebody else.
        let numeral = word.raw == "I" && before.starts_with(char::is_uppercase);
        before = word.raw;
        SPEAKERS.contains(&word.lower.as_ref()) && !numeral
    });
    speaks && !text.contains(['"', '“', '«', '„'])
}

fn is_personal(text: &str) -> bool {
    const SPEAKERS: &[&str] = &["we", "we've", "our", "us", "you", "your", "you're", "ours"];
    words(text).any(|word| SPEAKERS.contains(&word.lower.as_ref()) && word.raw != "US")
}

/// The question, read once for all sentences.
struct Asked<'a> {
    question: &'a str,
    judge: Judge,
    stemmer: &'a Stemmer,
    stems: HashSet<String>,
}

impl<'a> Asked<'a> {
    fn new(question: &'a str, stemmer: &'a Stemmer) -> Self {
        let stems = stemmer.content_stems(question).into_iter().collect();
        Self { question, judge: Judge::new(question), stemmer, stems }
    }

    /// The question, as far as values are compared.
    fn wanted(&self) -> Wanted {
        Wanted::new(self.question, self.judge.question().parts(), self.stemmer)
    }

    /// Whether a sentence has hardly a word beside those of the question, and no figure.
    fn hears_little(&self, text: &str) -> bool {
        let stems = self.stemmer.content_stems(text);
        let new = stems.iter().filter(|stem| !self.stems.contains(*stem)).count();
        new < NEWS && quantities(text).is_empty()
    }
}

/// A text with its figures and their units left out.
pub(super) fn without_figures(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut end = 0;
    for figure in quantities(text) {
        if let Some(before) = text.get(end..figure.range.start) {
            rest.push_str(before);
            rest.push_str(" ; ");
            end = figure.range.end;
        }
    }
    rest.push_str(text.get(end..).unwrap_or_default());
    rest
}

/// The sentences of the sources, ranked, and the question as far as values are compared.
pub(super) struct Pool {
    /// Every sentence of the sources, the best first.
    pub(super) voices: Vec<Voice>,
    pub(super) wanted: Wanted,
    /// What each part of the question says, and what sources do that do not answer it.
    pub(super) parts: Vec<(String, Option<&'static str>)>,
}

/// Ranks every sentence of the sources.
pub(super) fn pool(question: &str, sources: &[SourceView<'_>], stemmer: &Stemmer) -> Pool {
    let asked = Asked::new(question, stemmer);
    let wanted = asked.wanted();
    let mut voices: Vec<Voice> =
        sources.iter().flat_map(|source| voices_of(source, &asked, &wanted)).collect();
    voices.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.sources.cmp(&b.sources)).then(a.place.cmp(&b.place))
    });
    let parts = asked.judge.question().parts().iter();
    let parts = parts.map(|part| (part.text.clone(), part.kind.lack())).collect();
    Pool { voices, wanted, parts }
}

fn voices_of(source: &SourceView<'_>, asked: &Asked<'_>, wanted: &Wanted) -> Vec<Voice> {
    let hearing = Hearing { source, asked, wanted };
    let mut voices = hearing.voices(source.title, source.text, candidates(source.text));
    // What a title says outright is as much the source's word as any sentence under it. It speaks where
    // it answers with a figure or a day.
    let title = titled(source.title).filter(|title| voices.iter().all(|one| one.text != *title));
    if let Some(title) = title {
        let text = format!("{}\n\n{title}", source.text);
        let place = sentences(&text).len().saturating_sub(1);
        let one = Candidate { place, section: None, text: title, aside: false };
        let spoken = hearing.voices("", &text, vec![one]);
        voices.extend(spoken.into_iter().filter(|one| one.answers && one.given.is_some()));
    }
    voices
}

/// One source, heard on one question.
struct Hearing<'a, 'q> {
    source: &'a SourceView<'a>,
    asked: &'a Asked<'q>,
    wanted: &'a Wanted,
}

impl Hearing<'_, '_> {
    /// What some sentences of a text say under a title.
    fn voices(&self, title: &str, text: &str, found: Vec<Candidate>) -> Vec<Voice> {
        let Self { source, asked, .. } = *self;
        // A source that answers better and is trusted more lends its sentences a little weight.
        let relevance = f64::from(source.relevance.unwrap_or(3));
        let trust = 0.85 + 0.02 * relevance + 0.05 * source.credibility;
        let ranks = ranks(asked, title, text, &found);
        let values = asked.judge.values(title, text);
        let voice = |(one, rank): (Candidate, Rank)| {
            let held = values.get(one.place).cloned().unwrap_or_default();
            self.voice(one, Rank { score: rank.score * trust, ..rank }, held)
        };
        found.into_iter().zip(ranks).map(voice).collect()
    }

    fn voice(&self, one: Candidate, rank: Rank, held: Held) -> Voice {
        let (published, wanted) = (self.source.published, self.wanted);
        let quantities = quantities(&one.text);
        let given = Given::of(&one.text, &quantities, &held.amounts, published, wanted);
        let to_come = given.as_ref().is_some_and(|given| given.is_to_come(published, wanted));
        Voice {
            sources: vec![self.source.id],
            place: one.place,
            section: one.section,
            score: rank.score,
            personal: is_personal(&one.text),
            undated: is_undated(&one.text),
            answers: held.surety >= ANSWERS && !to_come,
            parts: if to_come { Vec::new() } else { held.parts },
            given,
            aside: one.aside,
            of_another: rank.of_another,
            vector: Embedder::embedded().embed(&one.text),
            stems: self.asked.stemmer.content_stems(&without_figures(&one.text)),
            quantities,
            text: one.text,
        }
    }
}

/// A title as a sentence, if it is one.
fn titled(title: &str) -> Option<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = format!("{}.", title.trim_end_matches('.'));
    (is_prose(&sentence) && alone(&sentence).is_some()).then_some(sentence)
}

/// How well a sentence answers the question, and whether it speaks of a namesake of what is asked about.
struct Rank {
    score: f64,
    of_another: bool,
}

/// Ranks sentences by their own words, and by what they say where they stand, under their title and
/// heading and among their neighbours.
fn ranks(asked: &Asked<'_>, title: &str, text: &str, found: &[Candidate]) -> Vec<Rank> {
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    let own = rank_sentences(asked.question, &texts);
    let placed = asked.judge.sentences(title, text);
    let rank = |(one, own): (&Candidate, f32)| {
        let placed = placed.get(one.place).copied().unwrap_or_default();
        let of_another = asked.judge.is_of_another(title, &one.text);
        let voice = if is_personal(&one.text) { PERSONAL } else { 1.0 };
        let time = if is_undated(&one.text) { UNDATED } else { 1.0 };
        let news = if asked.hears_little(&one.text) { LITTLE } else { 1.0 };
        let thing = if of_another { ANOTHER } else { 1.0 };
        let score = (OWN * f64::from(own) + (1.0 - OWN) * placed) * voice * time * news * thing;
        Rank { score, of_another }
    };
    found.iter().zip(own).map(rank).collect()
}

/// What a source says about the question, in its own sentences and their order.
pub(super) fn summary(question: &str, title: &str, text: &str) -> String {
    let mut found = candidates(text);
    found.retain(|one| !one.aside);
    let stemmer = Stemmer::new(Language::detect(question));
    let ranks = ranks(&Asked::new(question, &stemmer), title, text, &found);
    let mut order: Vec<usize> = (0..found.len()).collect();
    let score = |index: usize| ranks.get(index).map_or(0.0, |rank| rank.score);
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    let mut chosen = Vec::new();
    let mut length = 0;
    for index in order {
        let Some(one) = found.get(index) else { continue };
        length += one.text.split_whitespace().count();
        if length > SUMMARY_WORDS && !chosen.is_empty() {
            break;
        }
        chosen.push(index);
    }
    chosen.sort_unstable();
    let sentences = chosen.into_iter().filter_map(|index| found.get(index));
    sentences.map(|one| one.text.as_str()).collect::<Vec<_>>().join(" ")
}
