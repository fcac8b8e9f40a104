//! DuckDuckGo: the web without a key, by the page that it offers to browsers without scripts.
//!
//! `POST {base}/html/` with `q`, `kl` and `df`, then with the fields of the page's "Next" form
//!
//! The page is read with a tokenizer rather than a tree: a handful of class names is all we rely
//! on. Links lead through DuckDuckGo's own redirector and are unwrapped; advertisements are left
//! out; a page that asks whether we are a person is an error, not an empty list.

use html5gum::{DefaultEmitter, EndTag, StartTag, Token, Tokenizer};
use jiff::civil::Date;
use probity_core::{Problem, ProblemKind, WebUrl};
use probity_credibility::outlet::{OutletRules, Resolver};

use super::http_provider;
use super::result_page::{BLOCKS, append, attribute};
use crate::extract::paced::Paced;
use crate::fetch::api::ApiRequest;
use crate::search::ask::{Endpoint, page_agent};
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{Lang, QUERY_CHARS, Query};
use crate::search::reply::{Draft, Drafts, Reply};

/// The most pages asked for; a further one is a request that looks like a robot's.
const PAGES: usize = 3;
/// Where links on the page are relative to.
const HOME: &str = "https://duckduckgo.com/";
/// The most fields of the "Next" form that are sent back.
const FORM_FIELDS: usize = 24;

/// DuckDuckGo.
#[derive(Debug)]
pub struct Duckduckgo {
    endpoint: Endpoint,
}

http_provider!(Duckduckgo, ProviderName::Duckduckgo);

/// A page of results and the form that asks for the next.
#[derive(Debug, Default)]
pub struct Page {
    /// The results.
    pub reply: Reply,
    /// The fields of the form for the next page; empty on the last.
    pub next: Vec<(String, String)>,
}

impl Duckduckgo {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let (url, today) = (self.endpoint.at("/html/")?, self.endpoint.today());
        let asking = self.endpoint.begin();
        let words = query.with_operators(QUERY_CHARS, usize::MAX);
        // The fields of the form on its page, as a browser without scripts sends them.
        let form = [
            ("q", words.as_str()),
            ("b", ""),
            ("kl", region(query.lang())),
            ("df", &days(query, today)),
        ];
        let mut request = ApiRequest::post_form(&url, &form).header("user-agent", page_agent());
        let mut all = Reply::default();
        for number in 1..=PAGES {
            let page = match asking.ask(request).await {
                Ok(reply) => parse(&reply.body, today),
                Err(error) => Err(error),
            };
            let page = match page {
                Ok(page) => page,
                Err(error) if number == 1 => return asking.heed_challenge(Err(error)).await,
                Err(error) => {
                    let detail = format!("page {number} is missing: {error}");
                    all.problems.push(Problem::new(
                        ProblemKind::Search,
                        ProviderName::Duckduckgo.as_str(),
                        detail,
                    ));
                    break;
                }
            };
            let before = all.hits.len();
            all.extend(page.reply);
            if all.hits.len() >= query.limit() || all.hits.len() == before || page.next.is_empty() {
                break;
            }
            let fields: Vec<(&str, &str)> =
                page.next.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            request = ApiRequest::post_form(&url, &fields).header("user-agent", page_agent());
        }
        all.hits.truncate(query.limit());
        Ok(all)
    }
}

/// The days of a filter as its page sends them.
fn days(query: &Query, today: Date) -> String {
    query.filters().days(today).map_or(String::new(), |(since, until)| format!("{since}..{until}"))
}

/// Its region for a language: the one where most of its readers are, else no region.
fn region(lang: Option<&Lang>) -> &'static str {
    match lang.map(Lang::as_str) {
        Some("en") => "us-en",
        Some("de") => "de-de",
        Some("fr") => "fr-fr",
        Some("es") => "es-es",
        Some("it") => "it-it",
        Some("pt") => "br-pt",
        Some("nl") => "nl-nl",
        Some("pl") => "pl-pl",
        Some("sv") => "se-sv",
        Some("da") => "dk-da",
        Some("fi") => "fi-fi",
        Some("no" | "nb") => "no-no",
        Some("cs") => "cz-cs",
        Some("hu") => "hu-hu",
        Some("ro") => "ro-ro",
        Some("ru") => "ru-ru",
        Some("uk") => "ua-uk",
        Some("tr") => "tr-tr",
        Some("el") => "gr-el",
        Some("ja") => "jp-jp",
        Some("ko") => "kr-kr",
        Some("zh") => "cn-zh",
        _ => "wt-wt",
    }
}

/// Reads a page.
///
/// # Errors
/// When the page is a challenge, or not a page of results.
pub fn parse(body: &[u8], today: Date) -> Result<Page, SearchError> {
    let mut reading = Reading::default();
    for token in
        Tokenizer::new_with_emitter(Paced::of_bytes(body), DefaultEmitter::default()).flatten()
    {
        match token {
            Token::StartTag(tag) => reading.open(&tag),
            Token::EndTag(tag) => reading.close(&tag),
            Token::String(text) => reading.text(&text.value),
            _ => {}
        }
    }
    let broke_off = reading.field.is_some();
    if broke_off {
        reading.block = Block::default();
    }
    reading.finish_block();
    if reading.challenge {
        return Err(SearchError::Challenge);
    }
    if !reading.is_results && reading.blocks.is_empty() {
        return Err(SearchError::malformed("it is not a page of results"));
    }
    let mut drafts = Drafts::new(ProviderName::Duckduckgo.as_str());
    collect(reading.blocks, today, &mut drafts)?;
    if broke_off {
        drafts.note("the page broke off before its end");
    }
    Ok(Page { reply: drafts.finish(), next: reading.next })
}

