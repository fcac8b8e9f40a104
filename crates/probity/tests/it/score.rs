//! `probity score`: explained, exact at the threshold, line by line in constant memory.

use serde_json::{Value, json};

use crate::program::Program;

fn score(args: &[&str]) -> Value {
    let mut all = vec!["score", "--json"];
    all.extend(args);
    Program::new().run(&all).json()
}

#[test]
fn a_score_is_given_with_its_parts() {
    let scored = score(&[
        "https://www.reuters.com/world/",
        "--question",
        "How loud may outdoor music be at night?",
        "--title",
        "Outdoor music at night",
        "--snippet",
        "Loud concerts in 2026",
    ]);
    assert_eq!(scored["host"], "www.reuters.com");
    assert_eq!(scored["outlet"], "reuters.com");
    assert_eq!(scored["tier"], "major");
    assert_eq!(scored["authority"], 0.92);
    assert_eq!(scored["authority_source"], "ledger");
    assert_eq!(scored["relevance"], 1.0);
    assert_eq!(scored["recency"], 0.1);
    assert_eq!(scored["score"], 0.968);
    assert_eq!(scored["blocked"], false);
    assert!(
        scored["explanation"].as_str().unwrap().contains("ledger: reuters.com; tier major 0.80")
    );
}

#[test]
fn exactly_at_the_threshold_is_blocked() {
    // 17 of 25 words: 0.4 · 0.4 + 0.5 · 0.68 = 0.5.
    let words: Vec<String> = (0..25).map(|i| format!("word{i}x")).collect();
    let question = words.join(" ");
    let at = score(&["https://a.example/", "-q", &question, "--snippet", &words[..17].join(" ")]);
    assert_eq!((at["score"].as_f64(), &at["blocked"]), (Some(0.5), &json!(true)));
    let above =
        score(&["https://a.example/", "-q", &question, "--snippet", &words[..18].join(" ")]);
    assert_eq!(above["blocked"], false);
}

#[test]
fn bad_addresses_and_questions_are_refused_with_a_hint() {
    let program = Program::new();
    let long = format!("https://a.example/{}", "x".repeat(100_000));
    for (args, says) in [
        (vec!["score", "reuters.com", "-q", "noise"], "not an absolute URL"),
        (vec!["score", "ftp://a.example/", "-q", "noise"], "not http or https"),
        (vec!["score", "https://", "-q", "noise"], "no host"),
        (vec!["score", long.as_str(), "-q", "noise"], "bytes long"),
        (vec!["score", "https://a.example/", "-q", ""], "at least 3"),
        (vec!["score", "https://a.example/", "-q", "what is it"], "filler"),
        (vec!["score", "https://a.example/", "-q", "noise", "--date", "soon"], "--date"),
        (vec!["score", "-q", "noise"], "URL"),
        (
            vec!["score", "https://good.example/", "x\u{1b}[31m", "-q", "noise"],
            "not an absolute URL",
        ),
    ] {
        let ran = program.run(&args);
        ran.fails(2, says);
        assert_eq!(ran.stdout(), "", "{args:?}");
        assert!(!ran.stderr().contains("\u{1b}[31m"), "a control character reached the terminal");
    }
}

#[test]
fn scoring_leaves_no_files_behind() {
    let program = Program::new();
    program.run(&["score", "https://a.example/", "-q", "noise"]).ok();
    assert!(!program.home.path().join("data").exists());
}

#[test]
fn lines_in_give_lines_out_in_order() {
    let lines = concat!(
        r#"{"url":"https://a.example/1","title":"noise","snippet":"2026"}"#,
        "\n\n",
        r#"{"url":"nonsense","title":"noise"}"#,
        "\n",
        r#"{"url":"https://b.example/\u0032","snippet":null,"extra":1}"#,
        "\n",
        "not json\n",
        r#"{"url":"https://c.example/3"}"#,
    );
    let ran = Program::new().run_with(&["score", "--stdin", "-q", "noise"], lines.as_bytes());
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("2 of 6 lines"), "{}", ran.stderr());
    let out: Vec<Value> = ran.stdout().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(out.len(), 5);
    assert_eq!(out[0]["score"], 0.76);
    assert_eq!(out[1]["line"], 3);
    assert_eq!(out[2]["url"], "https://b.example/2");
    assert!(out[3]["error"].as_str().unwrap().contains("JSON"));
    assert_eq!(out[4]["host"], "c.example");
}

#[test]
fn an_endless_line_is_refused_and_the_next_one_is_scored() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b"\n{\"url\":\"https://a.example/\"}\n");
    let ran = Program::new().run_with(&["score", "--stdin", "-q", "noise"], &input);
    let out = ran.stdout();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains("longer than"));
    assert!(lines[1].contains("a.example"));
}

#[test]
fn a_megabyte_of_an_address_is_refused_by_its_length() {
    let line = format!("{{\"url\":\"https://a.example/{}\"}}\n", "x".repeat(1_000_000));
    let ran = Program::new().run_with(&["score", "--stdin", "-q", "noise"], line.as_bytes());
    assert_eq!(ran.code(), 1);
    assert!(ran.stdout().contains("bytes long"), "{}", ran.stdout());
}

#[test]
fn a_line_of_other_types_or_broken_text_is_the_line_s_own_fault() {
    let lines: [&[u8]; 5] = [
        br#"{"url":"https://a.example/","title":7}"#,
        br#"{"url":null}"#,
        br#"["https://a.example/"]"#,
        b"{\"url\":\"https://a.example/\",\"title\":\"\xff\"}",
        br#"{"url":"https://a.example/","date":"someday"}"#,
    ];
    let ran = Program::new().run_with(&["score", "--stdin", "-q", "noise"], &lines.join(&b'\n'));
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("5 of 5 lines"), "{}", ran.stderr());
    for line in ran.stdout().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(line["error"].is_string(), "{line}");
    }
}

#[test]
fn soft_relevance_is_a_setting() {
    let program = Program::new();
    std::fs::write(program.config(), "[credibility]\nrelevance = \"soft\"").unwrap();
    let args = ["score", "https://a.example/", "-q", "Which physician?", "--title", "A doctor"];
    let text = program.run(&args).ok();
    assert!(text.contains("0 of 1 question words; near: physician by doctor 0.8"), "{text}");
}
