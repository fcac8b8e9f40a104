//! Keys and passwords that no log, error or panic message can show.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

/// The replacement of a secret.
pub const REDACTED: &str = "[redacted]";

/// The shortest key that is taken, in characters. A shorter one is a mistake in copying, and could not be
/// taken out of messages without taking out words.
pub const KEY_CHARS_MIN: usize = 8;

/// A secret text. Printing, debugging and serialising it all give `[redacted]`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Takes a text as secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Checks that it can be a key.
    ///
    /// # Errors
    /// Says that it is too short, and what to look at.
    pub fn check_key(&self) -> Result<(), String> {
        match self.0.chars().count() {
            KEY_CHARS_MIN.. => Ok(()),
            count => Err(format!(
                "has {count} characters, and a key has at least {KEY_CHARS_MIN}; check that all of it was \
                 copied, or unset it"
            )),
        }
    }

    /// A message from elsewhere without this secret: as it is, with any of its letters encoded as in an
    /// address, and in base64, also inside of something longer. For errors and logs only: in a text that
    /// means something the same letters may be words.
    pub fn redact(&self, message: &str) -> String {
        let secret = self.0.as_bytes();
        if secret.is_empty() {
            return message.to_owned();
        }
        let mut text = replaced(message, |rest| percent_match(rest.as_bytes(), secret));
        if self.0.chars().count() >= KEY_CHARS_MIN {
            for form in base64_forms(secret) {
                text = text.replace(&form, REDACTED);
            }
        }
        text
    }
}

/// A text with every match replaced; a match is given by its length.
fn replaced(text: &str, matches: impl Fn(&str) -> Option<usize>) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match matches(rest).and_then(|length| rest.get(length..)) {
            Some(after) => {
                kept.push_str(REDACTED);
                rest = after;
            }
            None => {
                kept.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }
    kept
}

/// How long the secret is where a text begins with it, each byte as it is or as `%XX`.
fn percent_match(text: &[u8], secret: &[u8]) -> Option<usize> {
    let mut at = 0;
    for byte in secret {
        at += match text.get(at..)? {
            [same, ..] if same == byte => 1,
            [b'%', high, low, ..] if hex(*high)? * 16 + hex(*low)? == u32::from(*byte) => 3,
            // Spaces are written so in the query of an address.
            [b'+', ..] if *byte == b' ' => 1,
            _ => return None,
        };
    }
    Some(at)
}

fn hex(digit: u8) -> Option<u32> {
    char::from(digit).to_digit(16)
}

/// What a secret looks like inside of a text in base64, wherever it begins there: the letters that only it
/// decides.
fn base64_forms(secret: &[u8]) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3_usize {
        let mut bytes = vec![0; before];
        bytes.extend_from_slice(secret);
        // Letters of six bits: those that bytes before or behind the secret take part in are left out.
        let (first, last) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for encoded in [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)] {
            forms.extend(encoded.get(first..last).map(str::to_owned));
        }
    }
    // The longest first, so that no part of one is left behind by another.
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.dedup();
    forms
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_secret_is_taken_out_as_it_is_and_encoded() {
        let key = Secret::new("sk+planted/7f3a 9c");
        for said in [
            "sk+planted/7f3a 9c",
            "sk%2Bplanted%2F7f3a%209c",
            "sk%2bplanted%2f7f3a+9c",
            "%73k+planted/7f3a 9c",
        ] {
            assert_eq!(key.redact(&format!("bad key {said}.")), "bad key [redacted].", "{said}");
        }
        assert_eq!(key.redact("the growth of 7f3a"), "the growth of 7f3a");
        assert_eq!(Secret::new("").redact("words"), "words");
    }

    #[test]
    fn a_key_that_is_too_short_is_refused_with_a_hint() {
        let said = Secret::new("growth").check_key().unwrap_err();
        assert!(said.contains("6 characters") && said.contains("at least 8"), "{said}");
        assert_eq!(Secret::new("growth-9").check_key(), Ok(()));
    }

    proptest! {
        #[test]
        fn no_base64_of_a_secret_is_left_readable(
            before in prop::collection::vec(any::<u8>(), 0..9),
            secret in "[a-zA-Z0-9_-]{12,40}",
            after in prop::collection::vec(any::<u8>(), 0..9),
        ) {
            let whole = [before, secret.clone().into_bytes(), after].concat();
            for encoded in [STANDARD.encode(&whole), URL_SAFE_NO_PAD.encode(&whole)] {
                let redacted = Secret::new(secret.clone()).redact(&encoded);
                prop_assert!(redacted.contains(REDACTED), "{encoded} {redacted}");
                // At its edges a letter or two may remain, which tell less than a byte each.
                prop_assert!(redacted.len() <= encoded.len() + REDACTED.len() - secret.len());
            }
        }
    }
}
