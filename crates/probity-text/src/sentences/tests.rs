//! Where sentences end, and where they only seem to.

use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<&str> {
    split(text).collect()
}

#[test]
fn abbreviations_initials_and_decimals_do_not_end_a_sentence() {
    assert_eq!(
        found("Mr. J. K. Marlow paid 3.50 crowns to Dr. Ames. He left."),
        ["Mr. J. K. Marlow paid 3.50 crowns to Dr. Ames.", "He left."]
    );
    assert_eq!(
        found("See No. 5 and Fig. 2. It is e.g. a map."),
        ["See No. 5 and Fig. 2.", "It is e.g. a map."]
    );
    assert_eq!(found("Is it safe? No. Nobody goes."), ["Is it safe?", "No.", "Nobody goes."]);
    assert_eq!(
        found("Made by Halden Inc. and sold by Orr Ltd. in May."),
        ["Made by Halden Inc. and sold by Orr Ltd. in May."]
    );
    assert_eq!(
        found("Music ends at 10 p.m. The fine is 80 crowns."),
        ["Music ends at 10 p.m.", "The fine is 80 crowns."]
    );
    assert_eq!(
        found("At 5 p.m. Monday the U.S. Senate met."),
        ["At 5 p.m. Monday the U.S. Senate met."]
    );
    assert_eq!(
        found("Take vitamin C. The dose is small."),
        ["Take vitamin C.", "The dose is small."]
    );
    assert_eq!(
        found("It grew to 1.200.000 in 2019. Then it fell."),
        ["It grew to 1.200.000 in 2019.", "Then it fell."]
    );
    assert_eq!(
        found("Am 3. Oktober wird gefeiert. Danach nicht."),
        ["Am 3. Oktober wird gefeiert.", "Danach nicht."]
    );
}

#[test]
fn every_language_has_its_own_abbreviations_and_ordinals() {
    for (text, count) in [
        ("Nach § 5 Abs. 2 der Satzung ist die Gebühr fällig. Das gilt auch hier.", 2),
        ("Die Burg wurde im 13. Jahrhundert von Ludwig XIV. Bruder gebaut. Sie ist heute leer.", 2),
        ("Er wurde am Ende 21. Die Feier war klein und das Essen gut.", 2),
        ("Véase la pág. 5 del informe y el núm. 7 de la lista. Es muy claro.", 2),
        ("Voir le chap. 3 et la réf. 12 de ce livre. Il est dans la salle.", 2),
        ("Si veda pag. 5 del libro e il sig. Rossi alla fine. La casa è grande.", 2),
        ("Veja a pág. 5 do livro e o núm. 7 da lista. Não é muito claro.", 2),
        ("Zie blz. 5 van het boek en dhr. Jansen op de eerste rij. Het is duidelijk.", 2),
        (
            "To jest dom przy ul. Długiej i nie ma go na str. 5, tzw. Stary Dwór. On jest w mieście.",
            2,
        ),
        ("Det är enl. Boken inte så och jfr. Sidan om det. Det var en dag.", 2),
    ] {
        assert_eq!(found(text).len(), count, "{:?}", found(text));
    }
    assert_eq!(found("He scored 21. Smith went home to see the game.").len(), 2);
    assert_eq!(found("They met in the abs. Nobody knew the reason for it.").len(), 2);
}

#[test]
fn quotes_brackets_and_notes_stay_with_their_sentence() {
    assert_eq!(
        found("\"Stop!\" he said. (It was late.) “Go.” They went."),
        ["\"Stop!\" he said.", "(It was late.)", "“Go.”", "They went."]
    );
    assert_eq!(
        found("It closed in 1990.[12][3] The site is empty."),
        ["It closed in 1990.[12][3]", "The site is empty."]
    );
    assert_eq!(found("**It opened.** Then rain."), ["**It opened.**", "Then rain."]);
    assert_eq!(
        found("He waited... and left. Well… Nobody came."),
        ["He waited... and left.", "Well…", "Nobody came."]
    );
}

#[test]
fn headings_lists_and_rows_end_with_their_line() {
    let text = "# The harbour\nThe harbour opened in 1902\n\n- Boats for hire\n- Cold drinks\n1. First\n2) Second\n| a | b |\n|---|---|\n> Quoted text.";
    assert_eq!(
        found(text),
        [
            "The harbour",
            "The harbour opened in 1902",
            "Boats for hire",
            "Cold drinks",
            "First",
            "Second",
            "a | b |",
            "Quoted text."
        ]
    );
}

