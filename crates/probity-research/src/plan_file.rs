//! A plan as people write it: a brief, sub-questions as a list, the queries of each below it.
//!
//! ```text
//! What the fines are, and who may be exempt.
//!
//! - How high are the fines?
//!   - port ellery noise fines
//! - Who is exempt?
//!   - port ellery noise exemptions festivals
//! ```
//!
//! A line at the margin that is no list entry belongs to the brief, one that begins with `#` is a comment. JSON with
//! the same parts is read too.

use std::fmt::Write as _;

use probity_core::printable;

use crate::analyst::{Plan, PlanPart};

/// The largest file of a plan that is read, in bytes.
pub const PLAN_BYTES: usize = 64 * 1024;
/// The most sub-questions of a plan.
pub const PARTS_MOST: usize = 8;
/// The most queries of a sub-question, and of those that belong to none.
pub const QUERIES_MOST: usize = 12;
/// The longest brief, in characters.
pub const BRIEF_CHARS: usize = 1_000;
/// The longest sub-question or query, in characters.
pub const LINE_CHARS: usize = 400;

/// A plan within its limits: texts in one line, nothing empty, no more than can be followed.
pub fn held(plan: Plan) -> Plan {
    let lines = |texts: Vec<String>| {
        let texts = texts.iter().map(|text| line(text, LINE_CHARS));
        texts.filter(|text| !text.is_empty()).take(QUERIES_MOST).collect::<Vec<_>>()
    };
    let parts = plan.parts.into_iter().map(|part| PlanPart {
        question: line(&part.question, LINE_CHARS),
        queries: lines(part.queries),
    });
    Plan {
        brief: line(&plan.brief, BRIEF_CHARS),
        parts: parts.filter(|part| !part.question.is_empty()).take(PARTS_MOST).collect(),
        queries: lines(plan.queries),
    }
}

fn line(text: &str, chars: usize) -> String {
    let text = printable::line(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(chars).collect()
}

/// Reads a plan.
///
/// # Errors
/// Says what is wrong with it, and what would be right.
pub fn parse(text: &str) -> Result<Plan, String> {
    if text.len() > PLAN_BYTES {
        return Err(format!("has {} bytes; {PLAN_BYTES} is the most", text.len()));
    }
    let plan = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).map_err(|error| format!("is no plan: {error}"))?,
        false => outline(text)?,
    };
    checked(plan)
}

/// A plan that was given, if it can be followed as it is.
///
/// # Errors
/// Says what is wrong with it, and what would be right.
pub fn checked(plan: Plan) -> Result<Plan, String> {
    if plan.parts.len() > PARTS_MOST {
        return Err(format!("has {} sub-questions; {PARTS_MOST} is the most", plan.parts.len()));
    }
    let all = plan.parts.iter().map(|part| &part.queries).chain([&plan.queries]);
    if let Some(many) = all.map(Vec::len).find(|count| *count > QUERIES_MOST) {
        return Err(format!("has {many} queries in one place; {QUERIES_MOST} is the most"));
    }
    let lines = plan.parts.iter().flat_map(|part| part.queries.iter().chain([&part.question]));
    let long = |text: &&String| text.chars().count() > LINE_CHARS;
    if let Some(long) = lines.chain(&plan.queries).find(long) {
        let begins = printable::brief(long, 40);
        return Err(format!("has a line of more than {LINE_CHARS} characters: “{begins}”"));
    }
    let mut plan = held(plan);
    // A sub-question without a query is searched for as it is.
    for part in &mut plan.parts {
        if part.queries.is_empty() {
            part.queries.push(part.question.clone());
        }
    }
    match plan.queries().is_empty() {
        true => Err("names nothing to search for; write sub-questions as a list, one a line, and \
                     queries indented below them"
            .to_owned()),
        false => Ok(plan),
    }
}

