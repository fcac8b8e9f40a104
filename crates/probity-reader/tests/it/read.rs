//! Questions and claims beside passages.

use probity_reader::{Passage, Reader, Stop, Stopped};

fn passage(text: &str) -> Passage<'_> {
    Passage { lead: "", text, sentences: &[] }
}

#[test]
fn a_passage_that_answers_is_told_from_one_that_does_not() {
    let reader = Reader::embedded().unwrap();
    let passages = [
        passage("The orchard was planted by Ines Moraal in the spring of 1911."),
        passage("The orchard covers nine acres and slopes to the south."),
    ];
    let answers = reader.answers("Who planted the orchard?", &passages, &Stop::never()).unwrap();
    assert!(answers[0].answerable > 0.0 && answers[1].answerable < 0.0, "{answers:?}");
    let span = answers[0].span.unwrap();
    let span = passages[0].text.get(span.start..span.end).unwrap();
    assert!(span.contains("Ines Moraal"), "{span}");
}

#[test]
fn work_that_nobody_waits_for_is_stopped() {
    let reader = Reader::embedded().unwrap();
    let (stopper, stop) = Stop::new();
    stopper.stop();
    assert_eq!(reader.entails("A claim.", &["A text."], &stop), Err(Stopped));
}
