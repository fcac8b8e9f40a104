//! An answer → a page: read, or an honest word why not.

use bytes::Bytes;
use probity_core::WebUrl;
use tokio::time::Instant;

use super::Inner;
use super::follow::Trail;
use super::load::{PageAnswer, Stop};
use super::page::{FetchOutcome, Page};
use super::walls::{self, Evidence};
use crate::extract::{self, BodyKind, ExtractError, Extracted, View};

/// Whether the first bytes of a good answer are worth the rest.
pub(crate) fn wanted(content_type: Option<&str>, first: &[u8]) -> bool {
    // What kind of archive it is shows only at its end.
    first.starts_with(b"PK\x03\x04")
        || first.starts_with(b"\x1f\x8b\x08")
        || extract::sniff(first, content_type) != BodyKind::Other
}

impl Inner {
    /// Reads an answer and tells pages from walls. Of a shell, also which other views it names.
    pub(crate) async fn judge(
        &self,
        url: &WebUrl,
        trail: &Trail,
        answer: PageAnswer,
        deadline: Instant,
    ) -> (Page, Vec<(View, WebUrl)>) {
        let mut page = started(url, trail);
        page.cached = answer.cached;
        page.bytes = answer.body.bytes.len() as u64;
        if let Some(stop) = by_status(&trail.at, &answer) {
            return (stopped(page, stop), Vec::new());
        }
        let PageAnswer { status, headers, body, place: _place, .. } = answer;
        let (bytes, _memory) = body.into_parts();
        let bytes = Bytes::from(bytes);
        let extracted = self.extract(bytes.clone(), &page, deadline).await;
        let evidence = Evidence {
            url: &trail.at,
            status,
            headers: &headers,
            html: &bytes,
            document: extracted.as_ref().ok().map(|extracted| &extracted.document),
        };
        let is_page = match &extracted {
            Ok(extracted) => extracted.kind == BodyKind::Html,
            Err(error) => *error == ExtractError::Empty,
        };
        if is_page && let Some(wall) = walls::find(&evidence) {
            let views = match wall.outcome {
                FetchOutcome::Shell => extract::views(&String::from_utf8_lossy(&bytes), &trail.at),
                _ => Vec::new(),
            };
            return (stopped(page, Stop::new(wall.outcome, wall.reason)), views);
        }
        let page = match extracted {
            Ok(extracted) => {
                page.reason = match &extracted.document.cut_short {
                    Some(why) => format!("read in part: {why}"),
                    None => "read".to_owned(),
                };
                page.document = Some(extracted.document);
                page.outcome = FetchOutcome::Read;
                page
            }
            Err(error) => stopped(page, unreadable(&error)),
        };
        (page, Vec::new())
    }

    async fn extract(
        &self,
        bytes: Bytes,
        page: &Page,
        deadline: Instant,
    ) -> Result<Extracted, ExtractError> {
        let _core = self.extracting.acquire().await;
        let left = deadline.saturating_duration_since(Instant::now());
        let time = left.min(extract::in_time::EXTRACT_TIME);
        let (kind, url) = (page.content_type.clone(), page.final_url.clone());
        let extracted = extract::extract_in_time(bytes, kind, Some(url), time).await?;
        match has_words(&extracted.document.text) {
            true => Ok(extracted),
            false => Err(ExtractError::Empty),
        }
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// A page as far as the trail tells.
pub(crate) fn started(url: &WebUrl, trail: &Trail) -> Page {
    Page {
        final_url: trail.at.clone(),
        status: trail.status,
        content_type: trail.content_type.clone(),
        redirects: trail.passed.clone(),
        ..Page::unasked(url.clone(), FetchOutcome::Failed, "")
    }
}

/// A page that came to nothing.
pub(crate) fn stopped(mut page: Page, stop: Stop) -> Page {
    page.outcome = stop.outcome;
    page.reason = stop.reason;
    page.status = stop.status.or(page.status);
    page.document = None;
    page
}

/// What the status alone, or with a look at the page, says of an answer that is no success.
pub(crate) fn by_status(url: &WebUrl, answer: &PageAnswer) -> Option<Stop> {
    let host = url.host();
    let status = answer.status;
    let stop = |outcome, reason: String| Some(Stop::new(outcome, reason));
    match status {
        204 | 205 => stop(FetchOutcome::Empty, format!("{host} answers without a page")),
        206 | 300..=399 => {
            stop(FetchOutcome::Failed, format!("{host} answers with status {status} and no page"))
        }
        200..=299 => None,
        404 => stop(FetchOutcome::NotFound, format!("{host} has no such page")),
        410 => stop(FetchOutcome::Gone, format!("{host} says that the page is gone for good")),
        _ => match walls::bot_wall_page(url, answer) {
            Some(wall) => stop(wall.outcome, wall.reason),
            None => by_error_status(host, status),
        },
    }
}

fn by_error_status(host: &str, status: u16) -> Option<Stop> {
    let (outcome, reason) = match status {
        401 => (FetchOutcome::PaywallStub, format!("{host} asks for a login")),
        402 => (FetchOutcome::PaywallStub, format!("{host} asks for payment")),
        403 => (FetchOutcome::Failed, format!("{host} refuses us the page (status 403)")),
        451 => (FetchOutcome::Failed, format!("{host} blocks the page for legal reasons")),
        _ => (FetchOutcome::Failed, format!("{host} answers with status {status}")),
    };
    Some(Stop::new(outcome, reason))
}

fn unreadable(error: &ExtractError) -> Stop {
    let outcome = match error {
        ExtractError::Unsupported(_) => FetchOutcome::WrongType,
        ExtractError::TooLarge { .. } => FetchOutcome::TooLarge,
        ExtractError::Empty => FetchOutcome::Empty,
        ExtractError::TimedOut(_) | ExtractError::Stopped => FetchOutcome::Timeout,
        ExtractError::Broken { .. }
        | ExtractError::Locked
        | ExtractError::Crashed(_)
        | ExtractError::Busy => FetchOutcome::Failed,
    };
    Stop::new(outcome, error.to_string())
}
