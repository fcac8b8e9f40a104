//! Runs of text with inline marks → one block's plain text and Markdown.

use probity_core::WebUrl;

/// An inline mark around text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `**strong**`
    Strong,
    /// `*emphasis*`
    Emphasis,
    /// Inline code.
    Code,
    /// A link with its address as written.
    Link(String),
    /// Raised text, kept apart from the word before it only by what it is.
    Sup,
}

/// The text of one block.
pub(crate) struct Run {
    /// Without markup.
    pub(crate) text: String,
    /// With inline Markdown.
    pub(crate) markdown: String,
    /// Characters of the text that are in links.
    pub(crate) link_chars: usize,
}

/// Collects the text of one block at a time.
pub(crate) struct Inline<'a> {
    base: Option<&'a url::Url>,
    text: String,
    markdown: String,
    link_chars: usize,
    open: Vec<OpenMark>,
    /// How many of the open marks are not written yet, are links, are code.
    unwritten: usize,
    links: usize,
    codes: usize,
    /// White space that is written only if more text follows.
    gap: Gap,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Gap {
    None,
    Space,
    Line,
}

struct OpenMark {
    mark: Mark,
    /// The mark's opening sign is in the Markdown.
    written: bool,
}

impl<'a> Inline<'a> {
    /// An empty block; links are resolved against the base.
    pub(crate) fn new(base: Option<&'a url::Url>) -> Self {
        Self {
            base,
            text: String::new(),
            markdown: String::new(),
            link_chars: 0,
            open: Vec::new(),
            unwritten: 0,
            links: 0,
            codes: 0,
            gap: Gap::None,
        }
    }

    /// Appends text with white space collapsed and invisible characters left out.
    pub(crate) fn push(&mut self, text: &str) {
        let (in_link, in_code) = (self.links > 0, self.codes > 0);
        let mut rest = text;
        loop {
            let (plain, tail) = rest.split_at(plain_bytes(rest));
            if !plain.is_empty() {
                self.push_plain(plain, in_link);
            }
            let mut chars = tail.chars();
            let Some(c) = chars.next() else { break };
            rest = chars.as_str();
            if c.is_whitespace() {
                if self.gap == Gap::None {
                    self.gap = Gap::Space;
                }
                continue;
            }
            if is_invisible(c) {
                continue;
            }
            self.write_gap();
            self.write_marks();
            self.text.push(c);
            self.link_chars = self.link_chars.saturating_add(usize::from(in_link));
            if in_code {
                self.markdown.push(if c == '`' { '\'' } else { c });
            } else {
                escape(&mut self.markdown, c, in_link);
            }
        }
    }

    /// Appends text that is the same in Markdown.
    fn push_plain(&mut self, text: &str, in_link: bool) {
        self.write_gap();
        self.write_marks();
        self.text.push_str(text);
        self.markdown.push_str(text);
        if in_link {
            let visible = text.bytes().filter(|byte| *byte != b' ').count();
            self.link_chars = self.link_chars.saturating_add(visible);
        }
    }

    /// Appends preformatted text as it is.
    pub(crate) fn push_raw(&mut self, text: &str) {
        for c in text.chars().filter(|c| matches!(c, '\n' | '\t') || !is_invisible(*c)) {
            self.text.push(c);
        }
    }

    /// Starts a new line of preformatted text.
    pub(crate) fn push_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// A line break. Says whether it is the second in a row, which ends the paragraph.
    pub(crate) fn push_break(&mut self) -> bool {
        if self.text.is_empty() {
            return false;
        }
        let second = self.gap == Gap::Line;
        self.gap = Gap::Line;
        second
    }

    /// Opens a mark; its sign is written before the first text in it.
    pub(crate) fn open(&mut self, mark: Mark) {
        self.count(&mark, 1);
        self.unwritten = self.unwritten.saturating_add(1);
        self.open.push(OpenMark { mark, written: false });
    }

