//! One guard for every way out: whatever names an address of the inside, and in whatever spelling, no one goes there.
//!
//! Beside the one door that is allowed, a trap listens on every address of this machine. Each command that reaches
//! out is led to it, and a connection that arrives fails the test.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::process::Command;

use probity_testkit::bad_web::{Asked, BadWeb, Reply};

use crate::program::{Program, Ran};

/// Listens on all addresses of both families. Whoever connects waits in its queue, where the test finds them.
struct Trap {
    listeners: Vec<TcpListener>,
    port: u16,
}

impl Trap {
    fn new() -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // Where there is no second family there is nothing to be trapped.
        let other = TcpListener::bind(format!("[::1]:{port}")).ok();
        Self { listeners: [Some(listener), other].into_iter().flatten().collect(), port }
    }

    /// The trap in every spelling, and the addresses at which clouds serve their own machines.
    fn addresses(&self) -> Vec<String> {
        let port = self.port;
        let hosts = [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "127.0.0.1.",
            "0",
            "0.0.0.0",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]",
            "%31%32%37.0.0.1",
            "\u{ff11}27.0.0.1",
            "127\u{3002}0\u{3002}0\u{3002}1",
            "localhost",
            "localhost.",
            "sub.localhost",
            "someone@127.0.0.1",
            "example.org:80@127.0.0.1",
        ];
        let clouds = [
            "http://169.254.169.254/latest/meta-data/",
            "http://168.63.129.16/machine?comp=goalstate",
            "http://100.100.100.200/latest/meta-data/",
            "http://192.0.0.192/latest/",
            "http://[fd00:ec2::254]/latest/meta-data/",
            "http://[fe80::1]/",
            "http://10.0.0.1/",
            "http://192.168.0.1/",
        ];
        let spelled = hosts.iter().map(|host| format!("http://{host}:{port}/inside"));
        spelled.chain(clouds.iter().map(|url| (*url).to_owned())).collect()
    }

    fn assert_empty(&self, way: &str) {
        for listener in &self.listeners {
            listener.set_nonblocking(true).unwrap();
            match listener.accept() {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => panic!("{way}: somebody came: {other:?}"),
            }
        }
    }
}

/// What the door serves: everything on it leads to the trap.
fn serve(addresses: &[String], asked: &Asked) -> Reply {
    let all = |form: &dyn Fn(&String) -> String| addresses.iter().map(form).collect::<String>();
    let escaped = |url: &str| url.replace('&', "&amp;").replace('?', "%3F");
    let (folder, rest) =
        asked.page().trim_start_matches('/').split_once('/').unwrap_or((asked.page(), ""));
    let nth = |text: &str| {
        let place = text.split('/').next().unwrap_or_default();
        place.parse::<usize>().ok().and_then(|place| addresses.get(place))
    };
    match folder {
        "to" => nth(rest).map_or(Reply::status(404), |url| Reply::redirect(302, url)),
        "refresh" => nth(rest).map_or(Reply::status(404), |url| {
            let goes = format!("<meta http-equiv=\"refresh\" content=\"0;url={url}\">");
            Reply::html(format!("<html><head>{goes}</head><body></body></html>"))
        }),
        "/page" => {
            let links = all(&|url| {
                format!(
                    "<link rel=\"canonical\" href=\"{url}\"><link rel=\"icon\" href=\"{url}\"><link rel=\"amphtml\" href=\"{url}\">\
                     <link rel=\"alternate\" type=\"application/rss+xml\" href=\"{url}\"><link rel=\"stylesheet\" href=\"{url}\">"
                )
            });
            let body = all(&|url| {
                format!(
                    "<img src=\"{url}\"><iframe src=\"{url}\"></iframe><script src=\"{url}\"></script><a href=\"{url}\">on</a>"
                )
            });
            let text = "The moorings of Port Ellery cost 38 crowns a night. ".repeat(20);
            Reply::html(format!(
                "<html><head><title>Moorings</title>{links}</head><body><article><p>{text}</p>{body}</article></body></html>"
            ))
        }
        "/feed" => {
            let items = all(&|url| {
                format!(
                    "<item><title>News of {0}</title><link>{0}</link><guid>{0}</guid></item>",
                    escaped(url)
                )
            });
            let items = format!(
                "{items}{}",
                (0..addresses.len())
                    .map(|n| {
                        format!(
                            "<item><title>Story {n}</title><link>http://{}/to/{n}</link></item>",
                            asked.server
                        )
                    })
                    .collect::<String>()
            );
            Reply::with(
                200,
                &[("content-type", "application/rss+xml")],
                format!(
                    "<rss version=\"2.0\"><channel><title>Gazette</title><link>{}</link>{items}</channel></rss>",
                    addresses[0]
                ),
            )
        }
        "/sitemap.xml" => {
            let urls = all(&|url| format!("<url><loc>{}</loc></url>", escaped(url)));
            Reply::with(
                200,
                &[("content-type", "application/xml")],
                format!(
                    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>"
                ),
            )
        }
        "/index.xml" => {
            let maps = all(&|url| format!("<sitemap><loc>{}</loc></sitemap>", escaped(url)));
            Reply::with(
                200,
                &[("content-type", "application/xml")],
                format!(
                    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{maps}</sitemapindex>"
                ),
            )
        }
        _ => Reply::status(404),
    }
}

