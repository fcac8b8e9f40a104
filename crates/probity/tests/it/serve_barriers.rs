//! No page keeps anyone out: axe over all of them, by day and by night.

use serde_json::json;

use crate::chromium::Page;
use crate::program::{Program, tree};
use crate::serve::{Server, with_library};
use crate::serve_pages::ask;
use crate::serve_topics::PATHS as NEWSROOM;
use crate::serve_widths::PATHS;
use crate::topics::fill;

/// What finds barriers, where it can be had.
fn axe() -> Option<String> {
    let Some(axe) = std::env::var_os("PROBITY_TEST_AXE") else {
        eprintln!("skipped: axe-core is not there; scripts/with-axe gets it");
        return None;
    };
    Some(std::fs::read_to_string(axe).unwrap())
}

/// The serious barriers of the page that is open.
fn barriers(page: &mut Page, axe: &str) -> Vec<String> {
    page.eval("document.querySelectorAll('details').forEach(one => { one.open = true; })");
    page.eval(&format!("{axe}; true"));
    let run = "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }) \
               .then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact)) \
               .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).slice(0, 3).join(' | ')))";
    serde_json::from_value(page.await_value(run)).unwrap()
}

/// By day and by night, what is found on each of these addresses.
fn look(page: &mut Page, axe: &str, addresses: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for scheme in ["light", "dark"] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        page.call("Emulation.setEmulatedMedia", media);
        for address in addresses {
            page.visit(address);
            let here = barriers(page, axe);
            found.extend(here.into_iter().map(|barrier| format!("{scheme} {address}: {barrier}")));
        }
    }
    found
}

#[test]
fn no_page_has_a_serious_barrier() {
    let Some(mut page) = Page::start(1000) else { return };
    let Some(axe) = axe() else { return };
    let program = with_library();
    let coding = ["outlets", "code", "wired.com", "--code", "source-unreliable", "--by", "Ada"];
    program.run(&coding).ok();
    collect(&program);
    fill(&program);
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    let report = page.eval("location.href").as_str().unwrap().to_owned();
    page.visit(&format!("{}/library", server.url));
    let document = page.eval("document.querySelector('.ticked a').href");
    let paths = PATHS.iter().chain(&NEWSROOM).chain(&["/example", "/library?collection=1"]);
    let mut addresses: Vec<String> = paths.map(|path| format!("{}{path}", server.url)).collect();
    addresses.extend([report, document.as_str().unwrap().to_owned()]);
    let found = look(&mut page, &axe, &addresses);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Puts some documents of the example library into a collection.
fn collect(program: &Program) {
    let weddings = tree().join("examples/library/weddings");
    let put = ["library", "collections", "put", "Weddings", weddings.to_str().unwrap()];
    program.run(&put).ok();
}

#[test]
fn what_is_shared_has_no_serious_barrier() {
    let Some(mut page) = Page::start(1000) else { return };
    let Some(axe) = axe() else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    page.eval("document.querySelector('#days').closest('details').open = true");
    page.follow("document.querySelector('#days').form.querySelector('button').click()");
    let link = page.eval("document.querySelector('input.link').value");
    let link = link.as_str().unwrap().to_owned();
    let found = look(&mut page, &axe, &[format!("{link}/source/1"), link]);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn forms_that_were_filled_in_have_no_serious_barrier() {
    let Some(mut page) = Page::start(1000) else { return };
    let Some(axe) = axe() else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    crate::serve_plan::ask(&mut page, &server);
    page.follow("document.querySelector('[value=add]').click()");
    let mut found = barriers(&mut page, &axe);
    page.visit(&format!("{}/outlets/import", server.url));
    page.eval("document.querySelector('#list').value = 'wired.com,0.2\\nft.com,much'");
    page.eval("document.querySelector('#provenance').value = 'Survey'");
    page.follow("document.querySelector('button.main').click()");
    assert!(page.text("#effect").contains("cannot be read"));
    found.extend(barriers(&mut page, &axe));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
