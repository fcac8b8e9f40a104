//! How well the values of categories tell headlines apart, on labels given to stories by hand.

use probity_news::category::{Profile, RELEVANT};

use crate::headlines::{Labelled, tabloid, wire};

/// A category in a few words, and the beginnings of the names of the stories that belong to it.
const CATEGORIES: [(&str, &str, &[&str], &[&str]); 5] = [
    (
        "Sport",
        "Football, tennis and other sport: matches, players, coaches and clubs",
        &[
            "United win the cup final after a late goal",
            "Champion reaches the final in straight sets",
        ],
        &["tennis", "soccer", "rovers", "athletic"],
    ),
    (
        "Markets",
        "Central banks, interest rates, inflation, currencies, commodities and share prices",
        &["Oil prices rise after output cut", "Central bank holds interest rates"],
        &[
            "dollar",
            "us-cpi",
            "copper",
            "wheat",
            "opec",
            "oil-stocks",
            "boj",
            "rba",
            "rand",
            "bitcoin",
        ],
    ),
    (
        "Disasters",
        "Earthquakes, storms, floods, fires, crashes and accidents with victims",
        &[
            "Earthquake kills dozens",
            "Storm makes landfall, thousands evacuated",
            "Plane crashes, all on board dead",
        ],
        &[
            "refinery-fire",
            "tarkan-quake",
            "lake-boat",
            "crash-cargo",
            "train-almaty",
            "cyclone",
            "high-street-fire",
            "flood",
            "lifeboat",
        ],
    ),
    (
        "Crime",
        "Police, arrests, courts, burglaries, attacks and drugs",
        &["Man arrested after attack", "Teenager charged with murder"],
        &["fire-arson", "burglary", "drug-raid", "stabbing", "singer-row", "dog-theft"],
    ),
    (
        "Companies",
        "Businesses: takeovers, earnings, executives, layoffs and products",
        &[
            "Company raises profit outlook",
            "Firm to cut thousands of jobs",
            "Maker agrees takeover of rival",
        ],
        &["dorvan", "melk", "hartwell", "airline", "veltra", "rail-privat"],
    ),
];

fn belongs(one: &Labelled, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| one.story.starts_with(beginning))
}

/// The chance that one that belongs has a higher value than one that does not.
fn separation(inside: &[f64], outside: &[f64]) -> f64 {
    let mut won = 0.0;
    for a in inside {
        for b in outside {
            won += if a > b {
                1.0
            } else if a < b {
                0.0
            } else {
                0.5
            };
        }
    }
    won / (inside.len() * outside.len()) as f64
}

#[test]
fn headlines_of_a_category_have_higher_values_than_others() {
    let headlines: Vec<Labelled> = wire().into_iter().chain(tabloid()).collect();
    let (mut sum, mut right, mut taken, mut all) = (0.0, 0.0, 0.0, 0.0);
    for (name, description, examples, beginnings) in CATEGORIES {
        let examples: Vec<String> = examples.iter().map(|text| (*text).to_owned()).collect();
        let profile = Profile::new(name, description, &examples, &[]);
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for one in &headlines {
            let value = profile.relevance(&one.article.title, "");
            assert!((0.0..=1.0).contains(&value));
            if belongs(one, beginnings) { inside.push(value) } else { outside.push(value) }
        }
        let count =
            |values: &[f64]| values.iter().filter(|value| **value >= RELEVANT).count() as f64;
        let (hit, missed) = (count(&inside), count(&outside));
        let apart = separation(&inside, &outside);
        println!(
            "{name}: AUC {apart:.3}, recall {:.2}, false alarms {:.2}",
            hit / inside.len() as f64,
            missed / outside.len() as f64
        );
        sum += apart;
        right += hit;
        taken += hit + missed;
        all += inside.len() as f64;
    }
    println!(
        "all: AUC {:.3}, precision {:.3}, recall {:.3}",
        sum / 5.0,
        right / taken,
        right / all
    );
    assert!(sum / 5.0 >= 0.85);
    assert!(right / all >= 0.5 && right / taken >= 0.5);
}

#[test]
fn a_keyword_and_an_example_count() {
    let plain = Profile::new("Harbour", "Ships and ports", &[], &[]);
    let title = "Lorne Islands service cancelled for the winter";
    let examples = ["Island ferry service suspended".to_owned()];
    let taught =
        Profile::new("Harbour", "Ships and ports", &examples, &["Lorne Islands".to_owned()]);
    assert!(taught.relevance(title, "") > plain.relevance(title, "") + 0.2);
    assert!(plain.relevance("", "").abs() < f64::EPSILON);
}
