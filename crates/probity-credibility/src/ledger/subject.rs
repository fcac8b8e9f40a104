//! What an editor looked at when coding: the outlet as such, an article, or a source in a report.

use probity_core::{WebUrl, printable};
use serde::Serialize;

/// The longest name of a run in a reference, in characters.
const RUN_CHARS: usize = 100;

/// The kind of thing that was coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubjectKind {
    /// The outlet as such.
    Outlet,
    /// An article, by its address.
    Article,
    /// A source that a report cites, by run and address.
    ReportSource,
}

impl SubjectKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Outlet, Self::Article, Self::ReportSource];

    /// The kind as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Outlet => "outlet",
            Self::Article => "article",
            Self::ReportSource => "report-source",
        }
    }

    /// The kind that a stored text names.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// What was coded, and where to find it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Subject {
    /// The kind of thing.
    pub kind: SubjectKind,
    /// The article's address, or the run and address of a report's source; none for an outlet.
    pub reference: Option<String>,
}

impl Subject {
    /// The outlet as such.
    pub fn outlet() -> Self {
        Self { kind: SubjectKind::Outlet, reference: None }
    }

    /// An article.
    pub fn article(url: &WebUrl) -> Self {
        Self { kind: SubjectKind::Article, reference: Some(url.as_str().to_owned()) }
    }

    /// A source that the report of a run cites. The run's name is written before the address with
    /// one space between; what is not a plain word in it is replaced.
    pub fn report_source(run: &str, url: &WebUrl) -> Self {
        let run = printable::brief(run, RUN_CHARS).replace(' ', "-");
        Self { kind: SubjectKind::ReportSource, reference: Some(format!("{run} {url}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_leads_back_to_what_was_coded() {
        let url = WebUrl::parse("https://www.reuters.com/world/x").unwrap();
        assert_eq!(Subject::outlet().reference, None);
        assert_eq!(
            Subject::article(&url).reference.as_deref(),
            Some("https://www.reuters.com/world/x")
        );
        assert_eq!(
            Subject::report_source("run 7", &url).reference.as_deref(),
            Some("run-7 https://www.reuters.com/world/x")
        );
    }

    #[test]
    fn kinds_survive_storage() {
        for kind in SubjectKind::ALL {
            assert_eq!(SubjectKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(SubjectKind::parse("Outlet"), None);
    }
}
