//! A browser shows pages that are shells, and has nothing of the network but what the rules of pages give it.

use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::time::Duration;

use probity_testkit::bad_web::cases::PRIVATE;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::limits::{RENDER_PAGE_CHARS, RENDER_REQUESTS};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher, Renderer};

use super::{get, settings, web};

/// The browser of the tests; none where none is installed, which in continuous integration is a failure.
fn browser() -> Option<String> {
    let named = std::env::var("PROBITY_TEST_CHROMIUM").ok();
    let all = named.into_iter().chain(["chromium".to_owned(), "google-chrome".to_owned()]);
    let found = all.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "no Chromium is installed");
        eprintln!("skipped: no Chromium is installed; scripts/with-chromium gets one");
    }
    found
}

fn rendering(browser: String, open: &[&BadWeb]) -> Fetcher {
    let settings = FetchSettings {
        render: Some(Renderer::Browser(browser)),
        time: Duration::from_secs(60),
        ..settings(open)
    };
    Fetcher::new(settings).unwrap()
}

/// A shell whose script is this.
fn shell(script: &str) -> Reply {
    Reply::html(format!(
        "<!doctype html><html><head><title>The ferry</title></head><body><div id=\"root\"></div>\
         <noscript>You need to enable JavaScript to run this app.</noscript><script>{script}</script></body></html>"
    ))
}

