//! Our own Markdown → its parts: the proof that a report has the shape that was promised.

mod findings;

use crate::assemble::UNVERIFIED_MARK;
use crate::escape::plain;
use crate::phrases::{Phrase, Phrases};
pub use findings::{ParsedBlock, ParsedTheme};

/// A report as its Markdown has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The headline.
    pub title: String,
    /// What a short report says first.
    pub disclaimer: Option<String>,
    /// The question of the methodology.
    pub question: String,
    /// How many queries were sent.
    pub searches: usize,
    /// How many pages were read.
    pub read: usize,
    /// How many pages were seen.
    pub candidates: usize,
    /// How many pages were blocked.
    pub blocked: usize,
    /// The sections after the methodology: heading and text.
    pub sections: Vec<(String, String)>,
    /// The themes of the findings, with what is under each.
    pub themes: Vec<ParsedTheme>,
    /// The numbers of all citations, in the order of the text.
    pub citations: Vec<usize>,
    /// How many sentences carry the mark of a sentence that is not supported.
    pub marks: usize,
    /// The listed sources: number, title, address.
    pub sources: Vec<(usize, String, String)>,
}

/// Why a text is not a report of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A line that has to be there is not.
    #[error("the report has no {0}")]
    Missing(&'static str),
    /// A source line is not of our making.
    #[error("`{0}` is not a line of the list of sources")]
    Source(String),
}

/// Reads a report.
///
/// # Errors
/// When the text lacks a part of the shape.
pub fn parse(markdown: &str) -> Result<Parsed, ParseError> {
    let mut parsed = Parsed::default();
    let shape = language(markdown);
    let heading = format!("\n## {}\n", shape.word(Phrase::HeadingMethodology));
    let (head, rest) = markdown.split_once(&heading).ok_or(ParseError::Missing("Methodology"))?;
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    let title = lines.next().and_then(|line| line.strip_prefix("# "));
    parsed.title = plain(title.ok_or(ParseError::Missing("title"))?);
    let limited = format!("> **{}:** ", shape.word(Phrase::LabelLimited));
    parsed.disclaimer = lines.next().and_then(|l| l.strip_prefix(&limited)).map(plain);
    let mut sections = split_sections(rest);
    let methodology = if sections.is_empty() { String::new() } else { sections.remove(0).1 };
    read_methodology(&methodology, shape, &mut parsed)?;
    for (heading, text) in &sections {
        let is = |phrase| heading == shape.word(phrase);
        if is(Phrase::HeadingFindings) {
            parsed.themes = findings::read(text);
        }
        if is(Phrase::HeadingSources) {
            parsed.sources = read_sources(text)?;
        }
        if is(Phrase::HeadingFindings) || is(Phrase::HeadingConflicts) {
            let (citations, marks) = citations(text);
            parsed.citations.extend(citations);
            parsed.marks += marks;
        }
    }
    parsed.sections = sections;
    Ok(parsed)
}

/// In which language the shape of a report is: its first heading and label say so. Some languages share the heading.
fn language(markdown: &str) -> Phrases {
    let place = |shape: Phrases| {
        let (heading, label) = (Phrase::HeadingMethodology, Phrase::LabelQuestion);
        let begin = format!("\n## {}\n\n- **{}:** ", shape.word(heading), shape.word(label));
        markdown.find(&begin).map(|at| (at, shape))
    };
    let found = Phrases::all().filter_map(place).min_by_key(|(at, _)| *at);
    found.map_or(Phrases::ENGLISH, |(_, shape)| shape)
}

fn split_sections(text: &str) -> Vec<(String, String)> {
    let mut sections = vec![("Methodology".to_owned(), String::new())];
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push((heading.to_owned(), String::new()));
        } else if let Some((_, body)) = sections.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    for (_, body) in &mut sections {
        *body = body.trim().to_owned();
    }
    sections
}

fn read_methodology(text: &str, shape: Phrases, parsed: &mut Parsed) -> Result<(), ParseError> {
    let field = |phrase: Phrase| {
        let name = shape.word(phrase);
        let label = format!("- **{name}:** ");
        text.lines()
            .find_map(|line| line.strip_prefix(label.as_str()))
            .ok_or(ParseError::Missing(name))
    };
    let number = |text: &str, at: usize| {
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        numbers.map(|part| part.parse().unwrap_or(0)).nth(at).unwrap_or(0)
    };
    parsed.question = plain(field(Phrase::LabelQuestion)?);
    parsed.searches = number(field(Phrase::LabelSearches)?, 0);
    parsed.read = number(field(Phrase::LabelAnalyzed)?, 0);
    parsed.candidates = number(field(Phrase::LabelAnalyzed)?, 1);
    parsed.blocked = number(field(Phrase::LabelBlocked)?, 0);
    Ok(())
}

