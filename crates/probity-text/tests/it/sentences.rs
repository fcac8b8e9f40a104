//! Sentences of nine languages, and of texts as they are found: lists, transcripts, wrapped mail.

use probity_text::sentences::{SENTENCE_BYTES, sentences, split};

fn found(text: &str) -> Vec<&str> {
    split(text).collect()
}

/// A text made of sentences comes apart into them again.
fn comes_apart(sentences: &[&str]) {
    assert_eq!(found(&sentences.join(" ")), sentences);
}

#[test]
fn english_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Gen. Alder and Col. Byrne met at St. Orin.", "They spoke for an hour."][..],
        &["The firm, Halden & Co. of Dunmore, was sold.", "Nobody was told."],
        &["It weighs approx. 40 kg.", "The box weighs more."],
        &["She holds a Ph.D. from Dunmore.", "Her thesis is on peat."],
        &["See Vol. 3, pp. 12–15 and fig. 4.", "The map is on p. 7."],
        &["It was 3.5 m long vs. 4.1 m before.", "Both were measured in 2019."],
        &["The limit is 55 dB.", "At 10 p.m. it falls to 45 dB."],
        &["The U.S. Navy sold it in Jan. 1999.", "It sank in 2004."],
        &["Was it sold?", "Yes!", "For 900 crowns."],
        &["Peat burns slowly (Alder et al. 2014), as Byrne et al. found.", "Nobody was told."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn german_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Am 3. Oktober 1990 wurde das Land vereint.", "Seither ist der Tag ein Feiertag."][..],
        &["Die Brücke ist ca. 40 Meter lang, d.h. kürzer als die alte.", "Sie wurde 1902 gebaut."],
        &["Nach Abs. 3 der Satzung kostet es 40 Euro bzw. 50 Euro.", "Das gilt nicht für Kinder."],
        &["Im 19. Jahrhundert war die Stadt reich.", "Heute ist sie es nicht mehr."],
        &["Prof. Dr. Lena Amsel leitet das Haus.", "Sie ist seit 2019 im Amt."],
        &["Das kostet 2 Mio. Euro.", "Die Stadt zahlt 1 Mrd. Euro für die Bahn."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn french_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["M. Dupont et Mme. Leroy sont venus.", "Ils sont restés une heure."][..],
        &["Le pont a coûté 3,5 millions d'euros.", "Il est ouvert depuis le 1er mai 1998."],
        &["Voir le chap. 4, p. 12.", "La carte est dans le vol. 2 de la série."],
        &["« Est-ce vrai ? »", "Oui !", "Il a dit la vérité."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn spanish_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["El Dr. Ruiz y la Sra. Vega llegaron a las 10.", "La reunión fue breve."][..],
        &["Véase la pág. 14 y el núm. 3 de la revista.", "El mapa está en el apdo. 5 de la guía."],
        &["¿Cuánto cuesta la entrada?", "Son 12 euros.", "¡Es muy cara!"],
        &["La torre mide 3.500 metros.", "Fue construida en el siglo XV."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn italian_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Il sig. Rossi e il dott. Verdi sono arrivati.", "La riunione è stata breve."][..],
        &["Si veda il cap. 3 e la pag. 12 del libro.", "La mappa è alla fine."],
        &["L'ing. Bianchi ha costruito il ponte nel 1902.", "È ancora in uso."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn portuguese_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["O Dr. Sousa e a Dra. Lima chegaram às 10 horas.", "A reunião foi breve."][..],
        &["Veja a pág. 12 e o cap. 3 do livro.", "O mapa está no fim."],
        &["A casa fica na av. Central e não na praça.", "Foi construída em 1902."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn dutch_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Dhr. Jansen en mevr. De Vries zijn er al.", "Het was een korte vergadering."][..],
        &["Zie blz. 12 en hfst. 3 van het boek.", "De kaart staat op de laatste bladzijde."],
        &["Het kost 2 mln. euro, d.w.z. meer dan de oude brug.", "De stad betaalt het."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn polish_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Dom stoi przy ul. Długiej i jest bardzo stary.", "Nie ma go na mapie."][..],
        &["Jest to tzw. Stary Dwór z XV w. i ma 40 m długości.", "On jest w mieście."],
        &["Budowa kosztowała ok. 3 mln zł.", "Nie wiadomo, kto za to zapłacił."],
        &["Urodził się 3. maja i jest najstarszy.", "Jego brat jest młodszy."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn swedish_prose_comes_apart_at_its_full_stops() {
    for text in [
        &["Enl. Boken är det inte så, dvs. det är fel.", "Det var en dag i maj."][..],
        &["Se kap. 3 och sid. 12 i boken.", "Kartan finns där också."],
        &["Mötet börjar kl. 10 och det är öppet för alla.", "Det tar en timme."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn what_is_said_in_quotation_marks_is_not_cut_from_who_said_it() {
    for text in [
        &["\"It is safe!\" she said.", "Nobody believed her."][..],
        &["„Ist das wahr?“ fragte er.", "Niemand antwortete ihm."],
        &["«C'est faux!» dit-il.", "Il est parti dans la nuit."],
        &["'Why?' asked the clerk.", "The mayor did not answer."],
    ] {
        comes_apart(text);
    }
}

#[test]
fn a_transcript_and_a_list_keep_their_lines_apart() {
    let text = "AGENDA\n\n1. Minutes of the last meeting\n2. The quay\n   a) Repairs. Cost: 900 crowns.\n   b) Fees\n\nCHAIR: We begin.\nMEMBER: I object!";
    assert_eq!(
        found(text),
        [
            "AGENDA",
            "Minutes of the last meeting",
            "The quay",
            "Repairs.",
            "Cost: 900 crowns.",
            "Fees",
            "CHAIR: We begin.",
            "MEMBER: I object!"
        ]
    );
}

#[test]
fn rows_of_a_table_are_sentences_of_their_own() {
    let text = "Fees of the town\nhall: Great Hall · price: 900 crowns\nhall: Small Hall · price: 400 crowns. Heated";
    assert_eq!(
        found(text),
        [
            "Fees of the town",
            "hall: Great Hall · price: 900 crowns",
            "hall: Small Hall · price: 400 crowns.",
            "Heated"
        ]
    );
}

#[test]
fn a_mail_with_quoted_lines_loses_its_marks_and_nothing_else() {
    assert_eq!(
        found("> The quay is closed\n> until Friday.\n>\n> - boats\n\nThank you."),
        ["The quay is closed\n> until Friday.", "boats", "Thank you."]
    );
}

#[test]
fn line_ends_of_other_systems_end_the_same_lines() {
    for end in ["\n", "\r\n", "\u{2028}"] {
        let text = ["# Quays", "Repairs", "", "- First", "- Second"].join(end);
        assert_eq!(found(&text), ["Quays", "Repairs", "First", "Second"], "{end:?}");
    }
}

#[test]
fn pieces_without_a_letter_or_a_digit_say_nothing() {
    for text in ["", "   ", "***", "- - -", "…", "?!", "\n\n\n", "|---|---|", "“”"] {
        assert_eq!(found(text), [""; 0], "{text:?}");
    }
}

#[test]
fn a_sentence_that_is_too_long_is_cut_after_a_clause_and_loses_no_word() {
    let clause = "the quay was repaired by the town in the year of the flood; ";
    let text = clause.repeat(60);
    let pieces = found(&text);
    assert!(pieces.len() > 1);
    assert!(pieces.iter().all(|piece| piece.len() <= SENTENCE_BYTES), "{pieces:?}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&pieces.join(" ")), words(&text));
}

#[test]
fn splitting_takes_time_in_proportion_to_the_text() {
    // A quadratic splitter would not come back from a megabyte of stops within the limit of a test.
    for piece in ["a.b.", "[1]", "((((", "1.1.1.", ". ", "\"", "> > > ", "A. "] {
        let text = piece.repeat(1_000_000 / piece.len());
        let ranges = sentences(&text);
        assert!(ranges.iter().all(|range| text.get(range.clone()).is_some()), "{piece}");
    }
}
