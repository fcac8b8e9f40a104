//! The web page in a real browser: asked, watched, read, corrected; by keyboard, on a phone, without script.

use serde_json::json;

use crate::chromium::Page;
use crate::program::Program;
use crate::serve::{Server, with_library};

const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

/// Asks the question through the form.
pub(crate) fn send(page: &mut Page, server: &Server) {
    page.visit(&format!("{}/?search=library", server.url));
    page.eval(&format!("document.querySelector('#question').value = {}", json!(QUESTION)));
    page.follow("document.querySelector('form.ask button.main').click()");
}

/// Asks the question and waits for the report.
pub(crate) fn ask(page: &mut Page, server: &Server) {
    send(page, server);
    page.wait_until("document.querySelector('#h-summary') !== null");
}

#[test]
fn ask_watch_read_mark_and_find_it_in_the_audit_log() {
    let Some(mut page) = Page::start(1300) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    page.picture("report");
    let shown = "getComputedStyle(document.querySelector('#evidence-1')).visibility === 'visible'";
    page.hover_until("#cite-1", shown);
    page.follow("document.querySelector('.marks a').click()");
    assert!(
        page.eval("document.querySelector('#effect').innerText").as_str().unwrap().contains("→")
    );
    page.picture("code");
    page.eval("document.querySelector('#note').value = 'checked by hand'");
    page.follow("document.querySelector('#save').click()");
    let text = page.eval("document.body.innerText");
    assert!(text.as_str().unwrap().contains("checked by hand"), "{text}");
    assert_eq!(page.eval("document.querySelectorAll('.plot circle').length"), 1);
    page.picture("outlet");
    page.visit(&format!("{}/audit", server.url));
    let proof = page.eval("document.querySelector('#proof').innerText");
    assert!(proof.as_str().unwrap().contains("The ledger is sound. 1 events"), "{proof}");
    page.picture("audit");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn choosing_another_code_shows_another_effect_before_anything_is_saved() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    page.visit(&format!("{}/outlets/wired.com/code?codes=source-unreliable", server.url));
    page.eval("document.querySelector('input[value=high-quality-source]').click()");
    page.wait_until("document.querySelector('#effect').innerText.includes('0.720 → 0.748')");
    page.visit(&format!("{}/audit", server.url));
    let proof = page.eval("document.querySelector('#proof').innerText");
    assert!(proof.as_str().unwrap().contains("0 events"), "{proof}");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn everything_is_reached_by_keyboard() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    page.visit(&format!("{}/?search=library", server.url));
    let mut reached = Vec::new();
    for _ in 0..12 {
        page.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9 }),
        );
        page.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": "Tab", "code": "Tab" }),
        );
        let focused = "(() => { const e = document.activeElement; const ring = getComputedStyle(e).outlineStyle; \
                       return [e.id || e.innerText || e.name, ring]; })()";
        let found = page.eval(focused);
        assert_ne!(found[1], "none", "{found} has focus and does not show it");
        reached.push(found[0].as_str().unwrap_or_default().to_owned());
    }
    for place in ["Skip to the text", "Runs", "find", "question"] {
        assert!(reached.iter().any(|r| r == place), "{place} is not among {reached:?}");
    }
    page.eval("document.querySelector('#question').focus()");
    page.call("Input.insertText", json!({ "text": QUESTION }));
    page.eval("document.querySelector('form.ask button.main').focus()");
    page.call("Input.dispatchKeyEvent", json!({ "type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r" }));
    page.wait_until("document.querySelector('#h-summary') !== null");
    page.eval("document.querySelector('#cite-1').focus()");
    page.press("ArrowRight");
    assert_eq!(page.eval("document.activeElement.id"), "cite-2");
    page.press("Escape");
    let hidden = page.eval("getComputedStyle(document.querySelector('#evidence-2')).visibility");
    assert_eq!(hidden, "hidden");
}

#[test]
fn without_script_one_asks_waits_reads_and_codes() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    ask(&mut page, &server);
    let shown = "getComputedStyle(document.querySelector('#evidence-1')).visibility === 'visible'";
    page.hover_until("#cite-1", shown);
    let link = page.eval("document.querySelector('.marks a').href");
    page.visit(link.as_str().unwrap());
    page.follow("document.querySelector('#save').click()");
    assert_eq!(page.eval("document.querySelectorAll('.plot circle').length"), 1);
}

/// Brings an attack in as the title of a feed and of its articles, and as the words of a category.
fn bring(program: &Program, attack: &str) {
    // Feeds hold HTML, whose tags are taken out; this is what a text about tags looks like there.
    let text = attack.replace('<', "&amp;lt;").replace('>', "&amp;gt;");
    let item = |host: &str| {
        format!(
            "<item><title>Ferry sinks {text}</title><link>https://{host}/a</link>\
             <description>A ferry sank off the islands. {text}</description></item>"
        )
    };
    let feed = format!(
        "<rss version='2.0'><channel><title>{text}</title>{}{}</channel></rss>",
        item("www.reuters.com"),
        item("gazette.example")
    );
    let file = program.home.path().join("attack.xml");
    std::fs::write(&file, feed).unwrap();
    let from = file.to_str().unwrap();
    program.run(&["feeds", "add", "https://bad.example/f", "--from", from]).ok();
    let words = ["--keyword", attack, "--example", attack];
    program.run(&[&["news", "categories", "add", "Bad", attack], &words[..]].concat()).ok();
    program.run(&["news", "consolidate"]).ok();
    let topics = program.run(&["news", "topics", "--json"]).ok();
    assert!(topics.contains("onerror"), "the attack is among the topics: {topics}");
}

#[test]
fn stored_attacks_open_no_dialog_and_send_no_request() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let attack = "<img src=http://evil.example/x onerror=alert(1)><script>alert(2)</script>";
    program
        .run(&[
            "outlets",
            "code",
            "wired.com",
            "--code",
            "source-unreliable",
            "--by",
            attack,
            "--note",
            attack,
        ])
        .ok();
    bring(&program, attack);
    let server = Server::start(&program, &[]);
    page.visit(&format!("{}/?search=library", server.url));
    let question = format!("How loud may music be at night? {attack}");
    page.eval(&format!("document.querySelector('#question').value = {}", json!(question)));
    page.follow("document.querySelector('form.ask button.main').click()");
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    for path in [
        "/",
        "/runs",
        "/outlets/wired.com",
        "/audit",
        "/search?q=music",
        "/settings",
        "/news",
        "/feeds",
        "/topics",
        "/topics/1",
        "/topics/1?category=Bad",
        "/categories",
        "/categories/1",
    ] {
        page.visit(&format!("{}{path}", server.url));
    }
    let encoded: String = attack.bytes().map(|byte| format!("%{byte:02X}")).collect();
    for path in [
        "/?question=",
        "/outlets?text=",
        "/search?q=",
        "/library?q=",
        "/runs/",
        "/login?to=",
        "/topics/",
        "/topics?category=",
        "/topics?since=",
        "/categories/",
    ] {
        page.visit(&format!("{}{path}{encoded}", server.url));
    }
    let alarms = page.alarms(&server.url);
    // Addresses that mean nothing are answered so, which is no alarm.
    let is_refusal = |alarm: &String| ["404", "422"].iter().any(|status| alarm.contains(status));
    let real: Vec<_> = alarms.iter().filter(|alarm| !is_refusal(alarm)).collect();
    assert!(real.is_empty(), "{real:?}");
}
