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

use super::sides::capital;
use super::usage::Usage;

/// The longest sentence that is made, in words.
const WORDS: usize = 20;
/// How many words before the answer may belong to it: "because of", "on".
const LEADING: usize = 4;
/// "Six years long", but not "six tonnes heavy".
const MEASURES: &[&str] = &["long", "old", "tall", "high", "wide", "deep"];
/// What tells a reason.
const REASONS: &[&str] = &["because", "due", "since", "so", "as"];
const BE: &[&str] = &["is", "are", "was", "were"];
const HAVE: &[&str] = &["has", "have", "had"];
const DO: &[&str] = &["do", "does", "did"];
const MODALS: &[&str] =
    &["can", "could", "will", "would", "shall", "should", "may", "might", "must"];
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
        let lower = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let own = self.text();
        if own
            .split_whitespace()
            .next()
            .is_some_and(|first| wanted.contains(&lower(first).as_str()))
        {
            return Some(own.to_owned());
        }
        let at =
            self.before().take(LEADING).position(|one| wanted.contains(&lower(one).as_str()))?;
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
                format!("{} {own}", article.to_lowercase())
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
        [BE, HAVE, DO, MODALS].iter().any(|list| self.is(at, list))
    }

    fn text(&self, range: Range<usize>) -> String {
        self.words.get(range).unwrap_or_default().join(" ")
    }

    fn from(&self, at: usize) -> String {
        self.text(at..self.words.len())
    }

    /// Where the verb stands whose subject begins at a place, after an auxiliary, as the sources use the words.
    fn verb(&self, subject: usize, auxiliary: &str, usage: &Usage) -> Option<usize> {
        let small = stopwords(Language::English);
        let is_name = |at: usize| {
            self.words.get(at).is_some_and(|word| word.starts_with(|c: char| c.is_uppercase()))
        };
        let may = |at: &usize| {
            let word = self.lower(*at);
            let follows_name = is_name(*at - 1) || !small.contains(self.lower(*at - 1));
            !is_name(*at) && !small.contains(word) && follows_name
        };
        let share = |at: &usize| match auxiliary {
            aux if BE.contains(&aux) => usage.after_be(self.lower(*at)),
            aux if HAVE.contains(&aux) => usage.after_have(self.lower(*at)),
            _ => usage.after_modal(self.lower(*at)),
        };
        (subject + 1..self.words.len()).filter(may).find(|at| share(at) >= Usage::VERB)
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
    if asked.lower.iter().any(|word| ASKING.contains(&word.as_str()) || word == "or") {
        return None;
    }
    let clause = asked.is_auxiliary(0).then(|| Clause::inverted(&asked, 0, usage))??;
    fitting(&clause.with("", ""))
}

/// A question as a heading: "When the mill was closed".
pub(super) fn indirect(question: &str, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    let is_asking = |at: usize| asked.is(at, &["when", "where", "why", "how", "what", "who"]);
    let plain = is_asking(0) && asked.is_auxiliary(1) && !asked.is(1, &["is", "are"]);
    let clause = plain.then(|| Clause::inverted(&asked, 1, usage))??;
    let first = asked.words.first()?;
    fitting(&format!("{first} {}", clause.with("", "")))
}

/// The sentence that answers a question with a value; none where the question has another form.
pub(super) fn stated(question: &str, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let asked = Asked::new(question);
    if value.text().is_empty() || asked.lower.iter().any(|one| ASKING.contains(&one.as_str())) {
        return None;
    }
    let told = match asked.lower(0) {
        "who" => who(&asked, value, usage),
        "when" | "where" => {
            adjunct(&asked, value, &["in", "on", "at", "from", "since", "by"], usage)
        }
        "why" => adjunct(&asked, value, REASONS, usage),
        "how" if asked.is(1, &["many", "much"]) => amount(&asked, value, usage),
        "how" => measure(&asked, value, usage),
        "what" | "which" => thing(&asked, value, usage),
        _ => None,
    };
    fitting(&told?)
}

