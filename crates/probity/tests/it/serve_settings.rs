//! Keys, thresholds and alerts in a real browser, on a phone and without script.

use serde_json::json;

use crate::chromium::Page;
use crate::serve::{Server, with_library};

fn text(page: &mut Page, selector: &str) -> String {
    let found = page.eval(&format!("document.querySelector('{selector}').innerText"));
    found.as_str().unwrap_or_default().to_owned()
}

fn fill(page: &mut Page, selector: &str, value: &str) {
    page.eval(&format!("document.querySelector('{selector}').value = {}", json!(value)));
}

#[test]
fn thresholds_are_tried_saved_and_taken_back_without_script() {
    let Some(mut page) = Page::start(390) else { return };
    let program = with_library();
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    program.run(&["research", question, "--search", "library", "--quiet"]).ok();
    let server = Server::start(&program, &["--no-workers"]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&format!("{}/settings", server.url));
    page.follow("document.querySelector('a[href=\"/settings/thresholds\"]').click()");
    fill(&mut page, "[name=\"standard.relevance_cutoff\"]", "5");
    page.follow("document.querySelector('main form button.main').click()");
    let shown = text(&mut page, "#what-if");
    assert!(shown.contains("would have been different"), "{shown}");
    let sources = page.eval("document.querySelector('#what-if tbody').textContent");
    assert!(sources.as_str().unwrap().contains("dropped"), "{sources}");
    page.picture("thresholds");
    page.follow("document.querySelector('#what-if form button').click()");
    let now = text(&mut page, "#thresholds");
    assert!(now.contains("this page") && now.contains("3 without it"), "{now}");
    page.follow("document.querySelector('form[action$=\"/reset\"] button').click()");
    assert!(!text(&mut page, "#thresholds").contains("this page"));
    page.visit(&format!("{}/audit", server.url));
    let log = text(&mut page, "main");
    assert!(log.contains("threshold changed from 3 to 5"), "{log}");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_way_to_be_told_is_added_tried_paused_and_removed_without_script() {
    let Some(mut page) = Page::start(390) else { return };
    let program = crate::program::Program::new();
    let server = Server::start(&program, &["--no-workers"]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&format!("{}/settings/alerts", server.url));
    page.eval("document.querySelector('#add-mail').open = true");
    for (name, value) in [
        ("#host", "127.0.0.1"),
        ("#port", "9"),
        ("#mail-secret", "planted-secret"),
        ("#from", "desk@probity.example"),
        ("#to", "ada@example.org"),
    ] {
        fill(&mut page, name, value);
    }
    page.follow("document.querySelector('#add-mail button').click()");
    let listed = text(&mut page, "#ways");
    assert!(listed.contains("ada@example.org by 127.0.0.1"), "{listed}");
    page.follow("document.querySelector('form[action$=\"/test\"] button').click()");
    let said = text(&mut page, ".wrong");
    assert!(said.contains("was not taken"), "a private host that nobody opened: {said}");
    page.picture("alerts");
    page.follow("document.querySelector('form[action$=\"/pause\"] button').click()");
    assert!(text(&mut page, "#ways").contains("paused"));
    page.follow("document.querySelector('form[action$=\"/remove\"] button').click()");
    assert!(text(&mut page, "main").contains("No alert is sent yet"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_key_that_nobody_answers_to_is_kept_only_on_demand_and_not_shown() {
    let Some(mut page) = Page::start(1280) else { return };
    let program = crate::program::Program::new();
    // Port 1 on loopback: nothing listens there.
    let config = "[model]\ndefault = \"compatible:tiny\"\n[model.compatible]\n\
                  base_url = \"http://127.0.0.1:1/v1\"\n";
    std::fs::write(program.config(), config).unwrap();
    let server = Server::start(&program, &["--no-workers"]);
    page.visit(&format!("{}/settings/keys", server.url));
    let set = |page: &mut Page, untested: bool| {
        fill(page, "#key-name", "model.compatible");
        fill(page, "#key", "planted-key-0123456789");
        page.eval(&format!("document.querySelector('[name=untested]').checked = {untested}"));
        page.follow("document.querySelector('main form.edit button.main').click()");
    };
    set(&mut page, false);
    assert!(text(&mut page, ".wrong").contains("the key was not kept"));
    set(&mut page, true);
    let kept = text(&mut page, "#keys");
    assert!(kept.contains("OpenAI's chat API") && kept.contains("this page"), "{kept}");
    assert_eq!(page.eval("document.documentElement.outerHTML.includes('planted-key')"), false);
    page.picture("keys");
    page.follow("document.querySelector('#keys form button').click()");
    assert!(text(&mut page, "main").contains("No key is set yet"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}
