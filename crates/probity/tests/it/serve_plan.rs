//! A plan before anything is searched for, in a real browser: changed, approved, dropped; also without script.

use serde_json::json;

use crate::chromium::Page;
use crate::serve::{Server, with_library};

const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

/// Asks with the plan first, and waits until it is there.
pub(crate) fn ask(page: &mut Page, server: &Server) {
    page.visit(&format!("{}/?search=library", server.url));
    page.eval(&format!("document.querySelector('#question').value = {}", json!(QUESTION)));
    page.eval("document.querySelector('[name=plan_first]').checked = true");
    page.follow("document.querySelector('form.ask button.main').click()");
    page.wait_until("document.querySelector('form.plan') !== null");
}

#[test]
fn a_plan_comes_by_itself_is_changed_and_followed() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    page.follow("document.querySelector('[value=add]').click()");
    page.eval("document.querySelector('[name=part]').value = 'Which song is played first?'");
    page.eval("document.querySelector('[name=part_queries]').value = 'first dance song survey'");
    page.picture("plan");
    page.follow("document.querySelector('[value=approve]').click()");
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    let id = page.eval("location.pathname.split('/').pop()");
    let plan = program.run(&["export", id.as_str().unwrap(), "--format", "json"]).ok();
    assert!(plan.contains("first dance song survey"), "the added query was sent");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn without_script_and_on_a_phone_a_plan_is_changed_and_dropped() {
    let Some(mut page) = Page::start(390) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    ask(&mut page, &server);
    for count in [1, 2] {
        page.follow("document.querySelector('[value=add]').click()");
        assert_eq!(page.eval("document.querySelectorAll('[name=part]').length"), json!(count));
    }
    page.eval("document.querySelectorAll('[name=part]')[1].value = 'Who plays?'");
    page.picture("plan-phone");
    page.follow("document.querySelector('[value=remove-0]').click()");
    assert_eq!(page.eval("document.querySelector('[name=part]').value"), "Who plays?");
    let wide = page.eval("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(wide, json!(true), "the plan is wider than a phone");
    page.follow("document.querySelector('[value=drop]').click()");
    assert!(page.text("main").contains("Resume it"), "{}", page.text("main"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}
