//! Takes out blocks that are about the page rather than of the text.

use super::measure::measure_text;
use crate::extract::block::{Block, Shape};
use crate::extract::dates::{Order, dates_in};

/// How many blocks at either end are looked at for lines about the text.
const EDGE: usize = 6;

/// Drops the title, lone labels, lines of names and dates at either end, and headings that have
/// lost their text.
pub(crate) fn tidy(blocks: Vec<Block>, titles: &[&str]) -> Vec<Block> {
    let mut blocks = blocks;
    blocks.retain(|block| !(is_label(block) || is_time(block)));
    if !blocks.iter().all(is_links) {
        blocks.retain(|block| !is_links(block));
    }
    drop_title(&mut blocks, titles);
    trim_head(&mut blocks);
    trim_tail(&mut blocks);
    drop_empty_sections(blocks)
}

/// The headline is the title of the document, not part of its text; nor are headings that repeat it.
fn drop_title(blocks: &mut Vec<Block>, titles: &[&str]) {
    let titles: Vec<String> =
        titles.iter().map(|title| key(title)).filter(|key| !key.is_empty()).collect();
    let is_title = |block: &Block| {
        let text = key(&block.text);
        titles.iter().any(|title| text == *title || text.strip_prefix("re") == Some(title))
    };
    let mut at = 0;
    blocks.retain(|block| {
        at += 1;
        let is_heading = matches!(block.shape, Shape::Heading(_));
        !((at <= EDGE || is_heading) && is_title(block))
    });
    let firsts = blocks.iter().filter(|block| block.shape == Shape::Heading(1)).count();
    if firsts == 1
        && let Some(at) =
            blocks.iter().take(EDGE / 2).position(|block| block.shape == Shape::Heading(1))
    {
        blocks.remove(at);
    }
}

fn trim_head(blocks: &mut Vec<Block>) {
    let first_prose = blocks.iter().take(EDGE).position(is_prose).unwrap_or(0);
    let mut at = 0;
    blocks.retain(|block| {
        at += 1;
        at > first_prose || !(is_about_line(block) || is_scrap(block))
    });
    if let Some(first) = blocks.first_mut() {
        trim_lines(first);
    }
}

/// Cuts lines about the text off a block that continues with the text itself.
fn trim_lines(block: &mut Block) {
    while let Some((line, rest)) = block.text.split_once('\n') {
        if !is_about_text(line) || block.shape != Shape::Paragraph {
            return;
        }
        block.text = rest.to_owned();
        block.markdown =
            block.markdown.split_once("  \n").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    }
}

fn trim_tail(blocks: &mut Vec<Block>) {
    for _ in 0..EDGE {
        let Some(last) = blocks.last() else { return };
        let is_heading = matches!(last.shape, Shape::Heading(_));
        if blocks.len() < 2 || !(is_heading || is_about_line(last) || is_end_mark(last)) {
            return;
        }
        blocks.pop();
    }
}

/// A heading of this length is a paragraph in large letters.
const LONG_HEADING: u32 = 80;

/// A heading that another of its level or above follows has lost its text.
fn drop_empty_sections(blocks: Vec<Block>) -> Vec<Block> {
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        if let Shape::Heading(level) = block.shape {
            while let Some(Block { shape: Shape::Heading(last), text, .. }) = kept.last()
                && *last >= level
                && *last > 1
                && measure_text(text).0 < LONG_HEADING
            {
                kept.pop();
            }
        }
        kept.push(block);
    }
    while matches!(kept.last(), Some(Block { shape: Shape::Heading(_), .. })) && kept.len() > 1 {
        kept.pop();
    }
    kept
}

/// Letters and digits only, lower case: for comparing titles.
pub(crate) fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_prose(block: &Block) -> bool {
    let (chars, marks) = measure_text(&block.text);
    chars >= 60 && marks > 0 && matches!(block.shape, Shape::Paragraph | Shape::Item { .. })
}

/// A few words before the text that end in no mark: a place, a section, a rubric.
fn is_scrap(block: &Block) -> bool {
    let text = block.text.trim();
    block.shape == Shape::Paragraph
        && block.quotes == 0
        && measure_text(text).0 < 40
        && text.split_whitespace().count() <= 4
        && !text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：', '…', '”', '"'])
}

