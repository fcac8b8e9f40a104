//! Names of months in many languages.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One line a month, the English name first.
const NAMES: &str = include_str!("months.txt");

fn lines() -> impl Iterator<Item = &'static str> {
    NAMES.lines().filter(|line| !line.starts_with('#'))
}

/// The full English names in their order, in lower case.
pub(super) fn english() -> impl Iterator<Item = &'static str> {
    lines().filter_map(|line| line.split_whitespace().next())
}

static MONTHS: LazyLock<HashMap<&'static str, i8>> = LazyLock::new(|| {
    (1_i8..)
        .zip(lines())
        .flat_map(|(month, line)| line.split_whitespace().map(move |name| (name, month)))
        .collect()
});

/// The number of a month by its name or a usual abbreviation, in lower case.
pub(crate) fn month(name: &str) -> Option<i8> {
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
        assert_eq!(english().collect::<Vec<_>>().len(), 12);
        assert!(english().next() == Some("january") && english().last() == Some("december"));
        assert_eq!(month("märz"), Some(3));
        assert_eq!(month("sept."), Some(9));
        assert_eq!(month("октября"), Some(10));
        assert_eq!(month("monday"), None);
    }
}
