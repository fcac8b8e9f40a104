//! PDF → text with page numbers, title and dates.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use pdfboss_core::Document as Pdf;
use pdfboss_output::{
    Block as Laid, Cell, FontCache, Line, Marker, PageLayout, ReadingOrder, Role, Ruling, TextSpan,
    document_layout_with_rulings, retain_rulings_on_page, retain_spans_on_page,
};
use pdfboss_text::extract_spans_and_rulings_reporting_cached;
use probity_core::{Document, Heading};

use super::block::{Block, Shape};
use super::dates::{Order, first_date, is_plausible};
use super::inline::{Inline, Mark};
use super::{ExtractError, Kind, detect_language, render};

/// The most pages that are read.
const MAX_PAGES: usize = 2_000;
/// How long reading may take; what is read by then is the text.
const PDF_TIME: Duration = Duration::from_secs(8);
/// The most runs of text on a page.
const MAX_SPANS: usize = 200_000;
/// The longest title.
const MAX_TITLE_CHARS: usize = 300;
/// Letters smaller than this (in points) are not meant to be read.
const MIN_SIZE: f32 = 1.0;

/// Reads a PDF document.
///
/// # Errors
/// When it is broken beyond repair, or locked with a password.
pub(super) fn read(bytes: &[u8]) -> Result<Document, ExtractError> {
    let broken = |reason: String| ExtractError::Broken { kind: Kind::Pdf, reason };
    let pdf = Pdf::load(bytes.to_vec()).map_err(|error| broken(error.to_string()))?;
    if pdf.is_locked() {
        return Err(broken("it is locked with a password".to_owned()));
    }
    let layouts = document_layout_with_rulings(&pages(&pdf));
    let (text, blocks, page_starts, headings) = write(&layouts);
    let about = pdf.metadata();
    let created = about.creation_date.as_deref().and_then(date);
    let lang = pdf.language().map(|lang| lang.chars().take(2).collect::<String>().to_lowercase());
    Ok(Document {
        title: title(about.title.as_deref(), &blocks),
        byline: about.author.map(|name| name.trim().to_owned()).filter(|name| is_name(name)),
        published: created,
        updated: about.mod_date.as_deref().and_then(date).filter(|date| Some(*date) >= created),
        lang: lang.filter(|lang| lang.len() == 2).or_else(|| detect_language(&text)),
        markdown: render::markdown(&blocks),
        text,
        page_starts,
        headings,
        ..Document::default()
    })
}

type PageRuns = (Vec<TextSpan>, Vec<Ruling>, ReadingOrder);

/// The runs of text of each page, until pages or time run out.
fn pages(pdf: &Pdf) -> Vec<PageRuns> {
    let begun = Instant::now();
    let fonts = FontCache::default();
    let mut pages = Vec::new();
    for index in 0..pdf.page_count().min(MAX_PAGES) {
        if begun.elapsed() > PDF_TIME {
            break;
        }
        // A page that cannot be read is an empty page, so that the numbers of the others hold.
        let runs = pdf.page(index).and_then(|page| {
            let (mut spans, mut rulings, report) = extract_spans_and_rulings_reporting_cached(
                pdf,
                &page,
                &fonts,
                ReadingOrder::Content,
            )?;
            retain_spans_on_page(&mut spans, &page);
            retain_rulings_on_page(&mut rulings, &page);
            spans.truncate(MAX_SPANS);
            drop_unseen(&mut spans);
            Ok((spans, rulings, report.order))
        });
        pages.push(runs.unwrap_or_default());
    }
    pages
}

/// Drops letters that readers do not see: white on a page of dark text, smaller than a point, or
/// painted with no ink where other text is. A scan's hidden layer is all of its page and stays.
fn drop_unseen(spans: &mut Vec<TextSpan>) {
    let chars = |spans: &[TextSpan], test: &dyn Fn(&TextSpan) -> bool| {
        spans.iter().filter(|span| test(span)).map(|span| span.text.len()).sum::<usize>()
    };
    let all = chars(spans, &|_| true);
    let white = chars(spans, &is_white);
    let inkless = chars(spans, &|span| span.invisible);
    let drop_white = white * 3 < all;
    let drop_inkless = inkless * 2 < all;
    spans.retain(|span| {
        !(span.size.abs() < MIN_SIZE
            || (drop_white && is_white(span) && !span.highlight)
            || (drop_inkless && span.invisible))
    });
}

fn is_white(span: &TextSpan) -> bool {
    span.color.is_some_and(|(r, g, b)| r > 0.97 && g > 0.97 && b > 0.97)
}

/// All pages as blocks and text, and where in the text each page and each heading begins.
fn write(layouts: &[PageLayout]) -> (String, Vec<Block>, Vec<usize>, Vec<Heading>) {
    let mut text = String::new();
    let mut all = Vec::new();
    let mut headings = Vec::new();
    let mut starts = Vec::with_capacity(layouts.len());
    for layout in layouts {
        let blocks: Vec<Block> = layout.blocks.iter().flat_map(blocks).collect();
        let page = render::text(&blocks);
        if !text.is_empty() && !page.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        starts.push(start);
        headings.extend(
            render::headings(&blocks)
                .into_iter()
                .map(|heading| Heading { start: start + heading.start, ..heading }),
        );
        text.push_str(&page);
        all.extend(blocks);
    }
    (text, all, starts, headings)
}

