//! What is on the pages → what it is: headings, paragraphs, lists, tables, links, in reading order.
//!
//! A page of a PDF says only where letters are. Screen readers, and those who copy a table, need to
//! know what belongs together; so every piece of text is marked, and the marks make a tree.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use krilla::surface::Surface;
use krilla::tagging::{
    ContentTag, Identifier, ListNumbering, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};

use super::compose::{Role, Target};
use super::flow::Begun;
use super::fonts::Ink;

/// A row and a cell of it.
type Place = (usize, usize);

/// A link's place among the tags.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkTag {
    of: Place,
    leaf: usize,
}

/// A piece of a cell's text.
enum Leaf {
    Text(Identifier),
    /// A link with its text, and the places on pages where it can be followed.
    Link {
        target: Target,
        text: Vec<Identifier>,
        spots: Vec<Identifier>,
    },
}

/// Every piece of text that was drawn, by the cell that it belongs to.
#[derive(Default)]
pub(crate) struct Tags {
    cells: BTreeMap<Place, Vec<Leaf>>,
}

impl Tags {
    /// Draws a piece of a cell's text and remembers it; what belongs to no cell is only drawn.
    pub(crate) fn mark<'a>(
        &mut self,
        surface: &mut Surface<'a>,
        of: Option<Place>,
        ink: &Ink,
        tag: ContentTag<'_>,
        draw: impl FnOnce(&mut Surface<'a>),
    ) {
        let Some(of) = of else { return draw(surface) };
        let id = surface.start_tagged(tag);
        draw(surface);
        surface.end_tagged();
        let leaves = self.cells.entry(of).or_default();
        match leaves.last_mut() {
            Some(Leaf::Link { text, .. }) if ink.link.is_some() => text.push(id),
            _ => leaves.push(Leaf::Text(id)),
        }
    }

    /// The link that a letter belongs to: the one before it if that leads to the same place, even
    /// where it began on another line.
    pub(crate) fn link(&mut self, of: Place, target: &Target) -> LinkTag {
        let leaves = self.cells.entry(of).or_default();
        let goes_on =
            matches!(leaves.last(), Some(Leaf::Link { target: last, .. }) if last == target);
        if !goes_on {
            let (text, spots) = (Vec::new(), Vec::new());
            leaves.push(Leaf::Link { target: target.clone(), text, spots });
        }
        LinkTag { of, leaf: leaves.len() - 1 }
    }

    /// Notes where a link can be followed.
    pub(crate) fn point(&mut self, tag: LinkTag, spot: Identifier) {
        let leaf = self.cells.get_mut(&tag.of).and_then(|leaves| leaves.get_mut(tag.leaf));
        if let Some(Leaf::Link { spots, .. }) = leaf {
            spots.push(spot);
        }
    }

