//! Runs of text as they are drawn → those that a reader sees: each once, and upright where most of the page is turned.

use std::collections::HashMap;

use pdfboss_core::{Point, Rect};
use pdfboss_output::{Ruling, TextSpan};

/// How far, in sizes, a shadow or a second stroke of a letter is from the first.
const REDRAWN: f32 = 0.1;
/// The most runs of the same text that are compared with one.
const MAX_COMPARED: usize = 16;

/// Drops runs that are drawn twice, for a shadow or to look bold.
pub(super) fn drop_redrawn(spans: &mut Vec<TextSpan>) {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    let kind = |span: &TextSpan| (span.size.to_bits(), span.rotate);
    order.sort_by(|one, other| match (spans.get(*one), spans.get(*other)) {
        (Some(one), Some(other)) => {
            let text = one.text.cmp(&other.text).then(kind(one).cmp(&kind(other)));
            text.then(one.x.total_cmp(&other.x))
        }
        _ => one.cmp(other),
    });
    let mut dropped = vec![false; spans.len()];
    for (place, one) in order.iter().enumerate() {
        for other in order.iter().skip(place.saturating_add(1)).take(MAX_COMPARED) {
            let (Some(first), Some(second)) = (spans.get(*one), spans.get(*other)) else { break };
            let is_near = second.x - first.x <= REDRAWN * first.size.abs();
            if first.text != second.text || kind(first) != kind(second) || !is_near {
                break;
            }
            if is_redrawn(first, second)
                && let Some(dropped) = dropped.get_mut(*one.max(other))
            {
                *dropped = true;
            }
        }
    }
    let mut dropped = dropped.into_iter();
    spans.retain(|_| !dropped.next().unwrap_or_default());
}

fn is_redrawn(first: &TextSpan, second: &TextSpan) -> bool {
    let (x, y) = ((first.x - second.x).abs(), (first.y - second.y).abs());
    let reach = REDRAWN * first.size.abs();
    let length = (first.end_x - first.x).hypot(first.end_y - first.y);
    !first.text.trim().is_empty() && x <= reach && y <= reach && x.max(y) < length / 2.0
}

/// Turns a page most of whose letters are turned by a quarter or a half.
pub(super) fn turn(spans: &mut [TextSpan], rulings: &mut [Ruling]) {
    let mut turns: HashMap<i32, usize> = HashMap::new();
    for span in spans.iter() {
        let letters = turns.entry(span.rotate).or_default();
        *letters = letters.saturating_add(span.text.len());
    }
    let all: usize = turns.values().sum();
    let most = turns.into_iter().find(|(_, letters)| letters.saturating_mul(2) > all);
    let Some((by @ (90 | 180 | 270), _)) = most else { return };
    for span in spans {
        (span.x, span.y) = turned(by, span.x, span.y);
        (span.end_x, span.end_y) = turned(by, span.end_x, span.end_y);
        span.bbox = turned_box(by, span.bbox);
        span.rotate = (span.rotate - by).rem_euclid(360);
        span.glyph_x = Box::default();
    }
    for ruling in rulings {
        let around = Rect::new(ruling.start.x, ruling.start.y, ruling.end.x, ruling.end.y);
        let Rect { x0, y0, x1, y1 } = turned_box(by, around);
        (ruling.start, ruling.end) = (Point::new(x0, y0), Point::new(x1, y1));
    }
}

/// Where a point is when text that was turned by so many degrees is upright.
pub(super) fn turned(by: i32, x: f32, y: f32) -> (f32, f32) {
    match by {
        0 => (x, y),
        90 => (y, -x),
        180 => (-x, -y),
        _ => (-y, x),
    }
}

fn turned_box(by: i32, around: Rect) -> Rect {
    let (x0, y0) = turned(by, around.x0, around.y0);
    let (x1, y1) = turned(by, around.x1, around.y1);
    Rect::new(x0, y0, x1, y1).normalize()
}

#[cfg(test)]
mod tests {
    use super::super::mend::tests::run;
    use super::*;

    fn texts(spans: &[TextSpan]) -> Vec<&str> {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[test]
    fn a_shadow_goes_and_a_double_letter_stays() {
        let mut spans = vec![
            run("T", 0.0, 0.0),
            run("o", 5.0, 0.0),
            run("o", 10.0, 0.0),
            run("T", 0.5, -0.5),
            run("o", 5.5, -0.5),
            run("o", 10.5, -0.5),
        ];
        drop_redrawn(&mut spans);
        assert_eq!(texts(&spans), ["T", "o", "o"]);
    }

    #[test]
    fn a_turned_page_is_upright() {
        let up = |text: &str, y: f32| {
            let length = 5.0 * text.chars().count() as f32;
            TextSpan { end_x: 50.0, end_y: y + length, rotate: 90, ..run(text, 50.0, y) }
        };
        let mut spans = vec![up("Berths", 0.0), up("fees", 40.0), run("7", 0.0, 0.0)];
        let mut rulings =
            vec![Ruling { start: Point::new(4.0, 1.0), end: Point::new(4.0, 9.0), width: 1.0 }];
        turn(&mut spans, &mut rulings);
        let places: Vec<(f32, f32, f32, i32)> =
            spans.iter().map(|span| (span.x, span.y, span.end_x, span.rotate)).collect();
        assert_eq!(places, [(0.0, -50.0, 30.0, 0), (40.0, -50.0, 60.0, 0), (0.0, 0.0, 0.0, 270)]);
        let line = rulings.first().unwrap();
        assert_eq!((line.start, line.end), (Point::new(1.0, -4.0), Point::new(9.0, -4.0)));
    }

    #[test]
    fn a_page_with_a_turned_label_stays_as_it_is() {
        let mut spans = vec![
            run("An upright page", 3.0, 4.0),
            TextSpan { rotate: 90, ..run("label", 0.0, 0.0) },
        ];
        turn(&mut spans, &mut []);
        assert_eq!(spans.first().map(|span| (span.x, span.y)), Some((3.0, 4.0)));
    }
}
