//! A question and its answer → one sentence that states it: "When was the mill closed?" and "in 1850" give "The mill was
//! closed in 1850".
//!
//! Only English questions of a plain form. Where the subject ends and the verb begins is told by how the sources use the
//! words, never by a list of verbs; where they do not show it, nothing is made. Whether the sentence follows from its
//! source is the reader's to tell.

use std::ops::Range;

use probity_text::Language;
use probity_text::stopwords::stopwords;
use probity_text::words::Stemmer;

use super::headline::lower_first;
use super::question::AUXILIARIES;
use super::sides::capital;
use super::usage::{BE, DO, HAVE, Usage};

/// The longest sentence that is made, in words.
const WORDS: usize = 20;
/// How many words before the answer may belong to it: "because of", "on".
const LEADING: usize = 4;
/// "Six years long", but not "six tonnes heavy".
const MEASURES: &[&str] = &["long", "old", "tall", "high", "wide", "deep"];
/// What tells a reason.
const REASONS: &[&str] = &["because", "due", "since", "so", "as"];
/// What leads to a time or a place.
const PLACES: &[&str] = &["in", "on", "at", "from", "since", "by"];
/// Speak of whoever asks.
const ASKING: &[&str] = &["i", "we", "my", "our", "me", "us", "you", "your"];

/// An answer in its sentence.
pub(super) struct Value<'a> {
    pub(super) sentence: &'a str,
    pub(super) span: Range<usize>,
}

impl<'a> Value<'a> {
    fn text(&self) -> &'a str {
        let text = self.sentence.get(self.span.clone()).unwrap_or_default();
        text.trim().trim_matches(['.', ',', ';', ':', '“', '”', '"', '(', ')', ' '])
    }

    /// The words before the answer, the nearest first.
    fn before(&self) -> impl Iterator<Item = &'a str> {
        let before = self.sentence.get(..self.span.start).unwrap_or_default();
        before.split_whitespace().rev()
    }

    /// The answer with the small words that lead to it, back to one of those that are asked for, if any is near.
    fn words_from(&self, wanted: &[&str]) -> Option<String> {
        let is_wanted = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            wanted.contains(&word.as_str())
        };
        let own = self.text();
        if own.split_whitespace().next().is_some_and(is_wanted) {
            return Some(own.to_owned());
        }
        let at = self.before().take(LEADING).position(is_wanted)?;
        let mut lead: Vec<&str> = self.before().take(at + 1).collect();
        // "Possibly due to" says less than "due to".
        lead.extend(self.before().nth(at + 1).filter(|one| one.ends_with("ly")));
        lead.reverse();
        let lead = lead.join(" ");
        (!lead.contains([',', ';', '('])).then(|| format!("{lead} {own}"))
    }

    /// The answer with the article before it.
    fn with_article(&self) -> String {
        let own = self.text();
        match self.before().next() {
            Some(article @ ("a" | "an" | "the" | "A" | "An" | "The")) => {
                // "A 3:1" says nothing without what follows.
                let named = own.contains(char::is_alphabetic);
                let after = self.sentence.get(self.span.end..).unwrap_or_default();
                let noun = after.split_whitespace().next().filter(|_| !named).unwrap_or_default();
                let noun = noun.trim_matches(|c: char| !c.is_alphanumeric());
                joined(&[&article.to_lowercase(), own, noun])
            }
            _ => own.to_owned(),
        }
    }
}

/// A question as its words.
struct Asked<'q> {
    words: Vec<&'q str>,
    lower: Vec<String>,
}

impl<'q> Asked<'q> {
    fn new(question: &'q str) -> Self {
        let words: Vec<&str> =
            question.trim().trim_end_matches(['?', ' ', '.']).split_whitespace().collect();
        let lower = words
            .iter()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .collect();
        Self { words, lower }
    }

    fn lower(&self, at: usize) -> &str {
        self.lower.get(at).map_or("", String::as_str)
    }

    fn is(&self, at: usize, list: &[&str]) -> bool {
        list.contains(&self.lower(at))
    }

    fn is_auxiliary(&self, at: usize) -> bool {
        self.is(at, AUXILIARIES)
    }

    /// The first auxiliary from a place on.
    fn auxiliary(&self, from: usize) -> Option<usize> {
        (from..self.words.len()).find(|at| self.is_auxiliary(*at))
    }

    /// Whether it speaks of whoever asks.
    fn is_personal(&self) -> bool {
        self.lower.iter().any(|word| ASKING.contains(&word.as_str()))
    }

    fn text(&self, range: Range<usize>) -> String {
        self.words.get(range).unwrap_or_default().join(" ")
    }

    fn from(&self, at: usize) -> String {
        self.text(at..self.words.len())
    }

