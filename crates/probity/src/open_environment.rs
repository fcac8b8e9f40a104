//! What this process gives a run that it takes from the queue: the world and the models.

use std::sync::Arc;

use probity_core::{Answering, Shared};
use probity_research::RunSpec;
use probity_research::execute::RunEnvironment;
use probity_research::work::Provide;
use probity_store::SharedStore;
use probity_store::queue::Leased;

use crate::live::Live;
use crate::models;

/// Opens worlds and models as this process's settings say at the moment.
pub(crate) struct OpenEnvironment {
    live: Arc<Live>,
}

impl OpenEnvironment {
    /// The environment of this process.
    pub(crate) fn new(live: Arc<Live>) -> Self {
        Self { live }
    }

    /// The world and the models that a description opens.
    pub(crate) async fn environment(&self, spec: &RunSpec) -> anyhow::Result<RunEnvironment> {
        let app = self.live.app();
        let store = app.store().await?;
        // Even two runs of one process must not ask a host twice as fast.
        let shared = SharedStore::new(&store, app.settings.queue.max_cost_per_day);
        let shared: Arc<dyn Shared> = Arc::new(shared);
        let model_set = models::open(&app, &spec.model)?;
        let model_set = model_set.map(|model_set| model_set.sharing(Arc::clone(&shared)));
        let place = &spec.place;
        let (gatherer, problems) =
            app.open_gatherer(place, Some(store.clone()), Some(shared)).await?;
        let gatherer = gatherer.noting(Some(store));
        Ok(RunEnvironment {
            gatherer: Box::new(gatherer),
            model_set,
            reader: app.reader()?,
            problems,
        })
    }
}

impl Provide for OpenEnvironment {
    fn open<'a>(
        &'a self,
        spec: &'a RunSpec,
        _: &'a Leased,
    ) -> Answering<'a, Result<RunEnvironment, String>> {
        Box::pin(async move { self.environment(spec).await.map_err(|error| format!("{error:#}")) })
    }
}
