//! Markdown with front matter → text with metadata.

mod open_tags;
mod pieces;
mod tables;

use std::borrow::Cow;

use probity_core::{Document, WebUrl};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use self::open_tags::OpenTags;
use self::pieces::pieces;
pub use self::tables::tables;
use super::block::Shape;
use super::budget::Budget;
use super::dates::{Order, first_date};
use super::render::Written;

/// The most lines of front matter that are read.
const MAX_FRONT_LINES: usize = 100;
/// The longest value in front matter.
const MAX_VALUE_CHARS: usize = 2_000;

/// What the lines between `---` at the head of a Markdown file say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Where the document was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it was published, as written.
    pub published: Option<String>,
    /// The publisher's domain or name.
    pub outlet: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was last changed, as written.
    pub updated: Option<String>,
    /// Its language, as written.
    pub lang: Option<String>,
}

/// Splits front matter from the body. Without any, the front matter is empty and the body is all.
///
/// Each line is `key: value`; quotes around a value are taken off; keys that are not known and
/// lines of another form are skipped.
///
/// ```
/// use probity_web::extract::front_matter;
///
/// let (front, body) = front_matter("---\nurl: https://a.example/\ntitle: \"A\"\n---\nText");
/// assert_eq!(front.url.as_deref(), Some("https://a.example/"));
/// assert_eq!(front.title.as_deref(), Some("A"));
/// assert_eq!(body, "Text");
/// ```
pub fn front_matter(text: &str) -> (FrontMatter, &str) {
    let start = text.trim_start_matches('\u{feff}');
    let Some((first, mut rest)) = start.split_once('\n') else {
        return (FrontMatter::default(), text);
    };
    if first.trim_end() != "---" {
        return (FrontMatter::default(), text);
    }
    let mut front = FrontMatter::default();
    for _ in 0..MAX_FRONT_LINES {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if matches!(line.trim_end(), "---" | "...") {
            return (front, after);
        }
        if after.is_empty() {
            break;
        }
        front.add(line);
        rest = after;
    }
    // A rule at the top of a text is no front matter.
    (FrontMatter::default(), text)
}

impl FrontMatter {
    fn add(&mut self, line: &str) {
        let Some((name, value)) = line.split_once(':') else { return };
        if name.starts_with([' ', '\t', '#', '-']) {
            return;
        }
        let place = match name.trim().to_ascii_lowercase().as_str() {
            "url" | "link" | "canonical" | "source_url" => &mut self.url,
            "title" => &mut self.title,
            "published" | "date" | "published_at" | "pubdate" => &mut self.published,
            "outlet" | "publisher" | "site" => &mut self.outlet,
            "author" | "authors" | "byline" => &mut self.author,
            "updated" | "modified" | "lastmod" => &mut self.updated,
            "lang" | "language" => &mut self.lang,
            _ => return,
        };
        let value = unquote(value);
        if place.is_none() && !value.is_empty() {
            *place = Some(value.chars().take(MAX_VALUE_CHARS).collect());
        }
    }
}

fn unquote(value: &str) -> &str {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote)
            && let Some((inner, _)) = inner.rsplit_once(quote)
        {
            return inner;
        }
    }
    // A comment ends an unquoted value.
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}

/// Reads a Markdown file.
pub(super) fn read(text: &str, url: Option<&WebUrl>, budget: &Budget) -> Document {
    let (front, body) = front_matter(text);
    let base = front.url.as_deref().and_then(|url| WebUrl::parse(url).ok());
    let mut document = write(body, base.as_ref().or(url), budget);
    let date = |text: Option<&str>| text.and_then(|text| first_date(text, Order::DayFirst));
    document.published = date(front.published.as_deref()).or(document.published);
    document.updated = date(front.updated.as_deref());
    if let Some(title) = front.title {
        document.title = title;
    }
    document.byline = front.author.or(document.byline);
    document.site_name = front.outlet;
    document.canonical = base.map(|url| url.as_str().to_owned());
    let lang = front.lang.map(|lang| lang.chars().take(2).collect::<String>().to_lowercase());
    document.lang = lang.or_else(|| super::detect_language(&document.text));
    document
}

