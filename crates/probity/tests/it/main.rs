//! The program as a user meets it, and the tree as a newcomer reads it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod alerts;
mod alerts_mail;
mod ask;
mod attribution;
mod backup;
mod bad_places;
mod browser;
mod check;
mod chromium;
mod cite_check;
mod debunked;
mod demo;
mod doctor;
mod documented;
mod extract;
mod feeds_parse;
mod fetch;
mod formats;
mod fuzz;
mod guard;
mod init;
mod killed;
mod languages;
mod library;
mod library_sources;
mod mcp;
mod mcp_search;
mod models;
mod news_cluster;
mod newsroom;
mod oidc;
mod outlets;
mod outlets_import;
mod outlets_kept;
mod outlets_resolve;
mod outputs;
mod program;
mod release;
mod research;
mod score;
mod search;
mod serve;
mod serve_barriers;
mod serve_collections;
mod serve_desk;
mod serve_keys;
mod serve_pages;
mod serve_plan;
mod serve_reading;
mod serve_settings;
mod serve_topics;
mod serve_widths;
mod serve_workplace;
mod settings;
mod soak;
mod storage_faults;
mod tidy;
mod topics;
mod torture;
mod watch;
mod worker;
