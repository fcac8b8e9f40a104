//! How many tokens a text is, near enough to plan with.
//!
//! Providers count with tokenizers of their own; what we need is an estimate that is seldom too
//! low. Latin text takes a token for about four letters, other scripts up to one a character.

use crate::request::Request;

/// Letters of ASCII text to a token.
const ASCII_PER_TOKEN: usize = 4;
/// Tokens that each turn, tool or schema costs besides its text.
const OVERHEAD: usize = 12;

/// About how many tokens a text is.
pub fn estimate(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().count() - ascii;
    ascii.div_ceil(ASCII_PER_TOKEN) + other
}

/// About how many tokens a request is.
pub fn of_request(request: &Request) -> usize {
    let texts: usize = request.texts().map(|text| estimate(text) + OVERHEAD).sum();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| estimate(&tool.description) + estimate(&tool.parameters.to_string()) + OVERHEAD)
        .sum();
    let schema = request.schema.as_ref().map_or(0, |s| estimate(&s.schema.to_string()) + OVERHEAD);
    texts + tools + schema
}

/// The beginning of a text that is at most this many tokens, cut at a space where there is one.
pub fn clip(text: &str, tokens: usize) -> &str {
    let (mut ascii, mut other, mut end) = (0_usize, 0_usize, 0);
    for (at, c) in text.char_indices() {
        if c.is_ascii() {
            ascii += 1
        } else {
            other += 1
        }
        if ascii.div_ceil(ASCII_PER_TOKEN) + other > tokens {
            let kept = text.get(..end).unwrap_or_default();
            return kept.rsplit_once(char::is_whitespace).map_or(kept, |(head, _)| head);
        }
        end = at + c.len_utf8();
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_clipped_fits_and_is_a_beginning(text in "\\PC{0,200}", tokens in 0usize..60) {
            let cut = clip(&text, tokens);
            prop_assert!(estimate(cut) <= tokens || cut.len() == text.len());
            prop_assert!(estimate(cut) <= tokens.max(estimate("")));
            prop_assert!(text.starts_with(cut));
        }

        #[test]
        fn longer_texts_are_never_fewer_tokens(a in "\\PC{0,80}", b in "\\PC{0,80}") {
            let both = a.clone() + &b;
            prop_assert!(estimate(&both) >= estimate(&a));
        }
    }
}
