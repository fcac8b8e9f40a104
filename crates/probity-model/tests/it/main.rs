//! Models over real sockets: the five protocols, and everything that goes wrong on the way.
#![cfg(test)]
#![allow(clippy::string_slice, reason = "tests")]

mod bedrock;
mod paying;
mod protocols;
mod reached;
mod servers;
mod troubles;
mod vertex;
