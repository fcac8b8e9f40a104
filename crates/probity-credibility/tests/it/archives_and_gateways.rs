//! Archives, proxies and mail gateways, which hold the page's address in their own.

use probity_credibility::outlet::Method;

use crate::verdicts::{gives, holds, stands};

#[test]
fn archives_and_proxies_hold_the_page_in_their_path() {
    holds(&[
        (
            "https://web.archive.org/web/20260102030405/https://www.wsj.com/x?a=1&b=2#c",
            "https://www.wsj.com/x?a=1&b=2#c",
        ),
        (
            "https://web.archive.org/web/20260102030405id_/https://www.wsj.com/x",
            "https://www.wsj.com/x",
        ),
        ("https://web.archive.org/web/20260102if_/http://www.wsj.com:80/x", "http://www.wsj.com/x"),
        (
            "https://web.archive.org/web/2026im_/https://www.wsj.com/x.png",
            "https://www.wsj.com/x.png",
        ),
        ("https://web.archive.org/web/2026*/https://www.wsj.com/x", "https://www.wsj.com/x"),
        ("https://web.archive.org/web/*/https://www.wsj.com/x", "https://www.wsj.com/x"),
        ("https://web.archive.org/web/2026/https:/www.wsj.com/x", "https://www.wsj.com/x"),
        ("https://web.archive.org/web/2026/www.wsj.com/x", "http://www.wsj.com/x"),
        ("https://web.archive.org/web/2026/https%3A%2F%2Fwww.wsj.com%2Fx", "https://www.wsj.com/x"),
        ("https://web.archive.org/web/https://www.wsj.com/x", "https://www.wsj.com/x"),
        ("https://web.archive.org/save/https://www.wsj.com/x", "https://www.wsj.com/x"),
        (
            "https://web.archive.org/web/2026/https://web.archive.org/web/2025/https://www.wsj.com/x",
            "https://www.wsj.com/x",
        ),
        ("https://archive.ph/2026.01.02-030405/https://www.ft.com/x", "https://www.ft.com/x"),
        ("https://archive.is/20260102030405/https://www.ft.com/x?a=1", "https://www.ft.com/x?a=1"),
        ("https://archive.today/newest/https://www.ft.com/x", "https://www.ft.com/x"),
        ("https://archive.ph/o/AbCdE/https://www.ft.com/x", "https://www.ft.com/x"),
        ("https://archive.ph/https://www.ft.com/x", "https://www.ft.com/x"),
        ("https://12ft.io/https://www.ft.com/x?a=1", "https://www.ft.com/x?a=1"),
        ("https://12ft.io/www.ft.com/x", "https://www.ft.com/x"),
        ("https://12ft.io/proxy?q=https%3A%2F%2Fwww.ft.com%2Fx", "https://www.ft.com/x"),
        ("https://r.jina.ai/https://www.ft.com/x", "https://www.ft.com/x"),
        ("https://r.jina.ai/https%3A%2F%2Fwww.ft.com%2Fx", "https://www.ft.com/x"),
        (
            "https://www-ft-com.translate.goog/x?a=1&_x_tr_sl=en&_x_tr_tl=de#p",
            "https://www.ft.com/x?a=1#p",
        ),
        (
            "https://my--paper-example-co-uk.translate.goog/?_x_tr_sl=en",
            "https://my-paper.example.co.uk/",
        ),
        ("https://www-ft-com.translate.goog/x?_x_tr_sch=http&_x_tr_sl=en", "http://www.ft.com/x"),
        ("https://1-cn--sec-com.translate.goog/x?_x_tr_enc=1", "https://cn-sec.com/x"),
        ("https://0-a-com.translate.goog/x", "https://0.a.com/x"),
        ("https://part-com.translate.goog/x?_x_tr_hp=www-first--", "https://www.first-part.com/x"),
        ("https://0-mnchen--3ya-de.translate.goog/x?_x_tr_enc=0", "https://xn--mnchen-3ya.de/x"),
    ]);
    gives(
        Method::Network,
        &[
            ("https://archive.ph/AbCdE", None),
            ("https://archive.is/AbCdE", None),
            ("https://perma.cc/ABCD-1234", None),
        ],
    );
    gives(
        Method::Reject,
        &[
            ("https://web.archive.org/web/2026/http://127.0.0.1/x", None),
            ("https://web.archive.org/web/2026/ftp://a.example/x", None),
            ("https://web.archive.org/web/2026/", None),
            ("https://12ft.io/http://localhost/x", None),
            ("https://12ft.io/javascript:alert(1)", None),
            ("https://evil-example.translate.goog/?_x_tr_hp=www-reuters-com%2F", None),
            ("https://localhost.translate.goog/x", None),
        ],
    );
    stands(&[
        ("https://archive.org/details/x", "archive.org"),
        ("https://web.archive.org.evil.example/web/2026/https://www.wsj.com/x", "evil.example"),
    ]);
}

#[test]
fn mail_gateways_hold_the_page() {
    holds(&[
        (
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.nature.com%2Fx%3Fa%3D1&data=05%7C",
            "https://www.nature.com/x?a=1",
        ),
        (
            "https://urldefense.com/v3/__https://www.nature.com/x__;!!abc!def$",
            "https://www.nature.com/x",
        ),
        (
            "https://urldefense.com/v3/__https:/www.nature.com/x__;!!abc!def$",
            "https://www.nature.com/x",
        ),
        (
            "https://urldefense.us/v3/__https://www.nature.com/x?a=1&b=2__;!!abc!def$",
            "https://www.nature.com/x?a=1&b=2",
        ),
        (
            "https://urldefense.com/v3/__https://a.example/search?q=a*test__;Kw!-612!Ue6$",
            "https://a.example/search?q=a+test",
        ),
        (
            "https://urldefense.com/v3/__https://a.example/a*20b*20c__;JSU!!x!y$",
            "https://a.example/a%20b%20c",
        ),
        // Four characters in a row, written as a run: `%%%%`.
        (
            "https://urldefense.com/v3/__https://a.example/?q=**Cx__;JSUlJQ!!x!y$",
            "https://a.example/?q=%%%%x",
        ),
        ("https://urldefense.com/v3/__https://a.example/*top__;Iw!!x!y$", "https://a.example/#top"),
        (
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__www.nature.com_x-3Fa-3D1&d=Dw",
            "https://www.nature.com/x?a=1",
        ),
        (
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__a.example_-3Fa-3D1-26amp-3Bb-3D2&d=Dw",
            "https://a.example/?a=1&b=2",
        ),
        (
            "https://urldefense.proofpoint.com/v1/url?u=https%3A%2F%2Fwww.nature.com%2Fx&k=1",
            "https://www.nature.com/x",
        ),
        (
            "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fwww.nature.com%2fx&c=E",
            "https://www.nature.com/x",
        ),
        (
            "https://secure-web.cisco.com/1AbC/https%3A%2F%2Fwww.nature.com%2Fx",
            "https://www.nature.com/x",
        ),
    ]);
    gives(
        Method::Reject,
        &[
            ("https://eur01.safelinks.protection.outlook.com/?data=05", None),
            ("https://urldefense.com/v3/__https://www.nature.com/x", None),
            ("https://urldefense.com/v3/__http://10.0.0.1/x__;!!a!b$", None),
            ("https://urldefense.com/", None),
        ],
    );
    gives(Method::Network, &[("https://protect-eu.mimecast.com/s/abc?domain=nature.com", None)]);
    stands(&[("https://outlook.com/?url=https://a.example/", "outlook.com")]);
}
