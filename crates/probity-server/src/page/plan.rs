//! The plan of a run before whoever asked: read, changed, approved or dropped, with no script.
//!
//! ```text
//! GET /runs/ID ── a plan waits ── the form ─┬─ add, remove ── the form again, with what was typed
//!                                           ├─ approve, answer ── the run goes on
//!                                           └─ drop ── the run stops
//! ```

use askama::Template;
use axum::extract::{Request, State};
use probity_research::analyst::{Plan, PlanPart};
use probity_research::approve::{ANSWER_CHARS, Offer};
use probity_research::plan_file::{BRIEF_CHARS, LINE_CHARS, PARTS_MOST, QUERIES_MOST, held};
use probity_store::{RunStatus, RunSummary};

use super::run::encode;
use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::plan::{self as api, Approval};
use crate::api::{Reply, research, runs};
use crate::problem::Problem;
use crate::read::{self, FormPairs, Part};
use crate::state::Server;

/// The longest list of queries as it is typed, one a line, in characters.
const QUERIES_CHARS: usize = QUERIES_MOST * (LINE_CHARS + 1);

/// A sub-question as the form holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PartField {
    question: String,
    /// One a line.
    queries: String,
}

/// What the form holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PlanForm {
    brief: String,
    parts: Vec<PartField>,
    /// Queries of no sub-question, one a line.
    queries: String,
    answer: String,
}

