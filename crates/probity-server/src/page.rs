//! The HTML side, one file per page.
//!
//! Every text goes through the templates' escaping; scripts and styles are files of our own. Reading
//! and correcting work without any script.

pub(crate) mod ask;
pub(crate) mod audit;
pub(crate) mod brief;
pub(crate) mod categories;
pub(crate) mod code;
pub(crate) mod codebook;
pub(crate) mod collections;
pub(crate) mod compare;
pub(crate) mod example;
pub(crate) mod feed;
pub(crate) mod feeds;
mod frame;
pub(crate) mod library;
pub(crate) mod login;
pub(crate) mod methodology;
pub(crate) mod news;
pub(crate) mod outlets;
pub(crate) mod plan;
pub(crate) mod ratings;
pub(crate) mod reference;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod shared;
mod show;
mod story;
mod strip;
pub(crate) mod topics;
pub(crate) mod watches;

pub(crate) use frame::{Frame, Tab};
pub(crate) use show::{Bar, Share, When};

use askama::Template;
use axum::response::{Html, IntoResponse as _, Response};
use http::{HeaderValue, header};

use crate::api::Reply;
use crate::problem::Problem;

/// A template as an answer.
pub(crate) fn page(template: &impl Template) -> Reply {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => Err(Problem::internal(&error)),
    }
}

/// Sends the browser on to another page after a change.
pub(crate) fn go(to: &str) -> Reply {
    Ok(axum::response::Redirect::to(to).into_response())
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    frame: Frame,
    title: String,
    detail: String,
}

/// A problem as a page, with the status and headers that it has.
pub(crate) fn problem(problem: &Problem, response: Response) -> Response {
    let template = ProblemPage {
        frame: Frame::bare(problem.title()),
        title: problem.title().to_owned(),
        detail: problem.detail().to_owned(),
    };
    let Ok(text) = template.render() else { return response };
    let (mut parts, _) = response.into_parts();
    let media = HeaderValue::from_static("text/html; charset=utf-8");
    parts.headers.insert(header::CONTENT_TYPE, media);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, text.into())
}
