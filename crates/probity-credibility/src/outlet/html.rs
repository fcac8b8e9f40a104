//! Tags and their attributes, found in one pass without building a document.
//!
//! Enough for the few facts that feeds and redirect pages state in markup. Malformed markup yields
//! fewer tags, never an error.

/// A start tag.
pub(super) struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    /// What follows the tag.
    pub(super) after: &'a str,
}

impl<'a> Tag<'a> {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute, with its entities decoded.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        Attributes(self.attributes)
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| decode_entities(value))
    }

    /// The text between this tag and the next.
    pub(super) fn text(&self) -> &'a str {
        self.after.split('<').next().unwrap_or_default().trim()
    }
}

/// All start tags in order, those inside comments, scripts and styles left out.
pub(super) fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once('<')?;
            if let Some(comment) = after.strip_prefix("!--") {
                (_, rest) = comment.split_once("-->")?;
                continue;
            }
            if !after.starts_with(|c: char| c.is_ascii_alphabetic()) {
                rest = after;
                continue;
            }
            let (name, attributes, after) = split_tag(after)?;
            rest = match name.to_ascii_lowercase().as_str() {
                raw @ ("script" | "style") => skip_raw(after, raw),
                _ => after,
            };
            return Some(Tag { name, attributes, after });
        }
    })
}

/// `name attributes>after` → its three parts; none when the tag never ends.
fn split_tag(text: &str) -> Option<(&str, &str, &str)> {
    let name_end = text.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')?;
    let (name, rest) = text.split_at_checked(name_end)?;
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '>' => return Some((name, rest.get(..at)?, rest.get(at + 1..)?)),
            None => {}
        }
    }
    None
}

/// What follows the end tag of an element whose text is no markup.
fn skip_raw<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("</") {
        if after.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            return after;
        }
        rest = after;
    }
    ""
}

/// Name and raw value of each attribute.
struct Attributes<'a>(&'a str);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace() || c == '=' || c == '/')
            .unwrap_or(rest.len())
            // A stray `=` must not stop the pass.
            .max(1);
        let (name, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            self.0 = rest;
            return Some((name, ""));
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, rest) = match quote {
            Some(quote) => {
                let inner = value.get(1..).unwrap_or_default();
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
                value.split_at_checked(end).unwrap_or((value, ""))
            }
        };
        self.0 = rest;
        Some((name, value))
    }
}

/// Decodes the entities that stand in addresses: XML's five and numbers. Others stay as they are.
pub fn decode_entities(text: &str) -> String {
    /// The longest reference that is looked at, `&#x10FFFF;` without its ends.
    const LONGEST: usize = 9;
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        let reference = after
            .bytes()
            .take(LONGEST + 1)
            .position(|b| b == b';')
            .and_then(|end| Some((after.get(..end)?, after.get(end + 1..)?)));
        match reference.and_then(|(name, after)| Some((entity(name)?, after))) {
            Some((c, after)) => {
                decoded.push(c);
                rest = after;
            }
            None => {
                decoded.push('&');
                rest = after;
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The character that a reference names, written without `&` and `;`.
pub fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_are_found_where_browsers_find_them() {
        let html = "<!-- <a href=1> --> a < b <script>'<a href=2>'</SCRIPT><A class='x>y'\n HREF = \"3&amp;4\">t</a><a href=5/x><br/><a href='6";
        let found: Vec<_> =
            tags(html).filter(|t| t.is("a")).filter_map(|t| t.attribute("href")).collect();
        assert_eq!(found, ["3&4", "5/x"]);
    }

    #[test]
    fn entities_of_addresses_are_decoded_once() {
        for (given, expected) in [
            ("a&amp;b&#38;c&#x26;d", "a&b&c&d"),
            ("&amp;lt;", "&lt;"),
            ("&copy;&unknown&", "&copy;&unknown&"),
            ("&#0;&#x110000;", "&#0;&#x110000;"),
            ("é&é;", "é&é;"),
        ] {
            assert_eq!(decode_entities(given), expected);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_an_end(text in "(<|>|a|=|'|\"|/|!--|-->|script| |&|#|;|é|\\PC){0,60}") {
            for tag in tags(&text) {
                tag.attribute("href");
                tag.text();
            }
            decode_entities(&text);
        }
    }
}
