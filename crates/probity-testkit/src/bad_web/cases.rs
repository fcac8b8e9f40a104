//! A whole site of trouble: each path misbehaves in its own way and deserves its own outcome.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Asked, Reply, bombs, walls};

/// A path and the outcome that an honest fetcher gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The path.
    pub path: &'static str,
    /// The outcome, as written in JSON.
    pub outcome: &'static str,
}

const fn case(path: &'static str, outcome: &'static str) -> Case {
    Case { path, outcome }
}

/// Every case that needs no more than this server and its own host allowed.
pub const CASES: &[Case] = &[
    case("/good", "read"),
    // Time.
    case("/slow/head", "timeout"),
    case("/slow/body", "timeout"),
    case("/slow/drip", "timeout"),
    case("/slow/drip-headers", "timeout"),
    // Size.
    case("/endless/chunks", "too-large"),
    case("/endless/plain", "too-large"),
    case("/endless/claimed", "too-large"),
    case("/bomb/gzip", "too-large"),
    case("/bomb/deflate", "too-large"),
    case("/bomb/raw-deflate", "too-large"),
    case("/bomb/br", "too-large"),
    case("/bomb/nested", "too-large"),
    case("/bomb/hollow", "too-large"),
    case("/bomb/deep", "failed"),
    // Compression.
    case("/packed/gzip", "read"),
    case("/packed/deflate", "read"),
    case("/packed/raw-deflate", "read"),
    case("/packed/br", "read"),
    case("/packed/twice", "read"),
    case("/packed/members", "read"),
    case("/packed/padded", "read"),
    case("/packed/lie", "failed"),
    case("/packed/cut", "failed"),
    case("/packed/unasked", "failed"),
    // Redirects.
    case("/to/good", "read"),
    case("/to/relative", "read"),
    case("/to/refresh", "read"),
    case("/chain/5", "read"),
    case("/chain/6", "failed"),
    case("/circle/a", "failed"),
    case("/circle/self", "failed"),
    case("/to/nowhere", "failed"),
    case("/to/file", "blocked-by-address"),
    case("/to/script", "blocked-by-address"),
    case("/to/ftp", "blocked-by-address"),
    case("/to/gopher", "blocked-by-address"),
    // Types.
    case("/type/png-as-html", "wrong-type"),
    case("/type/png", "wrong-type"),
    case("/type/video-endless", "wrong-type"),
    case("/type/zip-as-html", "wrong-type"),
    case("/type/html-as-png", "read"),
    case("/type/html-as-octets", "read"),
    case("/type/none", "read"),
    case("/type/plain", "read"),
    // Charsets.
    case("/charset/header", "read"),
    case("/charset/meta", "read"),
    case("/charset/mark", "read"),
    case("/charset/lie", "read"),
    case("/charset/unknown", "read"),
    // Statuses.
    case("/status/204", "empty"),
    case("/status/401", "paywall-stub"),
    case("/status/402", "paywall-stub"),
    case("/status/403", "failed"),
    case("/status/404", "not-found"),
    case("/status/410", "gone"),
    case("/status/418", "failed"),
    case("/status/451", "failed"),
    case("/status/500", "failed"),
    case("/status/503", "failed"),
    case("/flap/502", "read"),
    case("/flap/503", "read"),
    case("/flap/504", "read"),
    case("/flap/429", "read"),
    // Broken connections and bytes.
    case("/broken/reset", "failed"),
    case("/broken/reset-once", "read"),
    case("/broken/cut", "failed"),
    case("/broken/cut-once", "read"),
    case("/broken/chunk", "failed"),
    case("/broken/silent", "failed"),
    case("/broken/status-line", "failed"),
    case("/broken/http09", "failed"),
    case("/broken/header", "failed"),
    case("/broken/huge-header", "failed"),
    case("/broken/many-headers", "failed"),
    case("/broken/lengths", "failed"),
    // Nothing to read.
    case("/empty/body", "empty"),
    case("/empty/page", "empty"),
    case("/empty/app", "shell"),
    // Walls, with status 200 unless the path says otherwise.
    case("/wall/cloudflare", "bot-wall"),
    case("/wall/cloudflare-403", "bot-wall"),
    case("/wall/datadome-403", "bot-wall"),
    case("/wall/human", "bot-wall"),
    case("/wall/captcha", "bot-wall"),
    case("/wall/mitigated", "bot-wall"),
    case("/wall/consent", "consent-wall"),
    case("/wall/paywall", "paywall-stub"),
    case("/wall/subscribers", "paywall-stub"),
    case("/wall/login", "paywall-stub"),
    case("/wall/missing", "not-found"),
    // What only looks like a wall.
    case("/real/captchas", "read"),
    case("/real/paywalls", "read"),
    case("/real/not-found", "read"),
    case("/real/short", "read"),
    case("/real/cookie-banner", "read"),
];

