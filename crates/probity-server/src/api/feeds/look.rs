//! What is at an address where a feed is expected, before anything is added.

use axum::extract::State;
use probity_core::WebUrl;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{Reply, json};
use crate::backend::{FeedPreview, Look, OfferedFeed};
use crate::problem::Problem;
use crate::read::Json;
use crate::state::Server;

/// An address to look for a feed at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LookBody {
    /// The address of a feed, or of a page that offers one.
    #[schema(example = "https://example.org/")]
    pub url: String,
}

/// What is at an address: a feed with its first items, or the feeds that the page there offers.
#[derive(Serialize, ToSchema)]
pub struct LookView {
    /// The feed, if the address is one.
    pub feed: Option<FeedPreview>,
    /// The feeds that a page offers, if it is none itself.
    pub offered: Vec<OfferedFeed>,
}

/// Looks for a feed at an address and shows what it holds; adds nothing.
#[utoipa::path(post, path = "/api/feeds/preview", tag = "news", request_body = LookBody,
    responses((status = 200, body = LookView)))]
pub(crate) async fn preview(State(server): State<Server>, Json(body): Json<LookBody>) -> Reply {
    let (feed, offered) = match look(&server, &body.url).await? {
        Look::Feed(feed) => (Some(*feed), Vec::new()),
        Look::Page(offered) => (None, offered),
    };
    Ok(json(&LookView { feed, offered }))
}

/// What is at an address that a user typed.
pub(crate) async fn look(server: &Server, typed: &str) -> Result<Look, Problem> {
    let url = address(typed)?;
    let looking =
        tokio::time::timeout(crate::limits::LOOK_TIME, server.backend.look_for_feed(&url));
    let wrong = |why: String| Problem::field("url", why);
    match looking.await {
        Ok(looked) => looked.map_err(wrong),
        Err(_) => Err(wrong(format!("{url} took too long to answer; try again later"))),
    }
}

pub(super) fn address(typed: &str) -> Result<WebUrl, Problem> {
    WebUrl::parse(typed.trim()).map_err(|error| Problem::field("url", error.to_string()))
}

/// The one feed that is meant.
pub(super) fn found(look: Look) -> Result<String, Problem> {
    match look {
        Look::Feed(feed) => Ok(feed.url),
        Look::Page(offered) => {
            let urls: Vec<&str> = offered.iter().map(|one| one.url.as_str()).collect();
            let why =
                format!("this is a page; name one of the feeds it offers: {}", urls.join(", "));
            Err(Problem::field("url", why))
        }
    }
}
