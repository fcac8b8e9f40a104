//! What every request passes before anyone looks at what it wants.

mod allowed_hosts;
mod observe;
mod rate;
mod security_headers;
mod tag;
mod time;

pub use allowed_hosts::Doors;
pub(crate) use allowed_hosts::check_doors;
pub(crate) use observe::observe;
pub(crate) use rate::{Rate, limit_rate};
pub(crate) use security_headers::{Framed, dress, harden};
pub(crate) use tag::tag;
pub(crate) use time::limit_time;

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::Request;

/// Where a connection comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// Where a request comes from; a request without a connection is a test's.
    pub(crate) fn of(request: &Request) -> Self {
        let found = request.extensions().get::<Self>().copied();
        found.unwrap_or(Self(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }
}