/// Redirects of these paths lead to private addresses: `/private/0` to the first, and so on.
pub const PRIVATE: &[&str] = &[
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://example.org@127.0.0.1/",
    "http://example.org:80@127.0.0.1/",
    "http://127.0.0.1#@example.org/",
    "http://127.0.0.1\\@example.org/",
    "http:\\\\127.0.0.1/",
    "//127.0.0.1/",
    "http:///127.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://\u{ff11}27.0.0.1/",
    "http://127\u{3002}0\u{3002}0\u{3002}1/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1/",
    "http://127.0.0.1:1/",
    "http://localhost/",
    "http://localhost./",
    "http://sub.localhost/",
];

/// A page with a text of its own.
pub const GOOD: &str = include_str!("pages/good.html");

/// Answers for every path of [`CASES`] and [`PRIVATE`]; robots.txt is not there.
pub fn answer(asked: &Asked) -> Reply {
    let (_, rest) = asked.page().split_once('/').unwrap_or_default();
    let (folder, name) = rest.split_once('/').unwrap_or((rest, ""));
    match folder {
        "good" => Reply::html(GOOD),
        "slow" => slow(name),
        "endless" => endless(name),
        "bomb" => bomb(name),
        "packed" => packed(name),
        "to" => to(name, asked),
        "chain" => chain(name),
        "circle" => Reply::redirect(302, circle(name)),
        "private" => private(name),
        "type" => typed(name),
        "charset" => charset(name),
        "status" => Reply::status(name.parse().unwrap_or(500)),
        "flap" => flap(name, asked.nth),
        "broken" => broken(name, asked.nth),
        "empty" => empty(name),
        "wall" | "real" => walls::answer(name),
        _ => Reply::status(404),
    }
}

const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const CHUNKED: (&str, &str) = ("transfer-encoding", "chunked");

fn slow(name: &str) -> Reply {
    let pause = Duration::from_millis(5);
    match name {
        "head" => Reply::default().hold(),
        "drip-headers" => Reply::raw("HTTP/1.1 200 OK\r\n").forever("x-a: b\r\n", pause),
        "drip" => Reply::head(200, &[HTML, CHUNKED]).forever("1\r\na\r\n", pause),
        _ => Reply::head(200, &[HTML, ("content-length", "100000")]).send("<p>and then").hold(),
    }
}

fn endless(name: &str) -> Reply {
    let text = "<p>more and more of it</p>".repeat(1_000);
    match name {
        "chunks" => {
            let chunk = format!("{:x}\r\n{text}\r\n", text.len());
            Reply::head(200, &[HTML, CHUNKED]).forever(chunk, Duration::ZERO)
        }
        "plain" => Reply::head(200, &[HTML]).forever(text, Duration::ZERO),
        _ => Reply::head(200, &[HTML, ("content-length", "99999999999")]).send(text).hold(),
    }
}

/// How large a bomb is when unpacked: more than any page may be.
const BOMB_BYTES: u64 = 32 * 1024 * 1024;

fn bomb(name: &str) -> Reply {
    let encoding = match name {
        "deflate" | "raw-deflate" => "deflate",
        "br" => "br",
        "nested" | "hollow" => "gzip, gzip",
        "deep" => "gzip, gzip, gzip, gzip",
        _ => "gzip",
    };
    Reply::with(200, &[HTML, ("content-encoding", encoding)], packed_once(name))
}

