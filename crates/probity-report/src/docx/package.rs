//! Paragraphs and tables → XML parts → the archive.

use std::io::{Cursor, Write as _};

use askama::Template;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::block::{Block, Paragraph, Piece, in_xml};
use super::compose::Document;
use super::links::Links;
use crate::assemble::CheckedReport;
use crate::escape::one_line;
use crate::phrases::Phrases;
use crate::wording::running_title;

/// The parts that are the same in every document.
const FIXED: [(&str, &str); 4] = [
    ("[Content_Types].xml", include_str!("../../assets/docx/content_types.xml")),
    ("_rels/.rels", include_str!("../../assets/docx/package_relationships.xml")),
    ("word/settings.xml", include_str!("../../assets/docx/settings.xml")),
    ("word/styles.xml", include_str!("../../assets/docx/styles.xml")),
];

#[derive(Template)]
#[template(path = "docx/document.xml")]
struct DocumentPart<'a> {
    blocks: &'a [Block],
}

#[derive(Template)]
#[template(path = "docx/numbering.xml")]
struct NumberingPart {
    /// The numbers of the lists that each begin with 1.
    lists: Vec<usize>,
}

#[derive(Template)]
#[template(path = "docx/footnotes.xml")]
struct FootnotesPart<'a> {
    notes: &'a [Paragraph],
}

#[derive(Template)]
#[template(path = "docx/footer.xml")]
struct FooterPart<'a> {
    title: &'a Paragraph,
}

#[derive(Template)]
#[template(path = "docx/relationships.xml")]
struct RelationshipsPart<'a> {
    links: &'a Links,
}

#[derive(Template)]
#[template(path = "docx/core.xml")]
struct CorePart {
    title: String,
    question: String,
    run: String,
    created: Option<String>,
    language: &'static str,
}

/// Writes the document of a report.
pub(super) fn package(report: &CheckedReport, mut document: Document) -> Result<Vec<u8>, String> {
    let title = super::block::plain(running_title(report));
    let title = Paragraph::new("Footer", vec![title], &mut document.links);
    let written = [
        ("docProps/core.xml", core(report).render()),
        ("word/_rels/document.xml.rels", RelationshipsPart { links: &document.links }.render()),
        ("word/document.xml", DocumentPart { blocks: &document.blocks }.render()),
        ("word/footer.xml", FooterPart { title: &title }.render()),
        ("word/footnotes.xml", FootnotesPart { notes: &document.notes }.render()),
        ("word/numbering.xml", NumberingPart { lists: document.numbered() }.render()),
    ];
    let mut parts: Vec<(&str, String)> =
        FIXED.into_iter().map(|(name, text)| (name, text.to_owned())).collect();
    for (name, text) in written {
        parts.push((name, text.map_err(|error| format!("{name}: {error}"))?));
    }
    // The list of types sorts first, where readers of streams look for it.
    parts.sort_unstable();
    archive(&parts).map_err(|error| error.to_string())
}

fn core(report: &CheckedReport) -> CorePart {
    let facts = report.facts();
    // Other years are no dates in these properties, and Word would not open the document.
    let known = (1..=9_999).contains(&facts.asked_at.year());
    CorePart {
        title: in_xml(&one_line(report.title())),
        question: in_xml(&one_line(&facts.question)),
        run: in_xml(&one_line(&facts.run_id)),
        created: known.then(|| facts.asked_at.to_string()),
        language: Phrases::of_shape(facts).code(),
    }
}

/// The same parts make the same bytes: every entry has the first time that archives know.
fn archive(parts: &[(&str, String)]) -> Result<Vec<u8>, zip::result::ZipError> {
    let options = SimpleFileOptions::DEFAULT
        .compression_method(zip::CompressionMethod::Deflated)
        .unix_permissions(0o644)
        .system(zip::System::Dos);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, options)?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
