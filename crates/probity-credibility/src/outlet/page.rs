//! The text of a page that only points on → the page it points at.
//!
//! A page may say anything of itself, so it is asked only when its address is one that has to be
//! followed: a shortener, an aggregator, a shell that redirects by script.

use probity_core::WebUrl;

use super::html;
use super::resolution::{Method, Resolution};
use super::resolve::{End, Resolver};

/// How much of a page is looked at; redirects are at the beginning.
const PAGE_BYTES: usize = 2 * 1024 * 1024;

/// How many hints of a page are tried.
const HINTS: usize = 32;

impl Resolver {
    /// The publisher's page as the text of a fetched page names it.
    ///
    /// `address` is where the page was found. Where that is a publisher's page already, the text is
    /// not asked. Without an address the text is taken to be a redirecting page's.
    pub fn resolve_page(&self, address: Option<&WebUrl>, text: &str) -> Resolution {
        let start = address.map(|url| self.unwrap(url));
        let own = match start.as_ref().map(|ending| &ending.end) {
            None => None,
            Some(End::Opaque(url, _) | End::AggregatorPage(url, _)) => self.outlet_of(url),
            Some(End::OutletOnly(_)) => None,
            Some(End::Page(_) | End::Refused(_)) => {
                return start.map_or_else(|| nothing_found(None), |ending| self.describe(ending));
            }
        };
        let text = text.get(..text.floor_char_boundary(PAGE_BYTES)).unwrap_or(text);
        let mut refused = None;
        for hint in hints(text, address.is_some()).into_iter().take(HINTS) {
            let ending = self.unwrap_text(&hint);
            match ending.end {
                End::Page(url) => {
                    let outlet = self.outlet_of(&url);
                    if own.is_none() || outlet != own {
                        let reason = "the page's text names the publisher's page";
                        let hops = ending.hops;
                        return Resolution::page(url, outlet, Method::PageField, hops, reason);
                    }
                }
                End::Refused(_) => refused = refused.or_else(|| Some(self.describe(ending))),
                _ => {}
            }
        }
        start.map_or_else(|| nothing_found(refused), |ending| self.describe(ending))
    }
}

fn nothing_found(refused: Option<Resolution>) -> Resolution {
    refused.unwrap_or_else(|| {
        Resolution::unknown(Method::None, 0, "the page's text names no publisher's page")
    })
}

/// The addresses that a page names as its target, the most specific first.
fn hints(text: &str, is_listed: bool) -> Vec<String> {
    if text.trim_start().starts_with(['{', '[']) {
        return answer_hint(text).into_iter().collect();
    }
    let mut hints = Vec::new();
    hints.extend(literals(text, "redirectToUrlAfterTimeout", '('));
    hints.extend(literals(text, "redirectToUrl", '('));
    let mut canonical = Vec::new();
    for tag in html::tags(text) {
        // Google News keeps the article's address on its own elements.
        hints.extend(tag.attribute("data-n-au"));
        if tag.is("meta") && has(&tag, "http-equiv", "refresh") {
            hints.extend(tag.attribute("content").as_deref().and_then(refresh_target));
        }
        if tag.is("link") && has(&tag, "rel", "canonical") {
            canonical.extend(tag.attribute("href"));
        }
    }
    hints.extend(literals(text, "location.replace", '('));
    hints.extend(literals(text, "location.assign", '('));
    hints.extend(literals(text, "location.href", '='));
    hints.extend(literals(text, "window.location", '='));
    // Syndicated copies name the original; any other page names itself.
    if is_listed {
        hints.extend(canonical);
    }
    hints
}

/// The address in an answer to [`Resolver::lookup`]: of MSN, Reddit or Hacker News.
fn answer_hint(text: &str) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(text).ok()?;
    ["/sourceHref", "/0/data/children/0/data/url", "/url"]
        .iter()
        .find_map(|place| answer.pointer(place)?.as_str().map(str::to_owned))
}

fn has(tag: &html::Tag<'_>, name: &str, value: &str) -> bool {
    tag.attribute(name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
}

/// The target in `0; url='https://…'`.
fn refresh_target(content: &str) -> Option<String> {
    let (_, after) = content.split_once([';', ','])?;
    let after = after.trim_start();
    let target = match after.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => {
            after.get(3..)?.trim_start().strip_prefix('=')?.trim_start()
        }
        _ => after,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target.get(1..)?.split(quote).next()?,
        _ => target,
    };
    Some(target.trim().to_owned()).filter(|target| !target.is_empty())
}

/// The string literals that a function is called with as its first argument (behind `(`), or that
/// are assigned to a name (behind `=`). A definition has a name there, and a variable tells nothing.
fn literals<'a>(text: &'a str, name: &'a str, behind: char) -> impl Iterator<Item = String> + 'a {
    // Counted before they are read: a page may repeat the beginning of a literal without end.
    text.split(name).skip(1).take(HINTS).filter_map(move |after| {
        let argument = after.trim_start().strip_prefix(behind)?.trim_start();
        let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        string_literal(argument.get(1..)?, quote)
    })
}

/// A script's string up to its closing quote, with its escapes undone.
fn string_literal(text: &str, quote: char) -> Option<String> {
    let mut literal = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            c if c == quote => return Some(literal),
            '\n' | '\r' if quote != '`' => return None,
            '\\' => match chars.next()? {
                'u' => literal.push(hex_char(&mut chars, 4)?),
                'x' => literal.push(hex_char(&mut chars, 2)?),
                'n' => literal.push('\n'),
                other => literal.push(other),
            },
            c => literal.push(c),
        }
        if literal.len() > probity_core::limits::URL_BYTES {
            return None;
        }
    }
}

fn hex_char(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + chars.next()?.to_digit(16)?;
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_names_its_target_in_many_spellings() {
        for (content, expected) in [
            ("0;URL=https://a.example/x", Some("https://a.example/x")),
            ("0; url='https://a.example/x;y'", Some("https://a.example/x;y")),
            ("5 , URL = \"https://a.example/\"", Some("https://a.example/")),
            ("0;https://a.example/", Some("https://a.example/")),
            ("30", None),
            ("0;url=", None),
        ] {
            assert_eq!(refresh_target(content).as_deref(), expected, "{content}");
        }
    }

    #[test]
    fn only_calls_with_a_literal_count() {
        let script = r#"
            function go(url, t) {} go (url); go("https:\/\/a.example\/x?y\u0026z", 0);
            go( 'https://b.example/' ); go("broken
            "); go("no end
        "#;
        let found: Vec<_> = literals(script, "go", '(').collect();
        assert_eq!(found, ["https://a.example/x?y&z", "https://b.example/"]);
    }
}
