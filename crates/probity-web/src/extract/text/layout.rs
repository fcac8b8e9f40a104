//! A paragraph of plain text, as its lines are laid out → headings, items of lists, running text.

use super::super::block::{Block, Shape};
use super::super::cut_words::Compounds;
use super::super::dates::{Order, dates_in};

/// Lines that reach this far are wrapped by hand, shorter ones stand for themselves; longer ones than the second are
/// whole paragraphs.
const WRAPPED_CHARS: usize = 55;
const LONGEST_WRAPPED: usize = 100;
/// So many blanks part the columns of a table. Justified text and the ends of sentences have fewer.
const GAP: &str = "   ";
/// The longest heading, in characters, and the longest that nothing but its place shows, in words.
const HEADING_CHARS: usize = 80;
const HEADING_WORDS: usize = 8;
/// The largest number of an item.
const LARGEST: u32 = 999;
/// Signs that begin an item.
const BULLETS: [char; 8] = ['-', '*', '+', '•', '·', '‣', '▪', '–'];

/// The lines of a paragraph, without blank ones.
pub(super) type Lines<'a> = [&'a str];

/// Where a paragraph stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place<'a> {
    /// The title of the text, if it has one.
    pub(super) title: &'a str,
    /// The first line of the next paragraph.
    pub(super) next: Option<&'a str>,
    /// What is right before it, and how far to the right the last item there begins, if it has any.
    pub(super) before: Option<&'a Shape>,
    pub(super) items_at: Option<usize>,
}

/// The blocks of a paragraph.
pub(super) fn blocks(lines: &Lines<'_>, place: Place<'_>, compounds: &Compounds<'_>) -> Vec<Block> {
    if let Some((level, heading, rest)) = underlined(lines) {
        let heading = Block::plain(Shape::Heading(level), heading.trim());
        return heading.into_iter().chain(units(rest, compounds)).collect();
    }
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !is_rule(line.trim())).collect();
    let is_titled =
        |(first, _): &(&&str, &[&str])| place.before.is_none() && first.trim() == place.title;
    if let Some((title, rest)) = lines.split_first().filter(is_titled).filter(|_| heads(&lines)) {
        let title = Block::plain(Shape::Heading(1), title.trim());
        return title.into_iter().chain(units(rest, compounds)).collect();
    }
    if let Some((heading, rest)) = outdented(&lines) {
        let heading = Block::plain(Shape::Heading(2), heading.trim());
        return heading.into_iter().chain(units(rest, compounds)).collect();
    }
    match lines.as_slice() {
        [_, _]
            if place.next.is_some() && lines.iter().all(|line| is_loud(line) && is_open(line)) =>
        {
            let heading = Block::plain(Shape::Heading(2), &compounds.join(&lines));
            heading.into_iter().collect()
        }
        [line] => {
            let shape = heading(line, place).map(Shape::Heading);
            let whole = shape.and_then(|shape| Block::plain(shape, line.trim()));
            whole.map_or_else(|| units(&lines, compounds), |block| vec![block])
        }
        lines => units(lines, compounds),
    }
}

/// Whether a line is drawn with one sign: `=====`.
pub(super) fn is_rule(line: &str) -> bool {
    let first = line.bytes().next().filter(u8::is_ascii_punctuation);
    line.len() >= 3 && line.bytes().all(|byte| Some(byte) == first)
}

/// A heading with a rule under it, maybe also over it, its level, and the lines that follow.
fn underlined<'a>(lines: &'a Lines<'a>) -> Option<(u8, &'a str, &'a Lines<'a>)> {
    let over = usize::from(lines.first().is_some_and(|line| is_rule(line.trim())));
    let (heading, rest) = lines.get(over..)?.split_first()?;
    let (rule, rest) = rest.split_first()?;
    let fits = is_rule(rule.trim()) && !is_rule(heading.trim());
    let level = if rule.trim().starts_with('=') { 1 } else { 2 };
    (fits && heading.trim().chars().count() <= HEADING_CHARS).then_some((level, *heading, rest))
}

/// A short first line that stands further left than all others, and they.
fn outdented<'a, 'b>(lines: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let (first, rest) = lines.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let stands_out = rest.iter().all(|line| indent(line) > indent(first));
    let fits =
        stands_out && reach(first) < WRAPPED_CHARS && is_open(first) && item(first).is_none();
    // What introduces a list is no heading.
    let leads = rest.first().is_some_and(|line| item(line).is_some());
    (fits && !leads && begins(first.trim())).then_some((first, rest))
}

/// The level of a line that stands alone, if it is a heading.
fn heading(whole: &str, place: Place<'_>) -> Option<u8> {
    let line = whole.trim();
    if line == place.title {
        return Some(1);
    }
    let fits = line.chars().count() <= HEADING_CHARS && is_open(line) && begins(line);
    if !fits || line.contains(GAP) {
        return None;
    }
    // What heads nothing is no heading.
    let next = place.next?;
    if let Some((parts, rest)) = numbered(line) {
        // Lines with numbers of one kind after another are a list.
        let follows = place.items_at == Some(indent(whole));
        let is_followed = numbered(next.trim()).is_some_and(|(parts, _)| parts == 1);
        let is_listed = parts == 1 && (follows || is_followed);
        let level = u8::try_from(parts.saturating_add(1).min(6)).unwrap_or(6);
        return Some(level).filter(|_| !is_listed && begins(rest));
    }
    let is_plain = item(line).is_none() && !line.starts_with(['#', '>', '|', '<', '[', '@']);
    let heads = next.trim().chars().count() >= WRAPPED_CHARS && indent(next) < WRAPPED_CHARS;
    let is_short = line.split_whitespace().count() <= HEADING_WORDS;
    let is_dated = !dates_in(line, Order::DayFirst).is_empty();
    let is_headed = matches!(place.before, Some(Shape::Heading(_)));
    let is_heading = is_loud(line) || heads && is_short && !is_headed && !is_dated;
    Some(2).filter(|_| is_plain && is_heading)
}

