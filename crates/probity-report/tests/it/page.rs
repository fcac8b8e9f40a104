//! The report within a page: links of the page's own, and what its script and its readers rely on.

use html5gum::{Token, Tokenizer};
use probity_core::Candidate;
use probity_report::html::{Links, contents, fragment, html};
use proptest::prelude::*;

use crate::hostile::HOSTILE;
use crate::sample::{long, saying, short_of};

/// A page that links to everything that it can.
struct Everything;

impl Links for Everything {
    fn outlet(&self, source: &Candidate) -> Option<String> {
        Some(format!("/outlets/{}", source.url.host()))
    }

    fn open(&self, source: &Candidate) -> Option<String> {
        Some(format!("/documents/{}", source.id))
    }

    fn marks(&self, _: &Candidate) -> Vec<(&'static str, String)> {
        vec![("wrong?", "/mark?a=1&b=2".to_owned())]
    }

    fn ask(&self, question: &str) -> Option<String> {
        Some(format!("/ask?q={question}"))
    }

    fn methodology(&self) -> Option<String> {
        Some("/methodology".to_owned())
    }
}

struct Nothing;

impl Links for Nothing {}

/// The addresses that a page links to.
fn linked(html: &str) -> Vec<String> {
    let tags = Tokenizer::new(html).filter_map(|token| match token {
        Ok(Token::StartTag(tag)) => Some(tag),
        _ => None,
    });
    let hrefs = tags.filter_map(|tag| tag.attributes.get(b"href".as_slice()).cloned());
    hrefs.map(|href| String::from_utf8_lossy(&href).into_owned()).collect()
}

#[test]
fn a_page_links_to_what_it_names_and_a_file_to_sources_only() {
    let report = saying("A title.");
    let within = linked(&fragment(&report, &Everything));
    let sources: Vec<&Candidate> = report.sources().map(|(_, source)| source).collect();
    for source in &sources {
        assert!(within.contains(&format!("/outlets/{}", source.url.host())));
        assert!(within.contains(&format!("/documents/{}", source.id)));
    }
    let marks = within.iter().filter(|href| *href == "/mark?a=1&b=2").count();
    assert_eq!(marks, sources.len());
    assert!(within.contains(&"/methodology".to_owned()));
    let alone = linked(&fragment(&report, &Nothing));
    assert!(alone.iter().all(|href| !href.starts_with('/')), "{alone:?}");
}

#[test]
fn a_better_question_can_be_asked_where_the_page_says_where() {
    for text in ["What else?", "\"><script>alert(1)</script>", "a & b = c"] {
        let report = short_of(text);
        let within = linked(&fragment(&report, &Everything));
        assert!(within.contains(&format!("/ask?q={text}")), "{within:?}");
    }
}

#[test]
fn the_contents_name_every_heading_in_its_order() {
    for report in [saying("A title."), short_of("A title."), long(6)] {
        let page = fragment(&report, &Nothing);
        let mut rest = page.as_str();
        for (anchor, _, below) in contents(&report) {
            let heading = format!("<h{} id=\"{anchor}\"", if below { 3 } else { 2 });
            let at = rest.find(&heading).unwrap_or_else(|| panic!("{anchor} is not there"));
            rest = &rest[at + heading.len()..];
        }
        assert!(!rest.contains("<h2 id="), "a heading is not among the contents");
    }
}

#[test]
fn the_policy_allows_the_style_and_the_script_of_the_page_and_no_other() {
    let page = html(&saying("A title."));
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap();
    let parts: Vec<&str> = policy.split("; ").collect();
    assert!(parts.contains(&"default-src &#39;none&#39;"), "{policy}");
    for kind in ["style-src ", "script-src "] {
        let allowed: Vec<&str> = parts.iter().filter_map(|part| part.strip_prefix(kind)).collect();
        assert_eq!(allowed.len(), 1, "{policy}");
        assert!(allowed[0].starts_with("&#39;sha256-"), "{policy}");
        assert!(!allowed[0].contains(' '), "{policy}");
    }
    assert!(!page.contains(" style=\"") && !page.contains(" onclick="), "it would not be allowed");
}

#[test]
fn the_numbers_behind_the_chart_are_told_in_words() {
    let report = saying("A title.");
    let page = html(&report);
    let caption = "Credibility and relevance of what was found: 2 kept, 1 read and dropped, 1 blocked, never read.";
    assert!(page.contains(caption), "{page}");
    // What is cited is drawn with its number.
    for (n, _) in report.sources() {
        assert!(page.contains(&format!("<a href=\"#source-{n}\"><title>{n}. ")), "{n}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tags_close_in_the_order_in_which_they_opened(text in prop_oneof![
        prop::sample::select(HOSTILE).prop_map(str::to_owned), "\\PC{0,40}".boxed(),
    ]) {
        const VOID: [&str; 5] = ["meta", "link", "br", "input", "img"];
        let mut open: Vec<String> = Vec::new();
        for token in Tokenizer::new(&html(&saying(&text))) {
            match token {
                Ok(Token::StartTag(tag)) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    if !tag.self_closing && !VOID.contains(&name.as_str()) {
                        open.push(name);
                    }
                }
                Ok(Token::EndTag(tag)) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    prop_assert_eq!(open.pop(), Some(name));
                }
                _ => {}
            }
        }
        prop_assert_eq!(open, Vec::<String>::new());
    }
}
