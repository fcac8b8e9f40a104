//! The ledger as an editor uses it: codings, history, reverts, and clear words for every mistake.

use crate::program::Program;

const CODE: [&str; 2] = ["outlets", "code"];

fn code(program: &Program, args: &[&str]) -> crate::program::Ran {
    program.run(&[&CODE[..], args].concat())
}

#[test]
fn a_fresh_ledger_lists_the_seeded_outlets() {
    let program = Program::new();
    let list = program.run(&["outlets", "list", "--json"]).json();
    assert_eq!(list["total"], 18);
    let first = &list["outlets"][0];
    assert_eq!((first["outlet"].as_str(), first["score"].as_f64()), (Some("sec.gov"), Some(0.95)));
    assert_eq!(first["band"], "primary or top-tier");
    for field in ["name", "seeded_score", "first_seen", "events", "last_event"] {
        assert!(first.get(field).is_some(), "{field}");
    }
    let text = program.run(&["outlets", "list", "times"]).ok();
    assert!(text.contains("nytimes.com") && text.contains("ft.com") && !text.contains("bbc.com"));
    let weak = program.run(&["outlets", "list", "--below", "0.5", "--json"]).json();
    assert_eq!(weak["total"], 0);
}

#[test]
fn a_coding_shows_before_and_after() {
    let program = Program::new();
    let dry = ["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--dry-run"];
    let shown = code(&program, &dry).ok();
    assert!(shown.contains("0.920 → 0.928") && shown.contains("nothing written"), "{shown}");
    let shown = code(&program, &[&dry[..], &["--json"]].concat()).json();
    assert_eq!((&shown["dry_run"], &shown["seq"]), (&true.into(), &serde_json::Value::Null));

    let made =
        code(&program, &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--json"]);
    let made = made.json();
    assert_eq!((made["seq"].as_i64(), made["dry_run"].as_bool()), (Some(1), Some(false)));
    assert_eq!((made["before"].as_f64(), made["target"].as_f64()), (Some(0.92), Some(1.0)));
    assert_eq!(made["at"], "2026-11-15T12:00:00.000Z");
    assert_eq!(made["codes"][0]["code"], "high-quality-source");
    let entry = program.run(&["outlets", "show", "reuters.com", "--json"]).json();
    assert_eq!(entry["score"], made["after"]);
    assert_eq!(entry["latest"][0]["hash"], made["hash"]);
}

#[test]
fn an_article_is_coded_for_its_publisher() {
    let program = Program::new();
    let url = "https://www.google.com/url?q=https%3A%2F%2Fwww.bbc.co.uk%2Fnews%2F1";
    let made = code(&program, &[url, "--code", "source-unreliable", "--by", "Bo", "--json"]).json();
    assert_eq!(
        (made["outlet"].as_str(), made["subject"].as_str()),
        (Some("bbc.com"), Some("article"))
    );
    assert_eq!(made["reference"], "https://www.bbc.co.uk/news/1");

    let source = [
        "https://a.example.net/x",
        "--code",
        "source-unreliable",
        "--by",
        "Bo",
        "--run",
        "r7",
        "--json",
    ];
    let made = code(&program, &source).json();
    assert_eq!(
        (made["outlet"].as_str(), made["before"].as_f64()),
        (Some("example.net"), Some(0.5))
    );
    assert_eq!(
        (made["subject"].as_str(), made["reference"].as_str()),
        (Some("report-source"), Some("r7 https://a.example.net/x"))
    );
}

#[test]
fn a_coding_counts_where_pages_are_scored() {
    let program = Program::new();
    let score = |program: &Program| {
        let scored =
            program.run(&["score", "https://www.wired.com/x", "-q", "solar power", "--json"]);
        scored.json()["authority"].as_f64().unwrap()
    };
    assert_eq!(score(&program), 0.72);
    program.run(&["outlets", "set", "wired.com", "0.3", "--by", "Ada"]).ok();
    assert_eq!(score(&program), 0.3);
}

#[test]
fn every_mistake_has_its_own_words_and_changes_nothing() {
    let program = Program::new();
    let long = "x".repeat(2_001);
    let cases: [(&[&str], &str); 12] = [
        (
            &["reuter.com", "--code", "high-quality-source", "--by", "Ada"],
            "no outlet reuter.com, but it has reuters.com",
        ),
        (&["reuters.com", "--code", "nope", "--by", "Ada"], "no code `nope`"),
        (&["reuters.com", "--code", "No Code", "--by", "Ada"], "not a code's name"),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--alpha", "1.5"],
            "alpha of 1.5",
        ),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--alpha", "-0.1"],
            "alpha of -0.1",
        ),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--alpha", "NaN"],
            "alpha of NaN",
        ),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "A\u{1b}[31m"],
            "control characters",
        ),
        (&["reuters.com", "--code", "high-quality-source", "--by", " "], "name is empty"),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--note", "a\nb"],
            "control characters",
        ),
        (
            &["reuters.com", "--code", "high-quality-source", "--by", "Ada", "--note", &long],
            "at most 2000",
        ),
        (
            &["not a domain", "--code", "high-quality-source", "--by", "Ada"],
            "not an outlet's domain",
        ),
        (
            &["ftp://reuters.com/", "--code", "high-quality-source", "--by", "Ada"],
            "not http or https",
        ),
    ];
    for (args, says) in cases {
        code(&program, args).fails(2, says);
    }
    code(&program, &["reuters.com", "--by", "Ada"]).fails(2, "--code");
    program
        .run(&["outlets", "set", "reuters.com", "1.5", "--by", "Ada"])
        .fails(2, "outside 0 to 1");
    program.run(&["outlets", "revert", "7", "--by", "Ada"]).fails(2, "no event 7");
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!((proof["sound"].as_bool(), proof["events"].as_i64()), (Some(true), Some(0)));
}