/// "Who closed the mill?"
fn who(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let value = value.with_article();
    if asked.is(1, DO) {
        return Some(Clause::inverted(asked, 1, usage)?.with(&value, ""));
    }
    Some(joined(&[&value, &asked.from(1)]))
}

/// "When was the mill closed?", "Why did the mill close?"
fn adjunct(
    asked: &Asked<'_>,
    value: &Value<'_>,
    leading: &[&str],
    usage: &Usage,
) -> Option<String> {
    let clause = asked.is_auxiliary(1).then(|| Clause::inverted(asked, 1, usage))??;
    Some(clause.with("", &value.words_from(leading)?))
}

/// "How many mills were closed?", "How much corn did the mill grind?"
fn amount(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let own = value.text();
    let auxiliary = (2..asked.words.len()).find(|at| asked.is_auxiliary(*at));
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
    if asked.is(2, MODALS)
        && let Some(be) = (3..asked.words.len()).find(|at| asked.is(*at, &["be"]))
    {
        let subject = asked.text(3..be);
        return Some(joined(&[&subject, asked.lower(2), "be", own, of, &asked.from(be + 1)]));
    }
    let clause = asked.is_auxiliary(2).then(|| Clause::inverted(asked, 2, usage))??;
    Some(clause.with(own, ""))
}

/// "What is the name of the mill?", "Which mill closed?", "What did the mill grind?"
fn thing(asked: &Asked<'_>, value: &Value<'_>, usage: &Usage) -> Option<String> {
    let small = stopwords(Language::English);
    let own = value.with_article();
    if asked.is(1, BE) {
        let last = asked.lower.last()?;
        // "What is the mill used for?" asks for something else than what it is.
        let used = |at: usize| usage.after_be(asked.lower(at)) >= Usage::PARTICIPLE;
        let whole = !(3..asked.words.len()).any(used) && !small.contains(last.as_str());
        return whole.then(|| joined(&[&asked.from(2), asked.lower(1), &own]));
    }
    if asked.is(1, DO) {
        return Some(Clause::inverted(asked, 1, usage)?.with(&own, ""));
    }
    // "Which mill is the oldest?"; "which of the mills" and longer names of things may end anywhere.
    let follows = asked.is(2, BE) || asked.is(2, MODALS) || asked.is(2, HAVE);
    let verb = asked.lower(2).ends_with('s') && !small.contains(asked.lower(2));
    let plain = (follows || verb && usage.after_modal(singular(asked.lower(2))) > 0.0)
        && !asked.is(1, &["of"])
        && asked.words.len() > 3;
    let inverted = || Clause::inverted(asked, 2, usage).is_some();
    (plain && (verb || !inverted())).then(|| joined(&[&own, &asked.from(2)]))
}

fn singular(verb: &str) -> &str {
    verb.strip_suffix('s').unwrap_or(verb)
}

/// The third person of a verb.
fn present(verb: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if verb.ends_with(['s', 'x', 'z', 'o'])
            || verb.ends_with("ch")
            || verb.ends_with("sh") =>
        {
            format!("{verb}es")
        }
        _ if verb == "have" => "has".to_owned(),
        _ => format!("{verb}s"),
    }
}

fn joined(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
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
        It did stand. The law will govern the trade. He had killed a rat.";

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
            ("Close the mill when?", "It shut in 1850.", "1850"),
        ] {
            assert_eq!(made(question, sentence, answer), None, "{question}");
        }
    }

    #[test]
    fn a_question_becomes_a_claim_or_a_heading() {
        let usage = |question: &str| Usage::of(question, [TEXT].into_iter());
        let question = "Can the mill grind corn?";
        assert_eq!(claim(question, &usage(question)).as_deref(), Some("The mill can grind corn"));
        let question = "Why did the miller close the mill?";
        let heading = indirect(question, &usage(question));
        assert_eq!(heading.as_deref(), Some("Why the miller closed the mill"));
    }
}
