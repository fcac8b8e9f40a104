//! Sentences that their sources do not fully support: what is to become of each.

use probity_model::schema::{list, object, one_of, string};
use probity_model::{Reply, Schema, Task, schema, tokens};
use serde::Deserialize;
use serde_json::json;

use super::super::{AnalystAnswer, Critique, Doubt, Objection, Remedy, Side, SynthesisTask};
use super::read::Cited;
use super::write::{labelled, labels};
use super::{Llm, show};

/// The most objections that are heard.
const OBJECTIONS: usize = 60;
/// The longest objection, in characters.
const FINDING_CHARS: usize = 300;
/// The most tokens of sentences in doubt that are shown, with their passages.
const DOUBTS: usize = 6_000;
/// The most of a passage that is shown, in tokens.
const PASSAGE: usize = 150;

fn critique_schema() -> Schema {
    let sides = Side::ALL.map(Side::as_str);
    let finding = object(&[
        ("sentence", string("C1")),
        ("side", one_of(&sides, "what is wrong with it")),
        ("problem", string("what is wrong, in one sentence")),
        ("action", one_of(&["remove", "weaken", "cite", "keep"], "what must happen")),
        ("rewrite", string("for weaken: the sentence as it should read; else empty")),
        ("sources", list(string("S1"), "for cite: the labels of the sources")),
    ]);
    let findings = list(finding, "one for each sentence");
    Schema { name: "critique".to_owned(), schema: object(&[("findings", findings)]) }
}

#[derive(Deserialize)]
struct Read {
    findings: Vec<ReadFinding>,
}

#[derive(Deserialize)]
struct ReadFinding {
    sentence: String,
    side: String,
    problem: String,
    action: String,
    rewrite: String,
    sources: Vec<String>,
}

impl Llm<'_> {
    /// Asks once about all sentences in doubt.
    pub(super) async fn criticise(
        &self,
        task: SynthesisTask<'_>,
        doubts: &[Doubt],
    ) -> AnalystAnswer<Critique> {
        let judgement = self.caller.begin(Task::Criticise, self.limits.summary_seconds);
        let mut room = self.room(Task::Criticise, Task::Criticise.output_tokens()).min(DOUBTS);
        let mut listed = Vec::new();
        for doubt in doubts {
            let passage = show::clean(&doubt.fault.passage);
            let passage = tokens::clip(&passage, PASSAGE);
            let size = tokens::estimate(&doubt.fault.text) + tokens::estimate(passage) + 40;
            if size > room {
                break;
            }
            room -= size;
            listed.push(json!({
                "label": format!("C{}", doubt.claim + 1), "text": doubt.fault.text,
                "cites": labels(&doubt.cites, task), "reasons": doubt.fault.reasons.join("; "),
                "passage": passage,
            }));
        }
        let shown = task.sources.iter().map(|source| source.id).collect();
        let cited = Cited { material: None, shown, sources: task.sources };
        let values =
            json!({"question": task.question, "sources": labelled(task), "doubts": listed});
        let result = match self.frame.request(Task::Criticise, values, Some(critique_schema())) {
            Ok(request) => judgement.ask(request, |reply| read(reply, &cited, doubts)).await,
            Err(error) => Err(error),
        };
        judgement.answer(result)
    }
}

fn read(reply: &Reply, cited: &Cited<'_>, doubts: &[Doubt]) -> Result<Critique, String> {
    let value = schema::read(&reply.text, &critique_schema(), &[])?;
    let read: Read = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let objections = read.findings.into_iter().filter_map(|finding| {
        let number: usize = finding.sentence.trim().trim_start_matches(['C', 'c']).parse().ok()?;
        // Only what is in doubt is open to it.
        let claim = number.checked_sub(1)?;
        let doubt = doubts.iter().find(|doubt| doubt.claim == claim)?;
        let sources = cited.sources(&finding.sources);
        let rewrite = cited.sentence(&finding.rewrite, &doubt.cites);
        // A remedy that cannot be applied leaves only the harshest.
        let remedy = match finding.action.as_str() {
            "weaken" if !rewrite.is_empty() => Remedy::Weaken(rewrite),
            "cite" if !sources.is_empty() => Remedy::Cite(sources),
            _ => Remedy::Remove,
        };
        let side = Side::ALL.into_iter().find(|side| side.as_str() == finding.side);
        let finding_text = probity_core::printable::brief(finding.problem.trim(), FINDING_CHARS);
        Some(Objection {
            side: side.unwrap_or(Side::Evidence),
            claim,
            finding: finding_text,
            is_critical: finding.action != "keep",
            remedy,
        })
    });
    Ok(Critique { objections: objections.take(OBJECTIONS).collect() })
}
