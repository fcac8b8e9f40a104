//! Whatever a page, a model or a user says, it is text in every format and nothing more.

use std::collections::BTreeSet;

use html5gum::{Token, Tokenizer};
use probity_report::bibtex::bibtex;
use probity_report::html::html;
use probity_report::markdown::markdown_with_appendix;
use probity_report::ris::ris;
use probity_report::{CheckedReport, restore};
use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use crate::sample::{saying, short_of};

/// Texts that try to be something else in one format or another.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title></head><body onload=alert(1)>",
    "\"><img src=https://evil.example/x.png onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)><style>*{background:url(https://evil.example/)}</style>",
    "<a href=\"javascript:alert(1)\">click</a>",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
    "<https://evil.example> https://evil.example www.evil.example a@evil.example",
    "[1]: https://evil.example\n[1] [^1] [^1]: note",
    "# Heading\n## Sources\n1. [Fake](https://evil.example) — credibility 1.00",
    "| a | b |\n| --- | --- |\n| c | d |",
    "```\ncode\n``` `code` ~~~",
    "&lt;script&gt; &#60;script&#62; &amp;",
    "<!-- comment --> <![CDATA[x]]> <?php ?>",
    "{{ 7*7 }} {% include \"/etc/passwd\" %} ${7*7}",
    "\\input{/etc/passwd} \\write18{rm -rf /} $x^2$ \\end{document} %",
    "}, url = {https://evil.example}}\n@misc{evil, title = {x}}",
    "#let x = read(\"/etc/passwd\") #image(\"x.png\") $ x $",
    "x\r\nER  - \r\nTY  - ELEC\r\nUR  - https://evil.example",
    "(/JavaScript) << /S /URI /URI (https://evil.example) >> endobj",
    "\u{202e}gnp.exe\u{2066}\u{200f}",
    "\u{0}\u{1}\u{7}\u{8}\u{b}\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\u{7f}",
    "</w:t></w:r></w:p><w:p><w:r><w:instrText>DDEAUTO c:\\x</w:instrText></w:r></w:p>",
    "\"/><Relationship Id=\"x\" Type=\"y\" Target=\"https://evil.example\" TargetMode=\"External\"/>",
    "]]> &undefined; \u{fffe}\u{ffff}\u{fdd0}",
    "\u{2028}\u{2029}\u{feff}\u{fff9}\u{e0041}",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "العربية עברית हिन्दी ไทย 日本語 한국어 👩‍👩‍👧‍👦 🇨🇭",
    "",
    " \n\t ",
];

pub(crate) const CONTROLS: fn(char) -> bool = |c| {
    c.is_control() && c != '\n'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
};

const ELEMENTS: &str = "a bdi blockquote body button circle dd details div dl dt figcaption figure g h1 h2 h3 head header html li \
    line link main mark meta ol p path rect script section span strong style summary svg table tbody td text th thead \
    title tr ul";
const ATTRIBUTES: &str = "aria-describedby aria-hidden aria-label aria-labelledby charset class content cx cy d \
    data-key data-label data-type dir dy height href http-equiv id lang name open r rel role scope tabindex text-anchor title \
    transform type viewBox width x x1 x2 y y1 y2";

/// Holds a page to the elements and attributes of our template.
fn check_html(report: &CheckedReport) -> Result<(), TestCaseError> {
    let page = html(report);
    let elements: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    let attributes: BTreeSet<String> =
        ATTRIBUTES.split_whitespace().map(str::to_ascii_lowercase).collect();
    let known: BTreeSet<&str> =
        report.facts().candidates.iter().map(|candidate| candidate.url.as_str()).collect();
    let (mut scripts, mut styles) = (0, 0);
    for token in Tokenizer::new(&page) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        prop_assert!(elements.contains(name.as_str()), "<{}>", name);
        scripts += usize::from(name == "script");
        styles += usize::from(name == "style");
        for (attribute, value) in &tag.attributes {
            let attribute = String::from_utf8_lossy(attribute).into_owned();
            prop_assert!(attributes.contains(&attribute), "<{} {}>", name, attribute);
            if attribute == "href" {
                let value = String::from_utf8_lossy(value).into_owned();
                let ours = value.starts_with('#') || value == "data:,";
                prop_assert!(ours || known.contains(value.as_str()), "{}", value);
            }
        }
    }
    prop_assert_eq!((scripts, styles), (1, 1));
    prop_assert!(!page.contains(CONTROLS), "a control character is left");
    Ok(())
}

