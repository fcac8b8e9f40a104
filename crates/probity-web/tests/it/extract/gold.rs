//! Pages in many layouts and languages, each with the text that a reader would call the text.
//!
//! The pages stand in `tests/data/extract`, each with a file of the same name that ends in `.txt`:
//! front matter with title, byline, date and language, then the text, a block a line.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use probity_core::Document;
use probity_web::extract::{Input, extract, front_matter};

/// How far the figures may fall before the test fails: they are printed by the test.
const MIN_PRECISION: f64 = 0.985;
const MIN_RECALL: f64 = 0.985;
const MIN_PAGES: usize = 60;

struct Gold {
    name: String,
    page: Document,
    title: String,
    byline: Option<String>,
    published: Option<String>,
    lang: Option<String>,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/extract")
}

fn gold() -> Vec<Gold> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".html").map(str::to_owned))
        .collect();
    names.sort();
    names.into_iter().map(|name| read(&name)).collect()
}

fn read(name: &str) -> Gold {
    let bytes = std::fs::read(folder().join(format!("{name}.html"))).unwrap();
    let said = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let (front, text) = front_matter(&said);
    let input = Input { bytes: &bytes, content_type: Some("text/html"), url: None };
    Gold {
        name: name.to_owned(),
        page: extract(input).unwrap_or_else(|error| panic!("{name}: {error}")).document,
        title: front.title.unwrap(),
        byline: front.author,
        published: front.published,
        lang: front.lang,
        text: text.to_owned(),
    }
}

/// Words, with each ideograph and each Thai letter as a word of its own.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        let alone =
            matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
        if alone || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if alone || c.is_alphanumeric() {
            words.last_mut().unwrap().extend(c.to_lowercase());
        }
        if alone {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// How often each run of four words comes.
fn shingles(text: &str) -> HashMap<Vec<String>, usize> {
    let words = words(text);
    let size = words.len().min(4);
    let mut counts = HashMap::new();
    for run in words.windows(size.max(1)) {
        *counts.entry(run.to_vec()).or_insert(0) += 1;
    }
    counts
}

/// The shares of what was found that is right, and of what is right that was found.
fn precision_recall(gold: &str, found: &str) -> (f64, f64) {
    let (gold, found) = (shingles(gold), shingles(found));
    let common: usize =
        gold.iter().map(|(run, count)| (*count).min(found.get(run).copied().unwrap_or(0))).sum();
    let share = |all: &HashMap<Vec<String>, usize>| {
        let all: usize = all.values().sum();
        if all == 0 { 1.0 } else { common as f64 / all as f64 }
    };
    (share(&found), share(&gold))
}

#[test]
fn the_text_of_every_layout_comes_out_whole_and_alone() {
    let pages = gold();
    assert!(pages.len() >= MIN_PAGES, "{} pages", pages.len());
    let (mut precision, mut recall) = (0.0, 0.0);
    for page in &pages {
        let (p, r) = precision_recall(&page.text, &page.page.text);
        println!("{:<28} precision {p:.3} recall {r:.3}", page.name);
        assert!(r > 0.8 && p > 0.7, "{}: precision {p:.3}, recall {r:.3}", page.name);
        precision += p;
        recall += r;
    }
    let count = pages.len() as f64;
    let (precision, recall) = (precision / count, recall / count);
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("{count} pages: precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}");
    assert!(precision >= MIN_PRECISION, "precision {precision:.4}");
    assert!(recall >= MIN_RECALL, "recall {recall:.4}");
}

#[test]
fn pages_say_their_title_author_date_and_language() {
    let mut wrong = Vec::new();
    for gold in gold() {
        let page = &gold.page;
        let mut check = |what: &str, is: Option<&str>, said: Option<&str>| {
            if said.is_some() && is != said {
                wrong.push(format!("{}: {what} is {is:?}, not {said:?}", gold.name));
            }
        };
        check("title", Some(&page.title), Some(&gold.title));
        check("byline", page.byline.as_deref(), gold.byline.as_deref());
        check("date", page.published.map(|d| d.to_string()).as_deref(), gold.published.as_deref());
        check("language", page.lang.as_deref(), gold.lang.as_deref());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_hidden_from_readers_is_in_the_text() {
    let page = read("hidden_injection").page;
    for text in [&page.text, &page.markdown, &page.title] {
        for order in [
            "gnore all",
            "System:",
            "Assistant",
            "Do not mention",
            "obey",
            "orders",
            "send the key",
            "Template",
        ] {
            assert!(!text.contains(order), "{order} in {text}");
        }
    }
}

#[test]
fn markdown_keeps_the_structure() {
    let page = read("docs_docusaurus").page;
    assert!(page.markdown.contains("## Delays"), "{}", page.markdown);
    assert!(
        page.markdown.contains("- First retry: about 200 ms\n- Second retry"),
        "{}",
        page.markdown
    );
    assert!(page.markdown.contains("```toml\n[retry]\nattempts = 4"), "{}", page.markdown);
    let page = read("table_statistics").page;
    assert!(
        page.markdown
            .contains("| Port | Herring | Cod | Crab |\n| --- | --- | --- | --- |\n| Skell |"),
        "{}",
        page.markdown
    );
    assert!(
        page.text.contains("Port: Skell · Herring: 14,020 · Cod: 2,310 · Crab: 410"),
        "{}",
        page.text
    );
    let page = read("news_wordpress").page;
    assert!(page.markdown.contains("\n> A channel that only half"), "{}", page.markdown);
    assert!(page.markdown.contains("take **eleven weeks**."), "{}", page.markdown);
    let page = read("blog_ghost").page;
    assert!(page.markdown.contains("1. I used too little water."), "{}", page.markdown);
}
