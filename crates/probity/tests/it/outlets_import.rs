//! Scores in and out as CSV, and the log out as JSON lines that anyone can check.

use sha2::{Digest as _, Sha256};

use crate::program::{Program, Ran};

fn import(program: &Program, csv: &[u8], args: &[&str]) -> Ran {
    program.run_with(&[&["outlets", "import", "-"], args].concat(), csv)
}

#[test]
fn an_import_changes_what_differs() {
    let program = Program::new();
    let csv = b"\xef\xbb\xbfDomain,Score,Name\r\nreuters.com,0.92\r\nft.com, 0.5 ,\"FT, the\"\r\nwww.gazette.example,1\r\n";
    let dry = import(&program, csv, &["--provenance", "Survey", "--dry-run", "--json"]).json();
    assert_eq!((dry["changed"].as_i64(), dry["unchanged"].as_i64()), (Some(2), Some(1)));
    let made = import(&program, csv, &["--provenance", "Survey", "--by", "Ada", "--json"]).json();
    assert_eq!((made["changed"].as_i64(), made["unchanged"].as_i64()), (Some(2), Some(1)));
    assert_eq!(made["events"][0]["provenance"], "Survey");
    let ft = program.run(&["outlets", "show", "ft.com", "--json"]).json();
    assert_eq!((ft["score"].as_f64(), ft["name"].as_str()), (Some(0.5), Some("FT, the")));
    let again = import(&program, csv, &["--provenance", "Survey"]).ok();
    assert!(again.contains("0 outlets changed, 3 already had that score"), "{again}");
}

#[test]
fn a_list_of_less_weight_moves_a_score_once_and_what_it_sees_quite_differently_is_shown() {
    let program = Program::new();
    let csv = b"domain,score\nreuters.com,0.32\nft.com,0.8\nharbour-weekly.com,0.2\n";
    let args = ["--label", "Second opinion", "--weight", "0.5", "--json"];
    let made = import(&program, csv, &args).json();
    let after = |domain: &str| {
        let events = made["events"].as_array().unwrap().iter();
        events
            .filter(|event| event["outlet"] == domain)
            .map(|event| event["after"].as_f64().unwrap())
            .sum::<f64>()
    };
    assert!((after("reuters.com") - 0.62).abs() < 1e-9, "half of the way from 0.92: {made}");
    assert!((after("ft.com") - 0.85).abs() < 1e-9);
    assert_eq!(after("harbour-weekly.com"), 0.2, "nobody had rated it");
    let conflicts = made["conflicts"].as_array().unwrap();
    assert_eq!(conflicts.len(), 1, "{made}");
    assert_eq!(
        (&conflicts[0]["outlet"], &conflicts[0]["rated"]),
        (&"reuters.com".into(), &0.32.into())
    );
    let again = import(&program, csv, &args).json();
    assert_eq!((again["changed"].as_i64(), again["unchanged"].as_i64()), (Some(0), Some(3)));
    let list = &program.run(&["outlets", "explain", "reuters.com", "--json"]).json()["lists"][0];
    assert_eq!(
        (&list["label"], &list["before"], &list["score"]),
        (&"Second opinion".into(), &0.92.into(), &0.62.into())
    );
    let shown = import(&program, csv, &["--label", "Third opinion", "--dry-run"]).ok();
    assert!(shown.contains("conflict: reuters.com had 0.62, the list says 0.32"), "{shown}");
    import(&program, csv, &["--weight", "1.5"]).fails(2, "weight");
}

#[test]
fn lists_of_predatory_journals_and_retracting_publishers_are_imported_and_explained_under_their_names()
 {
    let program = Program::new();
    let json = br#"[{"domain": "journal-of-everything.org", "score": 0.1, "name": "Journal of Everything"}]"#;
    import(&program, json, &["--label", "Predatory journals, 2026 edition", "--by", "Ada"]).ok();
    import(&program, b"papers-mill.com,0.15\n", &["--label", "Retractions by publisher"]).ok();
    for (domain, label, score) in [
        ("journal-of-everything.org", "Predatory journals, 2026 edition", 0.1),
        ("papers-mill.com", "Retractions by publisher", 0.15),
    ] {
        let view = program.run(&["outlets", "explain", domain, "--json"]).json();
        assert_eq!(view["research"]["authority"], score, "{view}");
        assert_eq!(
            (&view["lists"][0]["label"], &view["lists"][0]["score"]),
            (&label.into(), &score.into())
        );
        let url = format!("https://www.{domain}/article/7");
        let args =
            ["score", &url, "--question", "What do whales eat?", "--snippet", "Whales eat krill"];
        assert!(
            program.run(&args).stdout().contains("ledger"),
            "the list counts when a page is scored"
        );
    }
    let untouched = program.run(&["outlets", "explain", "plos.org", "--json"]).json();
    assert_eq!(untouched["lists"].as_array().unwrap().len(), 0, "nothing is imported unasked");
}

