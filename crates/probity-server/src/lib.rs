//! The HTTP API and the web page: ask, watch, read, correct.
//!
//! ```text
//! connection → observe → headers → host → rate → time → (route: who is it, may they) → handler → Problem | JSON | page
//! ```
//!
//! # Architecture
//! [`routes`] is the one table of every address, its method and what it takes to call it; the router,
//! the access rules and the tests are made from it. `guard` holds what every request passes,
//! `access` who may do what, `api` the JSON side (one file per resource), `page` the HTML side and
//! `mcp` the tools for other agents, which call what `api` calls.
//! What needs the program's settings or its world is behind one trait, [`Backend`]. Every error is a
//! [`Problem`], on the API as a document, on a page as a page.

pub mod access;
pub mod api;
mod assets;
mod backend;
pub mod brief;
mod guard;
mod limits;
mod mcp;
mod metrics;
mod openapi;
mod page;
mod problem;
mod read;
pub mod routes;
mod serve;
mod state;
mod upload;
pub mod watch;
mod worth;

pub use backend::{
    Adjust, AdjustError, Ask, AskError, Backend, Check, CheckState, Constants, Cost, FeedPreview,
    GrantedRole, Identity, KeyView, Later, Look, NewKey, NewWay, Offer, OfferedFeed, Origin, Place,
    PreviewItem, SignOn, SignOnFailure, ThresholdChange, ThresholdView, Thresholds, ThresholdsView,
    Trial, WayKind, WayView,
};
pub use guard::Doors;
pub use mcp::{ConverseError, converse};
pub use openapi::document as openapi;
pub use problem::Problem;
pub use serve::{Stopped, serve};
pub use state::{Door, Server, Setup};
