//! Names of months in many languages.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One line a month.
const NAMES: &str = include_str!("months.txt");

static MONTHS: LazyLock<HashMap<&'static str, i8>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
    (1_i8..)
        .zip(lines)
        .flat_map(|(month, line)| line.split_whitespace().map(move |name| (name, month)))
        .collect()
});

/// The month of a name in lower case.
pub(super) fn month(name: &str) -> Option<i8> {
    MONTHS.get(name.trim_end_matches('.')).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_month_has_names() {
        for number in 1..=12 {
            assert!(MONTHS.values().any(|month| *month == number));
        }
        assert_eq!(MONTHS.values().max(), Some(&12));
        assert_eq!(month("märz"), Some(3));
        assert_eq!(month("sept."), Some(9));
        assert_eq!(month("октября"), Some(10));
        assert_eq!(month("monday"), None);
    }
}