    /// The tree of all rows.
    pub(crate) fn tree(mut self, rows: &[Begun], language: &str) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        let mut rows = rows.iter().enumerate().peekable();
        while let Some((n, row)) = rows.next() {
            let mut together = vec![(n, row)];
            while let Some(next) = rows.next_if(|(_, next)| goes_on(row.role, next.role)) {
                together.push(next);
            }
            tree.push(self.group(row, &together));
        }
        tree
    }

    /// Rows that belong together as one thing.
    fn group(&mut self, first: &Begun, rows: &[(usize, &Begun)]) -> TagGroup {
        match first.role {
            Role::Heading(level) => {
                let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
                self.row(Tag::Hn(level, Some(first.text.clone())), rows)
            }
            Role::Head | Role::Cells => self.table(rows),
            Role::Source(_) => self.sources(rows),
            Role::Item | Role::Entry => self.list(ListNumbering::None, rows),
            Role::Step => self.list(ListNumbering::Decimal, rows),
            Role::Quote => {
                let said = self.row(Tag::P, rows);
                TagGroup::with_children(Tag::BlockQuote, vec![said.into()])
            }
            Role::Text | Role::About => self.row(Tag::P, rows),
        }
    }

    fn table(&mut self, rows: &[(usize, &Begun)]) -> TagGroup {
        let mut head = TagGroup::new(Tag::THead);
        let mut body = TagGroup::new(Tag::TBody);
        for (n, row) in rows {
            let mut line = TagGroup::new(Tag::TR);
            for cell in 0..row.cells {
                let kind: TagKind = match row.role {
                    Role::Head => Tag::TH(TableHeaderScope::Column).into(),
                    _ => Tag::TD.into(),
                };
                line.push(self.cell(kind, (*n, cell)));
            }
            match row.role {
                Role::Head => head.push(line),
                _ => body.push(line),
            }
        }
        let parts = [head, body].into_iter().filter(|part| !part.children.is_empty());
        TagGroup::with_children(Tag::Table, parts.map(Node::from).collect())
    }

    /// Entries: the text, behind its label where it has one.
    fn list(&mut self, numbering: ListNumbering, rows: &[(usize, &Begun)]) -> TagGroup {
        let mut list = TagGroup::new(Tag::L(numbering));
        for (n, row) in rows {
            let mut entry = TagGroup::new(Tag::LI);
            let labels = row.cells.saturating_sub(1);
            for cell in 0..labels {
                entry.push(self.cell(Tag::Lbl, (*n, cell)));
            }
            entry.push(self.cell(Tag::LBody, (*n, labels)));
            list.push(entry);
        }
        list
    }

    /// The list of sources: a number, and the rows that tell of the source.
    fn sources(&mut self, rows: &[(usize, &Begun)]) -> TagGroup {
        let mut list = TagGroup::new(Tag::L(ListNumbering::Decimal));
        for of_one in rows.chunk_by(|_, (_, next)| next.role == Role::About) {
            let mut entry = TagGroup::new(Tag::LI);
            let mut body = TagGroup::new(Tag::LBody);
            for (n, row) in of_one {
                let label = usize::from(matches!(row.role, Role::Source(_)));
                if label > 0 {
                    entry.push(self.cell(Tag::Lbl, (*n, 0)));
                }
                for cell in label..row.cells {
                    body.push(self.cell(Tag::P, (*n, cell)));
                }
            }
            entry.push(body);
            list.push(entry);
        }
        list
    }

    /// All cells of rows as one thing.
    fn row(&mut self, kind: impl Into<TagKind>, rows: &[(usize, &Begun)]) -> TagGroup {
        let mut group = TagGroup::new(kind);
        for (n, row) in rows {
            for cell in 0..row.cells {
                group.children.extend(self.leaves((*n, cell)));
            }
        }
        group
    }

    fn cell(&mut self, kind: impl Into<TagKind>, of: Place) -> TagGroup {
        TagGroup::with_children(kind, self.leaves(of))
    }

    fn leaves(&mut self, of: Place) -> Vec<Node> {
        let leaves = self.cells.remove(&of).unwrap_or_default().into_iter();
        let nodes = leaves.flat_map(|leaf| match leaf {
            Leaf::Text(id) => vec![Node::from(id)],
            // What leads nowhere is text.
            Leaf::Link { text, spots, .. } if spots.is_empty() => {
                text.into_iter().map(Node::from).collect()
            }
            Leaf::Link { text, spots, .. } => {
                let parts = text.into_iter().chain(spots).map(Node::from).collect();
                vec![TagGroup::with_children(Tag::Link, parts).into()]
            }
        });
        nodes.collect()
    }
}

/// Whether a row is one thing with the row that began it.
fn goes_on(first: Role, next: Role) -> bool {
    match first {
        Role::Head | Role::Cells => next == Role::Cells,
        Role::Source(_) => matches!(next, Role::Source(_) | Role::About),
        Role::Item | Role::Step | Role::Entry => next == first,
        Role::Heading(_) | Role::Text | Role::Quote | Role::About => false,
    }
}
