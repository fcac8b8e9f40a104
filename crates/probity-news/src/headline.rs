//! Headlines without the name of their outlet, which aggregators and pages put behind them.

use probity_core::Outlet;

/// What is between a headline and the name of its outlet.
const BARS: [&str; 4] = [" - ", " – ", " — ", " | "];
/// The most words that the name of an outlet has.
const NAME_WORDS: usize = 6;

/// A headline without the name of its outlet at the end, if that is what is there.
///
/// ```
/// use probity_core::Outlet;
/// use probity_news::headline::without_outlet;
///
/// let times = Outlet::new("nytimes.com")?;
/// assert_eq!(without_outlet("Rates rise - The New York Times", &times), "Rates rise");
/// assert_eq!(without_outlet("Rates rise - and fall", &times), "Rates rise - and fall");
/// # Ok::<(), probity_core::outlet::OutletError>(())
/// ```
pub fn without_outlet<'a>(title: &'a str, outlet: &Outlet) -> &'a str {
    let cut = BARS.iter().filter_map(|bar| title.rsplit_once(bar));
    // The last bar of all: what is behind it is the shortest.
    match cut.min_by_key(|(_, name)| name.len()) {
        Some((headline, name)) if !headline.trim().is_empty() && names(name, outlet) => {
            headline.trim_end()
        }
        _ => title,
    }
}

/// Whether a name is that of an outlet, as far as its domain tells: the domain itself, its words run
/// together, or with the first of them shortened to their letters (`nytimes`, `wsj`).
fn names(name: &str, outlet: &Outlet) -> bool {
    let domain = outlet.as_str();
    let label = squeezed(domain.split('.').next().unwrap_or(domain));
    let mut words: Vec<String> =
        name.split_whitespace().map(squeezed).filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.len() > NAME_WORDS {
        return false;
    }
    if name.trim().eq_ignore_ascii_case(domain) || words.concat() == label {
        return true;
    }
    if words.first().is_some_and(|word| word == "the") {
        words.remove(0);
    }
    let bare = label.strip_suffix("news").unwrap_or(&label);
    if words.len() > 1 && words.last().is_some_and(|word| word == "news") {
        words.pop();
    }
    (0..=words.len()).any(|shortened| {
        let letters = words.iter().take(shortened).filter_map(|word| word.chars().next());
        let rest = words.iter().skip(shortened).map(String::as_str);
        let short: String = letters.chain(rest.flat_map(str::chars)).collect();
        !short.is_empty() && (short == label || short == bare)
    })
}

/// Letters and digits alone, in lower case.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'a>(title: &'a str, outlet: &str) -> &'a str {
        without_outlet(title, &Outlet::new(outlet).unwrap())
    }

    #[test]
    fn the_name_of_the_outlet_is_cut_off_however_its_domain_shortens_it() {
        for (name, outlet) in [
            ("Reuters", "reuters.com"),
            ("reuters.com", "reuters.com"),
            ("BBC News", "bbc.com"),
            ("The Guardian", "theguardian.com"),
            ("The New York Times", "nytimes.com"),
            ("WSJ", "wsj.com"),
            ("The Wall Street Journal", "wsj.com"),
            ("Financial Times", "ft.com"),
            ("AP News", "apnews.com"),
            ("The Washington Post", "washingtonpost.com"),
            ("Harbour Gazette", "harbour-gazette.example"),
        ] {
            for bar in BARS {
                let title = format!("Rates - and prices - rise{bar}{name}");
                assert_eq!(cut(&title, outlet), "Rates - and prices - rise", "{title}");
            }
        }
    }

    #[test]
    fn what_names_nobody_stays() {
        for title in
            ["Rates rise", "Rates - Fed", "Reuters", " - Reuters", "A strike | Updates", ""]
        {
            assert_eq!(cut(title, "reuters.com"), title);
        }
    }
}
