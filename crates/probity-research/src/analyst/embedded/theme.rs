//! Chosen sentences → topics with headings.

use probity_text::words::Stemmer;

use super::phrase::Naming;
use super::pool::Voice;

/// About how many sentences make a topic.
const PER_TOPIC: usize = 5;
/// The most topics of a report.
const MOST: usize = 6;

/// Headings that say where one is in a text, not what it says.
const GENERIC: &[&str] = &[
    "abstract",
    "introduction",
    "summary",
    "background",
    "overview",
    "results",
    "discussion",
    "conclusion",
    "conclusions",
    "methods",
    "method",
    "contents",
    "notes",
    "references",
    "comments",
    "more",
    "details",
    "about",
    "about us",
    "questions and answers",
    "faq",
    "read more",
    "data",
];
/// The heading of sentences that nothing joins, at the beginning.
const FIRST: &str = "What the sources say";
/// The same further on.
const FURTHER: &str = "Further findings";
/// What it adds to the nearness of two sentences that they stand under one heading.
const TOGETHER: f64 = 0.3;

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
    let mut naming = Naming::new(question, &everything, stemmer);
    let mut taken: Vec<String> = Vec::new();
    let mut topics = Vec::new();
    for members in groups {
        let mut voices: Vec<Voice> =
            members.iter().filter_map(|index| slots.get_mut(*index)?.take()).collect();
        // Within a topic the sentences of one source follow each other as they do there.
        let lead = voices.first().map(|voice| voice.sources.clone()).unwrap_or_default();
        voices.sort_by_key(|voice| (voice.sources != lead, voice.sources.clone(), voice.place));
        let texts: Vec<&str> = voices.iter().map(|voice| voice.text.as_str()).collect();
        let section = section(&voices).filter(|name| !taken.contains(&name.to_lowercase()));
        let heading = section.or_else(|| naming.name(&texts));
        let plain = if topics.is_empty() { FIRST } else { FURTHER };
        let heading = capitalised(&heading.unwrap_or_else(|| plain.to_owned()));
        taken.push(heading.to_lowercase());
        match topics.iter_mut().find(|topic: &&mut Topic| topic.heading == heading) {
            Some(topic) => topic.voices.extend(voices),
            None => topics.push(Topic { heading, voices }),
        }
    }
    topics
}

/// The heading that most of the sentences stand under where they come from. People wrote it, so it
/// says better what they are about than their words in common do.
fn section(voices: &[Voice]) -> Option<String> {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for name in voices.iter().filter_map(|voice| voice.section.as_deref()) {
        match counts.iter_mut().find(|(_, known)| known.eq_ignore_ascii_case(name)) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, name)),
        }
    }
    let (count, name) = counts.into_iter().rev().max_by_key(|(count, _)| *count)?;
    let speaks = !GENERIC.contains(&name.to_lowercase().as_str());
    (count >= 2 && count * 2 >= voices.len() && speaks).then(|| name.to_owned())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Average-link clustering of what is left of each sentence's meaning once their common subject is
/// taken away, into about one topic for every few sentences.
fn group(voices: &[Voice]) -> Vec<Vec<usize>> {
    let vectors = centred(voices);
    let together = |a: usize, b: usize| match (voices.get(a), voices.get(b)) {
        (Some(a), Some(b)) => a.sources.first() == b.sources.first() && a.section == b.section,
        _ => false,
    };
    let near = |a: usize, b: usize| match (vectors.get(a), vectors.get(b)) {
        (Some(one), Some(other)) => {
            let cosine = one.iter().zip(other).map(|(x, y)| x * y).sum::<f64>();
            cosine + if together(a, b) { TOGETHER } else { 0.0 }
        }
        _ => 0.0,
    };
    let link = |one: &[usize], other: &[usize]| {
        let pairs = one.iter().flat_map(|a| other.iter().map(|b| near(*a, *b)));
        pairs.sum::<f64>() / (one.len() * other.len()).max(1) as f64
    };
    let wanted = voices.len().div_ceil(PER_TOPIC).clamp(1, MOST);
    let mut groups: Vec<Vec<usize>> = (0..voices.len()).map(|index| vec![index]).collect();
    // Past the wanted number only lonely sentences still look for company.
    while groups.len() > wanted || groups.len() > 1 && groups.iter().any(|group| group.len() == 1) {
        let lonely_only = groups.len() <= wanted;
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, one) in groups.iter().enumerate() {
            for (j, other) in groups.iter().enumerate().skip(i + 1) {
                if lonely_only && one.len() > 1 && other.len() > 1 {
                    continue;
                }
                let value = link(one, other);
                if best.is_none_or(|(highest, _, _)| value > highest) {
                    best = Some((value, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else { break };
        let merged = groups.remove(j);
        if let Some(group) = groups.get_mut(i) {
            group.extend(merged);
            group.sort_unstable();
        }
    }
    // The topic of the best sentence comes first.
    groups.sort_by_key(|group| group.first().copied());
    groups
}

/// Unit vectors from the mean of all sentences.
fn centred(voices: &[Voice]) -> Vec<Vec<f64>> {
    let width = voices.first().map_or(0, |voice| voice.vector.as_slice().len());
    let mut mean = vec![0.0; width];
    for voice in voices {
        for (sum, value) in mean.iter_mut().zip(voice.vector.as_slice()) {
            *sum += f64::from(*value) / voices.len() as f64;
        }
    }
    let centre = |voice: &Voice| {
        let moved: Vec<f64> = voice
            .vector
            .as_slice()
            .iter()
            .zip(&mean)
            .map(|(value, mean)| f64::from(*value) - mean)
            .collect();
        let length = moved.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        moved.into_iter().map(|x| x / length).collect()
    };
    voices.iter().map(centre).collect()
}
