//! Rows → lines at their places on pages: where pages end, and what stays together.

use std::rc::Rc;

use super::compose::Row;
use super::fonts::{Set, Typesetter};

/// An A4 page, in points.
pub(crate) const PAGE: (f32, f32) = (595.0, 842.0);
/// Where the text begins and ends.
pub(crate) const LEFT: f32 = 72.0;
pub(crate) const TOP: f32 = 72.0;
pub(crate) const BOTTOM: f32 = 770.0;
/// A heading moves to the next page with what follows unless that much room is left below it.
const KEEP: f32 = 48.0;
/// The most pages that are made: a bound for what no report reaches.
const MAX_PAGES: usize = 2_000;

/// A line at its place.
pub(crate) struct PlacedLine {
    pub(crate) set: Rc<Set>,
    pub(crate) line: usize,
    pub(crate) x: f32,
    /// What to add to a line's own height within its text to get its height on the page.
    pub(crate) shift: f32,
}

/// A page.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) lines: Vec<PlacedLine>,
    /// Heights of the rules below the rows of tables.
    pub(crate) rules: Vec<f32>,
}

/// Where something is: page and height.
pub(crate) type Place = (usize, f32);

/// Every page with its lines, and what links and outline point at.
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
    pub(crate) sources: Vec<(usize, Place)>,
    pub(crate) outline: Vec<(u8, String, Place)>,
}

/// Pages in the making.
pub(crate) struct Flow {
    pages: Pages,
    y: f32,
}

/// How far a cell's lines have been placed.
struct Cursor {
    set: Rc<Set>,
    x: f32,
    next: usize,
}

impl Flow {
    pub(crate) fn new() -> Self {
        let pages =
            Pages { pages: vec![Page::default()], sources: Vec::new(), outline: Vec::new() };
        Self { pages, y: TOP }
    }

    pub(crate) fn finish(self) -> Pages {
        self.pages
    }

    /// Places a row below the last one.
    pub(crate) fn place(&mut self, row: Row, typesetter: &mut Typesetter) {
        let (before, keep, ruled) = (row.before, row.keep, row.ruled);
        let mut cursors: Vec<Cursor> = row
            .cells
            .into_iter()
            .map(|cell| Cursor { x: cell.x, next: 0, set: Rc::new(typesetter.set(cell)) })
            .collect();
        if self.y > TOP {
            self.y += before;
        }
        let height = cursors.iter().map(|cursor| cursor.set.layout.height()).fold(0.0, f32::max);
        let wanted = if keep { height + KEEP } else { first_lines(&cursors) };
        if self.y + wanted > BOTTOM && self.y > TOP {
            self.turn();
        }
        let place = (self.pages.pages.len() - 1, self.y);
        self.pages.sources.extend(row.source.map(|n| (n, place)));
        self.pages.outline.extend(row.outline.map(|(depth, text)| (depth, text, place)));
        loop {
            let used = cursors.iter_mut().map(|cursor| self.fill(cursor)).fold(0.0, f32::max);
            self.y += used;
            let done = cursors.iter().all(|cursor| cursor.next >= cursor.set.layout.len());
            if done || self.pages.pages.len() >= MAX_PAGES {
                break;
            }
            self.turn();
        }
        if ruled {
            self.y += 2.0;
            let y = self.y;
            if let Some(page) = self.pages.pages.last_mut() {
                page.rules.push(y);
            }
        }
    }

    /// Places as many lines of a cell as the page has room for, one at the least where the page is
    /// fresh; gives the height they take.
    fn fill(&mut self, cursor: &mut Cursor) -> f32 {
        let room = BOTTOM - self.y;
        let fresh = self.y <= TOP;
        let mut used = 0.0;
        let Some(page) = self.pages.pages.last_mut() else { return used };
        for line in cursor.set.layout.lines().skip(cursor.next) {
            let metrics = line.metrics();
            if used + metrics.line_height > room && !(fresh && used == 0.0) {
                break;
            }
            page.lines.push(PlacedLine {
                set: Rc::clone(&cursor.set),
                line: cursor.next,
                x: LEFT + cursor.x,
                shift: self.y + used - metrics.block_min_coord,
            });
            used += metrics.line_height;
            cursor.next += 1;
        }
        used
    }

    fn turn(&mut self) {
        if self.pages.pages.len() < MAX_PAGES {
            self.pages.pages.push(Page::default());
            self.y = TOP;
        }
    }
}

/// The height of the first two lines: one alone at the foot of a page looks lost.
fn first_lines(cursors: &[Cursor]) -> f32 {
    let first = |cursor: &Cursor| {
        cursor.set.layout.lines().take(2).map(|line| line.metrics().line_height).sum::<f32>()
    };
    cursors.iter().map(first).fold(0.0, f32::max)
}
