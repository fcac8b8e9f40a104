//! Does a sentence keep its meaning when it stands alone?
//!
//! A sentence that begins with `This`, `He` or `These figures` leans on the one before it and cannot
//! be quoted by itself. One that merely begins with `However,` can, once that word is gone.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::Language;
use crate::stopwords::stopwords;
use crate::words::words;

/// How many words of a sentence are searched for a pronoun that nothing before it explains.
const OPENING_WORDS: usize = 8;

/// Openings that join a sentence to the one before without changing what it says. Each is dropped
/// with its comma; those marked `*` also without one.
const CONNECTIVES: &[&str] = &[
    "however",
    "in addition",
    "additionally",
    "moreover",
    "furthermore",
    "also",
    "besides",
    "meanwhile",
    "in fact",
    "indeed",
    "of course",
    "for example",
    "for instance",
    "likewise",
    "similarly",
    "nevertheless",
    "nonetheless",
    "still",
    "even so",
    "that said",
    "having said that",
    "on the other hand",
    "by contrast",
    "in contrast",
    "on the one hand",
    "at the same time",
    "in particular",
    "notably",
    "importantly",
    "interestingly",
    "finally",
    "lastly",
    "first",
    "firstly",
    "second",
    "secondly",
    "third",
    "thirdly",
    "overall",
    "in short",
    "in summary",
    "to sum up",
    "in conclusion",
    "in other words",
    "to be sure",
    "after all",
    "put simply",
    "simply put",
    "what is more",
    "more importantly",
    "but",
    "and",
    "yet",
    "plus",
    "jedoch",
    "außerdem",
    "zudem",
    "cependant",
    "en outre",
    "toutefois",
    "par ailleurs",
    "sin embargo",
    "además",
    "no obstante",
    "tuttavia",
    "inoltre",
    "no entanto",
    "além disso",
];
/// Connectives that need no comma after them.
const BARE: &[&str] = &["but", "and", "yet"];
/// Openings that say how a sentence follows from the one before: without that one it is not itself.
const LEANING: &[&str] = &[
    "therefore",
    "thus",
    "hence",
    "consequently",
    "as a result",
    "as a consequence",
    "accordingly",
    "so",
    "because of this",
    "because of that",
    "for this reason",
    "for that reason",
    "instead",
    "otherwise",
    "nor",
    "neither",
    "then",
    "afterwards",
    "later",
    "earlier",
    "the former",
    "the latter",
    "the same",
    "the following",
    "as mentioned",
    "as noted",
    "as above",
    "as stated",
    "as described",
    "as such",
    "such",
    "another",
    "others",
    "the other",
    "the others",
    "both",
    "all three",
    "other",
    "two of them",
    "three of them",
    "two of these",
    "many of them",
    "many of these",
    "some of these",
    "most of these",
    "one of these",
    "each of them",
    "each of these",
    "one of them",
    "some of them",
    "most of them",
    "none of them",
    "the first of",
    "here",
    "in this",
    "in that",
    "in these",
    "in those",
    "at that",
    "at this",
    "by then",
    "since then",
    "until then",
    "after that",
    "after this",
    "before that",
    "before this",
    "to this end",
    "to do so",
    "in doing so",
    "if so",
    "if not",
    "under these",
    "under this",
    "with this",
    "with that",
    "despite this",
    "despite that",
    "in such",
    "like this",
    "unlike these",
    "as for",
    "no wonder",
    "no surprise",
    "not surprisingly",
    "little wonder",
    "daher",
    "deshalb",
    "donc",
    "por lo tanto",
    "perciò",
    "portanto",
];
/// Words that point at something named before.
const POINTERS: &str = "he she it they him them his her hers its their theirs this that these those er sie \
    dies diese dieser dieses il elle ils elles cela ceci ce él ella ellos ellas esto esta estos eso egli essi \
    questo questa ele ela eles elas isto isso";
/// Openers of a clause that may come before the name its pronoun stands for.
const BACKWARD: &str = "when before after while as although though if since because once until in with during at under on";

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

