//! Whose page an address is: unwrapping, registrable domain, aliases.
//!
//! ```text
//! address → (unwrap, at most five hops) → publisher's page → registrable domain → own host | alias → outlet
//! ```
//!
//! A [`Resolver`] is made once from the [`OutletRules`] and then asked about addresses, items of
//! feeds and texts of pages. It works on texts alone; nothing is fetched.

mod domain;
mod embedded;
mod feed;
mod html;
mod likeness;
mod local;
mod lookup;
mod page;
mod resolution;
mod resolve;
mod rules;
pub(crate) mod target;
mod unwrap;

pub use domain::registrable_domain;
pub use html::{decode_entities, entity};
pub use likeness::one_edit_apart;
pub use resolution::{Method, Resolution};
pub use resolve::Resolver;
pub use rules::{OutletRules, Redirector, RulesError};
