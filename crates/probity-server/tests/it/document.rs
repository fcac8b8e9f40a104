//! The API's document: what it describes exists, and what exists it describes.

use std::collections::BTreeSet;

use http::StatusCode;
use probity_server::routes::{self, Side};

use crate::place::{Place, RUN, get};

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

#[test]
fn every_operation_has_a_name_of_its_own_and_says_what_it_answers() {
    let mut names = BTreeSet::new();
    for (path, methods) in probity_server::openapi()["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name), "{method} {path}: {name} twice");
            for (status, response) in operation["responses"].as_object().unwrap() {
                let said = response["description"].as_str().unwrap_or_default();
                assert!(!said.is_empty(), "{method} {path} {status} says nothing");
            }
        }
    }
    assert!(names.contains("get_runs_by_id_events"), "{names:?}");
}

#[tokio::test]
async fn a_report_is_described_and_is_what_is_described() {
    let document = probity_server::openapi();
    let detail = document["components"]["schemas"]["RunDetail"].to_string();
    assert!(detail.contains("#/components/schemas/Report\""), "{detail}");
    // The document with a report at its root, so that references resolve in it.
    let mut schema = document.clone();
    schema["$ref"] = "#/components/schemas/Report".into();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let place = Place::open().await;
    let run = place.call(get(&format!("/api/runs/{RUN}"))).await.json();
    let errors: Vec<String> =
        validator.iter_errors(&run["report"]).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(!validator.is_valid(&serde_json::json!({ "format": "probity-report/1" })));
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
