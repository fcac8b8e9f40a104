//! What is behind a report, as rows that every format can show.

use probity_core::{Candidate, Problem, Verdict};

use crate::escape::one_line;
use crate::facts::{RoundRecord, RunFacts, SentQuery, StageRecord, Usage};

/// Everything behind a report. Texts are on one line and cleaned, not yet escaped.
pub(crate) struct Appendix {
    pub(crate) queries: Vec<QueryRow>,
    /// What each round brought, where there could be more than two.
    pub(crate) rounds: Vec<RoundRow>,
    /// Why there was no other round.
    pub(crate) ended: String,
    pub(crate) rationale: String,
    pub(crate) cutoff: u8,
    pub(crate) judged: Vec<JudgedRow>,
    pub(crate) candidates: Vec<CandidateRow>,
    pub(crate) gaps: Vec<String>,
    /// What is said where there are none.
    pub(crate) nothing_open: String,
    pub(crate) stages: Vec<StageRow>,
    pub(crate) problems: Vec<String>,
}

/// A query that was sent.
pub(crate) struct QueryRow {
    pub(crate) round: usize,
    pub(crate) text: String,
    pub(crate) hits: usize,
    pub(crate) kept: usize,
}

/// What a round brought.
pub(crate) struct RoundRow {
    pub(crate) round: usize,
    pub(crate) queries: usize,
    pub(crate) found: usize,
    pub(crate) read: usize,
    pub(crate) closed: String,
    pub(crate) open: String,
}

/// A source that the gate judged.
pub(crate) struct JudgedRow {
    pub(crate) score: String,
    pub(crate) verdict: &'static str,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) why: String,
}

/// A page that was seen.
pub(crate) struct CandidateRow {
    pub(crate) scores: [String; 4],
    pub(crate) verdict: String,
    pub(crate) round: usize,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) reason: String,
}

/// A stage with what it took. The last row is their sum.
pub(crate) struct StageRow {
    pub(crate) title: String,
    pub(crate) calls: usize,
    pub(crate) time: String,
    pub(crate) tokens: u64,
    pub(crate) cost: String,
}

impl Appendix {
    pub(crate) fn new(facts: &RunFacts) -> Self {
        Self {
            queries: facts.queries.iter().map(query).collect(),
            rounds: facts.rounds.iter().map(round).collect(),
            ended: facts.rounds.last().map(ended).unwrap_or_default(),
            rationale: one_line(&facts.gate.rationale),
            cutoff: facts.gate.cutoff,
            judged: facts.candidates.iter().filter_map(judged).collect(),
            candidates: facts.candidates.iter().map(candidate).collect(),
            nothing_open: format!("Nothing was left open after {}.", facts.last_round()),
            gaps: facts.gaps.iter().map(|gap| one_line(gap)).collect(),
            stages: stages(&facts.timeline, &facts.usage),
            problems: Problem::counted(&facts.problems).into_iter().map(problem).collect(),
        }
    }
}

/// A part of the appendix.
pub(crate) struct Part {
    pub(crate) heading: &'static str,
    /// What is before the table or instead of a list.
    pub(crate) note: Option<String>,
    pub(crate) shape: Shape,
}

/// How a part is laid out.
pub(crate) enum Shape {
    Table {
        /// What the table holds, in a line.
        caption: &'static str,
        columns: &'static [Column],
        rows: Vec<Vec<Cell>>,
    },
    List(Vec<String>),
}

/// A column of a table.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// Its width on a page of A4, in points.
    pub(crate) width: u16,
    /// Whether it holds numbers.
    pub(crate) number: bool,
}

pub(crate) const fn text(name: &'static str, width: u16) -> Column {
    Column { name, width, number: false }
}

pub(crate) const fn number(name: &'static str, width: u16) -> Column {
    Column { name, width, number: true }
}

/// What is in a cell.
pub(crate) enum Cell {
    Text(String),
    Page { title: String, url: String },
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell::Text(text.to_string())
    }
}

