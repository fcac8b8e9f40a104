//! Draws who speaks for a category: a dot for each article by its credibility, and the routing's lines.

use probity_news::route::{Lines, mean};

/// How wide the scale from 0 to 1 is, in pixels, and where it begins.
const SCALE: f64 = 400.0;
const LEFT: f64 = 16.0;
/// How far dots are apart.
const STEP: f64 = 10.0;
/// How many columns of dots the scale has.
const COLUMNS: f64 = 40.0;
/// The most dots above each other; more are counted in words only.
const HIGH: usize = 8;
/// The space above the dots and below the axis, in pixels.
const HEAD: f64 = 22.0;
const FOOT: f64 = 22.0;

/// One article that speaks.
pub(crate) struct Dot {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) said: String,
}

/// A line across the strip.
pub(crate) struct Mark {
    pub(crate) x: String,
    pub(crate) words: String,
    pub(crate) anchor: &'static str,
    /// Where its words stand.
    pub(crate) text_x: String,
}

/// The drawing, in figures for the template.
pub(crate) struct Strip {
    pub(crate) width: String,
    pub(crate) height: String,
    pub(crate) axis: String,
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) foot: String,
    pub(crate) dots: Vec<Dot>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) mean: String,
    /// The same in words.
    pub(crate) words: String,
}

fn at(share: f64) -> f64 {
    LEFT + share.clamp(0.0, 1.0) * SCALE
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}

impl Strip {
    /// Draws the representatives; nothing if there are none.
    pub(crate) fn draw(speaking: &[(f64, String)], lines: Lines) -> Option<Self> {
        let scores: Vec<f64> = speaking.iter().map(|(score, _)| *score).collect();
        let mean = mean(&scores.iter().copied().map(Some).collect::<Vec<_>>())?;
        let mut stacks: Vec<(i64, usize)> = Vec::new();
        let mut places = Vec::new();
        for (score, said) in speaking {
            let column = column(*score);
            let level = match stacks.iter_mut().find(|(own, _)| *own == column) {
                Some((_, high)) => {
                    *high += 1;
                    *high
                }
                None => {
                    stacks.push((column, 0));
                    0
                }
            };
            if level < HIGH {
                places.push((column, level, format!("{score:.2} {said}")));
            }
        }
        let levels = places.iter().map(|(_, level, _)| level + 1).max().unwrap_or(1).max(2);
        let axis = HEAD + levels as f64 * STEP;
        let dot = |(column, level, said): (i64, usize, String)| Dot {
            x: px(at(column as f64 / COLUMNS)),
            y: px(axis - 6.0 - level as f64 * STEP),
            said,
        };
        let (least, most) =
            scores.iter().fold((1.0_f64, 0.0_f64), |(a, b), s| (a.min(*s), b.max(*s)));
        let range = match most - least < 0.005 {
            true => format!("{mean:.2}"),
            false => format!("from {least:.2} to {most:.2}, mean {mean:.3}"),
        };
        Some(Self {
            width: px(LEFT * 2.0 + SCALE),
            height: px(axis + FOOT),
            axis: px(axis),
            left: px(at(0.0)),
            right: px(at(1.0)),
            foot: px(axis + FOOT - 6.0),
            dots: places.into_iter().map(dot).collect(),
            marks: marks(lines),
            mean: px(at(mean)),
            words: format!(
                "Credibility of the rated outlets that speak now ({}): {range}. Left aside below {}, scored \
                 as usual from {} on.",
                speaking.len(),
                lines.skip,
                lines.keep
            ),
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share is within 0 and 1")]
fn column(score: f64) -> i64 {
    (score.clamp(0.0, 1.0) * COLUMNS).round() as i64
}

/// The lines of the routing, their words on the outer sides so that they never meet.
fn marks(lines: Lines) -> Vec<Mark> {
    let mark = |value: f64, name: &str, anchor: &'static str, gap: f64| Mark {
        x: px(at(value)),
        words: format!("{name} {value}"),
        anchor,
        text_x: px(at(value) + gap),
    };
    vec![mark(lines.skip, "skip", "end", -4.0), mark(lines.keep, "keep", "start", 4.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dot_lies_on_the_scale_and_none_on_another() {
        let speaking: Vec<(f64, String)> = [0.0, 0.5, 0.5, 0.501, 0.92, 1.0]
            .into_iter()
            .map(|score| (score, "x".to_owned()))
            .collect();
        let strip = Strip::draw(&speaking, Lines::default()).unwrap();
        let places: std::collections::BTreeSet<_> =
            strip.dots.iter().map(|dot| (dot.x.clone(), dot.y.clone())).collect();
        assert_eq!(places.len(), speaking.len());
        for dot in &strip.dots {
            let x: f64 = dot.x.parse().unwrap();
            assert!((LEFT..=LEFT + SCALE).contains(&x), "{x}");
        }
        assert!(strip.words.contains("from 0.00 to 1.00"), "{}", strip.words);
        assert!(Strip::draw(&[], Lines::default()).is_none());
    }

    #[test]
    fn a_column_ends_somewhere() {
        let many: Vec<(f64, String)> = (0..500).map(|_| (0.5, String::new())).collect();
        assert_eq!(Strip::draw(&many, Lines::default()).unwrap().dots.len(), HIGH);
    }
}