    /// Whether what follows "is" names a thing. "What is the mill used for?" asks for something else than what it is.
    fn is_whole(&self, be: usize, usage: &Usage) -> bool {
        let used = |at: usize| usage.after_be(self.lower(at)) >= Usage::PARTICIPLE;
        let last = self.lower.last().map_or("", String::as_str);
        let small = stopwords(Language::English);
        !(be + 1..self.words.len()).any(used) && !small.contains(last)
    }

    /// Where the verb stands whose subject begins at a place, after an auxiliary, as the sources use the words.
    fn verb(&self, subject: usize, auxiliary: &str, usage: &Usage) -> Option<usize> {
        let small = stopwords(Language::English);
        let is_name = |at: usize| {
            self.words.get(at).is_some_and(|word| word.starts_with(|c: char| c.is_uppercase()))
        };
        let is_be = |at: usize| self.lower(at) == "be";
        let may = |at: &usize| {
            let follows_name = is_name(*at - 1) || !small.contains(self.lower(*at - 1));
            let is_small = is_name(*at) || small.contains(self.lower(*at));
            follows_name && (!is_small || is_be(*at))
        };
        let share = |at: &usize| match auxiliary {
            aux if BE.contains(&aux) => usage.after_be(self.lower(*at)),
            aux if HAVE.contains(&aux) => usage.after_have(self.lower(*at)),
            _ => usage.after_modal(self.lower(*at)),
        };
        let places = || (subject + 1..self.words.len()).filter(may);
        let had = |at: &usize| DO.contains(&auxiliary) && usage.past(self.lower(*at)).is_some();
        places().find(|at| is_be(*at) || share(at) >= Usage::VERB).or_else(|| places().find(had))
    }
}

/// What a question asks about a statement, taken apart.
struct Clause {
    subject: String,
    /// The verb in the form that a statement has, with its auxiliary.
    verb: String,
    rest: String,
}

impl Clause {
    /// The clause whose auxiliary stands at a place, before its subject.
    fn inverted(asked: &Asked<'_>, at: usize, usage: &Usage) -> Option<Self> {
        let auxiliary = asked.lower(at);
        let verb = asked.verb(at + 1, auxiliary, usage)?;
        let subject = asked.text(at + 1..verb);
        let own = asked.lower(verb);
        let told = match auxiliary {
            "do" => own.to_owned(),
            "does" => present(own),
            "did" => usage.past(own)?,
            auxiliary => format!("{auxiliary} {own}"),
        };
        Some(Self { subject, verb: told, rest: asked.from(verb + 1) })
    }

    fn with(&self, object: &str, adjunct: &str) -> String {
        joined(&[&self.subject, &self.verb, object, &self.rest, adjunct])
    }
}

/// The statement that a yes-no question asks about.
pub(super) fn claim(question: &str, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    if asked.is_personal() || asked.lower.iter().any(|word| word == "or") {
        return None;
    }
    let clause = asked.is_auxiliary(0).then(|| Clause::inverted(&asked, 0, usage))??;
    fitting(&clause.with("", ""))
}

/// What a question that asks when, where, why or how takes for granted, as a statement.
pub(super) fn premise(question: &str, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    let is_adjunct = asked.is(0, &["when", "where", "why", "how"]) && asked.is_auxiliary(1);
    let clause = is_adjunct.then(|| Clause::inverted(&asked, 1, usage))??;
    fitting(&clause.with("", "")).filter(|_| !asked.is_personal())
}

/// What is asked, as a clause: "who closed the mill", "what the oldest mill is". Nobody reads whether it is good English, so
/// that only questions with their words in this order already, or nearly, are put so.
pub(super) fn indirect(question: &str, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    let is_thing = asked.is(0, &["what", "which", "who"]);
    let told = match asked.auxiliary(1) {
        None => asked.from(0),
        Some(1) if asked.is(1, BE) && asked.is_whole(1, usage) => {
            joined(&[asked.lower(0), &asked.from(2), asked.lower(1)])
        }
        Some(_) => return None,
    };
    fitting(&told).filter(|_| is_thing).map(|told| lower_first(&told))
}

/// What a question asks about, as a heading: what it asks for by name.
pub(super) fn topic(question: &str, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    let at = asked.auxiliary(0)?;
    let named = asked.is(0, &["what", "which"]) && at > 2;
    let be = asked.is(0, &["what", "which", "who"]) && at == 1 && asked.is(at, BE);
    let topic = match named {
        true => asked.text(1..at),
        false => (be && asked.is_whole(at, usage)).then(|| asked.from(at + 1))?,
    };
    // "Which mill also closed" names no "mill also", and "what closes the mill when it is old" no thing at all.
    let small = stopwords(Language::English);
    let is_small = |word: &str| word != "of" && small.contains(word.to_lowercase().as_str());
    let names = !named || !topic.split(' ').any(is_small);
    fitting(&topic).filter(|_| names && !asked.is_personal())
}