/// A line of names, dates and places.
fn is_about_line(block: &Block) -> bool {
    matches!(block.shape, Shape::Paragraph | Shape::Item { .. }) && is_about_text(&block.text)
}

/// Whether a line is mostly a date, or begins like a byline.
fn is_about_text(text: &str) -> bool {
    let (chars, _) = measure_text(text);
    if chars > 110 {
        return false;
    }
    let lower = text.to_lowercase();
    if chars < 70 && ABOUT_STARTS.iter().any(|start| lower.starts_with(start)) {
        return true;
    }
    let dates = dates_in(text, Order::DayFirst);
    let dated: usize = dates.iter().map(|date| date.end.saturating_sub(date.start)).sum();
    // Beside the date there is room for a time, a name and a place, not for a sentence.
    dated > 0 && text.len().saturating_sub(dated) < 60 && !ends_like_sentence(text)
}

fn ends_like_sentence(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with(['.', '!', '?', '。', '！', '？']) && text.split_whitespace().count() > 8
}

/// How lines about the text begin.
const ABOUT_STARTS: [&str; 24] = [
    "by ",
    "von ",
    "par ",
    "published",
    "posted",
    "updated",
    "last updated",
    "last modified",
    "written by",
    "reviewed by",
    "medically reviewed",
    "photo:",
    "photo by",
    "foto:",
    "image:",
    "source:",
    "quelle:",
    "author:",
    "autor:",
    "font size",
    "text size",
    "veröffentlicht",
    "publié le",
    "publicado",
];

/// What is below a text: an address, a mark that it is over.
fn is_end_mark(block: &Block) -> bool {
    block.shape == Shape::Paragraph && block.text.trim().lines().all(is_end_line)
}

fn is_end_line(line: &str) -> bool {
    let line = line.trim();
    let is_address = line.contains('@') && line.split_whitespace().count() == 1;
    let key = key(line);
    measure_text(line).0 < 60
        && (is_address
            || matches!(key.as_str(), "end" | "ends" | "fin" | "ende" | "完")
            || line.starts_with(['©', '®', '™'])
            || key.contains("allrightsreserved")
            || key.starts_with("copyright")
            || key.starts_with("责任编辑")
            || key.starts_with("责编"))
}

/// A line that is links and next to nothing else: it points away.
fn is_links(block: &Block) -> bool {
    let chars = block.text.chars().filter(|c| c.is_alphanumeric()).count();
    block.shape == Shape::Paragraph && chars < 250 && block.link_chars * 100 > chars * 90
}

/// A line that is only a time of day.
fn is_time(block: &Block) -> bool {
    let text = block.text.trim();
    block.shape == Shape::Paragraph
        && text.len() <= 8
        && text.contains(':')
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | 'h' | ' '))
}

/// Words that stand alone only in the furniture of pages, without spaces and signs.
const LABELS: &str = "share sharethis sharethisarticle sharethisstory shareon sharearticle tweet print email \
    emailthis advertisement advertisment anzeige werbung publicité publicidad pubblicità реклама advertising \
    sponsored drucken facebook twitter linkedin whatsapp pinterest reddit pocket xing flipboard telegram \
    instagram youtube mail pdf copylink linkcopied readmore readmoreabout continuereading \
    continuereadingthemainstory mehrzumthema moreonthis moreonthisstory relatedarticles relatedposts \
    relatedstories related relatedtopics tags keywords comments leaveacomment leaveareply subscribe \
    newsletter signup followus weiterlesen photo video image playvideo backtotop nachoben top home menu \
    search loading close next previous save like teilen kommentare partager compartir condividi поделиться \
    推荐阅读 相关阅读 分享到 关键词 jumptonavigationjumptosearch jumptonavigation jumptosearch \
    fromwikipediathefreeencyclopedia fontsize textsize yourreaction whatsyourreaction readnext seealso \
    skiptocontent skiptomaincontent toggletableofcontents ad ads";

fn is_label(block: &Block) -> bool {
    if block.text.len() > 60 || matches!(block.shape, Shape::Code(_) | Shape::Row { .. }) {
        return false;
    }
    let key = key(&block.text);
    let is_heading = matches!(block.shape, Shape::Heading(_));
    key.is_empty() || (!is_heading && LABELS.split_ascii_whitespace().any(|label| label == key))
}
