//! The one table of every tool: its name, what it is for, what it takes to call it, its schemas.

use std::sync::Arc;

use rmcp::handler::server::tool::{schema_for_input, schema_for_output};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;

use super::answer::ToolAnswer;
use super::{Agent, judge, outlets, plan, research, runs, topics};
use crate::access::{Caller, Scope};
use crate::api::ledger::Change;
use crate::api::score::{Page, Scored};
use crate::problem::Problem;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolName {
    Research,
    PlanResearch,
    ApprovePlan,
    FactCheck,
    GetReport,
    ListRuns,
    ScoreSource,
    ResolveOutlet,
    OutletHistory,
    CodeSource,
    CheckCitation,
    JudgeRelevance,
    SearchLibrary,
    NewsTopics,
}

/// What a tool does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing changes.
    Reads,
    /// Something is added; nothing is lost.
    Adds,
}

/// A line of the table.
struct Line {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    scope: Scope,
    effect: Effect,
    /// Whether it asks the world outside.
    open_world: bool,
}

impl ToolName {
    const ALL: [Self; 14] = [
        Self::Research,
        Self::PlanResearch,
        Self::ApprovePlan,
        Self::FactCheck,
        Self::GetReport,
        Self::ListRuns,
        Self::ScoreSource,
        Self::ResolveOutlet,
        Self::OutletHistory,
        Self::CodeSource,
        Self::CheckCitation,
        Self::JudgeRelevance,
        Self::SearchLibrary,
        Self::NewsTopics,
    ];

    /// The tool of a name, if it is on offer.
    pub(super) fn find(name: &str, allow_coding: bool) -> Option<Self> {
        let tool = Self::ALL.into_iter().find(|tool| tool.line().name == name)?;
        (tool != Self::CodeSource || allow_coding).then_some(tool)
    }

    fn line(self) -> Line {
        let reads = |name, title, about| Line {
            name,
            title,
            about,
            scope: Scope::Read,
            effect: Effect::Reads,
            open_world: false,
        };
        match self {
            Self::Research => Line {
                scope: Scope::Research,
                effect: Effect::Adds,
                open_world: true,
                ..reads(
                    "research",
                    "Research a question",
                    "Answers a question from vetted sources: a cited report whose every cited sentence \
                     was checked, or an account of why the sources do not suffice. Takes from seconds \
                     to minutes; cancel it and the run can be resumed later.",
                )
            },
            Self::PlanResearch => Line {
                scope: Scope::Research,
                effect: Effect::Adds,
                open_world: true,
                ..reads(
                    "plan_research",
                    "Plan research",
                    "Plans how a question would be answered: a brief, sub-questions and queries, \
                     and a question back if it is ambiguous. Nothing is searched until \
                     `approve_plan`.",
                )
            },
            Self::ApprovePlan => Line {
                scope: Scope::Research,
                effect: Effect::Adds,
                open_world: true,
                ..reads(
                    "approve_plan",
                    "Approve a plan",
                    "Continues a run that `plan_research` planned, with its plan, another one, or \
                     an answer to its question, and returns its report, or the new plan after an \
                     answer.",
                )
            },
            Self::FactCheck => Line {
                scope: Scope::Research,
                open_world: true,
                ..reads(
                    "fact_check",
                    "Check a text",
                    "Splits any text into statements and finds evidence for each, in the pages it cites \
                     first, then by search: supported, contradicted or not found, with the passage \
                     and its publisher's credibility.",
                )
            },
            Self::GetReport => reads(
                "get_report",
                "Read a report",
                "Gives the report of a finished run as Markdown, or as JSON with everything behind it: \
                 all candidates, scores, statements and passages.",
            ),
            Self::ListRuns => reads(
                "list_runs",
                "List runs",
                "Lists runs with their questions, states and decisions, the latest first.",
            ),
            Self::ScoreSource => reads(
                "score_source",
                "Score a source",
                "Scores a page for a question before it is fetched: authority, relevance and \
                 recency, and whether it would be blocked. Fetches nothing.",
            ),
            Self::ResolveOutlet => reads(
                "resolve_outlet",
                "Resolve an outlet",
                "Finds the publisher of an address, through aggregators and redirect links, and \
                 its credibility. Fetches nothing.",
            ),
            Self::OutletHistory => reads(
                "outlet_history",
                "Show an outlet's history",
                "Returns a publisher's credibility score, its authority in research part by part \
                 and why, and every event that moved it, the latest first.",
            ),
            Self::CodeSource => Line {
                scope: Scope::Ledger,
                effect: Effect::Adds,
                ..reads(
                    "code_source",
                    "Code a source",
                    "Records an editor's judgement of a publisher or of one of its articles, which moves \
                     its score. Call it only when the user asked for exactly this; try `dry_run` first. \
                     The log keeps every event; a mistake is undone by a further event.",
                )
            },
            Self::CheckCitation => reads(
                "check_citation",
                "Check a citation",
                "Checks whether a source's text supports a claim: supported, partly or \
                 unsupported, with the nearest passage and what differs.",
            ),
            Self::JudgeRelevance => reads(
                "judge_relevance",
                "Judge relevance",
                "Judges from 1 (off topic) to 5 (answers directly) how well a text answers a question, \
                 and says why.",
            ),
            Self::SearchLibrary => reads(
                "search_library",
                "Search the library",
                "Searches the user's own indexed documents and returns the best passages.",
            ),
            Self::NewsTopics => reads(
                "news_topics",
                "List news topics",
                "Lists what the user's feeds report, the highest-ranked story first: the article \
                 that represents it, its publisher's credibility, and who else covers it. Fetches \
                 nothing.",
            ),
        }
    }