async fn run(mut command: Command) -> Ran {
    tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_out_leads_to_the_inside() {
    let trap = Trap::new();
    let addresses = trap.addresses();
    let known = addresses.clone();
    let door = BadWeb::start(move |asked| serve(&known, asked)).await.unwrap();
    // At another door robots.txt itself leads there.
    let known = addresses.clone();
    let robots = BadWeb::start(move |asked| match asked.page() {
        "/robots.txt" => Reply::redirect(301, &known[0]),
        _ => serve(&known, asked),
    });
    let robots = robots.await.unwrap();
    let program = Program::new();
    let allowed = [door.address().to_string(), robots.address().to_string()];
    std::fs::write(program.config(), format!("[fetch]\nallow_hosts = {allowed:?}\n")).unwrap();
    let home = program.home.path();
    let file = |name: &str, text: String| {
        let path = home.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let redirects = |folder: &str| -> Vec<String> {
        (0..addresses.len()).map(|place| door.url(&format!("/{folder}/{place}"))).collect()
    };
    let named = file(
        "urls",
        [addresses.clone(), redirects("to"), redirects("refresh")].concat().join("\n"),
    );
    let statement = |url: &String| format!("The moorings cost 38 crowns a night ({url}).\n\n");
    let cited = file("text.md", addresses.iter().chain(&redirects("to")).map(statement).collect());
    let outlines: String = addresses
        .iter()
        .map(|url| format!("<outline type=\"rss\" xmlUrl=\"{}\"/>", url.replace('&', "&amp;")))
        .collect();
    let list = file("feeds.opml", format!("<opml version=\"2.0\"><body>{outlines}</body></opml>"));
    let question = "What does a night at the moorings of Port Ellery cost?";

    let door_of = |path: &str| door.url(path);
    let mut ways: Vec<(String, Vec<String>)> = Vec::new();
    let mut way = |name: &str, args: &[&str]| {
        ways.push((name.to_owned(), args.iter().map(|arg| (*arg).to_owned()).collect()));
    };
    way("a page with links of every kind", &["fetch", &door_of("/page")]);
    way("robots.txt that leads on", &["fetch", &robots.url("/page")]);
    way("the feed of a page", &["feeds", "add", &door_of("/page")]);
    way("a feed and its items", &["feeds", "add", &door_of("/feed")]);
    way("a list of feeds", &["feeds", "import", &list]);
    way("polls and what they follow", &["news", "fetch", "--all"]);
    way("a sitemap", &["library", "add", "--sitemap", &door_of("/sitemap.xml")]);
    way("an index of sitemaps", &["library", "add", "--sitemap", &door_of("/index.xml")]);
    way("links of a page in the library", &["library", "add", "--follow-links", &door_of("/page")]);
    way("named pages of a run", &["research", "--urls", &named, "--search", "library", question]);
    way("pages that a text cites", &["check", &cited, "--search", "library"]);
    let added: Vec<&str> =
        ["library", "add"].into_iter().chain(addresses.iter().map(String::as_str)).collect();
    way("addresses in the library", &added);
    for place in [0, 11, 22, 23] {
        way("an address by itself", &["fetch", &addresses[place]]);
        way("a redirect", &["fetch", &door_of(&format!("/to/{place}"))]);
        way("a page that leads on by itself", &["fetch", &door_of(&format!("/refresh/{place}"))]);
        way("a feed by address", &["feeds", "add", &addresses[place]]);
    }
    for (name, args) in &ways {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run(program.command(&args)).await;
        assert!(!ran.stderr().contains("panicked"), "{name}: {}", ran.stderr());
        assert_ne!(ran.code(), 2, "{name} is not called as it should be: {}", ran.stderr());
        trap.assert_empty(name);
    }
    // Nor does a provider that people log in at, or what it says of itself.
    let led = [0, 22, 23].map(|place| door.url(&format!("/to/{place}")));
    // An issuer has no user and no query, and settings that name one are refused at once.
    let is_issuer = |url: &&String| !url.contains(['@', '?']);
    for issuer in addresses.iter().chain(&led).filter(is_issuer) {
        let config = format!(
            "[search]\nproviders = \"library\"\n[fetch]\nallow_hosts = {allowed:?}\n\
             [oidc]\nissuer = \"{issuer}\"\n"
        );
        std::fs::write(program.config(), config).unwrap();
        let ran = run(program.command(&["doctor"])).await;
        assert!(ran.stdout().contains("failure  log-in:"), "{issuer}: {}", ran.stdout());
        trap.assert_empty(&format!("the issuer {issuer}"));
    }
    assert_eq!(robots.count("/robots.txt"), 1);
    assert!(door.requests().len() > addresses.len(), "hardly anybody came to the door");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_format_of_a_report_asks_for_anything() {
    let trap = Trap::new();
    let program = Program::new();
    let folder = program.home.path().join("docs");
    std::fs::create_dir(&folder).unwrap();
    let links: String = trap
        .addresses()
        .iter()
        .map(|url| format!("<img src=\"{url}\"><a href=\"{url}\">more</a> ![x]({url}) "))
        .collect();
    let text = "A night at the visitors' moorings of Port Ellery costs 38 crowns. ".repeat(6);
    std::fs::write(
        folder.join("page.html"),
        format!("<html><title>Moorings</title><p>{text}</p><p>{links}</p>"),
    )
    .unwrap();
    let folder = folder.display().to_string();
    let question = "What does a night at the visitors' moorings of Port Ellery cost?";
    for format in ["md", "html", "pdf", "docx", "json", "bibtex", "ris"] {
        let out = program.home.path().join(format!("report.{format}")).display().to_string();
        let ran = program.run(&[
            "research",
            "--library",
            &folder,
            "--format",
            format,
            "-o",
            &out,
            "--appendix",
            question,
        ]);
        assert!([0, 3].contains(&ran.code()), "{format}: {}", ran.stderr());
        trap.assert_empty(format);
    }
}

/// Dead pages whose captures, papers behind walls whose open copies, and shells whose text are said to be in the trap.
fn refer(addresses: &[String], asked: &Asked) -> Reply {
    let place = asked.page().rsplit('/').next().unwrap_or_default();
    let place = place.trim_start_matches("ferry.").parse::<usize>();
    let Some(there) = place.ok().and_then(|place| addresses.get(place)) else {
        return Reply::status(404);
    };
    let page = asked.page();
    if page.starts_with("/web/") || page.starts_with("/read/") {
        return Reply::redirect(302, there);
    }
    if page.starts_with("/shell/") {
        return Reply::html(SHELL);
    }
    if page.starts_with("/works/") {
        let copy =
            format!("{{\"is_oa\": true, \"pdf_url\": {there:?}, \"landing_page_url\": {there:?}}}");
        let body = format!("{{\"best_oa_location\": {copy}, \"locations\": [{copy}]}}");
        return Reply::with(200, &[("content-type", "application/json")], body);
    }
    Reply::status(if page.starts_with("/doi/") { 402 } else { 404 })
}

/// A page that says nothing without its scripts.
const SHELL: &str = "<html><head><title>Moorings</title></head><body><div id=root></div>\
    <noscript>You need to enable JavaScript to run this app.</noscript><script src=/a.js></script></body></html>";

#[tokio::test(flavor = "multi_thread")]
async fn no_archive_no_index_of_papers_and_no_reader_service_leads_to_the_inside() {
    let trap = Trap::new();
    let addresses = trap.addresses();
    let known = addresses.clone();
    let door = BadWeb::start(move |asked| refer(&known, asked)).await.unwrap();
    let program = Program::new();
    let settings = format!(
        "[fetch]\nallow_hosts = [\"{0}\"]\narchive = \"http://{0}\"\nrender = \"http://{0}/read/\"\ndelay_ms = 0\n[search.openalex]\nurl = \"http://{0}\"\n",
        door.address()
    );
    std::fs::write(program.config(), settings).unwrap();
    let question = "What does a night at the moorings of Port Ellery cost?";
    for (way, path, through) in [
        ("captures of an archive", "/dead/", "/web/"),
        ("open copies of papers", "/doi/full/10.5555/ferry.", "/works/"),
        ("answers of a reader service", "/shell/", "/read/"),
    ] {
        let pages: Vec<String> =
            (0..addresses.len()).map(|place| door.url(&format!("{path}{place}"))).collect();
        let named = program.home.path().join("urls");
        std::fs::write(&named, pages.join("\n")).unwrap();
        let named = named.display().to_string();
        let args = ["research", "--urls", &named, "--search", "library", question];
        let ran = run(program.command(&args)).await;
        assert!([0, 3].contains(&ran.code()), "{way}: {}", ran.stderr());
        let referred =
            door.requests().iter().filter(|asked| asked.page().starts_with(through)).count();
        assert!(referred >= addresses.len() / 2, "{way}: only {referred} were looked up");
        trap.assert_empty(way);
    }
}
