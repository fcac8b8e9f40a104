//! Rows → lines at their places on pages: where pages end, and what stays together.

use std::rc::Rc;

use super::compose::{Role, Row};
use super::fonts::{Set, Typesetter};

/// An A4 page, in points.
pub(crate) const PAGE: (f32, f32) = (595.0, 842.0);
/// Where the text begins and ends.
pub(crate) const LEFT: f32 = 72.0;
pub(crate) const TOP: f32 = 72.0;
pub(crate) const BOTTOM: f32 = 770.0;
/// The most rows in a line that are kept with what follows.
const MAX_HELD: usize = 6;
/// The most pages that are made: a bound for what no report reaches.
const MAX_PAGES: usize = 2_000;

/// A line at its place.
pub(crate) struct PlacedLine {
    /// The row and cell that it belongs to; none for what only tells where a page is.
    pub(crate) of: Option<(usize, usize)>,
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

/// A row and where it begins: what links, outline and tags point at.
pub(crate) struct Begun {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) cells: usize,
    pub(crate) place: Place,
}

/// Every page with its lines, and every row in its order.
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
    pub(crate) rows: Vec<Begun>,
}

/// Pages in the making.
pub(crate) struct Flow {
    pages: Pages,
    y: f32,
    /// The head of the table that is being placed.
    head: Option<Vec<Cursor>>,
}

/// A row whose text is broken into lines.
struct Block {
    role: Role,
    cells: Vec<Cursor>,
    before: f32,
}

impl Block {
    fn new(row: Row, typesetter: &mut Typesetter) -> Self {
        let cells = row.cells.into_iter();
        let cells =
            cells.map(|cell| Cursor { x: cell.x, next: 0, set: Rc::new(typesetter.set(cell)) });
        Self { role: row.role, cells: cells.collect(), before: row.before }
    }

    fn height(&self) -> f32 {
        self.cells.iter().map(|cursor| cursor.set.layout.height()).fold(0.0, f32::max)
    }
}

/// How far a cell's lines have been placed.
#[derive(Clone)]
struct Cursor {
    set: Rc<Set>,
    x: f32,
    next: usize,
}

impl Flow {
    pub(crate) fn new() -> Self {
        let pages = Pages { pages: vec![Page::default()], rows: Vec::new() };
        Self { pages, y: TOP, head: None }
    }

    pub(crate) fn finish(self) -> Pages {
        self.pages
    }

    /// Places rows below each other. What must be on the page of what follows is held back until that
    /// is known: a heading goes to the next page with the head of its table and the first row.
    pub(crate) fn place(&mut self, rows: Vec<Row>, typesetter: &mut Typesetter) {
        let mut held: Vec<Block> = Vec::new();
        for row in rows {
            let keep = row.keep && held.len() < MAX_HELD;
            held.push(Block::new(row, typesetter));
            if !keep {
                self.put(std::mem::take(&mut held));
            }
        }
        self.put(held);
    }

    /// Places blocks that begin on one page.
    fn put(&mut self, blocks: Vec<Block>) {
        let whole: f32 = blocks.iter().map(|block| block.before + block.height()).sum();
        let last = blocks.last().map_or(0.0, |block| block.height() - first_lines(&block.cells));
        if self.y + whole - last > BOTTOM && self.y > TOP {
            let goes_on = blocks.first().is_some_and(|block| block.role == Role::Cells);
            self.turn(goes_on);
        }
        blocks.into_iter().for_each(|block| self.set(block));
    }

    fn set(&mut self, mut block: Block) {
        if self.y > TOP {
            self.y += block.before;
        }
        let place = (self.pages.pages.len() - 1, self.y);
        let row = self.pages.rows.len();
        self.pages.rows.push(Begun {
            role: block.role,
            text: block.cells.first().map(|cell| cell.set.text.clone()).unwrap_or_default(),
            cells: block.cells.len(),
            place,
        });
        if block.role != Role::Cells {
            self.head = (block.role == Role::Head).then(|| block.cells.clone());
        }
        loop {
            self.fill_row(Some(row), &mut block.cells);
            let done = block.cells.iter().all(|cursor| cursor.next >= cursor.set.layout.len());
            if done || self.pages.pages.len() >= MAX_PAGES {
                break;
            }
            self.turn(block.role == Role::Cells);
        }
        if block.role.is_ruled() {
            self.rule();
        }
    }

