//! A run as it tells itself: events → rows under the stages of the timeline.
//!
//! The page is drawn from the rows of all events so far; afterwards each event gives the rows that
//! it changed, drawn by the same template, and a script puts them in place. So there is one drawing
//! of a row, and it works without a script.

use std::collections::BTreeMap;

use askama::Template;
use probity_core::{Problem, Round, SourceId, WebUrl, counted};
use probity_research::Event;
use probity_research::event::{Stage, about};

use super::Share;

/// The stages that have a heading, with its words. Checking is shown under writing.
pub(crate) const STAGES: [(Stage, &str); 6] = [
    (Stage::Plan, "Plan"),
    (Stage::FirstRound, "Round 1"),
    (Stage::Gaps, "Gaps"),
    (Stage::FurtherRounds, "Round 2"),
    (Stage::Gate, "Relevance gate"),
    (Stage::Writing, "Writing"),
];

/// The row of a plan that waits for approval.
const OFFER: &str = "offer";

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Template)]
#[template(path = "story_row.html")]
pub(crate) struct Row {
    pub(crate) key: String,
    pub(crate) stage: Stage,
    /// What it is in a word: `query`, `read`, `blocked`.
    pub(crate) word: String,
    /// The class that goes with the word.
    pub(crate) class: &'static str,
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    pub(crate) bar: Option<Share>,
    pub(crate) reason: String,
}

/// Everything that has happened so far.
#[derive(Debug, Default)]
pub(crate) struct Story {
    rows: Vec<Row>,
    pages: BTreeMap<SourceId, (String, f64, Round)>,
    /// The queries that went out; none is sent twice.
    queries: Vec<String>,
    round: Option<Round>,
    /// The stage in progress, one of [`STAGES`].
    stage: Stage,
    /// What went wrong in each stage, with how often.
    problems: Vec<(Stage, Problem, usize)>,
    /// What goes on right now.
    pub(crate) now: String,
    /// What was spent.
    pub(crate) spent: String,
}

fn stage(round: Round) -> Stage {
    match round {
        Round::First => Stage::FirstRound,
        // Rounds beyond the usual two stand below them.
        _ => Stage::FurtherRounds,
    }
}

/// An address without what every address has.
fn short(url: &str) -> String {
    let bare = url.trim_start_matches("https://").trim_start_matches("http://");
    probity_core::printable::brief(bare.trim_start_matches("www."), 80)
}

/// Only an address of the web becomes a link.
fn link(url: &str) -> Option<String> {
    WebUrl::parse(url).ok().map(|url| url.as_str().to_owned())
}

impl Row {
    fn new(key: String, stage: Stage, word: &str, text: impl Into<String>) -> Self {
        Self {
            key,
            stage,
            word: word.to_owned(),
            class: "",
            text: text.into(),
            href: None,
            bar: None,
            reason: String::new(),
        }
    }

    fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    fn like(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }
}