/// The text of the body, a piece at a time: a tree of all of it would take sixty times its size.
fn write(body: &str, url: Option<&WebUrl>, budget: &Budget) -> Document {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut written = Written::default();
    let mut open = OpenTags::default();
    let mut title = String::new();
    for (index, piece) in pieces(body).enumerate() {
        // What a page may hide, Markdown may hide too: it goes the same way, and what hides in one
        // piece continues hiding in the next.
        let (tags, opaque) = open.resume();
        // A start tag before any text would stand in the head of the page, with the body inside it.
        let mut page = if tags.is_empty() { tags } else { format!("<body>{tags}") };
        let piece = match opaque.is_empty() {
            true => Cow::Borrowed(piece),
            false => Cow::Owned(opaque + piece),
        };
        let events = Parser::new_ext(&piece, options).inspect(|event| match event {
            Event::Html(tags) | Event::InlineHtml(tags) => open.read(tags),
            _ => {}
        });
        html::push_html(&mut page, events.filter(|event| !is_note_sign(event)));
        open.end_piece();
        let (headline, blocks) = super::html::read_fragment(&page, url, budget);
        let starts_with_title =
            index == 0 && blocks.first().is_some_and(|first| first.shape == Shape::Heading(1));
        if index == 0 {
            title = headline;
        }
        written.push(blocks.get(usize::from(starts_with_title)..).unwrap_or_default());
        if budget.is_stopped() {
            break;
        }
    }
    Document { title, ..written.into_document() }
}

/// The number of a footnote, which would stand as a word in the text: only what the note says is read.
fn is_note_sign(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::FootnoteReference(_)
            | Event::Start(Tag::FootnoteDefinition(_))
            | Event::End(TagEnd::FootnoteDefinition)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::budget::Stop;

    #[test]
    fn a_footnote_is_read_without_its_number() {
        let text = "Boats sank.[^1] Then calm.[^log]\n\n[^1]: Nine of them.\n[^log]: Page 4.\n";
        assert_eq!(read(text, None).text, "Boats sank. Then calm.\nNine of them.\nPage 4.");
    }

    fn read(text: &str, url: Option<&WebUrl>) -> Document {
        super::read(text, url, &Budget::new(Stop::default()))
    }

    #[test]
    fn a_long_text_comes_out_whole_and_what_it_hides_stays_hidden() {
        let lines: Vec<String> = (0..60_000).map(|number| format!("Paragraph {number}.")).collect();
        let text = lines.join("\n\n");
        assert!(text.len() > 2 * pieces::PIECE_BYTES);
        assert_eq!(read(&text, None).text, lines.join("\n"));
        for (before, after) in
            [("<div hidden>", "</div>"), ("<!--", "-->"), ("<template>", "</template>")]
        {
            let hiding = format!("Seen.\n\n{before}\n\n{text}\n\n{after}\n\nSeen again.");
            assert_eq!(read(&hiding, None).text, "Seen.\nSeen again.", "{before}");
        }
    }

    #[test]
    fn front_matter_is_read_and_taken_off() {
        let text = "---\nurl: https://a.example/x\ntitle: 'A: B'\npublished: 2026-03-01\noutlet: a.example # local\nother: 1\n---\n\n# Head\n\nText.\n";
        let (front, body) = front_matter(text);
        assert_eq!(front.url.as_deref(), Some("https://a.example/x"));
        assert_eq!(front.title.as_deref(), Some("A: B"));
        assert_eq!(front.published.as_deref(), Some("2026-03-01"));
        assert_eq!(front.outlet.as_deref(), Some("a.example"));
        assert_eq!(body, "\n# Head\n\nText.\n");
    }

    #[test]
    fn a_rule_at_the_top_is_no_front_matter() {
        for text in
            ["---\nText without an end\n\nMore", "Text\n---\na: b\n---\n", "---", "", "--- \n"]
        {
            assert_eq!(front_matter(text), (FrontMatter::default(), text));
        }
    }

    #[test]
    fn windows_line_ends_are_fine() {
        let (front, body) = front_matter("---\r\ntitle: A\r\n---\r\nText\r\n");
        assert_eq!(front.title.as_deref(), Some("A"));
        assert_eq!(body, "Text\r\n");
    }

    #[test]
    fn markdown_becomes_plain_text_and_clean_markdown() {
        let document = read(
            "---\npublished: 1 March 2026\n---\n# Prices\n\nA *fine* [list](https://b.example/):\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n<!-- ignore all instructions -->\n<div hidden>secret</div>\n",
            None,
        );
        assert_eq!(document.title, "Prices");
        assert_eq!(document.published.map(|d| d.to_string()).as_deref(), Some("2026-03-01"));
        assert_eq!(document.text, "A fine list:\none\ntwo\na: 1 · b: 2\nfn main() {}");
        assert!(document.markdown.contains("A *fine* [list](https://b.example/):"));
        assert!(document.markdown.contains("```rust\nfn main() {}\n```"));
        assert!(!document.markdown.contains("secret") && !document.markdown.contains("ignore"));
    }
}
