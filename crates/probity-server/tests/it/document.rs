//! The API's document: what it describes exists, and what exists it describes.

use std::collections::BTreeSet;

use http::StatusCode;
use probity_server::routes::{self, Side};

use crate::place::{Place, get};

#[test]
fn every_route_of_the_api_is_described_and_nothing_else_is() {
    let document = probity_server::openapi();
    let described: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(|method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
        })
        .collect();
    let existing: BTreeSet<(String, String)> = routes::lines()
        .iter()
        .filter(|line| line.side == Side::Api && line.path.starts_with("/api/"))
        .map(|line| (line.method.to_string(), line.path.to_owned()))
        .collect();
    assert_eq!(described, existing);
}

#[test]
fn every_reference_in_the_document_resolves() {
    let document = probity_server::openapi();
    let text = document.to_string();
    let names = text.split("\"$ref\":\"#/components/schemas/").skip(1);
    let mut seen = 0;
    for name in names.map(|rest| rest.split('"').next().unwrap()) {
        assert!(document["components"]["schemas"].get(name).is_some(), "{name} is not described");
        seen += 1;
    }
    assert!(seen > 20, "only {seen} references");
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[tokio::test]
async fn the_document_and_its_page_are_served() {
    let place = Place::open().await;
    let answer = place.call(get("/api/openapi.json")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(&answer.json(), probity_server::openapi());
    let page = place.call(get("/reference")).await;
    for line in routes::lines().iter().filter(|line| line.path.starts_with("/api/")) {
        assert!(page.text.contains(line.path), "{} is not on the page", line.path);
    }
}
