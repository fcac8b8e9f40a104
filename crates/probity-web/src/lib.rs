//! Search, safe fetching and extraction: the only crate that reaches web pages.
