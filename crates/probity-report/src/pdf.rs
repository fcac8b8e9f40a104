//! The report as a PDF: real links, citations that jump, page numbers, embedded fonts.
//!
//! ```text
//! report → rows of text (compose) → lines on pages (flow) → drawing (draw)
//! ```
//!
//! Latin, Greek and Cyrillic come from fonts of our own, so such a report is the same file on every
//! machine. Only for letters that these lack are the system's fonts looked at, and only when the
//! caller allows it. A letter that no font has is drawn as a box and told as a problem.

mod compose;
mod draw;
mod flow;
mod fonts;

use probity_core::{Problem, ProblemKind};

use crate::assemble::CheckedReport;
use crate::format::{Format, RenderError, Rendered};
use compose::compose;
use flow::Flow;
use fonts::Typesetter;

/// Letters that no font has are named up to so many.
const NAMED_LETTERS: usize = 20;

/// Renders a report.
///
/// # Errors
/// When the document cannot be put together.
pub fn pdf(report: &CheckedReport, system_fonts: bool) -> Result<Rendered, RenderError> {
    let rows = compose(report);
    let foreign = system_fonts && rows.iter().any(|row| !fonts::covers(row));
    let mut typesetter = Typesetter::new(foreign);
    let mut flow = Flow::new();
    flow.place(rows, &mut typesetter);
    let (bytes, missing) = draw::draw(report, flow.finish(), &mut typesetter)
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
