//! What is wrong with a configuration file, where, and what was probably meant.

use std::path::Path;

/// Names longer than this are compared with nothing: no setting is called so.
const NAME_CHARS: usize = 64;

/// Says where in the file a mistake is, what it is, and which known name is nearest to an unknown one.
pub(super) fn mistake(path: &Path, text: &str, error: &toml::de::Error) -> String {
    let path = path.display();
    let place = error.span().and_then(|span| text.get(..span.start)).map(|before| {
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!(":{line}:{column}")
    });
    let place = place.unwrap_or_default();
    let said = error.message().trim();
    match meant(said) {
        Some((unknown, known)) => {
            format!("{path}{place}: unknown field `{unknown}`; did you mean `{known}`?")
        }
        None => format!("{path}{place}: {said}"),
    }
}

/// The unknown name that a message is about, and the nearest of the names that it lists.
fn meant(said: &str) -> Option<(&str, &str)> {
    let (unknown, rest) = said.strip_prefix("unknown field `")?.split_once('`')?;
    // Every other part between backticks is a name.
    let known = rest.split('`').skip(1).step_by(2);
    let ranked = known.map(|name| (distance(unknown, name), name));
    let (off, nearest) = ranked.min_by_key(|(off, _)| *off)?;
    (off <= unknown.chars().count().div_ceil(3)).then_some((unknown, nearest))
}

/// How many letters have to be put in, taken out, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(NAME_CHARS).collect();
    let b: Vec<char> = b.chars().take(NAME_CHARS).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(NAME_CHARS);
            let mut least = (at(&row, j) + usize::from(from != to))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(to) && b.get(j - 1) == Some(from);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_put_in_taken_out_changed_and_swapped_count_one_each() {
        for (a, b, off) in [
            ("", "abc", 3),
            ("threshold", "threshold", 0),
            ("treshold", "threshold", 1),
            ("thresholds", "threshold", 1),
            ("alhpa", "alpha", 1),
            ("seconds", "robots", 5),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (off, off), "{a} {b}");
        }
    }

    #[test]
    fn only_a_near_name_is_offered() {
        let said = "unknown field `treshold`, expected one of `authority`, `threshold`";
        assert_eq!(meant(said), Some(("treshold", "threshold")));
        assert_eq!(meant("unknown field `colour`, expected `alpha`"), None);
        assert_eq!(meant("invalid type: string"), None);
    }
}
