//! Questions and claims beside passages.

use probity_reader::{Passage, PassageAnswer, Reader, SpanScore, Stop};

fn answer(question: &str, passage: Passage<'_>) -> PassageAnswer {
    let reader = Reader::embedded().unwrap();
    reader.answers(question, &[passage], &Stop::never()).unwrap().remove(0)
}

fn passage(text: &str) -> Passage<'_> {
    Passage { lead: "", text, sentences: &[] }
}

fn words<'a>(text: &'a str, span: &SpanScore) -> &'a str {
    text.get(span.start..span.end).unwrap()
}

#[test]
fn a_passage_that_answers_is_distinguished_from_one_that_does_not() {
    let question = "Who planted the orchard?";
    let text = "The orchard was planted by Ines Moraal in the spring of 1911.";
    let yes = answer(question, passage(text));
    let no = answer(question, passage("The orchard covers nine acres and slopes to the south."));
    assert!(yes.answerable > 0.0 && no.answerable < 0.0, "{yes:?} {no:?}");
    assert!(words(text, &yes.span.unwrap()).contains("Ines Moraal"));
}

#[test]
fn a_passage_that_supports_is_distinguished_from_one_that_contradicts() {
    let reader = Reader::embedded().unwrap();
    let passages = ["The tower is 80 metres tall.", "The tower is only 30 metres tall."];
    let read = reader.entails("The tower is 80 metres tall.", &passages, &Stop::never()).unwrap();
    assert!(read[0].supported > 0.9, "{read:?}");
    assert!(read[1].supported < 0.1, "{read:?}");
    assert!(read[0].logit() > read[1].logit());
    for entailment in read {
        let sum = entailment.supported + entailment.not_enough + entailment.contradicted;
        assert!((sum - 1.0).abs() < 0.002, "{entailment:?}");
    }
}

#[test]
fn pairs_read_as_claims_beside_passages_do() {
    let reader = Reader::embedded().unwrap();
    let (claim, text) = ("The bridge is closed.", "The bridge has been closed since May.");
    let stop = Stop::never();
    let one = reader.entails(claim, &[text], &stop).unwrap();
    assert_eq!(reader.entails_pairs(&[(claim, text)], &stop).unwrap(), one);
}

#[test]
fn answers_are_looked_for_in_the_text_alone() {
    let lead = "The founder Ada Brandt > Early years: ";
    let text = "She opened the mill in 1902.";
    let read = answer("Who is the founder?", Passage { lead, text, sentences: &[] });
    let span = read.span.unwrap();
    assert!(!words(text, &span).is_empty());
    // The best answer stands in the lead, so that little speaks for any span of the text.
    assert!(span.score < -1.0, "{span:?}");
}

#[test]
fn the_sentence_with_the_answer_scores_best() {
    let text = "The hall was built of oak. It opened in 1876. Concerts are held on Sundays.";
    let sentences = [0..26, 27..45, 46..75];
    let passage = Passage { lead: "", text, sentences: &sentences };
    let read = answer("When did the hall open?", passage);
    let scores: Vec<SpanScore> = read.sentences.iter().map(|s| s.unwrap()).collect();
    assert!(scores[1].score > scores[0].score && scores[1].score > scores[2].score, "{scores:?}");
    assert!(words(text, &scores[1]).contains("1876"));
    for (sentence, span) in sentences.iter().zip(&scores) {
        assert!(sentence.start <= span.start && span.end <= sentence.end && span.score <= 0.0);
    }
}

#[test]
fn a_sentence_that_was_not_read_to_its_end_has_no_score() {
    let first = "The gate is green. ";
    let text = format!("{first}{} end.", "a long road ".repeat(200));
    let sentences = [0..18, 19..text.len()];
    let passage = Passage { lead: "", text: &text, sentences: &sentences };
    let read = answer("What colour is the gate?", passage);
    assert!(read.sentences[0].is_some());
    assert_eq!(read.sentences[1], None);
}

#[test]
fn numbers_are_told_to_three_places_and_survive_json() {
    let text = "The ferry leaves at noon.";
    let sentences = [0..text.len()];
    let read =
        answer("When does the ferry leave?", Passage { lead: "", text, sentences: &sentences });
    for number in [read.answerable, read.topic, read.span.unwrap().score] {
        assert!((number * 1000.0 - (number * 1000.0).round()).abs() < 1e-6, "{number}");
    }
    let json = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<PassageAnswer>(&json).unwrap(), read);
}