    /// What it takes, and what the structure of its answer is if it has one.
    fn schemas(self) -> (Arc<JsonObject>, Option<Arc<JsonObject>>) {
        fn input<I: JsonSchema + 'static>() -> Arc<JsonObject> {
            schema_for_input::<I>().unwrap_or_default()
        }
        fn both<I: JsonSchema + 'static, O: JsonSchema + 'static>()
        -> (Arc<JsonObject>, Option<Arc<JsonObject>>) {
            (input::<I>(), Some(schema_for_output::<O>()))
        }
        match self {
            Self::Research => both::<research::Input, research::Output>(),
            Self::PlanResearch => both::<research::Input, plan::PlanOutput>(),
            Self::ApprovePlan => both::<plan::ApproveInput, plan::ApproveOutput>(),
            Self::FactCheck => both::<judge::TextInput, judge::TextOutput>(),
            Self::GetReport => (input::<runs::ReportInput>(), None),
            Self::ListRuns => both::<runs::ListInput, runs::ListOutput>(),
            Self::ScoreSource => both::<Page, Scored>(),
            Self::ResolveOutlet => both::<outlets::ResolveInput, outlets::ResolveOutput>(),
            Self::OutletHistory => both::<outlets::HistoryInput, outlets::HistoryOutput>(),
            Self::CodeSource => both::<outlets::CodeInput, Change>(),
            Self::CheckCitation => both::<judge::CitationInput, judge::CitationOutput>(),
            Self::JudgeRelevance => both::<judge::RelevanceInput, judge::RelevanceOutput>(),
            Self::SearchLibrary => both::<runs::LibraryInput, runs::LibraryOutput>(),
            Self::NewsTopics => both::<topics::Input, topics::Output>(),
        }
    }

    /// The tool as clients learn of it.
    pub(super) fn describe(self) -> Tool {
        let line = self.line();
        let (input, output) = self.schemas();
        let hints = ToolAnnotations::with_title(line.title)
            .read_only(line.effect == Effect::Reads)
            .destructive(false)
            .idempotent(line.effect == Effect::Reads)
            .open_world(line.open_world);
        let tool =
            Tool::new(line.name, line.about, input).with_title(line.title).with_annotations(hints);
        match output {
            Some(output) => tool.with_raw_output_schema(output),
            None => tool,
        }
    }
}

/// Every tool that is on offer.
pub(super) fn all(allow_coding: bool) -> Vec<Tool> {
    let offered = |tool: &ToolName| *tool != ToolName::CodeSource || allow_coding;
    ToolName::ALL.into_iter().filter(offered).map(ToolName::describe).collect()
}