#[test]
fn a_bad_row_is_named_by_its_line_and_nothing_is_imported() {
    let program = Program::new();
    let cases: [(&[u8], &str); 11] = [
        (b"domain,score\nft.com,0.5\nreuters.com,high\n", "line 3: `high` is not a score"),
        (b"ft.com,0.5\nreuters.com,1.2\n", "line 2: a score of 1.2 is outside 0 to 1"),
        (b"ft.com,0.5\nreuters.com,NaN\n", "line 2: a score of NaN"),
        (b"ft.com,0.5\n\nlocalhost,0.5\n", "line 3: `localhost` is not an outlet's domain"),
        (b"ft.com,0.5\nreuters.com\n", "line 2: expected domain,score[,name], found 1 field"),
        (b"ft.com,0.5,a,b\n", "line 1: expected domain,score[,name], found 4 fields"),
        (b"ft.com,0.5\nwww.FT.com,0.6\n", "line 2: ft.com is already on line 1"),
        (b"ft.com,0.5\nbbc.co.uk,0.6\nbbc.com,0.7\n", "line 3: bbc.com is already on line 2"),
        (b"ft.com,0.5,a\x1bb\n", "line 1: the name has control characters"),
        (b"ft.com,0.5\nreuters.com,\xff\n", "line 2 is not UTF-8"),
        (b"domain,score\n", "no rows"),
    ];
    for (csv, says) in cases {
        import(&program, csv, &[]).fails(2, says);
    }
    let many = "x,y\n".repeat(9);
    import(&program, many.as_bytes(), &[]).fails(2, "and 4 more");
    program.run(&["outlets", "import", "/no/such/file.csv"]).fails(2, "cannot read");
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!((proof["events"].as_i64(), proof["outlets"].as_i64()), (Some(0), Some(18)));
}

#[test]
fn what_is_exported_can_be_imported() {
    let program = Program::new();
    program
        .run(&["outlets", "set", "gazette.example", "0.123456789012345", "--by", "Ada", "--new"])
        .ok();
    import(&program, b"herald.example,0.3,\"The \"\"Herald\"\", daily\"\n", &[]).ok();
    let exported = program.run(&["outlets", "export"]).ok();
    assert!(exported.starts_with("domain,score,name\n"), "{exported}");

    let other = Program::new();
    import(&other, exported.as_bytes(), &[]).ok();
    assert_eq!(other.run(&["outlets", "export"]).ok(), exported);
    let lines = program.run(&["outlets", "export", "--json"]).ok();
    assert_eq!(lines.lines().count(), 20);
}

/// The hash of an exported event, computed from nothing but docs/ledger.md.
fn documented_hash(event: &serde_json::Value) -> String {
    let fields = "seq previous at kind outlet name before after alpha target codes subject reference \
                  by note provenance reverts";
    let mut text = String::from("probity ledger event v1\n");
    for field in fields.split_whitespace() {
        let value = if field == "at" { &event["at_ms"] } else { &event[field] };
        let value = match (field, value) {
            ("codes", codes) => {
                let codes: Vec<String> = codes
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|c| format!("{}={}", c["code"].as_str().unwrap(), c["weight"]))
                    .collect();
                Some(codes.join(",")).filter(|codes| !codes.is_empty())
            }
            (_, serde_json::Value::Null) => None,
            ("before" | "after" | "alpha" | "target", number) => {
                Some(format!("{:016x}", number.as_f64().unwrap().to_bits()))
            }
            (_, serde_json::Value::String(text)) => Some(text.clone()),
            (_, number) => Some(number.to_string()),
        };
        match value {
            Some(value) => text.push_str(&format!("{field} {} {value}\n", value.len())),
            None => text.push_str(&format!("{field} -\n")),
        }
    }
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_exported_log_verifies_by_the_documentation_alone() {
    let program = Program::new();
    let both = "high-quality-source,source-unreliable";
    program
        .run(&[
            "outlets",
            "code",
            "https://www.ft.com/x",
            "--code",
            both,
            "--by",
            "Ådä",
            "--note",
            "≠",
        ])
        .ok();
    program
        .run(&[
            "outlets",
            "code",
            "ft.com",
            "--code",
            "source-unreliable",
            "--by",
            "Bo",
            "--alpha",
            "0.37",
        ])
        .ok();
    import(&program, b"gazette.example,0.1,Gazette\n", &["--provenance", "list"]).ok();
    program.run(&["outlets", "revert", "2", "--by", "Cy"]).ok();
    let exported = program.run(&["outlets", "export", "--events"]).ok();
    let page = std::fs::read_to_string(crate::program::tree().join("docs/ledger.md")).unwrap();
    let mut previous = None;
    for line in exported.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(documented_hash(&event), event["hash"].as_str().unwrap(), "{line}");
        let before = event["previous"].as_str().unwrap().to_owned();
        match previous.replace(event["hash"].as_str().unwrap().to_owned()) {
            Some(hash) => assert_eq!(before, hash),
            None => assert!(page.contains(&before), "the page does not say where a log begins"),
        }
    }
    assert_eq!(exported.lines().count(), 4);
}