/// Packing a bomb takes a while, so each is packed once for all tests of a process.
fn packed_once(name: &str) -> Vec<u8> {
    static PACKED: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut known = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let pack = || match name {
        "deflate" => bombs::deflate(BOMB_BYTES),
        "raw-deflate" => bombs::raw_deflate(BOMB_BYTES),
        "br" => bombs::brotli(BOMB_BYTES),
        "nested" => bombs::nested_gzip(BOMB_BYTES, 2),
        "hollow" => bombs::hollow_gzip(5_000_000),
        "deep" => bombs::nested_gzip(1024, 4),
        _ => bombs::gzip(BOMB_BYTES),
    };
    known.entry(name.to_owned()).or_insert_with(|| pack().unwrap_or_default()).clone()
}

fn packed(name: &str) -> Reply {
    let page = GOOD.as_bytes();
    let (encoding, packed) = match name {
        "gzip" => ("gzip", bombs::pack(page)),
        "deflate" => ("deflate", bombs::pack_deflate(page, true)),
        "raw-deflate" => ("deflate", bombs::pack_deflate(page, false)),
        "br" => ("br", bombs::pack_brotli(page)),
        "twice" => ("gzip, gzip", bombs::pack(page).and_then(|packed| bombs::pack(&packed))),
        "members" => {
            let (one, two) = page.split_at_checked(200).unwrap_or((page, &[]));
            let both = bombs::pack(one).and_then(|one| Ok([one, bombs::pack(two)?].concat()));
            ("gzip", both)
        }
        "padded" => ("gzip", bombs::pack(page).map(|packed| [packed, vec![0; 512]].concat())),
        "cut" => {
            let cut = |packed: Vec<u8>| packed.get(..packed.len() / 2).map(<[u8]>::to_vec);
            ("gzip", bombs::pack(page).map(|packed| cut(packed).unwrap_or_default()))
        }
        "unasked" => ("zstd", Ok(vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0])),
        _ => ("gzip", Ok(page.to_vec())),
    };
    Reply::with(200, &[HTML, ("content-encoding", encoding)], packed.unwrap_or_default())
}

fn to(name: &str, asked: &Asked) -> Reply {
    match name {
        "good" => Reply::redirect(301, &format!("http://{}/good", asked.server)),
        "relative" => Reply::redirect(307, "../good?x#part"),
        "refresh" => Reply::html(r#"<meta http-equiv="refresh" content="0; url=/good">"#),
        "file" => Reply::redirect(302, "file:///etc/passwd"),
        "script" => Reply::redirect(302, "javascript:alert(1)"),
        "ftp" => Reply::redirect(302, "ftp://127.0.0.1/"),
        "gopher" => Reply::redirect(302, "gopher://127.0.0.1:6379/_FLUSHALL"),
        _ => Reply::with(302, &[], ""),
    }
}

/// As many redirects as the path says.
fn chain(name: &str) -> Reply {
    match name.parse::<usize>() {
        Ok(left @ 1..) => Reply::redirect(302, &format!("/chain/{}", left - 1)),
        _ => Reply::html(GOOD),
    }
}

fn circle(name: &str) -> &'static str {
    match name {
        "a" => "/circle/b",
        "b" => "/circle/a",
        _ => "/circle/self",
    }
}

fn private(name: &str) -> Reply {
    let target = name.parse::<usize>().ok().and_then(|nth| PRIVATE.get(nth));
    target.map_or_else(|| Reply::status(404), |target| Reply::redirect(302, target))
}

