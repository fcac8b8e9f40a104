//! A paper behind a wall → open copies of it, which OpenAlex and Unpaywall know by the paper's DOI.
//!
//! Both are APIs: OpenAlex is asked as it is set as a search provider, Unpaywall where the user gave the address that it
//! wants to know whoever asks by. Where they say that a copy lies is only a suggestion: the copy is fetched and scored by
//! the rules of pages.

use probity_core::WebUrl;
use serde_json::Value;

use crate::fetch::api::{ApiClient, ApiRequest};
use crate::search::{ProviderName, ProviderSettings};

/// The longest DOI that is looked up, in bytes.
const DOI_BYTES: usize = 200;
/// What publishers put behind a DOI in the addresses of their pages.
const ENDINGS: &[&str] =
    &["/full", "/pdf", "/epdf", "/abstract", "/fulltext", "/html", "/meta", ".pdf"];

/// How many copies of one work an index may name. The best is first, and each costs a page's time.
const COPIES: usize = 2;
/// Where Unpaywall is.
const UNPAYWALL: &str = "https://api.unpaywall.org/v2";

/// An index of open copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyIndex {
    /// OpenAlex.
    Openalex,
    /// Unpaywall.
    Unpaywall,
}

impl CopyIndex {
    /// All of them, in the order in which they are asked.
    pub const ALL: [Self; 2] = [Self::Openalex, Self::Unpaywall];
}

/// How Unpaywall is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpaywall {
    /// The address by which it knows who asks.
    pub email: String,
    /// Where it is, if not at its usual place.
    pub url: Option<WebUrl>,
}

/// Finds open copies.
pub struct OpenCopies {
    client: ApiClient,
    openalex: ProviderSettings,
    unpaywall: Option<Unpaywall>,
}

impl OpenCopies {
    /// A finder that asks OpenAlex as it is set, and Unpaywall if it is.
    pub fn new(
        client: ApiClient,
        openalex: ProviderSettings,
        unpaywall: Option<Unpaywall>,
    ) -> Self {
        Self { client, openalex, unpaywall }
    }

    /// Where an index says that open copies of a work lie, the best first: PDFs before pages. None where it knows of
    /// none, is not set or does not answer.
    pub async fn find(&self, index: CopyIndex, doi: &str) -> Vec<WebUrl> {
        let request = match index {
            CopyIndex::Openalex => self.ask_openalex(doi),
            CopyIndex::Unpaywall => self.ask_unpaywall(doi),
        };
        let Some(request) = request else { return Vec::new() };
        match self.client.get_json::<Value>(request).await {
            Ok(found) => copies(&found),
            Err(error) => {
                tracing::debug!(%error, doi, ?index, "no open copy is known");
                Vec::new()
            }
        }
    }

    fn ask_openalex(&self, doi: &str) -> Option<ApiRequest> {
        let usual = || WebUrl::parse(ProviderName::Openalex.spec().url?).ok();
        let base = self.openalex.url.clone().or_else(usual)?;
        let mut request =
            ApiRequest::get(&below(&base, &format!("works/doi:{doi}"))?).query("select", BEST);
        if let Some(address) = &self.openalex.mailto {
            request = request.query("mailto", address.as_str());
        }
        Some(request.secret_query("api_key", self.openalex.key.as_ref()))
    }

    fn ask_unpaywall(&self, doi: &str) -> Option<ApiRequest> {
        let Unpaywall { email, url } = self.unpaywall.as_ref()?;
        let base = url.clone().or_else(|| WebUrl::parse(UNPAYWALL).ok())?;
        Some(ApiRequest::get(&below(&base, doi)?).query("email", email.as_str()))
    }
}

fn below(base: &WebUrl, path: &str) -> Option<WebUrl> {
    base.join(&format!("{}/{path}", base.as_url().path().trim_end_matches('/'))).ok()
}

/// What both indexes call the copy that they think best.
const BEST: &str = "best_oa_location";

/// The copies that an answer names: of the best place and then of the others, the PDF or else the page.
fn copies(found: &Value) -> Vec<WebUrl> {
    let others = found.get("oa_locations").and_then(Value::as_array);
    let places = found.get(BEST).into_iter().chain(others.into_iter().flatten());
    let fields = ["pdf_url", "url_for_pdf", "landing_page_url", "url", "url_for_landing_page"];
    let mut copies = Vec::new();
    for place in places {
        let named = fields.iter().filter_map(|field| place.get(field)?.as_str());
        let url = named.filter_map(|url| WebUrl::parse(url).ok()).next();
        copies.extend(url.filter(|url| !copies.contains(url)));
        if copies.len() == COPIES {
            break;
        }
    }
    copies
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pdfs_come_before_pages_and_the_best_place_before_others() {
        let urls =
            |found: Value| copies(&found).iter().map(ToString::to_string).collect::<Vec<_>>();
        let openalex = json!({BEST: {"pdf_url": null, "landing_page_url": "https://a.example/1"}});
        assert_eq!(urls(openalex), ["https://a.example/1"]);
        let unpaywall = json!({
            BEST: {"url": "https://a.example/1.pdf", "url_for_pdf": "https://a.example/1.pdf"},
            "oa_locations": [
                {"url": "https://a.example/1.pdf", "url_for_pdf": "https://a.example/1.pdf"},
                {"url": "ftp://c.example/1", "url_for_landing_page": "https://b.example/1", "url_for_pdf": null},
                {"url": "https://d.example/1"},
            ],
        });
        assert_eq!(urls(unpaywall), ["https://a.example/1.pdf", "https://b.example/1"]);
        for nothing in [json!({BEST: null, "oa_locations": []}), json!([]), json!({BEST: "x"})] {
            assert!(urls(nothing).is_empty());
        }
    }
}