fn collect(blocks: Vec<Block>, today: Date, drafts: &mut Drafts) -> Result<(), SearchError> {
    let resolver = Resolver::new(&OutletRules::default())
        .map_err(|error| SearchError::Local(error.to_string()))?;
    let home = WebUrl::parse(HOME).map_err(|error| SearchError::Local(error.to_string()))?;
    for block in blocks {
        let dated = block.extras.split_whitespace().next_back().unwrap_or_default();
        let draft = Draft {
            url: &block.href,
            title: &block.title,
            snippet: &block.snippet,
            published: day::parse(dated, today),
        };
        match destination(&block.href, &home, &resolver) {
            Ok(url) => drafts.push(&Draft { url: url.as_str(), ..draft }),
            Err(reason) => drafts.refuse(&block.href, &reason),
        }
    }
    Ok(())
}

/// Where a link of the page leads in the end.
fn destination(href: &str, home: &WebUrl, resolver: &Resolver) -> Result<WebUrl, String> {
    if href.is_empty() {
        return Err("it has none".to_owned());
    }
    let link = home.join(href).map_err(|error| error.to_string())?;
    if !is_own(&link) {
        return Ok(link);
    }
    let target = resolver.resolve(&link).publisher_url;
    target.filter(|url| !is_own(url)).ok_or_else(|| "it leads nowhere but to DuckDuckGo".to_owned())
}

fn is_own(url: &WebUrl) -> bool {
    let host = url.dns_host();
    host == "duckduckgo.com" || host.ends_with(".duckduckgo.com")
}

/// One result as the page has it. Texts keep their entities decoded and their tags dropped.
#[derive(Debug, Default)]
struct Block {
    href: String,
    title: String,
    snippet: String,
    extras: String,
}

/// Which text of a result is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Snippet,
    Extras,
}

/// What has been seen of the page so far.
#[derive(Debug, Default)]
struct Reading {
    blocks: Vec<Block>,
    block: Block,
    in_advert: bool,
    /// The field being read, its element, and how many of that name are open in it.
    field: Option<(Field, Vec<u8>, usize)>,
    is_results: bool,
    challenge: bool,
    form: Option<Vec<(String, String)>>,
    next: Vec<(String, String)>,
}

impl Reading {
    fn open(&mut self, tag: &StartTag<()>) {
        let class = attribute(tag, b"class");
        let has = |name: &str| class.split_ascii_whitespace().any(|one| one == name);
        if class.contains("anomaly-modal") || attribute(tag, b"id").contains("challenge-form") {
            self.challenge = true;
        }
        if has("results")
            || has("no-results")
            || has("result--no-result")
            || attribute(tag, b"id") == "links"
        {
            self.is_results = true;
        }
        if has("result") {
            self.finish_block();
            self.in_advert = has("result--ad");
        }
        if has("badge--ad") {
            self.in_advert = true;
        }
        if has("result__a") {
            self.block.href = attribute(tag, b"href");
            // Whatever the block is called, this is where advertisers' links go.
            self.in_advert |= self.block.href.contains("duckduckgo.com/y.js");
            self.begin(Field::Title, tag);
        } else if has("result__snippet") {
            self.begin(Field::Snippet, tag);
        } else if has("result__extras__url") {
            self.begin(Field::Extras, tag);
        } else if let Some((_, name, depth)) = &mut self.field
            && *name == *tag.name
            && !tag.self_closing
        {
            *depth += 1;
        }
        self.open_form(tag);
    }

    fn open_form(&mut self, tag: &StartTag<()>) {
        match tag.name.as_slice() {
            b"form" => self.form = Some(Vec::new()),
            b"input" => {
                let Some(form) = &mut self.form else { return };
                match attribute(tag, b"type").as_str() {
                    "hidden" if form.len() < FORM_FIELDS => {
                        let name = attribute(tag, b"name");
                        if !name.is_empty() {
                            form.push((name, attribute(tag, b"value")));
                        }
                    }
                    "submit" if attribute(tag, b"value").eq_ignore_ascii_case("next") => {
                        self.next = std::mem::take(form);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, tag: &EndTag<()>) {
        if *tag.name == *b"form" {
            self.form = None;
        }
        if let Some((_, name, depth)) = &mut self.field
            && *name == *tag.name
        {
            *depth -= 1;
            if *depth == 0 {
                self.field = None;
            }
        }
    }

    fn begin(&mut self, field: Field, tag: &StartTag<()>) {
        self.field = Some((field, tag.name.to_vec(), 1));
    }

    fn text(&mut self, bytes: &[u8]) {
        let field = match &self.field {
            Some((Field::Title, ..)) => &mut self.block.title,
            Some((Field::Snippet, ..)) => &mut self.block.snippet,
            Some((Field::Extras, ..)) => &mut self.block.extras,
            None => return,
        };
        append(field, bytes);
    }

    fn finish_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.field = None;
        let room = self.blocks.len() < BLOCKS;
        if room && !self.in_advert && !(block.href.is_empty() && block.title.is_empty()) {
            self.blocks.push(block);
        }
        self.in_advert = false;
    }
}
