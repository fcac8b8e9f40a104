//! Every page in windows from a small phone to a desk: nothing scrolls sideways, no word is broken.

use serde_json::{Value, json};

use crate::chromium::Page;
use crate::program::Program;
use crate::serve::{Server, with_library};
use crate::serve_pages::{ask, send};
use crate::serve_topics::PATHS as NEWSROOM;
use crate::topics::fill;

/// The widths of windows, in pixels: two phones, a desk of 1280 at 200 %, and where there begins to be room beside a text.
const WIDTHS: [u32; 5] = [320, 390, 640, 1200, 1280];

/// The pages that need nothing but a server with one run.
pub(crate) const PATHS: [&str; 22] = [
    "/",
    "/?search=library",
    "/runs",
    "/outlets",
    "/outlets/wired.com",
    "/outlets/import",
    "/outlets/unheard-of.example",
    "/outlets/wired.com/code?codes=source-unreliable",
    "/audit",
    "/library",
    "/library?q=songs",
    "/methodology",
    "/settings",
    "/settings/keys",
    "/settings/thresholds?credibility=0.7",
    "/settings/alerts",
    "/compare",
    "/reference",
    "/search?q=songs",
    "/feeds",
    "/login",
    "/runs/none",
];

/// The words of tables that stand on more than one line. A letter that is not part of a word or
/// address begins a new one; on a phone an address may be cut, because no line is long enough for it.
const BROKEN: &str = r"(() => {
  const broken = [];
  const desk = innerWidth > 1000;
  for (const cell of document.querySelectorAll('td, th')) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      for (const token of text.data.matchAll(/\S+/g)) {
        const plain = !/[.:\/@_=]/.test(token[0].slice(0, -1));
        if (token[0].length > 24 || (!plain && !desk)) continue;
        const parts = plain ? token[0].matchAll(/[\p{L}\p{N}]+/gu) : [{ 0: token[0], index: 0 }];
        for (const part of parts) {
          const range = document.createRange();
          range.setStart(text, token.index + part.index);
          range.setEnd(text, token.index + part.index + part[0].length);
          const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
          if (lines.size > 1) broken.push(part[0]);
        }
      }
    }
  }
  return broken;
})()";

fn resize(page: &mut Page, width: u32) {
    let size =
        json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
    page.call("Emulation.setDeviceMetricsOverride", size);
}

/// A word that no line has room for, as the title of a feed, of articles and of a category's words.
fn bring_long_words(program: &Program) {
    let long = "Donaudampfschifffahrt".repeat(8);
    let item = |host: &str| {
        format!(
            "<item><title>Harbour {long}</title><link>https://{host}/{long}</link>\
             <description>{long} is in the harbour.</description></item>"
        )
    };
    let feed = format!(
        "<rss version='2.0'><channel><title>{long}</title>{}{}</channel></rss>",
        item("www.reuters.com"),
        item("gazette.example")
    );
    let file = program.home.path().join("long.xml");
    std::fs::write(&file, feed).unwrap();
    let from = file.to_str().unwrap();
    let address = format!("https://long.example/{long}");
    program.run(&["feeds", "add", &address, "--from", from]).ok();
    program.run(&["news", "categories", "add", "Long", &long, "--example", &long]).ok();
    program.run(&["news", "consolidate"]).ok();
    let coding = ["outlets", "code", "wired.com", "--code", "source-unreliable"];
    program.run(&[&coding[..], &["--by", "Ada", "--note", &long]].concat()).ok();
}

#[test]
fn every_page_fits_its_window_and_breaks_no_word_in_a_table() {
    let Some(mut page) = Page::start(1280) else { return };
    let program = with_library();
    fill(&program);
    bring_long_words(&program);
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    let report = page.eval("location.pathname").as_str().unwrap().to_owned();
    let id = report.rsplit('/').next().unwrap();
    page.visit(&format!("{}/library", server.url));
    let document = page.eval("document.querySelector('.lines a, td a').getAttribute('href')");
    let more = [report.clone(), format!("/compare?a={id}&b={id}"), "/topics/3".to_owned()];
    let mut paths: Vec<String> =
        PATHS.iter().chain(&NEWSROOM).map(|path| (*path).to_owned()).collect();
    paths.extend(more);
    paths.push(document.as_str().unwrap().to_owned());
    let mut wrong = Vec::new();
    for width in WIDTHS {
        resize(&mut page, width);
        for path in &paths {
            page.visit(&format!("{}{path}", server.url));
            page.eval("document.querySelectorAll('details').forEach(one => { one.open = true; })");
            page.picture(&format!("width-{width}{}", path.replace(['/', '?', '=', '&'], "-")));
            let wide = page.eval("document.documentElement.scrollWidth");
            if wide.as_u64() > Some(u64::from(width)) {
                wrong.push(format!("{path} is {wide} wide in a window of {width}"));
            }
            match page.eval(BROKEN) {
                Value::Array(words) if words.is_empty() => {}
                words => wrong.push(format!("{path} breaks {words} in a window of {width}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The one alarm is the page of a run that does not exist.
    let alarms = page.alarms(&server.url);
    assert!(alarms.iter().all(|alarm| alarm.contains("404")), "{alarms:?}");
}

#[test]
fn the_evidence_beside_a_text_lies_in_the_window() {
    let Some(mut page) = Page::start(1280) else { return };
    let program = with_library();
    let server = Server::start(&program, &[]);
    ask(&mut page, &server);
    for width in [1200, 1260, 1280, 1366, 1600] {
        resize(&mut page, width);
        page.reload();
        let outside = page.eval(
            "[...document.querySelectorAll('.evidence')].map(e => e.getBoundingClientRect()) \
             .filter(r => r.left < 0 || r.right > document.documentElement.clientWidth - 8 \
             || r.width < 220).map(r => [r.left, r.right])",
        );
        assert_eq!(outside, json!([]), "at {width}");
    }
}

#[test]
fn a_run_under_way_tells_its_time_and_cost_in_every_window() {
    let Some(mut page) = Page::start(1280) else { return };
    let program = with_library();
    let server = Server::start(&program, &["--no-workers"]);
    send(&mut page, &server);
    for width in WIDTHS {
        resize(&mut page, width);
        page.reload();
        page.picture(&format!("width-{width}-live"));
        let wide = page.eval("document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= u64::from(width), "{wide} in a window of {width}");
        let margin = page.eval("document.querySelector('.margin').innerText");
        assert!(margin.as_str().unwrap().contains("not begun · nothing spent"), "{margin}");
    }
}
