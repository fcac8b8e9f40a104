//! Style sheets and scripts: part of the program, named by their content so that browsers keep them.

use std::sync::LazyLock;

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::problem::Problem;
use crate::read::Part;

struct Asset {
    name: String,
    media: &'static str,
    text: &'static str,
}

impl Asset {
    fn new(stem: &str, ending: &str, media: &'static str, text: &'static str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let digits = probity_core::hex(digest.iter().take(6));
        Self { name: format!("{stem}-{digits}.{ending}"), media, text }
    }
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    [
        Asset::new("report", "css", CSS, probity_report::html::CSS),
        Asset::new("site", "css", CSS, include_str!("../assets/site.css")),
        Asset::new("report", "js", JS, probity_report::html::JS),
        Asset::new("site", "js", JS, include_str!("../assets/site.js")),
    ]
});

/// The addresses that every page's head names.
pub(crate) struct Head {
    pub(crate) styles: [String; 2],
    pub(crate) scripts: [String; 2],
}

impl Head {
    pub(crate) fn new() -> Self {
        let [report_css, site_css, report_js, site_js] = &*ASSETS;
        let address = |asset: &Asset| format!("/assets/{}", asset.name);
        Self {
            styles: [address(report_css), address(site_css)],
            scripts: [address(report_js), address(site_js)],
        }
    }
}

/// `GET /assets/{name}`.
pub(crate) async fn show(Part(name): Part) -> Result<Response, Problem> {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset =
        asset.ok_or_else(|| Problem::not_found("there is no such file; reload the page"))?;
    let mut response = asset.text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media));
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(header::CACHE_CONTROL, forever);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_together_stays_small() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.text.len()).sum();
        assert!(bytes < 60 * 1024, "{bytes} bytes of style and script");
    }
}
