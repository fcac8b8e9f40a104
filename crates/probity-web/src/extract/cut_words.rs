//! Words that the end of a line has cut in two, as mail, RFCs and manual pages have them.

use std::collections::HashSet;

/// The fewest words of a preformatted line that is prose: code and options are left alone.
const PROSE_WORDS: usize = 4;
/// The fewest letters on either side of the cut.
const LETTERS: usize = 2;

/// The words with hyphens within the lines of a text.
#[derive(Default)]
pub(crate) struct Compounds<'t>(HashSet<&'t str>);

impl<'t> Compounds<'t> {
    /// Reads a text.
    pub(crate) fn of(text: &'t str) -> Self {
        let is_part = |c: char| c.is_alphanumeric() || c == '-';
        let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches('-'));
        Self(words.filter(|word| word.contains('-')).collect())
    }

    /// Lines as one; words that were cut are whole again. The hyphen stays where the text has the word with it.
    pub(crate) fn join(&self, lines: &[&str]) -> String {
        let mut joined = String::new();
        for (index, line) in lines.iter().enumerate() {
            let next = lines.get(index.saturating_add(1)).copied().unwrap_or_default();
            match cut(line, next) {
                Some(cut) => joined.push_str(self.head(line, cut)),
                None => {
                    joined.push_str(line);
                    joined.push(' ');
                }
            }
        }
        joined.truncate(joined.trim_end().len());
        joined
    }

    /// Preformatted text in which the rest of a word that was cut stands on the line where the word begins.
    pub(crate) fn mend_lines(&self, text: &str) -> String {
        let mut mended = String::with_capacity(text.len());
        let mut lines = text.lines().peekable();
        let mut moved = 0;
        while let Some(whole) = lines.next() {
            let line = whole.get(moved..).unwrap_or_default();
            if line.is_empty() && moved > 0 {
                moved = 0;
                continue;
            }
            let next = lines.peek().copied().unwrap_or_default();
            let is_prose = line.split_whitespace().nth(PROSE_WORDS.saturating_sub(1)).is_some();
            if let Some(cut) = cut(line, next).filter(|_| is_prose) {
                mended.push_str(self.head(line, cut));
                let rest = next.trim_start();
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                mended.push_str(rest.get(..end).unwrap_or_default());
                let after = rest.get(end..).unwrap_or_default().trim_start();
                moved = next.len().saturating_sub(after.len());
            } else {
                mended.push_str(line);
                moved = 0;
            }
            mended.push('\n');
        }
        mended.truncate(mended.trim_end_matches('\n').len());
        mended
    }

    /// The line up to where the rest of its last word follows.
    fn head<'l>(&self, line: &'l str, cut: Cut<'_>) -> &'l str {
        let line = line.trim_end();
        let compound = format!("{}-{}", cut.head, cut.rest);
        let end = if self.0.contains(compound.as_str()) { line.len() } else { line.len() - 1 };
        line.get(..end).unwrap_or_default()
    }
}

/// The two parts of a word that was cut.
#[derive(Clone, Copy)]
struct Cut<'l> {
    head: &'l str,
    rest: &'l str,
}

/// The word that a line cuts at its end, if it does: small letters on both sides of a hyphen, and no other sign
/// before them, as options of programs have.
fn cut<'l>(line: &'l str, next: &'l str) -> Option<Cut<'l>> {
    let word = line.trim_end().strip_suffix('-')?.rsplit(char::is_whitespace).next()?;
    let head = word.trim_start_matches(['(', '"', '\'', '“', '‘', '[']);
    let next = next.trim_start();
    let rest = next.get(..next.find(|c: char| !c.is_lowercase()).unwrap_or(next.len()))?;
    let is_word = head.chars().all(char::is_alphabetic)
        && head.chars().next_back().is_some_and(char::is_lowercase);
    let is_long = |text: &str| text.chars().nth(LETTERS.saturating_sub(1)).is_some();
    (is_word && is_long(head) && is_long(rest)).then_some(Cut { head, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_with_the_words_that_they_cut() {
        let text = "It is a long-term plan.";
        let joined = |lines: &[&str]| Compounds::of(text).join(lines);
        assert_eq!(
            joined(&["wrapped at sev-", "enty columns", "or so"]),
            "wrapped at seventy columns or so"
        );
        assert_eq!(joined(&["for the long-", "term plan"]), "for the long-term plan");
        assert_eq!(joined(&["in Baden-", "Baden"]), "in Baden- Baden");
        assert_eq!(joined(&["from 3-", "to 5"]), "from 3- to 5");
    }

    #[test]
    fn lines_of_preformatted_prose_get_their_words_back_and_code_does_not() {
        let mended = |text: &str| Compounds::of(text).mend_lines(text);
        assert_eq!(
            mended(
                "  The program reads its configu-\n  ration from a file, named on the com-\n  mand line."
            ),
            "  The program reads its configuration\nfrom a file, named on the command\nline."
        );
        assert_eq!(
            mended("Words are cut where lines en-\nd\nhere."),
            "Words are cut where lines en-\nd\nhere."
        );
        assert_eq!(
            mended("Words are cut as they stan-\nding\nhere."),
            "Words are cut as they standing\nhere."
        );
        for code in [
            "a = b -\nc",
            "run it as -v --config-\nfile x",
            "x-\ny",
            "one-\ntwo three",
            "\n\na\n\n  b",
        ] {
            assert_eq!(mended(code), code.trim_end_matches('\n'));
        }
    }
}
