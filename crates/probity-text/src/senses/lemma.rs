//! A word in any form → the base forms it may have.

use crate::lemma::irregular;

/// Endings and what stands for them in the base form.
const ENDINGS: &[(&str, &str)] = &[
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ves", "f"),
    ("ed", ""),
    ("ed", "e"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ier", "y"),
    ("iest", "y"),
    ("ly", ""),
];

/// Calls `with` for every base form that a lower-case word may have, the word itself first.
pub(super) fn each(word: &str, mut with: impl FnMut(&str)) {
    let word = word.strip_suffix("'s").unwrap_or(word);
    with(word);
    if let Some(base) = irregular(word) {
        with(base);
    }
    let mut buffer = String::new();
    for (ending, base) in ENDINGS {
        let Some(root) = word.strip_suffix(ending).filter(|root| root.len() >= 2) else {
            continue;
        };
        buffer.clear();
        buffer.push_str(root);
        buffer.push_str(base);
        with(&buffer);
        // "stopped", "running": the last letter is doubled before the ending.
        let mut last = root.chars().rev();
        if base.is_empty()
            && matches!(*ending, "ed" | "ing" | "er" | "est")
            && last.next() == last.next()
        {
            root.get(..root.len() - 1).into_iter().for_each(&mut with);
        }
    }
}
