//! What is in doubt is criticised before it becomes a report; what is critical changes it.

use probity_core::{Problem, ProblemKind, SourceId};
use probity_report::assemble::Texts;
use probity_report::check::{Readings, Support, Wanted};
use probity_report::draft::{Draft, Statement};
use probity_report::facts::Revision;

use crate::analyst::{Critique, Objection, Remedy, SynthesisTask};
use crate::driver::Run;
use crate::journal::{JournalError, StepKind};
use crate::stage::review::Review;
use crate::stage::summarise::digest;
use crate::stage::write::texts;

/// What a critique did: what changed, and what went wrong.
#[derive(Default)]
pub(crate) struct Attacked {
    pub(crate) revisions: Vec<Revision>,
    pub(crate) problem: Option<Problem>,
}

/// Asks once what is to become of the statements that are not fully supported, and does it. Where all are, no one is
/// asked; a critique that cannot be had leaves the draft as it is.
pub(crate) async fn attack(
    run: &Run<'_>,
    task: SynthesisTask<'_>,
    review: &mut Review<'_>,
) -> Result<Attacked, JournalError> {
    let doubts = review.doubts(run);
    if doubts.is_empty() {
        return Ok(Attacked::default());
    }
    let doubted = digest(&serde_json::to_string(&doubts).unwrap_or_default());
    let seconds = run.parts.spec.limits.summary_seconds;
    let asking = || run.parts.analyst.criticise(task, &doubts);
    let answer = run.ask(StepKind::Criticise, &doubted, seconds, asking).await?;
    review.usage.add(&answer.usage);
    match answer.result {
        Ok(critique) => {
            let texts = texts(run);
            let wanted = to_read(&review.draft, &critique, &texts).into_pairs();
            let missing = review.readings.missing(wanted);
            review.readings.extend(run.read_pairs(missing).await?);
            let draft = std::mem::take(&mut review.draft);
            let (draft, revisions) = apply(draft, &critique, &texts, &review.readings);
            review.draft = draft;
            Ok(Attacked { revisions, problem: None })
        }
        Err(error) => {
            let detail = format!("{error}; the draft was not criticised");
            let problem = Some(Problem::new(ProblemKind::Analysis, "critique", detail));
            Ok(Attacked { revisions: Vec::new(), problem })
        }
    }
}

/// What has to be read to tell whether the sources that a critique names say what it answers by them.
fn to_read(draft: &Draft, critique: &Critique, texts: &Texts) -> Wanted {
    let findings = draft.themes.iter().flat_map(|theme| &theme.statements);
    let sides = draft.conflicts.iter().flat_map(|conflict| &conflict.statements);
    let mut wanted = Wanted::default();
    for (place, statement) in findings.chain(sides).enumerate() {
        let objections = critique.objections.iter().filter(|one| one.is_critical);
        for objection in objections.filter(|objection| objection.claim == place) {
            let Remedy::Cite(sources) = &objection.remedy else { continue };
            for text in sources.iter().filter_map(|id| texts.get(id)) {
                wanted.add(text.index().pairs(&statement.text));
            }
        }
    }
    wanted
}

/// Changes a draft by every critical objection: a sentence goes, says less, or is answered by a
/// source that really says it.
fn apply(
    mut draft: Draft,
    critique: &Critique,
    texts: &Texts,
    readings: &Readings,
) -> (Draft, Vec<Revision>) {
    let mut revisions = Vec::new();
    let mut stayed: Vec<bool> = Vec::new();
    let mut revise = |statements: &mut Vec<Statement>| {
        statements.retain_mut(|statement| {
            let critical = critique.objections.iter().filter(|o| o.is_critical);
            // One sentence, one change: the first critical objection decides.
            let place = stayed.len();
            let objection = critical.into_iter().find(|objection| objection.claim == place);
            let Some(objection) = objection else {
                stayed.push(true);
                return true;
            };
            let before = statement.text.clone();
            let action = change(statement, objection, texts, readings);
            let kept = action != "removed";
            revisions.push(Revision {
                side: objection.side.as_str().to_owned(),
                finding: objection.finding.clone(),
                action: action.to_owned(),
                before,
                after: if kept { statement.text.clone() } else { String::new() },
            });
            stayed.push(kept);
            kept
        });
    };
    let findings = draft.themes.iter().map(|theme| theme.statements.len()).sum();
    draft.themes.iter_mut().for_each(|theme| revise(&mut theme.statements));
    draft.conflicts.iter_mut().for_each(|conflict| revise(&mut conflict.statements));
    stayed.truncate(findings);
    draft.renumber(&stayed);
    draft.themes.retain(|theme| !theme.statements.is_empty());
    // The summary must not go on saying what the findings no longer do.
    let gone: Vec<&str> = revisions.iter().map(|revision| revision.before.as_str()).collect();
    draft.summary.retain(|sentence| !gone.contains(&sentence.as_str()));
    (draft, revisions)
}

