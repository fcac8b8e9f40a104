//! Small pages that only say where the real one is: `<meta http-equiv="refresh">`.

use probity_credibility::outlet::decode_entities;

use crate::fetch::limits::{REFRESH_PAGE_BYTES, REFRESH_SECONDS};
use crate::fetch::load::PageAnswer;

/// Where a small page sends its readers at once, if it does.
pub(super) fn target(answer: &PageAnswer) -> Option<String> {
    let is_html =
        answer.content_type().is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
    if answer.status != 200 || !is_html || answer.body.bytes.len() > REFRESH_PAGE_BYTES {
        return None;
    }
    in_html(&String::from_utf8_lossy(&answer.body.bytes))
}

fn in_html(html: &str) -> Option<String> {
    let visible = without_noscript(html);
    let mut rest = visible.as_str();
    while let Some((_, tag)) = split_at_ignoring_case(rest, "<meta") {
        let (attributes, after) = tag.split_once('>')?;
        let lower = attributes.to_ascii_lowercase();
        if lower.contains("http-equiv") && lower.contains("refresh") {
            return destination(attribute(attributes, "content")?);
        }
        rest = after;
    }
    None
}

/// `0; url=/there` → `/there`.
fn destination(content: &str) -> Option<String> {
    let (wait, rest) = content.split_once([';', ','])?;
    if wait.trim().parse::<f64>().ok().is_none_or(|seconds| seconds > REFRESH_SECONDS) {
        return None;
    }
    let (before, address) = split_at_ignoring_case(rest, "url")?;
    let address = address.trim_start().strip_prefix('=')?;
    let address = address.trim().trim_matches(['"', '\'']).trim();
    (before.trim().is_empty() && !address.is_empty()).then(|| decode_entities(address))
}

/// The value of an attribute, quoted in either way.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = split_at_ignoring_case(attributes, name)?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.strip_prefix(quote)?.split(quote).next()
}

/// What is in `<noscript>` is meant for browsers that were switched off, often to scold them.
fn without_noscript(html: &str) -> String {
    let mut kept = String::new();
    let mut rest = html;
    while let Some((before, after)) = split_at_ignoring_case(rest, "<noscript") {
        kept.push_str(before);
        match split_at_ignoring_case(after, "</noscript") {
            Some((_, after)) => rest = after,
            None => return kept,
        }
    }
    kept.push_str(rest);
    kept
}

fn split_at_ignoring_case<'a>(text: &'a str, needle: &str) -> Option<(&'a str, &'a str)> {
    let at = text
        .as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))?;
    Some((text.get(..at)?, text.get(at + needle.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_only_points_on_is_followed() {
        for (html, expected) in [
            (r#"<meta http-equiv="refresh" content="0; url=/latest/">"#, Some("/latest/")),
            (
                r#"<META content='0;URL="https://a.example/?a=1&amp;b=2"' HTTP-EQUIV='Refresh'>"#,
                Some("https://a.example/?a=1&b=2"),
            ),
            (
                r#"<meta charset="utf-8"><meta http-equiv=refresh content="1,url=x.html" />"#,
                Some("x.html"),
            ),
            (r#"<meta http-equiv="refresh" content="300">"#, None),
            (r#"<meta http-equiv="refresh" content="300; url=/again">"#, None),
            (r#"<noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript>"#, None),
            (r#"<meta name="description" content="0; url=/x">"#, None),
            ("<meta", None),
            ("", None),
        ] {
            assert_eq!(in_html(html).as_deref(), expected, "{html}");
        }
    }
}
