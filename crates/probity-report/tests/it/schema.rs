//! The published schema describes what is really written, and all of it.

use std::sync::LazyLock;

use jsonschema::Validator;
use probity_report::json::{SCHEMA, json};
use probity_report::restore;
use proptest::prelude::TestCaseError;
use serde_json::Value;

use crate::forms::every_form;
use crate::sample::{long, saying, short_of};

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap());

/// Validates the JSON of a report.
pub(crate) fn check(json: &str) -> Result<(), TestCaseError> {
    let value: Value = serde_json::from_str(json).unwrap();
    let errors: Vec<String> = VALIDATOR
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(TestCaseError::fail(errors.join("\n"))) }
}

/// Looks for fields that the schema does not know.
fn undescribed(value: &Value, schema: &Value, root: &Value, path: &str, found: &mut Vec<String>) {
    let resolve = |schema: &Value| match schema.get("$ref").and_then(Value::as_str) {
        Some(name) => root.pointer(name.trim_start_matches('#')).unwrap().clone(),
        None => schema.clone(),
    };
    let schema = resolve(schema);
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            let misses = choices.iter().map(|schema| {
                let mut found = Vec::new();
                undescribed(value, schema, root, path, &mut found);
                found
            });
            found.extend(misses.min_by_key(Vec::len).unwrap());
            return;
        }
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}/{name}");
                match schema.get("properties").and_then(|fields| fields.get(name)) {
                    Some(schema) => undescribed(value, schema, root, &path, found),
                    None => found.push(path),
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                let items = schema.get("items").unwrap_or(&Value::Null);
                undescribed(value, items, root, path, found);
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_written_is_valid_and_every_field_is_described() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for report in [saying("A title."), short_of("A title."), long(12), every_form()] {
        let json = json(&report);
        check(&json).unwrap();
        let mut found = Vec::new();
        undescribed(&serde_json::from_str(&json).unwrap(), &schema, &schema, "", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}

#[test]
fn what_is_wrong_is_not_valid() {
    let good: Value = serde_json::from_str(&json(&saying("A title."))).unwrap();
    for (path, wrong) in [
        ("/format", Value::from("probity-report/2")),
        ("/decision", Value::from("maybe")),
        ("/candidates/0/url", Value::from("javascript:alert(1)")),
        ("/candidates/0/verdict", Value::from(3)),
        ("/statements/0/value", Value::from(1.5)),
        ("/body/kind", Value::from("poem")),
        ("/usage/model_calls", Value::from(-1)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = wrong;
        assert!(check(&bad.to_string()).is_err(), "{path}");
    }
}

#[test]
fn a_file_that_no_run_could_have_written_is_refused() {
    let good: Value = serde_json::from_str(&json(&saying("A title."))).unwrap();
    for (path, wrong, why) in [
        ("/sources/0/id", 2, "read and kept"),
        ("/sources/0/id", 1, "does not resolve"),
        ("/candidates/1/id", 0, "two candidates"),
        ("/body/themes/0/statements/0/cites/0", 7, "does not resolve"),
        ("/body/themes/0/statements/0/evidence/0/n", 2, "does not resolve"),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = Value::from(wrong);
        let error = restore(&bad.to_string()).unwrap_err().to_string();
        assert!(error.contains(why), "{path}: {error}");
    }
    let mut bad = good.clone();
    bad.pointer_mut("/sources").unwrap().as_array_mut().unwrap().reverse();
    assert!(restore(&bad.to_string()).is_err());
}

#[test]
fn a_report_from_before_the_gate_was_recorded_is_still_read() {
    let report = saying("A title.");
    let mut old: Value = serde_json::from_str(&json(&report)).unwrap();
    for field in ["gate", "threshold", "timeline", "author_is_model"] {
        old.as_object_mut().unwrap().remove(field);
    }
    let again = restore(&old.to_string()).unwrap();
    let markdown = probity_report::markdown::markdown;
    assert_eq!(markdown(&again), markdown(&report));
}

#[test]
fn a_form_that_shows_more_than_was_checked_is_refused() {
    let good: Value = serde_json::from_str(&json(&every_form())).unwrap();
    let statements = good["statements"].as_array().unwrap();
    let place = |kind: &str| statements.iter().position(|s| s["form"]["kind"] == kind).unwrap();
    let mut places = Vec::new();
    for (theme, report_json) in good["body"]["themes"].as_array().unwrap().iter().enumerate() {
        let count = report_json["statements"].as_array().unwrap().len();
        places.extend((0..count).map(|n| format!("/body/themes/{theme}/statements/{n}")));
    }
    for (kind, field, wrong) in [
        ("row", "form/cells/2", Value::from("1 crown")),
        ("row", "form/columns", Value::from(vec!["One"])),
        ("entry", "form/when", Value::from("1066")),
        ("inference", "form/from", Value::from(Vec::<u64>::new())),
        ("inference", "form/from", Value::from(vec![9_999])),
        ("inference", "support", Value::from("supported")),
        ("inference", "reasons", Value::from(Vec::<u64>::new())),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(&format!("{}/{field}", places[place(kind)])).unwrap() = wrong;
        let error = restore(&bad.to_string()).unwrap_err().to_string();
        assert!(error.contains("cannot be shown"), "{kind} {field}: {error}");
    }
}