/// The sentence that answers a question with a value; none where the question has another form.
pub(super) fn stated(question: &str, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    if value.text().is_empty() || asked.is_personal() {
        return None;
    }
    let told = match asked.lower(0) {
        "who" if !asked.is(1, DO) => Some(joined(&[&value.with_article(), &asked.from(1)])),
        "when" | "where" => adjunct(&asked, value, PLACES, usage),
        // "In which year was the mill closed?"
        first if PLACES.contains(&first) && asked.is(1, &["what", "which"]) => {
            adjunct(&asked, value, PLACES, usage)
        }
        "why" => adjunct(&asked, value, REASONS, usage),
        "how" if asked.is(1, &["many", "much"]) => amount(&asked, value, usage),
        "how" => measure(&asked, value, usage),
        "who" | "what" | "which" => thing(&asked, value, usage),
        _ => None,
    };
    fitting(&told?)
}

/// "When was the mill closed?", "Why did the mill close?"
fn adjunct(
    asked: &Asked<'_>,
    value: &Value<'_>,
    leading: &[&str],
    usage: &Usage,
) -> Option<String> {
    let clause = Clause::inverted(asked, asked.auxiliary(1)?, usage)?;
    Some(clause.with("", &value.words_from(leading)?))
}

/// "How many mills were closed?", "How much corn did the mill grind?"
fn amount(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let own = value.text();
    let auxiliary = asked.auxiliary(2);
    let counted = |end: usize| {
        let thing = asked.text(2..end);
        let stemmer = Stemmer::new(Language::English);
        let stems = stemmer.content_stems(own);
        let has = stemmer.content_stems(&thing).iter().any(|stem| stems.contains(stem));
        if has { own.to_owned() } else { joined(&[own, &thing]) }
    };
    let Some(at) = auxiliary else {
        // "How many mills closed?" has its subject first; where that ends does not matter.
        return Some(joined(&[own, &asked.from(2)]));
    };
    match Clause::inverted(asked, at, usage).filter(|_| !asked.is(2, &["of"])) {
        Some(clause) => Some(clause.with(&counted(at), "")),
        None if asked.is(at, DO) => None,
        None if at == 2 && asked.is(at, BE) => Some(joined(&[&asked.from(3), asked.lower(2), own])),
        None => Some(joined(&[&counted(at), &asked.from(at)])),
    }
}

/// "How old is the mill?", "How long did the mill stand?"
fn measure(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let own = value.text();
    let of = asked.words.get(1).filter(|_| asked.is(1, MEASURES))?;
    if asked.is(2, BE) {
        return Some(joined(&[&asked.from(3), asked.lower(2), own, of]));
    }
    let clause = asked.is_auxiliary(2).then(|| Clause::inverted(asked, 2, usage))??;
    let measured = joined(&[own, of]);
    Some(clause.with(if clause.verb.ends_with(" be") { &measured } else { own }, ""))
}

/// "What is the name of the mill?", "Which mill closed?", "What did the mill grind?"
fn thing(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let small = stopwords(Language::English);
    let own = value.with_article();
    if asked.is(1, BE) {
        let whole = asked.is_whole(1, usage);
        return whole.then(|| joined(&[&asked.from(2), asked.lower(1), &own]));
    }
    if asked.is(1, DO) {
        let clause = Clause::inverted(asked, 1, usage)?;
        // "What did the miller call the mill?" has another object, which comes first.
        let is_object = matches!(clause.rest.split(' ').next(), Some("the" | "a" | "an"));
        return Some(if is_object { clause.with("", &own) } else { clause.with(&own, "") });
    }
    // "Which mill is the oldest?"; "which of the mills" and longer names of things may end anywhere.
    let follows = asked.is_auxiliary(2) && !asked.is(2, DO);
    let singular = asked.lower(2).strip_suffix('s').filter(|_| !small.contains(asked.lower(2)));
    let verb = singular.is_some();
    let plain = (follows || singular.is_some_and(|verb| usage.after_modal(verb) > 0.0))
        && !asked.is(1, &["of"])
        && asked.words.len() > 3;
    // "Which mill is the miller selling" has its verb at the end, whether the sources show that or not.
    let goes_on = || (3..asked.words.len()).any(|at| asked.lower(at).ends_with("ing"));
    let inverted = || Clause::inverted(asked, 2, usage).is_some() || asked.is(2, BE) && goes_on();
    (plain && (verb || !inverted())).then(|| joined(&[&own, &asked.from(2)]))
}