#[test]
fn a_line_in_small_letters_goes_on_only_with_a_sentence_that_is_open() {
    let text =
        "It takes a float.\nclassmethod from_decimal(dec)\nIt takes a decimal number of any size.";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(found(text), lines);
    assert_eq!(found("It was built by\nhand in 1850.").len(), 1);
    assert_eq!(found("It holds approx.\nfive litres, i.e.\nsome milk.").len(), 1);
}

#[test]
fn wrapped_prose_is_joined_and_a_title_line_is_not() {
    let wrapped =
        "The council of Port Ellery met on Tuesday to hear\nMrs. Dunn speak about the\nmarket.";
    assert_eq!(found(wrapped), [wrapped]);
    assert_eq!(
        found(
            "Council bans late music\nThe council of Port Ellery has banned amplified music after ten."
        ),
        [
            "Council bans late music",
            "The council of Port Ellery has banned amplified music after ten."
        ]
    );
}

#[test]
fn other_scripts_have_their_own_stops() {
    assert_eq!(
        found("港は1902年に開いた。船は三隻ある！本当？"),
        ["港は1902年に開いた。", "船は三隻ある！", "本当？"]
    );
    assert_eq!(
        found("¿Cuánto cuesta? ¡Nada! Es gratis."),
        ["¿Cuánto cuesta?", "¡Nada!", "Es gratis."]
    );
    assert_eq!(found("यह घर है। वह नदी है।"), ["यह घर है।", "वह नदी है।"]);
}

#[test]
fn addresses_are_not_cut_and_lost_spaces_are_found() {
    assert_eq!(
        found("See https://a.example/x.html?q=1. It is at b.example.com today."),
        ["See https://a.example/x.html?q=1.", "It is at b.example.com today."]
    );
    assert_eq!(
        found("The music stopped.The crowd left."),
        ["The music stopped.", "The crowd left."]
    );
}

#[test]
fn a_very_long_sentence_is_cut_at_a_space() {
    let text = "word ".repeat(2_000);
    let ranges = sentences(&text);
    assert!(ranges.len() >= 6);
    assert!(ranges.iter().all(|range| range.len() <= SENTENCE_BYTES
        && !text.get(range.clone()).unwrap().contains("wo rd")));
    let solid = "x".repeat(4_000);
    assert_eq!(sentences(&solid).iter().map(|range| range.len()).sum::<usize>(), 4_000);
}

#[test]
fn initials_that_are_also_abbreviations_end_nothing() {
    let text = "It was founded by Dr. J. P. Carrow, who died. See p. 12 of the guide.";
    assert_eq!(sentences(text).len(), 2);
}

proptest! {
    #[test]
    fn ranges_are_in_order_trimmed_bounded_and_lose_no_letter(text in "(?s)[ -~\n.。!?éß中\u{300}\"\\[\\]0-9]{0,300}") {
        let ranges = sentences(&text);
        let mut last = 0;
        let mut kept = 0;
        for range in &ranges {
            prop_assert!(range.start >= last && range.end > range.start && range.len() <= SENTENCE_BYTES);
            let piece = text.get(range.clone());
            prop_assert!(piece.is_some_and(|piece| piece.trim() == piece));
            kept += piece.map_or(0, |piece| piece.chars().filter(|c| c.is_alphabetic() && c.len_utf8() > 1).count());
            last = range.end;
        }
        prop_assert_eq!(kept, text.chars().filter(|c| c.is_alphabetic() && c.len_utf8() > 1).count());
    }

    #[test]
    fn any_text_is_split(text in any::<String>()) {
        for range in sentences(&text) {
            prop_assert!(text.get(range).is_some());
        }
    }
}

#[test]
fn a_heading_over_a_paragraph_that_was_not_wrapped_ends_with_its_line() {
    let long = "tar packs the files of a folder into one archive, keeps their owners, their times and \
                their modes, and unpacks them again on any other machine.";
    assert_eq!(found(&format!("PACKING FILES\n{long}")), ["PACKING FILES", long]);
    assert_eq!(
        found("The clerk wrote that\ntar packs files."),
        ["The clerk wrote that\ntar packs files."]
    );
}

#[test]
fn the_number_of_a_section_is_no_sentence() {
    assert_eq!(
        found(
            "5.1. The rights end. They may come back.\n\n10.3.2) New terms apply.\n\n3.5 m were cut."
        ),
        ["The rights end.", "They may come back.", "New terms apply.", "3.5 m were cut."]
    );
}

#[test]
fn a_quotation_that_is_open_at_the_end_of_a_line_goes_on_in_the_next() {
    let text = "It is found in the section called \"The\nTown Hall\", which every copy of the guide has in it.";
    assert_eq!(found(text).len(), 1, "{:?}", found(text));
}
