//! A draft attacked from three sides at once.

use futures::future::join_all;
use probity_model::schema::{list, object, one_of, string};
use probity_model::{Reply, Schema, Task, schema};
use probity_report::draft::Draft;
use serde::Deserialize;
use serde_json::json;

use super::super::{Answer, Critique, Objection, Remedy, Side, SynthesisTask, claims};
use super::read::Cited;
use super::{Llm, prompts, show};

/// The most objections from one side that are heard.
const OBJECTIONS: usize = 20;
/// The longest objection, in characters.
const FINDING_CHARS: usize = 300;

fn critique_schema() -> Schema {
    let finding = object(&[
        ("sentence", string("C1")),
        ("problem", string("what is wrong, in one sentence")),
        ("severity", one_of(&["critical", "minor"], "how bad it is")),
        ("action", one_of(&["remove", "weaken", "cite"], "what must happen")),
        ("rewrite", string("for weaken: the sentence as it should read; else empty")),
        ("sources", list(string("S1"), "for cite: the labels of the sources")),
    ]);
    let findings = list(finding, "what is wrong; empty if nothing is");
    Schema { name: "critique".to_owned(), schema: object(&[("findings", findings)]) }
}

#[derive(Deserialize)]
struct Read {
    findings: Vec<ReadFinding>,
}

#[derive(Deserialize)]
struct ReadFinding {
    sentence: String,
    problem: String,
    severity: String,
    action: String,
    rewrite: String,
    sources: Vec<String>,
}

impl Llm<'_> {
    /// Criticises a draft. A side that cannot be heard leaves the others; if none can, the first
    /// failure is the answer.
    pub(super) async fn criticise(
        &self,
        task: SynthesisTask<'_>,
        draft: &Draft,
    ) -> Answer<Critique> {
        let judgement = self.caller.begin(Task::Criticise, self.limits.summary_seconds);
        let room = self.room(Task::Criticise, Task::Criticise.output_tokens());
        let shown = show::with_passages(task.question, task.sources, room);
        let label = |id| shown.iter().find(|s| s.id == id).map(|s| s.label.clone());
        let listed: Vec<_> = claims(draft)
            .enumerate()
            .map(|(index, claim)| {
                let cites: Vec<String> = claim.cites.iter().filter_map(|id| label(*id)).collect();
                let (label, cites) = (format!("C{}", index + 1), cites.join(", "));
                json!({"label": label, "text": claim.text, "cites": cites})
            })
            .collect();
        let cited = Cited { shown: &shown, sources: task.sources };
        let asking = Side::ALL.map(|side| {
            let values = json!({
                "side": side.as_str(), "question": task.question, "headline": draft.headline,
                "claims": listed, "sources": shown,
            });
            let (judgement, cited, count) = (&judgement, &cited, listed.len());
            async move {
                let request = prompts::request(Task::Criticise, values, Some(critique_schema()))?;
                judgement.ask(request, |reply| read(reply, side, cited, count)).await
            }
        });
        let mut objections = Vec::new();
        let mut failures = Vec::new();
        for answer in join_all(asking).await {
            match answer {
                Ok(heard) => objections.extend(heard),
                Err(error) => failures.push(error),
            }
        }
        let result = match failures.into_iter().next() {
            Some(error) if objections.is_empty() => Err(error),
            _ => Ok(Critique { objections }),
        };
        judgement.answer(result)
    }
}

fn read(
    reply: &Reply,
    side: Side,
    cited: &Cited<'_>,
    claims: usize,
) -> Result<Vec<Objection>, String> {
    let value = schema::read(&reply.text, &critique_schema(), &[])?;
    let read: Read = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let objections = read.findings.into_iter().filter_map(|finding| {
        let number: usize = finding.sentence.trim().trim_start_matches(['C', 'c']).parse().ok()?;
        let claim = number.checked_sub(1).filter(|claim| *claim < claims)?;
        let sources = cited.sources(&finding.sources);
        let rewrite = finding.rewrite.trim();
        // A remedy that cannot be applied leaves only the harshest.
        let remedy = match finding.action.as_str() {
            "weaken" if !rewrite.is_empty() => Remedy::Weaken(rewrite.to_owned()),
            "cite" if !sources.is_empty() => Remedy::Cite(sources),
            _ => Remedy::Remove,
        };
        let finding_text = probity_core::printable::brief(finding.problem.trim(), FINDING_CHARS);
        Some(Objection {
            side,
            claim,
            finding: finding_text,
            is_critical: finding.severity == "critical",
            remedy,
        })
    });
    Ok(objections.take(OBJECTIONS).collect())
}
