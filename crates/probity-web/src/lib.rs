//! Search, safe fetching and extraction: the only crate that reaches web pages.
//!
//! ```text
//! query → search → hits        Permit → fetch → outcome        bytes → extract → Document
//! ```

pub mod extract;
pub mod fetch;
pub mod open_copy;
pub mod search;
pub mod sitemap;
