//! The method to beat: average link on TF-IDF vectors, cut where it agrees best.

use std::collections::HashMap;

use probity_news::cluster::{Agreement, bcubed};
use probity_text::Language;
use probity_text::words::Stemmer;

use crate::headlines::Labelled;

type Vector = HashMap<String, f64>;

/// The agreement at the best of all thresholds, which no real run would know.
pub(crate) fn best(labelled: &[Labelled]) -> Agreement {
    let vectors = vectors(labelled);
    let count = vectors.len();
    let mut alike: Vec<Vec<f64>> =
        vectors.iter().map(|a| vectors.iter().map(|b| product(a, b)).collect()).collect();
    let mut sizes = vec![1.0; count];
    let mut group: Vec<usize> = (0..count).collect();
    let mut best = Agreement { precision: 0.0, recall: 0.0, f1: 0.0 };
    let mut alive: Vec<usize> = (0..count).collect();
    while alive.len() > 1 {
        let mut closest = (f64::MIN, 0, 0);
        for (at, i) in alive.iter().enumerate() {
            for j in &alive[at + 1..] {
                if alike[*i][*j] > closest.0 {
                    closest = (alike[*i][*j], *i, *j);
                }
            }
        }
        let (_, i, j) = closest;
        for k in alive.iter().copied().filter(|k| *k != i && *k != j) {
            let mean = (sizes[i] * alike[i][k] + sizes[j] * alike[j][k]) / (sizes[i] + sizes[j]);
            (alike[i][k], alike[k][i]) = (mean, mean);
        }
        sizes[i] += sizes[j];
        alive.retain(|k| *k != j);
        group.iter_mut().filter(|own| **own == j).for_each(|own| *own = i);
        let now = bcubed(group.iter().zip(labelled).map(|(own, one)| (*own, one.story.as_str())));
        if now.f1 > best.f1 {
            best = now;
        }
    }
    best
}

fn vectors(labelled: &[Labelled]) -> Vec<Vector> {
    let stemmer = Stemmer::new(Language::English);
    let stems: Vec<Vec<String>> =
        labelled.iter().map(|one| stemmer.content_stems(&one.article.title)).collect();
    let mut frequency: HashMap<&str, f64> = HashMap::new();
    for stem in stems.iter().flatten() {
        *frequency.entry(stem).or_default() += 1.0;
    }
    let count = labelled.len() as f64;
    let weigh = |stem: &String| ((1.0 + count) / (1.0 + frequency[stem.as_str()])).ln() + 1.0;
    let unit = |stems: &Vec<String>| {
        let vector: Vector = stems.iter().map(|stem| (stem.clone(), weigh(stem))).collect();
        let length = vector.values().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        vector.into_iter().map(|(stem, x)| (stem, x / length)).collect()
    };
    stems.iter().map(unit).collect()
}

fn product(a: &Vector, b: &Vector) -> f64 {
    a.iter().filter_map(|(stem, x)| Some(x * b.get(stem)?)).sum()
}
