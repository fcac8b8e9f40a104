//! What a sentence in another language than English begins with when it says nothing without the one before it.

use probity_text::Language;
use probity_text::words::Word;

/// For each language the words that point back at something, and those that go on from a thought. A word that is an
/// article too is missing, because most sentences that begin with it name their subject.
const WORDS: &[(Language, [&str; 2])] = &[
    (
        Language::German,
        [
            "er sie ihr ihre sein seine dieser diese dieses dort dadurch dafür dagegen damit danach daran darauf \
             daraus darin darüber darum davon dazu dessen deren seitdem seither solche",
            "aber und oder sondern denn daher deshalb deswegen also trotzdem dennoch jedoch dann außerdem zudem auch \
             sonst stattdessen ja",
        ],
    ),
    (
        Language::Spanish,
        [
            "él ella ello ellos ellas su sus este esta esto estos estas ese esa eso esos esas aquel aquello allí ahí lo",
            "pero y e o así además también luego entonces después tampoco sino aunque sí",
        ],
    ),
    (
        Language::French,
        [
            "il elle ils elles ce cet cette ces cela ça celui celle ceux son sa ses leur leurs y",
            "mais et ou donc ainsi aussi alors puis ensuite pourtant cependant toutefois sinon car oui",
        ],
    ),
    (
        Language::Italian,
        [
            "egli lui lei essi esse loro questo questa questi queste quello quella ciò suo sua suoi sue lì là",
            "ma e o quindi dunque così inoltre anche poi tuttavia però perciò infatti sì",
        ],
    ),
    (
        Language::Portuguese,
        [
            "ele ela eles elas isto isso aquilo este esta estes estas esse essa esses essas seu sua seus suas ali lá",
            "mas e ou assim também então depois contudo porém portanto logo além sim",
        ],
    ),
    (
        Language::Dutch,
        [
            "hij zij ze dit deze dat die zijn haar hun daar daarin daarmee daarop daarvan daarna daardoor",
            "maar en of dus daarom echter toch ook dan verder bovendien ja",
        ],
    ),
    (
        Language::Polish,
        [
            "on ona ono oni one jego jej ich ten ta to te ci tam stamtąd",
            "ale i a lub albo więc także też jednak potem zatem ponadto dlatego tak",
        ],
    ),
    (
        Language::Swedish,
        [
            "han hon dess deras hans hennes denna detta dessa där därifrån",
            "men och eller så därför sedan också dock ändå dessutom då ja",
        ],
    ),
];

/// Whether a sentence points back or goes on, by its first word in its language.
pub(super) fn goes_on(sentence: &str, all: &[Word<'_>]) -> bool {
    begins(sentence, all, 2)
}

/// Whether a sentence goes on from a thought before it.
pub(super) fn links(sentence: &str, all: &[Word<'_>]) -> bool {
    begins(sentence, all, 1)
}

/// Whether the first word is in one of the last lists of its language. The language is only told where it matters.
fn begins(sentence: &str, all: &[Word<'_>], lists: usize) -> bool {
    let Some(first) = all.first().map(|word| word.lower.as_ref()) else { return false };
    let has = |list: &&str| list.split_whitespace().any(|word| word == first);
    let found: Vec<Language> = WORDS
        .iter()
        .filter(|(_, words)| words.iter().rev().take(lists).any(has))
        .map(|(language, _)| *language)
        .collect();
    !found.is_empty() && found.contains(&Language::detect(sentence))
}

#[cfg(test)]
mod tests {
    use probity_text::words::words;

    use super::*;

    #[test]
    fn a_sentence_that_points_back_is_told_in_its_language() {
        let goes_on = |text: &str| goes_on(text, &words(text).collect::<Vec<_>>());
        for text in [
            "Er verlangt, dass die Tiere geschossen werden.",
            "Seitdem wird das Licht von dort aus gesteuert.",
            "Esto fue lo que dijo el alcalde de la ciudad.",
            "Pero no se sabe quién lo hizo en la noche.",
            "Elle a été construite dans la ville.",
            "Hij werd in de stad geboren en is er ook gestorven.",
            "Hon föddes i staden och dog där.",
        ] {
            assert!(goes_on(text), "{text}");
        }
        for text in [
            "Das Museum ist von April bis Oktober geöffnet.",
            "El puente es de piedra y se puede visitar.",
            "Son of a miller, he was born in the town.",
            "Die Rente wurde ihm entzogen.",
        ] {
            assert!(!goes_on(text), "{text}");
        }
    }
}
