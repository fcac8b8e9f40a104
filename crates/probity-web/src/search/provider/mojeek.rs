//! Mojeek: the web by an index of its own, with a key as JSON, without one by its page.
//!
//! `GET {base}/search?q=…&api_key=KEY&fmt=json&t=…&s=1,11,…&lb=…&since=YYYYMMDD&before=YYYYMMDD`,
//! or `GET {base}/search?q=…&s=…` as a browser without scripts would

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use jiff::civil::Date;

use super::http_provider;
use super::result_page::{BLOCKS, append, attribute};
use crate::extract::paced::Paced;
use crate::fetch::api::ApiRequest;
use crate::search::ask::{Endpoint, page_agent};
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::Query;
use crate::search::read::{self, text, text_at};
use crate::search::reply::{Draft, Drafts, Reply};

/// How many results one page gives.
const PAGE: usize = 10;
/// The most pages asked for; a further one is a request that looks like a robot's.
const PAGES: usize = 3;
/// The most results one request gives with a key.
const KEYED_PAGE: usize = 100;
/// The longest query, in characters and words.
const QUERY_CHARS: usize = 500;
const QUERY_WORDS: usize = 32;

/// Mojeek.
#[derive(Debug)]
pub struct Mojeek {
    endpoint: Endpoint,
}

http_provider!(Mojeek, ProviderName::Mojeek);

impl Mojeek {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/search")?, self.endpoint.today());
        let words = query.with_operators(QUERY_CHARS, QUERY_WORDS);
        let keyed = self.endpoint.key();
        let size = if keyed.is_some() { KEYED_PAGE } else { PAGE };
        let request = |page: usize| {
            let mut request = ApiRequest::get(&url).query("q", words.as_str());
            // The first page has no number: one that says so looks like a robot's.
            if page > 0 {
                request = request.query("s", (page * size + 1).to_string());
            }
            let day = |day: Date| day.strftime("%Y%m%d").to_string();
            if let Some(since) = query.filters().since {
                request = request.query("since", day(since));
            }
            if let Some(until) = query.filters().until.and_then(|until| until.tomorrow().ok()) {
                request = request.query("before", day(until));
            }
            if let Some(lang) = query.lang() {
                request = request.query("lb", lang.as_str());
            }
            Ok(match keyed {
                Some(key) => request
                    .query("fmt", "json")
                    .query("t", query.limit().min(KEYED_PAGE).to_string())
                    .secret_query("api_key", key),
                None => request.header("user-agent", page_agent()),
            })
        };
        let pages = query.limit().div_ceil(size).min(PAGES);
        let asking = self.endpoint.begin();
        let read = |body: &[u8]| match keyed {
            Some(_) => parse(body, today),
            None => parse_page(body),
        };
        let reply = asking.pages(query.limit(), pages, request, read).await;
        asking.heed_challenge(reply).await
    }
}

/// Reads a reply of the API.
///
/// # Errors
/// When the reply is not JSON with a list of results.
pub fn parse(body: &[u8], today: Date) -> Result<Reply, SearchError> {
    let value = read::json(body)?;
    let status = text_at(&value, "/response/status");
    if !status.is_empty() && !status.eq_ignore_ascii_case("ok") {
        return Err(SearchError::reported(status));
    }
    Reply::listed(ProviderName::Mojeek, &value, "/response/results", |item| Draft {
        url: text(item, "url"),
        title: text(item, "title"),
        snippet: text(item, "desc"),
        published: day::parse(text(item, "date"), today),
    })
}

/// Reads a page of results.
///
/// # Errors
/// When the page is a challenge, or not a page of results.
pub fn parse_page(body: &[u8]) -> Result<Reply, SearchError> {
    let mut page = Page::default();
    for token in
        Tokenizer::new_with_emitter(Paced::of_bytes(body), DefaultEmitter::default()).flatten()
    {
        match token {
            Token::StartTag(tag) => page.open(&tag),
            Token::EndTag(tag) => page.close(&tag.name),
            Token::String(text) => page.text(&text.value),
            _ => {}
        }
    }
    let broke_off = page.field.is_some();
    if broke_off {
        page.block = Block::default();
    }
    page.finish_block();
    if !page.is_results {
        // Its refusal is a page of its own, with the status of a success.
        let refused = String::from_utf8_lossy(body).to_ascii_lowercase();
        return Err(if refused.contains("automated queries") || refused.contains("captcha") {
            SearchError::Challenge
        } else {
            SearchError::malformed("it is not a page of results")
        });
    }
    let mut drafts = Drafts::new(ProviderName::Mojeek.as_str());
    for block in &page.blocks {
        drafts.push(&Draft {
            url: &block.href,
            title: &block.title,
            snippet: &block.snippet,
            published: None,
        });
    }
    if broke_off {
        drafts.note("the page broke off before its end");
    }
    Ok(drafts.finish())
}

#[derive(Debug, Default)]
struct Block {
    href: String,
    title: String,
    snippet: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Snippet,
}

/// What has been seen of the page so far: `ul.results-standard > li`, in it `h2 > a` and `p.s`.
#[derive(Debug, Default)]
struct Page {
    blocks: Vec<Block>,
    block: Block,
    is_results: bool,
    in_heading: bool,
    /// The field being read, and its element.
    field: Option<(Field, &'static [u8])>,
}

impl Page {
    fn open(&mut self, tag: &StartTag<()>) {
        let class = attribute(tag, b"class");
        let has = |name: &str| class.split_ascii_whitespace().any(|one| one == name);
        match tag.name.as_slice() {
            b"ul" if has("results-standard") => self.is_results = true,
            b"p" if has("no-results") => self.is_results = true,
            b"li" => self.finish_block(),
            b"h2" => self.in_heading = true,
            b"a" if self.is_results && self.in_heading => {
                self.block.href = attribute(tag, b"href");
                self.field = Some((Field::Title, b"a"));
            }
            b"p" if self.is_results && has("s") => self.field = Some((Field::Snippet, b"p")),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        if name == b"h2" {
            self.in_heading = false;
        }
        if self.field.is_some_and(|(_, element)| element == name) {
            self.field = None;
        }
    }

    fn text(&mut self, bytes: &[u8]) {
        let field = match self.field {
            Some((Field::Title, _)) => &mut self.block.title,
            Some((Field::Snippet, _)) => &mut self.block.snippet,
            None => return,
        };
        append(field, bytes);
    }

    fn finish_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.field = None;
        if self.blocks.len() < BLOCKS && !(block.href.is_empty() && block.title.is_empty()) {
            self.blocks.push(block);
        }
    }
}
