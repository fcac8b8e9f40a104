//! Answers as values: whether two say the same, or cannot both be right.

use std::collections::HashSet;

use probity_text::Language;
use probity_text::quantity::{Amount, Match, Quantity, quantities};
use probity_text::stopwords::stopwords;
use probity_text::words::{bare, words};

use super::question::{Part, Wanted};

/// The longest answer that is compared as a value, in words.
const VALUE_WORDS: usize = 8;

/// Whether two answers give the same value: the same quantity, or the words of one are among those of the
/// other.
pub(super) fn agree(one: &str, other: &str) -> bool {
    answer_alike("", one, other)
}

/// Whether two answers to a question give the same value. What the question says itself is no answer to it.
pub(super) fn answer_alike(question: &str, one: &str, other: &str) -> bool {
    let (mine, theirs) = (quantities(one), quantities(other));
    if !mine.is_empty() && !theirs.is_empty() {
        return mine.iter().any(|mine| theirs.iter().any(|theirs| matches(mine, theirs)));
    }
    let asked = word_set(question);
    let new = |text: &str| -> HashSet<String> { &word_set(text) - &asked };
    let (one, other) = (new(one), new(other));
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    !few.is_empty() && few.len() <= VALUE_WORDS && few.is_subset(&many)
}

/// Whether two answers are of the kind that was asked for and cannot both be right.
pub(super) fn exclude(wanted: Wanted, one: &str, other: &str) -> bool {
    let short = |text: &str| words(text).count() <= VALUE_WORDS;
    if !short(one) || !short(other) || agree(one, other) {
        return false;
    }
    match wanted {
        Wanted::Amount => {
            let is_amount = |one: &Quantity| !matches!(one.amount, Amount::Date(_));
            both(one, other, is_amount, |mine, theirs| mine.unit == theirs.unit)
        }
        Wanted::Time => {
            let is_time = |one: &Quantity| matches!(one.amount, Amount::Date(_) | Amount::Clock(_));
            both(one, other, is_time, |_, _| true)
        }
        Wanted::Name => {
            is_name(one) && is_name(other) && word_set(one).is_disjoint(&word_set(other))
        }
        Wanted::Truth | Wanted::Other => false,
    }
}

/// Whether an answer is of the kind that was asked for and means something by itself: a name, an amount, a time.
pub(super) fn is_a(wanted: Wanted, text: &str) -> bool {
    let is_date = |one: &Quantity| matches!(one.amount, Amount::Date(_) | Amount::Clock(_));
    match wanted {
        Wanted::Name => is_name(text),
        Wanted::Amount => quantities(text).iter().any(|one| !is_date(one)),
        Wanted::Time => quantities(text).iter().any(is_date),
        Wanted::Truth | Wanted::Other => false,
    }
}

/// Whether a few words are an answer by themselves: of the kind that was asked for or, where that can be anything or the
/// reader is sure, with words that the question does not have.
pub(super) fn is_an_answer(part: &Part, text: &str, is_sure: bool) -> bool {
    let small = stopwords(Language::English);
    let brings = || {
        let asked = word_set(&part.text);
        word_set(text).iter().any(|word| !asked.contains(word) && !small.contains(word.as_str()))
    };
    let open = part.wanted == Wanted::Other || is_sure && part.wanted != Wanted::Truth;
    is_a(part.wanted, text) || open && brings()
}

/// Whether both have quantities of a kind, and none of one agrees with any of the other.
fn both(
    one: &str,
    other: &str,
    kind: impl Fn(&Quantity) -> bool,
    comparable: impl Fn(&Quantity, &Quantity) -> bool,
) -> bool {
    let (mine, theirs) = (quantities(one), quantities(other));
    let (mine, theirs): (Vec<&Quantity>, Vec<&Quantity>) = (
        mine.iter().filter(|one| kind(one)).collect(),
        theirs.iter().filter(|one| kind(one)).collect(),
    );
    let pairs = || mine.iter().flat_map(|mine| theirs.iter().map(move |theirs| (*mine, *theirs)));
    pairs().any(|(mine, theirs)| comparable(mine, theirs))
        && pairs().all(|(mine, theirs)| !matches(mine, theirs))
}

fn matches(one: &Quantity, other: &Quantity) -> bool {
    one.against(other) != Match::Different || other.against(one) != Match::Different
}

/// Whether every word of a text is capitalised, as in a name, except words such as "of".
fn is_name(text: &str) -> bool {
    let small = stopwords(Language::English);
    let mut found = words(text).filter(|word| !small.contains(word.lower.as_ref())).peekable();
    found.peek().is_some() && found.all(|word| word.raw.starts_with(char::is_uppercase))
}

/// The names in a question, in small letters: what is written with a capital, but for its first word.
pub(super) fn names(question: &str) -> HashSet<String> {
    let all = words(question).skip(1).filter(|word| word.raw.starts_with(char::is_uppercase));
    all.map(|word| bare(&word.lower).to_owned()).collect()
}

fn word_set(text: &str) -> HashSet<String> {
    words(text).map(|word| bare(&word.lower).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_in_two_spellings_agrees() {
        for (one, other) in [
            ("$449K", "$449,000"),
            ("10 pm", "22:00"),
            ("in March 2019", "2 March 2019"),
            ("Mara Lindqvist", "the engineer Mara Lindqvist"),
        ] {
            assert!(agree(one, other), "{one} {other}");
            assert!(!exclude(Wanted::Amount, one, other) && !exclude(Wanted::Time, one, other));
        }
    }

    #[test]
    fn what_the_question_says_is_no_answer_to_it() {
        let question = "What is the purpose of the hall?";
        assert!(answer_alike(question, "dances", "the hall is for dances"));
        assert!(!answer_alike(question, "the hall", "the hall is for dances"));
        assert!(!answer_alike(question, "the hall", "the hall"));
    }

    #[test]
    fn values_of_the_kind_that_was_asked_for_exclude_each_other() {
        assert!(exclude(Wanted::Amount, "41 metres", "38 metres"));
        assert!(exclude(Wanted::Time, "in 1871", "in 1874"));
        assert!(exclude(Wanted::Name, "Mara Lindqvist", "Jonas Berg"));
    }

    #[test]
    fn a_value_is_of_its_kind_or_no_answer_by_itself() {
        assert!(is_a(Wanted::Name, "Ian Murdock") && is_a(Wanted::Amount, "41 metres"));
        assert!(is_a(Wanted::Time, "in March 2019"));
        assert!(!is_a(Wanted::Amount, "amd64") && !is_a(Wanted::Other, "small"));
        assert!(!is_a(Wanted::Name, "whoever asks first"));
    }

    #[test]
    fn other_values_do_not() {
        assert!(!exclude(Wanted::Amount, "41 metres", "180 steps"));
        assert!(!exclude(Wanted::Name, "a New York man", "Jonas Berg"));
        assert!(!exclude(Wanted::Other, "red", "blue"));
    }
}
