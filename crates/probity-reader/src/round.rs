//! Numbers as they are reported: to three places, since the order of additions differs between
//! processors.

/// The largest number that is reported; only broken weights lead there.
const LARGEST: f64 = 1e6;

/// A number to three places, never one that cannot be compared.
pub(crate) fn rounded(number: f64) -> f64 {
    let bounded = if number.is_nan() { 0.0 } else { number.clamp(-LARGEST, LARGEST) };
    // Adding zero turns the negative zero, which prints with a sign, into the other one.
    (bounded * 1000.0).round() / 1000.0 + 0.0
}
