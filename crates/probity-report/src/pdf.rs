//! The report as a PDF: real links, citations that jump, page numbers, embedded fonts, tags.
//!
//! ```text
//! report → rows of text (compose) → lines on pages (flow) → drawing (draw)
//! ```
//!
//! Latin, Greek and Cyrillic come from fonts of our own, so such a report is the same file on every
//! machine. Only for letters that these lack are the system's fonts looked at, and only when the
//! caller allows it. A letter that no font has is drawn as a box and reported as a problem.

mod compose;
mod draw;
mod findings;
mod flow;
mod fonts;
mod tag;

use std::collections::BTreeSet;

use krilla::SerializeSettings;
use probity_core::{Problem, ProblemKind};

use crate::assemble::CheckedReport;
use crate::format::{Format, RenderError, Rendered};
use compose::compose;
use flow::Flow;
use fonts::Typesetter;

/// Letters that no font has are named up to this many.
const NAMED_LETTERS: usize = 20;

/// Sets a report on pages; gives the file and the letters that no font has.
fn set(
    report: &CheckedReport,
    system_fonts: bool,
    settings: SerializeSettings,
) -> Result<(Vec<u8>, BTreeSet<char>), String> {
    let rows = compose(report);
    let foreign = system_fonts && rows.iter().any(|row| !fonts::covers(row));
    let mut typesetter = Typesetter::new(foreign);
    let mut flow = Flow::new();
    flow.place(rows, &mut typesetter);
    draw::draw(report, flow.finish(), &mut typesetter, settings)
}

/// Renders a report.
///
/// # Errors
/// When the document cannot be put together.
pub fn pdf(report: &CheckedReport, system_fonts: bool) -> Result<Rendered, RenderError> {
    let (bytes, missing) = set(report, system_fonts, SerializeSettings::default())
        .map_err(|reason| RenderError::Failed { format: Format::Pdf, reason })?;
    let problems = if missing.is_empty() {
        Vec::new()
    } else {
        let letters: Vec<String> = missing
            .iter()
            .take(NAMED_LETTERS)
            .map(|c| format!("{c} (U+{:04X})", u32::from(*c)))
            .collect();
        let detail = format!(
            "{} letters are in no font that was found and are drawn as boxes: {}",
            missing.len(),
            letters.join(", ")
        );
        vec![Problem::new(ProblemKind::Output, "pdf", detail)]
    };
    Ok(Rendered { bytes, problems })
}

#[cfg(test)]
mod tests {
    use krilla::configure::{Accessibility, ConfigurationBuilder};

    use super::*;

    /// What can be checked by machine of the standard for documents that everybody can read.
    #[test]
    fn stored_reports_have_what_screen_readers_need() {
        let runs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
        let mut checked = 0;
        for file in std::fs::read_dir(runs).unwrap() {
            let path = file.unwrap().path();
            let report = crate::restore(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let configuration =
                ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1);
            let settings = SerializeSettings {
                configuration: configuration.finish().unwrap(),
                ..SerializeSettings::default()
            };
            let made = set(&report, false, settings);
            assert!(made.is_ok(), "{}: {:?}", path.display(), made.err());
            checked += 1;
        }
        assert_eq!(checked, 6);
    }
}
