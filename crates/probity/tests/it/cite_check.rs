//! `probity cite-check`: one claim or many lines, text or PDF, whatever the source holds.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::program::Program;

const FERRY: &str = "The crossing takes 40 minutes in summer. In winter the ferry needs an hour.";

fn file(program: &Program, name: &str, body: impl AsRef<[u8]>) -> String {
    let path: PathBuf = program.home.path().join(name);
    fs::write(&path, body).unwrap();
    path.to_str().unwrap().to_owned()
}

fn check(source: &str, claim: &str) -> Value {
    let program = Program::new();
    let path = file(&program, "source.txt", source);
    program.run(&["cite-check", "--json", "--claim", claim, "--source", &path]).json()
}

/// A PDF with one line of text on each page.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Count {} /Kids [{}] >>",
            pages.len(),
            (0..pages.len()).map(|n| format!("{} 0 R ", 4 + 2 * n)).collect::<String>()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (number, text) in pages.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 50 700 Td ({text}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            5 + 2 * number
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut body = b"%PDF-1.4\n".to_vec();
    let mut starts = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        starts.push(body.len());
        body.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let table = body.len();
    body.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for start in starts {
        body.extend(format!("{start:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    body.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").bytes(),
    );
    body
}

#[test]
fn a_claim_is_told_with_its_verdict_and_passage() {
    let program = Program::new();
    let path = file(&program, "ferry.txt", FERRY);
    let shown = program
        .run(&["cite-check", "-c", "In summer the crossing takes 40 minutes.", "--source", &path])
        .ok();
    assert!(shown.starts_with("supported  value 0."), "{shown}");
    assert!(shown.contains("passage (0–40): The crossing takes 40 minutes in summer."), "{shown}");
    let shown = program
        .run(&["cite-check", "-c", "In summer the crossing takes 14 minutes.", "--source", &path])
        .ok();
    assert!(shown.starts_with("unsupported"), "{shown}");
    assert!(shown.contains("“40 minutes”, not “14 minutes”"), "{shown}");
    let found = check(FERRY, "In summer the crossing takes 14 minutes.");
    assert_eq!((&found["support"], &found["contradicted"]), (&"unsupported".into(), &true.into()));
}

#[test]
fn places_are_counted_in_characters() {
    let source = format!("Überfahrten über den Øresund: täglich. {FERRY}");
    let found = check(&source, "The crossing takes 40 minutes in summer.");
    assert_eq!(found["support"], "supported");
    let (start, end) =
        (found["passage"]["start"].as_u64().unwrap(), found["passage"]["end"].as_u64().unwrap());
    let cut: String = source.chars().skip(start as usize).take((end - start) as usize).collect();
    assert_eq!(found["passage"]["text"], cut);
    assert!(cut.contains("40 minutes"), "{cut}");
    assert_eq!(found["passage"].get("page"), None);
}

#[test]
fn a_pdf_is_read_and_its_page_is_named() {
    let program = Program::new();
    let body = pdf(&[
        "The harbour was built in 1850 by the town.",
        "The mill employed 1,200 people in 1901.",
        "The last train left the station in 1962.",
    ]);
    for name in ["report.pdf", "report"] {
        let path = file(&program, name, &body);
        let args = [
            "cite-check",
            "--json",
            "-c",
            "In 1901 the mill had 1,200 employees.",
            "--source",
            &path,
        ];
        let found = program.run(&args).json();
        assert_eq!(found["support"], "supported", "{found}");
        assert_eq!(found["passage"]["page"], 2, "{found}");
    }
}

#[test]
fn of_a_web_page_the_text_is_checked_and_not_the_markup() {
    let program = Program::new();
    let page = format!(
        "<!doctype html><html><head><title>Ferry</title><script>var hours = 7;</script></head>\
         <body><article><h1>The ferry</h1><p>{FERRY}</p></article></body></html>"
    );
    let path = file(&program, "ferry.html", page);
    let args =
        ["cite-check", "--json", "-c", "The ferry takes an hour in winter.", "--source", &path];
    let found = program.run(&args).json();
    assert_eq!(found["support"], "supported", "{found}");
    assert!(!found["passage"]["text"].as_str().unwrap().contains('<'));
}

#[test]
fn a_source_may_come_from_stdin() {
    let program = Program::new();
    let args =
        ["cite-check", "--json", "-c", "The crossing takes 40 minutes in summer.", "--source", "-"];
    let found: Value =
        serde_json::from_str(&program.run_with(&args, FERRY.as_bytes()).ok()).unwrap();
    assert_eq!(found["support"], "supported");
}

#[test]
fn an_empty_source_supports_nothing() {
    let found = check("", "The ferry needs 40 minutes.");
    assert_eq!((&found["support"], &found["value"]), (&json!("unsupported"), &json!(0.0)));
    assert_eq!(found["passage"], Value::Null);
    assert_eq!(check(FERRY, "")["support"], "unsupported");
}

#[test]
fn a_missing_file_is_named() {
    let program = Program::new();
    let ran =
        program.run(&["cite-check", "-c", "Anything at all.", "--source", "no/such/file.txt"]);
    ran.fails(2, "no/such/file.txt");
    program.run(&["cite-check", "-c", "Anything at all."]).fails(2, "--source");
}

#[test]
fn a_huge_source_is_read_to_its_limit() {
    let filler = "The committee met again on the following day. ".repeat(60_000);
    let found = check(&format!("{FERRY} {filler}"), "The crossing takes 40 minutes in summer.");
    assert_eq!(found["support"], "supported");
}

#[test]
fn control_characters_of_a_source_never_reach_the_terminal() {
    let program = Program::new();
    let hostile = "The crossing takes \u{1b}[31m40 minutes\u{1b}]0;title\u{7} in summer\u{202e}.";
    let path = file(&program, "hostile.txt", hostile);
    let args = ["cite-check", "-c", "The crossing takes 50 minutes in summer.", "--source", &path];
    let shown = program.run(&args).ok();
    assert!(!shown.chars().any(|c| matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}')), "{shown:?}");
}

#[test]
fn pairs_are_answered_line_by_line_and_bad_lines_are_named() {
    let program = Program::new();
    let good =
        json!({"id": "a", "claim": "The crossing takes 40 minutes in summer.", "source": FERRY});
    let wrong =
        json!({"id": 7, "claim": "The crossing takes 45 minutes in summer.", "source": FERRY});
    let lines = format!("{good}\n\nnot json\n{{\"id\":\"c\",\"claim\":\"No source.\"}}\n{wrong}\n");
    let path = file(&program, "pairs.jsonl", lines);
    let ran = program.run(&["cite-check", "--pairs", &path]);
    assert_eq!(ran.code(), 1);
    let out: Vec<Value> =
        ran.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(out.len(), 4);
    assert_eq!((&out[0]["id"], &out[0]["support"]), (&json!("a"), &json!("supported")));
    assert!(out[0]["passage"].as_str().unwrap().contains("40 minutes"));
    assert_eq!(out[1]["line"], 3);
    assert!(out[1]["error"].is_string());
    assert_eq!(out[2]["line"], 4);
    assert!(out[2]["error"].as_str().unwrap().contains("source"), "{}", out[2]);
    assert_eq!((&out[3]["id"], &out[3]["support"]), (&json!(7), &json!("unsupported")));
}

#[test]
fn no_pairs_are_no_lines() {
    let program = Program::new();
    let ran = program.run_with(&["cite-check", "--pairs", "-"], b"");
    assert_eq!((ran.code(), ran.stdout().as_str()), (0, ""));
}

#[test]
fn labelled_claims_are_measured_set_by_set_beside_their_words() {
    let program = Program::new();
    let line = |set: &str, claim: &str, label: &str| {
        json!({"set": set, "claim": claim, "source": FERRY, "label": label}).to_string()
    };
    let lines = [
        line("one", "The crossing takes 40 minutes in summer.", "supported"),
        line("one", "The crossing takes 14 minutes in summer.", "contradicted"),
        line("other", "In winter the ferry needs an hour.", "supported"),
        line("other", "The ferry is painted white.", "not_enough"),
    ];
    let path = file(&program, "claims.jsonl", lines.join("\n"));
    let found = program.run(&["bench", "citations", &path, "--json"]).json();
    assert_eq!((&found["sets"][0]["set"], &found["sets"][0]["area"]), (&json!("one"), &json!(1.0)));
    assert_eq!(found["sets"][0]["contradiction_precision"], json!(1.0), "{found}");
    assert_eq!(found["sets"][1]["contradiction_precision"], Value::Null, "{found}");
    let shown = program.run(&["bench", "citations", &path]).ok();
    assert!(shown.contains("by words") && shown.contains("4 claims in"), "{shown}");
    let bad = file(&program, "bad.jsonl", "{\"claim\": \"x\"}");
    program.run(&["bench", "citations", &bad]).fails(2, "line 1");
}

#[test]
fn the_rows_of_a_markdown_table_have_their_headers() {
    let program = Program::new();
    let table = "# Halls\n\n| Hall | Rent | Deposit |\n|---|---|---|\n| Birch Hall | 900 crowns | 250 crowns |\n";
    let path = file(&program, "halls.md", table);
    let claim = "The deposit for the Birch Hall is 250 crowns.";
    let shown = program.run(&["cite-check", "--json", "-c", claim, "--source", &path]).json();
    assert_eq!(shown["support"], "supported", "{shown}");
    assert_eq!(
        shown["passage"]["text"],
        "Hall: Birch Hall · Rent: 900 crowns · Deposit: 250 crowns"
    );
}
