//! The page as a workplace, in a real browser: bring documents, ask, follow up, take along, share.

use std::path::PathBuf;

use serde_json::json;

use crate::chromium::Page;
use crate::program::{Program, tree};
use crate::serve::{Server, with_library};
use crate::serve_pages::ask;

const QUESTION: &str =
    "What does Port Ellery's noise ordinance say about amplified outdoor music at night?";

/// Three PDF files, as someone might have them.
fn papers(program: &Program) -> Vec<PathBuf> {
    let paper = |name: &str| {
        let fixture = tree().join(format!("crates/probity-report/tests/fixtures/{name}.json"));
        let path = program.home.path().join(format!("{name}.pdf"));
        program.run(&["render", fixture.to_str().unwrap(), "-o", path.to_str().unwrap()]).ok();
        path
    };
    ["noise", "hotels", "songs"].map(paper).to_vec()
}

/// Chooses files in the form, as a person does in the browser's own window.
fn choose(page: &mut Page, files: &[PathBuf]) {
    let document = page.call("DOM.getDocument", json!({}));
    let field = json!({ "nodeId": document["root"]["nodeId"], "selector": "#file" });
    let field = page.call("DOM.querySelector", field);
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    page.call("DOM.setFileInputFiles", json!({ "nodeId": field["nodeId"], "files": files }));
}

fn tick_only(page: &mut Page, name: &str) {
    page.eval(&format!(
        "document.querySelectorAll('input[name=web], input[name=library], input[name=news], input[name=files]') \
         .forEach(box => {{ box.checked = box.name === '{name}'; }})"
    ));
}

/// Whether a document of this name is among the sources, and can be opened.
fn is_source(page: &mut Page, name: &str) -> bool {
    let listed = format!(
        "[...document.querySelectorAll('.sources tbody tr')].some(row => row.textContent.includes('{name}') \
         && row.querySelector('a').href.includes('/file?url='))"
    );
    page.eval(&listed) == json!(true)
}

#[test]
fn a_stranger_brings_papers_asks_follows_up_takes_the_report_along_and_shares_it() {
    let Some(mut page) = Page::start(1100) else { return };
    let program = Program::new();
    let papers = papers(&program);
    let server = Server::start(&program, &[]);
    page.visit(&server.url);
    page.picture("home");
    choose(&mut page, &papers);
    page.wait_until("document.querySelectorAll('.brought [data-place]').length === 3");
    page.picture("brought");
    tick_only(&mut page, "files");
    page.eval("document.querySelector('#question').focus()");
    page.call("Input.insertText", json!({ "text": QUESTION }));
    // Ctrl+Enter asks.
    page.follow(
        "document.querySelector('#question').dispatchEvent(new KeyboardEvent('keydown', \
         { key: 'Enter', ctrlKey: true, bubbles: true }))",
    );
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    page.picture("answered");
    assert!(is_source(&mut page, "noise.pdf"), "{}", page.text("main"));
    page.eval("document.querySelector('#follow').value = 'How loud may music be at the harbour?'");
    page.follow("document.querySelector('#follow').form.querySelector('button').click()");
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    assert!(page.text(".kin").contains("Asked of the sources of"));
    page.picture("followed");
    let taken = page.await_value(
        "fetch(document.querySelector('a[href$=\"format=docx\"]').href).then(answer => answer.arrayBuffer()) \
         .then(bytes => [bytes.byteLength > 4000, new TextDecoder().decode(bytes.slice(0, 2))])",
    );
    assert_eq!(taken, json!([true, "PK"]));
    page.eval("document.querySelector('#days').closest('details').open = true");
    page.follow("document.querySelector('#days').form.querySelector('button').click()");
    let link = page.eval("document.querySelector('input.link').value");
    page.picture("shared-link");
    page.visit(link.as_str().unwrap());
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    page.picture("shared");
    assert_eq!(page.eval("document.querySelectorAll('form, footer').length"), json!(0));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

/// Drops files on an element, as someone does who drags them from a window of their own.
fn drop_on(page: &mut Page, selector: &str, files: &[PathBuf]) {
    let place = page.eval(&format!(
        "(() => {{ const r = document.querySelector('{selector}').getBoundingClientRect(); \
         return [r.x + r.width / 2, r.y + 20]; }})()"
    ));
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": kind, "x": place[0], "y": place[1], "data": data });
        page.call("Input.dispatchDragEvent", event);
        if kind == "dragOver" {
            page.wait_until("document.querySelector('form.over') !== null");
        }
    }
}

