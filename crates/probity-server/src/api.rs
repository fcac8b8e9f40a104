//! The JSON side, one file per resource. Names of fields are those of the command line's `--json`.

pub mod alerts;
pub mod brief;
pub mod categories;
pub mod check;
pub mod codebook;
pub mod collections;
pub mod feeds;
pub mod keys;
pub mod ledger;
pub mod library;
pub mod marks;
pub mod me;
pub mod news;
pub mod next;
pub mod outlets;
mod paging;
pub mod plan;
pub mod ratings;
pub mod research;
pub mod routing;
pub mod runs;
pub mod score;
pub mod shares;
pub mod status;
pub mod thresholds;
pub mod topics;
pub mod uploads;
pub mod users;
pub mod uses;
pub mod watches;

pub use paging::Listed;
pub(crate) use paging::{Cursor, rows};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;

use crate::problem::Problem;

/// What a handler gives.
pub(crate) type Reply = Result<Response, Problem>;

/// A value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Response {
    json_of(serde_json::to_vec(value))
}

/// Not generic, because it would be compiled again for every type that is answered with.
fn json_of(written: serde_json::Result<Vec<u8>>) -> Response {
    match written {
        Ok(bytes) => {
            let mut response = bytes.into_response();
            let media = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, media);
            response
        }
        Err(error) => Problem::internal(&error).into_response(),
    }
}

/// Rounds away the noise of binary fractions: 0.8600000000000001 is 0.86.
pub(crate) fn tidy(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
