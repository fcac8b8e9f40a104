//! `fact_check`, `check_citation`, `judge_relevance`: what holds, and what answers.

use probity_core::limits::QUESTION_MAX_CHARS;
use probity_reader::{Stop, TextReader};
use probity_report::check::{CLAIM_BYTES, Support, check_claim};
use probity_research::Event;
use probity_research::analyst::embedded::gate::judge_text;
use probity_research::analyst::embedded::read::CachedReader;
use probity_research::fact_check::{FactCheck, Standing, TEXT_BYTES};
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::answer::{ToolAnswer, read};
use super::progress::Progress;
use crate::access::Caller;
use crate::api::check::{Text, checked};
use crate::api::tidy;
use crate::problem::Problem;
use crate::state::Server;

/// How many words of progress wait for a client; more are left out.
const PROGRESS_WAITING: usize = 32;

/// What `fact_check` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TextInput {
    /// The text, with or without citations.
    #[schemars(length(min = 1, max = 200_000))]
    text: String,
    /// The search providers to ask: `auto`, or names separated by commas, such as `library`.
    #[schemars(length(max = 200))]
    search: Option<String>,
    /// The most that language models may cost, in US dollars.
    #[schemars(range(min = 0.0))]
    max_cost: Option<f64>,
}

/// A passage that speaks for or against a statement.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EvidenceOutput {
    /// `for`, `against`, or `near` where it decides nothing.
    stance: &'static str,
    url: String,
    title: String,
    /// Whose page it is.
    outlet: Option<String>,
    /// Its publisher's authority, from 0 to 1.
    authority: f64,
    /// The page's score when it was found.
    credibility: f64,
    /// The passage.
    passage: String,
    /// What differs, in words.
    reasons: Vec<String>,
    /// Whether the text itself cites it here.
    cited: bool,
}

/// A statement with its verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ClaimOutput {
    claim: String,
    /// `supported`, `contradicted` or `not_found`.
    verdict: &'static str,
    /// Whether some sources support it and others deny it.
    disputed: bool,
    why: String,
    /// What speaks for it or against it, the weightiest first.
    evidence: Vec<EvidenceOutput>,
}

/// What `fact_check` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TextOutput {
    supported: usize,
    contradicted: usize,
    not_found: usize,
    /// The statements, in the order of the text.
    claims: Vec<ClaimOutput>,
    /// Sentences that were not checked: questions, opinions, fragments, what is beyond the limit.
    unchecked: Vec<String>,
    /// What went wrong on the way.
    problems: Vec<String>,
}

