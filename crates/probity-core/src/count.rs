//! Numbers with their nouns, as people write them.

use std::fmt::Display;

/// A number and the noun that goes with it.
///
/// ```
/// use probity_core::counted;
///
/// assert_eq!(counted(1_u64, "query", "queries"), "1 query");
/// assert_eq!(counted(0_usize, "query", "queries"), "0 queries");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{count} {noun}")
}
