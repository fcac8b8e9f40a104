//! Text from a provider → one line of plain text.
//!
//! Titles and snippets arrive as plain text, as HTML with highlighted words, or as JATS, and a
//! hostile page can put anything into them. What leaves here has no tags, no entities, no control
//! characters and no direction overrides, its white space is folded, and its length is bounded.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use crate::extract::paced::Paced;

/// The longest title kept, in characters.
pub const TITLE_CHARS: usize = 300;
/// The longest snippet kept, in characters. A whole abstract mostly fits.
pub const SNIPPET_CHARS: usize = 1_500;
/// How much of a text is looked at, in bytes: several times what could be kept of it.
const TEXT_BYTES: usize = 32 * 1024;

/// Elements inside a line of text: taking their tags away must not part a word.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "italic", "kbd", "mark",
    "q", "s", "samp", "sc", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr",
];
/// Elements whose content is not text for a reader.
const UNSEEN: &[&str] = &["script", "style", "template", "noscript", "iframe", "svg", "head"];

/// A title as plain text.
pub fn title(markup: &str) -> String {
    plain(markup, TITLE_CHARS)
}

/// A snippet as plain text.
pub fn snippet(markup: &str) -> String {
    plain(markup, SNIPPET_CHARS)
}

/// Plain text of at most `max` characters, on one line.
///
/// ```
/// use probity_web::search::clean::plain;
///
/// assert_eq!(plain("<b>Noise</b> &amp;\n quiet hours", 80), "Noise & quiet hours");
/// assert_eq!(plain("if a < b then Vec<T>", 80), "if a < b then Vec<T>");
/// ```
pub fn plain(markup: &str, max: usize) -> String {
    let markup = markup.get(..markup.floor_char_boundary(TEXT_BYTES)).unwrap_or(markup);
    if markup.contains(['<', '&']) {
        line(&without_tags(&keep_lone_signs(markup)), max)
    } else {
        line(markup, max)
    }
}

/// Escapes every `<` that opens no tag, so that mathematics and code keep theirs.
fn keep_lone_signs(text: &str) -> String {
    let last_close = text.rfind('>').unwrap_or(0);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..).unwrap_or_default();
        if at < last_close && opens_tag(rest) {
            continue;
        }
        kept.push_str(text.get(from..at).unwrap_or_default());
        kept.push_str("&lt;");
        from = at + 1;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

/// Whether what follows a `<` reads as the rest of a tag, a comment or a declaration.
fn opens_tag(rest: &str) -> bool {
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_')));
    let (name, after) = name.split_at_checked(end.unwrap_or(name.len())).unwrap_or((name, ""));
    // A lone letter that names no element is a type parameter or a variable.
    let named = match name.as_bytes() {
        [one] => b"abipqsu".contains(&one.to_ascii_lowercase()),
        [first, ..] => first.is_ascii_alphabetic(),
        [] => false,
    };
    named && after.starts_with(|c: char| c.is_whitespace() || c == '/' || c == '>')
}

/// Takes tags away and decodes entities, by the tokenizer that browsers' rules prescribe.
fn without_tags(markup: &str) -> String {
    let hidden = hidden_elements(markup);
    let mut text = String::with_capacity(markup.len());
    let mut inside: Option<&[u8]> = None;
    for token in
        Tokenizer::new_with_emitter(Paced::new(markup), DefaultEmitter::default()).flatten()
    {
        match (token, inside) {
            (Token::EndTag(tag), Some(name)) if *tag.name == *name => inside = None,
            (_, Some(_)) => {}
            (Token::String(run), None) => text.push_str(&String::from_utf8_lossy(&run.value)),
            (Token::EndTag(tag), None) => part_words(&tag.name, &mut text),
            (Token::StartTag(tag), None) => {
                part_words(&tag.name, &mut text);
                inside = hidden.iter().map(|name| name.as_bytes()).find(|name| **name == *tag.name);
            }
            _ => {}
        }
    }
    text
}

/// The elements whose content is dropped: only those that end, or a title about `<script>` would be
/// cut off there.
fn hidden_elements(markup: &str) -> Vec<&'static str> {
    let lower = markup.to_ascii_lowercase();
    UNSEEN.iter().filter(|name| lower.contains(&format!("</{name}"))).copied().collect()
}

