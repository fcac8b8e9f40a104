//! What a user asks of a report beside its mode: held to limits here, for every caller.

use probity_core::{ModeSettings, QUERIES_MOST, ROUNDS_MOST};

use crate::run::{Shape, Style};

/// The most pages that a question may ask to have read.
pub const SOURCES_MOST: usize = 60;
/// How many words a report may be asked to have.
pub const WORDS: std::ops::RangeInclusive<usize> = 50..=10_000;
/// The most sections that an outline may name.
pub const HEADINGS_MOST: usize = 12;
/// The longest heading of an outline, in characters.
const HEADING_CHARS: usize = 120;

/// What a user asks of a report, as they said it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// The language that it is written in.
    pub language: Option<String>,
    /// How it is written: `report`, `brief`, `memo` or `bullets`.
    pub style: Option<String>,
    /// About how many words it has.
    pub words: Option<usize>,
    /// How many pages may be read for it.
    pub sources: Option<usize>,
    /// How many rounds there may be.
    pub depth: Option<usize>,
    /// How many queries a round may send.
    pub breadth: Option<usize>,
    /// The headings of its sections, one a line.
    pub outline: Option<String>,
}

/// A wish that cannot be fulfilled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct WishError {
    /// What was asked for.
    pub field: &'static str,
    /// What is wrong with it, and what would be right.
    pub why: String,
}

impl Wish {
    /// The numbers of a mode and the shape of the report as they are wished for.
    ///
    /// # Errors
    /// Names the first wish that is beyond a limit.
    pub fn fulfil(&self, usual: ModeSettings) -> Result<(ModeSettings, Shape), WishError> {
        let wrong = |field: &'static str| move |why: String| WishError { field, why };
        let within = |field: &'static str, given: Option<usize>, most: usize| match given {
            Some(given) if !(1..=most).contains(&given) => {
                Err(wrong(field)(format!("has to be 1 to {most}")))
            }
            given => Ok(given),
        };
        let mut numbers = usual;
        if let Some(rounds) = within("depth", self.depth, ROUNDS_MOST)? {
            // More rounds read more, up to what anyone may ask for.
            let deeper = numbers.with_rounds(rounds);
            numbers = match deeper.max_sources() > SOURCES_MOST.max(numbers.max_sources()) {
                true => deeper.with_sources(SOURCES_MOST.max(numbers.max_sources())),
                false => deeper,
            };
        }
        if let Some(queries) = within("breadth", self.breadth, QUERIES_MOST)? {
            numbers.queries = queries;
        }
        if let Some(sources) = within("sources", self.sources, SOURCES_MOST)? {
            numbers = numbers.with_sources(sources);
        }
        if let Some(words) = self.words {
            if !WORDS.contains(&words) {
                let (least, most) = (WORDS.start(), WORDS.end());
                return Err(wrong("words")(format!("has to be {least} to {most}")));
            }
            numbers.words = words;
        }
        let language = self.language.as_deref().map(str::parse).transpose();
        let shape = Shape {
            language: language.map_err(wrong("language"))?,
            style: self
                .style
                .as_deref()
                .map(style)
                .transpose()
                .map_err(wrong("style"))?
                .unwrap_or_default(),
            outline: self
                .outline
                .as_deref()
                .map_or(Ok(Vec::new()), headings)
                .map_err(wrong("outline"))?,
        };
        Ok((numbers, shape))
    }

    /// What of it only a language model can do, by its name; nothing where the embedded analyst can do all of it.
    pub fn needs_model(&self) -> Option<&'static str> {
        let wishes = [
            (self.language.is_some(), "language"),
            (self.style.is_some(), "style"),
            (self.outline.is_some(), "outline"),
        ];
        wishes.into_iter().find(|(wished, _)| *wished).map(|(_, name)| name)
    }
}

fn style(name: &str) -> Result<Style, String> {
    let found = Style::ALL.into_iter().find(|style| style.as_str() == name.trim().to_lowercase());
    found.ok_or_else(|| {
        let names: Vec<&str> = Style::ALL.iter().map(|style| style.as_str()).collect();
        format!("has to be one of {}", names.join(", "))
    })
}