/// The citations in a text: `[3]` that is not escaped.
fn citations(text: &str) -> (Vec<usize>, usize) {
    let (mut found, mut marks) = (Vec::new(), 0);
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('[') {
        rest = inside;
        if !is_escaped(before, before.len())
            && let Some((label, after)) = inside.split_once(']')
        {
            match label.parse() {
                Ok(number) => found.push(number),
                Err(_) => marks += usize::from(format!("[{label}]") == UNVERIFIED_MARK),
            }
            rest = after;
        }
    }
    (found, marks)
}

/// Whether an odd number of backslashes is before this place.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1
}

fn read_sources(text: &str) -> Result<Vec<(usize, String, String)>, ParseError> {
    let one = |line: &str| {
        let (number, rest) = line.split_once(". [")?;
        let end = rest.match_indices("](").find(|(at, _)| !is_escaped(rest, *at))?.0;
        let (title, rest) = (rest.get(..end)?, rest.get(end + 2..)?);
        let (url, _) = rest.split_once(") — ")?;
        Some((number.parse().ok()?, plain(title), url.to_owned()))
    };
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| one(line).ok_or_else(|| ParseError::Source(line.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "# A title\n\n> **Limited evidence:** One source says so.\n\n## Methodology\n\n\
        - **Initial Question:** How *loud*?\n- **Searches Conducted:** 7 search queries across both rounds\n\
        - **Sources Analyzed:** 3 fetched out of 9 total candidates\n\
        - **Blocked Sources:** 2 sources blocked due to low credibility (score ≤ 0.5)\n\n## Main Findings\n\n\
        ### Limits\n\nIt is 55 dB [1] [2]. An array\\[3\\] is none [unverified].\n\n## Sources\n\n\
        1. [A \\[b\\]](https://a.example/%28x%29) — credibility 0.70 · undated\n\
        2. [C](https://c.example/) — credibility 0.60 · undated\n";

    #[test]
    fn a_report_comes_apart_into_its_parts() {
        let parsed = parse(WHOLE).unwrap();
        assert_eq!((parsed.title.as_str(), parsed.question.as_str()), ("A title", "How *loud*?"));
        assert_eq!((parsed.searches, parsed.read), (7, 3));
        assert_eq!((parsed.candidates, parsed.blocked), (9, 2));
        assert_eq!((parsed.citations, parsed.marks), (vec![1, 2], 1));
        assert_eq!(parsed.themes.len(), 1);
        let source = |n, title: &str, url: &str| (n, title.to_owned(), url.to_owned());
        let sources =
            [source(1, "A [b]", "https://a.example/%28x%29"), source(2, "C", "https://c.example/")];
        assert_eq!(parsed.sources, sources);
    }

    #[test]
    fn what_lacks_a_part_is_no_report_and_the_part_is_named() {
        for (gone, named) in [
            ("# A title", "title"),
            ("## Methodology", "Methodology"),
            ("- **Initial Question:** How *loud*?\n", "Initial Question"),
            (
                "- **Searches Conducted:** 7 search queries across both rounds\n",
                "Searches Conducted",
            ),
        ] {
            assert!(WHOLE.contains(gone), "{gone}");
            let error = parse(&WHOLE.replacen(gone, "", 1)).unwrap_err();
            assert_eq!(error, ParseError::Missing(named), "{gone}");
        }
        let forged = WHOLE.replacen("2. [C](", "2. C (", 1);
        assert!(
            matches!(parse(&forged), Err(ParseError::Source(line)) if line.starts_with("2. C"))
        );
        assert!(parse("").is_err());
    }

    #[test]
    fn a_bracket_that_is_escaped_cites_nothing() {
        for (text, numbers, marks) in [
            ("so [1].", &[1][..], 0),
            ("so \\[1].", &[], 0),
            ("so \\\\[1].", &[1], 0),
            ("so [1] [12] [unverified].", &[1, 12], 1),
            ("so [partly verified] [x].", &[], 0),
            ("so [", &[], 0),
        ] {
            assert_eq!(citations(text), (numbers.to_vec(), marks), "{text}");
        }
    }
}
