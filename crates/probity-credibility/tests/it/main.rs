//! Scores and outlets by the published vectors, shapes of services, feeds, pages, and laws.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod archives_and_gateways;
mod authority;
mod feed_items;
mod google_news;
mod limits_of_unwrapping;
mod outlet_vectors;
mod pages;
mod resolution_laws;
mod score;
mod verdicts;
mod wrapped_addresses;

use std::sync::LazyLock;

use probity_credibility::outlet::{OutletRules, Resolver};

/// A resolver by the embedded rules.
fn resolver() -> &'static Resolver {
    static RESOLVER: LazyLock<Resolver> =
        LazyLock::new(|| Resolver::new(&OutletRules::default()).unwrap());
    &RESOLVER
}
