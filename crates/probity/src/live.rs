//! The settings as they are now: what is changed on the page is taken up without a restart.

use std::sync::{Arc, Mutex, PoisonError};

use crate::app::App;
use crate::config::page::Stamp;

/// The call's context with the settings in force at the moment it is asked for.
pub(crate) struct Live {
    seen: Mutex<Seen>,
}

struct Seen {
    stamp: Option<Stamp>,
    app: Arc<App>,
}

impl Live {
    /// Follows what the page changes from now on.
    pub(crate) fn new(app: &App) -> Arc<Self> {
        let seen = Seen { stamp: app.page_stamp(), app: Arc::new(app.clone()) };
        Arc::new(Self { seen: Mutex::new(seen) })
    }

    /// The context now. What was opened before, such as the store, stays open.
    pub(crate) fn app(&self) -> Arc<App> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(&seen.app.paths);
        if stamp != seen.stamp {
            match seen.app.again() {
                Ok(app) => seen.app = Arc::new(app),
                Err(error) => tracing::error!(
                    error = format!("{error:#}"),
                    "what was set on the page cannot be used; the settings from before stay in force"
                ),
            }
            seen.stamp = stamp;
        }
        Arc::clone(&seen.app)
    }
}