#[test]
fn an_outlet_is_added_by_its_first_coding_unless_it_looks_like_a_slip() {
    let program = Program::new();
    let args = ["gazette.example", "--code", "high-quality-source", "--by", "Ada", "--json"];
    let made = code(&program, &args).json();
    assert_eq!((made["before"].as_f64(), made["after"].as_f64()), (Some(0.5), Some(0.55)));
    let slip = ["outlets", "set", "reuter.com", "0.8", "--by", "Ada"];
    program.run(&slip).fails(2, "it has reuters.com");
    program.run(&[&slip[..], &["--new"]].concat()).ok();
    assert_eq!(program.run(&["outlets", "list", "--json"]).json()["total"], 20);
}

#[test]
fn an_outlet_that_nobody_coded_is_shown_with_what_would_apply() {
    let program = Program::new();
    let shown = program.run(&["outlets", "show", "nosuch.example"]).ok();
    assert!(shown.contains("0.500") && shown.contains("tier general 0.40"), "{shown}");
    let shown = program.run(&["outlets", "show", "nosuch.example", "--json"]).json();
    assert_eq!((&shown["events"], &shown["first_seen"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn praise_shows_where_it_leads_in_research_before_it_is_saved() {
    let program = Program::new();
    let args = ["nature.com", "--code", "high-quality-source", "--by", "Ada"];
    for more in [&["--dry-run"][..], &[]] {
        let said = code(&program, &[&args[..], more].concat()).ok();
        assert!(said.contains("in research 0.85"), "{said}");
        assert!(said.contains("tier major 0.80, editors +0.05"), "{said}");
    }
    let shown = program.run(&["outlets", "show", "nature.com", "--json"]).json();
    assert_eq!(shown["research"]["authority"], 0.85);
    let question = ["--question", "How loud may music be?"];
    let scored = [&["score", "https://www.nature.com/a", "--json"][..], &question[..]].concat();
    assert_eq!(program.run(&scored).json()["authority"], 0.85);
}

#[test]
fn a_history_is_drawn_and_listed() {
    let program = Program::new();
    for code_name in ["high-quality-source", "source-unreliable", "source-unreliable"] {
        code(&program, &["ft.com", "--code", code_name, "--by", "Ada", "--note", "<b>&"]).ok();
    }
    program.run(&["outlets", "revert", "2", "--by", "Bo"]).ok();
    let svg = program.home.path().join("ft.svg");
    let shown = program.run(&["outlets", "history", "ft.com", "--svg", svg.to_str().unwrap()]).ok();
    assert!(shown.contains('╮') && shown.contains('╭'), "{shown}");
    assert!(shown.contains("undoes event 2") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.matches("<circle").count() == 4);

    let json = program.run(&["outlets", "history", "ft.com", "--limit", "2", "--json"]).json();
    let seqs: Vec<i64> =
        json["history"].as_array().unwrap().iter().map(|e| e["seq"].as_i64().unwrap()).collect();
    assert_eq!(seqs, [3, 4]);
    assert_eq!(json["events"], 4);
    program
        .run(&["outlets", "history", "ft.com", "--svg", "/no/such/folder/x.svg"])
        .fails(1, "cannot write");
}

#[test]
fn the_codebook_grows_and_shrinks() {
    let program = Program::new();
    let add = [
        "outlets",
        "codebook",
        "add",
        "on-the-record",
        "--weight",
        "2",
        "--description",
        "Names who says what.",
        "--by",
        "Ada",
    ];
    program.run(&add).ok();
    program.run(&add).fails(2, "already");
    let both =
        ["reuters.com", "--code", "on-the-record,source-unreliable", "--by", "Ada", "--json"];
    assert_eq!(code(&program, &both).json()["target"], 1.0);
    program.run(&["outlets", "codebook", "retire", "on-the-record", "--by", "Ada"]).ok();
    code(&program, &both).fails(2, "retired");
    let codes = program.run(&["outlets", "codebook", "--json"]).json();
    let codes = codes["codes"].as_array().unwrap().clone();
    assert_eq!(codes.len(), 3);
    assert!(
        codes
            .iter()
            .any(|c| c["name"] == "on-the-record" && c["retired"] == true && c["revision"] == 2)
    );
    let all = program.run(&["outlets", "codebook", "list", "--all", "--json"]).json();
    assert_eq!(all["codes"].as_array().unwrap().len(), 4);
    program
        .run(&[
            "outlets",
            "codebook",
            "add",
            "x",
            "--weight",
            "101",
            "--description",
            "x",
            "--by",
            "A",
        ])
        .fails(2, "weight of 101");
}

#[test]
fn an_outlet_is_explained_part_by_part() {
    let program = Program::new();
    for domain in ["harborgazette.com", "rt.com", "reuters.com", "nytimes.com.co", "ox.ac.uk"] {
        let view = program.run(&["outlets", "explain", domain, "--json"]).json();
        let parts = view["parts"].as_array().unwrap();
        let number = |part: &serde_json::Value, field: &str| part[field].as_f64().unwrap();
        let sum: f64 =
            parts.iter().map(|part| number(part, "value") * number(part, "weight")).sum();
        let authority = number(&view["research"], "authority");
        assert!((sum - authority).abs() < 1e-9, "{view}");
    }
    let explained = program.run(&["outlets", "explain", "rt.com"]).ok();
    assert!(
        explained.contains("state-controlled media") && explained.contains("newsroom"),
        "{explained}"
    );
    let explained = program.run(&["outlets", "explain", "nytimes.com.co"]).ok();
    assert!(explained.contains("looks like nytimes.com and is not"), "{explained}");
}

#[test]
fn ratings_from_elsewhere_are_compared_with_what_outlets_are_worth() {
    let program = Program::new();
    let file = program.home.path().join("ratings.csv");
    let rows =
        "host,rating\nreuters.com,0.95\nnature.com,0.96\nrt.com,0.2\ninfowars.com,0.05\n,1\n";
    std::fs::write(&file, rows).unwrap();
    let path = file.to_str().unwrap();
    let figures = program.run(&["bench", "credibility", path, "--json"]).json();
    assert_eq!((&figures["outlets"], &figures["auc"]), (&4.into(), &1.0.into()), "{figures}");
    assert_eq!(figures["coverage"]["ledger"], 1);
    assert_eq!(figures["passed_over"], 1);
    assert!(program.run(&["bench", "credibility", path]).ok().contains("AUC          1.000"));
    std::fs::write(&file, "a,b\n1,2\n").unwrap();
    program.run(&["bench", "credibility", path]).fails(2, "no columns host and rating");
}
