//! Single sentences of a source, as a report can show them: by themselves, or as a quotation.

use probity_report::check::quotations;
use probity_text::date_mention::is_relative;
use probity_text::words::{Word, words};

use super::question::AUXILIARIES;
use super::referring;

/// The longest sentence that is shown as the report's own, in words, and the longest that is quoted.
const LONGEST: usize = 80;
const LONGEST_QUOTED: usize = 150;
/// The shortest that says something by itself without a figure, in words.
const SHORTEST: usize = 6;

/// The fewest of its words that are no numbers.
const FEWEST: usize = 2;
/// One sign by itself for so many words is too many, and what stands between words of a sentence.
const SIGNS: usize = 12;
const DASHES: &[&str] = &["-", "–", "—", "--", "&", "…", "..."];

/// How a sentence can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// As the report's own words: it is whole and speaks of everything by name.
    Stands,
    /// Behind the sentence before it, to which it refers.
    Refers,
    /// As a quotation, with who says it and when.
    Quoted,
    /// The same, but it speaks to programs.
    Code,
    /// Not at all.
    Unfit,
}

/// What a sentence begins with that speaks of something before it, and says nothing without it.
const REFERRING: &str = "it its they their he his she her that those such both there here";
/// What one begins with that goes on from a thought before it.
const LINKING: &str = "but and or so however therefore thus hence also then instead otherwise moreover furthermore \
    nevertheless yet nor meanwhile yes";
/// What points at something that is named elsewhere, wherever it stands.
const POINTING: &[&str] = &["this", "these"];
/// What a reference to another place begins with, in the languages that reports are written in: it only says where
/// something is told.
const DIRECTING: &[&str] =
    &["see", "siehe", "véase", "voir", "vedi", "veja", "zie", "zob", "zobacz"];
/// The source says these, not the report.
const SPEAKING: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "my", "me", "we", "we've", "we're", "we'll", "our", "ours",
    "us",
];

/// How a sentence of a source can be shown.
pub(super) fn fit(sentence: &str) -> Fit {
    let all: Vec<_> = words(sentence).collect();
    let figure = sentence.chars().any(|c| c.is_ascii_digit());
    let open = sentence.trim_end_matches([']', ')', '"', '”', ' ']);
    if all.len() > LONGEST_QUOTED
        || !has_words(&all)
        || is_address(sentence)
        || (all.len() < SHORTEST && !figure)
        || open.ends_with(['?', ':'])
        || all.first().is_some_and(|first| DIRECTING.contains(&first.lower.as_ref()))
    {
        return Fit::Unfit;
    }
    if is_code(sentence) {
        return Fit::Code;
    }
    let first = all.first().map_or("", |word| word.lower.as_ref());
    // "Was made in Spain." has lost who or what it speaks of.
    if is_relative(sentence)
        || speaks(sentence)
        || !is_whole(sentence)
        || AUXILIARIES.contains(&first)
        || all.len() > LONGEST
    {
        return Fit::Quoted;
    }
    let points = all.iter().any(|word| POINTING.contains(&word.lower.as_ref()));
    let refers =
        goes_on(sentence, &all) || points || names_earlier_things(&all) || speaks_of_somebody(&all);
    if refers { Fit::Refers } else { Fit::Stands }
}

/// Whether a sentence says nothing without the one before it, so that not even naming its source helps.
pub(super) fn dangles(sentence: &str) -> bool {
    goes_on(sentence, &words(sentence).collect::<Vec<_>>())
}

/// Whether a sentence goes on from a thought before it, which no title tells.
pub(super) fn links(sentence: &str) -> bool {
    let first: Vec<_> = words(sentence).take(1).collect();
    begins_with(&first, LINKING) || referring::links(sentence, &first)
}

/// A text without the word at its end that links it to the next one: "…, however", "…; and".
pub(super) fn without_link(text: &str) -> &str {
    let text = text.trim_end_matches([';', ',', ' ']);
    let linked = text.rsplit_once([',', ';']).filter(|(_, last)| {
        let mut words = last.split_whitespace();
        words.next().is_some_and(links) && words.next().is_none()
    });
    linked.map_or(text, |(rest, _)| rest)
}

