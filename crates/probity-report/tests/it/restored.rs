//! A stored report is read back only if checking a draft could have made it.

use std::sync::LazyLock;

use probity_report::draft::Form;
use probity_report::html::html;
use probity_report::json::json;
use probity_report::markdown::markdown_with_appendix;
use probity_report::parse::parse;
use probity_report::restore;
use probity_report::restore::{MAX_BYTES, RestoreError};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::forms::every_form;
use crate::sample::{long, saying, short_of};

fn saved() -> Value {
    SAVED[0].clone()
}

/// Stored reports of every kind.
static SAVED: LazyLock<[Value; 3]> = LazyLock::new(|| {
    [saying("A title."), short_of("A title."), every_form()]
        .map(|report| serde_json::from_str(&json(&report)).unwrap())
});

/// A stored report with one of its values replaced.
fn with(path: &str, new: Value) -> Value {
    let mut value = saved();
    *value.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = new;
    value
}

fn refusal(value: &Value) -> RestoreError {
    restore(&value.to_string()).expect_err("it was read")
}

const FIRST: &str = "/body/themes/0/statements/0";

#[test]
fn a_statement_is_supported_as_its_evidence_says_or_the_file_is_refused() {
    let first = saved().pointer(FIRST).unwrap().clone();
    assert_eq!((&first["support"], &first["marked"]), (&json!("supported"), &json!(false)));
    for (field, wrong) in [
        ("support", json!("unsupported")),
        ("support", json!("partly")),
        ("evidence/0/support", json!("unsupported")),
        ("marked", json!(true)),
        ("value", json!(1.5)),
        ("value", json!(-0.1)),
    ] {
        let refused = refusal(&with(&format!("{FIRST}/{field}"), wrong));
        assert!(matches!(refused, RestoreError::Support(_)), "{field}: {refused}");
    }
    let invented = "/body/themes/0/statements/1/support";
    assert_eq!(saved().pointer(invented), Some(&json!("unsupported")));
    let refused = refusal(&with(invented, json!("supported")));
    assert!(refused.to_string().contains("A permit costs 90 crowns"), "{refused}");
}

#[test]
fn evidence_and_citations_belong_together() {
    for (field, wrong) in [
        ("cites", json!([])),
        ("cites", json!([1, 1])),
        ("cites", json!([0])),
        ("cites", json!([2])),
        ("evidence", json!([])),
        ("evidence/0/source", json!("S9")),
    ] {
        let value = with(&format!("{FIRST}/{field}"), wrong);
        assert!(restore(&value.to_string()).is_err(), "{field}");
    }
}

#[test]
fn a_source_that_is_listed_twice_or_cited_nowhere_is_refused() {
    let mut twice = saved();
    let sources = twice["sources"].as_array_mut().unwrap();
    sources.push(sources[0].clone());
    assert!(matches!(refusal(&twice), RestoreError::Order));
    let mut uncited: Value = serde_json::from_str(&json(&long(3))).unwrap();
    let themes = uncited["body"]["themes"].as_array_mut().unwrap();
    themes.pop();
    assert!(matches!(refusal(&uncited), RestoreError::Order));
}

#[test]
fn a_source_that_was_blocked_dropped_or_not_read_is_refused() {
    for verdict in ["blocked", "dropped", "failed", "unused"] {
        let refused = refusal(&with("/candidates/0/verdict", json!(verdict)));
        assert!(matches!(refused, RestoreError::NotRead { n: 1, .. }), "{verdict}: {refused}");
    }
}

#[test]
fn another_version_a_wrong_time_and_what_is_too_large_are_named() {
    let refused = refusal(&with("/format", json!("probity-report/9")));
    assert!(refused.to_string().contains("`probity-report/9`"), "{refused}");
    let refused = refusal(&with("/asked_at", json!("yesterday")));
    assert!(matches!(refused, RestoreError::Time(_)), "{refused}");
    let refused = restore(&" ".repeat(MAX_BYTES + 1)).unwrap_err();
    assert!(matches!(refused, RestoreError::TooLarge(bytes) if bytes == MAX_BYTES + 1));
}

#[test]
fn a_file_that_was_cut_off_is_refused_wherever_it_was_cut() {
    let whole = json(&every_form());
    for part in 0..100 {
        let end = whole.floor_char_boundary(whole.trim_end().len() * part / 100);
        let refused = restore(&whole[..end]);
        assert!(matches!(refused, Err(RestoreError::Shape(_))), "{part}: {refused:?}");
    }
}

#[test]
fn a_quotation_needs_a_source_that_said_it() {
    let mut value: Value = serde_json::from_str(&json(&every_form())).unwrap();
    let conflict = value.pointer_mut("/body/conflicts/0/1").unwrap();
    assert_eq!(conflict["form"]["kind"], "quote");
    conflict["cites"] = json!([]);
    conflict["evidence"] = json!([]);
    conflict["support"] = json!("unsupported");
    let refused = refusal(&value);
    assert!(matches!(refused, RestoreError::Form(_)), "{refused}");
}

/// Every place of a value, as a path.
fn places(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, format!("{path}/{name}"), found));
        }
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(at, v)| places(v, format!("{path}/{at}"), found));
        }
        _ => {}
    }
    found.push(path);
}

/// Values that a damaged or forged file may have anywhere.
fn damage() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2i64..12).prop_map(Value::from),
        Just(json!(1e300)),
        Just(json!([])),
        Just(json!({})),
        Just(json!([1])),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "S0",
            "S1",
            "S7",
            "supported",
            "partly",
            "read",
            "blocked",
            "quote",
            "full_report",
            "https://evil.example/",
            "2026-02-30",
            "deep",
        ])
        .prop_map(Value::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_is_damaged_a_report_that_is_read_still_holds_together(
        which in 0usize..3, place in any::<prop::sample::Index>(), new in damage(),
    ) {
        let mut value = SAVED[which].clone();
        let mut paths = Vec::new();
        places(&value, String::new(), &mut paths);
        *value.pointer_mut(&paths[place.index(paths.len())]).unwrap() = new;
        let Ok(read) = restore(&value.to_string()) else { return Ok(()) };
        let sources = read.sources().count();
        for statement in read.statements() {
            prop_assert!(statement.cites.iter().all(|n| (1..=sources).contains(n)));
            let best = statement.evidence.iter().map(|evidence| evidence.support).max();
            let drawn = matches!(statement.form, Form::Inference { .. });
            prop_assert!(drawn || best.is_none_or(|best| best == statement.support));
        }
        // It can be written in every format, and read again as it is.
        prop_assert!(parse(&markdown_with_appendix(&read)).is_ok());
        let again = restore(&json(&read)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(html(&again), html(&read));
    }
}
