//! Text → words, numbers and marks, each with its place.
//!
//! Finer than [`crate::words`]: punctuation is kept, a number keeps its separators (`1,200,000`,
//! `3.5`, `1 200`), and what is glued together (`5km`, `two-thirds`) comes apart with a flag.

use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;

use crate::words::lower;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, with inner apostrophes and digits: `town's`, `B12`, `p.m.`
    Word,
    /// Digits with their separators.
    Number,
    /// A single other character.
    Mark,
}

/// A piece of a text.
#[derive(Debug, Clone)]
pub struct Token<'a> {
    /// Where it begins, in bytes.
    pub start: usize,
    /// As it is written in the text.
    pub text: &'a str,
    /// Lower-case, NFC, with `'` for every apostrophe.
    pub lower: Cow<'a, str>,
    /// What it is.
    pub kind: TokenKind,
    /// Whether it follows the token before it without white space.
    pub joined: bool,
}

impl Token<'_> {
    /// The byte after its last.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this mark.
    pub fn is(&self, mark: &str) -> bool {
        self.text == mark
    }

    /// Whether it is a word that begins with a capital.
    pub fn is_capital(&self) -> bool {
        self.kind == TokenKind::Word && self.text.starts_with(char::is_uppercase)
    }
}

/// The lower-case form of a token; empty behind the last.
pub(crate) fn word<'a>(tokens: &'a [Token<'_>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.lower.as_ref())
}

/// The lower-case form of the token before one; empty before the first.
pub(crate) fn word_before<'a>(tokens: &'a [Token<'_>], at: usize) -> &'a str {
    at.checked_sub(1).map_or("", |at| word(tokens, at))
}

/// The place of a word in a list.
pub(crate) fn place(list: &str, word: &str) -> Option<u8> {
    list.split_whitespace().position(|one| one == word).and_then(|at| u8::try_from(at).ok())
}

/// The tokens of a text, in order.
///
/// ```
/// use probity_text::lex::tokens;
///
/// let found: Vec<_> = tokens("Up 3.5% to 1 200km at 9 p.m.").iter().map(|t| t.text).collect();
/// assert_eq!(found, ["Up", "3.5", "%", "to", "1 200", "km", "at", "9", "p.m."]);
/// ```
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::with_capacity(text.len() / 5);
    let mut rest = text;
    let mut end = 0;
    loop {
        let trimmed = rest.trim_start_matches(is_blank);
        let start = text.len() - trimmed.len();
        let Some(first) = trimmed.chars().next() else { return found };
        let (length, kind) = if first.is_ascii_digit() {
            (number(trimmed), TokenKind::Number)
        } else if is_letter(first) {
            (word_length(trimmed, first), TokenKind::Word)
        } else {
            (first.len_utf8(), TokenKind::Mark)
        };
        let (piece, tail) = trimmed.split_at_checked(length).unwrap_or((trimmed, ""));
        let joined = start == end && !found.is_empty();
        found.push(Token { start, text: piece, lower: lower(piece), kind, joined });
        rest = tail;
        end = start + piece.len();
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{ad}')
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || c.is_alphanumeric()
            && !c.is_ascii_digit()
            && !matches!(c, '½' | '¼' | '¾' | '⅓' | '⅔' | '²' | '³')
}

/// Scripts written without spaces: each character is a word.
fn is_solid(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Length of the word at the front.
fn word_length(text: &str, first: char) -> usize {
    if is_solid(first) {
        return first.len_utf8();
    }
    if let Some(length) = initials(text) {
        return length;
    }
    let mut length = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inner =
            matches!(c, '\'' | '’' | 'ʼ') && chars.peek().is_some_and(|c| c.is_alphabetic());
        // Accents, and vowel signs of scripts that write them above or beside a letter.
        let accent = is_combining_mark(c) || matches!(c, '²' | '³');
        if !(is_letter(c) && !is_solid(c) || c.is_ascii_digit() || inner || accent) {
            break;
        }
        length += c.len_utf8();
    }
    length
}

/// Length of `U.S.`, `p.m.` or `e.g.` at the front: at least two single letters with their stops.
fn initials(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut length = 0;
    while let (Some(letter), Some(b'.')) = (bytes.get(length), bytes.get(length + 1)) {
        if !letter.is_ascii_alphabetic() {
            break;
        }
        length += 2;
    }
    let next = bytes.get(length).copied().unwrap_or(b' ');
    if length >= 2
        && next.is_ascii_alphabetic()
        && !bytes.get(length + 1).is_some_and(|b| b.is_ascii_alphanumeric())
    {
        return Some(length + 1);
    }
    (length >= 4 && !next.is_ascii_alphanumeric()).then_some(length)
}

/// Length of the number at the front, with the separators inside it.
fn number(text: &str) -> usize {
    let mut length = digits(text);
    let first = length;
    while let Some(rest) = text.get(length..) {
        let mut chars = rest.chars();
        let Some(separator) = chars.next() else { break };
        let group = digits(chars.as_str());
        let takes = match separator {
            '.' | ',' => group > 0,
            '\'' | '’' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => {
                group == 3
                    && first <= 3
                    && !text.starts_with('0')
                    && !chars.as_str().get(3..).is_some_and(|tail| {
                        tail.starts_with(['/', ':', '-', '%', '.']) && separator == ' '
                    })
            }
            _ => false,
        };
        if !takes {
            break;
        }
        length += separator.len_utf8() + group;
    }
    length
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn numbers_keep_their_separators() {
        assert_eq!(
            found("1,200,000 1.200.000 1 200 000 3.5 2019, 400"),
            ["1,200,000", "1.200.000", "1 200 000", "3.5", "2019", ",", "400"]
        );
        assert_eq!(
            found("In 2019 400 came on 12/03 and 7 10:30"),
            ["In", "2019", "400", "came", "on", "12", "/", "03", "and", "7", "10", ":", "30"]
        );
        assert_eq!(found("5km 3bn 2nd $40k"), ["5", "km", "3", "bn", "2", "nd", "$", "40", "k"]);
    }

    #[test]
    fn words_keep_apostrophes_and_initials() {
        assert_eq!(
            found("The town’s U.S. aide's B12; café—9 a.m. I.e. x.y"),
            [
                "The", "town’s", "U.S.", "aide's", "B12", ";", "café", "—", "9", "a.m.", "I.e.",
                "x.y"
            ]
        );
        assert!(tokens("two-thirds").iter().skip(1).all(|token| token.joined));
        assert_eq!(found("港は3隻"), ["港", "は", "3", "隻"]);
    }

    proptest! {
        #[test]
        fn tokens_cover_all_that_is_not_blank(text in any::<String>()) {
            let found = tokens(&text);
            let mut end = 0;
            for token in &found {
                prop_assert!(token.start >= end && !token.text.is_empty());
                prop_assert_eq!(text.get(token.start..token.end()), Some(token.text));
                prop_assert!(text.get(end..token.start).is_some_and(|gap| gap.chars().all(is_blank)));
                end = token.end();
            }
            prop_assert!(text.get(end..).is_some_and(|gap| gap.chars().all(is_blank)));
        }
    }
}