    /// Closes the innermost mark.
    pub(crate) fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.count(&open.mark, -1);
        if open.written {
            self.write_end(&open.mark);
        } else {
            self.unwritten = self.unwritten.saturating_sub(1);
        }
    }

    fn count(&mut self, mark: &Mark, by: isize) {
        match mark {
            Mark::Link(_) => self.links = self.links.saturating_add_signed(by),
            Mark::Code => self.codes = self.codes.saturating_add_signed(by),
            Mark::Strong | Mark::Emphasis | Mark::Sup => {}
        }
    }

    /// The text so far as a block, if there is any. Marks that are open go on in the next block.
    pub(crate) fn take(&mut self) -> Option<Run> {
        self.gap = Gap::None;
        if self.text.trim().is_empty() {
            self.text.clear();
            self.markdown.clear();
            self.link_chars = 0;
            return None;
        }
        let written: Vec<Mark> =
            self.open.iter().rev().filter(|o| o.written).map(|o| o.mark.clone()).collect();
        for mark in written {
            self.write_end(&mark);
        }
        for open in &mut self.open {
            open.written = false;
        }
        self.unwritten = self.open.len();
        Some(Run {
            text: std::mem::take(&mut self.text),
            markdown: std::mem::take(&mut self.markdown),
            link_chars: std::mem::take(&mut self.link_chars),
        })
    }

    fn write_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if self.text.is_empty() {
            return;
        }
        match gap {
            Gap::None => {}
            Gap::Space => {
                self.text.push(' ');
                self.markdown.push(' ');
            }
            Gap::Line => {
                self.text.push('\n');
                self.markdown.push_str("  \n");
            }
        }
    }

    fn write_marks(&mut self) {
        if self.unwritten == 0 {
            return;
        }
        self.unwritten = 0;
        for open in &mut self.open {
            if std::mem::replace(&mut open.written, true) {
                continue;
            }
            self.markdown.push_str(match open.mark {
                Mark::Strong => "**",
                Mark::Emphasis => "*",
                Mark::Code => "`",
                Mark::Link(_) => "[",
                Mark::Sup => "",
            });
        }
    }

    fn write_end(&mut self, mark: &Mark) {
        match mark {
            Mark::Strong => self.markdown.push_str("**"),
            Mark::Emphasis => self.markdown.push('*'),
            Mark::Code => self.markdown.push('`'),
            Mark::Sup => {}
            Mark::Link(href) => match self.resolve(href) {
                Some(url) => {
                    self.markdown.push_str("](");
                    self.markdown.push_str(&url);
                    self.markdown.push(')');
                }
                None => self.markdown.push(']'),
            },
        }
    }

    /// The address of a link, if it is one that may be followed.
    fn resolve(&self, href: &str) -> Option<String> {
        let url = match self.base {
            Some(base) => WebUrl::parse(base.join(href).ok()?.as_str()).ok()?,
            None => WebUrl::parse(href).ok()?,
        };
        Some(url.as_str().replace('(', "%28").replace(')', "%29").replace(' ', "%20"))
    }
}

/// Characters that show nothing, or that reorder what is shown: they could smuggle text past readers.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{115f}' | '\u{1160}' | '\u{3164}')
}

/// How many bytes at the start of a text are visible letters and signs of ASCII that mean nothing in Markdown, and
/// single spaces between them. Nearly all of most texts is.
fn plain_bytes(text: &str) -> usize {
    let is_plain = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(byte, b'\\' | b'`' | b'*' | b'<' | b'_' | b'[' | b']' | b'(')
    };
    let bytes = text.as_bytes();
    let mut before = b' ';
    let mut end = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match *byte {
            // One at the end may be the first of several.
            b' ' if before != b' ' => {}
            byte if is_plain(byte) => end = at + 1,
            _ => break,
        }
        before = *byte;
    }
    end
}

/// Appends a character so that Markdown reads it as text.
fn escape(markdown: &mut String, c: char, in_link: bool) {
    let before = markdown.chars().next_back();
    let is_markup = match c {
        '\\' | '`' | '*' | '<' => true,
        '_' => !before.is_some_and(char::is_alphanumeric),
        '[' | ']' => in_link,
        // Brackets alone are text; only an address behind them makes a link.
        '(' => before == Some(']'),
        _ => false,
    };
    if is_markup {
        markdown.push('\\');
    }
    markdown.push(c);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The outcome for texts that are pushed one after another, in a link or in code.
    fn pushed<'t>(texts: impl Iterator<Item = &'t str>, mark: Option<Mark>) -> Option<Run> {
        let mut inline = Inline::new(None);
        if let Some(mark) = mark {
            inline.open(mark);
        }
        texts.for_each(|text| inline.push(text));
        inline.take()
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_as_its_characters(text in "[a-c .,(<*_`\\[\\]\\\\é\t\u{200b}\n]{0,60}") {
            let marks = [None, Some(Mark::Code), Some(Mark::Link("https://a.example/".to_owned()))];
            for mark in marks {
                let whole = pushed([text.as_str()].into_iter(), mark.clone());
                let apart = pushed(text.split_inclusive(|_| true), mark);
                let parts = |run: Option<Run>| run.map(|run| (run.text, run.markdown, run.link_chars));
                prop_assert_eq!(parts(whole), parts(apart));
            }
        }
    }
}
