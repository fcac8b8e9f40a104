//! The outlets that every ledger begins with.
//!
//! The list is closed: it is hashed into the first event of every ledger, so a change would make
//! every existing log invalid. Outlets that come later arrive by import.

use std::collections::HashMap;
use std::sync::LazyLock;

use probity_core::Outlet;

use super::{Credibility, Opinion, encode};

/// An outlet with the score it begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seed {
    /// The outlet's domain.
    pub domain: &'static str,
    /// The outlet's name.
    pub name: &'static str,
    /// The score it begins with.
    pub score: Credibility,
}

const fn seed(domain: &'static str, name: &'static str, score: f64) -> Seed {
    Seed { domain, name, score: Credibility::seed(score) }
}

static SEEDS: [Seed; 18] = [
    seed("sec.gov", "U.S. Securities and Exchange Commission", 0.95),
    seed("reuters.com", "Reuters", 0.92),
    seed("apnews.com", "The Associated Press", 0.92),
    seed("wsj.com", "The Wall Street Journal", 0.90),
    seed("ft.com", "Financial Times", 0.90),
    seed("nytimes.com", "The New York Times", 0.88),
    seed("bloomberg.com", "Bloomberg", 0.88),
    seed("economist.com", "The Economist", 0.87),
    seed("washingtonpost.com", "The Washington Post", 0.85),
    seed("theguardian.com", "The Guardian", 0.83),
    seed("bbc.com", "BBC", 0.83),
    seed("theatlantic.com", "The Atlantic", 0.80),
    seed("arstechnica.com", "Ars Technica", 0.78),
    seed("axios.com", "Axios", 0.78),
    seed("fortune.com", "Fortune", 0.75),
    seed("cnbc.com", "CNBC", 0.74),
    seed("techcrunch.com", "TechCrunch", 0.72),
    seed("wired.com", "WIRED", 0.72),
];

/// The outlets that every ledger begins with, highest score first.
pub fn seeds() -> &'static [Seed] {
    &SEEDS
}

/// What every ledger begins with, as research takes it.
pub fn seeded_opinions() -> HashMap<Outlet, Opinion> {
    let given =
        |seed: &Seed| Some((Outlet::new(seed.domain).ok()?, Opinion::Given(seed.score.get())));
    SEEDS.iter().filter_map(given).collect()
}

/// The hash of the seed table: what the first event of every ledger carries as the hash before it.
pub fn genesis() -> &'static str {
    static GENESIS: LazyLock<String> =
        LazyLock::new(|| encode::seeds_hash(encode::in_order(&SEEDS)));
    &GENESIS
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_core::Outlet;

    #[test]
    fn every_seed_is_an_outlet_in_range_and_occurs_once() {
        for seed in seeds() {
            assert_eq!(Outlet::new(seed.domain).unwrap().as_str(), seed.domain);
            assert!(Credibility::new(seed.score.get()).is_ok());
            assert_eq!(seeds().iter().filter(|other| other.domain == seed.domain).count(), 1);
        }
    }
}
