//! How many pages a second are read: small ones, a long article in a heavy page, hostile ones.
//!
//! ```text
//! cargo bench -p probity-web --bench extract
//! cargo bench -p probity-web --bench extract -- gold      only the pages with gold text
//! EXTRACT_PAGES=folder cargo bench -p probity-web --bench extract -- folder
//! ```

#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::path::{Path, PathBuf};

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use probity_web::extract::{Input, extract};

fn main() {
    divan::main();
}

fn read(bytes: &[u8]) -> usize {
    let input = Input { bytes, content_type: Some("text/html"), url: None };
    extract(input).map_or(0, |extracted| extracted.document.text.len())
}

fn pages(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn bench_pages(bencher: Bencher<'_, '_>, pages: &[Vec<u8>]) {
    let bytes: usize = pages.iter().map(Vec::len).sum();
    bencher
        .counter(ItemsCount::new(pages.len()))
        .counter(BytesCount::new(bytes))
        .bench(|| pages.iter().map(|page| read(black_box(page))).sum::<usize>());
}

/// The pages of the regression set, a few kilobytes each.
#[divan::bench]
fn gold(bencher: Bencher<'_, '_>) {
    bench_pages(bencher, &pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/extract")));
}

/// A folder of your own, named by EXTRACT_PAGES.
#[divan::bench]
fn folder(bencher: Bencher<'_, '_>) {
    let pages = std::env::var_os("EXTRACT_PAGES").map(|folder| pages(Path::new(&folder)));
    bench_pages(bencher, &pages.unwrap_or_default());
}

/// An article of 1,500 words in a page of 200 kB: menus, scripts, style sheets, teasers.
#[divan::bench]
fn heavy_page(bencher: Bencher<'_, '_>) {
    let menu = "<li class=\"menu-item\"><a href=\"/section/page\">A section of the site</a></li>"
        .repeat(400);
    let script =
        format!("<script>{}</script>", "window.x=function(){return 1<2&&'</div>'};".repeat(1_500));
    let style = format!(
        "<style>{}</style>",
        ".a-class .another{display:block;color:#123456}\n".repeat(600)
    );
    let text = "<p>A paragraph of an article, with a clause and another, as they are written every day.</p>".repeat(100);
    let teaser = "<div class=\"teaser card\"><h3><a href=\"/x\">Another story</a></h3><p>What it is about, in a line.</p></div>".repeat(60);
    let page = format!(
        "<!doctype html><html lang=en><head><title>A story - A site</title>{style}{script}</head><body><nav><ul>{menu}</ul></nav><main><article><h1>A story</h1><div class=\"article-body\">{text}</div></article><section class=\"related\">{teaser}</section></main><footer>{menu}</footer></body></html>"
    );
    bench_pages(bencher, &[page.into_bytes()]);
}

/// Pages that nest, repeat or never close what they open.
#[divan::bench(args = ["<div>", "<table><tr><td>", "<b><a href=x>", "<p>text, ", "<li><ul>"])]
fn hostile(bencher: Bencher<'_, '_>, piece: &str) {
    bench_pages(bencher, &[format!("<body>{}", piece.repeat(100_000)).into_bytes()]);
}
