//! Every bound of fetching that is not in the configuration, in one place.

use std::time::Duration;

/// How many header lines a response may have.
pub const HEADER_LINES: usize = 128;
/// How many bytes of headers a response may have.
pub const HEADER_BYTES: usize = 64 * 1024;
/// How long connecting may take.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
pub const IDLE_TIME: Duration = Duration::from_secs(30);
/// How many idle connections are kept for one host.
pub const IDLE_CONNECTIONS: usize = 2;
/// How many compressions may lie inside one another. Two happen by mistake; more by malice.
pub const ENCODING_LAYERS: usize = 2;
/// Up to this size a body needs no leave; beyond it, it waits for one of a few large places.
pub const SMALL_BODY_BYTES: u64 = 1024 * 1024;
/// How many bodies may be larger than [`SMALL_BODY_BYTES`] at the same time.
pub const LARGE_BODIES: usize = 4;
/// No server's wish is remembered for longer than this.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// How long one API request may take in all, unless set otherwise.
pub const API_TIME: Duration = Duration::from_secs(15);
/// The largest API reply, decoded, unless set otherwise.
pub const API_BODY_BYTES: u64 = 8 * 1024 * 1024;
/// How many redirects are followed, all on the configured host.
pub const API_REDIRECTS: usize = 3;
