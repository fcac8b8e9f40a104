//! `probity library` as a user meets it: a folder goes in, is searched, changes, and goes out.

use std::fs;
use std::path::PathBuf;

use probity_testkit::bad_web::{BadWeb, Reply};
use serde_json::Value;

use crate::program::{Program, Ran, runtime, tree};

const EXAMPLES: &str = "examples/library";

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout())
        .unwrap_or_else(|_| panic!("{}{}", ran.stdout(), ran.stderr()))
}

fn counts(added: &Value) -> [u64; 5] {
    ["added", "changed", "unchanged", "removed", "failed"].map(|name| added[name].as_u64().unwrap())
}

/// How many documents the examples hold: every file but the README that describes them.
fn examples() -> u64 {
    let shelves = fs::read_dir(tree().join(EXAMPLES)).unwrap().flatten();
    let folders = shelves.map(|entry| entry.path()).filter(|path| path.is_dir());
    folders.map(|folder| fs::read_dir(folder).unwrap().count() as u64).sum()
}

/// A folder of the test's own.
fn shelf(program: &Program, files: &[(&str, &str)]) -> PathBuf {
    let folder = program.home.path().join("shelf");
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn the_example_library_goes_in_once_and_every_document_names_itself() {
    let program = Program::new();
    let first = program.run(&["library", "add", EXAMPLES, "--json"]);
    assert_eq!(counts(&json(&first)), [examples(), 0, 0, 0, 0], "{}", first.stdout());
    assert_eq!(json(&first)["paths"][0]["passed_over"]["README"], 1);
    let second = program.run(&["library", "add", EXAMPLES, "--json"]);
    assert_eq!(counts(&json(&second)), [0, 0, examples(), 0, 0]);

    let list = json(&program.run(&["library", "list", "--limit", "1000", "--json"]));
    let documents = list["documents"].as_array().unwrap();
    assert_eq!(documents.len() as u64, examples());
    assert_eq!(list["next"], Value::Null);
    for document in documents {
        let origin = document["origin"].as_str().unwrap();
        let url = document["url"].as_str().unwrap();
        let words = document["words"].as_u64().unwrap();
        assert!((120..=500).contains(&words), "{origin} has {words} words");
        assert_ne!(document["title"], "", "{origin}");
        assert_eq!(document["language"], "english", "{origin}");
        let is_text = origin.ends_with(".txt");
        assert_eq!(url.starts_with("https://local.invalid/library/"), is_text, "{origin}: {url}");
        if !is_text {
            assert_ne!(document["published"], Value::Null, "{origin}");
            let host = url.split('/').nth(2).unwrap();
            let reserved = ["example.org", "example.edu", "example.com", "example.net"];
            assert!(reserved.iter().any(|name| host.ends_with(name)), "{url}");
        }
    }
}

#[test]
fn menus_and_footers_of_saved_pages_are_not_indexed() {
    let program = Program::new();
    program.run(&["library", "add", EXAMPLES]).ok();
    let shown = program.run(&["library", "show", "https://harbour.example.org/rules"]);
    let text = shown.ok();
    assert!(text.contains("60 decibels"), "{text}");
    for boilerplate in ["Cookies and privacy", "Webcam of the inner basin", "Subscribe"] {
        assert!(!text.contains(boilerplate), "{boilerplate}: {text}");
    }
    assert!(shown.stderr().contains("2019-06-30"), "{}", shown.stderr());
}

#[test]
fn a_question_finds_the_documents_that_deal_with_it() {
    let program = Program::new();
    program.run(&["library", "add", EXAMPLES]).ok();
    for (question, expected) in [
        (
            "When must amplified outdoor music stop at night?",
            "https://code.portellery.example.org/9",
        ),
        ("history of Cuban rumba and rumba flamenca", "https://musicology.example.edu/"),
        (
            "How do luxury hotels win direct bookings?",
            "https://hospitality.example.edu/reports/direct-booking-2024",
        ),
        (
            "When was the lighthouse reopened?",
            "https://www.courier.example.com/news/lighthouse-reopens",
        ),
    ] {
        let found = json(&program.run(&["library", "search", question, "--limit", "3", "--json"]));
        let hits = found["hits"].as_array().unwrap();
        let urls: Vec<&str> = hits.iter().map(|hit| hit["url"].as_str().unwrap()).collect();
        assert!(urls.iter().any(|url| url.starts_with(expected)), "{question}: {urls:?}");
        for hit in hits {
            assert!(hit["snippet"].as_str().unwrap().chars().count() <= 300);
            assert_eq!(hit["providers"][0], "library");
        }
    }
}

#[test]
fn a_folder_is_followed_and_what_fails_is_said() {
    let program = Program::new();
    let folder = shelf(
        &program,
        &[
            (
                "a.md",
                "---\nurl: https://town.example.org/a\ntitle: A\n---\nThe pier is closed on Mondays.",
            ),
            ("b/b.txt", "A note on kelp.\nKelp grows below the pier, on the northern side."),
            ("broken.pdf", "%PDF-1.7 this is none"),
            ("picture.jpg", "no text"),
        ],
    );
    let folder = folder.to_str().unwrap();
    let ran = program.run(&["library", "add", folder]);
    assert_eq!(ran.code(), 1, "a file failed");
    let text = ran.stdout();
    assert!(text.contains("2 added, 0 changed, 0 unchanged, 0 removed, 1 failed"), "{text}");
    assert!(text.contains("skipped: 1 of other kinds"), "{text}");
    assert!(text.contains("broken.pdf: "), "{text}");
    let failed = json(&program.run(&["library", "list", "--failed", "--json"]));
    assert_eq!(failed["documents"].as_array().unwrap().len(), 1);

    fs::remove_file(PathBuf::from(folder).join("a.md")).unwrap();
    fs::write(
        PathBuf::from(folder).join("b/b.txt"),
        "A note on kelp.\nThere is no kelp left at all.",
    )
    .unwrap();
    let again = json(&program.run(&["library", "add", folder, "--json"]));
    assert_eq!(counts(&again), [0, 1, 0, 1, 1]);
    let found = json(&program.run(&["library", "search", "kelp pier", "--json"]));
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);

    let id = found["hits"][0]["id"].as_str().unwrap();
    assert!(program.run(&["library", "show", id]).ok().contains("no kelp left"));
    assert_eq!(program.run(&["library", "remove", folder]).ok().trim(), "2 removed");
    let status = json(&program.run(&["library", "status", "--json"]));
    assert_eq!(
        (&status["documents"], &status["folders"]),
        (&Value::from(0), &Value::from(Vec::<Value>::new()))
    );
    assert_eq!(program.run(&["library", "remove", id]).code(), 2);
    assert_eq!(program.run(&["library", "show", id]).code(), 2);
}

