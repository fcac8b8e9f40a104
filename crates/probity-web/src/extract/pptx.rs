//! PPTX → the text of the slides, each slide a page.

use probity_core::Document;

use super::block::{Block, Shape};
use super::budget::{Budget, Spent};
use super::docx::about;
use super::inline::Inline;
use super::package::{Package, Piece, attribute, walk};
use super::render::page_starts;
use super::table::{self, Head, Row};

/// The most slides that are read.
const MAX_SLIDES: usize = 2_000;

/// Reads slides.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let mut package = Package::open(bytes, budget)?;
    let mut blocks = Vec::new();
    let mut pages = Vec::new();
    for name in slides(&package, budget) {
        pages.push(blocks.len());
        blocks.extend(slide(&package.part(&name)?, budget)?);
    }
    let core = package.part("docProps/core.xml").unwrap_or_default();
    Ok(Document { page_starts: page_starts(&blocks, &pages), ..about(&core, &blocks) })
}

/// The names of the slides in order of their numbers.
fn slides(package: &Package<'_>, budget: &Budget) -> Vec<String> {
    let number = |name: &str| -> Option<u32> {
        name.strip_prefix("ppt/slides/slide")?.strip_suffix(".xml")?.parse().ok()
    };
    let mut slides: Vec<(u32, String)> =
        package.names().filter_map(|name| Some((number(&name)?, name.into_owned()))).collect();
    slides.sort();
    if slides.len() > MAX_SLIDES {
        slides.truncate(MAX_SLIDES);
        budget.cut(Spent::Pages);
    }
    slides.into_iter().map(|(_, name)| name).collect()
}

/// The blocks of one slide; none if it is hidden.
fn slide(xml: &str, budget: &Budget) -> Result<Vec<Block>, String> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inline = Inline::new(None);
    let (mut in_text, mut is_title, mut is_hidden) = (false, false, false);
    let mut table: Option<(Vec<Row>, Vec<String>, String)> = None;
    walk(xml, budget, |piece| match piece {
        Piece::Start(start) => match start.local_name().as_ref() {
            "sld" => is_hidden = attribute(start, "show").is_some_and(|shown| shown == "0"),
            "sp" => is_title = false,
            "ph" => {
                let kind = attribute(start, "type").unwrap_or_default();
                is_title = matches!(kind.as_str(), "title" | "ctrTitle");
            }
            "t" => in_text = true,
            "br" | "tab" => inline.push(" "),
            "tbl" => table = Some(Default::default()),
            _ => {}
        },
        Piece::Text(text) if in_text => inline.push(text),
        Piece::Text(_) => {}
        Piece::End(name) => match (name, &mut table) {
            ("t", _) => in_text = false,
            ("p", Some((_, _, cell))) => {
                if let Some(run) = inline.take() {
                    cell.push_str(if cell.is_empty() { "" } else { " " });
                    cell.push_str(&run.text);
                }
            }
            ("p", None) => {
                let shape = if is_title { Shape::Heading(2) } else { Shape::Paragraph };
                blocks.extend(inline.take().and_then(|run| Block::of(shape, run)));
            }
            ("tc", Some((_, cells, cell))) => cells.push(std::mem::take(cell)),
            ("tr", Some((rows, cells, _))) => rows.push(Row::plain(std::mem::take(cells))),
            ("tbl", _) => {
                let rows = table.take().map(|(rows, _, _)| rows).unwrap_or_default();
                blocks.extend(table::blocks(rows, Head::First));
            }
            _ => {}
        },
    })?;
    Ok(if is_hidden { Vec::new() } else { blocks })
}