impl Appendix {
    /// Everything in order, for formats that show it all alike.
    pub(crate) fn parts(self) -> Vec<Part> {
        let mut parts = vec![searches(self.queries)];
        if !self.rounds.is_empty() {
            parts.push(Part { note: Some(self.ended), ..rounds(self.rounds) });
        }
        parts.push(Part {
            note: Some(format!("{} (cutoff {} of 5)", self.rationale, self.cutoff)),
            ..gate(self.judged)
        });
        parts.push(every_candidate(self.candidates));
        parts.push(Part {
            heading: "Appendix: Gaps Left",
            note: self.gaps.is_empty().then_some(self.nothing_open),
            shape: Shape::List(self.gaps),
        });
        if !self.stages.is_empty() {
            parts.push(time_and_cost(self.stages));
        }
        if !self.problems.is_empty() {
            let shape = Shape::List(self.problems);
            parts.push(Part { heading: "Appendix: Problems", note: None, shape });
        }
        parts
    }
}

fn table(
    heading: &'static str,
    caption: &'static str,
    columns: &'static [Column],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> Part {
    Part { heading, note: None, shape: Shape::Table { caption, columns, rows: rows.collect() } }
}

fn searches(queries: Vec<QueryRow>) -> Part {
    const COLUMNS: &[Column] = &[
        number("round", 32),
        text("query", 295),
        number("results", 40),
        number("sources kept", 60),
    ];
    let caption = "Every query with its round, its results and the sources kept";
    let rows = queries
        .into_iter()
        .map(|q| vec![q.round.into(), q.text.into(), q.hits.into(), q.kept.into()]);
    table("Appendix: Searches", caption, COLUMNS, rows)
}

fn rounds(rounds: Vec<RoundRow>) -> Part {
    const COLUMNS: &[Column] = &[
        number("round", 32),
        number("queries", 40),
        number("new pages", 46),
        number("read", 30),
        text("gaps closed", 140),
        text("left open", 139),
    ];
    let caption = "Every round with what it looked for, what it read and which gaps that closed";
    let rows = rounds.into_iter().map(|r| {
        let counts = [r.round, r.queries, r.found, r.read].map(Cell::from);
        counts.into_iter().chain([r.closed.into(), r.open.into()]).collect()
    });
    table("Appendix: Rounds", caption, COLUMNS, rows)
}

fn gate(judged: Vec<JudgedRow>) -> Part {
    const COLUMNS: &[Column] =
        &[number("score", 26), text("verdict", 40), text("page", 160), text("why", 201)];
    let caption = "Every source that was judged, with its relevance";
    let rows = judged.into_iter().map(|j| {
        let page = Cell::Page { title: j.title, url: j.url };
        vec![j.score.into(), j.verdict.into(), page, j.why.into()]
    });
    table("Appendix: Relevance Gate", caption, COLUMNS, rows)
}

fn every_candidate(candidates: Vec<CandidateRow>) -> Part {
    const COLUMNS: &[Column] = &[
        number("score", 24),
        number("authority", 34),
        number("relevance", 36),
        number("recency", 30),
        number("round", 22),
        text("verdict", 44),
        text("page", 105),
        text("reason", 100),
    ];
    let caption = "Every page that was seen, with the parts of its score and what became of it";
    let rows = candidates.into_iter().map(|c| {
        let mut cells: Vec<Cell> = c.scores.into_iter().map(Cell::from).collect();
        cells.extend([c.round.into(), c.verdict.into()]);
        cells.extend([Cell::Page { title: c.title, url: c.url }, c.reason.into()]);
        cells
    });
    table("Appendix: Every Candidate", caption, COLUMNS, rows)
}

fn time_and_cost(stages: Vec<StageRow>) -> Part {
    const COLUMNS: &[Column] = &[
        text("stage", 210),
        number("calls", 40),
        number("time", 60),
        number("tokens", 50),
        number("cost", 50),
    ];
    let caption = "What each stage took";
    let rows = stages.into_iter().map(|s| {
        vec![s.title.into(), s.calls.into(), s.time.into(), s.tokens.into(), s.cost.into()]
    });
    table("Appendix: Time and Cost", caption, COLUMNS, rows)
}

fn problem((problem, times): (&Problem, usize)) -> String {
    match times {
        1 => one_line(&problem.to_string()),
        times => one_line(&format!("{problem} ({times} times)")),
    }
}

