//! What an address is expected to turn out as.

use probity_core::WebUrl;
use probity_credibility::outlet::{Method, Resolution};

pub(crate) fn resolve(text: &str) -> Resolution {
    crate::resolver().resolve_text(text).unwrap()
}

/// Each address holds a page of the publisher.
pub(crate) fn holds(cases: &[(&str, &str)]) {
    for (given, page) in cases {
        let found = resolve(given);
        assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), Some(*page), "{given}");
        assert_eq!(found.method, Method::Offline, "{given}");
        assert!(found.resolved && found.hops > 0, "{given}: {found:?}");
    }
}

/// Each address gives this method, no page, and this outlet.
pub(crate) fn gives(method: Method, cases: &[(&str, Option<&str>)]) {
    for (given, outlet) in cases {
        let found = resolve(given);
        assert_eq!(found.method, method, "{given}: {}", found.reason);
        assert_eq!(found.publisher_url, None, "{given}");
        assert_eq!(found.outlet.as_ref().map(|o| o.as_str()), *outlet, "{given}");
    }
}

/// Each address is a page in its own right.
pub(crate) fn stands(cases: &[(&str, &str)]) {
    for (given, outlet) in cases {
        let found = resolve(given);
        assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), Some(*given));
        assert_eq!(found.method, Method::None, "{given}");
        assert_eq!(found.outlet.as_ref().map(|o| o.as_str()), Some(*outlet), "{given}");
        assert_eq!(found.hops, 0, "{given}");
    }
}
