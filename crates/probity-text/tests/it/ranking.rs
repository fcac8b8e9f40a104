//! The laws of ranking by words: BM25, the share of the most a passage could have, and what is covered.

use probity_text::lexical::{Lexical, Query, Text};
use proptest::prelude::*;

fn measure(question: &str, bodies: &[&str]) -> Vec<Lexical> {
    let texts: Vec<Text<'_>> = bodies.iter().map(|body| Text { lead: "", body }).collect();
    Query::new(question).measure(&texts)
}

/// Sixty words that no question here asks for, so that lengths do not decide.
fn filler(words: usize) -> String {
    "sand ".repeat(words)
}

#[test]
fn a_passage_with_more_of_the_questions_words_comes_first() {
    let found = measure(
        "When does the ferry to the island leave?",
        &["The ferry leaves the island at nine.", "The ferry is white.", "Bread is baked at four."],
    );
    assert!(found[0].bm25 > found[1].bm25 && found[1].bm25 > found[2].bm25, "{found:?}");
    assert!(found[0].covered > found[1].covered && found[1].covered > 0.0, "{found:?}");
    assert_eq!((found[2].bm25, found[2].share, found[2].covered), (0.0, 0.0, 0.0));
}

#[test]
fn repetition_counts_less_each_time() {
    let bodies: Vec<String> =
        (0..5).map(|hits| format!("{}{}", "ferry ".repeat(hits), filler(60 - hits))).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let found = measure("ferry", &bodies);
    let steps: Vec<f64> = found.windows(2).map(|pair| pair[1].bm25 - pair[0].bm25).collect();
    assert!(steps.iter().all(|step| *step > 0.0), "{steps:?}");
    assert!(steps.windows(2).all(|pair| pair[1] < pair[0]), "{steps:?}");
}

#[test]
fn the_same_words_in_a_longer_passage_count_less() {
    let (short, long) = (format!("ferry {}", filler(70)), format!("ferry {}", filler(400)));
    let found = measure("ferry", &[&short, &long]);
    assert!(found[0].bm25 > found[1].bm25 && found[0].share > found[1].share, "{found:?}");
}

#[test]
fn inflected_words_are_the_questions_words_in_any_language() {
    for (question, body) in [
        ("How many ferries are repaired?", "They repair the ferry."),
        ("Welche Häfen sind geschlossen?", "Der Hafen ist zu."),
        ("¿Cuánto cuestan las casas?", "La casa es cara."),
        ("Quels bateaux sont arrivés ?", "Le bateau est parti."),
    ] {
        assert!(measure(question, &[body])[0].covered > 0.0, "{question}");
    }
}

#[test]
fn stopwords_find_nothing() {
    let found = measure("What is it that you have?", &["It is that what you have, is it?"]);
    assert_eq!((found[0].bm25, found[0].covered), (0.0, 0.0));
}

#[test]
fn no_passages_have_no_measures() {
    assert_eq!(Query::new("ferry").measure(&[]), []);
}

fn passage() -> impl Strategy<Value = String> {
    let words =
        vec!["ferry", "island", "ferries", "bread", "sand", "the", "2019", "nine", "Ferry."];
    prop::collection::vec(prop::sample::select(words), 0..80).prop_map(|words| words.join(" "))
}

#[test]
fn capitals_accents_in_pieces_and_possessives_change_no_measure() {
    for (one, other) in [
        ("When does the ferry leave?", "WHEN DOES THE FERRY LEAVE?"),
        ("the ferry's price", "the ferry’s price"),
        ("Wann fährt die Fähre?", "Wann fa\u{308}hrt die Fa\u{308}hre?"),
        ("Where is İzmir?", "Where is Izmir?"),
    ] {
        for body in ["The ferry leaves at nine.", "Die Fähre fährt um neun.", "IZMIR is a port."]
        {
            let (a, b) = (measure(one, &[body])[0], measure(other, &[body])[0]);
            assert_eq!((a.bm25, a.covered), (b.bm25, b.covered), "{one} | {other} | {body}");
        }
    }
}

