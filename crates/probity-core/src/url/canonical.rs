//! address → the same page's one address

use super::{CanonicalUrl, WebUrl};

/// Parameters that mark where a click came from and never choose the page.
const TRACKING: &[&str] = &[
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "cmpid",
    "dclid",
    "dicbo",
    "fbclid",
    "gbraid",
    "gclid",
    "gclsrc",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    "icid",
    "igsh",
    "igshid",
    "itid",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "ncid",
    "oly_anon_id",
    "oly_enc_id",
    "s_cid",
    "smid",
    "spm",
    "srsltid",
    "ttclid",
    "twclid",
    "vero_id",
    "wbraid",
    "wickedid",
    "wt_mc",
    "yclid",
    "ysclid",
];

/// Families of tracking parameters, by how their names begin.
const TRACKING_PREFIXES: &[&str] = &["utm_", "pk_", "mtm_", "hsa_", "at_medium", "at_campaign"];

/// More passes than any address needs that is not made to waste them.
const MAX_PASSES: usize = 64;

pub(super) fn canonical(url: &WebUrl) -> CanonicalUrl {
    let mut url = url.clone();
    // What one pass takes off may uncover an ending or a dot segment; each pass only shortens.
    for _ in 0..MAX_PASSES {
        match WebUrl::parse(&one_pass(&url)) {
            Ok(shorter) if shorter != url => url = shorter,
            _ => break,
        }
    }
    CanonicalUrl(url.as_str().to_owned())
}

fn one_pass(url: &WebUrl) -> String {
    let source = url.as_url();
    let mut text = String::with_capacity(url.as_str().len());
    text.push_str(source.scheme());
    text.push_str("://");
    text.push_str(url.dns_host());
    if let Some(port) = source.port() {
        text.push(':');
        text.push_str(&port.to_string());
    }
    text.push_str(&page_path(source.path()));
    let mut separator = '?';
    let query = tidy_escapes(source.query().unwrap_or_default());
    for pair in query.split('&').filter(|pair| chooses_page(pair)) {
        text.push(separator);
        text.push_str(pair);
        separator = '&';
    }
    text
}

/// The path without an AMP ending and without trailing slashes.
fn page_path(path: &str) -> String {
    let mut page = tidy_escapes(path);
    page.truncate(page.trim_end_matches('/').len());
    if let Some(stem) = page.strip_suffix(".amp.html") {
        page = format!("{stem}.html");
    } else if page.ends_with("/amp") || page.ends_with(".amp") {
        page.truncate(page.len() - ".amp".len());
    }
    if page.is_empty() {
        page.push('/');
    }
    page
}

fn chooses_page(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    let is_amp = matches!(name.as_str(), "amp" | "usqp" | "amp_js_v" | "amp_gsa")
        || pair.eq_ignore_ascii_case("outputtype=amp");
    !(pair.is_empty()
        || is_amp
        || TRACKING.contains(&name.as_str())
        || TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Upper-cases percent escapes and undoes those that stand for plain characters.
fn tidy_escapes(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('%') {
        tidy.push_str(plain);
        match escaped.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) => {
                tidy.push(char::from(byte));
                rest = escaped.get(2..).unwrap_or_default();
            }
            Some(byte) => {
                tidy.push_str(&format!("%{byte:02X}"));
                rest = escaped.get(2..).unwrap_or_default();
            }
            None => {
                tidy.push('%');
                rest = escaped;
            }
        }
    }
    tidy.push_str(rest);
    tidy
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::WebUrl;

    fn canonical(text: &str) -> String {
        WebUrl::parse(text).unwrap().canonical().as_str().to_owned()
    }

    #[test]
    fn what_does_not_choose_the_page_goes() {
        for (given, expected) in [
            ("https://a.example/x#part", "https://a.example/x"),
            ("https://a.example:443/x/", "https://a.example/x"),
            ("http://a.example:80", "http://a.example/"),
            ("http://a.example:8080/", "http://a.example:8080/"),
            ("https://me:pw@a.example./x", "https://a.example/x"),
            ("https://a.example/x?utm_source=n&id=7&fbclid=z", "https://a.example/x?id=7"),
            ("https://a.example/x?UTM_Source=n", "https://a.example/x"),
            ("https://a.example/x?", "https://a.example/x"),
            ("https://a.example/x/amp/", "https://a.example/x"),
            ("https://a.example/x.amp", "https://a.example/x"),
            ("https://a.example/x.amp.html", "https://a.example/x.html"),
            ("https://a.example/x?amp=1", "https://a.example/x"),
            ("https://a.example/%7euser%2f", "https://a.example/~user%2F"),
        ] {
            assert_eq!(canonical(given), expected, "{given}");
        }
    }

    #[test]
    fn what_may_choose_the_page_stays() {
        for same in [
            "https://a.example/x?b=2&a=1",
            "https://a.example/x?ref=7",
            "https://a.example/lamp",
            "https://www.a.example/amplifier?q=amp",
        ] {
            assert_eq!(canonical(same), same);
        }
    }

    proptest! {
        #[test]
        fn canonical_form_is_idempotent(
            host in "[a-z]{1,8}\\.(com|org|co\\.uk)\\.?",
            path in "(/|%2e|%2E|%41|%zz|%|\\.|\\.amp|/amp|\\.amp\\.html|[a-zA-Z~é ]){0,12}",
            query in "(\\?|&|=|utm_x=1|amp=1|%75tm_source=2|%61mp|[a-z%#]){0,12}",
        ) {
            let text = format!("https://{host}/{path}?{query}");
            if let Ok(url) = WebUrl::parse(&text) {
                let once = url.canonical();
                let twice = WebUrl::parse(once.as_str()).unwrap().canonical();
                prop_assert_eq!(once, twice);
            }
        }

        #[test]
        fn no_text_makes_parsing_panic(text in "\\PC{0,80}") {
            if let Ok(url) = WebUrl::parse(&text) {
                url.canonical();
            }
        }
    }
}