fn goes_on(sentence: &str, all: &[Word<'_>]) -> bool {
    begins_with(all, LINKING)
        || begins_with(all, REFERRING) && !says_there_is(all)
        || referring::goes_on(sentence, all)
}

fn begins_with(all: &[Word<'_>], list: &str) -> bool {
    // "It's" points where "it" does.
    let first = all.first().and_then(|first| first.lower.split(['\'', '’']).next());
    first.is_some_and(|first| list.split_whitespace().any(|one| one == first))
}

/// "There are five kinds" points at nothing.
fn says_there_is(all: &[Word<'_>]) -> bool {
    let lower = |at: usize| all.get(at).map_or("", |word| word.lower.as_ref());
    matches!(lower(0), "there's" | "there’s")
        || lower(0) == "there" && AUXILIARIES.contains(&lower(1))
}

/// "In 1849, he received a patent": somebody whom no name before tells.
fn speaks_of_somebody(all: &[Word<'_>]) -> bool {
    let is_name = |word: &&Word<'_>| word.raw.starts_with(char::is_uppercase);
    let person = all.iter().position(|word| matches!(word.lower.as_ref(), "he" | "she"));
    person.is_some_and(|at| !all.iter().take(at).skip(1).any(|word| is_name(&word)))
}

/// Whether a sentence speaks of things that only an earlier one names: "the latter", "the two are".
fn names_earlier_things(all: &[Word<'_>]) -> bool {
    let lower = |at: usize| all.get(at).map(|word| word.lower.as_ref());
    (1..all.len()).filter(|at| lower(at - 1) == Some("the")).any(|at| match lower(at) {
        Some("two" | "three" | "former" | "latter" | "above") => {
            lower(at + 1).is_none_or(|next| AUXILIARIES.contains(&next))
        }
        _ => false,
    })
}

/// A date or a number by itself says nothing.
fn has_words(all: &[Word<'_>]) -> bool {
    let is_word = |word: &&Word<'_>| !word.raw.contains(|c: char| c.is_ascii_digit());
    all.iter().filter(is_word).count() >= FEWEST
}

/// Whether signs stand among the words of a text as in a program, a comment of one, or a drawing.
pub(super) fn is_code(text: &str) -> bool {
    let is_sign = |word: &&str| !word.contains(char::is_alphanumeric) && !DASHES.contains(word);
    let is_mark = |word: &&str| {
        let first = word.chars().next().unwrap_or_default();
        word.len() > 1 && word.chars().all(|one| one == first)
    };
    let mut signs = text.split_whitespace().filter(is_sign);
    let (count, all) = (signs.clone().count(), text.split_whitespace().count());
    signs.any(|sign| is_mark(&sign)) || count > 1 && count * SIGNS >= all
}

/// Whether a text is an address and hardly anything else.
fn is_address(text: &str) -> bool {
    let (addresses, others): (Vec<&str>, Vec<&str>) =
        text.split_whitespace().partition(|word| word.contains("://"));
    !addresses.is_empty() && others.len() < SHORTEST
}

/// Whether a text speaks of its author: "we", "our". A title in quotation marks may say "me" without anybody speaking.
pub(super) fn speaks(text: &str) -> bool {
    let quoted = quotations(text);
    let outside = |word: &Word<'_>| !quoted.iter().any(|range| range.contains(&word.start));
    words(text)
        .filter(outside)
        .any(|word| word.raw != "US" && SPEAKING.contains(&word.lower.as_ref()))
}

/// Whether a sentence begins and ends like one.
fn is_whole(sentence: &str) -> bool {
    let begins = sentence.chars().find(|c| c.is_alphanumeric());
    let begins = begins.is_some_and(|c| c.is_numeric() || !c.is_lowercase());
    let ends =
        sentence.trim_end_matches(['"', '”', '’', '\'', ')', ']']).ends_with(['.', '!', '。', '؟']);
    let balanced = sentence.matches('(').count() == sentence.matches(')').count()
        && sentence.matches('“').count() == sentence.matches('”').count()
        && sentence.matches('"').count().is_multiple_of(2);
    begins && ends && balanced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_name_their_subject_stand() {
        for text in [
            "The mill closed in 1850.",
            "US exports fell by 3 %.",
            "The two mills of the valley closed in 1850.",
            "\"At Last\" still leads the list of songs.",
            "There are five kinds of lanterns in the museum.",
            "In 1849, when Ada Holm was mayor, she closed the mill.",
        ] {
            assert_eq!(fit(text), Fit::Stands, "{text}");
        }
    }

    #[test]
    fn others_refer_or_are_quoted_or_go() {
        assert_eq!(fit("It closed in 1850."), Fit::Refers);
        assert_eq!(fit("In winter this mill of the valley is closed."), Fit::Refers);
        assert_eq!(fit("There the monks built a mill."), Fit::Refers);
        assert_eq!(fit("It's closed in winter, like most mills."), Fit::Refers);
        assert_eq!(fit("In 1849, she received a patent for a mill."), Fit::Refers);
        assert_eq!(fit("The road between the two is closed in winter."), Fit::Refers);
        assert_eq!(fit("Was built by the monks of the valley."), Fit::Quoted);
        assert_eq!(fit("See the chapter on mills for what the monks built."), Fit::Unfit);
        assert_eq!(fit("We asked 412 couples in spring."), Fit::Quoted);
        assert_eq!(fit("The old mill was closed yesterday."), Fit::Quoted);
        assert_eq!(fit("and closed in 1850 for good."), Fit::Quoted);
        assert_eq!(fit("Why did the mill close?"), Fit::Unfit);
        assert_eq!(fit("The mill can be reached in one of the following ways:"), Fit::Unfit);
        assert_eq!(fit("Opening hours"), Fit::Unfit);
        assert_eq!(fit("A word about tempo."), Fit::Unfit);
        assert_eq!(fit("See https://forum.example.net/t/4417"), Fit::Unfit);
        assert_eq!(fit("(1998-09-04)"), Fit::Unfit);
        assert_eq!(fit("[How old was the mill, compared with the other one?]"), Fit::Unfit);
        assert_eq!(fit("This may be used ** to show a bar of 40 parts."), Fit::Code);
        assert_eq!(fit("The mill = x + y - z for all of them."), Fit::Code);
    }

    #[test]
    fn what_links_to_the_next_item_goes() {
        for text in ["corn, rye", "corn, rye;", "corn, rye; and", "corn, rye, however"] {
            assert_eq!(without_link(text), "corn, rye", "{text}");
        }
    }

    #[test]
    fn a_source_that_speaks_of_itself_is_told_from_a_title_that_does() {
        assert!(speaks("Songs that we play"));
        assert!(!speaks("\"Take Me Home\", played in the US"));
    }
}
