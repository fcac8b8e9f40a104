//! When a page was published and last changed.

use jiff::civil::Date;

use super::super::tree::{Attr, NodeId};
use super::Sources;
use super::seen_date::{self, Seen, is_next_to};
use super::url_date::url_date;
use crate::extract::dates::{Order, first_date};

/// Both days, as far as they are known.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Dates {
    pub(super) published: Option<Date>,
    /// Whether the day of publication is only the first of the year of the copyright notice.
    pub(super) is_guessed: bool,
    pub(super) updated: Option<Date>,
}

/// Meta elements that name the day of publication, the surest first.
const PUBLISHED: &[&str] = &[
    "article:published_time",
    "article:published",
    "article:published_date",
    "article:publicationdate",
    "article:post_date",
    "article.published",
    "article.created",
    "og:article:published_time",
    "og:published_time",
    "og:article:published",
    "og:pubdate",
    "og:publish_date",
    "og:datepublished",
    "og:question:published_time",
    "og:regdate",
    "datepublished",
    "date_published",
    "datepublished.iso",
    "publish_date",
    "publishdate",
    "publish-date",
    "publish_time",
    "published_time",
    "published_date",
    "published-date",
    "publisheddate",
    "published_at",
    "pubdate",
    "pub_date",
    "pdate",
    "ptime",
    "publication_date",
    "publicationdate",
    "originalpublicationdate",
    "article_date_original",
    "article:date",
    "firstpublished",
    "dcsext.articlefirstpublished",
    "cxenseparse:recs:publishtime",
    "parsely-pub-date",
    "sailthru.date",
    "shareaholic:article_published_time",
    "vr:published_time",
    "twt-published-at",
    "mediator_published_time",
    "rnews:datepublished",
    "bt:pubdate",
    "rbpubdate",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dcterms.issued",
    "dc.date.issued",
    "dc.date.publication",
    "dc.date.published",
    "dc.issued",
    "dcterms.created",
    "dc.created",
    "dc.date.created",
    "dc:created",
    "dcterms.date",
    "dc.date",
    "dc:date",
    "date",
    "displaydate",
    "doc_date",
    "gentime",
    "article.date",
    "content_create_date",
    "datecreated",
    "date_created",
    "dateposted",
    "created",
    "timestamp",
    "analyticsattributes.articledate",
    "uploaddate",
    "video:release_date",
    "release_date",
    "field-name-post-date",
    "http-equiv:date",
    "weibo:article:create_at",
    "apub:time",
    "newsdate",
    "news_date",
    "publishtime",
    "pubtime",
    "createdate",
    "article_publish_time",
];
/// Meta elements that name the day of the last change.
const UPDATED: &[&str] = &[
    "article:modified_time",
    "article:modified",
    "article:modified_date",
    "article:post_modified",
    "og:updated_time",
    "og:modified_time",
    "og:article:modified_time",
    "datemodified",
    "dateupdate",
    "dcterms.modified",
    "dc.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
    "lastmodified",
    "modified",
    "modified_time",
    "modificationdate",
    "revised",
    "updated_time",
    "bt:moddate",
    "utime",
    "lastdate",
    "revision_date",
    "http-equiv:last-modified",
];

/// Finds both days.
pub(super) fn dates(page: &Sources<'_>) -> Dates {
    let order = order(page);
    let updated = page
        .data
        .modified
        .as_deref()
        .and_then(|text| first_date(text, order))
        .or_else(|| in_meta(page, UPDATED, order));
    let seen = seen_date::find(page, order);
    let published = in_address(page)
        .or_else(|| stated(page, order, &seen))
        .or(seen.dates.published)
        .or_else(|| in_title(page, order))
        .or(updated)
        .or(seen.dates.updated)
        .or_else(|| url_date(page.meta.first(&["og:image", "og:image:url", "twitter:image"])?));
    let guessed = seen_date::copyright_year(page).filter(|_| published.is_none());
    let (published, is_guessed) = (published.or(guessed), guessed.is_some());
    let updated = updated
        .or(seen.dates.updated)
        .filter(|updated| published.is_none_or(|published| *updated >= published));
    Dates { published, updated, is_guessed }
}

/// The day in meta elements and structured data. Where the two differ, the earlier is the first
/// publication; where readers see the day before or after, the machine's clock was in another zone.
fn stated(page: &Sources<'_>, order: Order, seen: &Seen) -> Option<Date> {
    let meta = in_meta(page, PUBLISHED, order);
    let data = page.data.published.as_deref().and_then(|text| first_date(text, order));
    let stated = match (meta, data) {
        (Some(meta), Some(data)) => meta.min(data),
        (meta, data) => meta.or(data)?,
    };
    let shown = seen.dates.published.filter(|shown| seen.is_sure && is_next_to(*shown, stated));
    let created = page.data.created.as_deref().and_then(|text| first_date(text, order));
    let first = created.filter(|created| seen.is_sure && Some(*created) == seen.dates.published);
    Some(first.or(shown).unwrap_or(stated))
}

/// The day in the title, as newspapers put it.
fn in_title(page: &Sources<'_>, order: Order) -> Option<Date> {
    let title = super::page_title(page.tree, page.meta);
    first_date(&title, order)
        .or_else(|| page.headline.and_then(|headline| first_date(&headline.text, order)))
}

fn in_address(page: &Sources<'_>) -> Option<Date> {
    let canonical = page.meta.canonical.as_deref();
    let named = [page.url.map(|url| url.as_str()), canonical, page.meta.first(&["og:url"])];
    named.into_iter().flatten().find_map(url_date)
}

fn in_meta(page: &Sources<'_>, names: &[&str], order: Order) -> Option<Date> {
    names.iter().find_map(|name| first_date(page.meta.first(&[name])?, order))
}

/// What a date of three numbers means on this page.
fn order(page: &Sources<'_>) -> Order {
    let language = page
        .tree
        .attr(NodeId::ROOT, Attr::Lang)
        .or_else(|| page.meta.first(&["og:locale", "http-equiv:content-language"]));
    Order::of_language(language)
}
