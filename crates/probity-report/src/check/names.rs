//! Names: possessives, acronyms, demonyms and titles.

use super::reading::{Reading, Word};

/// Countries and what belongs to them; the first is the name, the others stand for it.
const PEOPLES: &[&str] = &[
    "america american americans usa us u.s. states",
    "britain british uk u.k. kingdom briton britons",
    "england english",
    "scotland scottish scots",
    "wales welsh",
    "ireland irish",
    "france french",
    "germany german germans",
    "spain spanish spaniards",
    "italy italian italians",
    "portugal portuguese",
    "netherlands dutch holland",
    "belgium belgian belgians",
    "switzerland swiss",
    "austria austrian austrians",
    "poland polish poles",
    "russia russian russians",
    "ukraine ukrainian ukrainians",
    "sweden swedish swedes",
    "norway norwegian norwegians",
    "denmark danish danes",
    "finland finnish finns",
    "iceland icelandic icelanders",
    "greece greek greeks",
    "turkey turkish turks",
    "china chinese",
    "japan japanese",
    "korea korean koreans",
    "india indian indians",
    "pakistan pakistani",
    "brazil brazilian brazilians",
    "mexico mexican mexicans",
    "canada canadian canadians",
    "australia australian australians",
    "egypt egyptian egyptians",
    "israel israeli israelis",
    "iran iranian iranians",
    "iraq iraqi iraqis",
    "vietnam vietnamese",
    "thailand thai",
    "indonesia indonesian",
    "nigeria nigerian nigerians",
    "kenya kenyan kenyans",
    "argentina argentine argentinian",
    "chile chilean",
    "peru peruvian",
    "cuba cuban cubans",
    "europe european europeans",
    "africa african africans",
    "asia asian asians",
    "hungary hungarian",
    "romania romanian",
    "czechia czech",
    "rome roman romans",
    "paris parisian",
    "london londoner londoners",
];
/// Titles and forms of address, which a claim may leave out or add.
const TITLES: &str = "mr mrs ms mx dr prof professor sir dame lady lord mayor president king queen prince princess duke duchess emperor councillor senator \
    captain general judge justice minister secretary director chief ceo chairman chairwoman chair bishop pope saint st rev inc ltd llc plc corp co gmbh group";

/// How well two words of names agree.
pub(super) fn grade(claim: &Word, source: &Word) -> f32 {
    if claim.lower == source.lower || claim.lemma == source.lemma && claim.lower.len() > 3 {
        return 1.0;
    }
    let people = |word: &Word| {
        PEOPLES.iter().position(|names| names.split(' ').any(|name| name == word.lower.as_ref()))
    };
    if people(claim).is_some_and(|mine| people(source) == Some(mine)) {
        return 0.95;
    }
    // "Fridays" and "Friday"; "Parises" is nobody's plural.
    let singular = |word: &Word| word.lower.strip_suffix('s').map(str::to_owned);
    if singular(claim).as_deref() == Some(source.lower.as_ref())
        || singular(source).as_deref() == Some(claim.lower.as_ref())
    {
        return 0.95;
    }
    0.0
}

/// Whether a word is a title rather than a name.
pub(super) fn is_title(word: &Word) -> bool {
    TITLES.split_whitespace().any(|title| title == word.lower.trim_end_matches('.'))
}

/// Whether an acronym of the claim is spelled out in the source, or the other way round: the places
/// of the source's words that it stands for.
pub(super) fn spelled_out(acronym: &Word, reading: &Reading<'_>) -> Option<usize> {
    let letters: Vec<char> = acronym.lower.chars().filter(|c| c.is_alphanumeric()).collect();
    let short = (2..=6).contains(&letters.len()) && acronym.capital;
    if !short {
        return None;
    }
    let capitals: Vec<(usize, char)> = reading
        .words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.capital && word.lower.len() > 1)
        .filter_map(|(at, word)| Some((at, word.lower.chars().next()?)))
        .collect();
    let run = capitals.windows(letters.len()).find(|run| {
        let close = run.windows(2).all(|pair| matches!(pair, [(a, _), (b, _)] if b - a <= 2));
        close && run.iter().map(|(_, c)| c).eq(letters.iter())
    })?;
    run.first().map(|(at, _)| *at)
}
