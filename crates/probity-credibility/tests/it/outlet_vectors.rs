//! The published vectors of aggregators and domains.

use probity_core::WebUrl;
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::{Resolution, registrable_domain};
use serde::Deserialize;

#[derive(Deserialize)]
struct Aggregator {
    id: String,
    kind: String,
    input: String,
    method: String,
    publisher_url: Option<String>,
    outlet_domain: Option<String>,
}

#[derive(Deserialize)]
struct Domain {
    id: String,
    url: String,
    host: Option<String>,
    registrable_domain: Option<String>,
}

fn resolve(vector: &Aggregator) -> Resolution {
    let resolver = crate::resolver();
    match vector.kind.as_str() {
        "url" => resolver.resolve_text(&vector.input).unwrap(),
        "html" => resolver.resolve_page(None, &vector.input),
        _ => resolver.resolve_item(&FeedItem::parse(&vector.input, None).unwrap()),
    }
}

#[test]
fn every_published_aggregator_vector_resolves_as_published() {
    let text = include_str!("../vectors/aggregator_vectors_public.json");
    let vectors: Vec<Aggregator> = serde_json::from_str(text).unwrap();
    let wrong: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let found = resolve(vector);
            let url = found.publisher_url.as_ref().map(WebUrl::as_str);
            let outlet = found.outlet.as_ref().map(|outlet| outlet.as_str());
            let is_right = url == vector.publisher_url.as_deref()
                && outlet == vector.outlet_domain.as_deref()
                && found.method.as_str() == vector.method;
            (!is_right).then(|| format!("{}: {found:?}", vector.id))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_published_domain_vector_has_its_registrable_domain() {
    let text = include_str!("../vectors/domain_vectors_public.json");
    let vectors: Vec<Domain> = serde_json::from_str(text).unwrap();
    for vector in vectors {
        let url = WebUrl::parse(&vector.url).ok();
        assert_eq!(url.as_ref().map(WebUrl::host), vector.host.as_deref(), "{}", vector.id);
        let domain = url.as_ref().and_then(|url| registrable_domain(url.dns_host()));
        assert_eq!(domain, vector.registrable_domain.as_deref(), "{}", vector.id);
    }
}
