//! A shell → its text as a service reads it that the user set, by the page's address.
//!
//! ```text
//! {service}/{address}, or {url} in the service's address → judged like any page
//! ```
//!
//! The service is asked by the rules of pages and cannot lead elsewhere. It learns which page is read, so it is off
//! unless it is set, and it is never sent the address of a page on a host that was opened for this machine alone.

use std::fmt;
use std::str::FromStr;

use probity_core::WebUrl;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::form_urlencoded;

use super::Inner;
use super::follow::{Journey, Trail};
use super::guard::Door;
use super::judge;
use super::page::Page;

/// What stands for a page's address in that of a service.
const PLACE: &str = "{url}";
/// What stands there while the address is checked.
const SAMPLE: &str = "https%3A%2F%2Fexample.org%2F";
/// Asks a service that can answer in several forms for the page itself.
fn form() -> HeaderMap {
    let (name, html) = ("x-return-format", "html");
    HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(html))])
}

/// The address of a service that reads pages.
///
/// ```
/// use probity_web::fetch::ReaderService;
///
/// let page = probity_core::WebUrl::parse("https://example.org/a?b=1")?;
/// let asked = |service: &str| service.parse::<ReaderService>().ok()?.address(&page);
/// assert_eq!(asked("https://r.example/").unwrap().as_str(), "https://r.example/https://example.org/a?b=1");
/// assert_eq!(
///     asked("https://r.example/read?url={url}").unwrap().as_str(),
///     "https://r.example/read?url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1"
/// );
/// assert!(asked("ftp://r.example/").is_none());
/// # Ok::<(), probity_core::UrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderService(String);

impl ReaderService {
    /// Where the service is asked for a page.
    pub fn address(&self, page: &WebUrl) -> Option<WebUrl> {
        let text = match self.0.contains(PLACE) {
            true => {
                let page: String =
                    form_urlencoded::byte_serialize(page.as_str().as_bytes()).collect();
                self.0.replace(PLACE, &page)
            }
            false => format!("{}/{page}", self.0.trim_end_matches('/')),
        };
        WebUrl::parse(&text).ok()
    }
}

impl FromStr for ReaderService {
    type Err = probity_core::UrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        WebUrl::parse(&text.replace(PLACE, SAMPLE)).map(|_| Self(text.to_owned()))
    }
}

impl fmt::Display for ReaderService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Inner {
    /// The page as the service reads it, or as it was, with what went wrong.
    pub(crate) async fn ask_reader(
        &self,
        service: &ReaderService,
        page: Page,
        journey: &Journey<'_>,
    ) -> Page {
        let Some(url) = service.address(&page.final_url) else { return page };
        let host = url.host().to_owned();
        let still = |page: Page, why: &str| {
            let reason = format!("{}, and {host} {why}", page.reason);
            Page { reason, ..page }
        };
        let is_opened = |url: &WebUrl| matches!(self.wire.door(url), Ok(Door::Allowed));
        if is_opened(&page.final_url) && !is_opened(&url) {
            return still(page, "is not sent pages on hosts that you opened yourself");
        }
        let mut trail = Trail::from(&url);
        let again = Journey {
            // A service that was set is asked as an API is: its robots.txt speaks to crawlers of its own pages.
            as_page: false,
            own_site: true,
            wanted: &judge::wanted,
            extra: form(),
            ..Journey::of_page(journey.deadline)
        };
        let found = match self.follow(&mut trail, &again).await {
            Ok(answer) => {
                // Links are those of the page, not of the service.
                trail.at = page.final_url.clone();
                self.judge(&page.url, &trail, answer, journey.deadline).await.0
            }
            Err(stop) => judge::stopped(judge::started(&page.url, &trail), stop),
        };
        match found.outcome.is_read() {
            true => Page {
                final_url: page.final_url,
                redirects: page.redirects,
                status: page.status,
                reason: format!("read by the reader service at {host}"),
                ..found
            },
            false => still(page, &format!("did not read it either: {}", found.reason)),
        }
    }
}
