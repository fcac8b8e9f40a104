//! The dates that readers see: beside the headline, in `<time>`, in lines about the text.

use jiff::civil::Date;

use super::super::names::Hints;
use super::super::tag::Tag;
use super::super::tree::{Attr, NodeId, Tree};
use super::Sources;
use super::published::Dates;
use crate::extract::dates::{Order, Written, dates_in, first_date, is_plausible};

/// The longest line that is taken for one about the text rather than of it.
const MAX_LINE_CHARS: usize = 160;
/// How many elements that may hold a date are read.
const MAX_CANDIDATES: usize = 400;

/// A date on the page and how much speaks for it.
#[derive(Clone, Copy)]
struct Candidate {
    date: Date,
    weight: i32,
    is_update: bool,
    node: NodeId,
}

/// The days that readers see, and whether that of publication is where such a day belongs.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) dates: Dates,
    pub(super) is_sure: bool,
}

/// The day of publication and of the last change, as they are shown.
pub(super) fn find(page: &Sources<'_>, order: Order) -> Seen {
    let candidates = candidates(page, order);
    let best = |updates: bool| {
        candidates
            .iter()
            .filter(|candidate| candidate.is_update == updates)
            .max_by_key(|candidate| (candidate.weight, std::cmp::Reverse(candidate.node)))
            .filter(|best| best.weight >= UNSURE || is_only_date(&candidates, best.date))
    };
    let published = best(false);
    Seen {
        dates: Dates {
            published: published.map(|candidate| candidate.date),
            updated: best(true).map(|candidate| candidate.date),
            is_guessed: false,
        },
        is_sure: published.is_some_and(|candidate| candidate.weight >= SURE),
    }
}

/// From what weight a date is where the day of publication belongs.
const SURE: i32 = 60;
/// Below this weight, a date counts only if the page shows no other.
const UNSURE: i32 = 10;

fn is_only_date(candidates: &[Candidate], date: Date) -> bool {
    candidates.iter().all(|candidate| candidate.date == date)
}

/// The year of the copyright notice, as the first of January: better than nothing, and no more.
pub(super) fn copyright_year(page: &Sources<'_>) -> Option<Date> {
    let tree = page.tree;
    let mut latest: Option<Date> = None;
    for id in tree.ids().filter(|id| tree.tag(*id) == Tag::Text && !page.visible.hidden.get(*id)) {
        let text = tree.text(id);
        let notice =
            ["©", "Copyright", "copyright", "COPYRIGHT", "(c)", "(C)"].iter().find_map(|sign| {
                let (_, rest) = text.split_once(sign)?;
                Some(rest)
            });
        let Some(notice) = notice else { continue };
        let near: String = notice.chars().take(MAX_NOTICE_CHARS).collect();
        let years = near
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| digits.len() == 4)
            .filter_map(|digits| Date::new(digits.parse().ok()?, 1, 1).ok())
            .filter(|date| is_plausible(*date));
        latest = latest.max(years.max());
    }
    latest
}

/// How far behind the sign the year of a copyright notice is.
const MAX_NOTICE_CHARS: usize = 60;

fn candidates(page: &Sources<'_>, order: Order) -> Vec<Candidate> {
    let mut found = Vec::new();
    for id in page.tree.ids() {
        if found.len() >= MAX_CANDIDATES {
            break;
        }
        if page.visible.hidden.get(id) {
            continue;
        }
        let Some((written, base)) = dated(page, id, order) else { continue };
        let Some(weight) = weigh(page, id, base) else { continue };
        for (date, is_update) in written {
            found.push(Candidate { date, weight, is_update, node: id });
        }
    }
    found
}

/// The dates that an element states, and the weight of the way it states them.
fn dated(page: &Sources<'_>, id: NodeId, order: Order) -> Option<(Vec<(Date, bool)>, i32)> {
    let tree = page.tree;
    let tag = tree.tag(id);
    if tag == Tag::Text {
        return in_line(tree, id, order).map(|dates| (dates, 10));
    }
    if !tree.has_attrs(id) && tag != Tag::Time {
        return None;
    }
    let prop = tree.attr(id, Attr::Itemprop).unwrap_or_default().to_ascii_lowercase();
    let class = tree.attr(id, Attr::Class).unwrap_or_default().to_ascii_lowercase();
    let is_time = tag == Tag::Time || tree.attr(id, Attr::Datetime).is_some();
    let is_published = prop.contains("datepublished") || prop.contains("datecreated");
    let is_changed =
        prop.contains("datemodified") || class.split_ascii_whitespace().any(|c| c == "updated");
    if !(is_time || is_published || is_changed || (tag == Tag::Abbr && class.contains("published")))
    {
        return named_line(page, id, order).map(|dates| (dates, 30));
    }
    let stated = tree
        .attr(id, Attr::Datetime)
        .or_else(|| tree.attr(id, Attr::Content))
        .or_else(|| (tag == Tag::Abbr).then(|| tree.attr(id, Attr::Title)).flatten())
        .and_then(|text| first_date(text, order))
        .or_else(|| first_date(&tree.flat_text(id, MAX_LINE_CHARS), order))?;
    let marked =
        class.contains("entry-date") || class.contains("publish") || class.contains("posted");
    let shown = first_date(&tree.flat_text(id, MAX_LINE_CHARS), order);
    // The attribute may be in another time zone than the reader's.
    let stated = shown.filter(|shown| is_next_to(*shown, stated)).unwrap_or(stated);
    let base = if is_published {
        90
    } else if marked {
        50
    } else {
        40
    };
    Some((vec![(stated, is_changed || says_update(page, id))], base))
}