#[test]
fn a_document_of_which_a_limit_left_out_a_part_says_so() {
    let program = Program::new();
    let columns: String = (0..201).map(|at| format!("Fee {at},")).collect();
    let fees = format!("{columns}\n{}\n", "40 crowns,".repeat(201));
    let folder = shelf(&program, &[("fees.csv", &fees), ("kelp.txt", "Kelp\nIt is green.")]);
    let folder = folder.to_str().unwrap();
    let why = "a table of it has more rows or columns than are read";
    for _ in 0..2 {
        let ran = program.run(&["library", "add", folder]);
        assert_eq!(ran.code(), 0, "what could be read is in the library");
        let said = ran.stderr();
        assert!(said.contains(&format!("fees.csv: {why}")) && !said.contains("kelp"), "{said}");
        let added = json(&program.run(&["library", "add", folder, "--json"]));
        let told = &added["paths"][0]["read_in_part"];
        assert_eq!((&told[0]["why"], &told[1]), (&Value::from(why), &Value::Null));
    }
    let shown = program.run(&["library", "show", &format!("{folder}/fees.csv")]);
    assert!(shown.stderr().contains(why), "{}", shown.stderr());
}

#[test]
fn looking_into_a_library_that_is_not_there_creates_nothing() {
    let program = Program::new();
    for args in [&["library", "list"][..], &["library", "status"], &["library", "search", "kelp"]] {
        let ran = program.run(args);
        assert_eq!(ran.code(), 0, "{args:?}");
        let said = ran.stdout() + &ran.stderr();
        assert!(said.contains("probity library add FOLDER"), "{args:?}: {said}");
    }
    assert!(!program.home.path().join("data").exists());
}

