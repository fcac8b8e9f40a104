//! Logging in at an OpenID provider of another maker, on loopback (`scripts/with-oidc`).

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::Value;

use crate::chromium::Page;
use crate::program::{Program, tree};
use crate::serve::Server;

const SECRET: &str = "planted-oidc-secret-0123456789";
/// How many redirects a browser follows.
const REDIRECTS: usize = 12;

/// A provider that is stopped with the test.
struct Provider {
    child: Child,
    url: String,
}

impl Provider {
    /// Starts a provider that sends browsers back to a server at this port; none where it is not installed.
    fn start(port: u16) -> Option<Self> {
        let Ok(modules) = std::env::var("PROBITY_TEST_OIDC") else {
            eprintln!(
                "left out: there is no OpenID provider; run the tests through scripts/with-oidc"
            );
            return None;
        };
        let script = tree().join("crates/probity/tests/oidc/provider.mjs");
        let mut command = Command::new("node");
        command
            .arg(script)
            .arg(modules)
            .arg(format!("http://127.0.0.1:{port}/login/oidc/callback"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("http://localhost:"), "{line}");
        Some(Self { child, url: line.trim().to_owned() })
    }

    fn host(&self) -> &str {
        self.url.trim_start_matches("http://")
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
struct Shown {
    url: String,
    status: u16,
    text: String,
}

/// A browser as far as logging in needs one: cookies by host, redirects.
#[derive(Default)]
struct Browser {
    cookies: BTreeMap<(String, String), String>,
    visited: Vec<String>,
}

impl Browser {
    fn get(&mut self, url: &str) -> (Shown, Option<String>) {
        let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
        let cookies = self.cookies.iter().filter(|((of, _), _)| of == host);
        let cookies: Vec<String> =
            cookies.map(|((_, name), value)| format!("{name}={value}")).collect();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAccept: text/html\r\n\
             Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\
             Cookie: {}\r\n\r\n",
            cookies.join("; ")
        )
        .unwrap();
        let mut bytes = Vec::new();
        // A server that closes the connection at once may have it reset after the answer came.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut location = None;
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            match name.to_lowercase().as_str() {
                "location" => location = Some(value.to_owned()),
                "set-cookie" => {
                    let (name, value) = value.split(';').next().unwrap().split_once('=').unwrap();
                    self.cookies.insert((host.to_owned(), name.to_owned()), value.to_owned());
                }
                _ => {}
            }
        }
        self.visited.push(url.to_owned());
        (Shown { url: url.to_owned(), status, text }, location)
    }

    /// Goes to an address and wherever it leads.
    fn visit(&mut self, url: &str) -> Shown {
        let mut url = url.to_owned();
        for _ in 0..REDIRECTS {
            let (shown, location) = self.get(&url);
            let Some(location) = location else { return shown };
            let (host, _) = url.trim_start_matches("http://").split_once('/').unwrap();
            url = match location.starts_with('/') {
                true => format!("http://{host}{location}"),
                false => location,
            };
        }
        panic!("redirected for ever: {:?}", self.visited)
    }
}

/// A server that people log in to at a provider.
fn start(program: &Program, port: u16) -> Server {
    let bind = format!("127.0.0.1:{port}");
    let mut command = program.command(&["serve", "--login", "--no-workers", "--bind", &bind]);
    // Tokens of a real provider are of the real time.
    command.env_remove("PROBITY_NOW").env("PROBITY_OIDC_SECRET", SECRET);
    let log = std::fs::File::create(program.home.path().join("log")).unwrap();
    command.env("PROBITY_LOG", "debug").stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server::of(child, &line)
}

fn configure(program: &Program, provider: &Provider, open: bool) {
    let hosts = if open { format!("\"{}\"", provider.host()) } else { String::new() };
    let config = format!(
        "[fetch]\nallow_hosts = [{hosts}]\n[oidc]\nissuer = \"{}\"\nlabel = \"Port Ellery ID\"\n\
         [oidc.roles]\neditor = [\"newsroom\"]\n",
        provider.url
    );
    std::fs::write(program.config(), config).unwrap();
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What a check of `probity doctor` says.
fn log_in_check(program: &Program, args: &[&str]) -> Value {
    let ran = program.run(&[&["doctor", "--json"], args].concat());
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let checks = report["checks"].as_array().unwrap().clone();
    checks.into_iter().find(|check| check["name"] == "log-in").unwrap_or(Value::Null)
}

#[test]
fn people_log_in_at_a_provider_and_out_again() {
    let port = free_port();
    let Some(provider) = Provider::start(port) else { return };
    let program = Program::new();
    configure(&program, &provider, true);
    let server = start(&program, port);
    let mut browser = Browser::default();
    let login = browser.visit(&format!("{}/library", server.url));
    assert!(login.text.contains("Log in with Port Ellery ID"), "{}", login.text);
    let shown = browser.visit(&format!("{}/login/oidc?to=/library", server.url));
    assert_eq!(shown.status, 200, "{}\n{:?}", shown.text, browser.visited);
    assert!(shown.text.contains("url=/library"), "{}", shown.text);
    let library = browser.visit(&format!("{}/library", server.url));
    assert_eq!((library.status, library.url.ends_with("/library")), (200, true));
    let users = program.run(&["users", "list", "--json"]).json();
    assert_eq!(
        (&users[0]["user"], &users[0]["role"]),
        (&"ada@example.org".into(), &"editor".into())
    );

    // The same answer of the provider a second time, in the same browser.
    let again = browser.visit(&shown.url);
    assert_eq!(again.status, 409, "{}", again.text);

    let left = browser.visit(&format!("{}/login?out=yes", server.url));
    assert!(left.text.contains("/session/end?client_id=probity"), "{}", left.text);

    let mut other = Browser::default();
    other.visit(&format!("{}/become?who=eve", provider.url));
    let refused = other.visit(&format!("{}/login/oidc", server.url));
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert!(refused.text.contains("gives you a role here"), "{}", refused.text);
    let users = program.run(&["users", "list", "--json"]).json();
    assert_eq!(users.as_array().map(Vec::len), Some(1), "{users}");

    let check = log_in_check(&program, &[]);
    assert_eq!((&check["state"], &check["answers"]), (&"ok".into(), &true.into()), "{check}");
    let log = std::fs::read_to_string(program.home.path().join("log")).unwrap();
    let shown = program.run(&["config", "show"]).ok();
    for text in [&log, &shown, &login.text, &library.text, &left.text] {
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[test]
fn in_a_browser_one_click_logs_in_and_one_link_leads_out() {
    let Some(mut page) = Page::start(1000) else { return };
    let port = free_port();
    let Some(provider) = Provider::start(port) else { return };
    let program = Program::new();
    configure(&program, &provider, true);
    let server = start(&program, port);
    page.visit(&format!("{}/library", server.url));
    page.picture("log-in-with-provider");
    page.follow("document.querySelector('#sign-on').click()");
    page.wait_until("location.pathname === '/library' && document.querySelector('h1') !== null");
    assert!(page.text("footer").contains("ada@example.org"), "{}", page.text("footer"));
    page.follow("document.querySelector('footer form button').click()");
    let way_out = page.text("main a[href*='/session/end']");
    assert_eq!(way_out, "Log out at Port Ellery ID too");
    page.visit(&format!("{}/library", server.url));
    assert_eq!(page.eval("location.pathname"), "/login", "the session here has ended");
}

#[test]
fn a_provider_on_a_private_host_is_asked_only_where_it_was_opened() {
    let port = free_port();
    let Some(provider) = Provider::start(port) else { return };
    let program = Program::new();
    configure(&program, &provider, false);
    let server = start(&program, port);
    let refused = Browser::default().visit(&format!("{}/login/oidc", server.url));
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.text.contains("this is not https"), "{}", refused.text);
    assert!(refused.text.contains("name=\"password\""), "passwords work all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_asks_the_provider_unless_it_is_to_stay_offline() {
    let api = FakeApi::start(|_| Answer::status(503)).await;
    let program = Program::new();
    assert_eq!(log_in_check(&program, &["--offline"]), Value::Null, "nobody logs in elsewhere");
    let host = api.url().trim_start_matches("http://").to_owned();
    let config = format!(
        "[search]\nproviders = \"library\"\n[fetch]\nallow_hosts = [\"{host}\"]\n[oidc]\nissuer = \"{}\"\n",
        api.url()
    );
    std::fs::write(program.config(), config).unwrap();
    assert_eq!(log_in_check(&program, &["--offline"])["state"], "ok");
    assert!(api.requests().is_empty(), "nothing was sent");
    let check = log_in_check(&program, &[]);
    assert_eq!((&check["state"], &check["answers"]), (&"failure".into(), &false.into()), "{check}");
    assert!(check["found"].as_str().unwrap().contains("status 503"), "{check}");
    assert_eq!(api.requests().len(), 1);
}

#[test]
fn a_server_that_people_are_sent_back_to_has_an_address() {
    let program = Program::new();
    std::fs::write(program.config(), "[oidc]\nissuer = \"https://id.example\"\n").unwrap();
    program.run(&["serve", "--bind", "0.0.0.0:0"]).fails(2, "--public-url");
    std::fs::write(program.config(), "[oidc]\nscopes = \"email\"\n").unwrap();
    program.run(&["config", "check"]).fails(2, "has to hold `openid`");
    std::fs::write(program.config(), "[oidc]\nclient_secret_file = \"/nowhere/secret\"\n").unwrap();
    program.run(&["config", "check"]).fails(2, "client_secret_file");
}
