//! What this process gives a run that it takes from the queue: the world and the models.

use std::pin::Pin;
use std::sync::Arc;

use probity_core::Shared;
use probity_research::RunSpec;
use probity_research::conduct::Means;
use probity_research::work::Provide;
use probity_store::SharedStore;
use probity_store::queue::Leased;

use crate::app::App;
use crate::models;

/// Opens worlds and models as this process's settings say.
pub(crate) struct Outfit {
    app: App,
}

impl Outfit {
    /// The outfit of this process.
    pub(crate) fn new(app: &App) -> Self {
        Self { app: app.clone() }
    }

    /// The world and the models that a description opens.
    pub(crate) async fn means(&self, spec: &RunSpec) -> anyhow::Result<Means> {
        let store = self.app.store().await?;
        // Even two runs of one process must not ask a host twice as fast.
        let shared = SharedStore::new(&store, self.app.settings.queue.max_cost_per_day);
        let shared: Arc<dyn Shared> = Arc::new(shared);
        let lineup = models::open(&self.app, &spec.model)?;
        let lineup = lineup.map(|lineup| lineup.sharing(Arc::clone(&shared)));
        let place = &spec.place;
        let (world, problems) =
            self.app.open_world(place, Some(store.clone()), Some(shared)).await?;
        let world = world.noting(Some(store));
        Ok(Means { world: Box::new(world), lineup, reader: self.app.reader()?, problems })
    }
}

impl Provide for Outfit {
    fn open<'a>(
        &'a self,
        spec: &'a RunSpec,
        _: &'a Leased,
    ) -> Pin<Box<dyn Future<Output = Result<Means, String>> + Send + 'a>> {
        Box::pin(async move { self.means(spec).await.map_err(|error| format!("{error:#}")) })
    }
}
