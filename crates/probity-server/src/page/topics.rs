//! Topics: what is reported and who speaks for it; and one topic with all its articles.

use askama::Template;
use axum::extract::State;
use probity_core::{CategoryId, TopicId, printable};
use probity_news::rank::{RankedTopic, credibility, last_at, relevance};
use probity_news::topic_view::Account;
use probity_store::news::Newsroom;
use probity_store::topics::{Covered, TopicEvent, TopicEventKind, TopicState};
use serde::Deserialize;

use super::news::link;
use super::{Bar, Frame, Share, Tab, When, go, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::topics::{Ranking, account, ranking, take_turn};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Part, Query};
use crate::state::Server;

/// The times that the filter offers: what the address says, and the words for it.
const TIMES: [(&str, &str); 4] = [
    ("24h", "in the last 24 hours"),
    ("3d", "in the last 3 days"),
    ("7d", "in the last 7 days"),
    ("30d", "in the last 30 days"),
];
/// How many outlets are named beside the one that speaks.
const ALSO: usize = 4;
/// The most articles of a topic that its page lists.
const MEMBERS: usize = 200;
/// How much of an article's own words a list shows, in characters.
const LEAD: usize = 240;

/// One choice of a filter.
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) words: String,
    pub(super) chosen: bool,
}

/// The categories to choose from, with the one that is chosen.
pub(super) async fn categories(
    server: &Server,
    chosen: Option<&str>,
) -> Result<Vec<Choice>, Problem> {
    let is_chosen =
        |name: &str| chosen.is_some_and(|own| own.to_lowercase() == name.to_lowercase());
    let all = server.store.categories().await?.into_iter();
    let choice = all.map(|category| Choice {
        chosen: is_chosen(&category.name),
        words: category.name.clone(),
        value: category.name,
    });
    Ok(choice.collect())
}

/// The times to choose from, with the one that is chosen.
pub(super) fn times(since: Option<&str>) -> Vec<Choice> {
    let usual = TIMES.iter().map(|(value, words)| Choice {
        value: (*value).to_owned(),
        words: (*words).to_owned(),
        chosen: since == Some(*value),
    });
    let other = since.filter(|since| TIMES.iter().all(|(value, _)| value != since));
    let other = other.map(|since| Choice {
        value: since.to_owned(),
        words: format!("since {since}"),
        chosen: true,
    });
    usual.chain(other).collect()
}

struct TopicRow {
    id: TopicId,
    title: String,
    summary: String,
    outlet: Option<String>,
    bar: Bar,
    at: Option<When>,
    also: Vec<String>,
    more: usize,
    articles: usize,
    outlets: usize,
    value: String,
}

impl TopicRow {
    fn new(ranked: &RankedTopic, now: probity_core::Timestamp) -> Option<Self> {
        let first = ranked.representative()?;
        let others = ranked.others();
        Some(Self {
            id: ranked.topic,
            title: first.title.clone(),
            summary: printable::brief(&first.summary, LEAD),
            outlet: first.outlet.as_ref().map(ToString::to_string),
            bar: Bar::new(credibility(first)),
            at: last_at(ranked).map(|at| When::new(at, now)),
            more: others.len().saturating_sub(ALSO),
            also: others.into_iter().take(ALSO).map(ToString::to_string).collect(),
            articles: ranked.articles.len(),
            outlets: ranked.outlets,
            value: format!("{:.2}", ranked.value),
        })
    }
}

#[derive(Template)]
#[template(path = "topics.html")]
struct TopicsPage {
    frame: Frame,
    problem: Option<String>,
    categories: Vec<Choice>,
    times: Vec<Choice>,
    category: Option<(CategoryId, String)>,
    since: String,
    factor: Option<String>,
    topics: Vec<TopicRow>,
    total: usize,
    next: Option<String>,
    room: Newsroom,
    window_hours: u32,
}

/// Which topics to show.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    category: Option<String>,
    since: Option<String>,
    cursor: Option<String>,
}

/// `GET /topics`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    show_list(&server, &caller, &asked, None).await
}

async fn show_list(
    server: &Server,
    caller: &Caller,
    asked: &Asked,
    problem: Option<String>,
) -> Reply {
    let (named, since) = (asked.category.as_deref(), asked.since.as_deref());
    let found = ranking(server, named, since, limits::USUAL_ROWS, asked.cursor.as_deref()).await?;
    let Ranking { topics, items, total, next } = found;
    let now = server.clock.now();
    let window_hours = server.backend.constants().news.window_hours;
    page(&TopicsPage {
        frame: Frame::new(server, caller, "Topics", Tab::News),
        problem,
        categories: categories(server, named).await?,
        times: times(since),
        factor: (topics.factor < 1.0).then(|| format!("{:.2}", topics.factor)),
        category: topics.category.map(|category| (category.id, category.name)),
        since: asked.since.clone().unwrap_or_default(),
        topics: items.iter().filter_map(|ranked| TopicRow::new(ranked, now)).collect(),
        total,
        next,
        room: server.store.newsroom().await?,
        window_hours,
    })
}

/// `POST /topics/consolidate`.
pub(crate) async fn consolidate(State(server): State<Server>, caller: Caller) -> Reply {
    match take_turn(&server, &caller).await {
        Ok(_) => go("/topics"),
        Err(problem) if problem.status().is_client_error() => {
            let why = problem.detail().to_owned();
            show_list(&server, &caller, &Asked::default(), Some(why)).await
        }
        Err(problem) => Err(problem),
    }
}