impl Story {
    /// The rows of a stage.
    pub(crate) fn of<'a>(&'a self, stage: &'a Stage) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.stage == *stage)
    }

    /// Takes an event in; gives the rows that it changed.
    pub(crate) fn take(&mut self, event: &Event) -> Vec<Row> {
        let rows = self.rows_of(event);
        for row in &rows {
            match self.rows.iter_mut().find(|known| known.key == row.key) {
                Some(known) => known.clone_from(row),
                None => self.rows.push(row.clone()),
            }
        }
        rows
    }

    fn page(&self, id: SourceId, word: &str, class: &'static str, reason: &str) -> Row {
        let (url, score, round) =
            self.pages.get(&id).cloned().unwrap_or((String::new(), 0.0, Round::First));
        let mut row = Row::new(format!("page-{}", id.0), stage(round), word, short(&url));
        row.href = link(&url);
        row.bar = Some(Share::new(score));
        row.like(class).because(reason)
    }

    /// The row of a query, from when it goes out.
    fn search(&mut self, round: Round, query: &str) -> Row {
        let known = self.queries.iter().position(|sent| sent == query);
        let place = known.unwrap_or(self.queries.len());
        if known.is_none() {
            self.queries.push(query.to_owned());
        }
        Row::new(format!("search-{place}"), stage(round), "search", query)
    }

    /// What went wrong, under the stage in which it did; once more is a count and not a row.
    fn problem(&mut self, problem: &Problem) -> Row {
        let known = self
            .problems
            .iter()
            .position(|(stage, known, _)| *stage == self.stage && known.is_again(problem));
        let place = known.unwrap_or(self.problems.len());
        if known.is_none() {
            self.problems.push((self.stage, problem.clone(), 0));
        }
        let times = self.problems.get_mut(place).map_or(1, |(_, _, times)| {
            *times += 1;
            *times
        });
        let text = match times {
            1 => problem.subject.clone(),
            times => format!("{} ({times} times)", problem.subject),
        };
        let row = Row::new(format!("problem-{place}"), self.stage, "problem", text);
        row.like("failed").because(problem.detail.as_str())
    }

    fn rows_of(&mut self, event: &Event) -> Vec<Row> {
        match event {
            Event::Plan { queries, parts, .. } => {
                let parts = parts.iter().enumerate().map(|(place, part)| {
                    Row::new(format!("part-{place}"), Stage::Plan, "part", part.as_str())
                });
                let list = queries.iter().enumerate().map(|(place, query)| {
                    Row::new(format!("plan-{place}"), Stage::Plan, "query", query.as_str())
                });
                self.now = format!("{} planned", counted(queries.len(), "query", "queries"));
                let waited = self.rows.iter().any(|row| row.key == OFFER);
                let settled =
                    Row::new(OFFER.to_owned(), Stage::Plan, "approval", "The plan is settled.");
                waited.then_some(settled).into_iter().chain(parts).chain(list).collect()
            }
            Event::Offer(offer) => {
                self.now = "The plan waits for approval".to_owned();
                let until = format!("until {}", offer.until);
                let row = Row::new(OFFER.to_owned(), Stage::Plan, "approval", "The plan waits.");
                vec![row.because(until)]
            }
            Event::Search { round, query } => {
                self.round = Some(*round);
                self.now = format!("Searching: {query}");
                vec![self.search(*round, query)]
            }
            Event::Searched { round, query, hits, fresh, blocked } => {
                let hits = counted(*hits, "result", "results");
                let found = format!("{hits}, {fresh} new, {blocked} blocked");
                vec![self.search(*round, query).because(found)]
            }
            Event::Fetch { round, id, url, score } => {
                self.pages.insert(*id, (url.clone(), *score, *round));
                self.now = format!("Reading {}", short(url));
                vec![self.page(*id, "reading", "busy", "")]
            }
            Event::Fetched { id, outcome, reason, .. } => match outcome.as_str() {
                "read" => vec![self.page(*id, "read", "read", "")],
                _ => vec![self.page(*id, "failed", "failed", reason)],
            },
            Event::Block { id, url, score, threshold, why } => {
                let round = self.round.unwrap_or(Round::First);
                self.pages.insert(*id, (url.clone(), *score, round));
                let why = match why.is_empty() {
                    true => format!("its score is not above {threshold}, so it was not downloaded"),
                    false => format!("not downloaded: {why}"),
                };
                vec![self.page(*id, "blocked", "blocked", &why)]
            }
            Event::Summarise { id, title } => vec![self.page(*id, "read", "read", title)],
            Event::Gaps { unanswered, queries } => {
                let open = unanswered.iter().map(|text| ("open", text));
                let asked = queries.iter().map(|text| ("query", text));
                let rows = open.chain(asked).enumerate().map(|(place, (word, text))| {
                    Row::new(format!("gap-{place}"), Stage::Gaps, word, text.as_str())
                });
                let mut rows: Vec<Row> = rows.collect();
                if rows.is_empty() {
                    rows.push(Row::new(
                        "gap-none".to_owned(),
                        Stage::Gaps,
                        "done",
                        "Nothing is open.",
                    ));
                }
                rows
            }
            Event::Round(round) if round.round == Round::First => Vec::new(),
            Event::Round(round) => {
                let number = round.round.number();
                let closed = counted(round.closed.len(), "gap", "gaps");
                let text = format!("Round {number}: {closed} closed, {} open", round.open.len());
                let row = Row::new(format!("round-{number}"), Stage::FurtherRounds, "round", text);
                vec![row.because(round.ended.as_str())]
            }
            Event::Verdict { number, host, score, kept, why, .. } => {
                let (word, class) = if *kept { ("kept", "read") } else { ("dropped", "failed") };
                let text = format!("Source {number}, {host}: {score}/5");
                let row = Row::new(format!("verdict-{number}"), Stage::Gate, word, text);
                vec![row.like(class).because(why.as_str())]
            }
            Event::Gate { decision, rationale } => {
                vec![Row::new("gate".to_owned(), Stage::Gate, decision.words(), rationale.as_str())]
            }
            Event::Synthesise { sources } => {
                let text = format!("from {sources} sources");
                vec![Row::new("draft".to_owned(), Stage::Writing, "draft", text)]
            }
            Event::Writing { words } => {
                vec![Row::new(
                    "draft".to_owned(),
                    Stage::Writing,
                    "draft",
                    format!("{words} words"),
                )]
            }
            Event::Pace { model, seconds, .. } => {
                let row = Row::new("pace".to_owned(), Stage::Plan, "time", about(*seconds));
                vec![row.because(format!("as fast as {model} has answered so far"))]
            }
            Event::Problem(problem) => vec![self.problem(problem)],
            Event::Report { title, .. } => {
                vec![Row::new("report".to_owned(), Stage::Writing, "report", title.as_str())]
            }
            Event::Error { message } => {
                let row = Row::new("error".to_owned(), Stage::Writing, "error", message.as_str());
                vec![row.like("failed")]
            }
            Event::Step { number, title, .. } => {
                self.stage = match Stage::numbered(*number) {
                    Stage::Checking => Stage::Writing,
                    stage => stage,
                };
                self.now.clone_from(title);
                Vec::new()
            }
            Event::Spend { total, .. } => {
                let tokens = total.input_tokens.saturating_add(total.output_tokens);
                self.spent = format!("${:.4}, {tokens} tokens", total.cost_usd);
                Vec::new()
            }
            Event::Start { .. } | Event::Resumed | Event::End => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use probity_core::ProblemKind;

    use super::*;

    fn story_of(events: &[Event]) -> Story {
        let mut story = Story::default();
        for event in events {
            story.take(event);
        }
        story
    }

    #[test]
    fn a_page_is_one_row_whatever_becomes_of_it() {
        let (id, url) = (SourceId(3), "https://www.gov.example/a".to_owned());
        let fetch = Event::Fetch { round: Round::First, id, url: url.clone(), score: 0.8 };
        let done =
            Event::Fetched { id, url, score: 0.8, outcome: "read".into(), reason: String::new() };
        let named = Event::Summarise { id, title: "Noise".into() };
        let story = story_of(&[fetch, done, named]);
        let rows: Vec<&Row> = story.of(&Stage::FirstRound).collect();
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].word.as_str(), rows[0].reason.as_str()), ("read", "Noise"));
        assert_eq!(rows[0].text, "gov.example/a");
    }

    #[test]
    fn a_query_is_one_row_from_when_it_goes_out() {
        let (round, query) = (Round::First, "noise at night".to_owned());
        let sent = Event::Search { round, query: query.clone() };
        let other = Event::Search { round, query: "quiet hours".to_owned() };
        let answered = Event::Searched { round, query, hits: 4, fresh: 3, blocked: 1 };
        let story = story_of(&[sent, other, answered]);
        let rows: Vec<(&str, &str)> = story
            .of(&Stage::FirstRound)
            .map(|row| (row.text.as_str(), row.reason.as_str()))
            .collect();
        assert_eq!(rows, [("noise at night", "4 results, 3 new, 1 blocked"), ("quiet hours", "")]);
    }

    #[test]
    fn a_problem_stands_once_under_the_stage_in_which_it_happened() {
        let step = |number| Event::Step { number, of: 6, title: String::new() };
        let failed = |seconds: usize| {
            let detail = format!("is left alone for {seconds} s");
            Event::Problem(Problem::new(ProblemKind::Search, "wikipedia", detail))
        };
        let plan = Event::Plan {
            queries: vec!["a".into(), "b".into()],
            brief: String::new(),
            parts: Vec::new(),
        };
        let story =
            story_of(&[step(1), plan, step(2), failed(10), failed(9), step(3), step(4), failed(8)]);
        assert_eq!(story.of(&Stage::Plan).count(), 2);
        let first: Vec<&Row> = story.of(&Stage::FirstRound).collect();
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].text, "wikipedia (2 times)");
        assert_eq!(first[0].reason, "is left alone for 9 s");
        assert_eq!(
            story.of(&Stage::FurtherRounds).map(|row| row.text.as_str()).collect::<Vec<_>>(),
            ["wikipedia"]
        );
        let story = story_of(&[step(7), failed(1)]);
        assert_eq!(story.of(&Stage::Writing).count(), 1);
    }

    #[test]
    fn what_a_page_says_is_text() {
        let id = SourceId(1);
        let url = "javascript:alert(1)".to_owned();
        let fetch = Event::Fetch { round: Round::Second, id, url, score: 0.8 };
        let mut story = Story::default();
        let rows = story.take(&fetch);
        assert_eq!(rows[0].href, None);
        let title = "<img src=x onerror=alert(1)>".to_owned();
        let rows = story.take(&Event::Summarise { id, title });
        let html = rows[0].render().unwrap();
        assert!(!html.contains("<img") && html.contains("&#60;img"), "{html}");
    }
}
