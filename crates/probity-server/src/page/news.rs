//! The latest articles, and what each reader did with them.

use askama::Template;
use axum::extract::State;
use probity_core::{ArticleId, FeedId, Timestamp};
use probity_store::news::{ArticleQuery, Newsroom};
use serde::Deserialize;

use super::login::safe;
use super::{Bar, Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::ledger::instant;
use crate::api::news::{
    ArticleView, MarkBody, ReadBody, ShelfName, found, latest, mark_one, read_until,
};
use crate::api::{Listed, Reply};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Form, Part, Query, texts};
use crate::state::Server;

pub(super) struct ArticleRow {
    pub(super) id: ArticleId,
    pub(super) title: String,
    pub(super) href: Option<String>,
    pub(super) summary: String,
    pub(super) outlet: Option<String>,
    pub(super) resolved: bool,
    pub(super) bar: Bar,
    pub(super) at: When,
    pub(super) read: bool,
    pub(super) starred: bool,
}

impl ArticleRow {
    pub(super) fn new(view: ArticleView, now: Timestamp) -> Self {
        let at = view.published_at.as_deref().unwrap_or(&view.seen_at).parse();
        Self {
            id: view.id,
            href: link(view.url.as_deref()),
            title: view.title,
            summary: probity_core::printable::brief(&view.summary, 240),
            outlet: view.outlet,
            resolved: view.resolved,
            bar: Bar::new(view.credibility),
            at: When::new(at.unwrap_or(now), now),
            read: view.read,
            starred: view.starred,
        }
    }
}

/// A list of articles on a page, with where to go from it.
pub(super) struct ArticleList {
    pub(super) rows: Vec<ArticleRow>,
    pub(super) next: Option<String>,
    /// `unread`, `starred`, or nothing for all.
    pub(super) shelf: &'static str,
    /// The page that the list is on, where people come back to after a change.
    pub(super) path: String,
    /// When the page was made: what came later is not read with the rest.
    pub(super) made: String,
}

impl ArticleList {
    /// The latest articles as a reader sees them, of one feed or of all.
    pub(super) async fn latest(
        server: &Server,
        caller: &Caller,
        feed: Option<FeedId>,
        asked: &Asked,
        path: String,
    ) -> Result<Self, Problem> {
        let (limit, now) = (limits::USUAL_ROWS, server.clock.now());
        let query = ArticleQuery {
            feed,
            shelf: asked.shelf.map(|shelf| shelf.of(&caller.name)),
            ..ArticleQuery::default()
        };
        let cursor = asked.cursor.as_deref();
        let Listed { items, next } = latest(server, &caller.name, cursor, limit, query).await?;
        Ok(Self { next, ..Self::of(items, asked, path, now) })
    }

    fn of(views: Vec<ArticleView>, asked: &Asked, path: String, now: Timestamp) -> Self {
        Self {
            rows: views.into_iter().map(|view| ArticleRow::new(view, now)).collect(),
            next: None,
            shelf: match asked.shelf {
                None => "",
                Some(ShelfName::Unread) => "unread",
                Some(ShelfName::Starred) => "starred",
            },
            path,
            made: instant(now),
        }
    }

    /// The address of a shelf of this list.
    pub(super) fn shelf(&self, name: &str) -> String {
        match name {
            "" => self.path.clone(),
            name => format!("{}?shelf={name}", self.path),
        }
    }

    /// The address of the part of the list that comes after.
    pub(super) fn older(&self, next: &str) -> String {
        let shelf = match self.shelf {
            "" => String::new(),
            name => format!("&shelf={name}"),
        };
        format!("{}?cursor={next}{shelf}", self.path)
    }
}

#[derive(Template)]
#[template(path = "news.html")]
struct NewsPage {
    frame: Frame,
    q: String,
    list: ArticleList,
    room: Newsroom,
}

/// What to look for, and where to begin.
#[derive(Default, Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
    pub(super) shelf: Option<ShelfName>,
    pub(super) cursor: Option<String>,
}

/// Only an address of the web becomes a link.
pub(super) fn link(url: Option<&str>) -> Option<String> {
    let url = probity_core::WebUrl::parse(url?).ok()?;
    Some(url.as_str().to_owned())
}

/// `GET /news`.
pub(crate) async fn articles(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let path = "/news".to_owned();
    let list = async {
        match &asked.q {
            Some(words) => {
                let views = found(&server, &caller.name, words, None).await?;
                Ok(ArticleList::of(views, &asked, path, server.clock.now()))
            }
            None => ArticleList::latest(&server, &caller, None, &asked, path).await,
        }
    };
    let room = async { Ok::<_, Problem>(server.store.newsroom().await?) };
    let (list, room) = tokio::try_join!(list, room)?;
    page(&NewsPage {
        frame: Frame::new(&server, &caller, "News", Tab::News),
        q: asked.q.clone().unwrap_or_default(),
        list,
        room,
    })
}

/// What the form of an article holds.
#[derive(Deserialize)]
pub(crate) struct MarkForm {
    /// `yes` or `no`; absent where the other button was pressed.
    read: Option<String>,
    starred: Option<String>,
    back: Option<String>,
}

/// `POST /news/{id}/mark`.
pub(crate) async fn mark(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Form(asked): Form<MarkForm>,
) -> Reply {
    let is = |said: &Option<String>| said.as_deref().map(|said| said == "yes");
    let body = MarkBody { read: is(&asked.read), starred: is(&asked.starred) };
    let article = mark_one(&server, &caller, &id, &body).await?;
    go(&format!("{}#a{}", safe(asked.back.as_deref().or(Some("/news"))), article.id))
}

/// What the form of a list holds.
#[derive(Deserialize)]
pub(crate) struct ReadForm {
    #[serde(default, deserialize_with = "texts::optional")]
    feed: Option<FeedId>,
    until: Option<String>,
    back: Option<String>,
}

/// `POST /news/read`.
pub(crate) async fn read_all(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<ReadForm>,
) -> Reply {
    let body = ReadBody { feed: asked.feed, until: asked.until };
    read_until(&server, &caller, &body).await?;
    go(&safe(asked.back.as_deref().or(Some("/news"))))
}
