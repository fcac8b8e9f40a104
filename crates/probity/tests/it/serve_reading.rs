//! Pages as they are read elsewhere: on paper, and in scripts that run from right to left.

use serde_json::{Value, json};

use crate::chromium::Page;
use crate::program::Program;
use crate::serve::{Server, with_library};
use crate::serve_pages::ask;
use crate::serve_topics::start;

/// A document and a feed in Arabic.
fn bring_arabic(program: &Program) {
    let file = program.home.path().join("harbour.md");
    let text = "# ميناء المدينة القديمة\n\nافتتح الميناء عام 1931 وأغلق في الشتاء.\n";
    std::fs::write(&file, text).unwrap();
    program.run(&["library", "add", file.to_str().unwrap()]).ok();
    let feed = "<rss version='2.0'><channel><title>أخبار الميناء</title>\
                <item><title>غرق عبارة قبالة الجزر</title><link>https://www.reuters.com/ar</link>\
                <description>غرقت عبارة قبالة الجزر صباح اليوم.</description></item></channel></rss>";
    let from = program.home.path().join("arabic.xml");
    std::fs::write(&from, feed).unwrap();
    let from = from.to_str().unwrap();
    program.run(&["feeds", "add", "https://news.example/ar", "--from", from]).ok();
}

fn direction(page: &mut Page, selector: &str) -> Value {
    let selector = json!(selector);
    page.eval(&format!("getComputedStyle(document.querySelector({selector})).direction"))
}

#[test]
fn a_text_from_right_to_left_is_set_so_and_the_page_around_it_is_not() {
    let Some(mut page) = Page::start(390) else { return };
    let program = Program::new();
    bring_arabic(&program);
    let server = Server::start(&program, &["--no-workers"]);
    for (path, texts) in [
        ("/library", &[".ticked a bdi"][..]),
        ("/news", &[".articles bdi", ".articles .snippet"][..]),
        ("/feeds", &["#feeds bdi"][..]),
        ("/feeds/1", &[".articles bdi"][..]),
        ("/library?q=الميناء", &["#h-found + ul bdi", "#h-found + ul .snippet"][..]),
    ] {
        page.visit(&format!("{}{path}", server.url));
        for text in texts {
            assert_eq!(direction(&mut page, text), "rtl", "{path}: {text}");
        }
        assert_eq!(direction(&mut page, "main"), "ltr", "{path}");
        let wide = page.eval("document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(wide, json!(true), "{path} is wider than its window");
        page.picture(&format!("rtl{}", path.replace(['/', '?', '='], "-")));
    }
    page.visit(&format!("{}/library", server.url));
    page.follow("document.querySelector('.ticked a').click()");
    for text in ["h1", "p.text"] {
        assert_eq!(direction(&mut page, text), "rtl", "{text}");
    }
    page.picture("rtl-document");
    assert_eq!(page.alarms(&server.url), Vec::<String>::new());
}

/// What is of no use on paper and stands there all the same.
const USELESS: &str = "[...document.querySelectorAll('header.top, footer, nav, button:not(th button), select, input, textarea')] \
    .filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 80))";

#[test]
fn paper_shows_what_is_read_and_nothing_that_is_pressed() {
    let Some(mut page) = Page::start(1000) else { return };
    let (_newsroom, server) = start();
    let paths = ["/topics", "/topics/1", "/brief", "/news", "/feeds", "/feeds/1", "/categories"];
    let more = ["/categories/1", "/watches", "/outlets", "/outlets/reuters.com", "/audit"];
    check_paper(&mut page, paths.iter().chain(&more).map(|path| format!("{}{path}", server.url)));
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    let report = page.eval("location.href").as_str().unwrap().to_owned();
    let library = format!("{}/library", server.url);
    check_paper(&mut page, [report, library].into_iter());
}

fn check_paper(page: &mut Page, addresses: impl Iterator<Item = String>) {
    page.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    for address in addresses {
        page.visit(&address);
        assert_eq!(page.eval(USELESS), json!([]), "{address}");
        assert_eq!(page.eval("document.querySelector('h1').checkVisibility()"), true, "{address}");
        let paper = page.eval("getComputedStyle(document.body).backgroundColor");
        assert_eq!(paper, "rgb(255, 255, 255)", "{address}");
        let path = address.splitn(4, '/').last().unwrap_or_default().replace('/', "-");
        page.picture(&format!("paper-{path}"));
    }
    page.call("Emulation.setEmulatedMedia", json!({ "media": "" }));
}