#[test]
fn files_are_dropped_on_the_form_and_each_says_what_became_of_it() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = Program::new();
    let mut files = papers(&program);
    files.truncate(2);
    let picture = program.home.path().join("photo.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01").unwrap();
    files.push(picture);
    let server = Server::start(&program, &["--no-workers"]);
    for path in ["/", "/library"] {
        page.visit(&format!("{}{path}", server.url));
        drop_on(&mut page, "form.ask", &files);
        page.wait_until("document.querySelectorAll('.brought [data-place]').length === 2");
        page.wait_until("document.querySelector('.brought .failed') !== null");
        assert_eq!(page.eval("document.querySelector('form.over')"), json!(null));
        assert!(page.text(".brought .failed").contains("photo.png"), "{}", page.text(".brought"));
        page.picture(&format!("dropped{}", path.replace('/', "-")));
        page.eval("document.querySelector('.brought [data-place] button').click()");
        page.wait_until("document.querySelectorAll('.brought [data-place]').length === 1");
    }
    // The one alarm is the answer about the file that cannot be read.
    let alarms = page.alarms(&server.url);
    assert!(alarms.iter().all(|alarm| alarm.contains("422")), "{alarms:?}");
}

#[test]
fn without_script_one_brings_a_paper_and_hears_what_is_wrong_with_another() {
    let Some(mut page) = Page::start(390) else { return };
    let program = Program::new();
    let mut papers = papers(&program);
    papers.truncate(1);
    let picture = program.home.path().join("photo.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01").unwrap();
    papers.push(picture);
    let server = Server::start(&program, &[]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&server.url);
    choose(&mut page, &papers);
    page.eval(&format!("document.querySelector('#question').value = {}", json!(QUESTION)));
    tick_only(&mut page, "files");
    page.follow("document.querySelector('form.ask button.main').click()");
    let brought = page.text(".brought");
    assert!(
        brought.contains("noise.pdf") && brought.contains("holds no text that can be read"),
        "{brought}"
    );
    page.picture("refused-phone");
    page.follow("document.querySelector('form.ask button.main').click()");
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    assert!(is_source(&mut page, "noise.pdf"), "{}", page.text("main"));
    let wide = page.eval("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(wide, json!(true), "the report is wider than a phone");
}

#[test]
fn the_library_takes_what_is_brought_shows_what_was_cited_and_lets_it_go() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = Program::new();
    let papers = papers(&program);
    let server = Server::start(&program, &[]);
    page.visit(&format!("{}/library", server.url));
    choose(&mut page, &papers);
    page.wait_until("document.querySelectorAll('.brought [data-place]').length === 3");
    page.follow("document.querySelector('form.ask button.main').click()");
    assert!(page.text("main").contains("3 documents"), "{}", page.text("main"));
    page.picture("library");
    ask(&mut page, &server);
    page.visit(&format!("{}/library?q=first+dance", server.url));
    page.follow("document.querySelector('#h-found + ul a').click()");
    page.picture("document");
    let main = page.text("main");
    assert!(main.contains("Cited by"), "{main}");
    assert_ne!(page.eval("document.querySelectorAll('.text mark').length"), json!(0));
    let home = program.home.path().to_str().unwrap();
    assert!(!main.contains(home), "no path of the server is shown");
    page.follow("document.querySelector('form[action$=remove] button').click()");
    assert!(page.text("main").contains("2 documents"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn runs_are_starred_tagged_found_exported_and_compared() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    page.eval("document.querySelector('#tags').value = 'Wedding, town'");
    page.follow("document.querySelector('#tags').form.querySelector('button').click()");
    // The same question again, now; what changed is one click away.
    page.follow(
        "document.querySelector('input[value=again]').form.querySelector('button').click()",
    );
    page.wait_until("document.querySelector('#h-summary') !== null");
    page.follow("document.querySelector('.kin a[href^=\"/compare\"]').click()");
    page.picture("compare");
    assert!(page.text("main").contains("as before"), "{}", page.text("main"));
    page.visit(&format!("{}/runs", server.url));
    page.follow("document.querySelector('button.star').click()");
    assert_eq!(page.eval("document.querySelectorAll('[aria-pressed=true]').length"), json!(1));
    page.picture("runs");
    page.visit(&format!("{}/runs?tag=wedding&q=SONGS", server.url));
    assert_eq!(page.eval("document.querySelectorAll('#runs tbody tr').length"), json!(1));
    let archive = page.await_value(
        "(() => { const box = document.querySelector('[name=run]'); box.checked = true; \
         const form = document.querySelector('#several'); const data = new URLSearchParams(new FormData(form)); \
         data.append('what', 'export'); \
         return fetch(form.action, { method: 'POST', body: data }).then(answer => answer.arrayBuffer()) \
         .then(bytes => new TextDecoder().decode(bytes.slice(0, 2))); })()",
    );
    assert_eq!(archive, json!("PK"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}
