//! The formats a report can be written in, and the one function that writes them all.

use std::fmt;
use std::str::FromStr;

use probity_core::Problem;

use crate::assemble::CheckedReport;
use crate::bibtex::bibtex;
use crate::docx::docx;
use crate::html::html;
use crate::json::json;
use crate::markdown::{markdown, markdown_with_appendix};
use crate::ris::ris;

/// A format that a report can be written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown.
    #[default]
    Markdown,
    /// One HTML file that needs nothing else.
    Html,
    /// Pages to print or send.
    Pdf,
    /// A Word document to work on.
    Docx,
    /// One JSON object with everything in it.
    Json,
    /// The sources for LaTeX.
    Bibtex,
    /// The sources for reference managers.
    Ris,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] = [
        Format::Markdown,
        Format::Html,
        Format::Pdf,
        Format::Docx,
        Format::Json,
        Format::Bibtex,
        Format::Ris,
    ];

    /// The format's name, which is the usual ending of its files too.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Pdf => "pdf",
            Format::Docx => "docx",
            Format::Json => "json",
            Format::Bibtex => "bibtex",
            Format::Ris => "ris",
        }
    }

    /// What the format is, for a list of choices.
    pub fn words(self) -> &'static str {
        match self {
            Format::Markdown => "Markdown",
            Format::Html => "One HTML file that needs nothing else",
            Format::Pdf => "Pages to print or send",
            Format::Docx => "A Word document to work on",
            Format::Json => "One JSON object with everything in it",
            Format::Bibtex => "The sources for LaTeX",
            Format::Ris => "The sources for reference managers",
        }
    }

    /// The media type to serve it with.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Markdown => "text/markdown; charset=utf-8",
            Format::Html => "text/html; charset=utf-8",
            Format::Pdf => "application/pdf",
            Format::Docx => {
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            }
            Format::Json => "application/json",
            Format::Bibtex => "application/x-bibtex; charset=utf-8",
            Format::Ris => "application/x-research-info-systems; charset=utf-8",
        }
    }

    /// The format that a file's ending stands for.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let known =
            [("markdown", Format::Markdown), ("htm", Format::Html), ("bib", Format::Bibtex)];
        let known = known.into_iter().chain(Self::ALL.map(|format| (format.as_str(), format)));
        known
            .into_iter()
            .find(|(ending, _)| extension.eq_ignore_ascii_case(ending))
            .map(|(_, format)| format)
    }

    /// Whether the format is bytes that a terminal cannot show.
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Pdf | Format::Docx)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}`")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.as_str() == text);
        found.ok_or_else(|| UnknownFormat(text.chars().take(40).collect()))
    }
}

/// A report in one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The document.
    pub bytes: Vec<u8>,
    /// What could not be shown as it should, such as letters that no font has.
    pub problems: Vec<Problem>,
}

impl From<String> for Rendered {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes(), problems: Vec::new() }
    }
}

/// Why a report cannot be written in a format.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The format was left out when the program was built.
    #[error("this build writes no {0}; build it with the feature `{0}`")]
    NotBuilt(Format),
    /// The document could not be put together.
    #[error("the report cannot be written as {format}: {reason}")]
    Failed {
        /// The format.
        format: Format,
        /// Why.
        reason: String,
    },
}

/// What a format leaves open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choices {
    /// Whether Markdown has the appendix; HTML, PDF, DOCX and JSON always do.
    pub appendix: bool,
    /// Whether a PDF may take letters that our own fonts lack from the system's.
    pub system_fonts: bool,
}

/// Writes a report in a format.
///
/// # Errors
/// When the format was not built in, or the document cannot be put together.
pub fn render(
    report: &CheckedReport,
    format: Format,
    choices: Choices,
) -> Result<Rendered, RenderError> {
    Ok(match format {
        Format::Markdown if choices.appendix => markdown_with_appendix(report).into(),
        Format::Markdown => markdown(report).into(),
        Format::Html => html(report).into(),
        #[cfg(feature = "pdf")]
        Format::Pdf => crate::pdf::pdf(report, choices.system_fonts)?,
        #[cfg(not(feature = "pdf"))]
        Format::Pdf => return Err(RenderError::NotBuilt(format)),
        Format::Docx => docx(report)?,
        Format::Json => json(report).into(),
        Format::Bibtex => bibtex(report).into(),
        Format::Ris => ris(report).into(),
    })
}
