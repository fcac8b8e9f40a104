//! A headless Chromium, driven over its debugging pipe: no port, no driver, no network.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A browser that answers nothing for so long is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page in a browser of its own.
pub(crate) struct Page {
    child: Child,
    commands: File,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    session: Option<String>,
    next: u64,
    _home: tempfile::TempDir,
}

impl Page {
    /// Opens a file, or says that no browser can be had; in continuous integration that is a failure.
    pub(crate) fn open(file: &Path, width: u32) -> Option<Self> {
        let mut page = Self::start(width)?;
        page.visit(&format!("file://{}", file.display()));
        Some(page)
    }

    /// Starts a browser with an empty page.
    pub(crate) fn start(width: u32) -> Option<Self> {
        let named = std::env::var("PROBITY_TEST_CHROMIUM").ok();
        let found = named.into_iter().chain(["chromium".to_owned(), "google-chrome".to_owned()]);
        let browser = found.into_iter().find(|name| {
            let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
            version.is_ok_and(|output| output.status.success())
        });
        let Some(browser) = browser else {
            assert!(std::env::var_os("CI").is_none(), "no Chromium is installed");
            eprintln!("skipped: no Chromium is installed; scripts/with-chromium gets one");
            return None;
        };
        let home = tempfile::tempdir().unwrap();
        let (to, from) = (home.path().join("to"), home.path().join("from"));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        let child = Command::new("sh")
            .arg("-c")
            .arg("exec \"$0\" \"$@\" 3<\"$PIPE_TO\" 4>\"$PIPE_FROM\"")
            .arg(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--disable-background-networking", "--no-first-run"])
            .arg(format!("--window-size={width},900"))
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .env("PIPE_TO", &to)
            .env("PIPE_FROM", &from)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Opening waits for the other end, in the order in which the shell opens them.
        let commands = OpenOptions::new().write(true).open(&to).unwrap();
        let answers = File::open(&from).unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if sender.send(value).is_err() {
                    break;
                }
            }
        });
        let mut page = Self {
            child,
            commands,
            messages,
            events: VecDeque::new(),
            session: None,
            next: 0,
            _home: home,
        };
        let target = page.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = page.call("Target.attachToTarget", attach);
        page.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        Some(page)
    }

    /// Goes to an address and waits until it is there.
    pub(crate) fn visit(&mut self, url: &str) {
        let going = self.call("Page.navigate", json!({ "url": url }));
        let loader = going["loaderId"].clone();
        assert!(loader.is_string(), "{url} is a place in the page that is open");
        self.wait_for_load(|loaded| *loaded == loader);
    }

    /// Loads the page again.
    pub(crate) fn reload(&mut self) {
        let before = self.loader();
        self.call("Page.reload", json!({}));
        self.wait_for_load(|loaded| *loaded != before);
    }

    /// Does something that loads another page, and waits until it is there.
    pub(crate) fn follow(&mut self, script: &str) {
        let before = self.loader();
        // The page may be gone before it can answer.
        let _ = self.eval_here(script);
        self.wait_for_load(|loaded| *loaded != before);
    }

    /// What loaded the page that is open. Each page has one of its own, so that the end of an earlier
    /// page's loading is not taken for that of a later one.
    fn loader(&mut self) -> Value {
        self.events.retain(|message| message["method"] != "Page.lifecycleEvent");
        self.call("Page.getFrameTree", json!({}))["frameTree"]["frame"]["loaderId"].clone()
    }

    /// Waits until a page is there with all that belongs to it.
    fn wait_for_load(&mut self, is_it: impl Fn(&Value) -> bool) {
        let is_there = |message: &Value| {
            message["method"] == "Page.lifecycleEvent"
                && message["params"]["name"] == "load"
                && is_it(&message["params"]["loaderId"])
        };
        while !self.events.iter().any(is_there) {
            let message = self.messages.recv_timeout(PATIENCE).expect("the browser went silent");
            self.events.push_back(message);
        }
    }

    /// Waits until an expression in the page is true, also where another page takes its place meanwhile.
    /// A page whose scripts have not run yet is not there yet.
    pub(crate) fn wait_until(&mut self, expression: &str) {
        let start = std::time::Instant::now();
        let there = format!("document.readyState === 'complete' && ({expression})");
        while self.eval_here(&there) != Some(json!(true)) {
            assert!(start.elapsed() < PATIENCE, "{expression} never came true");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Rests the mouse on an element until an expression is true. What is still being laid out may move
    /// away from under the mouse, so that it has to be found again.
    pub(crate) fn hover_until(&mut self, selector: &str, expression: &str) {
        let start = std::time::Instant::now();
        loop {
            self.hover(selector);
            if self.eval(expression) == json!(true) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{expression} never came true over {selector}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Keeps a picture of the whole page among the test's artefacts.
    pub(crate) fn picture(&mut self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
        std::fs::create_dir_all(&folder).unwrap();
        let shot = self.call("Page.captureScreenshot", json!({ "captureBeyondViewport": true }));
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            shot["data"].as_str().unwrap(),
        );
        std::fs::write(folder.join(format!("{name}.png")), bytes.unwrap()).unwrap();
    }

    /// Sends a command and gives its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.messages.recv_timeout(PATIENCE).expect("the browser went silent");
            if answer["id"] == self.next {
                return answer;
            }
            self.events.push_back(answer);
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        self.eval_here(expression).unwrap_or_else(|| panic!("{expression}: the page went away"))
    }

    /// The value of an expression in the page; none if another page took its place before it answered.
    fn eval_here(&mut self, expression: &str) -> Option<Value> {
        const GONE: [&str; 3] = [
            "Inspected target navigated or closed",
            "Execution context was destroyed.",
            "Cannot find default execution context",
        ];
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.answer("Runtime.evaluate", params);
        if let Some(error) = answer["error"]["message"].as_str() {
            assert!(GONE.contains(&error), "{expression}: {error}");
            return None;
        }
        let result = &answer["result"];
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        Some(result["result"]["value"].clone())
    }

    /// The text of an element as it is shown; empty where there is none.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let selector = json!(selector);
        let found = self.eval(&format!("document.querySelector({selector})?.innerText ?? ''"));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// What a promise in the page comes to.
    pub(crate) fn await_value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{result}");
        result["result"]["value"].clone()
    }

    /// Moves the mouse to the middle of an element.
    pub(crate) fn hover(&mut self, selector: &str) {
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        let params = json!({ "type": "mouseMoved", "x": place[0], "y": place[1] });
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// Every dialog that opened, every request to elsewhere, every message on the console.
    pub(crate) fn alarms(&self, own: &str) -> Vec<String> {
        let answers_to = |message: &Value| {
            let params = &message["params"];
            match message["method"].as_str()? {
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str()?;
                    let is_own = url.starts_with(own) || url.starts_with("data:");
                    (!is_own).then(|| format!("request {url}"))
                }
                "Page.javascriptDialogOpening"
                | "Runtime.consoleAPICalled"
                | "Runtime.exceptionThrown"
                | "Log.entryAdded" => Some(params.to_string()),
                _ => None,
            }
        };
        self.events.iter().filter_map(answers_to).collect()
    }

    /// Every request but the one for the page itself, and every message on the console.
    pub(crate) fn noise(&self) -> Vec<String> {
        let answers_to = |message: &Value| {
            let params = &message["params"];
            match message["method"].as_str()? {
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str()?;
                    let own = url.starts_with("file://") && params["type"] == "Document";
                    (!own && !url.starts_with("data:")).then(|| format!("request {url}"))
                }
                "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                    Some(params.to_string())
                }
                _ => None,
            }
        };
        self.events.iter().filter_map(answers_to).collect()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
