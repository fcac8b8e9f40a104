//! The HTML report in a real browser: evidence by mouse and keyboard, print, silence.

use std::path::PathBuf;

use serde_json::json;

use crate::chromium::Page;
use crate::program::{Program, tree};

const FIRST: &str = "#cite-1";

/// A report on the songs, rendered from the exported run.
fn report(program: &Program) -> PathBuf {
    let fixture = tree().join("crates/probity-report/tests/fixtures/songs.json");
    let path = program.home.path().join("songs.html");
    program.run(&["render", fixture.to_str().unwrap(), "-o", path.to_str().unwrap()]).ok();
    path
}

fn is_shown(page: &mut Page, id: &str) -> bool {
    let style = format!("getComputedStyle(document.querySelector('{id}')).visibility");
    page.eval(&style) == "visible"
}

#[test]
fn evidence_opens_under_the_mouse_and_lies_on_the_screen() {
    let program = Program::new();
    for width in [320, 390, 900, 1200, 1280, 1400] {
        let Some(mut page) = Page::open(&report(&program), width) else { return };
        assert!(!is_shown(&mut page, "#evidence-1"));
        page.hover(FIRST);
        assert!(is_shown(&mut page, "#evidence-1"), "{width}");
        let text = page.eval("document.querySelector('#evidence-1').innerText");
        let text = text.as_str().unwrap().to_owned();
        for part in ["authority", "relevance ", "open source", "“"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let edges = page.eval(
            "(() => { const r = document.querySelector('#evidence-1').getBoundingClientRect(); \
             return [r.left >= 0, r.right <= innerWidth]; })()",
        );
        assert_eq!(edges, json!([true, true]), "{width}");
        let overflow = page.eval("document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(overflow, json!(true), "the page is wider than {width}");
        assert_eq!(page.noise(), Vec::<String>::new());
    }
}

#[test]
fn the_keyboard_walks_through_the_evidence_and_closes_it() {
    let program = Program::new();
    let Some(mut page) = Page::open(&report(&program), 1000) else { return };
    page.eval("document.querySelector('#cite-1').focus()");
    assert!(is_shown(&mut page, "#evidence-1"));
    page.press("ArrowRight");
    assert_eq!(page.eval("document.activeElement.id"), "cite-2");
    assert!(is_shown(&mut page, "#evidence-2"));
    page.press("Escape");
    assert!(!is_shown(&mut page, "#evidence-2"));
    page.press("ArrowLeft");
    assert!(is_shown(&mut page, "#evidence-1"));
    assert_eq!(page.noise(), Vec::<String>::new());
}

#[test]
fn sources_sort_both_ways() {
    let program = Program::new();
    let Some(mut page) = Page::open(&report(&program), 1000) else { return };
    let scores = "[...document.querySelectorAll('table.sources tbody tr')]\
                  .map(row => +row.children[2].dataset.key)";
    let click = "document.querySelectorAll('table.sources th button')[2].click()";
    let sorted = |page: &mut Page| -> Vec<f64> {
        page.eval(click);
        serde_json::from_value(page.eval(scores)).unwrap()
    };
    let (up, down) = (sorted(&mut page), sorted(&mut page));
    assert!(up.len() > 2 && up.is_sorted(), "{up:?}");
    assert!(down.iter().rev().is_sorted(), "{down:?}");
    assert_eq!(page.eval("document.querySelectorAll('th[aria-sort=descending]').length"), 1);
}

#[test]
fn paper_shows_the_addresses_and_hides_the_panels() {
    let program = Program::new();
    let Some(mut page) = Page::open(&report(&program), 1000) else { return };
    page.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let display = |page: &mut Page, selector: &str| {
        page.eval(&format!("getComputedStyle(document.querySelector('{selector}')).display"))
    };
    assert_eq!(display(&mut page, "#evidence-1"), "none");
    assert_eq!(display(&mut page, ".sources .url"), "block");
    let paper = page.eval("getComputedStyle(document.body).backgroundColor");
    assert_eq!(paper, "rgb(255, 255, 255)");
    let pdf = page.call("Page.printToPDF", json!({}));
    assert!(pdf["data"].as_str().unwrap().len() > 10_000);
    assert_eq!(page.noise(), Vec::<String>::new());
}

#[test]
fn reading_needs_no_script_and_dark_is_dark() {
    let program = Program::new();
    let Some(mut page) = Page::open(&report(&program), 1000) else { return };
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
    page.call("Emulation.setEmulatedMedia", dark);
    page.reload();
    page.hover(FIRST);
    assert!(is_shown(&mut page, "#evidence-1"));
    let paper = page.eval("getComputedStyle(document.body).backgroundColor");
    assert_eq!(paper, "rgb(22, 22, 21)");
}
