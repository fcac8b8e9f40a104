//! Every parser against replies of the documented shapes: whole, empty, failed, partial, hostile.
//!
//! A snapshot beside each fixture shows what a person would make of the reply.

use std::fmt::Write as _;
use std::path::PathBuf;

use jiff::civil::{Date, date};
use probity_core::WebUrl;
use probity_web::search::provider::{
    arxiv, bing, brave, crossref, duckduckgo, exa, github, google, guardian, jina, kagi, mojeek,
    openalex, perplexity, pubmed, searxng, semantic_scholar, serpapi, serper, stack_exchange,
    tavily, wayback, wikidata, wikipedia,
};
use probity_web::search::{Reply, SearchError};
use proptest::prelude::*;

pub(crate) const TODAY: Date = date(2026, 11, 15);

type Parsed = Result<Reply, SearchError>;

fn folder(provider: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/search").join(provider)
}

/// The bytes of a fixture.
pub(crate) fn fixture(provider: &str, file: &str) -> Vec<u8> {
    let path = folder(provider).join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pubmed_ids() -> Vec<String> {
    pubmed::parse_numbers(&fixture("pubmed", "numbers.json")).unwrap()
}

/// Reads a reply as the provider of that name does.
fn parse(provider: &str, body: &[u8]) -> Parsed {
    match provider {
        "searxng" => searxng::parse(body, TODAY),
        "tavily" => tavily::parse(body, TODAY),
        "brave" => brave::parse(body, TODAY),
        "exa" => exa::parse(body, TODAY),
        "serper" => serper::parse(body, TODAY),
        "duckduckgo" => duckduckgo::parse(body, TODAY).map(|page| page.reply),
        "wikipedia" => wikipedia::parse(body, &WebUrl::parse("https://en.wikipedia.org").unwrap()),
        "arxiv" => arxiv::parse(body, TODAY),
        "openalex" => openalex::parse(body, TODAY),
        "crossref" => crossref::parse(body, TODAY),
        "semantic-scholar" => semantic_scholar::parse(body, TODAY),
        "pubmed" => pubmed::parse(body, &pubmed_ids(), TODAY),
        "google" => google::parse(body, TODAY),
        "serpapi" => serpapi::parse(body, TODAY),
        "kagi" => kagi::parse(body, TODAY),
        "bing" => bing::parse(body, TODAY),
        "jina" => jina::parse(body, TODAY),
        "perplexity" => perplexity::parse(body, TODAY),
        "mojeek" => mojeek::parse(body, TODAY),
        "guardian" => guardian::parse(body, TODAY),
        "stack-exchange" => stack_exchange::parse(body, TODAY),
        "github" => github::parse(body, TODAY),
        "wikidata" => wikidata::parse(body),
        "wayback" => wayback::parse(body, TODAY),
        other => panic!("{other}"),
    }
}

const PROVIDERS: [(&str, &str); 24] = [
    ("searxng", "json"),
    ("tavily", "json"),
    ("brave", "json"),
    ("exa", "json"),
    ("serper", "json"),
    ("duckduckgo", "html"),
    ("wikipedia", "json"),
    ("arxiv", "xml"),
    ("openalex", "json"),
    ("crossref", "json"),
    ("semantic-scholar", "json"),
    ("pubmed", "xml"),
    ("google", "json"),
    ("serpapi", "json"),
    ("kagi", "json"),
    ("bing", "json"),
    ("jina", "json"),
    ("perplexity", "json"),
    ("mojeek", "json"),
    ("guardian", "json"),
    ("stack-exchange", "json"),
    ("github", "json"),
    ("wikidata", "json"),
    ("wayback", "json"),
];

fn shown(parsed: &Parsed) -> String {
    let reply = match parsed {
        Ok(reply) => reply,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut text = String::new();
    for (index, hit) in reply.hits.iter().enumerate() {
        let dated = hit.published.map(|day| format!(" ({day})")).unwrap_or_default();
        writeln!(text, "{}. {}{dated}", index + 1, hit.title).unwrap();
        writeln!(text, "   {}", hit.url).unwrap();
        if !hit.snippet.is_empty() {
            writeln!(text, "   {}", hit.snippet).unwrap();
        }
    }
    if reply.hits.is_empty() {
        text.push_str("nothing\n");
    }
    for problem in &reply.problems {
        writeln!(text, "problem: {problem}").unwrap();
    }
    text
}

fn check(provider: &str, file: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder(provider));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let stem = file.replace('.', "_");
    settings
        .bind(|| insta::assert_snapshot!(stem, shown(&parse(provider, &fixture(provider, file)))));
}

#[test]
fn whole_replies_become_hits() {
    for (provider, kind) in PROVIDERS {
        check(provider, &format!("ok.{kind}"));
    }
}

#[test]
fn an_empty_reply_is_no_error() {
    for (provider, kind) in PROVIDERS {
        let parsed = parse(provider, &fixture(provider, &format!("empty.{kind}")));
        assert_eq!(parsed.unwrap(), Reply::default(), "{provider}");
    }
}

#[test]
fn a_reply_that_reports_an_error_is_one() {
    for (provider, kind) in PROVIDERS {
        let file = format!("error.{kind}");
        assert!(parse(provider, &fixture(provider, &file)).is_err(), "{provider}");
        check(provider, &file);
    }
}

#[test]
fn a_partial_reply_keeps_what_is_whole_and_says_what_is_not() {
    for (provider, kind) in PROVIDERS {
        let file = format!("partial.{kind}");
        let reply = parse(provider, &fixture(provider, &file)).unwrap();
        assert!(!reply.hits.is_empty() && !reply.problems.is_empty(), "{provider}: {reply:?}");
        check(provider, &file);
    }
}

#[test]
fn hostile_replies_are_only_text() {
    check("searxng", "hostile.json");
    check("arxiv", "hostile.xml");
}

#[test]
fn a_challenge_for_robots_is_not_an_empty_list() {
    let parsed = parse("duckduckgo", &fixture("duckduckgo", "challenge.html"));
    assert!(matches!(parsed, Err(SearchError::Challenge)));
}

#[test]
fn the_page_of_mojeek_is_read_without_a_key() {
    let reply = mojeek::parse_page(&fixture("mojeek", "ok.html")).unwrap();
    assert_eq!(
        shown(&Ok(reply)),
        "1. Noise & music rules\n   https://portellery.example.org/noise\n   \
         Amplified music ends at 22:00, <not later>.\n2. Quiet hours\n   \
         https://council.example.com/quiet\n   When the night begins.\n"
    );
    let challenge = mojeek::parse_page(&fixture("mojeek", "challenge.html"));
    assert!(matches!(challenge, Err(SearchError::Challenge)));
    assert!(mojeek::parse_page(b"<html><body>Bad gateway").is_err());
    assert!(mojeek::parse_page(b"").is_err());
}

#[test]
fn the_next_page_of_duckduckgo_is_asked_with_its_own_form() {
    let page = duckduckgo::parse(&fixture("duckduckgo", "ok.html"), TODAY).unwrap();
    let next: Vec<_> = page.next.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        next,
        [
            "q=port ellery noise",
            "s=10",
            "nextParams=",
            "v=l",
            "o=json",
            "dc=11",
            "api=d.js",
            "vqd=4-1234567890&x"
        ]
    );
    let last = duckduckgo::parse(&fixture("duckduckgo", "partial.html"), TODAY).unwrap();
    assert!(last.next.is_empty());
}

