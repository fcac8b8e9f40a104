//! Search, safe fetching, extraction, messages and log-in elsewhere: the only crate that reaches web pages.
//!
//! ```text
//! query → search → hits        Permit → fetch → outcome        bytes → extract → Document
//! ```

pub mod extract;
pub mod fetch;
pub mod notify;
pub mod oidc;
pub mod open_copy;
pub mod search;
pub mod sitemap;
