//! Memory stays bounded whatever comes, and no proxy is used whatever the environment says.

use futures::StreamExt;
use probity_testkit::bad_web::cases::{self, CASES};

use super::{fetcher, get, web};

/// The most memory the process may ever have had, server and bombs included.
const MEMORY_BYTES: u64 = 300 * 1024 * 1024;
/// How many hostile pages are fetched at once.
const AT_ONCE: usize = 32;

/// The test below in a process of its own, so that its memory is its own, and with a proxy set
/// that would fail every request.
#[test]
fn hostile_pages_by_the_dozen_stay_within_memory() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "fetch::memory::hostile_pages_alone", "--ignored", "--nocapture"])
        .envs(
            ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]
                .map(|name| (name, "http://127.0.0.1:9")),
        )
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&status.stdout);
    assert!(status.status.success(), "{output}{}", String::from_utf8_lossy(&status.stderr));
    assert!(output.contains("1 passed"), "{output}");
}

#[tokio::test]
#[ignore = "run by the test above, in a process of its own"]
async fn hostile_pages_alone() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    let large: Vec<&str> = CASES
        .iter()
        .filter(|case| case.outcome == "too-large")
        .map(|case| case.path)
        .cycle()
        .take(2 * AT_ONCE)
        .collect();
    let outcomes: Vec<&str> = futures::stream::iter(&large)
        .map(|path| async { get(&fetcher, &web.url(path)).await.outcome.as_str() })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    assert!(outcomes.iter().all(|outcome| *outcome == "too-large"), "{outcomes:?}");
    assert!(get(&fetcher, &web.url("/good")).await.outcome.is_read());
    let peak = peak_memory();
    println!("peak memory: {} MB", peak / 1024 / 1024);
    assert!(peak < MEMORY_BYTES, "{peak} bytes");
}

/// The most memory this process has had resident.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}
