//! Letter spacing as programs write it → gaps between runs of text, where the reader of spans can
//! see them.
//!
//! Some programs write `For example` as `(Fo)`, `(re)` with a letter spacing as wide as a space, and
//! `(xample)`. In a span of text that gap is lost, and the space after its last letter is part of its
//! width. So strings with a letter spacing that matters are written apart, with the same letters in
//! the same places.

use std::fmt::Write as _;

use pdfboss_core::lexer::{Lexer, Token};

/// The letter spacing, in sizes, from which on it matters whether it is a gap or a width.
const MATTERS: f64 = 0.05;
/// The letter spacing, in sizes, that may stand for a space between words.
const WORD_GAP: f64 = 0.1;
/// The widest letter spacing, in sizes, that is taken for one.
const MAX_SPACING: f64 = 100.0;
/// Longer strings with wide gaps are words in wide print: their letters stay together.
const SHORT: usize = 3;
/// Letters that are farther apart than this, in sizes, are no word: numbers of a scale, cells of a table.
const NO_WORD: f64 = 0.8;
/// The most operands of one operator that are looked at.
const MAX_OPERANDS: usize = 4_096;
/// The deepest nesting of saved states.
const MAX_SAVED: usize = 256;

/// The content with letter spacing written as gaps. Strings must have one byte a letter.
pub(super) fn as_gaps(data: Vec<u8>) -> Vec<u8> {
    let spaced = data.windows(2).any(|pair| pair == b"Tc");
    if spaced { Rewrite::new(&data).run().unwrap_or(data) } else { data }
}

/// What a string is shown with.
#[derive(Clone, Copy, Default)]
struct State {
    size: f64,
    spacing: f64,
}

impl State {
    /// Whether it makes a difference that the spacing is a gap, and can be one of letters at all.
    fn matters(self) -> bool {
        let spacing = self.spacing.abs();
        spacing > MATTERS * self.size && spacing < MAX_SPACING * self.size
    }
}

/// A string or a step of the operators that show text.
enum Piece {
    Text(Vec<u8>),
    Step(f64),
}

struct Rewrite<'a> {
    data: &'a [u8],
    out: Vec<u8>,
    /// Up to where the content is copied or replaced.
    done: usize,
    state: State,
    saved: Vec<State>,
    pieces: Vec<Piece>,
    /// Where the operands of the next operator begin.
    begin: Option<usize>,
}

impl<'a> Rewrite<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            out: Vec::new(),
            done: 0,
            state: State::default(),
            saved: Vec::new(),
            pieces: Vec::new(),
            begin: None,
        }
    }

    /// The new content; none where nothing had to change.
    fn run(mut self) -> Option<Vec<u8>> {
        let mut lexer = Lexer::new(self.data);
        loop {
            lexer.skip_whitespace_and_comments();
            let start = lexer.pos();
            let Ok(token) = lexer.next_token() else { break };
            match token {
                Token::Eof => break,
                Token::Keyword(word) => {
                    // What follows are the bytes of a picture.
                    if word.as_slice() == b"BI" || !self.operator(&word, lexer.pos()) {
                        break;
                    }
                    self.pieces.clear();
                    self.begin = None;
                    continue;
                }
                Token::LitString(text) | Token::HexString(text) => {
                    self.pieces.push(Piece::Text(text));
                }
                Token::Int(number) => self.pieces.push(Piece::Step(number as f64)),
                Token::Real(number) => self.pieces.push(Piece::Step(number)),
                _ => {}
            }
            self.begin.get_or_insert(start);
            if self.pieces.len() > MAX_OPERANDS {
                break;
            }
        }
        if self.done == 0 {
            return None;
        }
        self.out.extend_from_slice(self.data.get(self.done..).unwrap_or_default());
        Some(self.out)
    }

    /// Follows an operator that ends at `end`; gives whether to go on.
    fn operator(&mut self, word: &[u8], end: usize) -> bool {
        match word {
            b"q" if self.saved.len() >= MAX_SAVED => return false,
            b"q" => self.saved.push(self.state),
            b"Q" => self.state = self.saved.pop().unwrap_or_default(),
            b"Tf" => self.state.size = self.last_number().abs(),
            b"Tc" => self.state.spacing = self.last_number(),
            // It sets word and letter spacing before it shows its string.
            b"\"" => {
                if let Some(Piece::Step(spacing)) = self.pieces.get(1) {
                    self.state.spacing = *spacing;
                }
            }
            b"Tj" | b"TJ" if self.state.matters() => self.replace(end),
            _ => {}
        }
        true
    }

    fn last_number(&self) -> f64 {
        match self.pieces.last() {
            Some(Piece::Step(number)) if number.is_finite() => *number,
            _ => 0.0,
        }
    }

    /// Writes the strings before an operator that shows them apart.
    fn replace(&mut self, end: usize) {
        let State { size, spacing } = self.state;
        let Some(begin) = self.begin.filter(|_| size > 0.0) else { return };
        self.out.extend_from_slice(self.data.get(self.done..begin).unwrap_or_default());
        // A step to the left in thousandths of the size, so a gap is negative.
        let gap = -spacing / size * 1_000.0;
        let mut text = String::new();
        for piece in &self.pieces {
            let _ = match piece {
                Piece::Step(step) => write!(text, "[{step}]TJ "),
                Piece::Text(letters) => write_apart(&mut text, letters, gap, spacing),
            };
        }
        let _ = write!(text, "{spacing} Tc ");
        self.out.extend_from_slice(text.as_bytes());
        self.done = end;
    }
}

