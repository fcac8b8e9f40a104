//! How far unwrapping goes, where it never leads, and what configuration adds.

use probity_credibility::outlet::{Method, OutletRules, Resolver};

use crate::verdicts::{gives, resolve};

#[test]
fn wrappers_within_wrappers_are_opened_up_to_the_limit() {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let nest = |times: usize| {
        (0..times).fold("https://www.reuters.com/x?y=1".to_owned(), |inner, _| {
            let encoded: String = inner.bytes().map(escape).collect();
            format!("https://www.google.com/url?q={encoded}")
        })
    };
    for times in 1..=5 {
        let found = resolve(&nest(times));
        assert_eq!(found.hops, times);
        assert_eq!(found.publisher_url.unwrap().as_str(), "https://www.reuters.com/x?y=1");
    }
    gives(Method::Reject, &[(&nest(6), None), (&nest(7), None)]);
    gives(Method::Network, &[("https://www.google.com/url?q=https%3A%2F%2Ft.co%2FAbC", None)]);
    gives(
        Method::Offline,
        &[("https://l.facebook.com/l.php?u=https%3A%2F%2Fnyti.ms%2FAbC", Some("nytimes.com"))],
    );
    gives(
        Method::Reject,
        &[("https://www.google.com/url?q=https%3A%2F%2Fwww.google.com%2Furl", None)],
    );
}

#[test]
fn nothing_leads_inside() {
    for inside in [
        "http://localhost/",
        "http://127.0.0.1:8080/admin",
        "http://2130706433/",
        "http://127.0.0.1../",
        "http://0x7f000001/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://192.168.0.1/",
        "http://intranet/",
        "http://printer.local/",
        "http://x.internal/",
        "ftp://a.example/f",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//127.0.0.1/",
    ] {
        let encoded: String = inside.bytes().map(|b| format!("%{b:02X}")).collect();
        for wrapper in [
            "https://www.google.com/url?q=",
            "https://l.facebook.com/l.php?u=",
            "https://duckduckgo.com/l/?uddg=",
        ] {
            gives(Method::Reject, &[(&format!("{wrapper}{encoded}"), None)]);
        }
    }
    gives(Method::Reject, &[("http://127.0.0.1/x", None), ("http://router.lan/", None)]);
}

#[test]
fn a_user_name_that_looks_like_a_host_is_not_the_publisher() {
    let found =
        resolve("https://www.google.com/url?q=https%3A%2F%2Fwww.reuters.com%40evil.example%2F");
    assert_eq!(found.outlet.unwrap().as_str(), "evil.example");
}

#[test]
fn a_public_ip_address_is_a_page_without_an_outlet() {
    let found = resolve("http://93.184.216.34/x");
    assert!(found.publisher_url.is_some());
    assert_eq!(found.outlet, None);
    assert!(!found.resolved);
}

#[test]
fn configuration_names_further_pointers() {
    let rules: OutletRules = toml::from_str(
        r#"
        shorteners = ["sho.example"]
        publisher_shorteners = ["gaz.example"]
        aggregators = ["mirror.example"]
        aliases = { "gaz.example" = "gazette.example" }
        redirectors = [{ host = "links.example", path = "/go", parameters = ["to", "url"] }]
        "#,
    )
    .unwrap();
    let resolver = Resolver::new(&rules).unwrap();
    let resolve = |text: &str| resolver.resolve_text(text).unwrap();
    assert_eq!(resolve("https://sho.example/1").method, Method::Network);
    assert_eq!(resolve("https://www.mirror.example/1").method, Method::Network);
    let short = resolve("https://gaz.example/1");
    assert_eq!(
        (short.method, short.outlet.unwrap().as_str()),
        (Method::Offline, "gazette.example")
    );
    let found = resolve("https://a.links.example/go/?url=https://www.ft.com/x");
    assert_eq!(found.outlet.unwrap().as_str(), "ft.com");
    assert_eq!(resolve("https://links.example/stay?url=https://www.ft.com/x").method, Method::None);
}
