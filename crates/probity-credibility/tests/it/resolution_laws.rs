//! What holds for every text: resolving ends, within the hops, at a public page or nowhere.

use probity_core::{WebUrl, limits};
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::{Method, Resolution};
use proptest::prelude::*;

use crate::resolver;

fn holds(found: &Resolution) -> Result<(), TestCaseError> {
    prop_assert!(found.hops <= limits::UNWRAP_HOPS);
    prop_assert!(!found.resolved || found.outlet.is_some());
    if let Some(url) = &found.publisher_url {
        prop_assert!(matches!(url.as_url().scheme(), "http" | "https"));
        let host = url.dns_host().trim_matches(['[', ']']);
        match host.parse::<std::net::IpAddr>() {
            Ok(ip) => prop_assert!(probity_core::address::is_public(ip)),
            Err(_) => prop_assert!(host.contains('.') && !host.ends_with(".local")),
        }
        // The end of the way is a page: asking again changes nothing.
        let again = resolver().resolve(url);
        prop_assert_eq!(again.publisher_url.as_ref(), Some(url));
        prop_assert_eq!(again.outlet.as_ref(), found.outlet.as_ref());
        prop_assert_eq!(again.hops, 0);
    }
    if matches!(found.method, Method::Reject) {
        prop_assert!(found.outlet.is_none() && found.publisher_url.is_none());
    }
    Ok(())
}

/// Pieces that the shapes are made of, in any order.
fn address() -> impl Strategy<Value = String> {
    let host = prop::sample::select(vec![
        "www.google.com",
        "news.google.com",
        "scholar.google.co.uk",
        "www.bing.com",
        "r.search.yahoo.com",
        "us.rd.yahoo.com",
        "duckduckgo.com",
        "l.facebook.com",
        "vk.com",
        "cdn.ampproject.org",
        "web.archive.org",
        "archive.ph",
        "12ft.io",
        "r.jina.ai",
        "a--b-com.translate.goog",
        "localhost.translate.goog",
        "-.translate.goog",
        "x.safelinks.protection.outlook.com",
        "urldefense.com",
        "urldefense.proofpoint.com",
        "secure-web.cisco.com",
        "webcache.googleusercontent.com",
        "finance.yahoo.com",
        "www.msn.com",
        "www.reddit.com",
        "nyti.ms",
        "t.co",
        "on.ft.com",
        "reuters.com",
        "127.0.0.1",
        "[::1]",
        "localhost",
        "www.gov.uk",
        "co.uk",
        "a..b.com",
        "é.example",
    ]);
    let piece = prop::sample::select(vec![
        "/",
        "//",
        "url",
        "?",
        "&",
        "=",
        "q=",
        "url=",
        "u=",
        "u=a1",
        "uddg=",
        "to=",
        "amp/",
        "s/",
        "c/",
        "web/",
        "20260102id_/",
        "2026*/",
        "ck/a",
        "l",
        "l.php",
        "articles/",
        "read/",
        "CBMi",
        "rss/",
        "RU=",
        "/RK=",
        "*",
        "**",
        "v3/__",
        "__;",
        "!!",
        "v2/",
        "https://",
        "https%3A%2F%2F",
        "http:/",
        "https%3A%2F%2Fwww.google.com%2Furl%3Fq%3D",
        "%25",
        "%",
        "www.reuters.com",
        "127.0.0.1",
        "localhost",
        "javascript:",
        "cache:",
        "_x_tr_enc=0,1",
        "#",
        "é",
        "aHR0cHM6Ly8",
        "comments",
        "news",
        ".",
        "..",
        "-",
        "_",
        "\u{0}",
        " ",
    ]);
    (host, prop::collection::vec(piece, 0..14))
        .prop_map(|(host, pieces)| format!("https://{host}/{}", pieces.concat()))
}

fn markup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<item>",
        "</item>",
        "<entry>",
        "</entry>",
        "<link>",
        "</link>",
        "<link href=\"",
        "\"/>",
        "<guid>",
        "</guid>",
        "<source url=\"",
        "\">",
        "</source>",
        "<description>",
        "</description>",
        "<![CDATA[",
        "]]>",
        "&amp;",
        "&",
        "&#",
        "&x;",
        "<!--",
        "-->",
        "<?x",
        "?>",
        "<!DOCTYPE x>",
        "<!DOCTYPE x [",
        "https://www.reuters.com/x",
        "https://t.co/x",
        "https://www.techmeme.com/1",
        "<a href='https://a.example/'>",
        "[link]",
        " xmlns=\"",
        " xmlns:a=\"",
        " xml:base=\"",
        "<a:link>",
        "{",
        "}",
        "\"url\":",
        "<meta http-equiv=refresh content='0;url=",
        "redirectToUrlAfterTimeout(\"",
        "\")",
        "\\u00",
        "é",
        "<script>",
        "</script>",
        "'>",
        ">",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_mixture_of_shapes_ends_at_a_public_page_or_nowhere(text in address()) {
        if let Ok(found) = resolver().resolve_text(&text) {
            holds(&found)?;
        }
    }

    #[test]
    fn any_text_ends_at_a_public_page_or_nowhere(text in "\\PC{0,200}") {
        for prefix in ["", "https://", "https://www.google.com/url?q=", "https://news.google.com/articles/"] {
            if let Ok(found) = resolver().resolve_text(&format!("{prefix}{text}")) {
                holds(&found)?;
            }
        }
    }

    #[test]
    fn any_item_is_read_or_refused(text in prop_oneof![markup(), "\\PC{0,200}".boxed()]) {
        for text in [text.clone(), format!("<item>{text}</item>"), format!("<entry>{text}</entry>")] {
            if let Ok(item) = FeedItem::parse(&text, None) {
                holds(&resolver().resolve_item(&item))?;
            }
        }
    }

    #[test]
    fn any_page_is_read_or_says_nothing(text in prop_oneof![markup(), "\\PC{0,200}".boxed()]) {
        let resolver = resolver();
        holds(&resolver.resolve_page(None, &text))?;
        let address = WebUrl::parse("https://t.co/AbC").unwrap();
        holds(&resolver.resolve_page(Some(&address), &text))?;
    }

    #[test]
    fn any_bytes_in_an_id_are_read_or_left_to_the_network(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        use base64::Engine;
        let id = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&bytes);
        let text = format!("https://news.google.com/rss/articles/CBMi{id}");
        holds(&resolver().resolve_text(&text).unwrap())?;
    }

    #[test]
    fn wrapping_a_page_never_changes_its_outlet(
        label in "[a-z]{1,10}",
        suffix in prop::sample::select(vec!["com", "co.uk", "org", "example", "github.io"]),
        path in "[a-zA-Z0-9/?=&%+#é-]{0,30}",
    ) {
        let resolver = resolver();
        let page = WebUrl::parse(&format!("https://www.{label}-x.{suffix}/{path}")).unwrap();
        let plain = resolver.resolve(&page);
        let encoded: String = page.as_str().bytes().map(|b| format!("%{b:02X}")).collect();
        for wrapper in [
            "https://www.google.com/url?q=", "https://l.facebook.com/l.php?u=",
            "https://duckduckgo.com/l/?uddg=", "https://12ft.io/proxy?q=",
        ] {
            let found = resolver.resolve_text(&format!("{wrapper}{encoded}")).unwrap();
            prop_assert_eq!(&found.outlet, &plain.outlet);
            prop_assert_eq!(&found.publisher_url, &plain.publisher_url);
        }
    }
}