static POINTS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(POINTERS));
static BACK: LazyLock<HashSet<&str>> = LazyLock::new(|| set(BACKWARD));

/// Whether a sentence can be quoted by itself as it is.
///
/// ```
/// use probity_text::standalone::stands_alone;
///
/// assert!(stands_alone("The harbour opened in 1902."));
/// assert!(!stands_alone("It opened in 1902."));
/// assert!(!stands_alone("However, the harbour opened in 1902."));
/// ```
pub fn stands_alone(sentence: &str) -> bool {
    matches!(alone(sentence), Some(Cow::Borrowed(_)))
}

/// The sentence in a form that can be quoted by itself: as it is, or without a leading connective;
/// none when it leans on what came before.
///
/// ```
/// use probity_text::standalone::alone;
///
/// assert_eq!(alone("In addition, the fee rose.").as_deref(), Some("The fee rose."));
/// assert_eq!(alone("This led to protests."), None);
/// ```
pub fn alone(sentence: &str) -> Option<Cow<'_, str>> {
    let sentence = sentence.trim();
    let mut rest = sentence;
    while let Some(shorter) = without_connective(rest) {
        rest = shorter;
    }
    if !is_whole(rest) || leans(rest) || points_back(rest) {
        return None;
    }
    Some(if rest.len() == sentence.len() {
        Cow::Borrowed(sentence)
    } else {
        Cow::Owned(capitalised(rest))
    })
}

/// Whether it reads as a sentence at all: begins like one, and does not announce a list.
fn is_whole(sentence: &str) -> bool {
    let opening =
        sentence.trim_start_matches(['"', '“', '‘', '\'', '«', '(', '[', '*', '_', '¿', '¡', '„']);
    let begins = opening.chars().next().is_some_and(char::is_alphanumeric);
    begins
        && !is_subordinate(opening)
        && !sentence.ends_with([':', ',', ';'])
        && is_balanced(sentence)
}

/// "Because people who hire a band want …": a clause whose main clause stands elsewhere.
fn is_subordinate(sentence: &str) -> bool {
    const OPENERS: &[&str] = &["because", "although", "though", "whereas", "which", "unless"];
    !sentence.contains(',') && OPENERS.iter().any(|opener| after(sentence, opener).is_some())
}

/// Whether every bracket and double quotation mark that opens is closed.
fn is_balanced(sentence: &str) -> bool {
    let count = |c: char| sentence.matches(c).count();
    count('(') == count(')')
        && count('[') == count(']')
        && count('“') == count('”')
        && count('"').is_multiple_of(2)
}

fn without_connective(sentence: &str) -> Option<&str> {
    CONNECTIVES.iter().find_map(|connective| {
        let rest = after(sentence, connective)?;
        match rest.trim_start().strip_prefix([',', '，']) {
            Some(rest) => Some(rest.trim_start()),
            None if BARE.contains(connective) => Some(rest.trim_start()),
            None => None,
        }
        .filter(|rest| !rest.is_empty())
    })
}