/// The third person of a verb.
fn present(verb: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    let hisses = ["s", "x", "z", "o", "ch", "sh"].iter().any(|end| verb.ends_with(end));
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if hisses => format!("{verb}es"),
        _ if verb == "have" => "has".to_owned(),
        _ => format!("{verb}s"),
    }
}

fn joined(parts: &[&str]) -> String {
    parts.iter().flat_map(|part| part.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// A sentence that is short enough, with a capital.
fn fitting(text: &str) -> Option<String> {
    (1..=WORDS).contains(&text.split_whitespace().count()).then(|| capital(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The mill was closed in 1850. It will grind corn. It may be sold. It has ground rye. \
        The miller closed it, possibly due to floods. They did not close the other one. It is closed. \
        It did stand. The law will govern the trade. He had killed a rat and found rye.";

    fn made(question: &str, sentence: &str, answer: &str) -> Option<String> {
        let usage = Usage::of(question, [TEXT].into_iter());
        let start = sentence.find(answer).unwrap();
        stated(question, &Value { sentence, span: start..start + answer.len() }, &usage)
    }

    #[test]
    fn a_question_and_its_answer_make_a_sentence() {
        for (question, sentence, answer, expected) in [
            (
                "When was the old mill closed?",
                "It shut in 1850.",
                "1850",
                "The old mill was closed in 1850",
            ),
            ("Who closed the mill?", "The miller did.", "miller", "The miller closed the mill"),
            (
                "What majority is needed to close the mill?",
                "They agree with a 3:1 majority.",
                "3:1",
                "A 3:1 majority is needed to close the mill",
            ),
            (
                "Why did the miller close the mill?",
                "He shut it, possibly due to floods.",
                "floods",
                "The miller closed the mill possibly due to floods",
            ),
            ("How many rats has Ada killed?", "She got 40.", "40", "Ada has killed 40 rats"),
            ("How many mills closed in 1850?", "Six did.", "Six", "Six mills closed in 1850"),
            ("How much of the corn was left?", "6 % remained.", "6 %", "6 % of the corn was left"),
            (
                "How much is a day at the mill?",
                "Pay 4 euros.",
                "4 euros",
                "A day at the mill is 4 euros",
            ),
            ("How old is the mill?", "It is 90 years.", "90 years", "The mill is 90 years old"),
            (
                "How old must a miller be to vote?",
                "At 20 years.",
                "20 years",
                "A miller must be 20 years old to vote",
            ),
            ("What is the name of the mill?", "Named Ox.", "Ox", "The name of the mill is Ox"),
            (
                "In which year did the miller find the rye?",
                "He found it in 1850.",
                "1850",
                "The miller found the rye in 1850",
            ),
            ("What does the mill grind?", "It grinds corn.", "corn", "The mill grinds corn"),
            (
                "Which law governs the corn trade?",
                "The Corn Act.",
                "Corn Act",
                "The Corn Act governs the corn trade",
            ),
        ] {
            assert_eq!(made(question, sentence, answer).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn nothing_is_made_where_the_texts_do_not_show_the_verb_or_the_asker_speaks() {
        for (question, sentence, answer) in [
            ("When did the mill burn?", "It did in 1850.", "1850"),
            ("When was the mill closed?", "It shut, 1850.", "1850"),
            ("When may I sell the mill?", "Sell in 1850.", "1850"),
            ("What is closed in 1850 by the miller?", "The mill is.", "mill"),
            ("What sum is the miller demanding for the mill?", "He wants 40 crowns.", "40 crowns"),
            ("Close the mill when?", "It shut in 1850.", "1850"),
        ] {
            assert_eq!(made(question, sentence, answer), None, "{question}");
        }
    }

    #[test]
    fn a_question_becomes_a_claim_or_a_clause_or_a_heading() {
        let usage = |question: &str| Usage::of(question, [TEXT].into_iter());
        let question = "Can the mill grind corn?";
        assert_eq!(claim(question, &usage(question)).as_deref(), Some("The mill can grind corn"));
        for (question, expected) in [
            ("Who closed the mill?", Some("who closed the mill")),
            ("What is the name of the mill?", Some("what the name of the mill is")),
            ("Who was the miller closed in by floods?", None),
            ("Why did the miller close the mill?", None),
        ] {
            assert_eq!(indirect(question, &usage(question)).as_deref(), expected, "{question}");
        }
        for (question, expected) in [
            ("Why did the miller close the mill?", None),
            ("Which old mills did the miller close?", Some("Old mills")),
            ("Which old mill also has been sold?", None),
            ("What applies to the mill after it is closed?", None),
            ("Which kinds of corn does the mill grind?", Some("Kinds of corn")),
            ("What is the name of the mill?", Some("The name of the mill")),
        ] {
            assert_eq!(topic(question, &usage(question)).as_deref(), expected, "{question}");
        }
    }
}
