//! What the tests stand on: a fake web, scripted models, a private PostgreSQL.

pub mod bad_web;
pub mod fake_api;
pub mod fault;
pub mod frail_line;
pub mod google;
pub mod lint;
pub mod model;
pub mod mutate;
pub mod pages;
pub mod postgres;
pub mod server;
pub mod sign;
pub mod sqlite;
