//! What a question in another language than English asks for, by its question words.

use probity_text::Language;
use probity_text::words::words;

use super::question::Wanted;

/// Question words are among this many first words: "In welchem Jahr", "W którym roku".
const FIRST: usize = 4;

/// What begins a question for something, in lower case.
struct Words {
    language: Language,
    /// For an amount: one word, or two that follow each other.
    amount: &'static [&'static str],
    /// For a time.
    time: &'static [&'static str],
    /// For a person or a place.
    name: &'static [&'static str],
    /// Verbs that a question begins with that is answered by yes or no; in the Romance languages a statement may
    /// begin with a verb as well, so that they have none.
    truth: &'static [&'static str],
}

const WORDS: &[Words] = &[
    Words {
        language: Language::German,
        amount: &[
            "wieviel",
            "wieviele",
            "wie viel",
            "wie viele",
            "wie vielen",
            "wie hoch",
            "wie lang",
            "wie lange",
            "wie weit",
            "wie groß",
            "wie alt",
            "wie tief",
            "wie breit",
            "wie schwer",
            "wie schnell",
            "wie oft",
            "wie teuer",
        ],
        time: &[
            "wann",
            "welches jahr",
            "welchem jahr",
            "welchen jahren",
            "welchem tag",
            "welchem monat",
        ],
        name: &["wer", "wen", "wem", "wessen", "wo", "wohin", "woher"],
        truth: &[
            "ist", "sind", "war", "waren", "hat", "haben", "hatte", "wird", "werden", "wurde",
            "kann", "können", "darf", "dürfen", "muss", "müssen", "soll", "gibt",
        ],
    },
    Words {
        language: Language::Spanish,
        amount: &["cuánto", "cuánta", "cuántos", "cuántas", "cuanto", "cuantos", "cuantas"],
        time: &[
            "cuándo",
            "cuando",
            "qué año",
            "que año",
            "qué fecha",
            "qué día",
            "qué mes",
            "qué siglo",
        ],
        name: &["quién", "quiénes", "quien", "dónde", "donde", "adónde"],
        truth: &[],
    },
    Words {
        language: Language::French,
        amount: &[
            "combien",
            "quelle hauteur",
            "quelle longueur",
            "quelle distance",
            "quelle profondeur",
            "quel âge",
        ],
        time: &["quand", "quelle année", "quelle date", "quel jour", "quel mois", "quel siècle"],
        name: &["qui", "où"],
        truth: &["est-ce"],
    },
    Words {
        language: Language::Italian,
        amount: &["quanto", "quanta", "quanti", "quante", "quant"],
        time: &[
            "quando",
            "che anno",
            "quale anno",
            "che data",
            "che giorno",
            "quale giorno",
            "quale secolo",
        ],
        name: &["chi", "dove", "dov"],
        truth: &[],
    },
    Words {
        language: Language::Portuguese,
        amount: &["quanto", "quanta", "quantos", "quantas"],
        time: &["quando", "que ano", "qual ano", "que data", "que dia", "que mês", "que século"],
        name: &["quem", "onde", "aonde"],
        truth: &[],
    },
    Words {
        language: Language::Dutch,
        amount: &[
            "hoeveel",
            "hoe veel",
            "hoe hoog",
            "hoe lang",
            "hoe ver",
            "hoe groot",
            "hoe oud",
            "hoe diep",
            "hoe breed",
            "hoe zwaar",
            "hoe snel",
            "hoe vaak",
            "hoe duur",
        ],
        time: &["wanneer", "welk jaar", "welke datum", "welke dag", "welke maand", "welke eeuw"],
        name: &["wie", "waar", "waarheen"],
        truth: &[
            "is", "zijn", "was", "waren", "heeft", "hebben", "had", "wordt", "worden", "werd",
            "kan", "kunnen", "mag", "mogen", "moet", "moeten",
        ],
    },
    Words {
        language: Language::Polish,
        amount: &[
            "ile",
            "ilu",
            "iloma",
            "jak długo",
            "jak wysoki",
            "jak wysoka",
            "jak daleko",
            "jak często",
        ],
        time: &[
            "kiedy",
            "którym roku",
            "którego roku",
            "którym wieku",
            "którym dniu",
            "którym miesiącu",
        ],
        name: &["kto", "kogo", "komu", "kim", "gdzie", "dokąd", "skąd"],
        truth: &["czy"],
    },
    Words {
        language: Language::Swedish,
        amount: &[
            "hur mycket",
            "hur många",
            "hur hög",
            "hur högt",
            "hur lång",
            "hur långt",
            "hur länge",
            "hur stor",
            "hur stort",
            "hur gammal",
            "hur djup",
            "hur ofta",
            "hur dyr",
        ],
        time: &[
            "när",
            "vilket år",
            "vilken dag",
            "vilket datum",
            "vilken månad",
            "vilket århundrade",
        ],
        name: &["vem", "var", "vart", "varifrån"],
        truth: &[
            "är", "har", "hade", "blir", "blev", "kan", "får", "måste", "ska", "skall", "finns",
        ],
    },
];

/// What a question asks for; something else where its words do not say.
pub(super) fn wanted(question: &str, language: Language) -> Wanted {
    let Some(list) = WORDS.iter().find(|words| words.language == language) else {
        return Wanted::Other;
    };
    let first: Vec<String> =
        words(question).take(FIRST).map(|word| word.lower.into_owned()).collect();
    // The first word decides before what follows it; two words before one.
    for (at, word) in first.iter().enumerate() {
        let two = first.get(at + 1).map(|next| format!("{word} {next}")).unwrap_or_default();
        let has = |words: &[&str]| words.contains(&two.as_str()) || words.contains(&word.as_str());
        let lists = [
            (list.truth, Wanted::Truth),
            (list.amount, Wanted::Amount),
            (list.time, Wanted::Time),
            (list.name, Wanted::Name),
        ];
        let said = lists.into_iter().filter(|(_, wanted)| at == 0 || *wanted != Wanted::Truth);
        if let Some((_, wanted)) = said.into_iter().find(|(words, _)| has(words)) {
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
