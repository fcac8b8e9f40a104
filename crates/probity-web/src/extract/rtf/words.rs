//! What words of RTF mean: groups without text, and the marks of items.

/// Groups that hold no text of the document.
pub(super) const UNSEEN: &[&str] = &[
    "fonttbl",
    "colortbl",
    "stylesheet",
    "listtable",
    "listoverridetable",
    "info",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "fldinst",
    "datastore",
    "themedata",
    "generator",
    "xmlnstbl",
    "rsidtbl",
    "mmathPr",
    "annotation",
    "revtbl",
    "filetbl",
    "nonshppict",
    "bkmkstart",
    "bkmkend",
    "latentstyles",
    "shppict",
];

/// The mark of a list's item.
pub(super) enum Mark<'m> {
    Bullet,
    Number(u32),
    /// A letter, a number with parts: others speak of the item by it.
    Other(&'m str),
}

impl Mark<'_> {
    pub(super) fn of(mark: &str) -> Mark<'_> {
        let name = mark.trim_end_matches(['.', ')', ':']).trim_start_matches('(');
        let is_sign = !name.contains(char::is_alphanumeric);
        // In fonts of signs a bullet is a letter, and nothing follows it.
        let is_letter =
            name == mark && name.chars().nth(1).is_none() && name.parse::<u8>().is_err();
        match name.parse() {
            Ok(number) => Mark::Number(number),
            Err(_) if is_sign || is_letter => Mark::Bullet,
            Err(_) => Mark::Other(mark),
        }
    }
}