/// What follows an opening of one or more whole words, whatever its case.
fn after<'a>(sentence: &'a str, opening: &str) -> Option<&'a str> {
    let mut rest = sentence.chars();
    for wanted in opening.chars() {
        let next = rest.next()?;
        if !next.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let rest = rest.as_str();
    (!rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .then_some(rest)
}

fn leans(sentence: &str) -> bool {
    LEANING.iter().any(|opening| match after(sentence, opening) {
        // "Both towns" is whole when it says which: "both Arden and Selby".
        Some(rest) if *opening == "both" => !rest.contains(" and "),
        // "Later studies" and "earlier work" are no adverbs, but lean all the same.
        Some(rest) if matches!(*opening, "so" | "such") => !rest.trim_start().starts_with("as "),
        Some(_) => true,
        None => false,
    })
}

/// Whether a pronoun comes before anything it could stand for.
fn points_back(sentence: &str) -> bool {
    let opening: Vec<_> = words(sentence).take(OPENING_WORDS).collect();
    let lower: Vec<&str> = opening.iter().map(|word| word.lower.as_ref()).collect();
    if is_expletive(&lower) {
        return false;
    }
    let backward = lower.first().is_some_and(|first| BACK.contains(first));
    for (at, word) in opening.iter().enumerate() {
        let bare = word.lower.split('\'').next().unwrap_or_default();
        if POINTS.contains(bare) {
            let that = bare == "that" && at > 0;
            let named_later = backward && names_later(sentence, word.start + word.raw.len(), bare);
            return !(that || named_later);
        }
        let named = at > 0 && word.raw.starts_with(char::is_uppercase);
        if named || !stopwords(Language::English).contains(bare) {
            return false;
        }
    }
    false
}

/// "It is illegal to …", "It was the mayor who …": this "it" stands for nothing. The "it" of "It is
/// expected to open" does.
fn is_expletive(opening: &[&str]) -> bool {
    let [first, second, rest @ ..] = opening else { return false };
    if !(*first == "it"
        && matches!(*second, "is" | "was" | "remains" | "seems" | "appears" | "takes" | "took")
        || *first == "it's")
    {
        return false;
    }
    let hinge = rest
        .iter()
        .take(3)
        .position(|word| matches!(*word, "to" | "that" | "whether" | "who" | "for"));
    hinge.is_some_and(|at| {
        let before = at.checked_sub(1).and_then(|at| rest.get(at)).copied().unwrap_or_default();
        let passive = before.ends_with("ed")
            || matches!(before, "known" | "thought" | "set" | "due" | "close" | "next");
        let hinge = rest.get(at).copied().unwrap_or_default();
        at > 0 && !(passive && matches!(hinge, "to" | "for"))
    })
}

/// Whether the main clause begins with what a pronoun at the front can stand for: a name, or for a
/// possessive any subject with an article ("In its report, the council …").
fn names_later(sentence: &str, from: usize, pronoun: &str) -> bool {
    let owned = matches!(pronoun, "its" | "their" | "his" | "her");
    let rest = sentence.get(from..).unwrap_or_default();
    rest.split_once(',').is_some_and(|(_, main)| {
        words(main)
            .take(4)
            .any(|word| owned && word.lower == "the" || word.raw.starts_with(char::is_uppercase))
    })
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_sentence_with_its_own_subject_stands_alone() {
        for sentence in [
            "The council banned amplified music after 10 pm.",
            "Maria Lopez said she would appeal.",
            "After the council met, it approved the plan.",
            "Before he became mayor, Tom Reyes taught physics.",
            "In its report, the council blamed the pump.",
            "It is illegal to park on the quay.",
            "It was the mayor who opened the bridge.",
            "There are 12 boats in the harbour.",
            "Both Arden and Selby have a market.",
            "(The museum is closed on Mondays.)",
            "Sobriety tests were introduced in 1990.",
        ] {
            assert!(stands_alone(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_sentence_that_leans_on_another_does_not() {
        for sentence in [
            "It carries 20,000 cars a day.",
            "This led to protests.",
            "These figures are provisional.",
            "He denied the charge.",
            "Their fee is 40 crowns.",
            "When they arrived, the gate was shut.",
            "The latter costs more.",
            "As a result, prices fell.",
            "It is expected to open in May.",
            "It is 40 metres long.",
            "After that, the mill closed.",
            "The rules are as follows:",
            "and the mill closed.(",
            "However, this was denied.",
            "",
        ] {
            assert_eq!(alone(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn a_leading_connective_is_dropped() {
        assert_eq!(alone("But, of course, the mill closed.").as_deref(), Some("The mill closed."));
        assert_eq!(alone("However, éclairs sold well.").as_deref(), Some("Éclairs sold well."));
        assert_eq!(alone("First the mill closed.").as_deref(), Some("First the mill closed."));
        assert_eq!(alone("Andover is a town."), Some(Cow::Borrowed("Andover is a town.")));
    }

    proptest! {
        #[test]
        fn a_repaired_sentence_stands_alone(text in "(?s)(However, |But |And so |Also, )?.{0,60}") {
            if let Some(repaired) = alone(&text) {
                prop_assert!(alone(&repaired).is_some());
            }
        }
    }
}