#[test]
fn numbers_of_papers_are_numbers_or_errors() {
    let numbers = |file| pubmed::parse_numbers(&fixture("pubmed", file));
    assert_eq!(numbers("numbers.json").unwrap(), ["39000002", "39000001", "39000003"]);
    assert_eq!(numbers("numbers_empty.json").unwrap(), [""; 0]);
    assert_eq!(
        numbers("numbers_hostile.json").unwrap(),
        ["39000001"],
        "nothing else fits an address"
    );
    assert_eq!(
        numbers("numbers_error.json").unwrap_err().to_string(),
        "reports an error: Search Backend failed: server busy"
    );
    assert_eq!(
        numbers("numbers_key.json").unwrap_err().to_string(),
        "reports an error: API key invalid"
    );
}

#[test]
fn a_reply_of_another_kind_is_malformed() {
    let strange: [&[u8]; 8] = [
        b"",
        b"null",
        b"[]",
        b"\"text\"",
        b"{\"results\": {}}",
        b"<html><body>Bad gateway",
        b"\x00\xff\xfe",
        b"%PDF-1.7",
    ];
    for (provider, _) in PROVIDERS {
        // No rows are no captures.
        for body in strange.into_iter().filter(|body| (provider, *body) != ("wayback", b"[]")) {
            let error = parse(provider, body).unwrap_err().to_string();
            assert!(error.starts_with("the reply cannot be understood"), "{provider}: {error}");
        }
    }
}

