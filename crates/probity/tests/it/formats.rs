//! One report in every format: from the run, from the store, and from its own JSON.

use crate::program::{Program, Ran};

const NOISE: &str =
    "What does Port Ellery's noise ordinance say about amplified outdoor music at night?";

fn asked(program: &Program, more: &[&str]) -> Ran {
    let library = crate::program::tree().join("examples/library");
    let mut args = vec!["research", NOISE, "--library", library.to_str().unwrap(), "--quiet"];
    args.extend(more);
    program.run(&args)
}

#[test]
fn json_renders_to_the_same_markdown_byte_for_byte() {
    let program = Program::new();
    let with_rule = asked(&program, &[]).ok();
    let markdown = with_rule.split_once('\n').unwrap().1;
    let json = program.run(&["export", "last", "--format", "json"]).ok();
    let file = program.home.path().join("report.json");
    std::fs::write(&file, &json).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(program.run(&["render", file]).ok(), markdown);
    assert_eq!(program.run(&["render", file, "--format", "markdown"]).ok(), markdown);
    assert_eq!(program.run(&["render", file, "--format", "json"]).ok(), json);
    assert_eq!(program.run(&["export", "last"]).ok(), markdown);
    let appendix = program.run(&["runs", "replay", "last", "--appendix"]).ok();
    let rendered = program.run(&["render", file, "--appendix"]).ok();
    assert_eq!(rendered, appendix.split_once('\n').unwrap().1);
}

#[test]
fn every_format_is_the_same_from_the_store_and_from_a_file() {
    let program = Program::new();
    asked(&program, &[]).ok();
    let json = program.home.path().join("report.json");
    program.run(&["export", "last", "-o", json.to_str().unwrap()]).ok();
    for format in ["md", "json", "html", "bibtex", "ris"] {
        let stored = program.run(&["export", "last", "--format", format]).ok();
        let rendered = program.run(&["render", json.to_str().unwrap(), "--format", format]).ok();
        assert_eq!(stored, rendered, "{format}");
        assert!(stored.len() > 200, "{format}: {stored}");
    }
}

#[test]
fn a_files_ending_chooses_the_format() {
    let program = Program::new();
    for (name, begins) in [
        ("a.html", "<!doctype html>"),
        ("a.bib", "@misc{"),
        ("a.ris", "TY  - ELEC"),
        ("a.pdf", "%PDF-"),
        ("a.docx", "PK"),
    ] {
        let path = program.home.path().join(name);
        asked(&program, &["--no-save", "-o", path.to_str().unwrap()]).ok();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(begins.as_bytes()), "{name}");
    }
}

#[test]
fn what_is_no_report_is_refused_with_the_reason() {
    let program = Program::new();
    let file = program.home.path().join("broken.json");
    let path = file.to_str().unwrap();
    program.run(&["render", path]).fails(2, "cannot read");
    for (text, why) in [
        ("{", "not the JSON of a report"),
        (r#"{"format":"probity-report/9"}"#, "probity-report/9"),
        (r#"{"format":"probity-report/1"}"#, "missing field"),
    ] {
        std::fs::write(&file, text).unwrap();
        program.run(&["render", path]).fails(2, why);
    }
    program.run(&["export", "last"]).fails(2, "no run last");
}

#[test]
fn the_schema_can_be_printed() {
    let schema = Program::new().run(&["render", "--schema"]).json();
    assert_eq!(schema["$id"], "urn:probity:report:1");
}

#[test]
fn a_word_document_is_the_same_from_everywhere_and_our_own_reader_reads_it() {
    let program = Program::new();
    asked(&program, &[]).ok();
    let path = |name: &str| program.home.path().join(name).to_str().unwrap().to_owned();
    let (stored, json, rendered) = (path("a.docx"), path("a.json"), path("b.docx"));
    program.run(&["export", "last", "--output", &stored]).ok();
    program.run(&["export", "last", "--output", &json]).ok();
    program.run(&["render", &json, "--format", "docx", "--output", &rendered]).ok();
    assert_eq!(std::fs::read(&stored).unwrap(), std::fs::read(&rendered).unwrap());
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    let read = program.run(&["extract", "--json", &stored]).json();
    assert_eq!(read["title"], report["title"]);
    let text = read["text"].as_str().unwrap();
    for part in ["Methodology", NOISE, "Sources", "Appendix: Every Candidate", "[1]"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    for candidate in report["candidates"].as_array().unwrap() {
        let title = candidate["title"].as_str().unwrap();
        assert!(text.contains(title), "{title} is not in {text}");
    }
}

#[test]
fn a_terminal_is_not_shown_what_it_cannot_show() {
    let program = Program::new();
    let fixture = crate::program::tree().join("crates/probity-report/tests/fixtures/songs.json");
    for format in ["pdf", "docx"] {
        let plain = program.command(&["render", fixture.to_str().unwrap(), "--format", format]);
        let words: Vec<String> = [plain.get_program()]
            .into_iter()
            .chain(plain.get_args())
            .map(|word| format!("'{}'", word.to_str().unwrap()))
            .collect();
        let mut script = std::process::Command::new("script");
        script.args(["-qec", &words.join(" "), "/dev/null"]).stdin(std::process::Stdio::null());
        program.enclose(&mut script);
        let Ok(output) = script.output() else {
            eprintln!("skipped: there is no `script` here to make a terminal");
            return;
        };
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains(&format!("a terminal cannot show {format}")), "{shown}");
        assert!(shown.contains(&format!("--output report.{format}")), "{shown}");
        assert_eq!(output.status.code(), Some(2));
    }
}
