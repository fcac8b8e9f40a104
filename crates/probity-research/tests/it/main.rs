//! Whole runs with a scripted analyst in a world made of paper.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod acceptance;
mod aspects;
mod chaos;
mod crash;
mod crash_model;
mod depth;
mod embedded;
mod examples;
mod gate;
mod gathering;
mod headlines;
mod injection;
mod invented;
mod long_report;
mod models;
mod noting;
mod open_copies;
mod paid_once;
mod planning;
mod pooler;
mod price_lists;
mod prompts;
mod rounds;
mod scripted;
mod sharing;
mod torture;
mod web;
mod work;
