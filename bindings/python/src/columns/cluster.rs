//! Headlines → the stories that they tell: every row gets the number of its story.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use probity_news::cluster::{Article, Settings, stories};
use probity_reader::Stop;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyRecordBatch;

use super::roles::{Roles, kept, place};
use super::texts::{Instants, Texts};
use super::{stopped, unreadable};
use crate::failure::Failure;
use crate::wait;

/// The most articles that are grouped at once: all of them are looked at together.
const ARTICLES: usize = 1_000_000;
/// How much of an article's text is looked at, in bytes.
const TEXT_BYTES: usize = 4_096;

/// Groups the rows of Arrow data into stories: columns `title`, and `text` and `published` where they
/// are known. Gives a table with `story`, counted from 0 by the first row of each, and `size`.
#[pyfunction]
#[pyo3(signature = (data, *, columns=None, keep=None, threshold=None, half_life_hours=None))]
pub(crate) fn cluster_batch<'py>(
    py: Python<'py>,
    data: AnyRecordBatch,
    columns: Option<&Bound<'py, PyDict>>,
    keep: Option<&Bound<'py, PyAny>>,
    threshold: Option<f32>,
    half_life_hours: Option<f32>,
) -> PyResult<Bound<'py, PyAny>> {
    let input = data.schema()?;
    let roles = Roles::find(&input, &["title", "text", "published"], columns)?;
    roles.needed("title")?;
    let names = kept(keep)?;
    let places = names.iter().map(|name| place(&input, name)).collect::<Result<Vec<_>, _>>()?;
    let settings = settings(threshold, half_life_hours)?;
    let mut fields: Vec<Field> = places
        .iter()
        .filter_map(|place| input.fields().get(*place).map(|field| field.as_ref().clone()))
        .collect();
    fields.extend(["story", "size"].map(|name| Field::new(name, DataType::Int64, false)));
    let schema = Arc::new(Schema::new(fields));
    let reader = data.into_reader()?;
    let output = Arc::clone(&schema);
    let batches = wait::work(py, move |stop| {
        let mut batches = Vec::new();
        let mut articles = Vec::new();
        for rows in reader {
            let rows = rows.map_err(unreadable)?;
            take(&rows, &roles, &mut articles, stop)?;
            // Only what is given back has to stay in memory.
            batches.push(rows.project(&places).map_err(Failure::failed)?);
        }
        numbered(batches, articles, settings, &output)
    })??;
    Ok(Bound::new(py, PyTable::try_new(batches, schema)?)?.into_any())
}

fn settings(threshold: Option<f32>, half_life_hours: Option<f32>) -> Result<Settings, Failure> {
    let usual = Settings::default();
    let settings = Settings {
        threshold: threshold.unwrap_or(usual.threshold),
        half_life_hours: half_life_hours.unwrap_or(usual.half_life_hours),
    };
    if !(0.0..=1.0).contains(&settings.threshold) {
        return Err(Failure::usage("`threshold` has to lie between 0 and 1"));
    }
    if !(settings.half_life_hours.is_finite() && settings.half_life_hours > 0.0) {
        return Err(Failure::usage("`half_life_hours` has to be above 0"));
    }
    Ok(settings)
}

/// Takes the articles of a batch; their ids are the numbers of their rows.
fn take(
    rows: &RecordBatch,
    roles: &Roles,
    articles: &mut Vec<Article>,
    stop: &Stop,
) -> Result<(), Failure> {
    let titles = Texts::of(rows, roles.needed("title")?)?;
    let texts = roles.optional("text").map(|place| Texts::of(rows, place)).transpose()?;
    let times = roles.optional("published").map(|place| Instants::of(rows, place)).transpose()?;
    if stop.is_stopped() {
        return Err(stopped());
    }
    if articles.len().saturating_add(rows.num_rows()) > ARTICLES {
        return Err(Failure::usage(format!("there are more than {ARTICLES} articles"))
            .hint("group them by day or by week first"));
    }
    for row in 0..rows.num_rows() {
        let text = texts.as_ref().and_then(|texts| texts.get(row)).unwrap_or_default();
        let text = text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or_default();
        articles.push(Article {
            id: articles.len().to_string(),
            title: titles.get(row).unwrap_or_default().to_owned(),
            text: text.to_owned(),
            published: times.as_ref().and_then(|times| times.get(row)),
        });
    }
    Ok(())
}

/// The batches with the number and the size of each row's story.
fn numbered(
    batches: Vec<RecordBatch>,
    articles: Vec<Article>,
    settings: Settings,
    schema: &Arc<Schema>,
) -> Result<Vec<RecordBatch>, Failure> {
    let count = articles.len();
    let mut story_of: Vec<usize> = vec![0; count];
    let mut sizes: HashMap<usize, i64> = HashMap::new();
    for (number, story) in stories(articles, settings).iter().enumerate() {
        sizes.insert(number, i64::try_from(story.articles.len()).unwrap_or(i64::MAX));
        for row in story.articles.iter().filter_map(|id| id.parse::<usize>().ok()) {
            if let Some(slot) = story_of.get_mut(row) {
                *slot = number;
            }
        }
    }
    // Counted by first appearance, so that the numbers follow from the rows alone.
    let mut numbers: HashMap<usize, i64> = HashMap::new();
    let mut next = 0;
    let mut rows = story_of.iter();
    let mut results = Vec::with_capacity(batches.len());
    for batch in batches {
        let (mut story, mut size) = (Int64Builder::new(), Int64Builder::new());
        for found in rows.by_ref().take(batch.num_rows()) {
            let number = *numbers.entry(*found).or_insert_with(|| {
                next += 1;
                next - 1
            });
            story.append_value(number);
            size.append_value(sizes.get(found).copied().unwrap_or(1));
        }
        let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
        columns.push(Arc::new(story.finish()));
        columns.push(Arc::new(size.finish()));
        results.push(RecordBatch::try_new(Arc::clone(schema), columns).map_err(Failure::failed)?);
    }
    Ok(results)
}