/// Reads a plan written as a list.
fn outline(text: &str) -> Result<Plan, String> {
    let mut plan = Plan::default();
    let mut brief: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indented = line.starts_with([' ', '\t']);
        let bare = line.trim();
        let entry = ["- ", "* ", "• "].iter().find_map(|mark| bare.strip_prefix(mark));
        match (indented, entry) {
            (false, None) if bare.starts_with('#') => {}
            (false, None) => brief.push(bare),
            (false, Some(entry)) => {
                plan.parts.push(PlanPart { question: entry.trim().to_owned(), queries: Vec::new() })
            }
            (true, None) => {
                let begins = printable::brief(bare, 40);
                return Err(format!("has an indented line that is no list entry: “{begins}”"));
            }
            (true, Some(query)) => match plan.parts.last_mut() {
                Some(part) => part.queries.push(query.trim().to_owned()),
                None => plan.queries.push(query.trim().to_owned()),
            },
        }
    }
    plan.brief = brief.join(" ");
    Ok(plan)
}

/// Writes a plan so that [`parse`] reads it back.
pub fn write(plan: &Plan) -> String {
    let mut text = String::new();
    if !plan.brief.is_empty() {
        // At the margin, a brief that looks like an entry or a comment would be read as one.
        let brief = plan.brief.trim_start_matches(['#', '-', '*', '•', ' ']);
        let _ = writeln!(text, "{brief}\n");
    }
    for query in &plan.queries {
        let _ = writeln!(text, "  - {query}");
    }
    for part in &plan.parts {
        let _ = writeln!(text, "- {}", part.question);
        for query in &part.queries {
            let _ = writeln!(text, "  - {query}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plan_is_read_as_people_write_it() {
        let text = "# Noise\nWhat the fines are,\nand who is exempt.\n\n  - noise port ellery\n- How high?\n\
                    \t* fines\n  - penalties\n- Who is exempt?\n";
        let plan = parse(text).unwrap();
        assert_eq!(plan.brief, "What the fines are, and who is exempt.");
        assert_eq!(plan.queries, ["noise port ellery"]);
        let asked: Vec<&str> = plan.parts.iter().map(|part| part.question.as_str()).collect();
        assert_eq!(asked, ["How high?", "Who is exempt?"]);
        assert_eq!(plan.parts[0].queries, ["fines", "penalties"]);
        assert_eq!(plan.parts[1].queries, ["Who is exempt?"], "searched for as it stands");
        assert_eq!(
            plan.queries(),
            ["fines", "Who is exempt?", "noise port ellery", "penalties"],
            "no sub-question waits for all queries of another"
        );
    }

    #[test]
    fn a_plan_is_read_as_json_too() {
        let plan = parse(r#"{"parts": [{"question": "How high?", "queries": ["fines"]}]}"#);
        assert_eq!(plan.unwrap().parts[0].queries, ["fines"]);
    }

    #[test]
    fn what_cannot_be_followed_is_named() {
        let many = "- How?\n".repeat(9);
        let deep = format!("- How?\n{}", "  - query\n".repeat(13));
        let wide = format!("- {}\n", "long ".repeat(100));
        for (text, named) in [
            ("", "nothing to search for"),
            ("Only a brief.", "nothing to search for"),
            ("{\"parts\": 3}", "no plan"),
            ("- How?\n   why\n", "no list entry"),
            (many.as_str(), "9 sub-questions"),
            (deep.as_str(), "13 queries"),
            (wide.as_str(), "more than 400"),
        ] {
            let said = parse(text).unwrap_err();
            assert!(said.contains(named), "{text:?}: {said}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            brief in "[a-z]{0,9}( [a-z]{1,9}){0,6}",
            parts in prop::collection::vec(("[A-Za-z]{1,9}\\?", prop::collection::vec("[a-z]{1,9}", 1..4)), 0..5),
            queries in prop::collection::vec("[a-z]{1,9}", 1..4),
        ) {
            let parts = parts.into_iter().map(|(question, queries)| PlanPart { question, queries });
            let plan = Plan { brief: brief.trim().to_owned(), parts: parts.collect(), queries };
            prop_assert_eq!(parse(&write(&plan)).unwrap(), plan);
        }
    }
}
