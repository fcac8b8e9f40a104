//! What a site's robots.txt says about a page, asked once per site and hour.
//!
//! A missing file (4xx) opens the site; one that cannot be had (5xx, 429, no answer) closes it
//! for some minutes, as RFC 9309 asks.

mod rules;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use probity_core::WebUrl;
use reqwest::header::LOCATION;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::body::{self, Reading};
use super::client::AGENT_NAME;
use super::limits::{
    ROBOTS_BYTES, ROBOTS_CLOSED, ROBOTS_FRESH, ROBOTS_MEMORY, ROBOTS_REMEMBERED, ROBOTS_TIME,
};
use super::wire::{Wire, WireError, page_headers};
use rules::Rules;

/// What robots.txt says about one page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ruling {
    /// It may be fetched, with this pause between requests.
    Open(Option<Duration>),
    /// It may not be fetched.
    Closed(String),
    /// The site cannot be reached at all, so neither can the page.
    Unreachable(WireError),
}

/// What is known of the sites that were asked lately.
pub(crate) struct Robots {
    redirects: usize,
    sites: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Option<Known>>>>>,
}

struct Known {
    says: Says,
    until: Instant,
}

#[derive(Clone)]
enum Says {
    Rules(Arc<Rules>),
    NotNow(String),
    Unreachable(WireError),
}

impl Robots {
    pub(crate) fn new(redirects: usize) -> Self {
        Self { redirects, sites: Mutex::new(HashMap::new()) }
    }

    /// Rules on a page, asking the site for its robots.txt if need be. Those who ask about the
    /// same site meanwhile wait for the one answer.
    pub(crate) async fn ruling(&self, wire: &Wire, places: &Semaphore, url: &WebUrl) -> Ruling {
        let site = self.site(&url.as_url().origin().ascii_serialization());
        let mut known = site.lock().await;
        let says = match &*known {
            Some(known) if known.until > Instant::now() => known.says.clone(),
            _ => {
                let _place = places.acquire().await;
                let says = self.ask(wire, url).await;
                let fresh =
                    if matches!(says, Says::Rules(_)) { ROBOTS_FRESH } else { ROBOTS_CLOSED };
                *known = Some(Known { says: says.clone(), until: Instant::now() + fresh });
                says
            }
        };
        drop(known);
        match says {
            Says::Rules(rules) if rules.allow(path_and_query(url)) => {
                Ruling::Open(rules.crawl_delay)
            }
            Says::Rules(_) => {
                Ruling::Closed(format!("robots.txt of {} closes this page to us", url.host()))
            }
            Says::NotNow(reason) => Ruling::Closed(reason),
            Says::Unreachable(error) => Ruling::Unreachable(error),
        }
    }

    async fn ask(&self, wire: &Wire, page: &WebUrl) -> Says {
        match tokio::time::timeout(ROBOTS_TIME, self.load(wire, page)).await {
            Ok(says) => says,
            Err(_) => not_now(page, "it did not come in time"),
        }
    }

    async fn load(&self, wire: &Wire, page: &WebUrl) -> Says {
        let Ok(mut url) = page.join("/robots.txt") else { return not_now(page, "no address") };
        for _ in 0..=self.redirects {
            let response = match wire.get(&url, page_headers()).await {
                Ok(response) => response,
                // What keeps us from the site's own robots.txt keeps us from the page as well.
                Err(error) if url.host() == page.host() => return Says::Unreachable(error),
                Err(_) => return not_now(page, "it redirects to where we cannot go"),
            };
            let status = response.status().as_u16();
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match (status, location) {
                (200..=299, _) => return read(response, page).await,
                (301 | 302 | 303 | 307 | 308, Some(location)) => match url.join(location) {
                    Ok(next) => url = next,
                    Err(_) => return not_now(page, "it redirects to no web address"),
                },
                (429 | 500.., _) => return not_now(page, &format!("status {status}")),
                // Not there: nothing is closed.
                _ => return Says::Rules(Arc::default()),
            }
        }
        // RFC 9309: more redirects than are followed count as no file.
        Says::Rules(Arc::default())
    }

    fn site(&self, origin: &str) -> Arc<tokio::sync::Mutex<Option<Known>>> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = sites.get(origin) {
            return Arc::clone(site);
        }
        if sites.len() >= ROBOTS_REMEMBERED || weight(&sites) > ROBOTS_MEMORY {
            sites.retain(|_, site| Arc::strong_count(site) > 1);
        }
        Arc::clone(sites.entry(origin.to_owned()).or_default())
    }
}

/// About how much memory the remembered rules take.
fn weight(sites: &HashMap<String, Arc<tokio::sync::Mutex<Option<Known>>>>) -> usize {
    let of = |known: &Option<Known>| match known.as_ref().map(|known| &known.says) {
        Some(Says::Rules(rules)) => rules.weight(),
        _ => 0,
    };
    sites.values().filter_map(|site| site.try_lock().ok().map(|known| of(&known))).sum()
}

async fn read(response: reqwest::Response, page: &WebUrl) -> Says {
    let how = Reading { limit: ROBOTS_BYTES, memory: None, wanted: None, cut: true };
    match body::read(response, &how).await {
        Ok(body) => {
            let text = String::from_utf8_lossy(&body.bytes);
            Says::Rules(Arc::new(Rules::parse(&text, AGENT_NAME)))
        }
        Err(error) => not_now(page, &error.to_string()),
    }
}

fn not_now(page: &WebUrl, why: &str) -> Says {
    Says::NotNow(format!(
        "robots.txt of {} could not be had ({why}), so the site counts as closed for now",
        page.host()
    ))
}

fn path_and_query(url: &WebUrl) -> &str {
    let url = url.as_url();
    #[expect(clippy::indexing_slicing, reason = "positions of a URL are always within it")]
    &url[url::Position::BeforePath..url::Position::AfterQuery]
}
