//! Walls of every kind are told from pages that only look like them.

use probity_testkit::bad_web::walls;

use super::*;

struct Seen {
    status: u16,
    url: &'static str,
    header: Option<(&'static str, &'static str)>,
}

const PLAIN: Seen = Seen { status: 200, url: "https://site.example/page", header: None };

fn outcome(seen: &Seen, html: &str, text: Option<&str>) -> Option<FetchOutcome> {
    let url = WebUrl::parse(seen.url).unwrap();
    let mut headers = HeaderMap::new();
    if let Some((name, value)) = seen.header {
        headers.insert(name, value.parse().unwrap());
    }
    let document = text.map(|text| Document { text: text.to_owned(), ..Document::default() });
    let evidence = Evidence {
        url: &url,
        status: seen.status,
        headers: &headers,
        html: html.as_bytes(),
        document: document.as_ref(),
    };
    find(&evidence).map(|wall| wall.outcome)
}

/// A text of about this many words that speaks of nothing in particular.
fn prose(words: usize) -> String {
    "The boats came in with the evening tide and the nets were dried on the wall. "
        .split_inclusive(' ')
        .cycle()
        .take(words)
        .collect()
}

#[test]
fn challenges_are_recognised_by_their_marks() {
    for html in [
        "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>",
        "<title>Attention Required! | Cloudflare</title><div id=\"cf-error-details\">Sorry, you have been blocked</div>",
        "<p>Please enable JS and disable any ad blocker</p><script src=\"https://ct.captcha-delivery.com/c.js\"></script>",
        "<title>Access to this page has been denied</title><div id=\"px-captcha\"></div>",
        "<iframe src=\"/_Incapsula_Resource?x\">Request unsuccessful. Incapsula incident ID: 1-2</iframe>",
        "<title>Access Denied</title><h1>Access Denied</h1>You don't have permission. Reference #18.0 https://errors.edgesuite.net/18.0",
        "<script>window.gokuProps = {}; window.awsWafCookieDomainList = [];</script>",
        "<title>Making sure you're not a bot!</title><script id=\"anubis_challenge\">{}</script>",
        "<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>",
        "<form action=\"/errors/validateCaptcha\"><p>Enter the characters you see below</p></form>",
        "<body><script src=\"/cdn-cgi/challenge-platform/scripts/main.js\"></script></body>",
    ] {
        assert_eq!(outcome(&PLAIN, html, None), Some(FetchOutcome::BotWall), "{html}");
    }
}

#[test]
fn challenges_are_recognised_by_what_they_say() {
    for (title, text) in [
        ("Robot Check", "Please verify you are a human to continue."),
        ("Security check", "Complete the security check to continue to the site."),
        (
            "harbour.example",
            "We have detected unusual activity from your network. Confirm you are human.",
        ),
        ("Bitte warten", "Bitte bestätigen Sie, dass Sie kein Roboter sind."),
        ("Un instant", "Vérifiez que vous êtes humain pour continuer."),
        ("", "Подтвердите, что вы не робот"),
    ] {
        let html = format!("<title>{title}</title><p>{text}</p>");
        assert_eq!(outcome(&PLAIN, &html, Some(text)), Some(FetchOutcome::BotWall), "{text}");
    }
}

#[test]
fn services_that_say_so_in_headers_are_believed() {
    let html = "<p>anything</p>";
    for (status, name, value) in [
        (200, "cf-mitigated", "challenge"),
        (403, "cf-mitigated", "challenge"),
        (202, "x-amzn-waf-action", "challenge"),
        (405, "x-amzn-waf-action", "captcha"),
        (403, "x-datadome", "protected"),
    ] {
        let seen = Seen { status, header: Some((name, value)), ..PLAIN };
        assert_eq!(outcome(&seen, html, None), Some(FetchOutcome::BotWall), "{name}");
    }
    let served = Seen { header: Some(("x-datadome", "protected")), ..PLAIN };
    assert_eq!(outcome(&served, html, Some(&prose(300))), None, "only watched, not blocked");
}

