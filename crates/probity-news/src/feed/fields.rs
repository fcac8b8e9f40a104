//! Texts of a feed → plain values.

use jiff::fmt::rfc2822;
use probity_core::Timestamp;

/// How much of a document is searched for its declaration, in bytes.
const DECLARATION_BYTES: usize = 200;

/// A date in any form that feeds use.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(zoned) = rfc2822::parse(text) {
        return Some(Timestamp(zoned.timestamp().as_millisecond()));
    }
    if let Ok(exact) = text.parse::<jiff::Timestamp>() {
        return Some(Timestamp(exact.as_millisecond()));
    }
    // A time without its zone is taken as UTC.
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(Timestamp(zoned.timestamp().as_millisecond()))
}

/// The encoding that an XML declaration names.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(DECLARATION_BYTES))?;
    let head = String::from_utf8_lossy(head);
    let rest = head.split_once("encoding=")?.1;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(rest.split(quote).nth(1)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_kind_of_feed_are_read() {
        let expected = "2026-03-01T12:00:00Z".parse().ok();
        for text in [
            "Sun, 01 Mar 2026 12:00:00 GMT",
            "Sun, 1 Mar 2026 07:00:00 -0500",
            "01 Mar 2026 12:00 +0000",
            "2026-03-01T12:00:00Z",
            "2026-03-01T13:00:00+01:00",
            "2026-03-01 12:00:00",
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
        assert_eq!(time("yesterday"), None);
    }

    #[test]
    fn the_declared_encoding_is_found() {
        let bytes = b"<?xml version='1.0' encoding='ISO-8859-1'?><rss/>";
        assert_eq!(declared_encoding(bytes).as_deref(), Some("ISO-8859-1"));
        assert_eq!(declared_encoding(b"<rss/>"), None);
    }
}