#[test]
fn what_is_not_there_does_not_keep_the_rest_out() {
    let program = Program::new();
    let folder = shelf(&program, &[("a.txt", "A note.\nThe pier is closed.")]);
    let ran = program.run(&["library", "add", "no/such/folder", folder.to_str().unwrap()]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("no/such/folder"), "{}", ran.stderr());
    assert!(ran.stdout().contains("1 added"), "{}", ran.stdout());
    assert_eq!(program.run(&["library", "add"]).code(), 2);
    assert_eq!(program.run(&["library", "search", "x", "--limit", "0"]).code(), 2);
}

#[test]
fn a_hostile_document_cannot_colour_the_terminal() {
    let program = Program::new();
    let text = "Red \u{1b}[31malert\u{7}\nThe pier \u{1b}]0;owned\u{7} is closed today.";
    let folder = shelf(&program, &[("a.txt", text)]);
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    for args in [
        &["library", "list"][..],
        &["library", "search", "pier"],
        &["library", "show", "https://local.invalid/shelf/a.txt"],
    ] {
        let ran = program.run(args);
        let said = ran.stdout() + &ran.stderr();
        assert!(said.contains("alert") || said.contains("pier"), "{args:?}: {said}");
        assert!(!said.contains(['\u{1b}', '\u{7}']), "{args:?}: {said:?}");
    }
}

#[test]
fn a_page_is_fetched_and_kept() {
    let program = Program::new();
    let runtime = runtime();
    let page = format!(
        "<html><head><title>Tides</title></head><body><article><h1>Tides</h1>{}</article></body></html>",
        "<p>The spring tide of March covers the lower steps of the quay for an hour and a half.</p>".repeat(4)
    );
    let table = format!("<table>{}</table>", format!("<tr>{}", "<td>40".repeat(101)).repeat(2));
    let long = page.replace("</article>", &format!("{table}</article>"));
    let web = runtime.block_on(BadWeb::start(move |asked| match asked.page() {
        "/tides" => Reply::html(page.clone()),
        "/long" => Reply::html(long.clone()),
        _ => Reply::status(404),
    }));
    let web = web.unwrap();
    let (url, host) = (web.url("/tides"), web.address().to_string());
    let add = |url: &str| program.run(&["library", "add", url, "--allow-host", &host, "--json"]);
    assert_eq!(json(&add(&url))["pages"][0]["result"], "added");
    assert_eq!(json(&add(&url))["pages"][0]["result"], "unchanged");
    let found = json(&program.run(&["library", "search", "spring tide", "--json"]));
    assert_eq!(found["hits"][0]["url"], url.as_str());

    assert_eq!(json(&add(&url))["pages"][0]["cut_short"], Value::Null);
    let told = json(&add(&web.url("/long")))["pages"][0]["cut_short"].to_string();
    assert!(told.contains("more rows or columns"), "{told}");

    let missing = add(&web.url("/missing"));
    assert_eq!(missing.code(), 1);
    assert!(json(&missing)["pages"][0]["why"].as_str().unwrap().starts_with("not-found"));
    // Without --allow-host nothing is sent to a private address.
    let before = web.requests().len();
    assert_eq!(program.run(&["library", "add", &url]).code(), 1);
    assert_eq!(web.requests().len(), before);
}

#[test]
fn a_folder_for_one_run_does_not_touch_the_stored_library() {
    let program = Program::new();
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    let ran = program.run(&["research", "--library", EXAMPLES, question, "--quick", "--no-save"]);
    assert!(ran.stdout().contains("## Sources"), "{}{}", ran.stdout(), ran.stderr());
    let status = json(&program.run(&["library", "status", "--json"]));
    assert_eq!(status["documents"], 0);
}

