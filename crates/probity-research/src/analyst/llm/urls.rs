//! Addresses in what a model wrote: only those that the sources hold stay.

/// A text without addresses that do not stand in `held`. Links keep their words, images go.
pub(super) fn without_strange_urls(text: &str, held: &str) -> String {
    let text = without_markup(text);
    let mut kept = String::with_capacity(text.len());
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if is_address(bare) && !held.contains(bare) {
            // What ended the sentence after the address ends it without.
            kept.extend(word.chars().next_back().filter(|c| ".!?".contains(*c)));
            continue;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    kept
}

/// `[words](address)` becomes its words, `![words](address)` nothing.
fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let parts = link.split_once("](").and_then(|(words, tail)| {
            let (_, after) = tail.split_once(')')?;
            (!words.contains('[')).then_some((words, after))
        });
        match parts {
            Some((words, after)) => {
                match before.strip_suffix('!') {
                    Some(before) => plain.push_str(before),
                    None => {
                        plain.push_str(before);
                        plain.push_str(words);
                    }
                }
                rest = after;
            }
            None => {
                plain.push_str(before);
                plain.push('[');
                rest = link;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether a word is an address: with a scheme, beginning with `www.`, or a host with a path.
fn is_address(word: &str) -> bool {
    let lower = word.to_lowercase();
    if lower.contains("://") || lower.starts_with("www.") || lower.starts_with("mailto:") {
        return true;
    }
    let (host, path) = lower.split_once('/').map_or((lower.as_str(), None), |(h, p)| (h, Some(p)));
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let is_host = labels.len() >= 2
        && labels.iter().all(is_label)
        && labels
            .last()
            .is_some_and(|last| last.len() >= 2 && last.chars().all(|c| c.is_ascii_alphabetic()));
    // `e.g.` and `3.5` are no hosts; `example.com` is one, and so is anything with a path.
    is_host && (path.is_some() || KNOWN.contains(labels.last().unwrap_or(&"")))
}

/// The endings by which a bare host is known as one.
const KNOWN: &[&str] = &[
    "com", "org", "net", "edu", "gov", "io", "co", "info", "biz", "dev", "app", "example", "test",
    "eu", "uk", "de", "fr", "ru", "cn", "xyz", "ai", "me", "link", "site", "online", "top",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_sources_hold_stays() {
        let held = "See https://town.example/noise and ordinance.example.org for more.";
        for (text, kept) in [
            ("It stops at ten (https://evil.example/x).", "It stops at ten."),
            ("See https://town.example/noise for it.", "See https://town.example/noise for it."),
            ("Read [the rules](https://evil.example) now.", "Read the rules now."),
            ("A ![dot](https://evil.example/p.png?q=1)image.", "A image."),
            ("Visit evil.com or www.bad.example today", "Visit or today"),
            (
                "It costs 3.5 crowns, e.g. at 9 p.m. in St. Mary.",
                "It costs 3.5 crowns, e.g. at 9 p.m. in St. Mary.",
            ),
            ("From ordinance.example.org it is known.", "From ordinance.example.org it is known."),
        ] {
            assert_eq!(without_strange_urls(text, held), kept);
        }
    }
}
