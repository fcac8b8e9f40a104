//! The names of files that someone sends: labels for people, never places on this machine.

use probity_core::printable;

use super::FileProblem;

/// The longest name, folders included, in characters.
const CHARS: usize = 255;
/// How much of a refused name is shown, in characters.
const SHOWN: usize = 80;

/// A name as it is kept: its folders and itself, with `/` between.
pub(super) fn clean(name: &str) -> Result<String, FileProblem> {
    let refuse =
        |why: &str| FileProblem { kind: "name", detail: format!("{why}; rename the file") };
    if name.chars().count() > CHARS {
        return Err(refuse("its name is too long"));
    }
    if name.chars().any(char::is_control) {
        return Err(refuse("its name has characters that cannot be shown"));
    }
    let parts =
        name.split(['/', '\\']).map(str::trim).filter(|part| !part.is_empty() && *part != ".");
    let parts: Vec<&str> = parts.collect();
    if parts.contains(&"..") {
        return Err(refuse("its name leads out of its folder"));
    }
    match parts.is_empty() {
        true => Err(refuse("it has no name")),
        false => Ok(parts.join("/")),
    }
}

/// A name that was refused, as far as it can be shown.
pub(super) fn shown(name: &str) -> String {
    printable::brief(name, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_folders_and_leads_nowhere_else() {
        assert_eq!(clean("a.pdf").unwrap(), "a.pdf");
        assert_eq!(clean("papers/2024/é b.pdf").unwrap(), "papers/2024/é b.pdf");
        assert_eq!(clean("C:\\papers\\.\\a.pdf").unwrap(), "C:/papers/a.pdf");
        assert_eq!(clean("/etc/passwd").unwrap(), "etc/passwd", "a label, and no place");
        for name in ["../a.pdf", "a/../../b.pdf", "..\\a.pdf", "..", "a\nb.pdf", "a\0", " ", "./"] {
            assert_eq!(clean(name).unwrap_err().kind, "name", "{name:?}");
        }
        assert!(clean(&"x".repeat(300)).is_err());
    }
}