/// Whether two days are the same or one apart.
pub(super) fn is_next_to(one: Date, other: Date) -> bool {
    one == other || one.tomorrow().ok() == Some(other) || other.tomorrow().ok() == Some(one)
}

/// A short line with a date in it. A line of text that happens to name a day is longer.
fn in_line(tree: &Tree, id: NodeId, order: Order) -> Option<Vec<(Date, bool)>> {
    let text = tree.text(id).trim();
    if text.len() < 6 || text.len() > MAX_LINE_CHARS || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if is_membership(&tree.flat_text(tree.parent(id), MAX_LINE_CHARS)) {
        return None;
    }
    split(text, &dates_in(text, order))
}

/// A line that is named as one about dates.
fn named_line(page: &Sources<'_>, id: NodeId, order: Order) -> Option<Vec<(Date, bool)>> {
    if !page.visible.hints.get(id).any(Hints::DATE)
        || matches!(page.tree.tag(id), Tag::Body | Tag::Meta)
    {
        return None;
    }
    let text = page.tree.flat_text(id, MAX_LINE_CHARS.saturating_add(1));
    if text.len() < 6 || text.len() > MAX_LINE_CHARS {
        return None;
    }
    split(&text, &dates_in(&text, order))
}

/// The dates of a line, each with whether the words before it speak of a change.
fn split(text: &str, dates: &[Written]) -> Option<Vec<(Date, bool)>> {
    if dates.is_empty() {
        return None;
    }
    let mut from = 0;
    let mut found = Vec::new();
    for written in dates {
        let before = text.get(from..written.start).unwrap_or_default();
        if !is_membership(before) {
            found.push((written.date, is_update_word(before)));
        }
        from = written.end;
    }
    (!found.is_empty()).then_some(found)
}

/// The day on which someone joined a forum is not the day of a post.
fn is_membership(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "joined",
        "member since",
        "registered",
        "mitglied seit",
        "beigetreten",
        "inscrit",
        "registriert",
    ]
    .iter()
    .any(|word| text.contains(word))
}

fn says_update(page: &Sources<'_>, id: NodeId) -> bool {
    let around = page.tree.parent(id);
    let text = page.tree.flat_text(around, MAX_LINE_CHARS);
    let own = page.tree.flat_text(id, MAX_LINE_CHARS);
    text.split_once(&own).is_some_and(|(before, _)| {
        let tail: String =
            before.chars().rev().take(30).collect::<Vec<_>>().into_iter().rev().collect();
        is_update_word(&tail)
    })
}

fn is_update_word(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "updat",
        "modif",
        "revis",
        "changed",
        "edited",
        "aktualisier",
        "geändert",
        "bearbeit",
        "letzte änderung",
        "stand:",
        "stand ",
        "mis à jour",
        "mise à jour",
        "actualiza",
        "atualiza",
        "aggiorna",
        "bijgewerkt",
        "gewijzigd",
        "uppdaterad",
        "oppdatert",
        "opdateret",
        "zaktualizowan",
        "обновлен",
        "изменен",
        "更新",
        "güncellen",
        "modificat",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// What place adds: near the headline, not among comments, other stories or in the foot.
fn weigh(page: &Sources<'_>, id: NodeId, base: i32) -> Option<i32> {
    let tree = page.tree;
    let mut weight = base;
    for outer in std::iter::once(id).chain(tree.ancestors(id)) {
        let tag = tree.tag(outer);
        if matches!(tag, Tag::Body | Tag::Html) {
            break;
        }
        let hints = page.visible.hints.get(outer);
        if hints.any(Hints::COMMENT) {
            return None;
        }
        if hints.any(Hints::RELATED.or(Hints::SIDE)) || matches!(tag, Tag::Aside | Tag::Nav) {
            weight -= 35;
        }
        if hints.any(Hints::FOOT) || tag == Tag::Footer {
            weight -= 15;
        }
        if tag == Tag::Li || tag == Tag::A {
            weight -= 5;
        }
    }
    let Some(headline) = page.headline else { return Some(weight) };
    // In nodes: a byline is a few elements away, another story's date dozens.
    let distance = if id > headline.node {
        id.0 - headline.node.0
    } else {
        (headline.node.0 - id.0).saturating_mul(2)
    };
    weight += match distance {
        0..=20 => 40,
        21..=60 => 30,
        61..=150 => 15,
        _ => 0,
    };
    Some(weight)
}
