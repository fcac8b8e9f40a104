//! Raw HTML in Markdown that one piece opens and a later one closes.

/// Elements that have no end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// The most elements that are kept open across pieces.
const MAX_OPEN: usize = 256;
/// The longest tag that is kept as it was written.
const MAX_TAG_BYTES: usize = 2_048;
/// A comment is open like an element, and ends like none.
const COMMENT: &str = "!--";
/// What Markdown does not look into until it ends, empty lines or not.
const OPAQUE: &[&str] = &[COMMENT, "script", "style", "pre", "textarea"];

/// The elements that are open where a piece ends, from the outermost.
#[derive(Default)]
pub(super) struct OpenTags {
    open: Vec<(String, String)>,
    /// Raw HTML of this piece that was not looked at yet: a tag may go over several lines.
    unread: String,
}

impl OpenTags {
    /// What is before the next piece so that it continues where this one ended: start tags in HTML,
    /// and in Markdown the start of what Markdown does not look into.
    pub(super) fn resume(&mut self) -> (String, String) {
        let opaque = self.open.pop_if(|(name, _)| OPAQUE.contains(&name.as_str()));
        let html = self.open.iter().map(|(_, tag)| tag.as_str()).collect();
        (html, opaque.map(|(_, tag)| format!("{tag}\n")).unwrap_or_default())
    }

    /// Takes in raw HTML as it comes.
    pub(super) fn read(&mut self, tags: &str) {
        self.unread.push_str(tags);
    }

    /// Looks at what came.
    pub(super) fn end_piece(&mut self) {
        let unread = std::mem::take(&mut self.unread);
        let mut rest = unread.as_str();
        while !rest.is_empty() {
            rest = match self.open.last() {
                Some((name, _)) if name == COMMENT => match rest.split_once("-->") {
                    Some((_, after)) => {
                        self.open.pop();
                        after
                    }
                    None => "",
                },
                _ => self.step(rest),
            };
        }
    }

    /// Reads up to and with the next tag.
    fn step<'a>(&mut self, text: &'a str) -> &'a str {
        let Some((_, tag)) = text.split_once('<') else { return "" };
        if let Some(comment) = tag.strip_prefix(COMMENT) {
            self.push(COMMENT.to_owned(), format!("<{COMMENT}"));
            return comment;
        }
        let (inside, after) = tag.split_once('>').unwrap_or((tag, ""));
        let is_end = inside.starts_with('/');
        let name = inside.trim_start_matches('/');
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default().to_ascii_lowercase();
        if name.is_empty() || VOID.contains(&name.as_str()) {
            return after;
        }
        if !is_end {
            let cut = inside.floor_char_boundary(MAX_TAG_BYTES);
            self.push(name, format!("<{}>", inside.get(..cut).unwrap_or_default()));
        } else if let Some(at) = self.open.iter().rposition(|(open, _)| *open == name) {
            self.open.truncate(at);
        }
        after
    }

    fn push(&mut self, name: String, tag: String) {
        if self.open.len() < MAX_OPEN {
            self.open.push((name, tag));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_after(pieces: &[&str]) -> String {
        let mut open = OpenTags::default();
        for piece in pieces {
            open.read(piece);
            open.end_piece();
        }
        let (html, markdown) = open.resume();
        html + &markdown
    }

    #[test]
    fn what_is_not_closed_stays_open() {
        assert_eq!(open_after(&["<div hidden>", "<br>", "<b>x</b>"]), "<div hidden>");
        assert_eq!(open_after(&["<div hidden>", "</div>"]), "");
        assert_eq!(open_after(&["<div\nstyle='display:none'>"]), "<div\nstyle='display:none'>");
        assert_eq!(open_after(&["<!-- <div>", "<b> still"]), "<!--\n");
        assert_eq!(open_after(&["<!-- <div>", "--> <i>"]), "<i>");
    }
}
