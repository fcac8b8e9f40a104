//! A long text in pieces that can be read one after the other.

/// About how long a piece is. A text that is not longer is one piece.
pub(super) const PIECE_BYTES: usize = 256 * 1024;
/// How far after that a good place for the end is looked for.
const REACH_BYTES: usize = 64 * 1024;

/// Cuts a text at empty lines outside of fenced code, at line ends if there is none within reach,
/// and anywhere else if there is no line end either.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(end(rest));
        rest = after;
        Some(piece)
    })
}

fn end(text: &str) -> usize {
    if text.len() <= PIECE_BYTES.saturating_add(REACH_BYTES) {
        return text.len();
    }
    let mut at = 0_usize;
    let mut fenced = false;
    let mut line_end = None;
    for line in text.split_inclusive('\n') {
        if at >= PIECE_BYTES && line.trim().is_empty() && !fenced {
            return at;
        }
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fenced ^= is_fence;
        at = at.saturating_add(line.len());
        if at > PIECE_BYTES.saturating_add(REACH_BYTES) {
            break;
        }
        line_end = Some(at);
    }
    line_end
        .filter(|end| *end >= PIECE_BYTES / 2)
        .unwrap_or_else(|| text.floor_char_boundary(PIECE_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_are_the_text() {
        for text in ["a\n\n".repeat(300_000), "é".repeat(700_000), "word\n".repeat(200_000)] {
            let found: Vec<&str> = pieces(&text).collect();
            assert_eq!(found.concat(), text);
            assert!(found.len() > 1);
            assert!(found.iter().all(|piece| piece.len() <= PIECE_BYTES + REACH_BYTES));
        }
        assert_eq!(pieces("short").collect::<Vec<_>>(), ["short"]);
    }

    #[test]
    fn code_is_not_cut_where_an_empty_line_stands_in_it() {
        let before = "word ".repeat(PIECE_BYTES / 5);
        let text = format!("{before}\n```\nlet a;\n\nlet b;\n```\n\n{before}\n\n{before}");
        let first = pieces(&text).next().unwrap();
        assert!(first.trim_end().ends_with("```"), "{:?}", first.get(first.len() - 20..));
    }
}
