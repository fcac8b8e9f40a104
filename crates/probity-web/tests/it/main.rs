//! Searching and fetching against servers on the loopback address, and extraction on whole pages.

#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod extract;
mod fetch;
mod notify;
mod oidc;
mod search_failures;
mod search_filters;
mod search_fixtures;
mod search_matrix;
mod search_requests;