impl From<FactCheck> for TextOutput {
    fn from(checked: FactCheck) -> Self {
        let count = |standing| checked.count(standing);
        let (supported, contradicted) = (count(Standing::Supported), count(Standing::Contradicted));
        let not_found = count(Standing::NotFound);
        let claims = checked.claims.into_iter().map(|claim| ClaimOutput {
            claim: claim.claim,
            verdict: claim.verdict.as_str(),
            disputed: claim.disputed,
            why: claim.why,
            evidence: claim
                .evidence
                .into_iter()
                .map(|evidence| EvidenceOutput {
                    stance: evidence.stance.as_str(),
                    url: evidence.url,
                    title: evidence.title,
                    outlet: evidence.outlet,
                    authority: tidy(evidence.authority),
                    credibility: tidy(evidence.credibility),
                    passage: evidence.passage.text,
                    reasons: evidence.reasons,
                    cited: evidence.cited,
                })
                .collect(),
        });
        Self {
            supported,
            contradicted,
            not_found,
            claims: claims.collect(),
            unchecked: checked.unchecked.into_iter().map(|sentence| sentence.text).collect(),
            problems: checked.problems.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Checks the statements of a text.
pub(super) async fn fact_check(
    server: &Server,
    caller: &Caller,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, Problem> {
    let input: TextInput = read(arguments)?;
    let text =
        Text { text: input.text, search: input.search, model: None, max_cost: input.max_cost };
    let (tell, mut events) = mpsc::channel::<Event>(PROGRESS_WAITING);
    let watcher = move |event: &Event| {
        let _ = tell.try_send(event.clone());
    };
    let mut progress = Progress::of(context);
    let telling = async {
        while let Some(event) = events.recv().await {
            progress.tell(&event).await;
        }
        std::future::pending::<()>().await
    };
    let output: TextOutput = tokio::select! {
        checked = checked(server, caller, &text, &watcher) => checked?.into(),
        () = telling => return Err(Problem::internal(&"progress ended before its check")),
    };
    ToolAnswer::new(in_words(&output), &output)
}

fn in_words(output: &TextOutput) -> String {
    let mut lines = vec![format!(
        "{} supported · {} contradicted · {} not found",
        output.supported, output.contradicted, output.not_found
    )];
    for claim in &output.claims {
        let disputed = if claim.disputed { ", disputed" } else { "" };
        lines.push(format!("- {}{disputed}: {} ({})", claim.verdict, claim.claim, claim.why));
    }
    lines.join("\n")
}

/// What `check_citation` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CitationInput {
    /// The claim: one sentence.
    #[schemars(length(min = 1, max = 8000))]
    claim: String,
    /// The text of the source that it cites.
    #[schemars(length(min = 1, max = 200_000))]
    source: String,
}

/// What `check_citation` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CitationOutput {
    /// `supported`, `partly` or `unsupported`.
    support: &'static str,
    /// How well the claim is supported, from 0 to 1.
    value: f64,
    /// Whether the source says otherwise, rather than less or nothing.
    contradicted: bool,
    /// The passage that comes closest.
    passage: Option<String>,
    /// What is missing or different.
    reasons: Vec<String>,
}

/// What is said where no trained reader judged a claim.
const WORDS_ALONE: &str =
    "there is no trained reader; words, numbers, names and quotations were compared";

/// Checks a claim against a source's text.
pub(super) async fn check_citation(
    reader: TextReader,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let CitationInput { claim, source } = read(arguments)?;
    bounded("claim", &claim, CLAIM_BYTES)?;
    bounded("source", &source, TEXT_BYTES)?;
    // Reading takes its time, and is not to hold up other answers. A caller that goes away drops the
    // stopper, and the reading ends.
    let (_stopper, stop) = Stop::new();
    let checking = tokio::task::spawn_blocking(move || {
        let check = check_claim(&claim, &source, &reader, &stop)?;
        Ok::<_, probity_reader::Stopped>((check, reader.is_trained()))
    });
    let checked = checking.await.map_err(|error| Problem::internal(&error))?;
    let (mut check, trained) = checked.map_err(|error| Problem::internal(&error))?;
    if !trained {
        check.reasons.push(WORDS_ALONE.to_owned());
    }
    let output = CitationOutput {
        support: match check.support {
            Support::Supported => "supported",
            Support::Partly => "partly",
            Support::Unsupported => "unsupported",
        },
        value: tidy(check.value),
        contradicted: check.opposed,
        passage: check.passage.map(|passage| passage.text),
        reasons: check.reasons,
    };
    let reasons = output.reasons.join("; ");
    let text = match reasons.is_empty() {
        true => format!("{} ({:.2})", output.support, output.value),
        false => format!("{} ({:.2}): {reasons}", output.support, output.value),
    };
    ToolAnswer::new(text, &output)
}

/// What `judge_relevance` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RelevanceInput {
    /// The question.
    #[schemars(length(min = 3, max = 2000))]
    question: String,
    /// The text to judge.
    #[schemars(length(min = 1, max = 200_000))]
    text: String,
    /// The text's title.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    title: String,
}

/// What `judge_relevance` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RelevanceOutput {
    /// 5 answers directly and with specifics, 3 touches the topic, 1 is off topic.
    score: u8,
    /// What the score was cut from, from 0 to 1.
    value: f64,
    /// Why, in a sentence.
    why: String,
    /// The part of the text that speaks most to the question.
    passage: Option<String>,
}

/// Judges whether a text answers a question.
pub(super) async fn judge_relevance(
    reader: TextReader,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let RelevanceInput { question, text, title } = read(arguments)?;
    bounded("question", &question, 4 * QUESTION_MAX_CHARS)?;
    if title.len() > TITLE_BYTES {
        return Err(Problem::field("title", format!("give at most {TITLE_BYTES} bytes")));
    }
    bounded("text", &text, TEXT_BYTES)?;
    // A caller that goes away drops the stopper, and the reading ends.
    let (_stopper, stop) = Stop::new();
    let judging = tokio::task::spawn_blocking(move || {
        let judged = judge_text(&question, &title, &text, &CachedReader::new(reader), &stop)?;
        let passage = judged.evidence.clone().and_then(|range| text.get(range).map(str::to_owned));
        Ok::<_, probity_reader::Stopped>((judged, passage))
    });
    let judged = judging.await.map_err(|error| Problem::internal(&error))?;
    let (judged, passage) = judged.map_err(|error| Problem::internal(&error))?;
    let output = RelevanceOutput {
        score: judged.score,
        value: tidy(judged.value),
        why: judged.why,
        passage,
    };
    ToolAnswer::new(format!("{}/5: {}", output.score, output.why), &output)
}

/// The longest title that is looked at, in bytes.
const TITLE_BYTES: usize = 4_000;

/// A text that is there and not too long.
fn bounded(field: &'static str, text: &str, most: usize) -> Result<(), Problem> {
    match text.trim().is_empty() || text.len() > most {
        true => Err(Problem::field(field, format!("give 1 to {most} bytes of text"))),
        false => Ok(()),
    }
}
