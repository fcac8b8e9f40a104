//! One story, run on both engines: real SQLite files, real PostgreSQL databases, real processes.

#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod access;
mod alerts;
mod append_only;
mod backup;
mod briefings;
mod codebook;
mod collections;
mod crash;
mod damage;
mod events;
mod indexes;
mod known;
mod ledger;
mod library;
mod many_processes;
mod marks;
mod news;
mod open;
mod place;
mod plans;
mod queue;
mod reading;
mod relocate;
mod retention;
mod runs;
mod shared_rate;
mod tamper;
mod topics;
mod watches;
mod worker;
mod workplace;
