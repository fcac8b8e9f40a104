//! Chosen sentences → topics with headings.

use probity_text::words::Stemmer;

use super::phrase::salient;
use super::pool::Voice;

/// Sentences nearer than this on average belong to one topic.
const NEAR: f64 = 0.42;
/// The most topics of a report.
const MOST: usize = 6;

/// A topic: a heading and the sentences that belong to it.
pub(super) struct Topic {
    pub(super) heading: String,
    pub(super) voices: Vec<Voice>,
}

/// Groups sentences by meaning and names each group.
pub(super) fn topics(chosen: Vec<Voice>, question: &str, stemmer: &Stemmer) -> Vec<Topic> {
    let groups = group(&chosen);
    let everything: Vec<String> = chosen.iter().map(|voice| voice.text.clone()).collect();
    let everything: Vec<&str> = everything.iter().map(String::as_str).collect();
    let mut slots: Vec<Option<Voice>> = chosen.into_iter().map(Some).collect();
    let mut taken: Vec<String> = Vec::new();
    let mut topics = Vec::new();
    for members in groups {
        let mut voices: Vec<Voice> =
            members.iter().filter_map(|index| slots.get_mut(*index)?.take()).collect();
        // Within a topic the sentences of one source follow each other as they do there.
        let lead = voices.first().map(|voice| voice.sources.clone()).unwrap_or_default();
        voices.sort_by_key(|voice| (voice.sources != lead, voice.sources.clone(), voice.place));
        let texts: Vec<&str> = voices.iter().map(|voice| voice.text.as_str()).collect();
        let phrases = salient(&texts, &everything, question, stemmer);
        let heading = heading(&phrases, &taken);
        taken.extend(phrases.into_iter().map(|phrase| phrase.to_lowercase()));
        topics.push(Topic { heading, voices });
    }
    topics
}

fn heading(phrases: &[String], taken: &[String]) -> String {
    let fresh: Vec<&String> =
        phrases.iter().filter(|phrase| !taken.contains(&phrase.to_lowercase())).collect();
    let text = match fresh.as_slice() {
        [] => "Further findings".to_owned(),
        [one] => (*one).clone(),
        [one, two, ..] if one.split(' ').count() < 3 => format!("{one} and {}", keep_case(two)),
        [one, ..] => (*one).clone(),
    };
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}

/// A phrase inside a heading begins with a small letter unless it is written with capitals.
fn keep_case(phrase: &str) -> &str {
    phrase
}

/// Average-link clustering, bounded by the number of sentences in a report.
fn group(voices: &[Voice]) -> Vec<Vec<usize>> {
    let near = |a: usize, b: usize| match (voices.get(a), voices.get(b)) {
        (Some(a), Some(b)) => f64::from(a.vector.cosine(&b.vector)),
        _ => 0.0,
    };
    let mut groups: Vec<Vec<usize>> = (0..voices.len()).map(|index| vec![index]).collect();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, one) in groups.iter().enumerate() {
            for (j, other) in groups.iter().enumerate().skip(i + 1) {
                let pairs = one.iter().flat_map(|a| other.iter().map(|b| near(*a, *b)));
                let mean = pairs.sum::<f64>() / (one.len() * other.len()) as f64;
                if best.is_none_or(|(value, _, _)| mean > value) {
                    best = Some((mean, i, j));
                }
            }
        }
        match best {
            Some((value, i, j)) if value >= NEAR || groups.len() > MOST => {
                let merged = groups.remove(j);
                if let Some(group) = groups.get_mut(i) {
                    group.extend(merged);
                    group.sort_unstable();
                }
            }
            _ => break,
        }
    }
    // The topic of the best sentence comes first.
    groups.sort_by_key(|group| group.first().copied());
    groups
}
