//! Topics and categories in a real browser: read, corrected, kept; on a phone, in the dark, without script.

use serde_json::json;

use crate::chromium::Page;
use crate::program::Program;
use crate::serve::Server;
use crate::topics::fill;

/// Every page of the newsroom.
pub(crate) const PATHS: [&str; 13] = [
    "/topics",
    "/topics?category=Harbour&since=7d",
    "/topics?since=2030-01-01",
    "/topics/1",
    "/topics/2?category=Harbour",
    "/categories",
    "/categories/1",
    "/news",
    "/news?shelf=unread",
    "/feeds/1",
    "/brief",
    "/watches",
    "/codebook",
];

/// A server over a store with topics, where one coding nearly settles a score.
pub(crate) fn start() -> (Program, Server) {
    let program = Program::new();
    std::fs::write(program.config(), "[ledger]\nalpha = 0.9\n").unwrap();
    fill(&program);
    let server = Server::start(&program, &["--no-workers"]);
    (program, server)
}

#[test]
fn another_article_speaks_after_its_rival_was_coded() {
    let Some(mut page) = Page::start(1280) else { return };
    let (_program, server) = start();
    page.visit(&format!("{}/topics", server.url));
    page.eval("document.querySelector('#category').value = 'Harbour'");
    page.follow("document.querySelector('main form.tools button').click()");
    assert_eq!(page.eval("document.querySelectorAll('.topics li').length"), 1);
    page.follow("document.querySelector('.topics .headline').click()");
    let topic = page.eval("location.href").as_str().unwrap().to_owned();
    assert!(page.text("#why").contains("reuters.com represents it"));
    assert!(page.text(".members .speaks").contains("reuters.com"));
    page.picture("topic");
    page.follow("document.querySelector('.members .speaks .marks a:last-child').click()");
    assert!(page.text("#effect").contains("0.920 → 0.092"));
    page.follow("document.querySelector('#save').click()");
    page.visit(&topic);
    assert!(page.text("#why").contains("gazette.example represents it"));
    assert!(page.text(".members .speaks").contains("gazette.example"));
    page.visit(&format!("{}/topics?category=Harbour", server.url));
    assert!(page.text(".topics li").contains("gazette.example"));
    page.follow("document.querySelector('form[action=\"/topics/consolidate\"] button').click()");
    page.visit(&format!("{}/categories/1", server.url));
    assert!(page.text("#why").contains("is not rated, so it is kept"));
    page.picture("category-kept");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn a_category_is_kept_without_script() {
    let Some(mut page) = Page::start(1000) else { return };
    let (_program, server) = start();
    page.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.visit(&format!("{}/categories", server.url));
    page.eval(
        "document.querySelector('#add').open = true; \
         document.querySelector('#name').value = 'Skies'; \
         document.querySelector('#description').value = 'Aeroplanes and airlines'; \
         document.querySelector('#keywords').value = 'air, airline'",
    );
    page.follow("document.querySelector('#add button.main').click()");
    assert_eq!(page.text("h1"), "Skies");
    page.follow("document.querySelector('form[action=\"/topics/consolidate\"] button').click()");
    assert_eq!(page.text("h1"), "Topics");
    page.visit(&format!("{}/categories/2", server.url));
    assert!(page.text("#decision").contains("scored as usual"));
    page.eval("document.querySelector('#remove').open = true");
    page.follow("document.querySelector('#remove button').click()");
    assert_eq!(page.eval("document.querySelectorAll('.topics li').length"), 1);
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

#[test]
fn the_newsroom_fits_a_phone_and_a_desk_by_day_and_by_night() {
    let (_program, server) = start();
    for width in [390, 1280] {
        let Some(mut page) = Page::start(width) else { return };
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        page.call("Emulation.setDeviceMetricsOverride", size);
        for scheme in ["light", "dark"] {
            let media =
                json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            page.call("Emulation.setEmulatedMedia", media);
            for path in PATHS {
                page.visit(&format!("{}{path}", server.url));
                let name = path.replace(['/', '?', '=', '&'], "-");
                page.picture(&format!("news-{width}-{scheme}{name}"));
                let wide = page.eval("document.documentElement.scrollWidth");
                assert!(wide.as_u64().unwrap() <= u64::from(width), "{path} is {wide} wide");
            }
        }
        assert_eq!(page.alarms(&server.url), Vec::<String>::new());
    }
}