    fn fill_row(&mut self, row: Option<usize>, cells: &mut [Cursor]) {
        let cells = cells.iter_mut().enumerate();
        let filled = cells.map(|(place, cursor)| self.fill(row.map(|row| (row, place)), cursor));
        let used = filled.fold(0.0, f32::max);
        self.y += used;
    }

    fn rule(&mut self) {
        self.y += 2.0;
        let y = self.y;
        if let Some(page) = self.pages.pages.last_mut() {
            page.rules.push(y);
        }
    }

    /// Places as many lines of a cell as the page has room for, one at the least where the page is
    /// fresh; gives the height they take.
    fn fill(&mut self, of: Option<(usize, usize)>, cursor: &mut Cursor) -> f32 {
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
                of,
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

    /// Begins a page; a table that continues there has the names of its columns again.
    fn turn(&mut self, table_goes_on: bool) {
        if self.pages.pages.len() >= MAX_PAGES {
            return;
        }
        self.pages.pages.push(Page::default());
        self.y = TOP;
        if let Some(mut head) = self.head.clone().filter(|_| table_goes_on) {
            self.fill_row(None, &mut head);
            self.rule();
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

#[cfg(test)]
mod tests {
    use super::super::compose::{Cell, Span};
    use super::super::fonts::{Color, Face};
    use super::*;

    const FACE: Face = Face { serif: false, bold: false, size: 10.0, leading: 1.4 };

    fn row(text: &str) -> Row {
        let span = Span { text: text.to_owned(), bold: false, color: Color::Ink, link: None };
        let cell = Cell { x: 0.0, width: 400.0, face: FACE, end: false, spans: vec![span] };
        Row { role: Role::Text, cells: vec![cell], before: 0.0, keep: false }
    }

    /// The pages of a table with its heading after this many rows of text, as the words of its
    /// lines.
    fn pages(before: usize, rows: usize) -> Vec<Vec<String>> {
        let mut all: Vec<Row> = (0..before).map(|_| row("text")).collect();
        all.push(Row { keep: true, ..row("heading") });
        all.push(Row { role: Role::Head, keep: true, ..row("names") });
        all.extend((0..rows).map(|_| Row { role: Role::Cells, ..row("cell") }));
        all.push(row("after"));
        let mut flow = Flow::new();
        flow.place(all, &mut Typesetter::new(false));
        let words = |page: &Page| page.lines.iter().map(|line| line.set.text.clone()).collect();
        flow.finish().pages.iter().map(words).collect()
    }

    #[test]
    fn a_heading_stands_with_the_first_row_of_its_table() {
        for before in 40..60 {
            let pages = pages(before, 3);
            let with = pages.iter().find(|page| page.iter().any(|word| word == "heading"));
            let with = with.unwrap();
            let at = with.iter().position(|word| word == "heading").unwrap();
            assert_eq!(with[at..at + 3], ["heading", "names", "cell"], "after {before} rows");
        }
    }

    #[test]
    fn a_table_that_goes_on_has_its_head_on_every_page() {
        let pages = pages(0, 200);
        assert!(pages.len() > 3, "{}", pages.len());
        for page in &pages[1..] {
            assert_eq!(page[..2], ["names", "cell"]);
            assert_eq!(page.iter().filter(|word| *word == "names").count(), 1);
        }
        let cells = pages.iter().flatten().filter(|word| *word == "cell").count();
        assert_eq!(cells, 200);
        assert_eq!(pages.iter().flatten().filter(|word| *word == "after").count(), 1);
    }
}
