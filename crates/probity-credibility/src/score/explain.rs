//! A score in words: the sum, and the reason for each part.
//!
//! Explanations are written for every page that a search finds, millions of them where lists are
//! scored, so they are written piece by piece and their numbers without the general machinery.

use std::fmt::{self, Display, Formatter};

use probity_core::Outlet;

use super::{Assessment, AuthoritySource};

/// How many words of each kind are listed before the rest is cut off.
const LISTED_WORDS: usize = 8;

/// Writes the explanation of an assessment.
pub(super) struct Explanation<'a> {
    pub(super) assessment: &'a Assessment,
    /// Whether the user handed the page over, so that no score blocks it.
    pub(super) handed_over: bool,
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let assessment = self.assessment;
        let score = &assessment.score;
        let [authority_weight, relevance_weight] = assessment.weights;
        Short(authority_weight).fmt(f)?;
        f.write_str(" × ")?;
        Fixed::<2>(score.authority).fmt(f)?;
        f.write_str(" authority (")?;
        write_authority(f, assessment)?;
        f.write_str(") + ")?;
        Short(relevance_weight).fmt(f)?;
        f.write_str(" × ")?;
        Fixed::<2>(score.relevance).fmt(f)?;
        f.write_str(" relevance (")?;
        write_relevance(f, assessment)?;
        f.write_str(") + ")?;
        Fixed::<2>(score.recency).fmt(f)?;
        f.write_str(" recency (")?;
        match &assessment.recency_evidence {
            Some(evidence) => {
                f.write_str("recent: ")?;
                f.write_str(evidence)?;
            }
            None => f.write_str("no sign of recency")?,
        }
        f.write_str(") = ")?;
        Fixed::<3>(score.total).fmt(f)?;
        f.write_str(if assessment.blocked() { " ≤ " } else { " > " })?;
        Short(assessment.threshold).fmt(f)?;
        f.write_str(match (assessment.blocked(), self.handed_over) {
            (false, _) => ": may be fetched",
            (true, false) => ": blocked",
            (true, true) => ": read all the same, it was handed over",
        })
    }
}

fn write_authority(f: &mut Formatter<'_>, assessment: &Assessment) -> fmt::Result {
    if assessment.authority_source == AuthoritySource::Ledger {
        f.write_str("ledger: ")?;
        f.write_str(assessment.outlet.as_ref().map_or("no outlet", Outlet::as_str))?;
        f.write_str("; ")?;
    }
    f.write_str("tier ")?;
    f.write_str(assessment.tier.words())?;
    f.write_str(" ")?;
    Fixed::<2>(assessment.tier_value).fmt(f)
}

fn write_relevance(f: &mut Formatter<'_>, assessment: &Assessment) -> fmt::Result {
    let words = assessment.words();
    if words == 0 {
        return f.write_str("the question has no content word");
    }
    if assessment.found == words {
        return write!(f, "all {words} question words found");
    }
    assessment.found.fmt(f)?;
    f.write_str(" of ")?;
    words.fmt(f)?;
    f.write_str(" question words found")?;
    write_list(f, "; near: ", &assessment.near, |f, near| {
        write!(f, "{} by {} ", near.word, near.by)?;
        Fixed::<2>(near.counts).fmt(f)
    })?;
    write_list(f, "; missing: ", &assessment.missing, |f, word| f.write_str(word))
}

fn write_list<T>(
    f: &mut Formatter<'_>,
    title: &str,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (position, item) in items.iter().take(LISTED_WORDS).enumerate() {
        f.write_str(if position == 0 { title } else { ", " })?;
        write(f, item)?;
    }
    if items.len() > LISTED_WORDS { f.write_str(", …") } else { Ok(()) }
}

/// A share with so many decimals, rounded half up.
struct Fixed<const DECIMALS: u32>(f64);

impl<const DECIMALS: u32> Display for Fixed<DECIMALS> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ones = 10u32.pow(DECIMALS);
        // Written so that NaN takes the other way.
        if !(0.0..1_000.0).contains(&self.0) {
            return write!(f, "{:.*}", DECIMALS as usize, self.0);
        }
        let scaled = (self.0 * f64::from(ones) + 0.5 + TINY).floor() as u32;
        (scaled / ones).fmt(f)?;
        f.write_str(".")?;
        let mut place = ones / 10;
        while place > 0 {
            f.write_str(DIGITS.get((scaled / place % 10) as usize).unwrap_or(&""))?;
            place /= 10;
        }
        Ok(())
    }
}

/// A setting as somebody wrote it: `0.5`, not `0.500`.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tenths = self.0 * 10.0;
        if (tenths - tenths.round()).abs() < TINY {
            Fixed::<1>(self.0).fmt(f)
        } else {
            self.0.fmt(f)
        }
    }
}

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
/// What binary fractions are off by: 0.285 is a little less than it says.
const TINY: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_they_are_said() {
        assert_eq!(Fixed::<2>(0.285).to_string(), "0.29");
        assert_eq!(Fixed::<2>(1.0).to_string(), "1.00");
        assert_eq!(Fixed::<3>(0.0615).to_string(), "0.062");
        assert_eq!(Fixed::<2>(-0.5).to_string(), "-0.50");
        assert_eq!(Fixed::<2>(f64::NAN).to_string(), "NaN");
        assert_eq!(Short(0.5).to_string(), "0.5");
        assert_eq!(Short(0.35).to_string(), "0.35");
        assert_eq!(Short(1.0).to_string(), "1.0");
    }
}
