//! The trained reader: does a passage answer a question, does it support a claim?

use probity_reader::{Passage, TextReader};
use probity_research::analyst::embedded::gate::judge_text;
use probity_research::analyst::embedded::read::CachedReader;
use probity_text::sentences::sentences;
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::given::{self, LONG_BYTES, SHORT_BYTES};
use crate::{record, wait};

/// The most passages of one call.
const PASSAGES: usize = 100_000;

/// What the reader says about a question and a passage.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Answer {
    /// How surely the passage answers the question, from 0 to 1.
    answerable: f64,
    /// How surely it is about what the question asks for, from 0 to 1.
    topic: f64,
    /// The span that comes nearest to an answer; none without text.
    span: Option<String>,
    /// The character of the passage at which the span begins.
    start: Option<usize>,
    /// One past the character at which it ends.
    end: Option<usize>,
    /// How much speaks for the span, as a logarithm: never above 0.
    score: Option<f64>,
    /// The sentence of the passage that comes nearest to an answer.
    sentence: Option<String>,
}

impl Answer {
    fn new(
        passage: &str,
        cut: &[std::ops::Range<usize>],
        read: &probity_reader::PassageAnswer,
    ) -> Self {
        let span = read.span;
        let best = cut.iter().zip(&read.sentences);
        let best = best.filter_map(|(place, score)| Some((place, score.as_ref()?.score)));
        let best = best.max_by(|(_, one), (_, other)| one.total_cmp(other));
        Self {
            answerable: probability(read.answerable),
            topic: probability(read.topic),
            span: span.and_then(|span| passage.get(span.start..span.end)).map(str::to_owned),
            start: span.map(|span| record::character(passage, span.start)),
            end: span.map(|span| record::character(passage, span.end)),
            score: span.map(|span| span.score),
            sentence: best.and_then(|(place, _)| passage.get(place.clone())).map(str::to_owned),
        }
    }
}

#[pymethods]
impl Answer {
    /// The answer as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        let span = self.span.as_deref().unwrap_or_default();
        format!("Answer({:.2}, on topic {:.2}: {span:?})", self.answerable, self.topic)
    }
}

/// How probable it is that a passage supports a claim, says too little, or contradicts it.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Entailment {
    /// The passage supports the claim.
    supported: f64,
    /// The passage does not say enough.
    not_enough: f64,
    /// The passage contradicts the claim.
    contradicted: f64,
}

#[pymethods]
impl Entailment {
    /// The three probabilities as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        format!(
            "Entailment(supported {:.2}, not enough {:.2}, contradicted {:.2})",
            self.supported, self.not_enough, self.contradicted
        )
    }
}

/// How well a text answers a question, from 1 to 5, and why.
#[pyclass(frozen, get_all, eq, module = "probity")]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Relevance {
    /// From 1, off topic, to 5, directly answers. The gate keeps 3 and above.
    score: u8,
    /// Orders texts of the same question; the higher the better.
    value: f64,
    /// One sentence that says why.
    why: String,
    /// How surely the best passage answers, from 0 to 1.
    answerable: f64,
    /// How surely it is on the topic, from 0 to 1.
    topic: f64,
    /// The passage that speaks most to the question.
    evidence: Option<String>,
}

#[pymethods]
impl Relevance {
    /// The judgement as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        record::plain(py, self)
    }

    fn __repr__(&self) -> String {
        format!("Relevance({}/5: {})", self.score, self.why)
    }
}

/// Reads questions and claims beside passages.
#[pyclass(frozen, module = "probity")]
pub(crate) struct Reader {
    inner: TextReader,
}

impl Reader {
    /// The engine's own reader.
    pub(crate) fn engine(&self) -> &TextReader {
        &self.inner
    }
}

#[pymethods]
impl Reader {
    /// Opens a reader: `embedded`, `none` to compare words alone, or the path of a weights file.
    /// `threads` is how many threads of the process may read at once.
    #[new]
    #[pyo3(signature = (model="embedded", *, threads=None))]
    fn new(model: &str, threads: Option<usize>) -> PyResult<Self> {
        if threads == Some(0) {
            return Err(Failure::usage("`threads` has to be at least 1").into());
        }
        if let Some(threads) = threads {
            probity_reader::Reader::set_threads(threads);
        }
        let inner = TextReader::open(model).map_err(|error| {
            Failure::usage(format!("`model`: {error}"))
                .hint("name `embedded`, `none`, or a weights file of the reader")
        })?;
        Ok(Self { inner })
    }

    /// What tells this reader from others.
    #[getter]
    fn name(&self) -> String {
        self.inner.name().to_owned()
    }

    /// What each passage says to a question, in the order of the passages.
    fn answers(
        &self,
        py: Python<'_>,
        question: &Bound<'_, PyAny>,
        passages: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Answer>> {
        let question = given::text(question, "question", SHORT_BYTES)?;
        let texts = given::texts(passages, "passages", PASSAGES)?;
        let read = wait::work(py, |stop| {
            let cut: Vec<_> = texts.iter().map(|text| sentences(text)).collect();
            let passages: Vec<Passage<'_>> = texts
                .iter()
                .zip(&cut)
                .map(|(text, sentences)| Passage { lead: "", text, sentences })
                .collect();
            let answers = self.inner.answers(question, &passages, stop)?;
            let each = texts.iter().zip(&cut).zip(&answers);
            Ok::<_, probity_reader::Stopped>(
                each.map(|((text, cut), answer)| Answer::new(text, cut, answer)).collect(),
            )
        })?;
        Ok(read.map_err(Failure::failed)?)
    }

    /// What each passage says about a claim, in the order of the passages.
    fn entails(
        &self,
        py: Python<'_>,
        claim: &Bound<'_, PyAny>,
        passages: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Entailment>> {
        let claim = given::text(claim, "claim", SHORT_BYTES)?;
        let texts = given::texts(passages, "passages", PASSAGES)?;
        let read = wait::work(py, |stop| {
            let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
            self.inner.entails(claim, &passages, stop)
        })?;
        let read = read.map_err(Failure::failed)?;
        Ok(read
            .into_iter()
            .map(|read| Entailment {
                supported: read.supported,
                not_enough: read.not_enough,
                contradicted: read.contradicted,
            })
            .collect())
    }

    fn __repr__(&self) -> String {
        format!("Reader({})", self.inner.name())
    }
}

/// How well a text answers a question, as the gate of a run judges it.
#[pyfunction]
#[pyo3(
    signature = (question, text, title=None, *, reader=None),
    text_signature = "(question, text, title='', *, reader=None)"
)]
pub(crate) fn relevance(
    py: Python<'_>,
    question: &Bound<'_, PyAny>,
    text: &Bound<'_, PyAny>,
    title: Option<&Bound<'_, PyAny>>,
    reader: Option<&Reader>,
) -> PyResult<Relevance> {
    let question = given::question(question)?;
    let text = given::text(text, "text", LONG_BYTES)?;
    let title = given::optional_text(title, "title", SHORT_BYTES)?;
    let reading =
        CachedReader::new(reader.map_or_else(TextReader::default, |one| one.inner.clone()));
    let judged = wait::work(py, |stop| judge_text(question.as_str(), title, text, &reading, stop))?;
    let judged = judged.map_err(Failure::failed)?;
    Ok(Relevance {
        score: judged.score,
        value: judged.value,
        why: judged.why,
        answerable: judged.answerable,
        topic: judged.topic,
        evidence: judged.evidence.and_then(|range| text.get(range)).map(str::to_owned),
    })
}

fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
