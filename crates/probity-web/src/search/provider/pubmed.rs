//! PubMed: the biomedical literature, by NCBI's E-utilities.
//!
//! ```text
//! GET {base}/entrez/eutils/esearch.fcgi?db=pubmed&term=…&retmode=json → numbers
//! GET {base}/entrez/eutils/efetch.fcgi?db=pubmed&id=1,2,3&retmode=xml → titles, abstracts, dates
//! ```

use jiff::civil::Date;
use probity_core::{WebUrl, retraction};
use serde_json::Value;

use super::http_provider;
use crate::extract::month;
use crate::fetch::api::ApiRequest;
use crate::search::ask::{Asking, Endpoint};
use crate::search::day;
use crate::search::error::SearchError;
use crate::search::name::ProviderName;
use crate::search::query::{Query, RESULTS_MAX};
use crate::search::read;
use crate::search::reply::{Draft, Drafts, Reply};
use crate::search::xml::{self, Element};

/// The most words asked for.
const WORDS: usize = 12;

/// PubMed.
#[derive(Debug)]
pub struct Pubmed {
    endpoint: Endpoint,
}

http_provider!(Pubmed, ProviderName::Pubmed);

impl Pubmed {
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let asking = self.endpoint.begin();
        let words = query.keywords(WORDS);
        // It wants every word that it is given. If no paper has them all, any will do.
        let mut ids = self.numbers(&asking, &words.join(" "), query).await?;
        if ids.is_empty() && words.len() > 1 {
            ids = self.numbers(&asking, &words.join(" OR "), query).await?;
        }
        if ids.is_empty() {
            return Ok(Reply::default());
        }
        let request = self
            .request("/entrez/eutils/efetch.fcgi")?
            .query("id", ids.join(","))
            .query("retmode", "xml");
        let reply = asking.ask(request).await?;
        parse(&reply.body, &ids, self.endpoint.today())
    }

    async fn numbers(
        &self,
        asking: &Asking<'_>,
        term: &str,
        query: &Query,
    ) -> Result<Vec<String>, SearchError> {
        let mut request = self
            .request("/entrez/eutils/esearch.fcgi")?
            .query("term", term)
            .query("retmode", "json")
            .query("retmax", query.limit().to_string())
            .query("sort", "relevance");
        if let Some((since, until)) = query.filters().days(self.endpoint.today()) {
            let day = |day: Date| day.strftime("%Y/%m/%d").to_string();
            request = request
                .query("datetype", "pdat")
                .query("mindate", day(since))
                .query("maxdate", day(until));
        }
        parse_numbers(&asking.ask(request).await?.body)
    }

    fn request(&self, path: &str) -> Result<ApiRequest, SearchError> {
        let mut request = ApiRequest::get(&self.endpoint.at(path)?)
            .query("db", "pubmed")
            .query("tool", "probity");
        if let Some(address) = self.endpoint.mailto() {
            request = request.query("email", address);
        }
        Ok(request.secret_query("api_key", self.endpoint.key()))
    }
}

/// Reads the numbers that a search found.
///
/// # Errors
/// When the reply reports an error, or has no list of numbers.
pub fn parse_numbers(body: &[u8]) -> Result<Vec<String>, SearchError> {
    let value = read::json(body)?;
    if let Some(Value::String(error)) = value.pointer("/esearchresult/ERROR") {
        return Err(SearchError::reported(error));
    }
    let numbers = read::list(&value, "/esearchresult/idlist")?.iter().filter_map(Value::as_str);
    // They go into the next address, so only what is a number does.
    let is_number =
        |id: &&str| !id.is_empty() && id.len() <= 12 && id.bytes().all(|b| b.is_ascii_digit());
    Ok(numbers.filter(is_number).take(RESULTS_MAX).map(str::to_owned).collect())
}

