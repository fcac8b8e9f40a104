//! The `[fetch]` section: how pages are fetched, in the units that people write.

use std::time::Duration;

use probity_core::WebUrl;
use probity_web::fetch::{AllowedHost, CacheSettings, FetchSettings, ReaderService, Renderer};
use probity_web::open_copy::Unpaywall;
use serde::{Deserialize, Serialize};

use super::Paths;

/// How pages are fetched.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FetchSection {
    /// The timeout of one page in total, in seconds.
    pub(crate) seconds: u64,
    /// Whether robots.txt is fetched and obeyed.
    pub(crate) robots: bool,
    /// Whether unknown sites are asked for their `trust.txt` and `ads.txt`.
    pub(crate) site_files: bool,
    /// What shows pages which are shells without their scripts: `off`, `chromium`, the path of a browser, or the address of
    /// a reader service.
    pub(crate) render: String,
    /// The web archive for pages whose links are dead: `off`, `wayback`, or the address of a
    /// similar one.
    pub(crate) archive: String,
    /// Whether OpenAlex is asked for an open copy of a paper behind a wall.
    pub(crate) open_copies: bool,
    /// The e-mail address by which Unpaywall is asked as well; `off` where it is not.
    pub(crate) unpaywall: String,
    /// Private hosts and ports that may be fetched, as `HOST:PORT`.
    pub(crate) allow_hosts: Vec<String>,
    /// How many pages are loaded at the same time.
    pub(crate) concurrency: usize,
    /// How many pages are loaded from one host at the same time.
    pub(crate) per_host: usize,
    /// Milliseconds between two requests to the same host.
    pub(crate) delay_ms: u64,
    /// Whether responses are cached on disk for conditional requests.
    pub(crate) cache: bool,
}

impl Default for FetchSection {
    fn default() -> Self {
        let settings = FetchSettings::default();
        Self {
            seconds: settings.time.as_secs(),
            robots: settings.robots,
            site_files: settings.site_files,
            render: OFF.to_owned(),
            archive: OFF.to_owned(),
            open_copies: settings.open_copies,
            unpaywall: OFF.to_owned(),
            allow_hosts: Vec::new(),
            concurrency: settings.concurrency,
            per_host: settings.per_host,
            delay_ms: u64::try_from(settings.delay.as_millis()).unwrap_or(u64::MAX),
            cache: false,
        }
    }
}

/// What `render`, `archive` and `unpaywall` are where none is wanted.
const OFF: &str = "off";
/// The archive of a name.
const WAYBACK: (&str, &str) = ("wayback", "https://web.archive.org/");
/// The folder of cached responses, below the data folder.
const CACHE: &str = "cache";
/// The longest e-mail address, as the standard has it.
const EMAIL_BYTES: usize = 254;
/// The longest time that one page may be given.
const MAX_SECONDS: u64 = 600;

impl FetchSection {
    /// Says what is wrong with the section, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !(1..=MAX_SECONDS).contains(&self.seconds) {
            return Err(format!(
                "`seconds` is {}; it has to lie between 1 and {MAX_SECONDS}",
                self.seconds
            ));
        }
        self.renderer()?;
        self.archive()?;
        self.unpaywall()?;
        if self.concurrency == 0 || self.per_host == 0 {
            return Err("`concurrency` and `per_host` have to be at least 1".to_owned());
        }
        self.allow_hosts.iter().try_for_each(|host| {
            host.parse::<AllowedHost>().map(drop).map_err(|error| format!("`allow_hosts`: {error}"))
        })
    }

    /// What shows shells, if anything.
    fn renderer(&self) -> Result<Option<Renderer>, String> {
        match self.render.trim() {
            OFF => Ok(None),
            "" => Err("`render` is empty; it has to be `off`, `chromium`, a path or an address"
                .to_owned()),
            text if text.contains("://") => {
                let service = text.parse::<ReaderService>().map(Renderer::Service).map(Some);
                service.map_err(|error| {
                    format!("`render` is not the address of a reader service: {error}")
                })
            }
            browser => Ok(Some(Renderer::Browser(browser.to_owned()))),
        }
    }

    /// How Unpaywall is asked, if it is.
    fn unpaywall(&self) -> Result<Option<Unpaywall>, String> {
        let email = self.unpaywall.trim();
        let is_plain = |c: char| c.is_ascii_graphic() && !"<>()[],;:\\\"".contains(c);
        match email.split_once('@') {
            _ if email == OFF => Ok(None),
            Some((name, host))
                if !name.is_empty()
                    && host.contains('.')
                    && email.len() <= EMAIL_BYTES
                    && email.chars().all(is_plain) =>
            {
                Ok(Some(Unpaywall { email: email.to_owned(), url: None }))
            }
            _ => {
                Err("`unpaywall` is not `off` or an e-mail address; Unpaywall wants yours"
                    .to_owned())
            }
        }
    }

    /// The archive that is wanted, if any.
    fn archive(&self) -> Result<Option<WebUrl>, String> {
        let (name, wayback) = WAYBACK;
        match self.archive.trim() {
            OFF => Ok(None),
            text => {
                let url = WebUrl::parse(if text == name { wayback } else { text });
                url.map(Some).map_err(|error| {
                    format!("`archive` is not `off`, `{name}` or an address: {error}")
                })
            }
        }
    }

    /// The fetcher's settings, with more hosts opened for one call.
    pub(crate) fn resolve(
        &self,
        more_hosts: &[String],
        paths: &Paths,
    ) -> Result<FetchSettings, String> {
        let hosts = self.allow_hosts.iter().chain(more_hosts);
        let allow_hosts = hosts
            .map(|host| host.parse::<AllowedHost>().map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(FetchSettings {
            time: Duration::from_secs(self.seconds),
            robots: self.robots,
            site_files: self.site_files,
            archive: self.archive()?,
            open_copies: self.open_copies,
            unpaywall: self.unpaywall()?,
            render: self.renderer()?,
            allow_hosts,
            concurrency: self.concurrency,
            per_host: self.per_host,
            delay: Duration::from_millis(self.delay_ms),
            cache: self.cache.then(|| CacheSettings::at(paths.data.join(CACHE))),
            ..FetchSettings::default()
        })
    }
}
