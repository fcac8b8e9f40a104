//! Texts of a feed → plain values.

use std::time::Duration;

use jiff::fmt::rfc2822;
use probity_core::Timestamp;
use probity_web::search::clean;

/// The longest name of an author, in characters.
const AUTHOR_CHARS: usize = 120;
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

/// Who wrote an item, as feeds write it: a name, or an address with the name in brackets.
pub(super) fn author(text: &str) -> Option<String> {
    let named = match text.split_once('(') {
        Some((address, name)) if address.contains('@') => name.trim_end().trim_end_matches(')'),
        _ => text,
    };
    let name = clean::plain(named, AUTHOR_CHARS);
    (!name.is_empty() && !name.contains('@')).then_some(name)
}

/// How seldom a feed asks to be polled: by minutes to live, or this many times a period.
pub(super) fn refresh(ttl: &str, period: &str, times: &str) -> Option<Duration> {
    if let Ok(minutes) = ttl.trim().parse::<u32>() {
        return (minutes > 0).then(|| Duration::from_secs(u64::from(minutes) * 60));
    }
    let hours = match period.trim() {
        "hourly" => 1,
        "daily" => 24,
        "weekly" => 7 * 24,
        "monthly" => 30 * 24,
        "yearly" => 365 * 24,
        _ => return None,
    };
    let times = times.trim().parse::<u32>().unwrap_or(1).max(1);
    Some(Duration::from_secs(hours * 3_600) / times)
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
    fn authors_are_names_and_never_addresses() {
        assert_eq!(author("jo@a.example (Jo <b>Doe</b>)").as_deref(), Some("Jo Doe"));
        assert_eq!(author("Jo Doe (Reuters)").as_deref(), Some("Jo Doe (Reuters)"));
        assert_eq!(author("jo@a.example"), None);
        assert_eq!(author("  "), None);
    }

    #[test]
    fn feeds_say_how_seldom_they_want_to_be_asked() {
        let minutes = |n: u64| Some(Duration::from_secs(n * 60));
        assert_eq!(refresh("60", "daily", "2"), minutes(60));
        assert_eq!(refresh("", "hourly", "2"), minutes(30));
        assert_eq!(refresh("", "daily", ""), minutes(24 * 60));
        assert_eq!(refresh("0", "", ""), None);
        assert_eq!(refresh("soon", "now", "0"), None);
    }

    #[test]
    fn the_declared_encoding_is_found() {
        let bytes = b"<?xml version='1.0' encoding='ISO-8859-1'?><rss/>";
        assert_eq!(declared_encoding(bytes).as_deref(), Some("ISO-8859-1"));
        assert_eq!(declared_encoding(b"<rss/>"), None);
    }
}
