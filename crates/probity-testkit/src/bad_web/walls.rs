//! Pages that come instead of pages, and pages that only look like them.
//!
//! Written for this project after the shape of what sites send; no page is a copy of one.

use super::Reply;
use super::cases::GOOD;

/// The page of a name, or an ordinary one.
pub fn answer(name: &str) -> Reply {
    let page = page(name).unwrap_or(GOOD);
    match name {
        "cloudflare-403" => Reply::with(403, &[HTML], page),
        "datadome-403" => Reply::with(403, &[HTML, ("x-datadome", "protected")], page),
        "mitigated" => Reply::with(200, &[HTML, ("cf-mitigated", "challenge")], page),
        _ => Reply::html(page),
    }
}

const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");

/// The source of a page by its name.
pub fn page(name: &str) -> Option<&'static str> {
    Some(match name {
        "cloudflare" | "cloudflare-403" => include_str!("pages/wall-cloudflare.html"),
        "datadome-403" => include_str!("pages/wall-datadome.html"),
        "human" => include_str!("pages/wall-human.html"),
        "captcha" => include_str!("pages/wall-captcha.html"),
        "consent" => include_str!("pages/wall-consent.html"),
        "paywall" => include_str!("pages/wall-paywall.html"),
        "subscribers" => include_str!("pages/wall-subscribers.html"),
        "login" => include_str!("pages/wall-login.html"),
        "missing" => include_str!("pages/wall-missing.html"),
        "captchas" => include_str!("pages/real-captchas.html"),
        "paywalls" => include_str!("pages/real-paywalls.html"),
        "not-found" => include_str!("pages/real-not-found.html"),
        "short" => include_str!("pages/real-short.html"),
        "cookie-banner" => include_str!("pages/real-cookie-banner.html"),
        _ => return None,
    })
}
