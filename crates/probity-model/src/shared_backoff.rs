//! A model that keeps in step with other processes that ask its provider.
//!
//! What a provider says to one of them holds for all: when it asks to be left alone, or fails again and
//! again, no process asks it for a while.

use std::sync::Arc;
use std::time::Duration;

use probity_core::shared::{Reserved, Shared};
use tokio::time::Instant;

use crate::local_speed::Speed;
use crate::model::Asker;
use crate::table::Facts;
use crate::{Asking, Model, ModelError, ModelName, Reply, Request};

/// A model, and who else asks its provider.
pub(crate) struct SharedBackoff {
    model: Arc<dyn Model>,
    shared: Arc<dyn Shared>,
    name: String,
}

impl SharedBackoff {
    pub(crate) fn around(model: Arc<dyn Model>, shared: Arc<dyn Shared>) -> Arc<dyn Model> {
        let name = format!("model {}", model.name().provider);
        Arc::new(Self { model, shared, name })
    }

    async fn ask(
        &self,
        request: &Request,
        deadline: Instant,
        asker: &dyn Asker,
    ) -> Result<Reply, ModelError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.shared.reserve(&self.name, Duration::ZERO, left).await {
            Reserved::After(wait) => tokio::time::sleep(wait).await,
            Reserved::Closed(_) | Reserved::Full(_) => {
                return Err(ModelError::Resting { model: self.model.name().to_string() });
            }
        }
        let answer = self.model.ask(request, deadline, asker).await;
        match &answer {
            // An answer is lost with the process until its caller has it, so no caller waits for the news that
            // all is well: if it does not arrive, the next answer brings it.
            Ok(_) => {
                let (shared, name) = (Arc::clone(&self.shared), self.name.clone());
                tokio::spawn(async move { shared.note(&name, false).await });
            }
            Err(error) => {
                if let Some(wait) = error.retry_after() {
                    self.shared.close(&self.name, wait).await;
                }
                self.shared.note(&self.name, error.blames_provider()).await;
            }
        }
        answer
    }
}

impl Model for SharedBackoff {
    fn name(&self) -> &ModelName {
        self.model.name()
    }

    fn facts(&self) -> Facts {
        self.model.facts()
    }

    fn speed(&self) -> Option<Speed> {
        self.model.speed()
    }

    fn ask<'a>(&'a self, request: &'a Request, until: Instant, asker: &'a dyn Asker) -> Asking<'a> {
        Box::pin(self.ask(request, until, asker))
    }
}