fn round(record: &RoundRecord) -> RoundRow {
    let listed = |gaps: &[String]| match gaps {
        [] => "none".to_owned(),
        gaps => gaps.iter().map(|gap| one_line(gap)).collect::<Vec<_>>().join("; "),
    };
    RoundRow {
        round: record.round.number(),
        queries: record.queries,
        found: record.found,
        read: record.read,
        // Before the first round nothing was known to be missing.
        closed: match record.round.number() {
            1 => "–".to_owned(),
            _ => listed(&record.closed),
        },
        open: listed(&record.open),
    }
}

/// Why a round was the last.
fn ended(last: &RoundRecord) -> String {
    match last.ended.as_str() {
        "" => format!("Round {} was the last.", last.round.number()),
        why => format!("Round {} was the last: {}.", last.round.number(), one_line(why)),
    }
}

fn query(query: &SentQuery) -> QueryRow {
    QueryRow {
        round: query.round.number(),
        text: one_line(&query.text),
        hits: query.hits,
        kept: query.kept,
    }
}

fn judged(candidate: &Candidate) -> Option<JudgedRow> {
    let relevance = candidate.relevance.as_ref()?;
    Some(JudgedRow {
        score: format!("{}/5", relevance.score),
        verdict: if candidate.verdict == Verdict::Read { "kept" } else { "dropped" },
        title: title(candidate),
        url: candidate.url.as_str().to_owned(),
        why: one_line(&relevance.why),
    })
}

fn candidate(candidate: &Candidate) -> CandidateRow {
    let score = candidate.credibility;
    let gate = candidate.relevance.as_ref().map_or(String::new(), |r| format!(" {}/5", r.score));
    CandidateRow {
        scores: [score.total, score.authority, score.relevance, score.recency]
            .map(|value| format!("{value:.2}")),
        verdict: format!("{}{gate}", candidate.verdict.as_str()),
        round: candidate.round.number(),
        title: title(candidate),
        url: candidate.url.as_str().to_owned(),
        reason: reason(candidate),
    }
}

/// The outcome of a page and why, with the shares that its relevance is the better of.
fn reason(candidate: &Candidate) -> String {
    let reason = one_line(&candidate.reason);
    let shares = candidate.shares.map(|shares| shares.to_string());
    match shares.filter(|shares| !reason.contains(shares.as_str())) {
        Some(shares) => format!("{reason} ({shares})"),
        None => reason,
    }
}

/// A page's title, or its host where it has none.
pub(crate) fn title(candidate: &Candidate) -> String {
    match one_line(&candidate.title) {
        title if title.is_empty() => candidate.url.host().to_owned(),
        title => title,
    }
}

fn stages(timeline: &[StageRecord], usage: &Usage) -> Vec<StageRow> {
    let row = |title: &str, calls: usize, millis: i64, usage: &Usage| StageRow {
        title: one_line(title),
        calls,
        time: duration(millis),
        tokens: usage.input_tokens.saturating_add(usage.output_tokens),
        cost: format!("${:.4}", usage.cost_usd),
    };
    let took = |stage: &StageRecord| stage.span().map_or(0, |(from, to)| to.saturating_sub(from));
    let mut rows: Vec<StageRow> = timeline
        .iter()
        .map(|stage| row(&stage.title, stage.calls.len(), took(stage), &stage.usage))
        .collect();
    if !rows.is_empty() {
        let calls = timeline.iter().map(|stage| stage.calls.len()).sum();
        let millis = timeline.iter().map(took).fold(0, i64::saturating_add);
        rows.push(row("Together", calls, millis, usage));
    }
    rows
}

/// A time as people read it.
pub(crate) fn duration(millis: i64) -> String {
    match millis {
        ..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
        _ => format!("{} h {} min", millis / 3_600_000, millis % 3_600_000 / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_are_read_in_their_own_unit() {
        let read = [0, 999, 1_250, 61_000, 7_260_000].map(duration);
        assert_eq!(read, ["0 ms", "999 ms", "1.2 s", "1 min 1 s", "2 h 1 min"]);
    }
}
