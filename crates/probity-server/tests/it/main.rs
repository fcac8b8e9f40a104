//! The server as clients meet it, without a network: requests in, answers out.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod adjust;
mod alerts;
mod api;
mod backend;
mod briefings;
mod connections;
mod document;
mod feeds;
mod go_on;
mod hostile;
mod keys;
mod matrix;
mod mcp;
mod news_pages;
mod newsroom;
mod outlets;
mod pages;
mod place;
mod plan;
mod sessions;
mod sign_on;
mod stream;
mod thresholds;
mod topics;
mod uploads;
mod users;
mod watches;
mod workplace;