impl From<Plan> for PlanForm {
    fn from(plan: Plan) -> Self {
        let part = |part: PlanPart| PartField {
            question: part.question,
            queries: part.queries.join("\n"),
        };
        Self {
            brief: plan.brief,
            parts: plan.parts.into_iter().map(part).collect(),
            queries: plan.queries.join("\n"),
            answer: String::new(),
        }
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

impl PlanForm {
    /// The fields as they were sent. A sub-question begins a part, and queries belong to the part before them.
    fn read(pairs: &[(String, String)]) -> Self {
        let mut form = Self::default();
        for (name, value) in pairs {
            let value = value.clone();
            match name.as_str() {
                "brief" => form.brief = value,
                "part" => {
                    form.parts.push(PartField { question: value, queries: String::new() });
                }
                "part_queries" => {
                    if let Some(part) = form.parts.last_mut() {
                        part.queries = value;
                    }
                }
                "queries" => form.queries = value,
                "answer" => form.answer = value,
                _ => {}
            }
        }
        form
    }

    /// The plan that the form describes. Queries whose sub-question was emptied are searched for all the same.
    fn plan(&self) -> Plan {
        let mut plan = Plan {
            brief: self.brief.trim().to_owned(),
            parts: Vec::new(),
            queries: lines(&self.queries),
        };
        for part in &self.parts {
            let (question, queries) = (part.question.trim(), lines(&part.queries));
            match question.is_empty() {
                true => plan.queries.extend(queries),
                false => plan.parts.push(PlanPart { question: question.to_owned(), queries }),
            }
        }
        plan
    }
}

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    frame: Frame,
    id: String,
    question: String,
    mode: String,
    asked: When,
    /// Until when the run waits; none where that is over.
    until: Option<String>,
    clarify: String,
    form: PlanForm,
    problem: Option<String>,
    /// Whether the caller may decide.
    decides: bool,
    parts_most: usize,
    queries_most: usize,
    brief_chars: usize,
    line_chars: usize,
    queries_chars: usize,
    answer_chars: usize,
}

/// A plan that waits, with what was typed so far and what is wrong with it.
async fn draw(
    server: &Server,
    caller: &Caller,
    run: RunSummary,
    offer: Offer,
    form: PlanForm,
    problem: Option<String>,
) -> Reply {
    let now = server.clock.now();
    let frame = Frame::new(server, caller, &run.question, Tab::Runs);
    let decides = frame.asks && research::owned(server, caller, &run.id).await.is_ok();
    page(&PlanPage {
        decides,
        frame,
        asked: When::new(run.asked_at, now),
        id: run.id.into(),
        question: run.question,
        mode: run.mode,
        until: (offer.until.0 > now.0).then(|| offer.until.to_string()),
        clarify: offer.clarify,
        form,
        problem,
        parts_most: PARTS_MOST,
        queries_most: QUERIES_MOST,
        brief_chars: BRIEF_CHARS,
        line_chars: LINE_CHARS,
        queries_chars: QUERIES_CHARS,
        answer_chars: ANSWER_CHARS,
    })
}

/// The plan that a run waits with, as a page; none if it does not wait.
pub(super) async fn waiting(
    server: &Server,
    caller: &Caller,
    run: &RunSummary,
) -> Result<Option<axum::response::Response>, Problem> {
    // One that was stopped asks again when it is taken up again.
    if matches!(run.status, RunStatus::Finished | RunStatus::Interrupted) {
        return Ok(None);
    }
    let Some(offer) = api::waiting(server, &run.id).await? else { return Ok(None) };
    let form = PlanForm::from(offer.plan.clone());
    draw(server, caller, run.clone(), offer, form, None).await.map(Some)
}

/// `GET /runs/{id}/plan`: the page of the run shows the plan while it waits.
pub(crate) async fn show(Part(id): Part) -> Reply {
    go(&format!("/runs/{}", encode(&id)))
}

/// `POST /runs/{id}/plan`.
pub(crate) async fn decide(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    request: Request,
) -> Reply {
    let FormPairs(pairs) = read::form_pairs(request).await?;
    let pressed = pairs.iter().find(|(name, _)| name == "do").map(|(_, value)| value.as_str());
    let mut form = PlanForm::read(&pairs);
    let run = runs::find(&server, &id).await?.summary;
    let offer = api::waiting(&server, &id).await?;
    let offer = offer
        .ok_or_else(|| Problem::conflict(format!("no plan of run {id} waits for approval")))?;
    let removed = pressed.and_then(|pressed| pressed.strip_prefix("remove-"));
    let approval = match (pressed, removed.and_then(|place| place.parse::<usize>().ok())) {
        (Some("add"), _) if form.parts.len() < PARTS_MOST => {
            form.parts.push(PartField::default());
            return draw(&server, &caller, run, offer, form, None).await;
        }
        (Some("add"), _) => {
            let why = Some(format!("A plan has at most {PARTS_MOST} sub-questions."));
            return draw(&server, &caller, run, offer, form, why).await;
        }
        (_, Some(place)) => {
            if place < form.parts.len() {
                form.parts.remove(place);
            }
            return draw(&server, &caller, run, offer, form, None).await;
        }
        (Some("drop"), _) => {
            research::stop(&server, &caller, &id).await?;
            return go(&format!("/runs/{}", encode(&id)));
        }
        (Some("answer"), _) => Approval { plan: None, answer: Some(form.answer.clone()) },
        (Some("approve"), _) => {
            let plan = form.plan();
            let is_as_offered = held(plan.clone()) == held(offer.plan.clone());
            Approval { plan: (!is_as_offered).then(|| plan.into()), answer: None }
        }
        _ => return Err(Problem::field("do", "press one of the buttons of the plan")),
    };
    match api::give(&server, &caller, &id, approval).await {
        Ok(_) => go(&format!("/runs/{}", encode(&id))),
        // What the person can fix is said where they can fix it.
        Err(problem) if problem.field_name().is_some() => {
            let why = match problem.field_name() {
                Some("plan") => format!("The plan {}.", problem.detail()),
                _ => format!("That does not do: {}.", problem.detail()),
            };
            draw(&server, &caller, run, offer, form, Some(why)).await
        }
        Err(problem) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(pairs: &[(&str, &str)]) -> PlanForm {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        PlanForm::read(&pairs.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_form_says_the_plan_that_it_was_made_of() {
        let part = |question: &str, queries: &[&str]| PlanPart {
            question: question.to_owned(),
            queries: queries.iter().map(|query| (*query).to_owned()).collect(),
        };
        let plan = Plan {
            brief: "What the fines are.".to_owned(),
            parts: vec![part("How high?", &["fines", "penalties"]), part("Who is exempt?", &[])],
            queries: vec!["noise".to_owned()],
        };
        assert_eq!(PlanForm::from(plan.clone()).plan(), plan);
    }

    #[test]
    fn queries_belong_to_the_sub_question_before_them() {
        let form = sent(&[
            ("part_queries", "lost"),
            ("part", "How high?"),
            ("part_queries", " fines \r\n\r\npenalties"),
            ("part", "  "),
            ("part_queries", "exemptions"),
            ("queries", "noise"),
        ]);
        let plan = form.plan();
        assert_eq!(plan.parts.len(), 1);
        assert_eq!(plan.parts[0].queries, ["fines", "penalties"]);
        assert_eq!(plan.queries, ["noise", "exemptions"], "an emptied sub-question keeps them");
    }
}
