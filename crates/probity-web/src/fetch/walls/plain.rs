//! A page as its reader sees it: title, heading and words, in small letters.

use probity_credibility::outlet::decode_entities;

use super::Evidence;
use crate::fetch::limits::WALL_BYTES;

/// How much visible text is looked at for phrases.
const VISIBLE_BYTES: usize = 32 * 1024;

/// A page as its reader sees it. Texts are in small letters, with plain quotes and single spaces.
pub(super) struct Looks {
    /// How many letters and digits the main text has.
    pub(super) letters: usize,
    /// The page's title.
    pub(super) title: String,
    /// The first heading.
    pub(super) heading: String,
    /// The main text, or all visible text where no main text was found.
    pub(super) main: String,
    /// All visible text.
    pub(super) visible: String,
    /// The source, in small letters.
    pub(super) source: String,
}

impl Looks {
    pub(super) fn of(evidence: &Evidence<'_>, letters: usize) -> Self {
        let head = evidence.html.get(..WALL_BYTES).unwrap_or(evidence.html);
        let source = String::from_utf8_lossy(head).to_lowercase();
        let visible = tidy(&visible(&source));
        let main = match evidence.document {
            Some(document) => tidy(&format!("{} {}", document.title, document.text)),
            None => visible.clone(),
        };
        let heading = element(&source, "h1").unwrap_or_default();
        let title = element(&source, "title")
            .filter(|title| !title.is_empty())
            .or_else(|| evidence.document.map(|document| tidy(&document.title)))
            .unwrap_or_default();
        let letters = match evidence.document {
            Some(_) => letters,
            None => self::letters(&visible),
        };
        Self { letters, title, heading, main, visible, source }
    }

    /// How many of the phrases, one a line, stand in the main text.
    pub(super) fn main_says(&self, phrases: &str) -> usize {
        lines(phrases).filter(|phrase| self.main.contains(phrase)).count()
    }

    /// How many of the phrases, one a line, stand anywhere in sight.
    pub(super) fn page_says(&self, phrases: &str) -> usize {
        lines(phrases)
            .filter(|phrase| self.visible.contains(phrase) || self.main.contains(phrase))
            .count()
    }
}

/// The entries of a list: one a line, `#` before remarks.
pub(super) fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// How many letters and digits a text has: a measure that does for any script.
pub(super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Small letters, plain quotes, single spaces.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len().min(VISIBLE_BYTES));
    for word in text.split_whitespace() {
        if tidy.len() > VISIBLE_BYTES {
            break;
        }
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        let plain = word.chars().map(|c| match c {
            '\u{2019}' | '\u{2018}' | '\u{02bc}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            c => c,
        });
        tidy.extend(plain.flat_map(char::to_lowercase));
    }
    tidy
}

/// The text of the first element of a name, in a source of small letters.
fn element(source: &str, name: &str) -> Option<String> {
    let mut rest = source;
    loop {
        let (_, after) = rest.split_once(&format!("<{name}"))?;
        rest = after;
        // `<h1` also begins `<h10>`; the name must end here.
        if after.starts_with(['>', ' ', '\n', '\t', '\r']) {
            break;
        }
    }
    let (_, inner) = rest.split_once('>')?;
    let (inner, _) = inner.split_once(&format!("</{name}"))?;
    Some(tidy(&visible(inner)))
}

/// What is between the tags, without scripts and styles. Not a parser: good enough to look for
/// phrases, and linear whatever the page.
fn visible(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, tag)) = rest.split_once('<') {
        push_text(&mut text, before);
        if text.len() > VISIBLE_BYTES {
            return text;
        }
        rest = after_tag(tag);
    }
    push_text(&mut text, rest);
    text
}

/// What follows a tag, and for scripts and styles what follows their end.
fn after_tag(tag: &str) -> &str {
    if let Some(comment) = tag.strip_prefix("!--") {
        return comment.split_once("-->").map_or("", |(_, after)| after);
    }
    for name in ["script", "style", "template", "svg"] {
        let named = tag
            .strip_prefix(name)
            .is_some_and(|after| after.starts_with(['>', ' ', '\n', '\t', '/']));
        if named {
            let end = format!("</{name}");
            let after = tag.split_once(&end).map_or("", |(_, after)| after);
            return after.split_once('>').map_or("", |(_, after)| after);
        }
    }
    tag.split_once('>').map_or("", |(_, after)| after)
}

fn push_text(text: &mut String, piece: &str) {
    let piece: String = piece.chars().take(VISIBLE_BYTES).collect();
    if piece.contains('&') {
        text.push_str(&decode_entities(&piece.replace("&nbsp;", " ").replace("&rsquo;", "'")));
    } else {
        text.push_str(&piece);
    }
    text.push(' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_sees_words_and_no_scripts() {
        let source = "<title>a &amp; b</title><!-- hid > den --><style>p{}</style>\
                      <p class=x>one&nbsp;two</p><script>if (a<b) alert('no')</script><br>three <b";
        assert_eq!(tidy(&visible(source)), "a & b one two three");
    }

    #[test]
    fn elements_are_found_by_their_whole_name() {
        assert_eq!(
            element("<h10>no</h10><h1 id=a>yes <i>sir</i></h1>", "h1").as_deref(),
            Some("yes sir")
        );
        assert_eq!(element("<header>x</header>", "h1"), None);
        assert_eq!(element("<h1>never closed", "h1"), None);
    }

    #[test]
    fn a_huge_page_is_looked_at_only_so_far() {
        let source = format!("<p>{}</p>", "word ".repeat(100_000)).repeat(3);
        assert!(visible(&source).len() <= 2 * VISIBLE_BYTES + 8);
        assert!(tidy(&source).len() <= 2 * VISIBLE_BYTES);
    }
}
