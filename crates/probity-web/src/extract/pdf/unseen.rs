//! Letters of a page that its readers do not see.

use pdfboss_output::TextSpan;

use super::painted::Painted;

/// Letters smaller than this (in points) are not meant to be read.
const MIN_SIZE: f32 = 1.0;

/// Drops letters that readers do not see: white on the bare page or on a light area of it, smaller than a point, or
/// painted with no ink where other text is. A scan's hidden layer is all of its page and stays.
pub(super) fn drop_unseen(spans: &mut Vec<TextSpan>, painted: impl FnOnce() -> Painted) {
    let chars = |spans: &[TextSpan], test: &dyn Fn(&TextSpan) -> bool| {
        spans.iter().filter(|span| test(span)).map(|span| span.text.len()).sum::<usize>()
    };
    let all = chars(spans, &|_| true);
    let white = chars(spans, &is_white);
    let inkless = chars(spans, &|span| span.invisible);
    let drop_white = white > 0 && white * 3 < all;
    // Only a page with such letters is looked at once more.
    let painted = if drop_white { painted() } else { Painted::default() };
    let drop_inkless = inkless * 2 < all;
    spans.retain(|span| {
        !(span.size.abs() < MIN_SIZE
            || (drop_white && is_white(span) && !span.highlight && !painted.shows_white(span.bbox))
            || (drop_inkless && span.invisible))
    });
}

fn is_white(span: &TextSpan) -> bool {
    span.color.is_some_and(|(r, g, b)| r > 0.97 && g > 0.97 && b > 0.97)
}