fn blocks(laid: &Laid) -> Vec<Block> {
    match laid {
        Laid::Paragraph { role: Role::PageHeader | Role::PageFooter, .. } => Vec::new(),
        Laid::Paragraph { lines, role, .. } => {
            let mut block = block(Shape::Paragraph, lines, 0);
            if let Some(block) = &mut block {
                block.quotes = usize::from(*role == Role::Quote);
            }
            block.into_iter().collect()
        }
        Laid::Heading { level, lines, .. } => {
            block(Shape::Heading((*level).clamp(1, 6)), lines, 0).into_iter().collect()
        }
        Laid::List { items, .. } => items
            .iter()
            .filter_map(|item| {
                let number = match item.marker {
                    Marker::Number(number) => Some(number),
                    Marker::Bullet => None,
                };
                block(Shape::Item { depth: 0, number }, &item.lines, item.marker_len)
            })
            .collect(),
        Laid::Table { rows, .. } => rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                Block::row(row.iter().map(cell).collect(), index == 0, index == 0)
            })
            .collect(),
    }
}

fn cell(cell: &Cell) -> String {
    let text = cell.line.as_ref().map(line_text).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_text(line: &Line) -> String {
    line.inlines.iter().map(|inline| inline.text.as_str()).collect()
}

/// The lines as one block: words that a line end has cut are whole again.
fn block(shape: Shape, lines: &[Line], skip: usize) -> Option<Block> {
    let mut inline = Inline::new(None);
    let mut skip = skip;
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let next_start = lines.peek().and_then(|next| line_text(next).trim_start().chars().next());
        let count = line.inlines.len();
        for (index, piece) in line.inlines.iter().enumerate() {
            let from = piece.text.char_indices().nth(skip).map_or(piece.text.len(), |(at, _)| at);
            skip = skip.saturating_sub(piece.text.chars().count());
            let mut text = piece.text.get(from..).unwrap_or_default();
            if index.saturating_add(1) == count {
                text = without_hyphen(text, next_start);
            }
            let mark = if piece.bold && !matches!(shape, Shape::Heading(_)) {
                Some(Mark::Strong)
            } else if piece.italic {
                Some(Mark::Emphasis)
            } else {
                None
            };
            let marked = mark.map(|mark| inline.open(mark)).is_some();
            inline.push(text);
            if marked {
                inline.close();
            }
        }
        let text = line_text(line);
        let joined = text.trim_end().ends_with('\u{ad}')
            || without_hyphen(&text, next_start).len() < text.trim_end().len()
            || is_ideographic(text.trim_end().chars().next_back(), next_start);
        if !joined {
            inline.push(" ");
        }
    }
    Block::of(shape, inline.take()?)
}

/// The text without a hyphen at its end that only the line end has put there.
fn without_hyphen(text: &str, next: Option<char>) -> &str {
    let trimmed = text.trim_end();
    let Some(stem) = trimmed.strip_suffix(['-', '\u{2010}']) else { return text };
    let cuts_word = stem.chars().next_back().is_some_and(char::is_lowercase)
        && next.is_some_and(char::is_lowercase);
    if cuts_word { stem } else { text }
}

fn is_ideographic(last: Option<char>, next: Option<char>) -> bool {
    let wide = |c: char| matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}');
    last.is_some_and(wide) && next.is_some_and(wide)
}

/// `D:20190506101500+02'00'`
fn date(text: &str) -> Option<Date> {
    let text = text.trim().trim_start_matches("D:");
    let digits: String = text.chars().take(8).filter(char::is_ascii_digit).collect();
    first_date(if digits.len() == 8 { &digits } else { text }, Order::DayFirst)
        .filter(|date| is_plausible(*date))
}

/// The title of the document, else its first heading. Programs leave file names there.
fn title(said: Option<&str>, blocks: &[Block]) -> String {
    let said = said.unwrap_or_default().trim();
    let lower = said.to_lowercase();
    let is_file_name =
        [".doc", ".docx", ".indd", ".qxd", ".dvi", ".tex", ".pdf", ".xls", ".ppt", ".pptx", ".rtf"]
            .iter()
            .any(|ending| lower.ends_with(ending));
    let is_left_over =
        ["microsoft word -", "untitled", "unbenannt", "document", "slide 1", "powerpoint"]
            .iter()
            .any(|start| lower.starts_with(start));
    if said.chars().count() >= 4 && !is_file_name && !is_left_over {
        return super::html::one_line(said, MAX_TITLE_CHARS);
    }
    let heading = blocks.iter().take(20).find(|block| matches!(block.shape, Shape::Heading(_)));
    let first =
        heading.or_else(|| blocks.first().filter(|block| block.text.chars().count() <= 150));
    first.map(|block| super::html::one_line(&block.text, MAX_TITLE_CHARS)).unwrap_or_default()
}

fn is_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.chars().any(char::is_alphabetic)
        && name.chars().count() <= 200
        && !["user", "admin", "administrator", "unknown", "owner", "default"]
            .contains(&lower.as_str())
}
