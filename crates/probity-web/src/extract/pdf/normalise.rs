//! Letters as fonts draw them → letters as people search for them.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// The text in normal form KC: ligatures become their letters, `ﬁve` is found by `five`. Raised and
/// lowered digits and fractions stay, because without their shape they are other numbers: 10² is
/// not 102.
pub(super) fn normalise(text: &str) -> Cow<'_, str> {
    if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_shaped_number) {
        let shaped = piece.chars().next_back().filter(|c| is_shaped_number(*c));
        let before = piece.len().saturating_sub(shaped.map_or(0, char::len_utf8));
        normal.extend(piece.get(..before).unwrap_or_default().nfkc());
        normal.extend(shaped);
    }
    Cow::Owned(normal)
}

/// Numbers that say by their shape what they are: ², ₂, ½, ①.
fn is_shaped_number(c: char) -> bool {
    matches!(c,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}'
        | '\u{2070}'..='\u{209c}' | '\u{2150}'..='\u{215f}' | '\u{2189}' | '\u{2460}'..='\u{249b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ligatures_become_letters_and_accents_join_them() {
        assert_eq!(normalise("ﬁve eﬃcient ﬂows"), "five efficient flows");
        assert_eq!(normalise("re\u{301}sume\u{301}"), "résumé");
        assert_eq!(normalise("𝑥 = 𝟐"), "x = 2");
    }

    #[test]
    fn numbers_keep_the_shape_that_makes_them_what_they_are() {
        assert_eq!(normalise("ﬁ 10² m, H₂O, 2½ cups"), "fi 10² m, H₂O, 2½ cups");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(normalise("plain text, é and ü"), Cow::Borrowed(_)));
    }
}