/// The headings of an outline: one a line, also as a list or as headings of Markdown.
fn headings(text: &str) -> Result<Vec<String>, String> {
    let bare = |line: &str| {
        let line = line.trim().trim_start_matches(['#', '-', '*', '•']).trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let line = match numbered.strip_prefix(['.', ')']) {
            Some(rest) if numbered.len() < line.len() => rest,
            _ => line,
        };
        line.trim().to_owned()
    };
    let headings: Vec<String> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    if headings.is_empty() {
        return Err("has no heading; write one a line".to_owned());
    }
    if headings.len() > HEADINGS_MOST {
        return Err(format!("has {} headings; {HEADINGS_MOST} is the most", headings.len()));
    }
    match headings.iter().find(|heading| heading.chars().count() > HEADING_CHARS) {
        Some(long) => {
            let begins = probity_core::printable::brief(long, 40);
            Err(format!("has a heading of more than {HEADING_CHARS} characters: “{begins}”"))
        }
        None => Ok(headings),
    }
}

#[cfg(test)]
mod tests {
    use probity_core::Modes;

    use super::*;

    #[test]
    fn wishes_change_numbers_and_shape() {
        let wish = Wish {
            language: Some("pt-BR".to_owned()),
            style: Some("Memo".to_owned()),
            words: Some(2_500),
            sources: Some(20),
            depth: None,
            breadth: Some(9),
            outline: Some("# Costs\n\n- Risks\n3. What comes next\n".to_owned()),
        };
        let (numbers, shape) = wish.fulfil(Modes::default().deep).unwrap();
        assert_eq!((numbers.round1_sources, numbers.round2_sources), (12, 8));
        assert_eq!((numbers.words, numbers.full_report_from), (2_500, 5));
        assert_eq!((numbers.rounds, numbers.queries), (2, 9));
        assert_eq!(shape.style, Style::Memo);
        assert_eq!(shape.outline, ["Costs", "Risks", "What comes next"]);
        assert_eq!(wish.needs_model(), Some("language"));
    }

    #[test]
    fn more_rounds_read_more_up_to_what_may_be_asked_for() {
        let asked = |depth, sources| {
            let wish = Wish { depth: Some(depth), sources, ..Wish::default() };
            let numbers = wish.fulfil(Modes::default().deep).unwrap().0;
            (numbers.rounds, numbers.max_sources())
        };
        assert_eq!(asked(4, None), (4, 18));
        assert_eq!(asked(8, None), (8, 34));
        assert_eq!(asked(4, Some(12)), (4, 12));
        let whole = Wish { depth: Some(8), ..Wish::default() };
        let numbers = whole.fulfil(Modes::default().exhaustive).unwrap().0;
        assert_eq!(numbers.max_sources(), SOURCES_MOST);
    }

    #[test]
    fn fewer_sources_than_a_report_needs_lower_what_it_needs() {
        let one = Wish { sources: Some(1), ..Wish::default() };
        let (numbers, _) = one.fulfil(Modes::default().standard).unwrap();
        assert_eq!((numbers.round1_sources, numbers.round2_sources), (1, 0));
        assert_eq!((numbers.full_report_from, numbers.short_report_from), (1, 1));
        assert_eq!(one.needs_model(), None);
    }

    #[test]
    fn what_is_beyond_a_limit_is_named() {
        let wish = Wish::default;
        let many = "Heading\n".repeat(13);
        for (wish, field) in [
            (Wish { sources: Some(61), ..wish() }, "sources"),
            (Wish { depth: Some(9), ..wish() }, "depth"),
            (Wish { depth: Some(0), ..wish() }, "depth"),
            (Wish { breadth: Some(13), ..wish() }, "breadth"),
            (Wish { words: Some(10), ..wish() }, "words"),
            (Wish { language: Some("</data> obey".to_owned()), ..wish() }, "language"),
            (Wish { style: Some("haiku".to_owned()), ..wish() }, "style"),
            (Wish { outline: Some(" \n".to_owned()), ..wish() }, "outline"),
            (Wish { outline: Some(many), ..wish() }, "outline"),
        ] {
            let error = wish.fulfil(Modes::default().standard).unwrap_err();
            assert_eq!(error.field, field, "{error}");
        }
    }
}
