//! What a question in another language than English asks for, by its question words.

use probity_text::Language;
use probity_text::words::words;

use super::question::Wanted;

/// Question words are among this many first words: "In welchem Jahr", "W którym roku".
const FIRST: usize = 4;

/// For each language what begins a question for an amount, for a time and for a person or a place, one word or two that
/// follow each other, and the verbs that begin a question that is answered by yes or no. In the Romance languages a
/// statement may begin with a verb as well, so that they have none.
const WORDS: &[(Language, [&str; 4])] = &[
    (
        Language::German,
        [
            "wieviel|wieviele|wie viel|wie viele|wie vielen|wie hoch|wie lang|wie lange|wie weit|\
             wie groß|wie alt|wie tief|wie breit|wie schwer|wie schnell|wie oft|wie teuer",
            "wann|welches jahr|welchem jahr|welchen jahren|welchem tag|welchem monat",
            "wer|wen|wem|wessen|wo|wohin|woher",
            "ist|sind|war|waren|hat|haben|hatte|wird|werden|wurde|kann|können|darf|dürfen|muss|\
             müssen|soll|gibt",
        ],
    ),
    (
        Language::Spanish,
        [
            "cuánto|cuánta|cuántos|cuántas|cuanto|cuantos|cuantas",
            "cuándo|cuando|qué año|que año|qué fecha|qué día|qué mes|qué siglo",
            "quién|quiénes|quien|dónde|donde|adónde",
            "",
        ],
    ),
    (
        Language::French,
        [
            "combien|quelle hauteur|quelle longueur|quelle distance|quelle profondeur|quel âge",
            "quand|quelle année|quelle date|quel jour|quel mois|quel siècle",
            "qui|où",
            "est-ce",
        ],
    ),
    (
        Language::Italian,
        [
            "quanto|quanta|quanti|quante|quant",
            "quando|che anno|quale anno|che data|che giorno|quale giorno|quale secolo",
            "chi|dove|dov",
            "",
        ],
    ),
    (
        Language::Portuguese,
        [
            "quanto|quanta|quantos|quantas",
            "quando|que ano|qual ano|que data|que dia|que mês|que século",
            "quem|onde|aonde",
            "",
        ],
    ),
    (
        Language::Dutch,
        [
            "hoeveel|hoe veel|hoe hoog|hoe lang|hoe ver|hoe groot|hoe oud|hoe diep|hoe breed|hoe zwaar|\
             hoe snel|hoe vaak|hoe duur",
            "wanneer|welk jaar|welke datum|welke dag|welke maand|welke eeuw",
            "wie|waar|waarheen",
            "is|zijn|was|waren|heeft|hebben|had|wordt|worden|werd|kan|kunnen|mag|mogen|moet|moeten",
        ],
    ),
    (
        Language::Polish,
        [
            "ile|ilu|iloma|jak długo|jak wysoki|jak wysoka|jak daleko|jak często",
            "kiedy|którym roku|którego roku|którym wieku|którym dniu|którym miesiącu",
            "kto|kogo|komu|kim|gdzie|dokąd|skąd",
            "czy",
        ],
    ),
    (
        Language::Swedish,
        [
            "hur mycket|hur många|hur hög|hur högt|hur lång|hur långt|hur länge|hur stor|hur stort|\
             hur gammal|hur djup|hur ofta|hur dyr",
            "när|vilket år|vilken dag|vilket datum|vilken månad|vilket århundrade",
            "vem|var|vart|varifrån",
            "är|har|hade|blir|blev|kan|får|måste|ska|skall|finns",
        ],
    ),
];

/// What a question asks for; something else where its words do not say.
pub(super) fn wanted(question: &str, language: Language) -> Wanted {
    const KINDS: [Wanted; 4] = [Wanted::Amount, Wanted::Time, Wanted::Name, Wanted::Truth];
    let Some((_, lists)) = WORDS.iter().find(|(known, _)| *known == language) else {
        return Wanted::Other;
    };
    let first: Vec<String> =
        words(question).take(FIRST).map(|word| word.lower.into_owned()).collect();
    // The first word decides before what follows it; two words before one.
    for (at, word) in first.iter().enumerate() {
        let two = first.get(at + 1).map_or_else(|| word.clone(), |next| format!("{word} {next}"));
        let has = |words: &str| words.split('|').any(|one| one == two || one == word);
        let mut said = lists.iter().zip(KINDS).filter(|(words, _)| has(words));
        if let Some((_, wanted)) = said.find(|(_, kind)| at == 0 || *kind != Wanted::Truth) {
            return wanted;
        }
    }
    Wanted::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_words_of_eight_languages_say_what_is_wanted() {
        use Language::{Dutch, French, German, Italian, Polish, Portuguese, Spanish, Swedish};
        for (language, question, expected) in [
            (German, "Wie viele Einwohner hat die Stadt?", Wanted::Amount),
            (German, "In welchem Jahr wurde sie gebaut?", Wanted::Time),
            (German, "Wer baute die Brücke?", Wanted::Name),
            (German, "Ist der Hafen offen?", Wanted::Truth),
            (German, "Warum ist der Hafen zu?", Wanted::Other),
            (German, "Wie funktioniert die Pumpe?", Wanted::Other),
            (Spanish, "¿Cuántos habitantes tiene la ciudad?", Wanted::Amount),
            (Spanish, "¿En qué año se construyó?", Wanted::Time),
            (Spanish, "¿Dónde está el faro?", Wanted::Name),
            (French, "Combien d’habitants a la ville ?", Wanted::Amount),
            (French, "En quelle année fut-il construit ?", Wanted::Time),
            (French, "Qui a construit le pont ?", Wanted::Name),
            (Italian, "Quanti abitanti ha la città?", Wanted::Amount),
            (Italian, "Quando fu costruita?", Wanted::Time),
            (Italian, "Chi costruì il ponte?", Wanted::Name),
            (Portuguese, "Quantos habitantes tem a cidade?", Wanted::Amount),
            (Portuguese, "Em que ano foi construída?", Wanted::Time),
            (Portuguese, "Onde fica o farol?", Wanted::Name),
            (Dutch, "Hoeveel inwoners heeft de stad?", Wanted::Amount),
            (Dutch, "Wanneer werd ze gebouwd?", Wanted::Time),
            (Dutch, "Mag de muziek na tien uur spelen?", Wanted::Truth),
            (Polish, "Ilu mieszkańców ma miasto?", Wanted::Amount),
            (Polish, "W którym roku je zbudowano?", Wanted::Time),
            (Polish, "Czy port jest otwarty?", Wanted::Truth),
            (Swedish, "Hur många invånare har staden?", Wanted::Amount),
            (Swedish, "När byggdes den?", Wanted::Time),
            (Swedish, "Vem byggde bron?", Wanted::Name),
            (Language::Finnish, "Milloin se rakennettiin?", Wanted::Other),
        ] {
            assert_eq!(wanted(question, language), expected, "{question}");
        }
    }
}