fn change(
    statement: &mut Statement,
    objection: &Objection,
    texts: &Texts,
    readings: &Readings,
) -> &'static str {
    match &objection.remedy {
        Remedy::Weaken(text) if *text != statement.text => {
            statement.text.clone_from(text);
            "weakened"
        }
        Remedy::Cite(sources) => {
            let says = |id: &&SourceId| {
                let check =
                    texts.get(id).map(|text| text.index().decide(&statement.text, readings));
                check.is_some_and(|check| check.support == Support::Supported)
            };
            let answers: Vec<SourceId> = sources.iter().filter(says).copied().collect();
            let fresh = answers.iter().filter(|id| !statement.cites.contains(id)).count();
            if fresh == 0 {
                return "removed";
            }
            statement.cites.extend(answers);
            statement.cites.dedup();
            "cited"
        }
        Remedy::Remove | Remedy::Weaken(_) => "removed",
    }
}

#[cfg(test)]
mod tests {
    use probity_report::draft::{Form, Theme};

    use super::*;
    use crate::analyst::Side;

    fn draft() -> Draft {
        let text = ["Music stops at 10 pm.", "Fines are 50 crowns.", "It is always quiet."];
        let statements = text.map(|text| Statement::citing(text, SourceId(0))).to_vec();
        let theme = Theme { heading: "Hours".to_owned(), statements };
        let summary = vec!["It is always quiet.".to_owned()];
        Draft { themes: vec![theme], summary, ..Draft::default() }
    }

    fn objection(claim: usize, is_critical: bool, remedy: Remedy) -> Objection {
        Objection { side: Side::Evidence, claim, finding: "Why.".to_owned(), is_critical, remedy }
    }

    #[test]
    fn critical_objections_change_the_draft_and_minor_ones_do_not() {
        let critique = Critique {
            objections: vec![
                objection(0, false, Remedy::Remove),
                objection(1, true, Remedy::Cite(vec![SourceId(1)])),
                objection(2, true, Remedy::Weaken("It is often quiet.".to_owned())),
                objection(9, true, Remedy::Remove),
            ],
        };
        let texts = Texts::from([(SourceId(1), "Fines are 50 crowns.".into())]);
        let (after, revisions) = apply(draft(), &critique, &texts, &Readings::default());
        let statements = &after.themes[0].statements;
        assert_eq!(statements[0], draft().themes[0].statements[0]);
        assert_eq!(statements[1].cites, [SourceId(0), SourceId(1)]);
        assert_eq!(statements[2].text, "It is often quiet.");
        assert!(after.summary.is_empty());
        let actions: Vec<&str> = revisions.iter().map(|r| r.action.as_str()).collect();
        assert_eq!(actions, ["cited", "weakened"]);
    }

    #[test]
    fn a_citation_that_answers_nothing_removes_the_claim() {
        let remedy = Remedy::Cite(vec![SourceId(1)]);
        let critique = Critique { objections: vec![objection(1, true, remedy)] };
        let texts = Texts::from([(SourceId(1), "The museum shows ships.".into())]);
        let (after, revisions) = apply(draft(), &critique, &texts, &Readings::default());
        assert_eq!(after.themes[0].statements.len(), 2);
        assert_eq!((revisions[0].action.as_str(), revisions[0].after.as_str()), ("removed", ""));
    }

    #[test]
    fn a_conclusion_goes_on_pointing_at_what_it_was_drawn_from() {
        let drawn = |from: usize| Statement {
            text: "It is so.".to_owned(),
            form: Form::Inference { from: vec![from] },
            ..Statement::default()
        };
        let mut draft = draft();
        draft.themes[0].statements.extend([drawn(0), drawn(1), drawn(2)]);
        let critique = Critique { objections: vec![objection(1, true, Remedy::Remove)] };
        let (after, _) = apply(draft, &critique, &Texts::new(), &Readings::default());
        let forms: Vec<&Form> = after.themes[0].statements[2..].iter().map(|s| &s.form).collect();
        let from = |from: &[usize]| Form::Inference { from: from.to_vec() };
        assert_eq!(forms, [&from(&[0]), &from(&[]), &from(&[1])]);
    }
}
