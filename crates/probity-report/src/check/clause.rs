//! A sentence of a claim → the clauses that are checked apart: a reader that is shown two statements at once often takes
//! both for what it finds of one.

/// What stands between two clauses that could be sentences of their own.
const BETWEEN: [&str; 8] =
    [", and ", ", but ", ", while ", ", whereas ", ", so ", "; ", " – ", " — "];
/// The fewest words of a clause that says something by itself.
const WORDS: usize = 4;
/// Marks that open and close what is not divided, besides those that do both.
const OPENING: [char; 5] = ['(', '[', '“', '„', '«'];
const CLOSING: [char; 5] = [')', ']', '”', '‟', '»'];

/// The clauses of a sentence, which together have all its words but those between them.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, sign) in sentence.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            _ if OPENING.contains(&sign) => depth += 1,
            _ if CLOSING.contains(&sign) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = sentence.get(at..).unwrap_or_default();
        let between = BETWEEN.iter().find(|mark| rest.starts_with(**mark));
        let Some(mark) = between.filter(|_| depth == 0 && !quoted && at >= start) else { continue };
        let (before, after) = (sentence.get(start..at), rest.get(mark.len()..));
        if let (Some(before), Some(after)) = (before, after)
            && says(before)
            && says(after)
        {
            found.push(before);
            start = at + mark.len();
        }
    }
    found.extend(sentence.get(start..));
    found
}

fn says(clause: &str) -> bool {
    clause.split_whitespace().nth(WORDS - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_two_sentences_is_checked_apart() {
        assert_eq!(
            clauses(
                "The mill ground corn for bread, and the forge made nails; both of them closed early."
            ),
            [
                "The mill ground corn for bread",
                "the forge made nails",
                "both of them closed early."
            ]
        );
        for whole in [
            "The mill ground corn, rye, and oats.",
            "The miller said “it is late, and the river will soon freeze” to the smith of the town.",
            "The mill (it was old, and nobody had cared for it) was closed by the town.",
            "The miller said \"it is late, and the river will soon freeze\" to the smith.",
        ] {
            assert_eq!(clauses(whole), [whole]);
        }
    }
}
