//! Letters of a page that its readers do not see.

use pdfboss_output::TextSpan;

/// Letters smaller than this (in points) are not meant to be read.
const MIN_SIZE: f32 = 1.0;

/// Drops letters that readers do not see: white on a page of dark text, smaller than a point, or
/// painted with no ink where other text is. A scan's hidden layer is all of its page and stays.
pub(super) fn drop_unseen(spans: &mut Vec<TextSpan>) {
    let chars = |spans: &[TextSpan], test: &dyn Fn(&TextSpan) -> bool| {
        spans.iter().filter(|span| test(span)).map(|span| span.text.len()).sum::<usize>()
    };
    let all = chars(spans, &|_| true);
    let white = chars(spans, &is_white);
    let inkless = chars(spans, &|span| span.invisible);
    let drop_white = white * 3 < all;
    let drop_inkless = inkless * 2 < all;
    spans.retain(|span| {
        !(span.size.abs() < MIN_SIZE
            || (drop_white && is_white(span) && !span.highlight)
            || (drop_inkless && span.invisible))
    });
}

fn is_white(span: &TextSpan) -> bool {
    span.color.is_some_and(|(r, g, b)| r > 0.97 && g > 0.97 && b > 0.97)
}