/// Writes a string so that the spacing after its last letter is a step, and the others too where
/// they may be spaces between words.
fn write_apart(out: &mut String, letters: &[u8], gap: f64, spacing: f64) -> std::fmt::Result {
    let Some((last, before)) = letters.split_last() else { return Ok(()) };
    let gap_sizes = -gap / 1_000.0;
    let parts = (letters.len() <= SHORT && gap_sizes > WORD_GAP) || gap_sizes > NO_WORD;
    if parts {
        out.push_str("0 Tc ");
        return letters.iter().try_for_each(|letter| write!(out, "[<{letter:02x}>{gap}]TJ "));
    }
    if !before.is_empty() {
        write!(out, "{spacing} Tc <")?;
        before.iter().try_for_each(|letter| write!(out, "{letter:02x}"))?;
        out.push_str(">Tj ");
    }
    write!(out, "0 Tc [<{last:02x}>{gap}]TJ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(content: &str) -> String {
        String::from_utf8(as_gaps(content.as_bytes().to_vec())).unwrap()
    }

    #[test]
    fn a_gap_as_wide_as_a_space_is_a_step_between_letters() {
        assert_eq!(
            rewritten("BT /F 10 Tf 2.5 Tc (re)Tj 0 Tc (xample)Tj ET"),
            "BT /F 10 Tf 2.5 Tc 0 Tc [<72>-250]TJ [<65>-250]TJ 2.5 Tc  0 Tc (xample)Tj ET"
        );
    }

    #[test]
    fn letters_that_are_closer_stay_together_but_for_the_end() {
        assert_eq!(
            rewritten("/F 10 Tf -1 Tc [(Ver)20(s)]TJ"),
            "/F 10 Tf -1 Tc -1 Tc <5665>Tj 0 Tc [<72>100]TJ [20]TJ 0 Tc [<73>100]TJ -1 Tc "
        );
    }

    #[test]
    fn words_in_wide_print_stay_words() {
        assert!(rewritten("/F 10 Tf 3 Tc (HEADING)Tj").contains("<48454144494e>Tj"));
    }

    #[test]
    fn the_numbers_of_a_scale_are_no_word() {
        let scale = rewritten("/F 10 Tf 22 Tc (0123)Tj");
        assert!(scale.contains("[<30>-2200]TJ [<31>-2200]TJ [<32>-2200]TJ"), "{scale}");
    }

    #[test]
    fn what_has_no_spacing_that_matters_stays_as_it_is() {
        for content in [
            "/F 10 Tf 0.2 Tc (text)Tj",
            "/F 10 Tf 3 Tc q 0 Tc (text)Tj Q",
            "3 Tc (text)Tj",
            "/F 10 Tf BI 3 Tc (x)Tj",
            "/F 10 Tf 3 Tc ((",
            "/F 10 Tf 99999999999999999999 Tc (a)Tj",
        ] {
            assert_eq!(rewritten(content), content);
        }
    }
}
