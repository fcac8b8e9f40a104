//! Numbers as explanations write them, without the general machinery of formatting.

use std::fmt::{self, Display, Formatter};

/// A share with this many decimals, rounded half up.
pub(crate) struct Fixed<const DECIMALS: u32>(pub(crate) f64);

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

/// A setting as it was written: `0.5`, not `0.500`.
pub(crate) struct Short(pub(crate) f64);

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