/// Calls a tool.
pub(super) async fn call(
    agent: &Agent,
    caller: &Caller,
    tool: ToolName,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, Problem> {
    let Line { name, scope, .. } = tool.line();
    if !caller.may(scope) {
        let why = format!("`{name}` needs the scope `{}`; ask for such a token", scope.as_str());
        return Err(Problem::forbidden(why));
    }
    let _passage = agent.server.calls.enter(&caller.name)?;
    let server = &agent.server;
    let answering = async {
        match tool {
            ToolName::Research => research::research(agent, caller, arguments, context).await,
            ToolName::PlanResearch => plan::plan_research(agent, caller, arguments, context).await,
            ToolName::ApprovePlan => plan::approve_plan(agent, caller, arguments, context).await,
            ToolName::FactCheck => judge::fact_check(server, caller, arguments, context).await,
            ToolName::GetReport => runs::get_report(server, arguments).await,
            ToolName::ListRuns => runs::list_runs(server, arguments).await,
            ToolName::ScoreSource => outlets::score_source(server, arguments).await,
            ToolName::ResolveOutlet => outlets::resolve_outlet(server, arguments).await,
            ToolName::OutletHistory => outlets::outlet_history(server, arguments).await,
            ToolName::CodeSource => outlets::code_source(server, caller, arguments).await,
            ToolName::CheckCitation => {
                let reader = server.backend.constants().reader.clone();
                judge::check_citation(reader, arguments).await
            }
            ToolName::JudgeRelevance => {
                let reader = server.backend.constants().reader.clone();
                judge::judge_relevance(reader, arguments).await
            }
            ToolName::SearchLibrary => runs::search_library(server, arguments).await,
            ToolName::NewsTopics => topics::news_topics(server, arguments).await,
        }
    };
    tokio::select! {
        // What was cancelled first is noticed first, so that a run is cancelled too.
        answered = answering => answered,
        () = gone(tool, context) => Err(Problem::conflict("the call was cancelled")),
    }
}

/// Until the client cancels. A research call sees to that itself, because it has to stop its run.
async fn gone(tool: ToolName, context: &RequestContext<RoleServer>) {
    match tool {
        ToolName::Research | ToolName::PlanResearch | ToolName::ApprovePlan => {
            std::future::pending().await
        }
        _ => context.ct.cancelled().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_schemas_of_objects_that_take_nothing_else() {
        let tools = all(true);
        assert_eq!(tools.len(), ToolName::ALL.len());
        for tool in tools {
            let (input, output) = (&tool.input_schema, &tool.output_schema);
            assert_eq!(output.is_none(), tool.name == "get_report", "a report is a text alone");
            for schema in std::iter::once(input).chain(output) {
                assert_eq!(schema.get("type").unwrap(), "object", "{}", tool.name);
                assert!(schema.contains_key("properties"), "{}", tool.name);
            }
            assert_eq!(input.get("additionalProperties").unwrap(), false, "{}", tool.name);
            let about = tool.description.as_deref().unwrap();
            assert!((40..400).contains(&about.len()), "{}: {about}", tool.name);
        }
    }

    /// What a tool is given is data: no argument is a place on this machine or something to run.
    #[test]
    fn no_argument_names_a_command_a_file_or_a_folder() {
        for tool in all(true) {
            let properties = tool.input_schema.get("properties").unwrap().as_object().unwrap();
            for name in properties.keys() {
                let forbidden = ["path", "file", "folder", "dir", "command", "cmd", "exec", "host"];
                assert!(!forbidden.iter().any(|bad| name.contains(bad)), "{}.{name}", tool.name);
            }
        }
    }

    #[test]
    fn coding_is_on_offer_only_where_it_is_allowed() {
        assert!(ToolName::find("code_source", false).is_none());
        assert_eq!(ToolName::find("code_source", true), Some(ToolName::CodeSource));
        assert!(!all(false).iter().any(|tool| tool.name == "code_source"));
        assert_eq!(ToolName::CodeSource.line().scope, Scope::Ledger);
    }

    #[test]
    fn only_what_asks_outside_says_so_and_nothing_destroys() {
        for tool in all(true) {
            let hints = tool.annotations.unwrap();
            let outside = matches!(
                tool.name.as_ref(),
                "research" | "plan_research" | "approve_plan" | "fact_check"
            );
            assert_eq!(hints.open_world_hint, Some(outside), "{}", tool.name);
            assert_eq!(hints.destructive_hint, Some(false), "{}", tool.name);
            let adds = matches!(
                tool.name.as_ref(),
                "research" | "plan_research" | "approve_plan" | "code_source"
            );
            assert_eq!(hints.read_only_hint, Some(!adds), "{}", tool.name);
        }
    }
}