fn typed(name: &str) -> Reply {
    let png =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89".to_vec();
    let zip = [b"PK\x03\x04\x14\0\0\0\0\0".to_vec(), vec![7; 2_000]].concat();
    let kind = |kind: &'static str| [("content-type", kind)];
    match name {
        "png-as-html" => Reply::with(200, &[HTML], [png, vec![0; 2_000]].concat()),
        "png" => Reply::with(200, &kind("image/png"), png),
        "video-endless" => {
            let head = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom".to_vec();
            Reply::head(200, &kind("video/mp4")).send(head).forever(vec![0; 4096], Duration::ZERO)
        }
        "zip-as-html" => Reply::with(200, &[HTML], zip),
        "html-as-png" => Reply::with(200, &kind("image/png"), GOOD),
        "html-as-octets" => Reply::with(200, &kind("application/octet-stream"), GOOD),
        "none" => Reply::with(200, &[], GOOD),
        _ => Reply::text("Just a line of plain text about the tides of the northern harbour."),
    }
}

/// What every page under `/charset` says, however its bytes are spelt.
pub const ACCENTED: &str =
    "Die Größe der Münze überraschte den Händler, für den Käse wäre sie zu groß.";

/// The same page in several encodings, announced in several ways, some of them wrong.
fn charset(name: &str) -> Reply {
    let page = |meta: &str| {
        format!(
            "<!doctype html><html lang=de><head>{meta}<title>Die Münze</title></head>\
                 <body><article><h1>Die Münze</h1><p>{ACCENTED}</p><p>{ACCENTED}</p></article></body></html>"
        )
    };
    // Every letter used here has the same number in Unicode and in Latin 1.
    let latin = |text: String| -> Vec<u8> { text.chars().map(|c| c as u8).collect() };
    let kind = |kind: &'static str| [("content-type", kind)];
    match name {
        "header" => Reply::with(200, &kind("text/html; charset=iso-8859-1"), latin(page(""))),
        "meta" => {
            let declared = page("<meta charset=\"windows-1252\">");
            Reply::with(200, &kind("text/html"), latin(declared))
        }
        "mark" => {
            let units = std::iter::once(0xfeff).chain(page("").encode_utf16().collect::<Vec<_>>());
            Reply::with(
                200,
                &kind("text/html"),
                units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
            )
        }
        "lie" => Reply::with(200, &kind("text/html; charset=utf-8"), latin(page(""))),
        _ => Reply::with(200, &kind("text/html; charset=klingon"), page("")),
    }
}

/// Twice busy, then fine.
fn flap(name: &str, nth: usize) -> Reply {
    match (nth, name) {
        (2.., _) => Reply::html(GOOD),
        (_, "429") => Reply::with(429, &[("retry-after", "0")], "slow down"),
        _ => Reply::status(name.parse().unwrap_or(503)),
    }
}

fn broken(name: &str, nth: usize) -> Reply {
    let cut = || Reply::head(200, &[HTML, ("content-length", "5000")]).send("<p>half a pa").close();
    match (name, nth) {
        ("reset-once" | "cut-once", 1..) => Reply::html(GOOD),
        ("reset" | "reset-once", _) => Reply::default().reset(),
        ("cut" | "cut-once", _) => cut(),
        ("chunk", _) => Reply::head(200, &[HTML, CHUNKED]).send("zzz\r\nnot a number\r\n").close(),
        ("status-line", _) => Reply::raw("HELLO THERE\r\n\r\n<p>hi").close(),
        ("http09", _) => Reply::raw("<html><p>no head at all</p></html>").close(),
        ("header", _) => Reply::raw("HTTP/1.1 200 OK\r\nno colon here\0\x07\r\n\r\n<p>hi").close(),
        ("huge-header", _) => Reply::with(200, &[HTML, ("x-big", &"b".repeat(200_000))], GOOD),
        ("many-headers", _) => {
            let many: Vec<(String, String)> =
                (0..500).map(|nth| (format!("x-{nth}"), "v".to_owned())).collect();
            let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (&**a, &**b)).collect();
            Reply::with(200, &many, GOOD)
        }
        ("lengths", _) => {
            Reply::head(200, &[HTML, ("content-length", "5"), ("content-length", "7")])
                .send("<p>hi")
                .close()
        }
        _ => Reply::default().close(),
    }
}

fn empty(name: &str) -> Reply {
    Reply::html(match name {
        "body" => "",
        "app" => include_str!("pages/app.html"),
        _ => "<!doctype html><title></title><body><div></div><script>let x = 1;</script></body>",
    })
}
