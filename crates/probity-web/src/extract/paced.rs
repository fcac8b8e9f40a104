//! Markup that is read with pauses, so that no tag takes the tokenizer too deep.
//!
//! The tokenizer goes one call deeper with every quoted value of a tag and comes back when the tag
//! ends, so a tag with a hundred thousand of them would overflow any stack and end the process. An
//! error of its reader brings it back too: at the beginning of a value it has consumed nothing and
//! continues from there when it is called again.

use std::fmt;

use html5gum::{Readable as _, Reader, StringReader};

/// How many values are read between two pauses.
const VALUES: usize = 64;

/// A text to be tokenized. Its only error is a pause, after which the tokenizer is called again; as
/// an iterator it continues by itself.
pub struct Paced<'a> {
    text: StringReader<'a>,
    values: usize,
}

impl<'a> Paced<'a> {
    /// Markup, from its beginning.
    pub fn new(text: &'a str) -> Self {
        Self { text: text.to_reader(), values: 0 }
    }

    /// The same for bytes that need not be text.
    pub fn of_bytes(bytes: &'a [u8]) -> Self {
        Self { text: bytes.to_reader(), values: 0 }
    }
}

/// The tokenizer came back for breath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause;

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pause in reading")
    }
}

impl std::error::Error for Pause {}

impl Reader for Paced<'_> {
    type Error = Pause;

    fn read_byte(&mut self) -> Result<Option<u8>, Pause> {
        let Ok(byte) = self.text.read_byte();
        Ok(byte)
    }

    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Pause> {
        let Ok(read) = self.text.try_read_string(text, case_sensitive);
        Ok(read)
    }

    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Pause> {
        // Only a double-quoted value is read up to either of these.
        if needle.contains(&b'"') && needle.contains(&b'&') {
            self.values += 1;
            if self.values.is_multiple_of(VALUES) {
                return Err(Pause);
            }
        }
        let Ok(read) = self.text.read_until(needle, buffer);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use html5gum::{DefaultEmitter, Token, Tokenizer};
    use proptest::prelude::*;

    use super::*;
    use crate::extract::{Input, extract};

    #[test]
    fn a_tag_with_very_many_values_does_not_end_the_process() {
        let text = "Outdoor music must stop at ten in the evening, says the council.";
        for value in ["a=\"b\" ", "a='b' ", "a = \"b\"\n", "a=\"<\" ", "a=\">\" ", "a=\"&\" "] {
            for tag in ["<p ", "</p ", "<!-- <p a=' --><p x=y "] {
                let html = format!("<html><body>{tag}{}><p>{text}</p>", value.repeat(100_000));
                let input =
                    Input { bytes: html.as_bytes(), content_type: Some("text/html"), url: None };
                assert!(extract(input).unwrap().document.text.contains(text), "{tag}{value:?}");
            }
        }
    }

    /// The tokens of a text, however it is read.
    fn tokens(reader: impl Reader) -> Vec<Token> {
        Tokenizer::new_with_emitter(reader, DefaultEmitter::default()).flatten().collect()
    }

    proptest! {
        #[test]
        fn pauses_change_nothing(
            parts in prop::collection::vec(prop::sample::select(vec![
                "<p ", "</a ", "a=\"b\" ", "long=\"&amp; é &x\r\n\0 y\" ", "c='d' ", "=\"", "=", "\"", "'", ">", "/", " x", "é",
                "<", "<!--", "-->", "&", "\r", "\0",
            ]), 0..800)
        ) {
            let html: String = parts.concat();
            let plain = tokens(html.as_str().to_reader());
            prop_assert_eq!(tokens(Paced::new(&html)), plain);
        }
    }
}
