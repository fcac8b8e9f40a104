//! Papers that were taken back, by the words that publishers and indexes put before their titles.

/// How a title begins once its paper is retracted, in capitals.
const MARKS: &[&str] = &[
    "RETRACTED:",
    "RETRACTED ARTICLE:",
    "RETRACTED PAPER:",
    "RETRACTED CHAPTER:",
    "[RETRACTED]",
    "(RETRACTED)",
    "RETRACTED –",
    "RETRACTED —",
    "RETRACTED -",
];

/// Whether a title says that its paper is retracted. A notice *of* a retraction is no retracted paper.
///
/// ```
/// use probity_core::retraction::is_retracted;
///
/// assert!(is_retracted("Retracted article: Tides and noise"));
/// assert!(!is_retracted("Retraction notice: Tides and noise"));
/// assert!(!is_retracted("Retracted landing gear of the Tern"));
/// ```
pub fn is_retracted(title: &str) -> bool {
    let title = title.trim_start();
    let begins =
        |mark: &&str| title.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
    MARKS.iter().any(begins)
}

/// The title of a retracted paper, which says so.
pub fn mark(title: &str) -> String {
    if is_retracted(title) { title.to_owned() } else { format!("RETRACTED: {title}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_marked_once() {
        assert_eq!(mark("Tides"), "RETRACTED: Tides");
        assert_eq!(mark(&mark("Tides")), "RETRACTED: Tides");
        assert_eq!(mark("[Retracted] Gezeiten"), "[Retracted] Gezeiten");
        for other in ["", "RETRACTED", "é", "RETRACTÉD: x", "Why was it retracted?"] {
            assert!(!is_retracted(other), "{other}");
        }
    }
}
