//! Survivors → the draft of a report, in the sources' own sentences.

use probity_core::SourceId;
use probity_report::draft::{Conflict, Draft, Statement, Theme, Unanswered};
use probity_text::Language;
use probity_text::lex::tokens;
use probity_text::standalone::alone;
use probity_text::tag::tag;
use probity_text::words::Stemmer;

use super::super::{SourceView, SynthesisTask};
use super::aims::Aims;
use super::answer::{Wanted, lead, supersedes};
use super::conflict::{Clash, conflicts};
use super::pool::{ANSWERS, Pool, Voice, pool};
use super::theme::{Topic, topics};

/// Two sentences this near say the same.
const SAME: f64 = 0.88;
/// How many of the best sentences set the measure for the others.
const LEADERS: usize = 8;
/// The measure is at least this share of the best: where little is said, most of it is beside the point.
const OF_BEST: f64 = 0.6;
/// A sentence must rank at least this high, as a share of that measure.
const WORTH: f64 = 0.5;
/// A source's best sentence is heard if it ranks at least this high, as a share of that measure.
const HEARD: f64 = 0.3;
/// What the neighbour of a chosen sentence gains: two that follow each other read better.
const BESIDE: f64 = 1.15;
/// Two sentences this near are not both told unless the second brings a new figure.
const REPEATS: f64 = 0.8;
/// The share of the report's words that the findings take.
const FINDINGS: f64 = 0.8;
/// The most sentences of a report; more words do not make it better.
const SENTENCES: usize = 60;
/// How many sentences one source may have in a row of choices before the others had their turn.
const PER_SOURCE: usize = 6;
/// The longest sentence that serves as a headline, in words.
const HEADLINE_WORDS: usize = 20;
/// The shortest clause that serves as one.
const HEADLINE_LEAST: usize = 7;
/// What a headline must rank at least, as a share of the best sentence.
const HEADLINE_SHARE: f64 = 0.8;
/// The same for one that names the value which the question asks for.
const ANSWER_SHARE: f64 = 0.35;
/// The same where that value is an amount or a day of the very thing that is asked about: such a sentence
/// may leave the thing itself to its title.
const GIVEN_SHARE: f64 = 0.1;
/// What a sentence of the summary must rank at least to be preferred because its source is new.
const SUMMARY_SHARE: f64 = 0.45;

/// Drafts a report.
pub(super) fn draft(task: &SynthesisTask<'_>) -> Draft {
    let stemmer = Stemmer::new(Language::detect(task.question));
    let Pool { voices, wanted, parts } = pool(task.question, task.sources, &stemmer);
    let merged = merge(voices);
    let measure = measure(&merged);
    let disagreements = conflicts_of(&merged, measure);
    let chosen = choose(merged, measure, task);
    let lead = leading(&chosen, &wanted);
    let unanswered = unanswered(&chosen, parts, task.question);
    let headline = match unanswered.first().filter(|_| lead.is_none()) {
        Some(open) => open_headline(open, task.question),
        None => headline(&chosen, lead, task.sources),
    };
    let summary = summary(&chosen, lead, disagreements.len());
    let themes = topics(chosen, task.question, &stemmer).into_iter().map(theme).collect();
    Draft { headline, summary, themes, conflicts: disagreements, unanswered, confidence: None }
}