/// Reads the records of numbers, in the order of the numbers.
///
/// # Errors
/// When the reply is not a set of records.
pub fn parse(body: &[u8], ids: &[String], today: Date) -> Result<Reply, SearchError> {
    let set = xml::parse(body, "PubmedArticleSet")?;
    let mut drafts = Drafts::new(ProviderName::Pubmed.as_str());
    let mut papers: Vec<(usize, &Element, String)> = Vec::new();
    for record in set.elements() {
        let paper = record.find(&["MedlineCitation"]).or_else(|| record.find(&["BookDocument"]));
        let id = paper.map(|paper| paper.text_of(&["PMID"]).trim().to_owned()).unwrap_or_default();
        match (paper, ids.iter().position(|known| *known == id)) {
            (Some(paper), Some(rank)) if record.complete => papers.push((rank, paper, id)),
            _ => drafts.skip_unreadable(),
        }
    }
    papers.sort_by_key(|(rank, _, _)| *rank);
    for (_, paper, id) in papers {
        let Ok(url) = WebUrl::parse(&format!("https://pubmed.ncbi.nlm.nih.gov/{id}/")) else {
            continue;
        };
        let article = paper.find(&["Article"]).unwrap_or(paper);
        let draft = Draft {
            url: "",
            title: &title(article),
            snippet: &summary(article),
            published: published(article, today),
        };
        drafts.push_at(url, &draft);
    }
    if !set.complete {
        drafts.note("the reply broke off before its end");
    }
    Ok(drafts.finish())
}

fn title(article: &Element) -> String {
    let title = article.text_of(&["ArticleTitle"]);
    // A translated title is in brackets, with a full stop inside.
    let title = title.trim();
    let inner = title
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix("].").or_else(|| rest.strip_suffix(']')));
    let title = inner.unwrap_or(title);
    if is_retracted(article) { retraction::mark(title) } else { title.to_owned() }
}

/// Whether a notice took the paper back; the notice itself is of another type.
fn is_retracted(article: &Element) -> bool {
    let types = article.find(&["PublicationTypeList"]);
    let mut types = types.into_iter().flat_map(|types| types.children("PublicationType"));
    types.any(|kind| kind.text().trim() == "Retracted Publication")
}

/// The abstract, its sections after their labels; else the journal.
fn summary(article: &Element) -> String {
    let sections: Vec<String> = article
        .find(&["Abstract"])
        .into_iter()
        .flat_map(|summary| summary.children("AbstractText"))
        .map(|section| match section.attribute("Label") {
            "" => section.text(),
            label => format!("{label}: {}", section.text()),
        })
        .collect();
    if sections.is_empty() { article.text_of(&["Journal", "Title"]) } else { sections.join(" ") }
}

/// The day of electronic publication, else of the issue if that has one.
fn published(article: &Element, today: Date) -> Option<Date> {
    let electronic = article.find(&["ArticleDate"]);
    let issue = article.find(&["Journal", "JournalIssue", "PubDate"]);
    [electronic, issue].into_iter().flatten().find_map(|date| {
        let part = |name: &str| date.text_of(&[name]).trim().to_owned();
        let named = part("Month").to_lowercase();
        let month = named.parse().ok().or_else(|| month(&named).map(i64::from))?;
        day::from_parts(part("Year").parse().ok()?, month, part("Day").parse().ok()?, today)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retracted_paper_is_marked_and_the_notice_of_it_is_not() {
        let record = |id: u8, kind: &str| {
            format!(
                "<PubmedArticle><MedlineCitation><PMID>{id}</PMID><Article>\
                 <ArticleTitle>Tides.</ArticleTitle><PublicationTypeList>\
                 <PublicationType UI=\"D016428\">Journal Article</PublicationType>\
                 <PublicationType>{kind}</PublicationType></PublicationTypeList>\
                 </Article></MedlineCitation></PubmedArticle>"
            )
        };
        let kinds = [(1, "Retracted Publication"), (2, "Retraction of Publication")];
        let records: String = kinds.into_iter().map(|(id, kind)| record(id, kind)).collect();
        let set = format!("<PubmedArticleSet>{records}</PubmedArticleSet>");
        let ids = ["1".to_owned(), "2".to_owned()];
        let found = parse(set.as_bytes(), &ids, Date::constant(2026, 11, 15)).unwrap();
        let titles: Vec<String> = found.hits.into_iter().map(|hit| hit.title).collect();
        assert_eq!(titles, ["RETRACTED: Tides.", "Tides."]);
    }
}