#[test]
fn an_article_is_an_article_whatever_it_is_about() {
    for sentence in [
        "Please verify you are human, said the page. Unusual traffic from your network was detected.",
        "Subscribe to continue reading, it said at the end of the third paragraph.",
        "We value your privacy. Accept all. Reject all. Manage options.",
        "Page not found. The page you are looking for does not exist.",
        "You must be logged in. Log in to continue.",
        "You need to enable JavaScript to run this app.",
    ] {
        let text = format!("{} {sentence} {}", prose(200), prose(200));
        let html = format!(
            "<title>On walls</title><script src=\"/cdn-cgi/challenge-platform/x.js\"></script>\
             <div class=\"g-recaptcha\"></div><input type=\"password\"><p>{text}</p>"
        );
        assert_eq!(outcome(&PLAIN, &html, Some(&text)), None, "{sentence}");
    }
}

#[test]
fn a_short_page_is_a_page() {
    for (title, text) in [
        ("Ferry notice", "The early boat does not sail on Sunday."),
        ("Opening hours", "Monday to Friday, nine to five. We use cookies in our kitchen."),
        (
            "Access denied",
            "A film by Ana Ruiz, 94 minutes, shown on Friday at eight in the old cinema.",
        ),
        (
            "Captcha",
            "A captcha is a puzzle that tells people from programs. The word was made up in 2003.",
        ),
        (
            "The year 404",
            "In the year 404 the emperor moved his court to Ravenna, behind the marshes.",
        ),
        ("Contact", "Write to us. This form is protected by reCAPTCHA."),
    ] {
        let html = format!(
            "<title>{title}</title><h1>{title}</h1><p>{text}</p><div class=\"g-recaptcha\"></div>"
        );
        assert_eq!(outcome(&PLAIN, &html, Some(text)), None, "{title}");
    }
}

#[test]
fn consent_forms_are_distinguished_from_banners() {
    let form = walls::page("consent").unwrap();
    let text = "Before you continue to the Gazette. We and our partners store and/or access \
                information. Accept all. Reject all. Manage options.";
    assert_eq!(outcome(&PLAIN, form, Some(text)), Some(FetchOutcome::ConsentWall));
    let hosted = Seen { url: "https://consent.google.com/ml?continue=x", ..PLAIN };
    let html = "<title>Before you continue</title><p>Bevor Sie zu Google weitergehen</p><button>Alle akzeptieren</button>";
    assert_eq!(
        outcome(&hosted, html, Some("Bevor Sie zu Google")),
        Some(FetchOutcome::ConsentWall)
    );
    let banner =
        "<div>We value your privacy. We use cookies. <button>Accept all</button></div><p>x</p>";
    assert_eq!(outcome(&PLAIN, banner, Some(&prose(60))), None);
    assert_eq!(outcome(&hosted, "<p>A page on consent</p>", Some(&prose(60))), None);
    let split = "<h2>We value your privacy</h2><p>We and our partners use cookies to store and access \
                 information.</p><button>Accept all</button><button>Manage options</button>";
    let main = "We and our partners use cookies to store and access information.";
    assert_eq!(outcome(&PLAIN, split, Some(main)), Some(FetchOutcome::ConsentWall));
    let notice =
        "<p>The boat does not sail.</p><div>We value your privacy. Accept all. Reject all.</div>";
    assert_eq!(outcome(&PLAIN, notice, Some("The boat does not sail.")), None, "a short page");
}

#[test]
fn stubs_are_distinguished_from_articles_behind_a_leaky_wall() {
    let declared =
        "<script type=\"application/ld+json\">{\"isAccessibleForFree\":\"False\"}</script>";
    assert_eq!(outcome(&PLAIN, declared, Some(&prose(60))), Some(FetchOutcome::PaywallStub));
    assert_eq!(outcome(&PLAIN, declared, Some(&prose(500))), None, "the whole text was there");
    let free = "<script type=\"application/ld+json\">{\"isAccessibleForFree\": true}</script>";
    assert_eq!(outcome(&PLAIN, free, Some(&prose(60))), None);
    for ending in [
        "Subscribe to continue reading.",
        "Dieser Artikel ist nur für Abonnenten.",
        "Il vous reste 85 % de cet article à lire.",
        "Contenido exclusivo para suscriptores.",
        "This post is for paid subscribers",
    ] {
        let text = format!("{} {ending}", prose(120));
        let html = format!("<p>{text}</p>");
        assert_eq!(
            outcome(&PLAIN, &html, Some(&text)),
            Some(FetchOutcome::PaywallStub),
            "{ending}"
        );
    }
    let nav = "<nav>Already a subscriber? Sign in. Subscribe. Start your free trial.</nav><p>x</p>";
    assert_eq!(outcome(&PLAIN, nav, Some(&prose(120))), None, "a link to subscribe is no wall");
}

