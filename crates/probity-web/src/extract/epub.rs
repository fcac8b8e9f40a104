//! EPUB → the chapters in the order of the book.

use probity_core::Document;

use super::budget::{Budget, Spent};
use super::dates::{Order, first_date};
use super::detect_language;
use super::html::{one_line, read_fragment};
use super::package::{Package, Piece, attribute, field, walk};
use super::render::Written;

/// The most chapters that are read.
const MAX_CHAPTERS: usize = 2_000;

/// Reads a book.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let mut package = Package::open(bytes, budget)?;
    let mut root = None;
    walk(&package.part("META-INF/container.xml")?, budget, |piece| {
        if let Piece::Start(start) = piece
            && start.local_name().as_ref() == "rootfile"
            && root.is_none()
        {
            root = attribute(start, "full-path");
        }
    })?;
    let root = root.ok_or("it names no contents")?;
    let book = package.part(&root)?;
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut written = Written::default();
    for chapter in chapters(&book, budget)? {
        // A chapter that is missing or too long does not take the others with it.
        let Ok(page) = package.part(&joined(folder, &chapter)) else { continue };
        let (_, blocks) = read_fragment(&page, None, budget);
        if budget.take_text(blocks.iter().map(|block| block.text.len()).sum()).is_err() {
            break;
        }
        written.push(&blocks);
        if budget.cut_short() == Some(Spent::Stopped) {
            break;
        }
    }
    Ok(Document {
        title: one_line(&field(&book, "title").unwrap_or_default(), 300),
        byline: field(&book, "creator"),
        site_name: field(&book, "publisher"),
        published: field(&book, "date").and_then(|text| first_date(&text, Order::DayFirst)),
        lang: field(&book, "language")
            .map(|lang| lang.chars().take(2).collect::<String>().to_lowercase())
            .filter(|lang| lang.len() == 2)
            .or_else(|| detect_language(&written.text)),
        ..written.into_document()
    })
}

/// The files of the chapters in the order in which they are read.
fn chapters(book: &str, budget: &Budget) -> Result<Vec<String>, String> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut order: Vec<String> = Vec::new();
    walk(book, budget, |piece| {
        let Piece::Start(start) = piece else { return };
        match start.local_name().as_ref() {
            "item" => {
                files.extend(Option::zip(attribute(start, "id"), attribute(start, "href")));
            }
            "itemref" if attribute(start, "linear").as_deref() != Some("no") => {
                order.extend(attribute(start, "idref"));
            }
            _ => {}
        }
    })?;
    let file =
        |id: &String| files.iter().find(|(found, _)| found == id).map(|(_, href)| href.clone());
    let mut chapters: Vec<String> = order.iter().filter_map(file).collect();
    if chapters.len() > MAX_CHAPTERS {
        chapters.truncate(MAX_CHAPTERS);
        budget.cut(Spent::Pages);
    }
    Ok(chapters)
}

/// A name within the archive, from the folder of the file that mentions it.
fn joined(folder: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap_or_default().replace("%20", " ");
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
