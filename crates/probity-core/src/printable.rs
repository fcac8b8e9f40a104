//! Untrusted text made safe to print: no control characters, no direction overrides.

use std::borrow::Cow;

/// Replaces what could move the cursor, colour the terminal, forge a log line or reverse the
/// reading order. Line breaks and tabs become spaces, so the result is one line.
///
/// ```
/// use probity_core::printable::line;
///
/// assert_eq!(line("all is well"), "all is well");
/// assert_eq!(line("red\u{1b}[31m\nalert"), "red\u{fffd}[31m alert");
/// ```
pub fn line(text: &str) -> Cow<'_, str> {
    replace(text, false)
}

/// As [`line()`], but keeps line breaks and tabs: for texts of several lines.
pub fn block(text: &str) -> Cow<'_, str> {
    replace(text, true)
}

/// The first `max` characters of [`line()`], with an ellipsis where something was cut off.
pub fn brief(text: &str, max: usize) -> String {
    let line = line(text);
    if line.chars().count() <= max {
        return line.into_owned();
    }
    let mut cut: String = line.chars().take(max.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

fn replace(text: &str, keep_breaks: bool) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| match c {
                '\n' | '\t' if keep_breaks => c,
                '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
                c if is_hostile(c) => char::REPLACEMENT_CHARACTER,
                c => c,
            })
            .collect(),
    )
}

fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_survives() {
        let hostile = "a\u{7}b\u{9b}c\u{202e}d\u{2066}e\r\nf\u{e0041}";
        assert!(!line(hostile).chars().any(is_hostile));
        assert_eq!(block("a\n\tb\u{1b}"), "a\n\tb\u{fffd}");
    }

    #[test]
    fn brief_counts_characters_not_bytes() {
        assert_eq!(brief("ééééé", 5), "ééééé");
        assert_eq!(brief("éééé éé", 6), "éééé…");
    }
}
