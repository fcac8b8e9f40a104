//! Permit → page, within the limits: addresses, sizes, time, robots, politeness.

pub mod api;
mod body;
mod client;
mod decode;
mod failure;
pub mod limits;
mod retry_after;

pub use api::{ApiClient, ApiError, ApiReply, ApiRequest, ApiSettings};
pub use client::{AGENT_NAME, ClientError, default_user_agent};
