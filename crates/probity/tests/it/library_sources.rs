//! What a library is made of besides single files: sites, mail, and folders too large to index
//! twice.

use std::fs;

use probity_testkit::bad_web::{BadWeb, Reply};
use serde_json::Value;

use crate::program::{Program, Ran, runtime};

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout())
        .unwrap_or_else(|_| panic!("{}{}", ran.stdout(), ran.stderr()))
}

fn page(topic: &str) -> String {
    let text =
        format!("<p>The {topic} of the harbour is looked after by three people all year.</p>");
    format!(
        "<html><head><title>{topic}</title></head><body><article>{}</article></body></html>",
        text.repeat(5)
    )
}

#[test]
fn a_site_is_added_by_its_sitemap_and_only_what_changed_is_asked_for_again() {
    let program = Program::new();
    let runtime = runtime();
    let web = runtime
        .block_on(BadWeb::start(move |asked| {
            let host = asked.header("host").unwrap_or_default();
            let list = |inside: String| {
                Reply::with(200, &[("content-type", "application/xml")], inside)
            };
            match asked.page() {
                "/sitemap.xml" => list(format!(
                    "<sitemapindex><sitemap><loc>http://{host}/pages.xml</loc></sitemap>\
                     <sitemap><loc>http://other.example/pages.xml</loc></sitemap></sitemapindex>"
                )),
                "/pages.xml" => list(format!(
                    "<urlset><url><loc>http://{host}/crane</loc></url><url><loc>http://{host}/gone</loc></url>\
                     <url><loc>http://{host}/pier</loc><lastmod>2024-05-06</lastmod></url>\
                     <url><loc>http://other.example/x</loc></url></urlset>"
                )),
                "/pier" => Reply::html(page("pier")),
                "/crane" => Reply::html(page("crane")),
                _ => Reply::status(404),
            }
        }))
        .unwrap();
    let (url, host) = (web.url("/sitemap.xml"), web.address().to_string());
    let add = |more: &[&str]| {
        let given = ["library", "add", &url, "--allow-host", &host, "--json"];
        program.run(&[&given[..], more].concat())
    };
    let first = add(&[]);
    assert_eq!(first.code(), 1, "one page is gone: {}", first.stderr());
    assert!(first.stderr().contains("2 addresses of other hosts; skipped"), "{}", first.stderr());
    let first = json(&first);
    assert_eq!((&first["added"], &first["failed"]), (&Value::from(2), &Value::from(1)), "{first}");
    let second = json(&add(&[]));
    assert_eq!(second["unchanged"], 2);
    assert_eq!((web.count("/pier"), web.count("/crane")), (1, 2), "the pier did not change");
    let few = json(&add(&["--pages", "1", "--again"]));
    assert_eq!(few["pages"].as_array().unwrap().len(), 1);
    assert!(
        few["pages"][0]["url"].as_str().unwrap().ends_with("/pier"),
        "the newest of all that are listed"
    );
    // Without leave nothing is sent to a private address, for the list neither.
    let before = web.requests().len();
    let refused = program.run(&["library", "add", &url]);
    assert_eq!(refused.code(), 1);
    assert!(refused.stderr().contains("cannot be read"), "{}", refused.stderr());
    assert_eq!(web.requests().len(), before);
}

#[test]
fn mail_is_found_by_who_wrote_it_and_what_was_attached() {
    let program = Program::new();
    let folder = program.home.path().join("mail");
    fs::create_dir(&folder).unwrap();
    let message = "From: Ada Quill <ada@a.example>\nSubject: Berths\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe berths are full.\n\
        --b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=fees.csv\n\n\
        Berth,Fee\nNorth,40 crowns\n--b--\n";
    fs::write(folder.join("one.eml"), message).unwrap();
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    let found = json(&program.run(&["library", "search", "fee of the north berth", "--json"]));
    assert_eq!(found["hits"][0]["title"], "Berths");
    let shown = program.run(&["library", "show", found["hits"][0]["id"].as_str().unwrap()]).ok();
    assert!(
        shown.contains("Ada Quill") && shown.contains("Berth: North · Fee: 40 crowns"),
        "{shown}"
    );
}

#[test]
fn the_index_of_a_large_folder_is_kept_unless_nothing_is_to_be() {
    let program = Program::new();
    let folder = program.home.path().join("large");
    fs::create_dir(&folder).unwrap();
    for number in 0..230 {
        let text = format!(
            "# Pier {number}\n\nPier number {number} was built of oak in {}.\n",
            1700 + number
        );
        fs::write(folder.join(format!("{number}.md")), text).unwrap();
    }
    let research = |more: &[&str]| {
        let given = ["research", "When was pier number 17 built?", "--quick", "--library"];
        program.run(&[&given[..], &[folder.to_str().unwrap()], more].concat())
    };
    let indexes = program.home.path().join("data/indexes");
    let first = research(&["--no-save"]);
    assert!(first.stdout().contains("1717"), "{}{}", first.stdout(), first.stderr());
    assert!(!indexes.exists(), "--no-save keeps nothing");
    assert!(research(&[]).stdout().contains("1717"));
    assert_eq!(
        fs::read_dir(&indexes)
            .unwrap()
            .flatten()
            .filter(|e| e.path().extension().is_some_and(|x| x == "db"))
            .count(),
        1
    );
    // What changes is seen in the next run, and a damaged index is made anew.
    fs::write(folder.join("17.md"), "# Pier 17\n\nPier number 17 was built of oak in 1899.\n")
        .unwrap();
    assert!(research(&[]).stdout().contains("1899"));
    for entry in fs::read_dir(&indexes).unwrap().flatten() {
        fs::write(entry.path(), "no index").unwrap();
    }
    assert!(research(&[]).stdout().contains("1899"));
}
