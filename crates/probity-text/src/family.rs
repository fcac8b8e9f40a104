//! Words of one family: *Albania* and *Albanian*, *citizen* and *citizenship*.
//!
//! A stemmer takes inflections off and leaves most derivations apart. Where two texts are only asked
//! whether they speak of the same thing, a nation and its people or a thing and its adjective count
//! as one word. The key of a family is the stem without final vowels and one derivational
//! ending. The endings are those that English grammars list; none stands here for a word's sake.

/// The shortest root that an ending leaves behind: below that, chance likenesses prevail.
const ROOT: usize = 5;
/// The shortest key that losing vowels leaves behind.
const KEY: usize = 4;

/// Derivational endings of English as a Snowball stemmer leaves them, longest first.
const ENDINGS: [&str; 40] = [
    "ational", "ability", "ization", "ation", "ament", "ement", "ional", "ship", "hood", "ment",
    "ness", "less", "able", "ible", "ence", "ance", "ical", "ial", "ual", "ian", "ean", "ish",
    "ism", "ist", "ity", "ive", "ion", "ous", "ful", "dom", "ary", "ory", "es", "ia", "ic", "al",
    "an", "er", "or", "n",
];

/// The key of the family that an English stem belongs to. It is a beginning of the stem.
///
/// ```
/// use probity_text::family::family;
///
/// assert_eq!(family("albania"), family("albanian"));
/// assert_eq!(family("citizen"), family("citizenship"));
/// assert_ne!(family("station"), family("state"));
/// ```
pub fn family(stem: &str) -> &str {
    if !stem.bytes().all(|b| b.is_ascii_lowercase()) {
        return stem;
    }
    let stem = without_vowels(stem);
    let root = ENDINGS
        .iter()
        .filter_map(|ending| stem.strip_suffix(ending).map(|root| (root, *ending)))
        // A bare n makes a people of a country that ends in a vowel, and nothing of `nation`.
        .find(|(root, ending)| root.len() >= ROOT && (*ending != "n" || root.ends_with('a')))
        .map_or(stem, |(root, _)| root);
    without_vowels(root)
}

fn without_vowels(stem: &str) -> &str {
    let mut key = stem;
    while key.len() > KEY && key.ends_with(['a', 'e', 'i', 'o', 'u', 'y']) {
        key = key.get(..key.len() - 1).unwrap_or_default();
    }
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Language;
    use crate::words::Stemmer;

    fn key(word: &str) -> String {
        family(&Stemmer::new(Language::English).stem(word)).to_owned()
    }

    #[test]
    fn a_country_and_its_people_are_one_family() {
        for (land, people) in [
            ("albania", "albanian"),
            ("canada", "canadian"),
            ("india", "indian"),
            ("italy", "italian"),
            ("korea", "korean"),
            ("germany", "german"),
            ("europe", "european"),
            ("austria", "austrian"),
            ("japan", "japanese"),
            ("brazil", "brazilian"),
        ] {
            assert_eq!(key(land), key(people), "{land} {people}");
        }
    }

    #[test]
    fn a_thing_and_what_derives_from_it_are_one_family() {
        for (one, other) in [
            ("nationality", "national"),
            ("citizen", "citizenship"),
            ("neighbour", "neighbourhood"),
            ("employ", "employment"),
            ("education", "educational"),
            ("biology", "biological"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn words_that_only_begin_alike_stay_apart() {
        for (one, other) in [
            ("station", "state"),
            ("island", "islam"),
            ("march", "market"),
            ("nation", "native"),
            ("music", "museum"),
            ("price", "prison"),
            ("2024", "2025"),
        ] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn a_key_is_a_beginning_of_its_stem(stem in "\\PC{0,12}") {
            prop_assert!(stem.starts_with(family(&stem)));
        }
    }
}