/// Whether a line is in capitals.
fn is_loud(line: &str) -> bool {
    let letters = || line.chars().filter(|c| c.is_alphabetic());
    letters().count() > 3 && letters().all(char::is_uppercase)
}

/// The place of the last item that begins in some lines.
pub(super) fn items_at(lines: &Lines<'_>) -> Option<usize> {
    lines.iter().rev().find(|line| item(line).is_some()).map(|line| indent(line))
}

/// How many parts the number of a section has, and what follows it: `3.1. Powers`.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.split_once(char::is_whitespace)?;
    let parts: Vec<&str> = number.trim_end_matches(['.', ')']).split('.').collect();
    let is_number = |part: &&str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let marked = parts.len() > 1 || number.ends_with(['.', ')']);
    (marked && parts.iter().all(is_number)).then_some((parts.len(), rest.trim_start()))
}

/// Whether a text begins as a heading does.
fn begins(text: &str) -> bool {
    text.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| !c.is_lowercase())
}

/// Whether a line does not end like a sentence or a part of one.
fn is_open(line: &str) -> bool {
    !line.trim_end().ends_with(['.', ',', ';', ':', '!', '-', '–', '—', '…', '"', '”'])
}

/// How far a line is from the left, and how far it reaches, in characters.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count()
}

fn reach(line: &str) -> usize {
    line.trim_end().chars().count()
}

/// The items and the running text of a paragraph.
fn units(lines: &Lines<'_>, compounds: &Compounds<'_>) -> Vec<Block> {
    let mut units: Vec<Vec<&str>> = Vec::new();
    for line in lines {
        let may_begin = |unit: &Vec<&str>| {
            let before = unit.last().copied().unwrap_or_default();
            let is_listed = unit.first().is_some_and(|first| item(first).is_some());
            is_listed || !is_open(before) || reach(before) < WRAPPED_CHARS
        };
        match units.last_mut() {
            Some(unit) if item(line).is_none() || !may_begin(unit) => unit.push(line),
            _ => units.push(vec![line]),
        }
    }
    units.iter().flat_map(|unit| unit_blocks(unit, compounds)).collect()
}

/// One block where lines are wrapped or an item goes on, else a block a line.
fn unit_blocks(lines: &[&str], compounds: &Compounds<'_>) -> Vec<Block> {
    let Some((first, rest)) = lines.split_first() else { return Vec::new() };
    if let Some((number, text)) = item(first) {
        let all: Vec<&str> =
            std::iter::once(text).chain(rest.iter().map(|line| line.trim())).collect();
        let shape = Shape::Item { depth: 0, number };
        return Block::plain(shape, &compounds.join(&all)).into_iter().collect();
    }
    if is_wrapped(lines) {
        let all: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        return Block::plain(Shape::Paragraph, &compounds.join(&all)).into_iter().collect();
    }
    lines.iter().filter_map(|line| Block::plain(Shape::Paragraph, line)).collect()
}

/// Whether the lines of a paragraph end where they were full.
pub(in super::super) fn is_wrapped(lines: &Lines<'_>) -> bool {
    let all_but_last = lines.get(..lines.len().saturating_sub(1)).unwrap_or_default();
    !all_but_last.is_empty()
        && all_but_last.iter().all(|line| {
            let is_one = !line.contains('\t') && !line.trim().contains(GAP);
            (WRAPPED_CHARS..=LONGEST_WRAPPED).contains(&reach(line)) && is_one
        })
}

/// Whether the first line of a paragraph is above it: no sentence goes on beyond it, and it ends although the next word
/// had a place on it.
pub(super) fn heads(lines: &Lines<'_>) -> bool {
    let [first, second, ..] = lines else { return false };
    let width = lines.iter().skip(1).map(|line| reach(line)).max().unwrap_or(0);
    let word = second.split_whitespace().next().unwrap_or_default();
    is_open(first)
        && second.trim().starts_with(char::is_uppercase)
        && reach(second) >= WRAPPED_CHARS
        && reach(first) + 1 + word.chars().count() <= width
}

/// The number of an item and its text, if a line begins one. Letters and Roman numbers stay with the text, because the
/// lists here have none.
fn item(line: &str) -> Option<(Option<u32>, &str)> {
    let line = line.trim();
    let (mark, rest) = line.split_once(char::is_whitespace)?;
    let text = Some(rest.trim_start()).filter(|text| text.contains(char::is_alphanumeric))?;
    let mut letters = mark.chars();
    if let (Some(sign), None) = (letters.next(), letters.next()) {
        let is_bullet =
            BULLETS.contains(&sign) || sign == 'o' && rest.starts_with(char::is_whitespace);
        return is_bullet.then_some((None, text));
    }
    let bare = mark.strip_prefix('(').unwrap_or(mark);
    let bare =
        bare.strip_suffix(')').or_else(|| bare.strip_suffix('.').filter(|_| bare == mark))?;
    if let Ok(number) = bare.parse::<u32>() {
        return Some((Some(number), text)).filter(|_| number <= LARGEST);
    }
    let is_letter = bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_roman = (1..=5).contains(&bare.len()) && bare.bytes().all(|b| b"ivx".contains(&b));
    (mark.ends_with(')') && (is_letter || is_roman)).then_some((None, line))
}
