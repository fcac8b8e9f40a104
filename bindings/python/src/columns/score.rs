//! Addresses → scores, a row each.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use probity_core::WebUrl;
use probity_credibility::{Discovery, Question, QuestionScorer, Scored};
use probity_reader::Stop;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::input::AnyRecordBatch;

use super::roles::{Roles, kept};
use super::texts::{Instants, Texts};
use super::{Job, QUICK_ROWS, Task, answer};
use crate::failure::Failure;
use crate::given;
use crate::score::{Scorer, usual};

/// The columns that are read.
const ROLES: [&str; 6] = ["url", "question", "title", "snippet", "date", "query"];

/// Scores a column of addresses.
struct Scoring {
    scorer: Arc<probity_credibility::Scorer>,
    /// The question of every row, where it is one.
    question: Option<Question>,
    url: usize,
    roles: Roles,
    explain: bool,
}

/// The results so far.
#[derive(Default)]
struct Columns {
    texts: [StringBuilder; 5],
    numbers: [Float64Builder; 6],
    blocked: BooleanBuilder,
    explanation: StringBuilder,
    error: StringBuilder,
}

/// The text columns, in order.
const TEXTS: [&str; 5] = ["url", "host", "outlet", "tier", "authority_source"];
/// The number columns, in order.
const NUMBERS: [&str; 6] =
    ["authority", "relevance", "relevance_to_question", "relevance_to_query", "recency", "score"];

impl Columns {
    fn push(&mut self, scored: &Scored<'_>, explain: bool) {
        let texts = [
            Some(scored.url),
            Some(scored.host),
            scored.outlet,
            Some(scored.tier.as_str()),
            Some(scored.authority_source.as_str()),
        ];
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        let numbers = [
            Some(scored.authority),
            Some(scored.relevance),
            Some(scored.relevance_to_question),
            scored.relevance_to_query,
            Some(scored.recency),
            Some(scored.score),
        ];
        self.numbers.iter_mut().zip(numbers).for_each(|(column, one)| column.append_option(one));
        self.blocked.append_value(scored.blocked);
        if explain {
            // Written in place; a builder never fails to take text.
            let _ = write!(self.explanation, "{}", scored.explanation.explain());
            self.explanation.append_value("");
        }
        self.error.append_null();
    }

    fn fail(&mut self, error: &str, explain: bool) {
        self.texts.iter_mut().for_each(StringBuilder::append_null);
        self.numbers.iter_mut().for_each(Float64Builder::append_null);
        self.blocked.append_null();
        if explain {
            self.explanation.append_null();
        }
        self.error.append_value(error);
    }

    fn finish(mut self, explain: bool) -> Vec<ArrayRef> {
        let mut arrays: Vec<ArrayRef> = Vec::new();
        arrays.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.extend(self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.push(Arc::new(self.blocked.finish()));
        if explain {
            arrays.push(Arc::new(self.explanation.finish()));
        }
        arrays.push(Arc::new(self.error.finish()));
        arrays
    }
}

impl Job for Scoring {
    fn fields(&self) -> Vec<Field> {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let mut fields: Vec<Field> = TEXTS.into_iter().map(text).collect();
        fields.extend(NUMBERS.map(|name| Field::new(name, DataType::Float64, true)));
        fields.push(Field::new("blocked", DataType::Boolean, true));
        if self.explain {
            fields.push(text("explanation"));
        }
        fields.push(text("error"));
        fields
    }

    fn rows(&self) -> usize {
        QUICK_ROWS
    }

    fn work(&self, rows: &RecordBatch, _: &Stop) -> Result<Vec<ArrayRef>, Failure> {
        let texts =
            |role| self.roles.optional(role).map(|place| Texts::of(rows, place)).transpose();
        let urls = Texts::of(rows, self.url)?;
        let (titles, snippets) = (texts("title")?, texts("snippet")?);
        let (questions, queries) = (texts("question")?, texts("query")?);
        let dates =
            self.roles.optional("date").map(|place| Instants::of(rows, place)).transpose()?;
        let text = |column: &Option<Texts>, row| {
            column.as_ref().and_then(|column| column.get(row).map(str::to_owned))
        };
        let mut results = Columns::default();
        let mut asked: Option<Asked<'_>> = None;
        for row in 0..rows.num_rows() {
            let question = match &self.question {
                Some(question) => Ok(question.as_str()),
                None => questions
                    .as_ref()
                    .and_then(|column| column.get(row))
                    .ok_or_else(|| "there is no question".to_owned()),
            };
            let query = text(&queries, row);
            let page = question.and_then(|question| {
                let url = urls.get(row).ok_or_else(|| "there is no address".to_owned())?;
                let url = WebUrl::parse(url).map_err(|error| error.to_string())?;
                if !asked.as_ref().is_some_and(|asked| asked.is(question, query.as_deref())) {
                    asked = Some(Asked::new(&self.scorer, question, query)?);
                }
                Ok(url)
            });
            match (page, &mut asked) {
                (Ok(url), Some(asked)) => {
                    let assessment = asked.scorer.assess(Discovery {
                        url: &url,
                        title: titles.as_ref().and_then(|column| column.get(row)).unwrap_or(""),
                        snippet: snippets.as_ref().and_then(|column| column.get(row)).unwrap_or(""),
                        published: dates.as_ref().and_then(|column| column.day(row)),
                    });
                    results.push(&Scored::new(&url, &assessment), self.explain);
                }
                (Ok(_), None) => results.fail("there is no question", self.explain),
                (Err(error), _) => results.fail(&error, self.explain),
            }
        }
        Ok(results.finish(self.explain))
    }
}

/// The question and query of the rows at hand, prepared once for as many as have them.
struct Asked<'a> {
    question: String,
    query: Option<String>,
    scorer: QuestionScorer<'a>,
}

impl<'a> Asked<'a> {
    fn new(
        scorer: &'a probity_credibility::Scorer,
        question: &str,
        query: Option<String>,
    ) -> Result<Self, String> {
        let asked = Question::new(question).map_err(|error| error.to_string())?;
        let scorer = scorer.for_question(asked.as_str()).found_by(query.as_deref());
        Ok(Self { question: question.to_owned(), query, scorer })
    }

    fn is(&self, question: &str, query: Option<&str>) -> bool {
        self.question == question && self.query.as_deref() == query
    }
}

/// Scores the rows of Arrow data: columns `url`, `title`, `snippet`, `date`, `query`, and `question`
/// unless one question is given for all.
#[pyfunction]
#[pyo3(signature = (data, question=None, *, columns=None, keep=None, explain=true, scorer=None, threads=None, stream=false))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn score_batch<'py>(
    py: Python<'py>,
    data: AnyRecordBatch,
    question: Option<&Bound<'py, PyAny>>,
    columns: Option<&Bound<'py, PyDict>>,
    keep: Option<&Bound<'py, PyAny>>,
    explain: bool,
    scorer: Option<&Scorer>,
    threads: Option<usize>,
    stream: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let schema = data.schema()?;
    let roles = Roles::find(&schema, &ROLES, columns)?;
    let question = match question.filter(|question| !question.is_none()) {
        Some(question) => Some(given::question(question)?),
        None => {
            roles.needed("question")?;
            None
        }
    };
    let scorer = match scorer {
        Some(scorer) => scorer.shared(),
        None => usual()?.shared(),
    };
    let job = Scoring { scorer, question, url: roles.needed("url")?, roles, explain };
    let task = Task::new(job, &schema, &kept(keep)?, threads)?;
    answer(py, data, task, stream)
}