#[test]
fn a_word_that_every_passage_has_decides_less_than_one_that_few_have() {
    let mut bodies = vec!["ferry sand sand", "island sand sand"];
    bodies.extend(["ferry bread bread"; 8]);
    let found = measure("ferry island", &bodies);
    assert!(found[1].bm25 > 2.0 * found[0].bm25, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_and_the_repetition_of_words_in_a_question_change_nothing(
        words in Just(vec!["ferry", "island", "bread", "nine"]).prop_shuffle(), bodies in prop::collection::vec(passage(), 1..6),
    ) {
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let straight = measure("ferry island bread nine", &bodies);
        for question in [words.join(" "), format!("{0} {0}", words.join(" "))] {
            for (a, b) in straight.iter().zip(&measure(&question, &bodies)) {
                prop_assert!((a.bm25 - b.bm25).abs() < 1e-9 && (a.share - b.share).abs() < 1e-9);
                prop_assert_eq!(a.covered, b.covered);
            }
        }
    }

    #[test]
    fn a_passage_without_the_questions_words_makes_them_rarer_and_changes_no_order(bodies in prop::collection::vec(passage(), 2..6)) {
        let mut bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let before = measure("ferry", &bodies);
        bodies.push("sand");
        let after = measure("ferry", &bodies);
        prop_assert_eq!(after.last().map(|one| one.bm25), Some(0.0));
        for (a, b) in before.iter().zip(&after) {
            prop_assert!(b.bm25 >= a.bm25 * 0.99, "{:?} {:?}", a, b);
            prop_assert!((a.share - b.share).abs() < 0.2, "the share is the language's: {:?} {:?}", a, b);
        }
    }

    #[test]
    fn measures_stay_in_their_ranges(question in "\\PC{0,40}", bodies in prop::collection::vec("\\PC{0,80}", 0..5)) {
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        for one in measure(&question, &bodies) {
            prop_assert!(one.bm25.is_finite() && one.bm25 >= 0.0, "{:?}", one);
            prop_assert!((0.0..=1.0).contains(&one.share), "{:?}", one);
            prop_assert!((0.0..=1.0).contains(&one.covered), "{:?}", one);
            prop_assert!((-1.001..=1.001).contains(&one.cosine), "{:?}", one);
        }
    }

    #[test]
    fn the_order_of_passages_changes_no_measure(bodies in prop::collection::vec(passage(), 1..8), turn in 0usize..8) {
        let mut turned: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let straight = measure("ferry to the island in 2019", &turned);
        let turn = turn % turned.len();
        turned.rotate_left(turn);
        let mut measured = measure("ferry to the island in 2019", &turned);
        measured.rotate_right(turn);
        for (a, b) in straight.iter().zip(&measured) {
            prop_assert!((a.bm25 - b.bm25).abs() < 1e-9 && a.share == b.share && a.covered == b.covered);
        }
    }

    #[test]
    fn a_share_does_not_change_with_the_collection_while_lengths_are_usual(body in passage(), others in prop::collection::vec(passage(), 0..6)) {
        // All of them are short of a usual passage's length, so that none moves the mean.
        let short = |text: &String| text.split(' ').take(60).collect::<Vec<_>>().join(" ");
        let mut texts = vec![short(&body)];
        let alone = measure("ferry to the island in 2019", &[&texts[0]]);
        texts.extend(others.iter().map(short));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = measure("ferry to the island in 2019", &texts);
        prop_assert!((alone[0].share - together[0].share).abs() < 1e-12);
        prop_assert_eq!(alone[0].covered, together[0].covered);
    }

    #[test]
    fn one_more_of_the_questions_words_never_makes_a_passage_worse(body in passage()) {
        let more = format!("{body} island");
        let found = measure("ferry to the island", &[&body, &more]);
        prop_assert!(found[1].covered >= found[0].covered);
        prop_assert!(found[1].share >= found[0].share - 0.02, "{:?}", found);
    }
}
