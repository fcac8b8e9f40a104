//! Stories: how good they are, and what cannot change them.

use std::collections::{BTreeMap, HashMap};

use probity_core::Timestamp;
use probity_news::cluster::{
    Agreement, Article, Background, Settings, Story, Window, bcubed, stories,
};
use proptest::prelude::*;

use crate::headlines::{Labelled, labelled};
use crate::tf_idf;

fn found(labelled: &[Labelled]) -> Vec<Story> {
    stories(labelled.iter().map(|one| one.article.clone()), Settings::default())
}

fn agreement(labelled: &[Labelled]) -> Agreement {
    let stories = found(labelled);
    let places: HashMap<&str, usize> = stories
        .iter()
        .enumerate()
        .flat_map(|(at, story)| story.articles.iter().map(move |id| (id.as_str(), at)))
        .collect();
    let pairs = labelled.iter().map(|one| (places[one.article.id.as_str()], one.story.as_str()));
    bcubed(pairs)
}

fn say(name: &str, figures: Agreement) {
    let Agreement { precision, recall, f1 } = figures;
    println!("{name}: precision {precision:.3}, recall {recall:.3}, BCubed F1 {f1:.3}");
}

#[test]
fn stories_agree_with_people_better_than_tf_idf_at_its_best() {
    let mut labelled = labelled();
    assert!(labelled.len() >= 300);
    let dated = agreement(&labelled);
    labelled.iter_mut().for_each(|one| one.article.published = None);
    let undated = agreement(&labelled);
    let baseline = tf_idf::best(&labelled);
    say("with times", dated);
    say("without times", undated);
    say("TF-IDF, average link, best threshold", baseline);
    assert!(dated.f1 >= 0.93, "{dated:?}");
    assert!(undated.f1 >= 0.89, "{undated:?}");
    assert!(undated.f1 > baseline.f1 + 0.01, "{undated:?} against {baseline:?}");
}

/// Prints what the page about the newsroom shows: which stories are taken for one.
#[test]
fn few_stories_are_taken_for_one() {
    let labelled = labelled();
    let story_of: BTreeMap<&str, &str> =
        labelled.iter().map(|one| (one.article.id.as_str(), one.story.as_str())).collect();
    let mut confused = 0;
    for story in found(&labelled) {
        let mut names: Vec<&str> = story.articles.iter().map(|id| story_of[id.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > 1 {
            println!("taken for one: {}", names.join(", "));
            confused += 1;
        }
    }
    assert!(confused <= 3, "{confused} stories are mixtures");
}

fn article(id: &str, title: &str, hours: i64) -> Article {
    Article {
        id: id.to_owned(),
        title: title.to_owned(),
        text: String::new(),
        published: Some(Timestamp(hours * 3_600_000)),
    }
}

#[test]
fn the_same_headline_weeks_later_is_another_story() {
    let title = "Stocks close higher as tech shares rally";
    let both = [article("a", title, 0), article("b", title, 24 * 21)];
    assert_eq!(stories(both, Settings::default()).len(), 2);
    let both = [article("a", title, 0), article("b", title, 2)];
    let found = stories(both, Settings::default());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].duplicates, [("b".to_owned(), "a".to_owned())]);
}

#[test]
fn a_near_duplicate_is_named_and_another_number_is_not_one() {
    let found = stories(
        [
            article("a", "Rescuers search Lorne Islands for survivors of the ferry disaster", 0),
            article("b", "Rescuers search Lorne Islands for survivors of ferry disaster", 1),
            article(
                "c",
                "Lorne Islands ferry disaster kills 30 as rescuers search for survivors",
                2,
            ),
            article(
                "d",
                "Lorne Islands ferry disaster kills 41 as rescuers search for survivors",
                3,
            ),
        ],
        Settings::default(),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].duplicates, [("b".to_owned(), "a".to_owned())]);
}

#[test]
fn articles_without_words_are_stories_of_their_own() {
    let found = stories(
        [article("a", "", 0), article("b", "???", 0), article("c", "\u{202e}", 0)],
        Settings::default(),
    );
    assert_eq!(found.iter().map(|story| story.articles.len()).sum::<usize>(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_arrival_does_not_matter(
        order in Just((0..80).collect::<Vec<usize>>()).prop_shuffle(),
        from in 0..220_usize,
        asked in prop::collection::vec(any::<bool>(), 80),
    ) {
        let labelled = labelled();
        let articles: Vec<&Article> = labelled[from..from + 80].iter().map(|one| &one.article).collect();
        let background = Background::of(articles.iter().map(|article| article.title.as_str()));
        let mut at_once = Window::new(background.clone(), Settings::default());
        articles.iter().for_each(|article| at_once.add((*article).clone()));
        let mut one_by_one = Window::new(background, Settings::default());
        for (at, ask) in order.iter().zip(asked) {
            one_by_one.add(articles[*at].clone());
            if ask {
                one_by_one.bring_up_to_date();
            }
        }
        prop_assert_eq!(one_by_one.stories(), at_once.stories());
    }
}
