//! A list of ratings from elsewhere, as CSV or JSON → rows to import, and the lines that cannot be read.

use std::collections::HashMap;

use probity_core::{Outlet, printable};
use serde::Deserialize;

use super::change::ImportRow;
use super::measure::Credibility;
use super::named::Named;
use super::wording::Name;
use crate::outlet::Resolver;

/// What lists call the column of outlets in their first line.
const HEADERS: [&str; 3] = ["domain", "outlet", "host"];
/// The largest list that is read, in bytes.
pub const RATINGS_BYTES: usize = 16 * 1024 * 1024;
/// The most outlets that one list may rate.
pub const RATINGS_MOST: usize = 100_000;

/// A list of ratings that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratings {
    /// What can be imported, each outlet once.
    pub rows: Vec<ImportRow>,
    /// What cannot be read.
    pub bad: Vec<BadLine>,
}

/// A line of a list that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadLine {
    /// The line it begins on, from 1; in a JSON list the entry, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Why a list cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatingsError {
    /// It is too long.
    #[error("more than {RATINGS_BYTES} bytes")]
    TooLarge,
    /// It rates too many.
    #[error("more than {RATINGS_MOST} outlets")]
    TooMany,
    /// It is no CSV.
    #[error("{0}")]
    Csv(String),
    /// It begins like a JSON list and is none.
    #[error("not a list of ratings: {0}")]
    Json(String),
    /// It contains no rating.
    #[error("no rows (expected domain,score[,name])")]
    Empty,
}

/// A rating in a JSON list.
#[derive(Deserialize)]
struct Rating {
    domain: String,
    score: f64,
    #[serde(default)]
    name: Option<String>,
}

impl Ratings {
    /// Reads a list: CSV with the columns domain, score and perhaps name, with or without a line that says so, or a
    /// JSON list of objects with these fields.
    ///
    /// # Errors
    /// When it is too long, no list at all, or empty. Lines that cannot be read are no error of the list.
    pub fn read(text: &str, resolver: &Resolver) -> Result<Self, RatingsError> {
        if text.len() > RATINGS_BYTES {
            return Err(RatingsError::TooLarge);
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut ratings = Gathered::default();
        match text.trim_start().starts_with('[') {
            true => from_json(text, resolver, &mut ratings)?,
            false => from_csv(text, resolver, &mut ratings)?,
        }
        match ratings.read {
            Ratings { rows, bad } if rows.is_empty() && bad.is_empty() => Err(RatingsError::Empty),
            read => Ok(read),
        }
    }
}

/// What was read so far, with the line of each outlet.
#[derive(Default)]
struct Gathered {
    read: Ratings,
    lines: HashMap<Outlet, u64>,
}

impl Gathered {
    fn take(&mut self, line: u64, row: Result<ImportRow, String>) -> Result<(), RatingsError> {
        let row = row.and_then(|row| match self.lines.get(&row.outlet) {
            Some(first) => Err(format!("{} is already on line {first}", row.outlet)),
            None => Ok(row),
        });
        match row {
            Err(why) => self.read.bad.push(BadLine { line, why }),
            Ok(row) => {
                self.lines.insert(row.outlet.clone(), line);
                self.read.rows.push(row);
            }
        }
        match self.read.rows.len() + self.read.bad.len() > RATINGS_MOST {
            true => Err(RatingsError::TooMany),
            false => Ok(()),
        }
    }
}

fn from_json(text: &str, resolver: &Resolver, ratings: &mut Gathered) -> Result<(), RatingsError> {
    let read: Vec<Rating> =
        serde_json::from_str(text).map_err(|error| RatingsError::Json(error.to_string()))?;
    for (line, Rating { domain, score, name }) in (1..).zip(read) {
        let score = Credibility::new(score).map_err(|error| error.to_string());
        let row = score.and_then(|score| row(&domain, score, name.as_deref(), resolver));
        ratings.take(line, row)?;
    }
    Ok(())
}

fn from_csv(text: &str, resolver: &Resolver, ratings: &mut Gathered) -> Result<(), RatingsError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    for (place, record) in reader.records().enumerate() {
        let record = record.map_err(|error| RatingsError::Csv(error.to_string()))?;
        let is_header = |cell: &str| HEADERS.iter().any(|header| cell.eq_ignore_ascii_case(header));
        if place == 0 && record.get(0).is_some_and(is_header) {
            continue;
        }
        ratings.take(line_of(&record, text), read_record(&record, resolver))?;
    }
    Ok(())
}

