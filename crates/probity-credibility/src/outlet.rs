//! Whose page an address is: unwrapping, registrable domain, aliases.
//!
//! ```text
//! address → (unwrap, at most five hops) → publisher's page → registrable domain → own host | alias → outlet
//! ```
//!
//! A [`Resolver`] is made once from the [`OutletRules`] and then asked about addresses. It works on
//! texts alone; nothing is fetched.

mod domain;
mod embedded;
mod resolve;
mod rules;

pub use domain::registrable_domain;
pub use resolve::{Method, Resolution, Resolver};
pub use rules::{OutletRules, Redirector, RulesError};
