//! Where a question can look now, found out before anyone waits for a run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use probity_server::Place;
use probity_store::library::Library;
use probity_store::news::ArticleQuery;
use probity_web::search::reach::{Reached, reach};
use probity_web::search::{LIBRARY, NEWS, WEB};
use tokio::sync::Mutex;

use crate::app::App;

/// For how long what was found out of the web counts.
const FRESH: Duration = Duration::from_secs(60);

/// Who answered, and when they were asked.
type Asked = (Instant, Vec<Reached>);

/// What was last found out of the web.
#[derive(Default)]
pub(super) struct Reach {
    web: Arc<Mutex<Option<Asked>>>,
}

impl Reach {
    /// The places, with what is missing.
    pub(super) async fn places(&self, app: &App, patience: Duration) -> Vec<Place> {
        let (web, library, news) = futures::join!(self.web(app, patience), library(app), news(app));
        vec![web, library, news]
    }

    async fn web(&self, app: &App, patience: Duration) -> Place {
        let (known, settings) = (Arc::clone(&self.web), app.settings.search.clone());
        // It continues in the background, so that the next caller knows.
        let looking = tokio::spawn(async move {
            // A second caller waits for the same answer.
            let mut known = known.lock().await;
            match known.as_ref() {
                Some((at, reached)) if at.elapsed() < FRESH => reached.clone(),
                _ => {
                    let reached = reach(&settings).await;
                    *known = Some((Instant::now(), reached.clone()));
                    reached
                }
            }
        });
        let Ok(Ok(reached)) = tokio::time::timeout(patience, looking).await else {
            return Place { name: WEB, about: String::new(), missing: None };
        };
        let describe = |one: &Reached| match &one.problem {
            None => one.name.clone(),
            Some(_) => format!("{} (cannot be reached)", one.name),
        };
        let about = reached.iter().map(describe).collect::<Vec<_>>().join(", ");
        let problem = reached.iter().find_map(|one| one.problem.clone());
        let missing = match (reached.iter().all(|one| one.problem.is_some()), problem) {
            (true, Some(problem)) => Some(format!(
                "no search provider can be reached from here ({problem}); check the network"
            )),
            (true, None) => Some("no search provider is configured".to_owned()),
            (false, _) => None,
        };
        Place { name: WEB, about, missing }
    }
}

async fn library(app: &App) -> Place {
    let status = match app.store().await {
        Ok(store) => Library::of(&store).status().await.ok(),
        Err(_) => None,
    };
    let documents = status.map_or(0, |status| status.documents);
    let missing = (documents == 0).then(|| "it has no documents yet; add some".to_owned());
    let about = match documents {
        1 => "1 document".to_owned(),
        documents => format!("{documents} documents"),
    };
    Place { name: LIBRARY, about, missing }
}

async fn news(app: &App) -> Place {
    let one = ArticleQuery { limit: Some(1), ..ArticleQuery::default() };
    let articles = match app.store().await {
        Ok(store) => store.articles(&one).await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let missing =
        articles.is_empty().then(|| "no feed brought any article yet; add one".to_owned());
    Place { name: NEWS, about: "articles of your feeds".to_owned(), missing }
}
