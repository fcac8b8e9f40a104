//! The text of a robots.txt → which paths it opens and closes to us (RFC 9309).

use std::time::Duration;

use crate::fetch::limits::{CRAWL_DELAY_MAX, ROBOTS_RULE_BYTES, ROBOTS_RULES};

/// What a robots.txt says to one agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rules {
    rules: Vec<Rule>,
    /// The pause it asks for between two requests.
    pub(crate) crawl_delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    pattern: String,
}

/// The groups that concern us: those that name us, else those for everybody.
#[derive(Default)]
struct Groups {
    named: Option<Rules>,
    everybody: Option<Rules>,
}

impl Rules {
    /// Reads what the text says to `agent`, a product name such as `probity`.
    pub(crate) fn parse(text: &str, agent: &str) -> Self {
        let mut groups = Groups::default();
        let (mut names_us, mut names_all, mut in_rules) = (false, false, true);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if in_rules {
                    (names_us, names_all, in_rules) = (false, false, false);
                }
                names_us |= product(value).eq_ignore_ascii_case(agent);
                names_all |= value == "*";
                groups.open(names_us, names_all);
            } else if matches!(key.as_str(), "allow" | "disallow" | "crawl-delay") {
                in_rules = true;
                groups.add(names_us, names_all, &key, value);
            }
        }
        groups.named.or(groups.everybody).unwrap_or_default()
    }

    /// Whether a path with its query may be fetched. The longest rule that matches decides; of
    /// two equally long ones, the one that allows.
    pub(crate) fn allow(&self, path_and_query: &str) -> bool {
        if path_and_query == "/robots.txt" {
            return true;
        }
        let path = normalise(path_and_query);
        self.rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allow))
            .is_none_or(|rule| rule.allow)
    }

    /// About how much memory the rules take.
    pub(crate) fn weight(&self) -> usize {
        self.rules.iter().map(|rule| rule.pattern.len() + size_of::<Rule>()).sum()
    }
}

impl Groups {
    /// Being named counts even without any rule: then everything is allowed.
    fn open(&mut self, us: bool, all: bool) {
        if us {
            self.named.get_or_insert_default();
        }
        if all {
            self.everybody.get_or_insert_default();
        }
    }

    fn add(&mut self, us: bool, all: bool, key: &str, value: &str) {
        let named = if us { self.named.as_mut() } else { None };
        let everybody = if all { self.everybody.as_mut() } else { None };
        for group in named.into_iter().chain(everybody) {
            match key {
                "crawl-delay" => group.crawl_delay = seconds(value).or(group.crawl_delay),
                // An empty rule says nothing.
                _ if value.is_empty() || group.rules.len() >= ROBOTS_RULES => {}
                _ => group.rules.push(Rule { allow: key == "allow", pattern: pattern(value) }),
            }
        }
    }
}

/// The product name at the head of an agent line: `probity` of `Probity/1.0 (bot)`.
fn product(value: &str) -> &str {
    let end = value.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    value.get(..end.unwrap_or(value.len())).unwrap_or_default()
}

fn seconds(value: &str) -> Option<Duration> {
    let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(CRAWL_DELAY_MAX).min(CRAWL_DELAY_MAX))
}

fn pattern(value: &str) -> String {
    let mut pattern = normalise(value);
    if pattern.len() > ROBOTS_RULE_BYTES {
        // What is left is ASCII, so any place is a boundary.
        pattern.truncate(ROBOTS_RULE_BYTES);
    }
    pattern
}

/// One spelling for each path: escapes in capitals, plain characters unescaped, others escaped.
fn normalise(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escaped {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                plain.push(char::from(byte));
            }
            Some(byte) => plain.push_str(&format!("%{byte:02X}")),
            None if byte.is_ascii_graphic() && !b"\"<>`{}|^\\".contains(&byte) => {
                plain.push(char::from(byte));
            }
            None => plain.push_str(&format!("%{byte:02X}")),
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
    plain
}

