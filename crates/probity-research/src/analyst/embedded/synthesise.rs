//! Survivors → the draft of a report, in the sources' own sentences.

use std::collections::HashMap;

use probity_core::SourceId;
use probity_report::draft::{Conflict, Draft, Statement, Theme};
use probity_text::Language;
use probity_text::words::Stemmer;

use super::super::{SourceView, SynthesisTask};
use super::conflict::conflicts;
use super::pool::{Voice, pool};
use super::theme::{Topic, topics};

/// Two sentences this near say the same.
const SAME: f64 = 0.88;
/// A sentence must rank at least this high, as a share of the best.
const WORTH: f64 = 0.55;
/// A source's best sentence is heard if it ranks at least this high, as a share of the best of all.
const HEARD: f64 = 0.5;
/// The share of the report's words that the findings take.
const FINDINGS: f64 = 0.8;
/// The most sentences of a report; more words do not make it better.
const SENTENCES: usize = 60;
/// How many sentences one source may have in a row of choices before the others had their turn.
const PER_SOURCE: usize = 6;
/// The longest sentence that serves as a headline, in words.
const HEADLINE_WORDS: usize = 18;

/// Drafts a report.
pub(super) fn draft(task: &SynthesisTask<'_>) -> Draft {
    let stemmer = Stemmer::new(Language::detect(task.question));
    let ranked = pool(task.question, task.sources, &stemmer);
    let merged = merge(ranked);
    let disagreements = conflicts_of(&merged);
    let chosen = choose(merged, task);
    let headline = headline(&chosen, task.sources);
    let summary = summary(&chosen);
    let themes = topics(chosen, task.question, &stemmer).into_iter().map(theme).collect();
    Draft { headline, summary, themes, conflicts: disagreements }
}

fn theme(topic: Topic) -> Theme {
    let statements = topic.voices.into_iter().map(statement).collect();
    Theme { heading: topic.heading, statements }
}

fn statement(voice: Voice) -> Statement {
    Statement { text: voice.text, cites: voice.sources }
}

/// Sentences that say the same become one that cites all who say it.
fn merge(ranked: Vec<Voice>) -> Vec<Voice> {
    let mut kept: Vec<Voice> = Vec::new();
    for voice in ranked.into_iter().take(MERGED) {
        let twin = kept.iter_mut().find(|other| says_the_same(other, &voice));
        match twin {
            Some(twin) => {
                let fresh = voice.sources.iter().filter(|id| !twin.sources.contains(id));
                let fresh: Vec<SourceId> = fresh.copied().collect();
                // Only a sentence that is the same to the word supports the very same claim.
                if twin.text == voice.text {
                    twin.sources.extend(fresh);
                }
            }
            None => kept.push(voice),
        }
    }
    kept
}

/// How many of the ranked sentences are looked at for repetition.
const MERGED: usize = 300;

fn says_the_same(one: &Voice, other: &Voice) -> bool {
    if one.text == other.text {
        return true;
    }
    let numbers = |voice: &Voice| {
        let texts = voice.quantities.iter().filter_map(|q| voice.text.get(q.range.clone()));
        texts.map(str::to_lowercase).collect::<Vec<_>>()
    };
    f64::from(one.vector.cosine(&other.vector)) >= SAME && numbers(one) == numbers(other)
}

/// The sentences that fit into the report, best first. Every source that survived the gate is heard
/// with its best sentence; beyond that a sentence must be worth its place.
fn choose(merged: Vec<Voice>, task: &SynthesisTask<'_>) -> Vec<Voice> {
    let best = merged.first().map_or(0.0, |voice| voice.score);
    let budget = (task.words as f64 * FINDINGS) as usize;
    let per_source = PER_SOURCE.max(task.words / 100);
    let mut used = 0;
    let mut turns: HashMap<SourceId, usize> = HashMap::new();
    let mut chosen = Vec::new();
    let mut later = Vec::new();
    for voice in merged {
        let Some(source) = voice.sources.first().copied() else { continue };
        let turn = turns.entry(source).or_default();
        if *turn == 0 && voice.score >= best * HEARD {
            *turn = 1;
            used += voice.text.split_whitespace().count();
            chosen.push(voice);
        } else if voice.score >= best * WORTH {
            later.push((source, voice));
        }
    }
    for (source, voice) in later {
        let words = voice.text.split_whitespace().count();
        let turn = turns.entry(source).or_default();
        if chosen.len() >= SENTENCES || used + words > budget || *turn >= per_source {
            continue;
        }
        *turn += 1;
        used += words;
        chosen.push(voice);
    }
    chosen.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.sources.cmp(&b.sources)));
    chosen
}

/// The best sentence that is short enough to be a headline.
fn headline(chosen: &[Voice], sources: &[SourceView<'_>]) -> String {
    let short =
        chosen.iter().take(6).find(|voice| voice.text.split_whitespace().count() <= HEADLINE_WORDS);
    let clause = || {
        let first = chosen.first()?;
        let cut = [", while ", "; ", ", which ", ", but ", " because ", ", and ", " — ", " – "];
        let end =
            cut.iter().filter_map(|joint| first.text.find(joint)).filter(|at| *at > 30).min()?;
        first.text.get(..end).map(str::to_owned)
    };
    short
        .map(|voice| voice.text.clone())
        .or_else(clause)
        .or_else(|| chosen.first().map(|voice| probity_core::printable::brief(&voice.text, 120)))
        .or_else(|| sources.first().map(|source| source.title.to_owned()))
        .unwrap_or_default()
}

/// The best sentences, one of each source first, as long as they do not repeat each other.
fn summary(chosen: &[Voice]) -> Vec<String> {
    const SENTENCES: usize = 4;
    let mut picked: Vec<&Voice> = Vec::new();
    for fresh_only in [true, false] {
        for voice in chosen {
            let repeats = picked.iter().any(|other| {
                other.text == voice.text || f64::from(other.vector.cosine(&voice.vector)) > 0.8
            });
            let heard = picked.iter().any(|other| other.sources == voice.sources);
            if picked.len() < SENTENCES && !repeats && !(fresh_only && heard) {
                picked.push(voice);
            }
        }
    }
    picked.into_iter().map(|voice| voice.text.clone()).collect()
}

fn conflicts_of(merged: &[Voice]) -> Vec<Conflict> {
    let best = merged.first().map_or(0.0, |voice| voice.score);
    let weighty = merged.iter().take_while(|voice| voice.score >= best * WORTH).count();
    let weighty = merged.get(..weighty.min(120)).unwrap_or_default();
    let side = |index: usize| {
        let voice = weighty.get(index)?;
        Some(Statement { text: voice.text.clone(), cites: voice.sources.clone() })
    };
    conflicts(weighty)
        .into_iter()
        .filter_map(|(one, other)| Some(Conflict { statements: vec![side(one)?, side(other)?] }))
        .collect()
}
