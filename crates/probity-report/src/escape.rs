//! Untrusted text in Markdown: it may say anything and do nothing.
//!
//! Whatever could open a link, an image, a heading, a list, a table cell, an element or a citation
//! is escaped, so the text reads as it was written and has no structure of its own.

use probity_core::printable;

/// The longest text that is written in one piece; pages do not need longer sentences or titles.
const MAX_CHARS: usize = 2_000;

/// A text on one line, without control characters and of bounded length; not yet escaped.
pub fn one_line(text: &str) -> String {
    let line = printable::line(text);
    let folded = line.split_whitespace().collect::<Vec<_>>().join(" ");
    printable::brief(&folded, MAX_CHARS)
}

/// One line of prose.
pub fn inline(text: &str) -> String {
    let cut = one_line(text);
    let mut safe = String::with_capacity(cut.len() + 8);
    let mut previous = ' ';
    let mut characters = cut.chars().peekable();
    while let Some(c) = characters.next() {
        let at_start = safe.is_empty();
        let follows = |wanted: &str| characters.clone().take(wanted.len()).eq(wanted.chars());
        let escaped = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '~' | '&' => true,
            '#' | '>' | '+' | '-' | '=' => at_start,
            // A number with a stop or bracket would begin a list.
            '.' | ')' => !at_start && safe.bytes().all(|b| b.is_ascii_digit()),
            // Bare addresses would become links.
            ':' => follows("//"),
            '@' => previous.is_alphanumeric(),
            // Many readers take `$…$` for mathematics. An amount such as `$40` can begin no formula
            // that ends, because what would end it does not stand alone before a digit.
            '$' => !(previous == ' ' && characters.peek().is_some_and(char::is_ascii_digit)),
            _ => false,
        };
        if escaped || c == '.' && ends_with_www(&safe) {
            safe.push('\\');
        }
        safe.push(c);
        previous = c;
    }
    safe
}

fn ends_with_www(text: &str) -> bool {
    text.len() >= 3 && text.get(text.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// An address inside the round brackets of a link.
pub fn address(url: &str) -> String {
    let mut safe = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' => safe.push_str("%28"),
            ')' => safe.push_str("%29"),
            '<' => safe.push_str("%3C"),
            '>' => safe.push_str("%3E"),
            '\\' => safe.push_str("%5C"),
            '|' => safe.push_str("%7C"),
            '*' => safe.push_str("%2A"),
            '`' => safe.push_str("%60"),
            '$' => safe.push_str("%24"),
            '[' => safe.push_str("%5B"),
            ']' => safe.push_str("%5D"),
            c if c.is_control() || c.is_whitespace() => {}
            c => safe.push(c),
        }
    }
    safe
}

/// Takes back what [`inline`] escaped.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(&next)) if next.is_ascii_punctuation() => {
                plain.push(next);
                characters.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_is_written_out() {
        for (text, safe) in [
            ("plain words, 55 dB (at night)", "plain words, 55 dB (at night)"),
            ("a [link](javascript:x)", "a \\[link\\](javascript:x)"),
            ("![x](https://a.example/p.png)", "!\\[x\\](https\\://a.example/p.png)"),
            ("# heading\n- item", "\\# heading - item"),
            ("12. step", "12\\. step"),
            ("<script>", "\\<script>"),
            ("see www.a.example", "see www\\.a.example"),
            ("50 crowns*", "50 crowns\\*"),
            ("$40 or US$50", "$40 or US\\$50"),
            ("$x^2$", "\\$x^2\\$"),
        ] {
            assert_eq!(inline(text), safe);
        }
    }

    proptest! {
        #[test]
        fn what_was_escaped_comes_back(text in "[ -~é]{0,60}") {
            let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(plain(&inline(&text)), folded);
        }

        #[test]
        fn any_text_comes_back_as_one_line_of_it(text in any::<String>()) {
            prop_assert_eq!(plain(&inline(&text)), one_line(&text));
        }

        #[test]
        fn one_line_is_one_line_and_stays_as_it_is(text in "(\\PC|[\n\r\t\u{85}\u{2028}\u{1b} ]){0,60}") {
            let line = one_line(&text);
            prop_assert_eq!(line.lines().count(), usize::from(!line.is_empty()));
            prop_assert!(!line.contains(|c: char| c.is_control()), "{:?}", line);
            prop_assert_eq!(one_line(&line), line.clone());
        }

        #[test]
        fn an_address_ends_where_its_brackets_do(url in "\\PC{0,60}") {
            let safe = address(&url);
            prop_assert!(!safe.contains(['(', ')', '<', '>', '\\', '|', '[', ']', ' ']), "{}", safe);
            prop_assert_eq!(address(&safe), safe);
        }
    }
}