/// Writes a text into the page that is long enough to count as one.
const TELL: &str = "const tell = text => { const p = document.createElement('p'); p.textContent = text; \
     document.getElementById('root').append(p); }; const filler = 'The ferry leaves the inner basin at seven in the \
     morning and takes forty minutes to the island, and the last boat back leaves at nine in the evening. '.repeat(3);";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shell_is_read_after_its_scripts_ran_where_a_browser_is_set() {
    let Some(browser) = browser() else { return };
    let web = web(|asked| match asked.page() {
        "/moved.js" => Reply::redirect(302, "/app.js"),
        "/app.js" => Reply::with(
            200,
            &[("content-type", "text/javascript")],
            format!(
                "{TELL} fetch('/data.json').then(r => r.json()).then(d => tell(filler + d.text));"
            ),
        ),
        "/data.json" => Reply::with(
            200,
            &[("content-type", "application/json")],
            "{\"text\": \"Dogs travel free.\"}",
        ),
        _ => shell("document.write('<script src=/moved.js></' + 'script>')"),
    })
    .await;
    let plain = Fetcher::new(settings(&[&web])).unwrap();
    assert_eq!(get(&plain, &web.url("/ferry")).await.outcome, FetchOutcome::Shell);
    let page = get(&rendering(browser, &[&web]), &web.url("/ferry")).await;
    assert!(page.outcome.is_read(), "{}", page.reason);
    assert_eq!(page.reason, "read after its scripts ran");
    let document = page.document.unwrap();
    assert!(document.text.contains("Dogs travel free."), "{}", document.text);
    assert_eq!(page.final_url.as_str(), web.url("/ferry"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_script_reaches_a_private_address_by_any_way_that_it_has() {
    let Some(browser) = browser() else { return };
    let closed = web(|_| Reply::with(200, &[("access-control-allow-origin", "*")], "secret")).await;
    let port = closed.address().port();
    // Whoever finds ways between two machines asks by datagrams.
    let datagrams = UdpSocket::bind(("127.0.0.1", port)).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let mut targets: Vec<String> = PRIVATE.iter().map(|target| (*target).to_owned()).collect();
    targets.extend([
        closed.url("/direct"),
        format!("http://localhost:{port}/name"),
        format!("http://[::1]:{port}/six"),
        "file:///etc/hostname".to_owned(),
    ]);
    let list = serde_json::to_string(&targets).unwrap();
    let script = format!(
        "{TELL} const all = {list}; let reached = []; \
         const tries = all.concat(all.map(t => '/to?' + encodeURIComponent(t))).map(t => fetch(t).then(r => r.text())\
         .then(x => {{ if (x === 'secret') reached.push(t); }}).catch(() => 0)); \
         for (const tag of ['img', 'iframe', 'script', 'embed', 'video']) {{ const e = document.createElement(tag); \
           e.src = 'http://127.0.0.1:{port}/' + tag; document.body.append(e); }} \
         const css = document.createElement('link'); css.rel = 'stylesheet'; css.href = 'http://127.0.0.1:{port}/css'; document.head.append(css); \
         navigator.sendBeacon('http://127.0.0.1:{port}/beacon', 'x'); \
         fetch('http://127.0.0.1:{port}/post', {{method: 'POST', body: 'x', mode: 'no-cors'}}).catch(() => 0); \
         try {{ new WebSocket('ws://127.0.0.1:{port}/socket'); }} catch (e) {{}} \
         try {{ new EventSource('http://127.0.0.1:{port}/events'); }} catch (e) {{}} \
         try {{ new Worker('http://127.0.0.1:{port}/worker.js'); }} catch (e) {{}} \
         open('http://127.0.0.1:{port}/window'); \
         const from = `http://127.0.0.1:{port}/from-`; \
         const inside = where => `fetch('${{from}}${{where}}', {{mode: 'no-cors'}}).catch(() => 0);`; \
         const blob = (text, type) => URL.createObjectURL(new Blob([text], {{type}})); \
         const code = where => blob(inside(where), 'text/javascript'); \
         const html = where => `<script>${{inside(where)}}</` + `script><img src=${{from}}${{where}}-img>`; \
         const frame = set => {{ const e = document.createElement('iframe'); set(e); document.body.append(e); }}; \
         for (const more of [ \
           () => new Worker(code('worker')), \
           () => new SharedWorker(code('shared-worker')), \
           () => new SharedWorker('/worker.js'), \
           () => navigator.serviceWorker.register('/worker.js').catch(() => 0), \
           () => frame(e => e.srcdoc = html('srcdoc')), \
           () => frame(e => e.src = 'data:text/html,' + encodeURIComponent(html('data'))), \
           () => frame(e => e.src = blob(html('blob'), 'text/html')), \
           () => {{ const t = new WebTransport('https://127.0.0.1:{port}/transport'); \
             t.ready.catch(() => 0); t.closed.catch(() => 0); }}, \
           () => {{ const p = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}, \
             {{urls: 'turn:127.0.0.1:{port}?transport=tcp', username: 'a', credential: 'b'}}]}}); \
             p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }}, \
           () => {{ for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'modulepreload', 'manifest']) {{ \
             const e = document.createElement('link'); e.rel = rel; e.href = from + rel; document.head.append(e); }} }}, \
           () => {{ const e = document.createElement('a'); e.href = from + 'saved'; e.download = 'x'; \
             document.body.append(e); e.click(); }}, \
         ]) {{ try {{ more(); }} catch (e) {{}} }} \
         const wait = new Promise(r => setTimeout(r, 500)); tries.push(wait); \
         Promise.all(tries).then(() => tell(filler + 'Reached: ' + reached.length + '.'));"
    );
    let web = web(move |asked| match asked.page() {
        "/to" => {
            let target = asked
                .query()
                .replace("%3A", ":")
                .replace("%2F", "/")
                .replace("%5B", "[")
                .replace("%5D", "]");
            Reply::redirect(302, &target)
        }
        "/worker.js" => Reply::with(
            200,
            &[("content-type", "text/javascript")],
            format!("fetch('http://127.0.0.1:{port}/from-own-worker', {{mode: 'no-cors'}})"),
        ),
        _ => shell(&script),
    })
    .await;
    let page = get(&rendering(browser, &[&web]), &web.url("/ferry")).await;
    assert!(page.outcome.is_read(), "{}", page.reason);
    let document = page.document.unwrap();
    assert!(document.text.contains("Reached: 0."), "{}", document.text);
    assert!(datagrams.recv(&mut [0; 16]).is_err(), "a datagram arrived");
    let paths: Vec<String> = closed.requests().iter().map(|one| one.page().to_owned()).collect();
    assert_eq!(paths, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_txt_counts_for_what_scripts_ask_and_a_page_cannot_leave_its_site() {
    let Some(browser) = browser() else { return };
    let web = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /closed\n"),
        "/away" => shell("location = 'http://away.example.net/'"),
        "/closed.json" => Reply::text("closed"),
        _ => shell(&format!(
            "{TELL} fetch('/closed.json').then(r => tell(filler + 'Came.')).catch(e => tell(filler + 'Refused.'));"
        )),
    })
    .await;
    let settings = FetchSettings {
        render: Some(Renderer::Browser(browser)),
        robots: true,
        time: Duration::from_secs(60),
        ..settings(&[&web])
    };
    let fetcher = Fetcher::new(settings).unwrap();
    let page = get(&fetcher, &web.url("/ferry")).await;
    assert!(page.document.unwrap().text.contains("Refused."));
    assert_eq!(web.count("/closed.json"), 0);
    assert!(!get(&fetcher, &web.url("/away")).await.outcome.is_read());
}

/// Pages that give a browser no peace, each with what it shows nevertheless.
const RESTLESS: &[(&str, &str)] = &[
    ("/spins", "tell(filler + 'Told.'); setTimeout(() => { for (;;) {} }, 50);"),
    ("/asks-a-person", "alert('x'); confirm('y'); prompt('z'); tell(filler + 'Told.');"),
    (
        "/asks-without-end",
        "tell(filler + 'Told.'); (function on() { fetch('/more').then(on, on); })();",
    ),
    (
        "/asks-at-once",
        "tell(filler + 'Told.'); for (let n = 0; n < 2000; n++) fetch('/more').catch(() => 0);",
    ),
    ("/loads-again", "tell(filler + 'Told.'); setTimeout(() => location.reload(), 50);"),
    ("/leaves", "tell(filler + 'Told.'); location = 'http://127.0.0.1:9/';"),
    ("/leaves-for-a-file", "tell(filler + 'Told.'); location = 'file:///etc/hostname';"),
    ("/grows", "tell(filler + 'Told.'); for (let n = 0; n < 200; n++) tell('x '.repeat(20000));"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_never_come_to_rest_are_read_as_they_are_and_within_limits() {
    let Some(browser) = browser() else { return };
    let web = web(|asked| {
        let script = RESTLESS.iter().find(|(path, _)| *path == asked.page());
        match script {
            Some((_, script)) => shell(&format!("{TELL} {script}")),
            None => Reply::text("more"),
        }
    })
    .await;
    let fetcher = rendering(browser, &[&web]);
    for (path, _) in RESTLESS {
        let page = get(&fetcher, &web.url(path)).await;
        assert!(page.outcome.is_read(), "{path}: {}", page.reason);
        let text = page.document.unwrap().text;
        assert!(text.contains("Told."), "{path}: {text}");
        assert!(text.len() <= RENDER_PAGE_CHARS, "{path}");
    }
    assert!(web.count("/more") <= 2 * RENDER_REQUESTS, "{}", web.count("/more"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_takes_all_memory_ends_its_browser_and_not_the_program() {
    let Some(browser) = browser() else { return };
    let web =
        web(|_| shell("const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));"))
            .await;
    let page = get(&rendering(browser, &[&web]), &web.url("/ferry")).await;
    assert_eq!(page.outcome, FetchOutcome::Shell);
    assert!(page.reason.contains("no browser showed it"), "{}", page.reason);
}

#[tokio::test]
async fn a_program_that_is_no_browser_leaves_the_page_a_shell_and_says_so() {
    let web = web(|_| shell("")).await;
    let folder = tempfile::tempdir().unwrap();
    for (name, does) in [("ends", "exit 1"), ("is-silent", "exec sleep 60"), ("babbles", "yes >&4")]
    {
        let program = folder.path().join(name);
        std::fs::write(&program, format!("#!/bin/sh\n{does}\n")).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&program).status().unwrap().success());
        let settings = FetchSettings {
            render: Some(Renderer::Browser(program.display().to_string())),
            time: Duration::from_secs(5),
            ..settings(&[&web])
        };
        let page = get(&Fetcher::new(settings).unwrap(), &web.url("/ferry")).await;
        assert_eq!(page.outcome, FetchOutcome::Shell, "{name}");
        assert!(page.reason.contains("no browser showed it"), "{name}: {}", page.reason);
    }
}

#[tokio::test]
async fn a_browser_that_is_not_there_leaves_the_page_a_shell_and_says_so() {
    let web = web(|_| shell("")).await;
    let page = get(&rendering("/no/such/browser".to_owned(), &[&web]), &web.url("/ferry")).await;
    assert_eq!(page.outcome, FetchOutcome::Shell);
    assert!(
        page.reason.ends_with("no browser showed it: there is no /no/such/browser"),
        "{}",
        page.reason
    );
}
