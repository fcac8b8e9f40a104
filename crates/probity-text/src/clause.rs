//! Tagged sentence → clauses: runs of words around one finite verb.
//!
//! Negation, hedges and roles belong to a clause, not to a sentence: "It closed, but the shop did
//! not" denies only its second half.

use std::ops::Range;

use crate::tag::{Tag, Tagged};

/// The token ranges of the clauses of a sentence, in order, covering all of it.
///
/// ```
/// use probity_text::{clause::clauses, lex::tokens, tag::tag};
///
/// let sentence = tag(tokens("The mill closed in 1850, but the mine did not close."));
/// assert_eq!(clauses(&sentence).len(), 2);
/// let sentence = tag(tokens("Salmon and trout returned to the river."));
/// assert_eq!(clauses(&sentence).len(), 1);
/// ```
pub fn clauses(sentence: &[Tagged<'_>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for at in 1..sentence.len() {
        if !may_split(sentence, at) {
            continue;
        }
        let left = sentence.get(start..at).unwrap_or_default();
        let end = if is_fronted(left) {
            strong_boundary(sentence, at)
        } else {
            next_boundary(sentence, at)
        };
        let right = sentence.get(at..end).unwrap_or_default();
        if has_verb(left) && has_verb(right) {
            found.push(start..at);
            start = at;
        }
    }
    if start < sentence.len() {
        found.push(start..sentence.len());
    }
    found
}

/// Whether a new clause may begin at a token.
fn may_split(sentence: &[Tagged<'_>], at: usize) -> bool {
    let Some(tagged) = sentence.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|at| sentence.get(at));
    let after_mark = before
        .is_some_and(|before| matches!(before.token.text, "," | ";" | ":" | "—" | "–" | "(" | ")"));
    let word = tagged.token.lower.as_ref();
    // "The firm said no data had been lost": the "that" is left out.
    let reported = before.is_some_and(|before| {
        before.tag == Tag::Verb
            && matches!(
                before.lemma.base.as_str(),
                "say"
                    | "think"
                    | "believe"
                    | "claim"
                    | "report"
                    | "warn"
                    | "hope"
                    | "fear"
                    | "insist"
                    | "argue"
                    | "suggest"
                    | "estimate"
            )
    });
    if reported
        && matches!(
            tagged.tag,
            Tag::Determiner | Tag::Noun | Tag::Name | Tag::Pronoun | Tag::Adjective | Tag::Number
        )
    {
        return true;
    }
    match word {
        ";" | ":" | "—" => true,
        "yet" | "so" => after_mark,
        "and" | "but" | "or" | "nor" | "while" | "whereas" | "although" | "though" | "because"
        | "if" | "unless" | "when" | "where" | "whether" | "which" | "who" | "whose" | "once" => {
            true
        }
        "that" => tagged.tag == Tag::Conjunction,
        "after" | "before" | "since" | "until" | "as" | "until'" => true,
        _ => after_mark && !matches!(tagged.tag, Tag::Mark | Tag::Conjunction),
    }
}

/// Where the text that decides about a split ends: at the next place where one may come.
fn next_boundary(sentence: &[Tagged<'_>], at: usize) -> usize {
    let joiner = sentence
        .get(at)
        .is_some_and(|tagged| tagged.tag == Tag::Conjunction || tagged.tag == Tag::Mark);
    let from = at + 1 + usize::from(joiner);
    (from..sentence.len()).find(|at| may_split(sentence, *at)).unwrap_or(sentence.len())
}

/// "When the mill closed, its last owner, Tom Orr, moved away": behind a clause that a conjunction
/// opens, the main clause may hold commas of its own.
fn is_fronted(left: &[Tagged<'_>]) -> bool {
    let opens = left.iter().find(|tagged| tagged.tag != Tag::Mark);
    let subordinate = opens.is_some_and(|first| {
        matches!(
            first.token.lower.as_ref(),
            "when"
                | "while"
                | "although"
                | "though"
                | "because"
                | "if"
                | "unless"
                | "once"
                | "after"
                | "before"
                | "since"
                | "until"
                | "as"
                | "whereas"
        )
    });
    subordinate && left.last().is_some_and(|last| last.token.is(","))
}

/// The next place where a new clause begins for certain.
fn strong_boundary(sentence: &[Tagged<'_>], at: usize) -> usize {
    let strong = |at: &usize| {
        sentence.get(*at).is_some_and(|tagged| {
            matches!(
                tagged.token.lower.as_ref(),
                "and" | "but" | "while" | "because" | ";" | "who" | "which"
            )
        })
    };
    (at + 1..sentence.len()).find(strong).unwrap_or(sentence.len())
}

fn has_verb(part: &[Tagged<'_>]) -> bool {
    part.iter().enumerate().any(|(at, tagged)| {
        let infinitive = at
            .checked_sub(1)
            .and_then(|at| part.get(at))
            .is_some_and(|before| before.token.lower == "to");
        tagged.is_finite() && !infinitive
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokens;
    use crate::tag::tag;

    fn split(text: &str) -> Vec<String> {
        let sentence = tag(tokens(text));
        let join = |range: Range<usize>| {
            sentence[range].iter().map(|tagged| tagged.token.text).collect::<Vec<_>>().join(" ")
        };
        clauses(&sentence).into_iter().map(join).collect()
    }

    #[test]
    fn coordinate_and_subordinate_clauses_come_apart() {
        assert_eq!(
            split("Critics praised its acoustics but called the foyer cramped."),
            ["Critics praised its acoustics", "but called the foyer cramped ."]
        );
        assert_eq!(
            split("The union wants 7 percent; management has offered 4."),
            ["The union wants 7 percent", "; management has offered 4 ."]
        );
        assert_eq!(
            split("Investigators said that a heater started the fire."),
            ["Investigators said", "that a heater started the fire ."]
        );
        assert_eq!(
            split("Revenue rose 12 percent, while profit fell."),
            ["Revenue rose 12 percent ,", "while profit fell ."]
        );
    }

    #[test]
    fn lists_of_things_stay_together() {
        for text in [
            "They show horses, bison and one human hand.",
            "Salmon, trout and eels returned.",
            "The plan to build homes was approved.",
        ] {
            assert_eq!(split(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn clauses_cover_the_sentence() {
        let sentence = tag(tokens("If it rains, and it may, we stay; else we go, he said."));
        let mut end = 0;
        for clause in clauses(&sentence) {
            assert_eq!(clause.start, end);
            end = clause.end;
        }
        assert_eq!(end, sentence.len());
    }
}
