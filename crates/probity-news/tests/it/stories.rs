//! Stories: how good they are, and what cannot change them.

use std::collections::{BTreeMap, HashMap};

use probity_core::Timestamp;
use probity_news::cluster::{
    Agreement, Article, Background, Settings, Story, Window, bcubed, stories,
};
use proptest::prelude::*;

use crate::headlines::{Labelled, labelled, tabloid, wire};
use crate::tf_idf;

fn found(labelled: &[Labelled]) -> Vec<Story> {
    stories(labelled.iter().map(|one| one.article.clone()), Settings::default())
}

fn agreement(labelled: &[Labelled]) -> Agreement {
    measured(labelled, &found(labelled))
}

fn measured(labelled: &[Labelled], stories: &[Story]) -> Agreement {
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

/// Sets in other styles than the one that the method was chosen with.
#[test]
fn stories_in_other_styles_agree_with_people() {
    for (name, mut labelled, least) in [("wire", wire(), 0.82), ("tabloid", tabloid(), 0.76)] {
        assert!(labelled.len() >= 150);
        let dated = agreement(&labelled);
        labelled.iter_mut().for_each(|one| one.article.published = None);
        let undated = agreement(&labelled);
        let baseline = tf_idf::best(&labelled);
        say(&format!("{name}, with times"), dated);
        say(&format!("{name}, without times"), undated);
        say(&format!("{name}, TF-IDF"), baseline);
        assert!(dated.f1 >= least && undated.f1 >= least, "{name}: {dated:?}, {undated:?}");
        assert!(undated.f1 >= baseline.f1, "{name}: {undated:?} against {baseline:?}");
    }
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

/// Stories of headlines made of few words, so that all hang together and keys are crowded.
fn crowded(count: usize, seed: u64) -> Vec<Article> {
    const WORDS: [&str; 14] = [
        "ferry", "strike", "Kassar", "Orun", "budget", "fire", "court", "mine", "Solvane", "chip",
        "storm", "vote", "Lorne", "trial",
    ];
    let mut state = seed | 1;
    let mut below = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % sides
    };
    (0..count)
        .map(|at| {
            let words: Vec<&str> = (0..4).map(|_| WORDS[below(WORDS.len())]).collect();
            let mut article = article(&at.to_string(), &words.join(" "), below(90) as i64);
            if below(9) == 0 {
                article.published = None;
            }
            article
        })
        .collect()
}

fn window(background: &Background) -> Window {
    Window::new(background.clone(), Settings::default())
}

fn fresh(background: &Background, articles: &[&Article]) -> Vec<Story> {
    let mut window = window(background);
    articles.iter().for_each(|article| window.add((*article).clone()));
    window.stories()
}

fn background(articles: &[Article]) -> Background {
    Background::of(articles.iter().map(|article| article.title.as_str()))
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
        let articles: Vec<Article> =
            labelled[from..from + 80].iter().map(|one| one.article.clone()).collect();
        let background = background(&articles);
        let mut one_by_one = window(&background);
        for (at, ask) in order.iter().zip(asked) {
            one_by_one.add(articles[*at].clone());
            if ask {
                one_by_one.bring_up_to_date();
            }
        }
        let all: Vec<&Article> = articles.iter().collect();
        prop_assert_eq!(one_by_one.stories(), fresh(&background, &all));
    }

    #[test]
    fn what_was_dropped_was_never_there(
        seed in any::<u64>(),
        moves in prop::collection::vec((0..300_usize, any::<bool>(), 0..4_u8), 300..500),
    ) {
        let articles = crowded(300, seed);
        let background = background(&articles);
        let mut moved = window(&background);
        let mut there = vec![false; articles.len()];
        // Most are there from the beginning, so that keys are crowded.
        for (at, article) in articles.iter().enumerate().skip(60) {
            moved.add(article.clone());
            there[at] = true;
        }
        for (at, add, ask) in moves {
            if add {
                moved.add(articles[at].clone());
            } else {
                prop_assert_eq!(moved.drop(&articles[at].id), there[at]);
            }
            there[at] = add;
            if ask == 0 {
                moved.bring_up_to_date();
            }
        }
        let left: Vec<&Article> =
            articles.iter().zip(&there).filter(|(_, there)| **there).map(|(one, _)| one).collect();
        prop_assert_eq!(moved.len(), left.len());
        prop_assert_eq!(moved.stories(), fresh(&background, &left));
    }

    #[test]
    fn what_changed_is_said(seed in any::<u64>(), drops in prop::collection::vec(0..120_usize, 1..6)) {
        let articles = crowded(120, seed);
        let background = background(&articles);
        let mut window = window(&background);
        articles.iter().skip(1).for_each(|article| window.add(article.clone()));
        let mut known: BTreeMap<String, Story> = BTreeMap::new();
        let mut tell = |window: &mut Window| {
            for story in window.changes() {
                for id in &story.articles {
                    known.insert(id.clone(), story.clone());
                }
            }
            known.clone()
        };
        tell(&mut window);
        window.add(articles[0].clone());
        tell(&mut window);
        for at in drops {
            window.drop(&articles[at].id);
        }
        let known = tell(&mut window);
        for story in window.stories() {
            for id in &story.articles {
                prop_assert_eq!(&known[id], &story);
            }
        }
    }
}
