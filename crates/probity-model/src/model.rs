//! The one interface to language models, and a chain of them that stand in for each other.

use std::sync::Arc;

use probity_core::Answering;
use tokio::time::Instant;

use crate::error::ModelError;
use crate::local_speed::Speed;
use crate::name::ModelName;
use crate::reply::Reply;
use crate::request::Request;
use crate::table::Facts;

/// Who asks: hears words as they come, and answers for every attempt. One call may take several, and each
/// is sent to someone who may charge for it.
pub trait Asker: Send + Sync {
    /// Hears words of the answer.
    fn hear(&self, _words: &str) {}

    /// Says whether one more attempt may be sent; called before each.
    ///
    /// # Errors
    /// Names the limit that it could go over. Then nothing is sent.
    fn begin(&self) -> Answering<'_, Result<(), String>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Takes note of an attempt that came to nothing.
    fn failed<'a>(&'a self, _error: &'a ModelError) -> Answering<'a, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// A mere listener allows every attempt.
impl<F: Fn(&str) + Send + Sync> Asker for F {
    fn hear(&self, words: &str) {
        self(words);
    }
}

/// An answer in progress.
pub type Asking<'a> = Answering<'a, Result<Reply, ModelError>>;

/// A language model.
pub trait Model: Send + Sync {
    /// Its name.
    fn name(&self) -> &ModelName;

    /// Its window and its price.
    fn facts(&self) -> Facts;

    /// What its server has shown of its speed, where that is a matter: on the user's machine.
    fn speed(&self) -> Option<Speed> {
        None
    }

    /// Asks it. There is an answer or an error by then.
    fn ask<'a>(&'a self, request: &'a Request, until: Instant, asker: &'a dyn Asker) -> Asking<'a>;
}

/// Models in the order in which they are asked: the next one when one fails.
#[derive(Clone)]
pub struct Chain(Vec<Arc<dyn Model>>);

impl Chain {
    /// A model and its fallbacks.
    pub fn new(first: Arc<dyn Model>, others: impl IntoIterator<Item = Arc<dyn Model>>) -> Self {
        Self(std::iter::once(first).chain(others).collect())
    }

    /// The same chain with something done to each model.
    #[must_use]
    pub(crate) fn map(&self, change: impl Fn(Arc<dyn Model>) -> Arc<dyn Model>) -> Self {
        Self(self.0.iter().map(|model| change(Arc::clone(model))).collect())
    }

    /// The model that is asked first.
    pub fn first(&self) -> Option<&dyn Model> {
        self.0.first().map(AsRef::as_ref)
    }

    /// Every model of the chain.
    pub fn models(&self) -> impl Iterator<Item = &dyn Model> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// Asks the first, and the next when it fails; each has its share of the time that is left.
    ///
    /// # Errors
    /// The first model's error when none answers: it is the one that the user chose.
    pub async fn ask(
        &self,
        request: &Request,
        deadline: Instant,
        asker: &dyn Asker,
    ) -> Result<Reply, ModelError> {
        let mut first_error = None;
        for (index, model) in self.0.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(self.0.len() - index).unwrap_or(1).max(1);
            match model.ask(request, Instant::now() + share, asker).await {
                Ok(reply) => return Ok(reply),
                Err(error) => {
                    tracing::warn!(model = %model.name(), %error, "a model did not answer");
                    first_error.get_or_insert(error);
                }
            }
        }
        Err(first_error.unwrap_or(ModelError::Timeout { model: "no model".to_owned() }))
    }
}
