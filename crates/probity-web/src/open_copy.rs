//! A paper behind a wall → an open copy of it, which OpenAlex knows by the paper's DOI.
//!
//! OpenAlex is an API that the user may set like any search provider, so that it is asked like one. Where it says that a
//! copy lies is only a suggestion: the copy is fetched and scored by the rules of pages.

use probity_core::WebUrl;
use serde_json::Value;

use crate::fetch::api::{ApiClient, ApiRequest};
use crate::search::{ProviderName, ProviderSettings};

/// The longest DOI that is looked up, in bytes.
const DOI_BYTES: usize = 200;
/// What publishers put behind a DOI in the addresses of their pages.
const ENDINGS: &[&str] =
    &["/full", "/pdf", "/epdf", "/abstract", "/fulltext", "/html", "/meta", ".pdf"];

/// Finds open copies.
pub struct OpenCopies {
    client: ApiClient,
    settings: ProviderSettings,
}

impl OpenCopies {
    /// A finder that asks OpenAlex as it is set.
    pub fn new(client: ApiClient, settings: ProviderSettings) -> Self {
        Self { client, settings }
    }

    /// Where an open copy of a work lies: its PDF, else its page; none where there is none or nobody answers.
    pub async fn find(&self, doi: &str) -> Option<WebUrl> {
        let usual = || WebUrl::parse(ProviderName::Openalex.spec().url?).ok();
        let base = self.settings.url.clone().or_else(usual)?;
        let path = format!("{}/works/doi:{doi}", base.as_url().path().trim_end_matches('/'));
        let url = base.join(&path).ok()?;
        let mut request = ApiRequest::get(&url)
            .query("select", "best_oa_location")
            .header("accept", "application/json");
        if let Some(address) = &self.settings.mailto {
            request = request.query("mailto", address.as_str());
        }
        if let Some(key) = &self.settings.key {
            request = request.secret_query("api_key", key);
        }
        let found: Value = match self.client.get_json(request).await {
            Ok(found) => found,
            Err(error) => {
                tracing::debug!(%error, doi, "no open copy is known");
                return None;
            }
        };
        let text = |field: &str| found.get("best_oa_location")?.get(field)?.as_str();
        let urls = [text("pdf_url"), text("landing_page_url")];
        urls.into_iter().flatten().find_map(|url| WebUrl::parse(url).ok())
    }
}

/// The DOI in an address, if it has one: at doi.org, and in the paths of most publishers.
///
/// ```
/// use probity_core::WebUrl;
/// use probity_web::open_copy::doi_of;
///
/// let doi = |url: &str| doi_of(&WebUrl::parse(url).unwrap());
/// assert_eq!(doi("https://doi.org/10.5555/ABC.1").as_deref(), Some("10.5555/abc.1"));
/// assert_eq!(doi("https://press.example/doi/full/10.5555/abc.1/pdf?x=1").as_deref(), Some("10.5555/abc.1"));
/// assert_eq!(doi("https://press.example/v10.5/notes"), None);
/// ```
pub fn doi_of(url: &WebUrl) -> Option<String> {
    let path = url.as_url().path().replace("%2F", "/").replace("%2f", "/");
    let start = path.match_indices("/10.").map(|(at, _)| at + 1).find(|at| {
        let digits = path.get(at + 3..).unwrap_or_default();
        let registrant = digits.split('/').next().unwrap_or_default();
        (4..=9).contains(&registrant.len()) && registrant.bytes().all(|b| b.is_ascii_digit())
    })?;
    let doi = path.get(start..)?.to_ascii_lowercase();
    let doi = ENDINGS.iter().find_map(|end| doi.strip_suffix(end)).unwrap_or(&doi);
    let doi = doi.trim_end_matches('/');
    let (_, suffix) = doi.split_once('/')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._;()/:".contains(&b);
    (!suffix.is_empty() && doi.len() <= DOI_BYTES && doi.bytes().all(plain)).then(|| doi.to_owned())
}
