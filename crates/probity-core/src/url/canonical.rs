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

pub(super) fn canonical(url: &WebUrl) -> CanonicalUrl {
    let mut url = url.clone();
    // What one pass takes off may uncover a dot segment, and that another ending. A pass shortens the
    // address or changes nothing more, so there are fewer passes than characters.
    for _ in 0..url.as_str().len() {
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

/// The path without AMP endings and without trailing slashes.
fn page_path(path: &str) -> String {
    let mut page = tidy_escapes(path);
    loop {
        page.truncate(page.trim_end_matches('/').len());
        if page.ends_with(".amp.html") {
            page.truncate(page.len() - ".amp.html".len());
            page.push_str(".html");
        } else if page.ends_with("/amp") || page.ends_with(".amp") {
            page.truncate(page.len() - ".amp".len());
        } else {
            break;
        }
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

/// Upper-cases percent escapes and undoes those that stand for plain characters, also where undoing one
/// makes another.
fn tidy_escapes(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for letter in text.chars() {
        tidy.push(letter);
        while let Some(byte) = escape_at_the_end(&tidy) {
            tidy.truncate(tidy.len() - "%00".len());
            if !(byte.is_ascii_alphanumeric() || b"-_~".contains(&byte)) {
                tidy.push_str(&format!("%{byte:02X}"));
                break;
            }
            tidy.push(char::from(byte));
        }
    }
    tidy
}

/// The byte that the last three characters stand for, if they are an escape.
fn escape_at_the_end(text: &str) -> Option<u8> {
    let mut last = text.chars().rev();
    let (low, high) = (last.next()?.to_digit(16)?, last.next()?.to_digit(16)?);
    (last.next()? == '%').then(|| u8::try_from(high * 16 + low).ok()).flatten()
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

    #[test]
    fn no_chain_of_endings_escapes_and_dots_is_too_long_to_be_undone() {
        // The escape of a digit of the escape of a digit, and so on.
        let nested = format!("{}{}61", "%".repeat(202), "3".repeat(201));
        for (path, expected) in [
            (format!("/x{}", "/amp".repeat(200)), "/x".to_owned()),
            (format!("/x{}.html", ".amp".repeat(200)), "/x.html".to_owned()),
            (format!("/q{}", "/...amp/z".repeat(100) + "/...amp"), "/".to_owned()),
            (format!("/{nested}"), "/a".to_owned()),
            ("/%+4%2d".to_owned(), "/%+4-".to_owned()),
        ] {
            assert_eq!(
                canonical(&format!("https://a.example{path}")),
                format!("https://a.example{expected}")
            );
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
