//! Text → numbers, words and the signs between them.

/// The most of a text that is looked through.
const MAX_TEXT_BYTES: usize = 20_000;

/// A piece of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A number and how many digits it is written with.
    Number(u32, usize),
    /// A word in lower case.
    Word(String),
    /// What is between: at most its first two characters count.
    Sign(String),
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (start, c) in text.char_indices().take_while(|(at, _)| *at < MAX_TEXT_BYTES) {
        let end = start.saturating_add(c.len_utf8());
        let last = tokens.last_mut().filter(|token| token.end == start);
        if let Some(digit) = digit_of(c) {
            if let Some(Token { kind: Kind::Number(number, digits), end: token_end, .. }) = last {
                *number = number.saturating_mul(10).saturating_add(digit);
                *digits = digits.saturating_add(1);
                *token_end = end;
            } else {
                tokens.push(Token { kind: Kind::Number(digit, 1), start, end });
            }
        } else if is_letter(c) && !is_unit(c) {
            if let Some(Token { kind: Kind::Word(word), end: token_end, .. }) = last {
                word.extend(c.to_lowercase());
                *token_end = end;
            } else {
                tokens.push(Token { kind: Kind::Word(c.to_lowercase().collect()), start, end });
            }
        } else if let Some(Token { kind: Kind::Sign(sign), end: token_end, .. }) = last {
            if !(c.is_whitespace() && sign.ends_with(' ')) && sign.len() < 8 {
                sign.push(if c.is_whitespace() { ' ' } else { c });
            }
            *token_end = end;
        } else {
            let c = if c.is_whitespace() { ' ' } else { c };
            tokens.push(Token { kind: Kind::Sign(c.to_string()), start, end });
        }
    }
    tokens
}

/// Letters, with the marks that belong to them in Thai, Hindi and Arabic.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}'..='\u{94d}' | '\u{9bc}'..='\u{9cd}' | '\u{e31}'..='\u{e4e}' | '\u{64b}'..='\u{652}')
}

/// The signs for year, month and day in East Asian dates stand alone.
fn is_unit(c: char) -> bool {
    matches!(c, '年' | '月' | '日' | '년' | '월' | '일')
}

/// Decimal digits of the scripts that dates are written in.
fn digit_of(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '٠'..='٩' => '٠',
        '۰'..='۹' => '۰',
        '०'..='९' => '०',
        '০'..='৯' => '০',
        '๐'..='๙' => '๐',
        '０'..='９' => '０',
        _ => return None,
    };
    u32::from(c).checked_sub(u32::from(zero))
}

/// A cursor over tokens.
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn peek(&self) -> Option<&'a Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    pub(super) fn next(&mut self) -> Option<&'a Kind> {
        let kind = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(kind)
    }

    pub(super) fn number(&mut self) -> Option<(u32, usize)> {
        match self.next()? {
            Kind::Number(number, digits) => Some((*number, *digits)),
            _ => None,
        }
    }

    pub(super) fn word(&mut self) -> Option<&'a str> {
        match self.next()? {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn sign(&mut self) -> Option<&'a str> {
        match self.next()? {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Skips signs that may stand between the parts of a written date.
    pub(super) fn skip_gap(&mut self) -> Option<()> {
        if let Some(Kind::Sign(sign)) = self.peek() {
            if sign.chars().count() > 3
                || sign.contains(['\u{ff0c}', ';', '|', '(', ')', '"', '€', '$'])
            {
                return None;
            }
            self.at = self.at.saturating_add(1);
        }
        Some(())
    }

    /// Skips a word that joins the parts of a date.
    pub(super) fn skip_joint(&mut self) {
        let mark = self.at;
        if self.skip_gap().is_some()
            && let Some(Kind::Word(word)) = self.peek()
            && is_joint(word)
        {
            self.at = self.at.saturating_add(1);
        } else {
            self.at = mark;
        }
    }
}

/// `5th`, `5 of May`, `5 de mayo`, `ngày 5 tháng 6 năm 2019`.
fn is_joint(word: &str) -> bool {
    matches!(
        word,
        "st" | "nd"
            | "rd"
            | "th"
            | "of"
            | "de"
            | "del"
            | "do"
            | "di"
            | "d"
            | "er"
            | "a"
            | "o"
            | "den"
            | "tháng"
            | "năm"
            | "г"
            | "år"
            | "gada"
            | "m"
            | "พ"
            | "ศ"
    )
}
