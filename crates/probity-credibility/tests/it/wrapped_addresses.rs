//! Search engines, AMP, social networks, shorteners and aggregators: what their addresses give, and
//! what only looks like one.

use probity_credibility::outlet::Method;

use crate::verdicts::{gives, holds, resolve, stands};

#[test]
fn search_engines_name_the_page_in_their_clicks() {
    holds(&[
        ("https://www.google.com/url?q=https://www.nature.com/x&sa=U", "https://www.nature.com/x"),
        ("https://google.com/url?url=https%3A%2F%2Fwww.nature.com%2Fx", "https://www.nature.com/x"),
        (
            "https://www.google.com/url?q=&url=https%3A%2F%2Fwww.nature.com%2Fx",
            "https://www.nature.com/x",
        ),
        (
            "HTTPS://WWW.GOOGLE.CO.UK/url?q=https%3A%2F%2Fwww.nature.com%2Fx",
            "https://www.nature.com/x",
        ),
        (
            "https://www.google.com.au./url?q=https%3A%2F%2Fwww.nature.com%2Fx",
            "https://www.nature.com/x",
        ),
        (
            "https://www.google.de/url?q=https%3a%2f%2fwww.nature.com%2fx%23part",
            "https://www.nature.com/x#part",
        ),
        ("https://www.google.com/url?q=//www.nature.com/x", "https://www.nature.com/x"),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fa.example%2F%3Fq%3Da%2Bb+c",
            "https://a.example/?q=a+b+c",
        ),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fcaf%25C3%25A9",
            "https://a.example/caf%C3%A9",
        ),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fcaf%C3%A9",
            "https://a.example/caf%C3%A9",
        ),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fcaf%E9",
            "https://a.example/caf%E9",
        ),
        (
            "https://scholar.google.com/scholar_url?url=https://arxiv.org/pdf/1&hl=en",
            "https://arxiv.org/pdf/1",
        ),
        (
            "https://scholar.google.co.jp/scholar_url?url=https://arxiv.org/pdf/1",
            "https://arxiv.org/pdf/1",
        ),
        (
            "https://translate.google.com/translate?sl=de&u=https%3A%2F%2Fwww.spiegel.de%2Fx",
            "https://www.spiegel.de/x",
        ),
        (
            "https://webcache.googleusercontent.com/search?q=cache:AbCdEfGhIjKl:https://www.wired.com/x+words",
            "https://www.wired.com/x",
        ),
        (
            "https://webcache.googleusercontent.com/search?q=cache:www.wired.com/x",
            "http://www.wired.com/x",
        ),
        (
            "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly93d3cuY25ldC5jb20vYT9iPWM&ntb=1",
            "https://www.cnet.com/a?b=c",
        ),
        (
            "https://www.bing.com/ck/a?u=a1aHR0cHM6Ly93d3cuY25ldC5jb20vYT9iPWM=",
            "https://www.cnet.com/a?b=c",
        ),
        (
            "https://www.bing.com/ck/a?u=a1aHR0cHM6Ly93d3cuY25ldC5jb20vYT9iPWM%3D",
            "https://www.cnet.com/a?b=c",
        ),
        (
            "https://r.search.yahoo.com/_ylt=A;_ylu=X/RV=2/RE=1/RO=10/RU=https%3a%2f%2fwww.cnn.com%2fx%3fa%3d1/RK=2/RS=z-",
            "https://www.cnn.com/x?a=1",
        ),
        (
            "https://r.search.yahoo.com/RU=https%3a//www.cnn.com/x/y/RK=0/RS=z",
            "https://www.cnn.com/x/y",
        ),
        (
            "http://us.rd.yahoo.com/dailynews/rss/*http://www.cnn.com/x?a=1",
            "http://www.cnn.com/x?a=1",
        ),
        (
            "//duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.economist.com%2Fa&rut=0",
            "https://www.economist.com/a",
        ),
        (
            "https://html.duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Fwww.economist.com%2Fa",
            "https://www.economist.com/a",
        ),
        (
            "https://duckduckgo.com/l?uddg=%2F%2Fwww.economist.com%2Fa",
            "https://www.economist.com/a",
        ),
    ]);
    gives(
        Method::Network,
        &[
            ("https://www.baidu.com/link?url=Q3kq", None),
            ("https://m.sogou.com/link?url=abc", None),
            ("https://www.bing.com/ck/a?p=1", None),
            ("https://www.bing.com/ck/a?u=a1%FF", None),
            ("https://r.search.yahoo.com/_ylt=A/RK=2", None),
        ],
    );
    gives(
        Method::Reject,
        &[
            ("https://www.google.com/url?sa=t", None),
            ("https://www.google.com/url?q=", None),
            ("https://www.google.com/url?q=/search?q=x", None),
            ("https://www.google.com/url?q=https%253A%252F%252Fwww.nature.com", None),
            ("https://www.bing.com/ck/a?u=a1L3ZpZGVvcy9zZWFyY2g", None),
            ("https://duckduckgo.com/l/?rut=1", None),
        ],
    );
    stands(&[
        ("https://www.google.com/search?q=x", "google.com"),
        ("https://scholar.google.com/scholar?q=x", "scholar.google.com"),
        ("https://www.google.com/url/more?q=https://a.example/", "google.com"),
        ("https://google.github.io/url?q=https://a.example/", "google.github.io"),
        ("https://google.example/url?q=https://a.example/", "google.example"),
        ("https://google.com.evil.example/url?q=https://a.example/", "evil.example"),
        ("https://notgoogle.com/url?q=https://a.example/", "notgoogle.com"),
        ("https://www.bing.com/search?q=x&url=https://a.example/", "bing.com"),
        ("https://duckduckgo.com/?q=x&uddg=https://a.example/", "duckduckgo.com"),
    ]);
}