#[test]
fn a_long_text_that_breaks_off_is_a_stub() {
    let text = format!("{} To read the full article, subscribe.", prose(350));
    assert_eq!(outcome(&PLAIN, "<p></p>", Some(&text)), Some(FetchOutcome::PaywallStub));
    let text = format!("To read the full article was a joy. {}", prose(350));
    assert_eq!(outcome(&PLAIN, "<p></p>", Some(&text)), None);
}

#[test]
fn logins_are_recognised_by_their_form() {
    let text = "Log in to continue. You must be logged in to see this.";
    let bare = "<title>Sign in</title><form><input name=u><input type=password><button>Sign in</button></form>";
    assert_eq!(outcome(&PLAIN, bare, None), Some(FetchOutcome::PaywallStub));
    let form = "<title>Sign in - Forum</title><input type=\"password\">";
    assert_eq!(outcome(&PLAIN, form, Some(text)), Some(FetchOutcome::PaywallStub));
    assert_eq!(outcome(&PLAIN, "<title>Forum</title>", Some("How do I sign in?")), None);
    let side = format!("<title>Forum</title><input type=\"password\"><p>{}</p>", prose(60));
    assert_eq!(outcome(&PLAIN, &side, Some(&prose(60))), None, "a form beside the text");
}

#[test]
fn pages_that_call_themselves_missing_are_believed() {
    for (title, heading, text) in [
        ("404 Not Found", "", "nginx"),
        ("Page not found | Gazette", "Oops", "The page you are looking for may have been moved."),
        (
            "Gazette",
            "Page Not Found",
            "We couldn't find what you were looking for. Try the search.",
        ),
        ("Seite nicht gefunden – Zeitung", "", "Die Seite existiert nicht."),
        ("Erreur 404 - Journal", "", "La page demandée n'existe pas."),
        ("Страница не найдена", "", "Такой страницы нет."),
    ] {
        let html = format!("<title>{title}</title><h1>{heading}</h1><p>{text}</p>");
        assert_eq!(outcome(&PLAIN, &html, Some(text)), Some(FetchOutcome::NotFound), "{title}");
    }
}

#[test]
fn a_shell_without_its_scripts_is_recognised_as_one() {
    let text = "You need to enable JavaScript to run this app.";
    let html = format!("<title>App</title><noscript>{text}</noscript><div id=\"root\"></div>");
    assert_eq!(outcome(&PLAIN, &html, Some(text)), Some(FetchOutcome::Shell));
    assert_eq!(outcome(&PLAIN, &html, None), Some(FetchOutcome::Shell));
}

#[test]
fn error_pages_of_servers_are_no_bot_walls() {
    for (status, html) in [
        (
            403,
            "<title>403 Forbidden</title><h1>Forbidden</h1><p>You don't have permission to access this resource.</p>",
        ),
        (
            503,
            "<title>503 Service Unavailable</title><p>The server is temporarily unable to service your request.</p>",
        ),
        (429, "<p>Too many requests</p>"),
        (500, ""),
    ] {
        let seen = Seen { status, ..PLAIN };
        assert_eq!(outcome(&seen, html, None), None, "{status}");
    }
}

#[test]
fn every_list_is_in_small_letters_and_names_each_entry_once() {
    let lists = [
        include_str!("phrases/bot.txt"),
        include_str!("phrases/bot-titles.txt"),
        include_str!("phrases/consent.txt"),
        include_str!("phrases/login.txt"),
        include_str!("phrases/login-titles.txt"),
        include_str!("phrases/missing.txt"),
        include_str!("phrases/missing-names.txt"),
        include_str!("phrases/paywall.txt"),
        include_str!("phrases/scripts.txt"),
    ];
    for list in lists {
        let mut seen = std::collections::HashSet::new();
        for line in plain::lines(list) {
            assert_eq!(plain::tidy(line), line, "not as pages are compared");
            assert!(seen.insert(line), "twice: {line}");
        }
        assert!(!seen.is_empty());
    }
}