/// An article of a topic, with its figures.
struct MemberRow {
    title: String,
    href: Option<String>,
    outlet: Option<String>,
    at: When,
    relevance: Option<Share>,
    bar: Bar,
    known: bool,
    worth: String,
    repeats: bool,
}

impl MemberRow {
    fn new(one: &Covered, by_category: bool, now: probity_core::Timestamp) -> Self {
        let (relevance, credibility) = (relevance(one, by_category), credibility(one));
        Self {
            title: one.title.clone(),
            href: link(one.url.as_deref()),
            outlet: one.outlet.as_ref().map(ToString::to_string),
            at: When::new(one.published_at.unwrap_or(one.seen_at), now),
            relevance: by_category.then(|| Share::new(relevance)),
            bar: Bar::new(credibility),
            known: one.credibility.is_some(),
            worth: format!("{:.3}", relevance * credibility),
            repeats: one.duplicate_of.is_some(),
        }
    }
}

struct EventRow {
    at: When,
    words: String,
    other: Option<TopicId>,
}

impl EventRow {
    /// An event as the page of a topic tells it: what happened to another that came to it or left it is
    /// seen from this one's side.
    fn new(event: &TopicEvent, topic: TopicId, now: probity_core::Timestamp) -> Self {
        let articles = match event.articles {
            1 => "1 article".to_owned(),
            count => format!("{count} articles"),
        };
        let own = event.topic == topic;
        let words = match event.kind {
            TopicEventKind::Created => format!("began with {articles}"),
            TopicEventKind::Grown => format!("{articles} joined"),
            TopicEventKind::Merged if own => "became part of".to_owned(),
            TopicEventKind::Merged => format!("took in {articles} of"),
            TopicEventKind::Split if own => format!("split, with {articles}, from"),
            TopicEventKind::Split => format!("{articles} left for"),
            TopicEventKind::Closed => "closed: its last article left the window".to_owned(),
            TopicEventKind::Reopened => format!("opened again by {articles}"),
        };
        let other = if own { event.other } else { Some(event.topic) };
        Self { at: When::new(event.at, now), words, other }
    }
}

#[derive(Template)]
#[template(path = "topic.html")]
struct TopicPage {
    frame: Frame,
    id: TopicId,
    title: String,
    state: &'static str,
    is_open: bool,
    merged_into: Option<TopicId>,
    first: When,
    last: When,
    count: usize,
    outlets: usize,
    why: String,
    category: Option<String>,
    categories: Vec<Choice>,
    articles: Vec<MemberRow>,
    events: Vec<EventRow>,
}

/// By which category's relevance to rank.
#[derive(Deserialize)]
pub(crate) struct ByCategory {
    category: Option<String>,
}

/// `GET /topics/{id}`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Query(asked): Query<ByCategory>,
) -> Reply {
    let ranked = account(&server, &id, asked.category.as_deref()).await?;
    let Account { topic, category, articles, why, events } = ranked;
    let (now, by_category) = (server.clock.now(), category.is_some());
    let title = articles.first().map_or(&topic.label, |first| &first.title).clone();
    let mut outlets: Vec<&str> =
        articles.iter().filter_map(|one| Some(one.outlet.as_ref()?.as_str())).collect();
    outlets.sort_unstable();
    outlets.dedup();
    page(&TopicPage {
        frame: Frame::new(&server, &caller, &printable::brief(&title, 80), Tab::News),
        id: topic.id,
        state: topic.state.as_str(),
        is_open: topic.state == TopicState::Open,
        merged_into: topic.merged_into,
        first: When::new(topic.first_at, now),
        last: When::new(topic.last_at, now),
        count: articles.len(),
        outlets: outlets.len(),
        why,
        categories: categories(&server, asked.category.as_deref()).await?,
        category: category.map(|category| category.name),
        articles: articles
            .iter()
            .take(MEMBERS)
            .map(|one| MemberRow::new(one, by_category, now))
            .collect(),
        events: events.iter().map(|event| EventRow::new(event, topic.id, now)).collect(),
        title,
    })
}

#[cfg(test)]
mod tests {
    use probity_core::Timestamp;

    use super::*;

    #[test]
    fn what_happened_between_topics_is_distinguished_from_both_sides() {
        let event = |kind| TopicEvent {
            topic: TopicId(1),
            kind,
            other: Some(TopicId(2)),
            articles: 3,
            at: Timestamp(0),
        };
        let seen_from = |kind, topic| {
            let row = EventRow::new(&event(kind), TopicId(topic), Timestamp(0));
            (row.words, row.other.map(|other| other.0))
        };
        let words = |text: &str| text.to_owned();
        assert_eq!(seen_from(TopicEventKind::Merged, 1), (words("became part of"), Some(2)));
        assert_eq!(seen_from(TopicEventKind::Merged, 2), (words("took in 3 articles of"), Some(1)));
        assert_eq!(
            seen_from(TopicEventKind::Split, 1),
            (words("split, with 3 articles, from"), Some(2))
        );
        assert_eq!(seen_from(TopicEventKind::Split, 2), (words("3 articles left for"), Some(1)));
    }
}
