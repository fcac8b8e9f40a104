//! What the name of an unknown outlet says about it.
//!
//! ```text
//! host → site (name, kind of suffix) → features a person can read + n-grams that nudge → prior
//! ```
//!
//! The weights were fitted to ratings of news domains (`scripts/fit-prior`); they are data, in
//! `assets/prior`, with where they come from. A name proves nothing: the prior is what outlets with
//! such names were rated on average, and gives way to whatever is known of the outlet itself.

mod likeness;
mod model;
mod site;

use serde::Serialize;

pub(crate) use self::likeness::look_alike;
pub use self::likeness::{Likeness, likeness};
pub use self::model::Reason;
pub(crate) use self::site::hosting_base;
pub use self::site::{Site, Suffix};

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Prior {
    /// The rating that outlets of such names have on average, from 0 to 1.
    pub value: f64,
}

impl Prior {
    /// The prior of a site; none where its name says nothing.
    pub fn of(site: &Site<'_>) -> Option<Self> {
        site.is_readable().then(|| Self { value: model::model().value(site) })
    }
}

/// What each feature of a name adds to its prior, the largest first.
pub fn reasons(site: &Site<'_>) -> Vec<Reason> {
    match site.is_readable() {
        true => model::model().reasons(site),
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Vector {
        domain: String,
        suffix: String,
        prior: f64,
    }

    fn prior(domain: &str) -> f64 {
        Prior::of(&Site::of_host(domain).unwrap()).unwrap().value
    }

    #[test]
    fn names_are_read_as_they_were_when_the_weights_were_fitted() {
        let vectors: Vec<Vector> =
            serde_json::from_str(include_str!("../tests/vectors/prior.json")).unwrap();
        assert!(vectors.len() >= 16);
        for Vector { domain, suffix, prior: expected } in &vectors {
            let site = Site::of_host(domain).unwrap();
            assert_eq!(site.suffix.words(), suffix, "{domain}");
            assert!(
                (prior(domain) - expected).abs() < 1e-3,
                "{domain}: {} {expected}",
                prior(domain)
            );
        }
    }

    #[test]
    fn reasons_add_up_to_the_prior() {
        for domain in ["harborgazette.com", "the-daily-truth-247.info", "newsday.com.ng"] {
            let site = Site::of_host(domain).unwrap();
            let sum: f64 = reasons(&site).iter().map(|reason| reason.adds).sum();
            assert!((sum - prior(domain)).abs() < 1e-9, "{domain} {sum}");
        }
    }

    #[test]
    fn a_name_in_another_script_counts_by_its_suffix_alone() {
        assert_eq!(prior("xn--80akhbyknj4f.com"), prior("xn--fiqs8s.com"));
        assert!(prior("xn--80akhbyknj4f.com") > 0.5, "no worse than others on average");
    }

    #[test]
    fn no_outlet_loses_for_its_country() {
        for name in ["hindustan", "punch", "heraldo", "morgenpost", "localgazette"] {
            for country in ["in", "ng", "com.ng", "it", "com.br", "pk", "pl", "co.ke", "xn--p1ai"] {
                let local = prior(&format!("{name}.{country}"));
                assert!(local >= prior(&format!("{name}.com")) - 1e-12, "{name}.{country}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_prior_stays_within_its_range(name in "[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?", top in "[a-z]{2,6}") {
            let host = format!("{name}.{top}");
            if let Some(prior) = Site::of_host(&host).as_ref().and_then(Prior::of) {
                prop_assert!((0.2..=0.8).contains(&prior.value), "{host} {prior:?}");
            }
        }
    }
}
