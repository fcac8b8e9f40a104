//! Names of months in many languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use probity_core::calendar::MONTHS;

/// One line a month: the short names, and those of other languages.
const NAMES: &str = include_str!("months.txt");

static NUMBERS: LazyLock<HashMap<&'static str, i8>> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
    let others = (1_i8..)
        .zip(lines)
        .flat_map(|(month, line)| line.split_whitespace().map(move |name| (name, month)));
    others.chain(MONTHS.into_iter().zip(1_i8..)).collect()
});

/// The number of a month by its name or a usual abbreviation, in lower case.
pub(crate) fn month(name: &str) -> Option<i8> {
    NUMBERS.get(name.trim_end_matches('.')).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_month_has_names() {
        for number in 1..=12 {
            assert!(NUMBERS.values().any(|month| *month == number));
        }
        assert_eq!(NUMBERS.values().max(), Some(&12));
        assert_eq!((month("january"), month("december")), (Some(1), Some(12)));
        assert_eq!(month("märz"), Some(3));
        assert_eq!(month("sept."), Some(9));
        assert_eq!(month("октября"), Some(10));
        assert_eq!(month("monday"), None);
    }
}
