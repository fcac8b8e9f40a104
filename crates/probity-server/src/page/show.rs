//! Scores and times as every page shows them.

use probity_core::{Band, Timestamp};

/// How wide the bar of a full score is, in pixels.
const BAR: f64 = 60.0;

/// A score: a number with two decimals, a bar, and the band's word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) value: String,
    pub(crate) width: String,
    pub(crate) band: &'static str,
    pub(crate) class: &'static str,
}

impl Bar {
    pub(crate) fn new(score: f64) -> Self {
        let share = if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 };
        let band = Band::of(share);
        Self {
            value: format!("{score:.2}"),
            width: format!("{:.1}", share * BAR),
            band: band.words(),
            class: match band {
                Band::TopTier => "b5",
                Band::Established => "b4",
                Band::Neutral => "b3",
                Band::Weak => "b2",
                Band::Unreliable => "b1",
            },
        }
    }
}

/// A share without a band, such as a relevance: a number with two decimals and a bar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Share {
    pub(crate) value: String,
    pub(crate) width: String,
}

impl Share {
    pub(crate) fn new(share: f64) -> Self {
        let Bar { value, width, .. } = Bar::new(share);
        Self { value, width }
    }
}

/// A time: how long ago in words, and exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct When {
    pub(crate) words: String,
    pub(crate) exact: String,
    pub(crate) key: i64,
}

impl When {
    pub(crate) fn new(at: Timestamp, now: Timestamp) -> Self {
        let seconds = now.0.saturating_sub(at.0) / 1_000;
        let some = |count: i64, unit: &str| match count {
            1 => format!("1 {unit} ago"),
            count => format!("{count} {unit}s ago"),
        };
        let words = match seconds {
            ..0 => at.date().to_string(),
            0..60 => "just now".to_owned(),
            60..3_600 => some(seconds / 60, "minute"),
            3_600..86_400 => some(seconds / 3_600, "hour"),
            86_400..2_592_000 => some(seconds / 86_400, "day"),
            _ => at.date().to_string(),
        };
        Self { words, exact: at.to_string(), key: at.0 }
    }
}

/// When something is done next, in words.
pub(crate) fn due(at: Timestamp, now: Timestamp) -> String {
    match at.0.saturating_sub(now.0) / 60_000 {
        ..1 => "now".to_owned(),
        minutes @ 1..120 => format!("in {minutes} min"),
        minutes @ 120..2_880 => format!("in {} h", minutes / 60),
        minutes => format!("in {} days", minutes / 1_440),
    }
}

/// How long something has lasted, as the page's script goes on telling it.
pub(crate) fn lasted(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_told_in_its_own_unit() {
        assert_eq!([7, 61, 7_260].map(lasted), ["7 s", "1 min 1 s", "2 h 1 min"]);
    }

    #[test]
    fn what_comes_next_is_told_in_its_own_unit() {
        let words = |minutes: i64| due(Timestamp(minutes * 60_000), Timestamp(0));
        let expected = ["now", "now", "in 1 min", "in 2 h", "in 47 h", "in 2 days"];
        assert_eq!([-5, 0, 1, 120, 2_879, 2_880].map(words), expected);
    }

    #[test]
    fn times_are_told_as_people_tell_them() {
        let now: Timestamp = "2026-03-02T12:00:00Z".parse().unwrap();
        let words = |text: &str| When::new(text.parse().unwrap(), now).words;
        assert_eq!(words("2026-03-02T11:59:30Z"), "just now");
        assert_eq!(words("2026-03-02T11:00:00Z"), "1 hour ago");
        assert_eq!(words("2026-02-27T11:00:00Z"), "3 days ago");
        assert_eq!(words("2025-03-01"), "2025-03-01");
        assert_eq!(words("2027-03-01"), "2027-03-01");
    }

    #[test]
    fn a_bar_stays_in_its_frame() {
        for (score, width) in [(0.5, "30.0"), (7.0, "60.0"), (-1.0, "0.0"), (f64::NAN, "0.0")] {
            assert_eq!(Bar::new(score).width, width);
        }
    }
}
