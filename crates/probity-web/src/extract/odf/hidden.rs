//! Which sheets, rows and slides of an OpenDocument file are hidden: their styles say so, before the text begins.

use std::collections::HashSet;

use quick_xml::events::BytesStart;

use crate::extract::package::attribute;

/// The styles that hide what has them.
#[derive(Default)]
pub(super) struct Hidden {
    style: String,
    styles: HashSet<String>,
}

impl Hidden {
    /// Takes note of a style.
    pub(super) fn read(&mut self, name: &str, start: &BytesStart<'_>) {
        let says = |name: &str, value: &str| attribute(start, name).is_some_and(|is| is == value);
        match name {
            "style" => self.style = attribute(start, "name").unwrap_or_default(),
            "table-properties" if says("display", "false") => self.hide(),
            "drawing-page-properties" if says("visibility", "hidden") => self.hide(),
            _ => {}
        }
    }

    fn hide(&mut self) {
        self.styles.insert(self.style.clone());
    }

    /// Whether an element is hidden with all that is in it.
    pub(super) fn has(&self, name: &str, start: &BytesStart<'_>) -> bool {
        match name {
            "table" | "page" => {
                attribute(start, "style-name").is_some_and(|style| self.styles.contains(&style))
            }
            "table-row" => attribute(start, "visibility").is_some_and(|it| it != "visible"),
            _ => false,
        }
    }
}