#[test]
fn amp_viewers_and_caches_hold_the_page_in_their_path() {
    holds(&[
        ("https://www.google.com/amp/s/www.bbc.com/news/amp/1", "https://www.bbc.com/news/amp/1"),
        ("https://www.google.co.in/amp/www.ndtv.com/x?a=1#aoh=2", "http://www.ndtv.com/x?a=1"),
        (
            "https://www-bbc-com.cdn.ampproject.org/c/s/www.bbc.com/news/amp/1",
            "https://www.bbc.com/news/amp/1",
        ),
        (
            "https://0123abc.cdn.ampproject.org/v/s/www.bbc.com/x?usqp=m%3D&amp_js_v=0.1#z",
            "https://www.bbc.com/x?usqp=m%3D&amp_js_v=0.1",
        ),
        ("https://www.bing.com/amp/s/www.bbc.com/x", "https://www.bbc.com/x"),
        ("https://cdn.ampproject.org/c/www.bbc.com/x", "http://www.bbc.com/x"),
        ("https://www-cnn-com.cdn.ampproject.org/wp/s/www.cnn.com/x", "https://www.cnn.com/x"),
        ("https://www-cnn-com.bing-amp.com/c/s/www.cnn.com/x", "https://www.cnn.com/x"),
        (
            "https://www.google.com/amp/s/www-bbc-com.cdn.ampproject.org/c/s/www.bbc.com/x",
            "https://www.bbc.com/x",
        ),
    ]);
    gives(
        Method::Reject,
        &[
            ("https://www.google.com/amp/s/", None),
            ("https://www.google.com/amp/s/localhost/x", None),
            ("https://www.google.com/amp/s/127.0.0.1/x", None),
            ("https://cdn.ampproject.org/v0.js", None),
        ],
    );
    stands(&[
        ("https://amp.theguardian.com/world/x", "theguardian.com"),
        ("https://www.bbc.com/news/amp/1", "bbc.com"),
        ("https://blog.amp.dev/x", "amp.dev"),
        ("https://notcdn.ampproject.org/c/s/www.bbc.com/x", "ampproject.org"),
    ]);
}