fn part_words(name: &[u8], text: &mut String) {
    let name = name.strip_prefix(b"jats:").unwrap_or(name);
    if !INLINE.iter().any(|inline| inline.as_bytes() == name) {
        text.push(' ');
    }
}

/// Text without markup on one line: folds white space, drops what cannot be seen or would steer a
/// terminal, and cuts at a word.
pub fn line(text: &str, max: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max * 2));
    let (mut length, mut gap, mut word_end) = (0, false, 0);
    for c in text.chars() {
        if c.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if is_unprintable(c) {
            continue;
        }
        if gap {
            word_end = line.len();
            line.push(' ');
            length += 1;
            gap = false;
        }
        if length >= max {
            return cut(line, word_end);
        }
        line.push(c);
        length += 1;
    }
    line
}

/// Ends a line that grew too long: after its last whole word if that is not far back.
fn cut(mut line: String, word_end: usize) -> String {
    if word_end >= line.len() / 2 {
        line.truncate(word_end);
    } else {
        line.pop();
    }
    line.truncate(line.trim_end().len());
    line.push('…');
    line
}

fn is_unprintable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | char::REPLACEMENT_CHARACTER)
        || probity_core::printable::line(c.encode_utf8(&mut [0; 4]))
            .contains(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_go_and_words_stay_whole() {
        for (markup, text) in [
            ("plain", "plain"),
            ("<strong>Harbour</strong> noise", "Harbour noise"),
            ("un<b>believ</b>able", "unbelievable"),
            ("<p>One.</p><p>Two.</p>", "One. Two."),
            ("a<br>b", "a b"),
            (
                "<jats:title>Abstract</jats:title><jats:p>We measure H<jats:sub>2</jats:sub>O.</jats:p>",
                "Abstract We measure H2O.",
            ),
            ("Before<script>alert('<b>')</script>after", "Before after"),
            ("How to use the <script> tag", "How to use the tag"),
            ("x <!-- hidden --> y", "x y"),
            ("<a href=\"x>y\">link</a>", "link"),
        ] {
            assert_eq!(plain(markup, 200), text, "{markup}");
        }
    }

    #[test]
    fn entities_are_decoded_once() {
        assert_eq!(plain("Q&amp;A &#x2014; caf&eacute;&nbsp;bar", 80), "Q&A — café bar");
        assert_eq!(plain("the &lt;em&gt; element", 80), "the <em> element");
        assert_eq!(plain("&amp;lt;", 80), "&lt;");
        assert_eq!(plain("AT&T", 80), "AT&T");
    }

    #[test]
    fn lone_signs_are_not_tags() {
        for text in
            ["a < b", "p<0.05 and q>1", "Vec<T> and Map<K, V>", "1 <2", "x <y", "<3 music", "5 > 4"]
        {
            assert_eq!(plain(text, 200), text);
        }
    }

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(plain("red\u{1b}[31m\u{202e}x\u{0}\r\n\ty\u{feff}", 80), "red[31mx y");
    }

    #[test]
    fn long_text_is_cut_at_a_word() {
        assert_eq!(plain("one two three", 9), "one two…");
        assert_eq!(plain("onetwothree", 5), "onet…");
        assert_eq!(plain("exact fit", 9), "exact fit");
        assert_eq!(plain("éé éé éé", 5), "éé éé…");
    }

    #[test]
    fn a_megabyte_of_brackets_is_answered_at_once() {
        for hostile in [
            "<".repeat(1 << 20),
            "<a ".repeat(1 << 19),
            "<!--".repeat(1 << 18),
            "&amp".repeat(1 << 18),
            "<script>".repeat(1 << 17),
        ] {
            assert!(plain(&hostile, 50).chars().count() <= 51);
        }
    }

    proptest! {
        #[test]
        fn cleaned_text_is_one_bounded_printable_line(text in "(\\PC|[<>&;/\"=!\\-\\n\\t\\x00-\\x20]|<b>|&lt;|<script>){0,120}", max in 1usize..60) {
            let line = plain(&text, max);
            prop_assert!(line.chars().count() <= max + 1);
            let printed = probity_core::printable::line(&line).into_owned();
            prop_assert_eq!(&printed, &line);
            prop_assert_eq!(line.trim(), line.as_str());
            prop_assert!(!line.contains("  "));
        }
    }
}
