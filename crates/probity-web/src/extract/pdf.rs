//! PDF → text with page numbers, title and dates.
//!
//! ```text
//! index → load → pages, a window at a time → runs of text → layout → blocks → text
//! ```
//!
//! Other people's code reads the file, so every byte that it unpacks is paid for first
//! ([`metered`]), and only a window of pages is in memory at a time.

mod apart;
mod built_in;
mod bullets;
mod columns;
mod headings;
mod index;
mod indices;
mod lay_out;
mod letter_space;
mod listing;
mod mend;
mod metered;
mod normalise;
mod one_width;
mod painted;
mod running;
mod slanted;
mod tex_codes;
mod type3;
mod unpack;
mod unread;
mod unseen;
mod upright;

use std::time::{Duration, Instant};

use jiff::civil::Date;
use pdfboss_core::{Document as Pdf, Error as Unloadable, Immediate, OcState, block_on};
use pdfboss_output::{
    FontCache, ReadingOrder, Ruling, TextSpan, retain_rulings_on_page, retain_spans_on_page,
};
use pdfboss_text::extract_spans_and_rulings_reporting_cached_with;
use probity_core::Document;

use super::block::{Block, Shape};
use super::budget::{Budget, Spent};
use super::dates::{Order, first_date, is_plausible};
use super::{BodyKind, ExtractError, detect_language};
use lay_out::Pages;
use metered::Metered;
use painted::Painted;

/// The most pages that are read.
const MAX_PAGES: usize = 2_000;
/// How long reading may take; what is read by then is the text.
const PDF_TIME: Duration = Duration::from_secs(8);
/// The most runs of text on a page.
const MAX_SPANS: usize = 100_000;
/// A page with more lines drawn on it than this shows a picture, not tables.
const MAX_RULINGS: usize = 5_000;
/// How many runs of text are in memory before their pages are laid out.
const WINDOW_SPANS: usize = 60_000;
/// The longest title.
const MAX_TITLE_CHARS: usize = 300;

/// Reads a PDF document.
///
/// # Errors
/// When it is broken beyond repair, locked with a password, or its index alone is too large.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, ExtractError> {
    let broken = |reason: String| ExtractError::Broken { kind: BodyKind::Pdf, reason };
    if !index::objects_fit(bytes) || !index::is_loadable(bytes) {
        return Err(broken("one of its objects, or its index, is too large".to_owned()));
    }
    let pdf = Pdf::load(bytes.to_vec()).map_err(|error| match error {
        Unloadable::Encrypted => ExtractError::Locked,
        error => broken(error.to_string()),
    })?;
    if pdf.is_locked() {
        return Err(ExtractError::Locked);
    }
    if !metered::object_streams_fit(&pdf, budget) {
        return Err(broken(budget.cut_short().unwrap_or(Spent::Bytes).why()));
    }
    let (document, blocks) = pages(&pdf, budget).finish();
    let about = pdf.metadata();
    let created = about.creation_date.as_deref().and_then(date);
    let lang = pdf.language().map(|lang| lang.chars().take(2).collect::<String>().to_lowercase());
    Ok(Document {
        title: title(about.title.as_deref(), &blocks),
        byline: about.author.map(|name| name.trim().to_owned()).filter(|name| is_name(name)),
        published: created,
        updated: about.mod_date.as_deref().and_then(date).filter(|date| Some(*date) >= created),
        lang: lang.filter(|lang| lang.len() == 2).or_else(|| detect_language(&document.text)),
        ..document
    })
}

type PageRuns = (Vec<TextSpan>, Vec<Ruling>, ReadingOrder);

/// A few pages: what is laid out, and beside it the slanted lines of each.
#[derive(Default)]
struct Window {
    runs: Vec<PageRuns>,
    slanted: Vec<Vec<String>>,
}

/// All pages as text, until pages, time or the budget run out.
fn pages(pdf: &Pdf, budget: &Budget) -> Pages {
    let deadline = budget.deadline(PDF_TIME);
    let mut pages = Pages::default();
    let count = pdf.flattened_page_count();
    let layers = pdf.oc_state();
    let mut next = 0;
    while next < count {
        // A fork begins without what was loaded for the pages before, the fonts' cache too.
        let (window, end) = window(&pdf.fork(), layers.as_ref(), next..count, deadline, budget);
        next = end;
        if pages.add(window, budget).is_err() {
            break;
        }
        if next >= MAX_PAGES {
            budget.cut(Spent::Pages);
        }
        if budget.cut_short().is_some_and(ends) {
            break;
        }
    }
    pages
}

/// Whether nothing more is read, or only the page that cost too much is empty.
fn ends(spent: Spent) -> bool {
    !matches!(spent, Spent::Operators)
}

/// The runs of text of the next pages, as many as are laid out at once, and the page after them.
fn window(
    pdf: &Pdf,
    layers: Option<&OcState>,
    range: std::ops::Range<usize>,
    deadline: Option<Instant>,
    budget: &Budget,
) -> (Window, usize) {
    let fonts = FontCache::default();
    let mut pages = Window::default();
    let mut spans = 0_usize;
    let mut next = range.start;
    while next < range.end.min(MAX_PAGES) && spans < WINDOW_SPANS {
        // A page that cannot be read is an empty page, so that the numbers of the others hold.
        let (runs, slanted) = page(pdf, layers, next, &fonts, deadline, budget).unwrap_or_default();
        spans = spans.saturating_add(runs.0.len());
        pages.runs.push(runs);
        pages.slanted.push(slanted);
        next = next.saturating_add(1);
        if budget.cut_short().is_some_and(ends) {
            break;
        }
    }
    (pages, next)
}

fn page(
    pdf: &Pdf,
    layers: Option<&OcState>,
    index: usize,
    fonts: &FontCache,
    deadline: Option<Instant>,
    budget: &Budget,
) -> Option<(PageRuns, Vec<String>)> {
    let page = pdf.page(index).ok()?;
    let source = Metered::new(pdf, budget, deadline);
    source.look_at_fonts(&page.resources);
    let reading = extract_spans_and_rulings_reporting_cached_with(
        Immediate(&source),
        &page,
        fonts,
        layers,
        None,
        ReadingOrder::Content,
    );
    let (mut spans, mut rulings, report) = block_on(reading).ok()?;
    retain_spans_on_page(&mut spans, &page);
    retain_rulings_on_page(&mut rulings, &page);
    spans.truncate(MAX_SPANS);
    if rulings.len() > MAX_RULINGS {
        rulings.clear();
    }
    mend::mend_sizes(&mut spans);
    unseen::drop_unseen(&mut spans, || Painted::of(&Metered::new(pdf, budget, deadline), &page));
    upright::drop_redrawn(&mut spans);
    upright::turn(&mut spans, &mut rulings);
    let slanted = slanted::take_slanted(&mut spans);
    running::drop_called_running(&mut spans);
    unread::mend_marks(&mut spans);
    let mut runs = mend::join(spans);
    mend::part_notes(&mut runs);
    apart::part(&mut runs);
    Some(((runs, rulings, report.order), slanted))
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
    let is_whole = said.chars().count() >= 4 && !said.contains(char::REPLACEMENT_CHARACTER);
    if is_whole && !is_file_name && !is_left_over {
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
