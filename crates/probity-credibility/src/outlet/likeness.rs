//! Names that a slip of the pen or a forger would make of another.

/// Whether two names are one edit apart: a letter more, less or other, or two neighbours exchanged.
///
/// ```
/// use probity_credibility::outlet::one_edit_apart;
///
/// assert!(one_edit_apart("reuters.com", "reuter.com"));
/// assert!(one_edit_apart("reuters.com", "retuers.com"));
/// assert!(!one_edit_apart("reuters.com", "reuters.com"));
/// assert!(!one_edit_apart("bbc.com", "nbc.org"));
/// ```
pub fn one_edit_apart(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a == b || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (rest, longer) = (tail(short, same), tail(long, same));
    match (rest, longer) {
        (_, [_, after @ ..]) if rest == after => true,
        ([_, rest @ ..], [_, longer @ ..]) if rest == longer => true,
        ([x, y, rest @ ..], [v, w, longer @ ..]) => x == w && y == v && rest == longer,
        _ => false,
    }
}

fn tail(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_slip_is_seen_and_two_are_not_one() {
        for name in ["reuter.com", "reuterss.com", "reuterz.com", "reutres.com", "euters.com"] {
            assert!(one_edit_apart("reuters.com", name), "{name}");
        }
        for name in ["reuters.com", "reutesr.cmo", "routers.net", "", "reuters.co.uk"] {
            assert!(!one_edit_apart("reuters.com", name), "{name}");
        }
        assert!(one_edit_apart("", "a") && !one_edit_apart("", ""));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_which_comes_first(a in "[ab]{0,6}", b in "[ab]{0,6}") {
            prop_assert_eq!(one_edit_apart(&a, &b), one_edit_apart(&b, &a));
        }
    }
}
