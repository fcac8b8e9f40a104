//! `probity extract`: many files of any kind, one row each.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{Program, Ran, tree};

const PAGE: &str = "<html lang=en><head><title>Tides | A.example</title>\
    <meta name=author content='Ada Berg'><meta property='article:published_time' content='2024-05-06'>\
    </head><body><nav><a href=/>Home</a></nav><article><h1>Tides</h1>\
    <p>The sea rises, and the sea falls, twice a day.</p><h2>Why</h2><p>The moon pulls, the water follows it.</p>\
    </article><footer>Imprint</footer></body></html>";

/// A folder with these files in it.
fn folder(program: &Program, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = program.home.path().join("pages");
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn rows(ran: &Ran) -> Vec<Value> {
    ran.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn name(row: &Value) -> &str {
    Path::new(row["path"].as_str().unwrap()).file_name().unwrap().to_str().unwrap()
}

#[test]
fn a_row_has_the_text_and_what_the_page_says_of_itself() {
    let program = Program::new();
    let folder = folder(&program, &[("tides.html", PAGE.as_bytes())]);
    let ran = program.run(&["extract", "--jsonl", folder.to_str().unwrap()]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let rows = rows(&ran);
    let row = &rows[0];
    assert_eq!(rows.len(), 1);
    assert_eq!(name(row), "tides.html");
    assert_eq!(row["title"], "Tides");
    assert_eq!(row["byline"], "Ada Berg");
    assert_eq!(row["published"], "2024-05-06");
    assert_eq!(row["lang"], "en");
    let text = row["text"].as_str().unwrap();
    assert!(text.contains("twice a day") && !text.contains("Imprint"), "{text}");
    assert!(row["markdown"].as_str().unwrap().contains("## Why"), "{row}");
}

#[test]
fn a_broken_file_is_a_row_with_an_error_and_the_others_are_read() {
    let program = Program::new();
    let nested = format!("<body>{}{PAGE}", "<div>".repeat(100_000));
    let latin =
        "<meta charset=iso-8859-1><p>Le café est fermé, la crème est finie, voilà tout.</p>";
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let long = format!("<p>{}</p>", "word, ".repeat(500_000));
    let folder = folder(
        &program,
        &[
            ("a.html", PAGE.as_bytes()),
            ("binary.html", b"\x7fELF\x02\x01\x01\0\0\0\0\0\x01\x02\x03\xff\xfe"),
            ("broken.docx", b"PK\x03\x04 this is no archive"),
            ("broken.pdf", b"%PDF-1.7\nnothing follows"),
            ("empty.html", b""),
            ("latin.html", &latin),
            ("long.html", long.as_bytes()),
            ("nested.html", nested.as_bytes()),
            ("z/last.txt", b"A plain text, as it is."),
        ],
    );
    let missing = folder.join("missing.html");
    let ran = program.run(&[
        "extract",
        "--jsonl",
        "--jobs=3",
        missing.to_str().unwrap(),
        folder.to_str().unwrap(),
    ]);
    assert_eq!(ran.code(), 2);
    let rows = rows(&ran);
    let names: Vec<&str> = rows.iter().map(name).collect();
    assert_eq!(
        names,
        [
            "missing.html",
            "a.html",
            "binary.html",
            "broken.docx",
            "broken.pdf",
            "empty.html",
            "latin.html",
            "long.html",
            "nested.html",
            "last.txt"
        ]
    );
    for row in &rows {
        let is_bad = matches!(
            name(row),
            "missing.html" | "binary.html" | "broken.docx" | "broken.pdf" | "empty.html"
        );
        assert_eq!(row.get("error").is_some(), is_bad, "{row:.300}");
        assert_eq!(row["text"].as_str().unwrap().is_empty(), is_bad, "{}", name(row));
    }
    assert!(rows[6]["text"].as_str().unwrap().contains("crème"));
    assert!(rows[8]["text"].as_str().unwrap().contains("twice a day"));
}

#[test]
fn a_page_without_text_among_others_is_no_failure_and_alone_it_is() {
    let program = Program::new();
    let folder = folder(&program, &[("a.html", PAGE.as_bytes()), ("b.html", b"<p></p>")]);
    let both = program.run(&["extract", "--jsonl", folder.to_str().unwrap()]);
    assert_eq!(both.code(), 0, "{}", both.stderr());
    assert_eq!(rows(&both)[1]["text"], "");
    let alone = program.run(&["extract", "--jsonl", folder.join("b.html").to_str().unwrap()]);
    assert_eq!(alone.code(), 1);
    assert_eq!(rows(&alone).len(), 1);
}

#[test]
fn a_thousand_files_come_out_in_the_order_they_were_given() {
    let program = Program::new();
    let names: Vec<String> = (0..1_000).map(|n| format!("{n:04}.txt")).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    let folder = folder(&program, &files);
    let ran = program.run(&["extract", "--jsonl", "--jobs=8", folder.to_str().unwrap()]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let found = rows(&ran);
    assert_eq!(found.iter().map(name).collect::<Vec<_>>(), names);
    assert!(found.iter().all(|row| row["text"].as_str() == Some(name(row))));
}

#[test]
fn stdin_is_a_file_and_json_is_one_object() {
    let program = Program::new();
    let url = "https://a.example/2019/03/04/tides";
    let ran = program
        .run_with(&["extract", "-", "--json", "--url", url], b"<p>No date in here, only text.");
    assert_eq!(ran.json()["published"], "2019-03-04");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let program = Program::new();
    let data = tree().join("examples/library");
    let data = data.to_str().unwrap();
    program
        .run(&["extract", "--url", "https://a.example/", data])
        .fails(2, "--url works with one file");
    program.run(&["extract", "--json", "--jsonl", data]).fails(2, "cannot be used with");
    program.run(&["extract", "--jobs=0", data]).fails(2, "--jobs");
    let empty = program.home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    program.run(&["extract", empty.to_str().unwrap()]).fails(2, "no files");
}