#[test]
fn social_networks_name_the_page_behind_their_warning() {
    let target = "https%3A%2F%2Fwww.reuters.com%2Fx%3Fa%3D1";
    for wrapper in [
        "https://l.facebook.com/l.php?u=",
        "http://lm.facebook.com/l.php?h=1&u=",
        "https://m.facebook.com/l.php?u=",
        "https://www.facebook.com/flx/warn/?u=",
        "https://l.instagram.com/?u=",
        "https://l.messenger.com/l.php?u=",
        "https://l.threads.com/?u=",
        "https://l.threads.net/?u=",
        "https://out.reddit.com/t3_1abc?url=",
        "https://www.youtube.com/redirect?event=comments&q=",
        "https://www.linkedin.com/safety/go?trk=x&url=",
        "https://www.linkedin.com/redir/redirect?url=",
        "https://flipboard.com/redirect?url=",
        "https://vk.com/away.php?to=",
        "https://m.vk.com/away.php?to=",
        "https://slack-redir.net/link?url=",
        "https://getpocket.com/redirect?url=",
        "https://medium.com/r/?url=",
        "https://steamcommunity.com/linkfilter/?url=",
        "https://t.umblr.com/redirect?z=",
        "https://link.zhihu.com/?target=",
        "https://t.me/iv?url=",
    ] {
        holds(&[(&format!("{wrapper}{target}&rest=1"), "https://www.reuters.com/x?a=1")]);
    }
    gives(
        Method::Network,
        &[
            ("https://www.reddit.com/r/news/comments/1abc/title/", Some("reddit.com")),
            ("https://old.reddit.com/r/news/comments/1abc", Some("reddit.com")),
            ("https://www.reddit.com/r/news/s/AbCdEf", Some("reddit.com")),
            ("https://redd.it/1abc", Some("reddit.com")),
            ("https://news.ycombinator.com/item?id=1", None),
        ],
    );
    gives(Method::Reject, &[("https://l.facebook.com/l.php?h=1", None)]);
    stands(&[
        ("https://www.reddit.com/r/news/", "reddit.com"),
        ("https://i.redd.it/picture.png", "reddit.com"),
        ("https://www.youtube.com/watch?v=1&q=https://a.example/", "youtube.com"),
        ("https://youtu.be/dQw4w9WgXcQ", "youtube.com"),
        ("https://www.facebook.com/share?u=https://a.example/", "facebook.com"),
        ("https://news.ycombinator.com/newest", "ycombinator.com"),
        ("https://x.com/user/status/1?url=https://a.example/", "x.com"),
        ("https://evil.example/l.php?u=https://a.example/", "evil.example"),
    ]);
}

#[test]
fn a_discussion_is_its_sites_only_for_the_time_being() {
    let found = resolve("https://www.reddit.com/r/news/comments/1abc/title/");
    assert!(!found.resolved);
}

#[test]
fn shorteners_tell_nothing_and_publishers_own_tell_the_outlet() {
    for host in [
        "t.co",
        "bit.ly",
        "ow.ly",
        "buff.ly",
        "lnkd.in",
        "flip.it",
        "trib.al",
        "dlvr.it",
        "tinyurl.com",
        "www.tinyurl.com",
        "ift.tt",
        "goo.gl",
    ] {
        gives(Method::Network, &[(&format!("https://{host}/AbC1"), None)]);
    }
    for (host, outlet) in [
        ("nyti.ms", "nytimes.com"),
        ("reut.rs", "reuters.com"),
        ("apne.ws", "apnews.com"),
        ("wapo.st", "washingtonpost.com"),
        ("bloom.bg", "bloomberg.com"),
        ("econ.st", "economist.com"),
        ("cnb.cx", "cnbc.com"),
        ("tcrn.ch", "techcrunch.com"),
        ("gu.com", "theguardian.com"),
        ("bbc.in", "bbc.com"),
    ] {
        gives(Method::Offline, &[(&format!("https://{host}/3AbC"), Some(outlet))]);
        assert!(resolve(&format!("https://{host}/3AbC")).resolved);
    }
    gives(
        Method::None,
        &[
            ("https://on.ft.com/3abcDEF", Some("ft.com")),
            ("https://on.wsj.com/3abcDEF", Some("wsj.com")),
            ("https://on.unheard-of.example/3abcDEF", Some("unheard-of.example")),
        ],
    );
    stands(&[
        ("https://on.unheard-of.example/2026/01/story", "unheard-of.example"),
        ("https://hk.on.cc/hk/story", "on.cc"),
        ("https://not-t.co/x", "not-t.co"),
        ("https://t.co.evil.example/x", "evil.example"),
    ]);
}

#[test]
fn syndicated_copies_are_nobodys_until_they_are_looked_up() {
    gives(
        Method::Network,
        &[
            ("https://www.msn.com/en-us/news/world/title/ar-AA1bCdEf?ocid=1", None),
            ("https://news.yahoo.com/title-123456789.html", None),
            ("https://uk.news.yahoo.com/title-123456789.html", None),
            ("https://finance.yahoo.com/news/title-123456789.html", None),
            ("https://www.yahoo.com/news/title-123456789.html", None),
            ("https://apple.news/AO2hZXoB8QpCgyvUs7uIaKw", None),
            ("https://www.techmeme.com/260102/p12#a260102p12", None),
            ("http://feedproxy.google.com/~r/X/~3/1/", None),
            ("http://feeds.feedburner.com/~r/X/~3/1/", None),
        ],
    );
    gives(Method::None, &[("https://www.techmeme.com/", None), ("https://apple.news/", None)]);
    stands(&[
        ("https://www.msn.com/en-us/weather", "msn.com"),
        ("https://finance.yahoo.com/quote/AAPL", "yahoo.com"),
        ("https://www.yahoo.com/", "yahoo.com"),
    ]);
}
