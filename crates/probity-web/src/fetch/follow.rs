//! From the permitted address to the one that answers, redirect by redirect.
//!
//! Every hop is judged like the first: its address, its robots.txt, its turn. All of them share
//! one deadline and count towards one limit.

mod refresh;

use std::time::Duration;

use probity_core::{WebUrl, printable};
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use super::Inner;
use super::load::{Asking, PageAnswer, Stop};
use super::page::FetchOutcome;
use super::robots::Ruling;
use crate::extract::is_same_site;

/// Where a page's redirects have led so far. It outlives a timeout, to tell how far things came.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    pub(crate) at: WebUrl,
    pub(crate) passed: Vec<WebUrl>,
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
    /// Whether every redirect so far was permanent.
    pub(crate) for_good: bool,
}

impl Trail {
    pub(crate) fn from(url: &WebUrl) -> Self {
        Self {
            at: url.clone(),
            passed: Vec::new(),
            status: None,
            content_type: None,
            for_good: true,
        }
    }
}

/// What kind of document is asked for, and with which headers.
pub(crate) struct Journey<'a> {
    pub(crate) deadline: Instant,
    pub(crate) extra: HeaderMap,
    /// Whether this is a page to be read: robots.txt counts, the cache helps, `<meta>` redirects.
    pub(crate) as_page: bool,
    pub(crate) wanted: &'a (dyn Fn(Option<&str>, &[u8]) -> bool + Sync),
    /// Whether redirects to other sites are refused.
    pub(crate) own_site: bool,
    /// How much is read of what comes, where that is less than of a page; the rest is ignored.
    pub(crate) most: Option<u64>,
}

impl Journey<'_> {
    /// The way to whatever lies at a page's address.
    pub(crate) fn of_page(deadline: Instant) -> Self {
        Self {
            deadline,
            extra: HeaderMap::new(),
            as_page: true,
            wanted: &|_, _| true,
            own_site: false,
            most: None,
        }
    }
}

impl Inner {
    /// Follows the redirects of a page to its answer.
    pub(crate) async fn follow(
        &self,
        trail: &mut Trail,
        journey: &Journey<'_>,
    ) -> Result<PageAnswer, Stop> {
        loop {
            let url = trail.at.clone();
            if journey.as_page && self.settings.robots {
                self.obey_robots(&url).await?;
            }
            let asking = Asking {
                deadline: journey.deadline,
                extra: &journey.extra,
                use_cache: journey.as_page,
                wanted: journey.wanted,
                most: journey.most,
            };
            let answer = self.load(&url, &asking).await?;
            trail.status = Some(answer.status);
            trail.content_type = answer.content_type();
            let location = match answer.location() {
                None if journey.as_page => refresh::target(&answer),
                location => location,
            };
            let Some(location) = location else { return Ok(answer) };
            self.step(trail, &location, matches!(answer.status, 301 | 308))?;
            if journey.own_site && !is_same_site(&url, &trail.at) {
                let reason = format!("it is redirected to another site, {}", trail.at.host());
                return Err(Stop::new(FetchOutcome::BlockedByAddress, reason));
            }
        }
    }

    /// Takes one step along a redirect, or says why not.
    fn step(&self, trail: &mut Trail, location: &str, for_good: bool) -> Result<(), Stop> {
        let next = trail.at.join(location).map_err(|error| {
            let target = printable::brief(location, 80);
            let reason = format!("the redirect to `{target}` is not followed: {error}");
            Stop::new(FetchOutcome::BlockedByAddress, reason)
        })?;
        if trail.passed.len() >= self.settings.redirects {
            let reason = format!("more than {} redirects", self.settings.redirects);
            return Err(Stop::new(FetchOutcome::Failed, reason));
        }
        if next == trail.at || trail.passed.contains(&next) {
            return Err(Stop::new(FetchOutcome::Failed, "the redirects lead in a circle"));
        }
        trail.for_good &= for_good;
        trail.passed.push(std::mem::replace(&mut trail.at, next));
        Ok(())
    }

    pub(crate) async fn obey_robots(&self, url: &WebUrl) -> Result<(), Stop> {
        // An address that is refused has no robots.txt that we could ask for.
        self.wire.door(url).map_err(|reason| Stop::new(FetchOutcome::BlockedByAddress, reason))?;
        match self.robots.ruling(&self.wire, &self.in_flight, url).await {
            Ruling::Open(pause) => {
                self.politeness.slow_down(url.dns_host(), pause.unwrap_or(Duration::ZERO));
                Ok(())
            }
            Ruling::Closed(reason) => Err(Stop::new(FetchOutcome::Robots, reason)),
            Ruling::Unreachable(error) => Err(error.into()),
        }
    }
}