/// The parts of a question that no chosen sentence answers, as far as answers show by their form.
fn unanswered(
    chosen: &[Voice],
    parts: Vec<(String, Option<&'static str>)>,
    question: &str,
) -> Vec<Unanswered> {
    let single = parts.len() == 1;
    let open = |(at, (text, lack)): (usize, (String, Option<&'static str>))| {
        let answers = |voice: &Voice| {
            !voice.of_another && voice.parts.get(at).is_some_and(|surety| *surety >= ANSWERS)
        };
        let lack = lack.filter(|_| !chosen.is_empty() && !chosen.iter().any(answers))?;
        let asked = if single { question.trim().to_owned() } else { text };
        Some(Unanswered { asked, lack: lack.to_owned() })
    };
    parts.into_iter().enumerate().filter_map(open).collect()
}

/// A headline that says what the sources do not.
fn open_headline(open: &Unanswered, question: &str) -> String {
    let aims = Aims::of(question);
    let subject: Vec<String> = aims.names.into_iter().chain(aims.phrases).take(3).collect();
    format!("The sources {}: {}", open.lack, subject.join(", "))
}

/// The sentence that answers best, if one does: the newest of those that exclude each other.
fn leading<'v>(chosen: &'v [Voice], wanted: &Wanted) -> Option<&'v Voice> {
    let best = chosen.first().map_or(0.0, |voice| voice.score);
    let fits = |voice: &&Voice| {
        let share = if voice.given.is_some() { GIVEN_SHARE } else { ANSWER_SHARE };
        let apt = voice.answers && !voice.undated && !voice.of_another && !voice.personal;
        apt && voice.score >= best * share
    };
    let answers: Vec<&Voice> = chosen.iter().filter(fits).collect();
    lead(&answers, wanted)
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

/// How many of the ranked sentences are held against each other for disagreement.
const DISPUTED: usize = 160;

fn says_the_same(one: &Voice, other: &Voice) -> bool {
    if one.text == other.text {
        return true;
    }
    f64::from(one.vector.cosine(&other.vector)) >= SAME && figures(one) == figures(other)
}

/// What the best sentences reach on average. One that repeats the question word for word would make
/// a poor measure alone.
fn measure(ranked: &[Voice]) -> f64 {
    let scores = || ranked.iter().filter(|voice| !voice.aside).map(|voice| voice.score);
    let leaders: Vec<f64> = scores().take(LEADERS).collect();
    let mean = leaders.iter().sum::<f64>() / leaders.len().max(1) as f64;
    mean.max(scores().next().unwrap_or_default() * OF_BEST)
}

/// The sentences that fit into the report, best first. Every source that survived the gate is heard
/// with its best sentence; beyond that a sentence must be worth its place.
fn choose(merged: Vec<Voice>, measure: f64, task: &SynthesisTask<'_>) -> Vec<Voice> {
    let budget = (task.words as f64 * FINDINGS) as usize;
    let per_source = PER_SOURCE.max(task.words / 100);
    let mut chosen: Vec<Voice> = Vec::new();
    let mut rest: Vec<Voice> = Vec::new();
    for voice in merged.into_iter().filter(|voice| !voice.aside) {
        let mut told = chosen.iter().filter(|other| other.sources.first() == voice.sources.first());
        // A source is heard with its best sentence, and with the one that answers.
        let answer = voice.answers && voice.given.is_some() && !voice.of_another;
        let heard = told.any(|other| !answer || other.answers && other.given.is_some());
        if !heard && !voice.personal && voice.score >= measure * HEARD {
            chosen.push(voice);
        } else if voice.score * BESIDE >= measure * WORTH {
            rest.push(voice);
        }
    }
    let mut used: usize = chosen.iter().map(length).sum();
    while chosen.len() < SENTENCES {
        let mut best: Option<(f64, usize)> = None;
        for (index, voice) in rest.iter().enumerate() {
            let score = voice.score
                * if chosen.iter().any(|other| beside(other, voice)) { BESIDE } else { 1.0 };
            if score >= measure * WORTH && best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, index));
            }
        }
        let Some((_, index)) = best else { break };
        let voice = rest.remove(index);
        let told = chosen.iter().filter(|other| other.sources.first() == voice.sources.first());
        let fits = used + length(&voice) <= budget && told.count() < per_source;
        if fits && !chosen.iter().any(|other| repeats(other, &voice)) {
            used += length(&voice);
            chosen.push(voice);
        }
    }
    chosen.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.sources.cmp(&b.sources)).then(a.place.cmp(&b.place))
    });
    chosen
}

/// The figures of a sentence, as they are written.
fn figures(voice: &Voice) -> Vec<String> {
    let texts = voice.quantities.iter().filter_map(|q| voice.text.get(q.range.clone()));
    texts.map(str::to_lowercase).collect()
}

fn length(voice: &Voice) -> usize {
    voice.text.split_whitespace().count()
}

fn beside(one: &Voice, other: &Voice) -> bool {
    one.sources.first() == other.sources.first() && one.place.abs_diff(other.place) == 1
}

/// Whether a sentence only says again what another said.
fn repeats(told: &Voice, voice: &Voice) -> bool {
    let known = figures(told);
    f64::from(told.vector.cosine(&voice.vector)) >= REPEATS
        && figures(voice).iter().all(|figure| known.contains(figure))
}

