//! Collections of the library and lists of ratings in a real browser, by mouse and without script.

use serde_json::json;

use crate::chromium::Page;
use crate::serve::{Server, with_library};

const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

#[test]
fn ticked_documents_become_a_collection_that_is_asked_by_itself_without_script() {
    let Some(mut page) = Page::start(390) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&format!("{}/library", server.url));
    page.eval(
        "document.querySelectorAll('.ticked li').forEach(row => { \
         row.querySelector('input').checked = row.innerText.includes('first-dance'); })",
    );
    let ticked = page.eval("document.querySelectorAll('.ticked input:checked').length");
    assert_ne!(ticked, json!(0));
    page.eval("document.querySelector('#new').value = 'Weddings'");
    page.follow("document.querySelector('#collect button').click()");
    assert_eq!(page.text("h1"), "Weddings");
    assert_eq!(page.eval("document.querySelectorAll('.ticked li').length"), ticked);
    page.picture("collection");
    let wide = page.eval("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(wide, json!(true), "the collection is wider than a phone");
    page.follow("document.querySelector('a[href*=\"search=library\"]').click()");
    assert_eq!(page.text("#collection option:checked"), format!("only Weddings ({ticked})"));
    page.eval(&format!("document.querySelector('#question').value = {}", json!(QUESTION)));
    page.follow("document.querySelector('form.ask button.main').click()");
    page.wait_until("document.querySelector('#h-summary, #h-shortfall') !== null");
    let id = page.eval("location.pathname.split('/').pop()");
    let run = program.run(&["export", id.as_str().unwrap(), "--format", "json"]).json();
    let met = run["candidates"].as_array().unwrap().len();
    assert!(met > 0 && met as u64 <= ticked.as_u64().unwrap(), "{met} of {ticked} were met");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_list_of_ratings_comes_from_a_file_is_looked_at_mended_and_imported() {
    let Some(mut page) = Page::start(1000) else { return };
    let program = with_library();
    let server = Server::start(&program, &["--no-workers"]);
    page.visit(&format!("{}/outlets/import", server.url));
    // A file as someone would choose it.
    page.eval(
        "(() => { const list = new DataTransfer(); \
         list.items.add(new File(['domain,score\\nwired.com,0.2\\nft.com,much'], 'survey.csv')); \
         const field = document.querySelector('#file'); field.files = list.files; \
         field.dispatchEvent(new Event('change')); })()",
    );
    page.wait_until("document.querySelector('#list').value.includes('wired.com')");
    assert_eq!(page.eval("document.querySelector('#provenance').value"), "survey.csv");
    page.follow("document.querySelector('button.main').click()");
    assert!(page.text("#bad").contains("line 3"), "{}", page.text("#effect"));
    assert!(page.text("#conflicts").contains("wired.com"));
    assert_eq!(page.eval("document.querySelector('[value=import]')"), json!(null));
    page.picture("ratings");
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.eval("document.querySelector('#list').value = 'wired.com,0.2'");
    page.follow("document.querySelector('button.main').click()");
    page.follow("document.querySelector('[value=import]').click()");
    assert!(page.text("#effect").contains("1 changed"), "{}", page.text("#effect"));
    page.visit(&format!("{}/outlets/wired.com", server.url));
    assert!(page.text("main").contains("from survey.csv"), "{}", page.text("main"));
    page.picture("outlet-rated");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}
