//! Text → laid-out lines, with fonts of our own and, where they lack letters, the system's.

use std::borrow::Cow;
use std::sync::Arc;

use parley::fontique::{Blob, Collection, CollectionOptions};
use parley::style::{
    FontFamily, FontFamilyName, FontWeight, LineHeight, OverflowWrap, StyleProperty,
};
use parley::{Alignment, FontContext, Layout, LayoutContext};

use super::compose::{Cell, Row, Target};

const SERIF: &str = "Noto Serif";
const SANS: &str = "Noto Sans";
/// Where signs come from that the text fonts lack: ours first, then what systems usually have,
/// because systems name no fallback for letters that belong to no script.
const SIGNS: [&str; 7] = [
    "Noto Sans Math",
    "Noto Sans Symbols2",
    "Noto Sans Symbols",
    "DejaVu Sans",
    "Segoe UI Symbol",
    "Apple Symbols",
    "Noto Emoji",
];
const FILES: [&[u8]; 5] = [
    include_bytes!("../../assets/fonts/NotoSerif-Regular.ttf"),
    include_bytes!("../../assets/fonts/NotoSerif-Bold.ttf"),
    include_bytes!("../../assets/fonts/NotoSans-Regular.ttf"),
    include_bytes!("../../assets/fonts/NotoSansMath-Regular.ttf"),
    include_bytes!("../../assets/fonts/NotoSansSymbols2-Regular.ttf"),
];

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Face {
    pub(crate) serif: bool,
    pub(crate) bold: bool,
    pub(crate) size: f32,
    /// The height of a line as a multiple of the size.
    pub(crate) leading: f32,
}

/// The colours of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Color {
    #[default]
    Ink,
    Soft,
    Accent,
    Warning,
}

/// What glyphs are drawn with: a colour, and the link they belong to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ink {
    pub(crate) color: Color,
    pub(crate) link: Option<Arc<Target>>,
}

/// A text with its lines.
pub(crate) struct Set {
    pub(crate) text: String,
    pub(crate) layout: Layout<Ink>,
}

/// Lays texts out.
pub(crate) struct Typesetter {
    fonts: FontContext,
    layouts: LayoutContext<Ink>,
}

impl Typesetter {
    pub(crate) fn new(system_fonts: bool) -> Self {
        let collection = Collection::new(CollectionOptions { system_fonts, ..Default::default() });
        let mut fonts = FontContext { collection, source_cache: Default::default() };
        for file in FILES {
            fonts.collection.register_fonts(Blob::new(Arc::new(file)), None);
        }
        Self { fonts, layouts: LayoutContext::new() }
    }

    /// Breaks a cell's text into lines.
    pub(crate) fn set(&mut self, cell: Cell) -> Set {
        let text: String = cell.spans.iter().map(|span| span.text.as_str()).collect();
        let mut builder = self.layouts.ranged_builder(&mut self.fonts, &text, 1.0, false);
        let family = if cell.face.serif { SERIF } else { SANS };
        let families: Vec<FontFamilyName<'_>> = [family]
            .into_iter()
            .chain(SIGNS)
            .map(|name| FontFamilyName::Named(Cow::Borrowed(name)))
            .collect();
        builder.push_default(StyleProperty::FontFamily(FontFamily::List(Cow::Owned(families))));
        builder.push_default(StyleProperty::FontSize(cell.face.size));
        builder.push_default(LineHeight::FontSizeRelative(cell.face.leading));
        // Addresses have no spaces, and some languages no breaks: anything may be cut to fit.
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        if cell.face.bold {
            builder.push_default(StyleProperty::FontWeight(FontWeight::BOLD));
        }
        let mut start = 0;
        for span in cell.spans {
            let end = start + span.text.len();
            if span.bold {
                builder.push(StyleProperty::FontWeight(FontWeight::BOLD), start..end);
            }
            let ink = Ink { color: span.color, link: span.link.map(Arc::new) };
            builder.push(StyleProperty::Brush(ink), start..end);
            start = end;
        }
        let mut layout = builder.build(&text);
        layout.break_all_lines(Some(cell.width));
        layout.align(if cell.end { Alignment::End } else { Alignment::Start }, Default::default());
        Set { text, layout }
    }
}

/// Whether our own fonts have every letter of a row.
pub(crate) fn covers(row: &Row) -> bool {
    row.cells.iter().flat_map(|cell| &cell.spans).all(|span| span.text.chars().all(is_own))
}

/// Whether our own fonts have a letter; see `scripts/make-fonts`.
fn is_own(c: char) -> bool {
    matches!(c,
        ' '..='~' | '\u{a0}'..='\u{24f}' | '\u{259}' | '\u{2b0}'..='\u{377}' | '\u{37a}'..='\u{37f}'
        | '\u{384}'..='\u{38a}' | '\u{38c}' | '\u{38e}'..='\u{3a1}' | '\u{3a3}'..='\u{3e1}'
        | '\u{3f0}'..='\u{52f}' | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{2064}'
        | '\u{20a0}'..='\u{20bf}' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{21ae}'
        | '\u{21f4}'..='\u{22ff}' | '\u{25a0}'..='\u{2609}' | '\u{fffd}')
}

#[cfg(test)]
mod tests {
    use skrifa::{FontRef, MetadataProvider as _};

    use super::*;

    #[test]
    fn every_letter_called_ours_is_in_a_font() {
        let fonts: Vec<FontRef<'_>> =
            FILES.iter().map(|file| FontRef::new(file).unwrap()).collect();
        for c in ('\u{20}'..='\u{ffff}').filter(|c| is_own(*c)) {
            assert!(fonts.iter().any(|font| font.charmap().map(c).is_some()), "U+{:04X}", c as u32);
        }
    }
}