#[test]
fn a_reply_cut_anywhere_is_an_error_or_fewer_hits() {
    for (provider, kind) in PROVIDERS {
        let whole = fixture(provider, &format!("ok.{kind}"));
        let all = parse(provider, &whole).unwrap().hits.len();
        for end in (0..whole.len()).step_by(7) {
            if let Ok(reply) = parse(provider, &whole[..end]) {
                assert!(reply.hits.len() <= all, "{provider} cut at {end}");
            }
        }
    }
}

#[test]
fn an_oversized_reply_gives_bounded_hits() {
    let one = |n: usize| {
        format!(
            "{{\"url\": \"https://a.example/{n}\", \"title\": \"{}\", \"content\": \"{}\"}}",
            "t".repeat(5_000),
            "<b>s</b> ".repeat(2_000)
        )
    };
    let items: Vec<String> = (0..300).map(one).collect();
    let body = format!("{{\"results\": [{}]}}", items.join(","));
    let reply = parse("searxng", body.as_bytes()).unwrap();
    assert_eq!(reply.hits.len(), 100);
    assert!(
        reply
            .hits
            .iter()
            .all(|hit| hit.title.chars().count() <= 301 && hit.snippet.chars().count() <= 1_501)
    );
}

#[test]
fn nesting_of_any_depth_is_survived() {
    let deep_json = format!("{{\"results\": {}", "[".repeat(200_000));
    let deep_xml = format!("<feed>{}", "<entry>".repeat(200_000));
    let deep_html = format!(
        "<div class=results>{}",
        "<div class=result><a class=result__a href=x>".repeat(50_000)
    );
    for (provider, _) in PROVIDERS {
        for body in [&deep_json, &deep_xml, &deep_html] {
            if let Ok(reply) = parse(provider, body.as_bytes()) {
                assert!(reply.hits.len() <= 100, "{provider}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_a_parser_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
        for (provider, _) in PROVIDERS {
            let _ = parse(provider, &body);
        }
        let _ = pubmed::parse_numbers(&body);
    }

    /// Replies of the right shape with anything inside are the deeper test.
    #[test]
    fn no_change_to_a_real_reply_makes_a_parser_panic(
        which in 0usize..PROVIDERS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let (provider, kind) = PROVIDERS[which];
        let mut body = fixture(provider, &format!("ok.{kind}"));
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        if let Ok(reply) = parse(provider, &body) {
            for hit in reply.hits {
                prop_assert!(matches!(hit.url.as_url().scheme(), "http" | "https"));
                prop_assert!(!hit.title.chars().any(char::is_control));
                prop_assert!(!hit.snippet.chars().any(char::is_control));
            }
        }
    }
}