/// The line that a row begins on. The reader counts blank lines before it as part of it.
fn line_of(record: &csv::StringRecord, text: &str) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let blank = text.as_bytes().get(start..).unwrap_or_default().iter();
    let blank = blank.take_while(|byte| matches!(byte, b'\n' | b'\r'));
    position.line() + blank.filter(|byte| **byte == b'\n').count() as u64
}

fn read_record(record: &csv::StringRecord, resolver: &Resolver) -> Result<ImportRow, String> {
    let (Some(domain), Some(score), 2..=3) = (record.get(0), record.get(1), record.len()) else {
        return Err(format!("expected domain,score[,name], found {} fields", record.len()));
    };
    let number: f64 = score
        .parse()
        .map_err(|_| format!("`{}` is not a score from 0 to 1", printable::brief(score, 40)))?;
    let score = Credibility::new(number).map_err(|error| error.to_string())?;
    row(domain, score, record.get(2), resolver)
}

fn row(
    domain: &str,
    score: Credibility,
    name: Option<&str>,
    resolver: &Resolver,
) -> Result<ImportRow, String> {
    let outlet = Named::domain(domain, resolver).map_err(|error| error.to_string())?;
    let name = name.filter(|name| !name.is_empty()).map(Name::new).transpose();
    Ok(ImportRow { outlet, score, name: name.map_err(|error| error.to_string())? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outlet::OutletRules;

    fn read(text: &str) -> Result<Ratings, RatingsError> {
        Ratings::read(text, &Resolver::new(&OutletRules::default()).unwrap())
    }

    #[test]
    fn a_list_is_read_as_csv_and_as_json_by_the_same_rules() {
        let csv =
            read("\u{feff}Domain,Score,Name\r\n\r\nbbc.co.uk, 0.8 ,\"BBC, the\"\r\n").unwrap();
        let json = read(r#" [{"domain": "bbc.co.uk", "score": 0.8, "name": "BBC, the"}]"#).unwrap();
        assert_eq!(csv, json);
        assert_eq!(read("host,rating,name\nbbc.co.uk,0.8,\"BBC, the\"\n").unwrap(), csv);
        assert_eq!(csv.rows[0].outlet.as_str(), "bbc.com", "an alias is kept as its outlet");
    }

    #[test]
    fn lines_that_cannot_be_read_are_named_and_the_others_kept() {
        let text = "a.example,0.5\n\nb.example,2\nnot a domain,0.5\nc.example\nwww.a.example,0.4\nd.example,x";
        let Ratings { rows, bad } = read(text).unwrap();
        assert_eq!(rows.len(), 1);
        let lines: Vec<u64> = bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [3, 4, 5, 6, 7]);
        assert!(bad[3].why.contains("is already on line 1"), "{}", bad[3]);
        assert!(bad[4].to_string().starts_with("line 7: `x` is not a score"), "{}", bad[4]);
    }

    #[test]
    fn what_is_no_list_is_said_so() {
        assert_eq!(read("domain,score\n"), Err(RatingsError::Empty));
        assert!(matches!(read("[{\"score\": 1}]"), Err(RatingsError::Json(_))));
        let many = "a.example,0.5\n".repeat(RATINGS_MOST + 1);
        assert_eq!(read(&many), Err(RatingsError::TooMany));
    }
}