/// Whether a pattern with `*` for anything and a final `$` for the end matches the head of a path.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| path.strip_prefix(head)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        // The first occurrence leaves the most room for what follows.
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn allows(text: &str, path: &str) -> bool {
        Rules::parse(text, "probity").allow(path)
    }

    #[test]
    fn the_group_that_names_us_beats_the_one_for_everybody() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: Probity/1.0\nDisallow: /secret\n";
        assert!(allows(text, "/open"));
        assert!(!allows(text, "/secret/x"));
        assert!(!Rules::parse(text, "otherbot").allow("/open"));
        assert!(!allows("User-agent: *\nDisallow: /x\nUser-agent: probitybot\nAllow: /x\n", "/x"));
    }

    #[test]
    fn groups_share_rules_and_are_merged() {
        let text = "user-agent: a\nUSER-AGENT: probity\ndisallow: /one\n\n\
                    user-agent: b\ndisallow: /\n\nuser-agent: probity\nDisallow: /two # why\n";
        assert!(!allows(text, "/one"));
        assert!(!allows(text, "/two"));
        assert!(allows(text, "/three"));
    }

    #[test]
    fn the_longest_rule_decides_and_a_tie_allows() {
        let text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c$\nAllow: /t\nDisallow: /t\n";
        for (path, allowed) in [
            ("/a", false),
            ("/a/x", false),
            ("/a/b/d", true),
            ("/a/b/c", false),
            ("/a/b/cd", true),
            ("/t", true),
            ("/", true),
        ] {
            assert_eq!(allows(text, path), allowed, "{path}");
        }
    }

    #[test]
    fn wildcards_and_ends_match_as_the_standard_says() {
        for (pattern, path, expected) in [
            ("/*.gif$", "/x/y.gif", true),
            ("/*.gif$", "/y.gif?z", false),
            ("/*.gif", "/y.gif?z", true),
            ("*", "/anything", true),
            ("/fish*", "/fish", true),
            ("/fish*$", "/fishy", true),
            ("/*/b*c", "/a/bxxc/d", true),
            ("/*/b*c$", "/a/bxxc/d", false),
            ("/a$", "/a", true),
            ("/a$", "/a/", false),
            ("/a*a$", "/a", false),
            ("/**x", "/yx", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn spelling_does_not_open_a_closed_path() {
        let text = "User-agent: *\nDisallow: /caf\u{e9}\nDisallow: /%7ejoe\nDisallow: /a%2fb\n";
        assert!(!allows(text, "/caf%C3%A9/menu"));
        assert!(!allows(text, "/caf%c3%a9"));
        assert!(!allows(text, "/~joe/x"));
        assert!(!allows(text, "/a%2Fb"));
        assert!(allows(text, "/a/b"));
    }

    #[test]
    fn odd_files_are_read_as_well_as_can_be() {
        assert!(allows("", "/x"));
        assert!(allows("Disallow: /", "/x"), "a rule outside a group");
        assert!(allows("User-agent: *\nDisallow:", "/x"));
        assert!(!allows("\u{feff}User-agent: *\r\nDisallow: /x\r", "/x"));
        assert!(allows("<!doctype html><title>Not found</title>", "/x"));
        assert!(allows("User-agent: probity\n\nUser-agent: *\nDisallow: /\n", "/robots.txt"));
        let delayed = Rules::parse("User-agent: *\nCrawl-delay: 1.5\nCrawl-delay: x\n", "probity");
        assert_eq!(delayed.crawl_delay, Some(Duration::from_millis(1500)));
        let hostile = Rules::parse("User-agent: *\nCrawl-delay: 1e300\n", "probity");
        assert_eq!(hostile.crawl_delay, Some(CRAWL_DELAY_MAX));
    }

    #[test]
    fn a_flood_of_rules_is_bounded() {
        let text = format!("User-agent: *\n{}", "Disallow: /x\n".repeat(ROBOTS_RULES * 2));
        assert_eq!(Rules::parse(&text, "probity").rules.len(), ROBOTS_RULES);
        let long = format!("User-agent: *\nDisallow: /{}", "y".repeat(ROBOTS_RULE_BYTES * 2));
        assert!(!allows(&long, &format!("/{}", "y".repeat(ROBOTS_RULE_BYTES))));
    }

    /// The same by trying every way, for comparison.
    fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|skip| matches_slowly(rest, &path[skip..])),
            [byte, rest @ ..] => path.first() == Some(byte) && matches_slowly(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn matching_agrees_with_trying_every_way(pattern in "[ab*]{0,8}\\$?", path in "[ab]{0,10}") {
            prop_assert_eq!(
                matches(&pattern, &path),
                matches_slowly(pattern.as_bytes(), path.as_bytes())
            );
        }

        #[test]
        fn no_text_makes_parsing_panic(text in "\\PC{0,200}", path in "/\\PC{0,40}") {
            Rules::parse(&text, "probity").allow(&path);
        }
    }
}
