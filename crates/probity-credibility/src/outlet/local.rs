//! Documents of the user's own that name no publisher: each is its own.

use probity_core::{Outlet, WebUrl};

/// The top-level domain of outlets that are documents: reserved for local networks, no one registers
/// below it.
pub(super) const LOCAL_SUFFIX: &str = ".local";
/// The longest label made of one name.
const LABEL_BYTES: usize = 63;
/// How many folders go into the name.
const FOLDERS: usize = 4;

/// The outlet of a local document: its file's name below its folders', `may-txt.letters.local`.
pub(super) fn outlet_of_document(url: &WebUrl) -> Option<Outlet> {
    let path = url.as_str().split(['?', '#']).next()?.split_once("://")?.1;
    let labels: Vec<String> =
        path.split('/').skip(1).filter(|name| !name.is_empty()).map(label).collect();
    let named: Vec<&str> = labels.iter().rev().take(FOLDERS + 1).map(String::as_str).collect();
    (!named.is_empty()).then(|| Outlet::new(&format!("{}{LOCAL_SUFFIX}", named.join("."))).ok())?
}

/// A name as a label: letters and digits, with hyphens for all else.
fn label(name: &str) -> String {
    let mut label = String::new();
    let mut bytes = name.bytes();
    while let Some(byte) = bytes.next() {
        // What an address has to escape is no letter.
        if byte == b'%' {
            bytes.nth(1);
        }
        match byte.is_ascii_alphanumeric() {
            true => label.push(char::from(byte.to_ascii_lowercase())),
            false if label.ends_with('-') => {}
            false => label.push('-'),
        }
    }
    let label = label.trim_matches('-');
    let label = label.get(..label.len().min(LABEL_BYTES)).unwrap_or_default();
    if label.is_empty() { "document".to_owned() } else { label.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_goes_by_its_file_below_its_folders() {
        let outlet = |path: &[&str]| {
            let url = WebUrl::local(path.iter().copied()).unwrap();
            outlet_of_document(&url).map(|outlet| outlet.to_string())
        };
        assert_eq!(outlet(&["letters", "May 1.txt"]).as_deref(), Some("may-1-txt.letters.local"));
        assert_eq!(outlet(&["a.md"]).as_deref(), Some("a-md.local"));
        assert_eq!(outlet(&["--"]).as_deref(), Some("document.local"));
        assert_eq!(outlet(&[]), None);
        assert!(outlet(&["x".repeat(300).as_str(), "日本.txt"]).is_some());
    }
}
