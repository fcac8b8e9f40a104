//! The weights of the prior, read from their assets once.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use serde::Serialize;

use super::site::{Site, Suffix};

/// How many n-grams are distinguished.
const BUCKETS: usize = 32_768;
/// The n-grams that are counted.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;
/// What n-grams weighed beside the readable features when they were fitted.
const GRAM_WEIGHT: f64 = 1.5;
/// The longest name that is read.
const NAME_BYTES: usize = 63;

static FEATURES: &str = include_str!("../../assets/prior/features.tsv");
static NGRAMS: &[u8] = include_bytes!("../../assets/prior/ngrams.bin");

/// What a feature of a name adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The feature, in words.
    pub feature: String,
    /// What it adds to the prior.
    pub adds: f64,
}

struct Word {
    text: &'static str,
    group: usize,
    inside: f64,
    at_end: f64,
}

struct Group {
    name: &'static str,
    one: f64,
    more: f64,
}

/// The weights.
pub(super) struct Model {
    weights: HashMap<&'static str, f64>,
    intercept: f64,
    nudge: [f64; 3],
    range: [f64; 2],
    suffixes: [f64; Suffix::ALL.len()],
    words: Vec<Word>,
    places: HashMap<&'static str, usize, RandomState>,
    longest: usize,
    groups: Vec<Group>,
}

/// The weights that come with the program.
pub(super) fn model() -> &'static Model {
    static MODEL: LazyLock<Model> = LazyLock::new(Model::read);
    &MODEL
}

impl Model {
    fn read() -> Self {
        let mut weights = HashMap::new();
        let mut listed = Vec::new();
        for line in FEATURES.lines().filter(|line| !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let (Some(feature), Some(value)) = (cells.next(), cells.next()) else { continue };
            match feature.strip_prefix("words:") {
                Some(group) => listed.push((group, value)),
                None => {
                    weights.insert(feature, value.parse().unwrap_or(0.0));
                }
            }
        }
        let weight = |feature: &str| weights.get(feature).copied().unwrap_or(0.0);
        let (mut words, mut groups) = (Vec::new(), Vec::new());
        for (group, list) in listed {
            for text in list.split(' ') {
                let (inside, at_end) =
                    (weight(&format!("in:{text}")), weight(&format!("end:{text}")));
                words.push(Word { text, group: groups.len(), inside, at_end });
            }
            let one = weight(&format!("group:{group}"));
            groups.push(Group { name: group, one, more: weight(&format!("groups:{group}")) });
        }
        Self {
            intercept: weight("intercept"),
            nudge: [weight("nudge:limit"), weight("nudge:step"), weight("nudge:mean")],
            range: [weight("range:least"), weight("range:most")],
            suffixes: Suffix::ALL.map(|suffix| weight(&format!("suffix:{}", suffix.words()))),
            places: words.iter().enumerate().map(|(place, word)| (word.text, place)).collect(),
            longest: words.iter().map(|word| word.text.len()).max().unwrap_or(0),
            words,
            groups,
            weights,
        }
    }

    /// The prior of a site.
    pub(super) fn value(&self, site: &Site<'_>) -> f64 {
        let mut sum = self.intercept;
        self.each(site, |_, adds| sum += adds);
        let [least, most] = self.range;
        (sum + self.nudge(site)).clamp(least, most)
    }

    /// What every feature adds, so that the sum is the prior.
    pub(super) fn reasons(&self, site: &Site<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        self.each(site, |feature, adds| {
            if adds != 0.0 {
                reasons.push(Reason { feature: feature.words(), adds });
            }
        });
        reasons.push(Reason { feature: "letters of the name".into(), adds: self.nudge(site) });
        reasons.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
        let listed: f64 = reasons.iter().map(|reason| reason.adds).sum();
        let start = Reason { feature: "outlets on average".into(), adds: self.intercept };
        reasons.insert(0, start);
        let cut = self.value(site) - listed - self.intercept;
        if cut.abs() > 1e-12 {
            reasons.push(Reason { feature: "names alone say no more".into(), adds: cut });
        }
        reasons
    }

    /// Calls `each` with every readable feature of a site and its weight.
    fn each(&self, site: &Site<'_>, mut each: impl FnMut(Feature, f64)) {
        let suffix = Suffix::ALL.iter().position(|suffix| *suffix == site.suffix).unwrap_or(0);
        each(Feature::Suffix(site.suffix), self.suffixes.get(suffix).copied().unwrap_or(0.0));
        if site.is_foreign() {
            return;
        }
        let name = cut(site.name);
        self.each_form(name, &mut each);
        self.each_word(name, &mut each);
    }