#[test]
fn a_document_is_its_publishers_or_its_own() {
    let program = Program::new();
    let loud = |front: &str, n: u8| {
        format!(
            "{front}# Loud music, part {n}\n\nLoud music must stop at {n} pm in the harbour town.\n"
        )
    };
    let folder = shelf(
        &program,
        &[
            ("wire.md", &loud("---\noutlet: reuters.com\n---\n", 8)),
            ("paper.md", &loud("---\nsource_url: https://www.nature.com/articles/x\n---\n", 9)),
            ("letters/own.md", &loud("", 10)),
        ],
    );
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    let question = "When must loud music stop in the harbour town?";
    let ran = program.run(&["research", question, "--search", "library", "--json", "--no-save"]);
    let report = json(&ran);
    let candidates = report["candidates"].as_array().unwrap();
    let outlet = |title: &str| {
        let one = candidates.iter().find(|one| one["title"].as_str().unwrap().contains(title));
        let one = one.unwrap_or_else(|| panic!("{title}: {report:#}"));
        (
            one["outlet"].as_str().unwrap().to_owned(),
            one["credibility"]["authority"].as_f64().unwrap(),
        )
    };
    assert_eq!(outlet("part 8"), ("reuters.com".to_owned(), 0.92), "as the ledger has it");
    assert_eq!(outlet("part 9"), ("nature.com".to_owned(), 0.8));
    let (own, _) = outlet("part 10");
    assert!(own.ends_with(".local") && own.contains("own-md"), "{own}");
}

#[test]
fn a_collection_is_filled_listed_searched_asked_and_removed() {
    let program = Program::new();
    let folder = shelf(
        &program,
        &[
            (
                "law/noise.md",
                "# Noise\n\nAmplified music outdoors must stop at ten in the evening.",
            ),
            ("songs.md", "# Songs\n\nThe most popular music at weddings is a slow waltz."),
        ],
    );
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    let law = folder.join("law");
    let put = ["library", "collections", "put", "Law", law.to_str().unwrap(), "--json"];
    let put = json(&program.run(&put));
    assert_eq!((&put["moved"], &put["collection"]["documents"]), (&1.into(), &1.into()), "{put}");
    let missing = ["library", "collections", "put", "law", "nothing-here"];
    program.run(&missing).fails(2, "nothing-here is not in the library");
    let listed = json(&program.run(&["library", "collections", "list", "--json"]));
    assert_eq!((&listed[0]["name"], listed.as_array().unwrap().len()), (&"Law".into(), 1));
    let within = json(&program.run(&["library", "list", "--collection", "law", "--json"]));
    assert_eq!(within["documents"].as_array().unwrap().len(), 1);
    let search = ["library", "search", "music", "--collection", "Law", "--json"];
    let hits = json(&program.run(&search));
    assert_eq!(hits["hits"].as_array().unwrap().len(), 1, "{hits}");
    let question = "When must amplified music outdoors stop in the evening?";
    let asked = ["research", question, "--collection", "Law", "--quick", "--json", "--quiet"];
    let report = program.run(&asked).stdout();
    assert!(report.contains("noise.md") && !report.contains("songs.md"), "{report}");
    let unknown = ["research", question, "--collection", "Piers"];
    program.run(&unknown).fails(2, "there is no collection");
    let queued = ["research", question, "--collection", "Piers", "--queue"];
    program.run(&queued).fails(2, "there is no collection");
    assert_eq!(program.run(&["queue", "list", "--json"]).json()["counts"]["queued"], 0);
    program.run(&["library", "collections", "rename", "law", "Rules"]).ok();
    program.run(&["library", "collections", "take-out", "rules", law.to_str().unwrap()]).ok();
    program.run(&["research", question, "--collection", "Rules"]).fails(2, "holds no document");
    program.run(&["library", "collections", "remove", "Rules"]).ok();
    program.run(&["library", "collections", "remove", "Rules"]).fails(2, "no collection");
}
