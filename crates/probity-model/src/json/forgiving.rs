//! A parser that forgives what models get wrong.

use std::iter::Peekable;
use std::str::CharIndices;

use serde_json::{Map, Number, Value};

/// How deep values may lie within each other.
const DEPTH: usize = 64;

/// What was read, and how far.
pub(super) struct Read {
    pub(super) value: Value,
    /// Its length in bytes.
    pub(super) length: usize,
    /// Whether it was closed, rather than cut off.
    pub(super) whole: bool,
}

/// Reads an object or a list at the beginning of a text.
pub(super) fn read(text: &str) -> Option<Read> {
    let mut parser = Parser { text, chars: text.char_indices().peekable(), ended: false };
    let value = parser.value(0)?;
    let length = parser.at();
    Some(Read { value, length, whole: !parser.ended })
}

struct Parser<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// Whether the text ended inside a value.
    ended: bool,
}

/// The quotes that open and close strings.
fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' => Some(open),
        '\u{201c}' => Some('\u{201d}'),
        _ => None,
    }
}

impl Parser<'_> {
    fn at(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|(_, c)| *c)
    }

    fn next(&mut self) -> Option<char> {
        self.chars.next().map(|(_, c)| c)
    }

    fn ahead(&mut self) -> &str {
        let at = self.at();
        self.text.get(at..).unwrap_or_default()
    }

    /// Skips spaces and comments.
    fn skip(&mut self) {
        loop {
            while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let end = match self.ahead() {
                rest if rest.starts_with("//") => "\n",
                rest if rest.starts_with("/*") => "*/",
                _ => return,
            };
            let length = self.ahead().find(end).map_or(usize::MAX, |at| at + end.len());
            let stop = self.at().saturating_add(length);
            while self.chars.next_if(|(at, _)| *at < stop).is_some() {}
        }
    }

    /// A value; none where there is none, or where the text ends in the middle of a scalar.
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        self.skip();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.list(depth),
            open if closing(open).is_some() => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.next();
        let mut map = Map::new();
        loop {
            self.skip();
            match self.peek() {
                None => {
                    self.ended = true;
                    return Some(Value::Object(map));
                }
                Some('}') => {
                    self.next();
                    return Some(Value::Object(map));
                }
                Some(',') => {
                    self.next();
                    continue;
                }
                Some(_) => {}
            }
            let Some(key) = self.key() else {
                return self.ended.then_some(Value::Object(map));
            };
            self.skip();
            match self.peek() {
                Some(':') => self.next(),
                Some(_) => return None,
                None => {
                    self.ended = true;
                    return Some(Value::Object(map));
                }
            };
            match self.value(depth + 1) {
                // Of two values for one key the later counts, unless it is nothing.
                Some(Value::Null) if map.contains_key(&key) => {}
                Some(value) => {
                    map.insert(key, value);
                }
                None if self.ended || self.peek().is_none() => {
                    self.ended = true;
                    return Some(Value::Object(map));
                }
                None => return None,
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.next();
        let mut list = Vec::new();
        loop {
            self.skip();
            match self.peek() {
                None => {
                    self.ended = true;
                    return Some(Value::Array(list));
                }
                Some(']') => {
                    self.next();
                    return Some(Value::Array(list));
                }
                Some(',') => {
                    self.next();
                    continue;
                }
                Some(_) => {}
            }
            match self.value(depth + 1) {
                Some(value) => list.push(value),
                None if self.ended || self.peek().is_none() => {
                    self.ended = true;
                    return Some(Value::Array(list));
                }
                None => return None,
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        if self.peek().is_some_and(|c| closing(c).is_some()) {
            return self.string();
        }
        let mut key = String::new();
        while let Some((_, c)) =
            self.chars.next_if(|(_, c)| c.is_alphanumeric() || *c == '_' || *c == '-')
        {
            key.push(c);
        }
        (!key.is_empty()).then_some(key)
    }

    /// A string. A quote ends it only where something may follow it; others are part of it.
    fn string(&mut self) -> Option<String> {
        let close = closing(self.next()?)?;
        let mut string = String::new();
        while let Some(c) = self.next() {
            match c {
                '\\' => string.push(self.escape()?),
                c if c == close => {
                    let follows = self.ahead().trim_start().chars().next();
                    if follows.is_none_or(|c| ",}]:".contains(c)) {
                        return Some(string);
                    }
                    string.push(c);
                }
                c => string.push(c),
            }
        }
        self.ended = true;
        None
    }

    fn escape(&mut self) -> Option<char> {
        let Some(c) = self.next() else {
            self.ended = true;
            return None;
        };
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' => ' ',
            'u' => {
                let hex: String = (0..4).filter_map(|_| self.hex_digit()).collect();
                let code = u32::from_str_radix(&hex, 16).unwrap_or(0xFFFD);
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        })
    }

    fn hex_digit(&mut self) -> Option<char> {
        self.chars.next_if(|(_, c)| c.is_ascii_hexdigit()).map(|(_, c)| c)
    }

    /// A number or one of the words that stand for a value.
    fn word(&mut self) -> Option<Value> {
        let mut word = String::new();
        while let Some((_, c)) =
            self.chars.next_if(|(_, c)| c.is_alphanumeric() || "+-._".contains(*c))
        {
            word.push(c);
        }
        if self.peek().is_none() {
            // It may continue: a number that is cut off is another number.
            self.ended = true;
            return None;
        }
        match word.to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" | "none" | "undefined" => Some(Value::Null),
            number => {
                let number: f64 = number.trim_start_matches('+').parse().ok()?;
                let whole = number.fract() == 0.0 && number.abs() < 9e15;
                match whole {
                    true => Some(Value::Number(Number::from(number as i64))),
                    false => Number::from_f64(number).map(Value::Number),
                }
            }
        }
    }
}