    fn each_form(&self, name: &str, each: &mut impl FnMut(Feature, f64)) {
        let mut form = |feature: &'static str| {
            each(Feature::Form(feature), self.weights.get(feature).copied().unwrap_or(0.0));
        };
        match name.len() {
            ..=4 => form("length:short"),
            13..=18 => form("length:long"),
            19.. => form("length:very long"),
            _ => {}
        }
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        let hyphens = name.bytes().filter(|b| *b == b'-').count();
        for (holds, feature) in [
            (digits >= 1, "digits:some"),
            (digits >= 3, "digits:many"),
            (hyphens >= 1, "hyphens:some"),
            (hyphens >= 2, "hyphens:many"),
            (is_call_sign(name), "form:call sign"),
            (name.starts_with("the") && name.len() > 5, "form:the"),
            (has_few_vowels(name), "form:initials"),
        ] {
            if holds {
                form(feature);
            }
        }
    }

    fn each_word(&self, name: &str, each: &mut impl FnMut(Feature, f64)) {
        let joined: String;
        let plain = match name.contains('-') {
            true => {
                joined = name.replace('-', "");
                joined.as_str()
            }
            false => name,
        };
        let mut found: Vec<usize> = Vec::new();
        for start in 0..plain.len() {
            for end in start + 2..=plain.len().min(start + self.longest) {
                let Some(place) = plain.get(start..end).and_then(|part| self.places.get(part))
                else {
                    continue;
                };
                let Some(word) = self.words.get(*place) else { continue };
                let at_end = end == plain.len();
                // Short words stand in too many others to mean anything in the middle.
                if word.text.len() <= 3 && start > 0 && !at_end {
                    continue;
                }
                if at_end && start > 0 {
                    each(Feature::End(word.text), word.at_end);
                }
                if !found.contains(place) {
                    found.push(*place);
                    each(Feature::Inside(word.text), word.inside);
                }
            }
        }
        for (place, group) in self.groups.iter().enumerate() {
            let words = found.iter().filter_map(|word| self.words.get(*word));
            let hits = words.filter(|word| word.group == place).count();
            if hits > 0 {
                each(Feature::Group(group.name), group.one);
            }
            if hits > 1 {
                each(Feature::Groups(group.name), group.more);
            }
        }
    }

    /// What the n-grams of a name add: little, and never more than the limit.
    fn nudge(&self, site: &Site<'_>) -> f64 {
        if site.is_foreign() {
            return 0.0;
        }
        let text = format!("^{}$", cut(site.name));
        let mut buckets: Vec<usize> = GRAMS
            .flat_map(|n| text.as_bytes().windows(n))
            .map(|gram| fnv(gram) as usize % BUCKETS)
            .collect();
        buckets.sort_unstable();
        buckets.dedup();
        let sum: i64 = buckets
            .iter()
            .filter_map(|bucket| NGRAMS.get(*bucket))
            .map(|byte| i64::from(byte.cast_signed()))
            .sum();
        let [limit, step, mean] = self.nudge;
        let scale = GRAM_WEIGHT / (buckets.len().max(1) as f64).sqrt();
        (sum as f64 * step * scale - mean).clamp(-limit, limit)
    }
}

/// A feature that a person can read.
enum Feature {
    Suffix(Suffix),
    Form(&'static str),
    Inside(&'static str),
    End(&'static str),
    Group(&'static str),
    Groups(&'static str),
}

impl Feature {
    fn words(&self) -> String {
        match self {
            Self::Suffix(suffix) => format!("suffix: {}", suffix.words()),
            Self::Form(form) => form.replacen(':', ": ", 1),
            Self::Inside(word) => format!("has “{word}”"),
            Self::End(word) => format!("ends in “{word}”"),
            Self::Group(group) => format!("words: {group}"),
            Self::Groups(group) => format!("more words: {group}"),
        }
    }
}

fn cut(name: &str) -> &str {
    name.get(..name.len().min(NAME_BYTES)).unwrap_or(name)
}

/// A station's call sign: `wxyz`, `kabc7news`.
fn is_call_sign(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(['k', 'w']) else { return false };
    // Three or four letters altogether; what follows is tried behind both.
    [2, 3].into_iter().any(|letters| {
        let Some((sign, tail)) = rest.split_at_checked(letters) else { return false };
        let tail_is_known = matches!(tail, "" | "tv" | "am" | "fm" | "radio" | "news");
        let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
        let after = tail.get(digits..).unwrap_or_default();
        let numbered = (1..=4).contains(&digits) && matches!(after, "" | "news");
        sign.bytes().all(|b| b.is_ascii_lowercase()) && (tail_is_known || numbered)
    })
}

fn has_few_vowels(name: &str) -> bool {
    let letters = name.bytes().filter(u8::is_ascii_lowercase);
    let count = letters.clone().count();
    let vowels = letters.filter(|b| b"aeiouy".contains(b)).count();
    count > 0 && vowels * 5 < count
}

/// FNV-1a.
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assets_are_whole() {
        let model = model();
        assert_eq!(NGRAMS.len(), BUCKETS);
        assert!(model.words.len() > 300 && model.groups.len() > 10);
        assert!(model.intercept > 0.3 && model.nudge[0] > 0.0 && model.range[1] <= 1.0);
        let country = Suffix::ALL.iter().position(|kind| *kind == Suffix::Country).unwrap();
        assert!(model.suffixes[country] >= 0.0, "no country costs anything");
    }

    #[test]
    fn call_signs_are_distinguished_from_words() {
        for name in ["wxyz", "kabc", "kabc7", "wgntv", "kxan", "wfaa8news", "kqedradio"] {
            assert!(is_call_sign(name), "{name}");
        }
        for name in ["world", "kansas", "news", "wabcdef", "k", "wx1234567"] {
            assert!(!is_call_sign(name), "{name}");
        }
    }
}