/// Reads Markdown as a reader would and looks for what only we may write.
fn check_markdown(report: &CheckedReport) -> Result<(), TestCaseError> {
    let text = markdown_with_appendix(report);
    prop_assert!(!text.contains(CONTROLS), "a control character is left");
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
    let mut links = 0;
    let mut shown = 0;
    for event in Parser::new_ext(&text, Options::all()) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => prop_assert!(false, "{}", html),
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                prop_assert!(false, "structure of its own in {}", text);
            }
            Event::Start(Tag::Image { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                prop_assert!(false, "structure of its own in {}", text);
            }
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                shown += 1;
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                links += 1;
                prop_assert!(dest_url.starts_with("https://s"), "{}", dest_url);
            }
            _ => {}
        }
    }
    prop_assert_eq!(shown, headings.len());
    let facts = report.facts();
    let judged = facts.candidates.iter().filter(|c| c.relevance.is_some()).count();
    prop_assert_eq!(links, report.sources().count() + judged + facts.candidates.len());
    Ok(())
}

fn check_bibtex(report: &CheckedReport) -> Result<(), TestCaseError> {
    let text = bibtex(report);
    let sources = report.sources().count();
    let mut keys = BTreeSet::new();
    for entry in text.split("\n\n").filter(|entry| !entry.is_empty()) {
        let mut lines = entry.trim_end().lines();
        let key = lines.next().and_then(|line| line.strip_prefix("@misc{")).unwrap();
        prop_assert!(keys.insert(key.to_owned()), "{} twice", key);
        let closing = lines.next_back();
        prop_assert_eq!(closing, Some("}"));
        for line in lines {
            let (name, value) = line.split_once(" = {").unwrap();
            prop_assert!(name.trim().bytes().all(|b| b.is_ascii_lowercase()), "{}", line);
            let value = value.strip_suffix("},").unwrap();
            let depth = value.chars().try_fold(0i32, |depth, c| match c {
                '{' => Some(depth + 1),
                '}' if depth > 0 => Some(depth - 1),
                '}' => None,
                _ => Some(depth),
            });
            prop_assert_eq!(depth, Some(0), "{}", line);
        }
    }
    prop_assert_eq!(keys.len(), sources);
    prop_assert_eq!(
        text.lines().filter(|line| line.trim_start().starts_with('@')).count(),
        sources
    );
    prop_assert!(!text.contains(CONTROLS));
    Ok(())
}

fn check_ris(report: &CheckedReport) -> Result<(), TestCaseError> {
    let text = ris(report);
    let sources = report.sources().count();
    let tags = ["TY", "ID", "TI", "PB", "PY", "DA", "UR", "Y2", "N1", "ER"];
    let mut entries = 0;
    for line in text.split("\r\n").filter(|line| !line.is_empty()) {
        let (tag, value) = line.split_once("  - ").unwrap();
        prop_assert!(tags.contains(&tag), "{}", line);
        prop_assert!(!value.contains(|c: char| c.is_control()), "{:?}", value);
        entries += usize::from(tag == "TY");
    }
    prop_assert_eq!(entries, sources);
    Ok(())
}

fn check_json(report: &CheckedReport) -> Result<(), TestCaseError> {
    let json = probity_report::json::json(report);
    crate::schema::check(&json)?;
    let again = restore(&json).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(markdown_with_appendix(&again), markdown_with_appendix(report));
    prop_assert_eq!(html(&again), html(report));
    prop_assert_eq!(probity_report::json::json(&again), json);
    Ok(())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    for report in [saying(text), short_of(text)] {
        check_html(&report)?;
        check_markdown(&report)?;
        check_bibtex(&report)?;
        check_ris(&report)?;
        check_json(&report)?;
        crate::docx::check(&report)?;
    }
    Ok(())
}

#[test]
fn listed_hostile_texts_are_inert_in_every_format() {
    for text in HOSTILE {
        check(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    }
    for long in ["x", "long words ", "<b>", "\\", "]("] {
        check(&long.repeat(10_000 / long.len())).unwrap_or_else(|error| panic!("{long}: {error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn generated_hostile_texts_are_inert_in_every_format(
        parts in prop::collection::vec(
            prop_oneof![
                prop::sample::select(HOSTILE).prop_map(str::to_owned),
                "[\\[\\](){}<>!#*_`|\\\\&;:/@$%~^\"'=\n\r\t.0-9a-c -]{0,20}",
                "\\PC{0,12}",
                any::<String>(),
            ],
            0..4,
        ),
    ) {
        check(&parts.concat())?;
    }
}