/// The sentence that leads, else the best, or the first clause of either, that is short enough to be a
/// headline.
fn headline(chosen: &[Voice], lead: Option<&Voice>, sources: &[SourceView<'_>]) -> String {
    let best = chosen.first().map_or(0.0, |voice| voice.score);
    let fits = |voice: &&Voice| !voice.undated && !voice.of_another;
    let good = || {
        let good = chosen.iter().filter(fits);
        good.take_while(|voice| voice.score >= best * HEADLINE_SHARE)
    };
    let short = |voice: &&Voice| length(voice) <= HEADLINE_WORDS;
    let text = lead
        .map(|lead| match short(&lead) {
            true => lead.text.clone(),
            false => answering_clause(lead).unwrap_or_else(|| lead.text.clone()),
        })
        .or_else(|| good().find(short).map(|voice| voice.text.clone()))
        .or_else(|| good().find_map(|voice| first_clause(&voice.text)))
        .or_else(|| chosen.first().map(|voice| probity_core::printable::brief(&voice.text, 120)))
        .or_else(|| sources.first().map(|source| source.title.to_owned()))
        .unwrap_or_default();
    // A headline follows from nothing.
    text.replace(" thus ", " ").replace(" therefore ", " ")
}

/// The first clause of a sentence, if what was asked for stands in it.
fn answering_clause(lead: &Voice) -> Option<String> {
    let holds =
        |clause: &String| lead.given.as_ref().is_none_or(|given| given.ends_before(clause.len()));
    first_clause(&lead.text).filter(holds)
}

/// The part of a sentence up to a joint, if something is said in it.
fn first_clause(text: &str) -> Option<String> {
    let joints = text.match_indices([',', ';', '—', '–']).map(|(at, _)| at);
    joints.filter_map(|at| text.get(..at)).map(str::trim_end).find_map(|clause| {
        let words = clause.split_whitespace().count();
        let says = tag(tokens(clause)).iter().any(|word| word.is_finite());
        let whole = (HEADLINE_LEAST..=HEADLINE_WORDS).contains(&words) && says;
        (whole && alone(clause).is_some()).then(|| clause.to_owned())
    })
}

/// The best sentences, one of each source first, as long as they do not repeat each other.
fn summary(chosen: &[Voice], lead: Option<&Voice>, disagreements: usize) -> Vec<String> {
    const SENTENCES: usize = 4;
    let best = chosen.first().map_or(0.0, |voice| voice.score);
    // What answers comes first, and what it takes the place of is told as a disagreement only.
    let mut picked: Vec<&Voice> = lead.into_iter().collect();
    let past = |voice: &Voice| lead.is_some_and(|lead| supersedes(lead, voice));
    let chosen = chosen.iter().filter(|voice| !past(voice));
    for fresh_only in [true, false] {
        for voice in chosen.clone() {
            let repeats = picked.iter().any(|other| {
                other.text == voice.text || f64::from(other.vector.cosine(&voice.vector)) > 0.8
            });
            let heard = picked.iter().any(|other| other.sources == voice.sources);
            let weak = voice.score < best * SUMMARY_SHARE || voice.undated || voice.of_another;
            let stray = voice.of_another && !picked.is_empty();
            if picked.len() < SENTENCES && !repeats && !stray && !(fresh_only && (heard || weak)) {
                picked.push(voice);
            }
        }
    }
    let disagree = match disagreements {
        0 => None,
        1 => Some("On one point the sources disagree.".to_owned()),
        many => Some(format!("On {many} points the sources disagree.")),
    };
    picked.into_iter().map(|voice| voice.text.clone()).chain(disagree).collect()
}

/// Disagreements of which at least one side is worth telling.
pub(super) fn conflicts_of(merged: &[Voice], measure: f64) -> Vec<Conflict> {
    let weighty = merged.get(..merged.len().min(DISPUTED)).unwrap_or_default();
    let side = |index: usize| {
        let voice = weighty.get(index)?;
        Some(Statement { text: voice.text.clone(), cites: voice.sources.clone() })
    };
    let told = |clash: Clash| {
        let statements = vec![side(clash.one)?, side(clash.other)?];
        Some(Conflict { statements, on_answer: clash.asked })
    };
    conflicts(weighty, measure * WORTH).into_iter().filter_map(told).collect()
}
