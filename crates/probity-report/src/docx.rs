//! The report as a Word document: real styles, citations that jump, passages as footnotes.
//!
//! ```text
//! report → paragraphs and tables (compose) → XML parts (package) → one archive
//! ```
//!
//! Every text goes through the templates' escaping and loses what XML cannot hold. The document has
//! no macro, no picture and no relationship to the outside but the links to the sources, and the
//! same report is the same file, byte for byte.

mod block;
mod compose;
mod direction;
mod findings;
mod links;
mod package;

use crate::assemble::CheckedReport;
use crate::format::{Format, RenderError, Rendered};

/// Renders a report.
///
/// # Errors
/// When the archive cannot be put together.
pub fn docx(report: &CheckedReport) -> Result<Rendered, RenderError> {
    let bytes = package::package(report, compose::compose(report))
        .map_err(|reason| RenderError::Failed { format: Format::Docx, reason })?;
    Ok(Rendered { bytes, problems: Vec::new() })
}
