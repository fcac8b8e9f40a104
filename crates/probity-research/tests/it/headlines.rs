//! Headlines of the embedded analyst: the answer in a whole sentence, if it follows from its source.

use crate::embedded::{draft, view};

#[tokio::test]
async fn question_and_answer_make_the_headline_where_the_sentence_is_too_long() {
    let text = "The harbour fire of 1931 destroyed 41 boats that lay at the north quay, which the council had leased \
                to the fishermen of the lower town for thirty years without asking anybody. It did not destroy the inn.";
    let question = "How many boats did the harbour fire destroy?";
    let draft = draft(question, &[view(0, "The harbour fire", text)]).await;
    assert_eq!(draft.headline, "The harbour fire destroyed 41 boats");
}

#[tokio::test]
async fn a_yes_or_no_is_stated_or_denied() {
    let text = "Dogs may swim in the lake from October to April, when the bathers are gone and the keeper is away.";
    let sources = [view(0, "The lake", text)];
    let yes = draft("May dogs swim in the lake from October to April?", &sources).await;
    assert!(yes.headline.starts_with("Dogs may swim in the lake"), "{}", yes.headline);
    let text =
        "Horses are not allowed in the lake at any time. The lake is allowed to dry out in summer.";
    let no = draft("Are horses allowed in the lake?", &[view(0, "The lake", text)]).await;
    assert_eq!(no.headline, "No: Horses are not allowed in the lake at any time");
}

#[tokio::test]
async fn sources_without_any_name_of_the_question_add_nothing() {
    let ferry = "The ferry Orla crosses to Varn in 40 minutes. The crossing costs 6 crowns.";
    let other = "Sixty men can cross a river in one second if one man crosses it in a minute.";
    let sources = [view(0, "The ferry Orla", ferry), view(1, "Parallel work", other)];
    let draft = draft("How long does the ferry Orla take to cross to Varn?", &sources).await;
    let statements = draft.themes.iter().flat_map(|theme| &theme.statements);
    assert!(
        statements.clone().count() > 0 && statements.clone().all(|one| !one.text.contains("Sixty")),
        "{draft:?}"
    );
}
