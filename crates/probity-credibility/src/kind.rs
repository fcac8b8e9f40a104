//! Kinds of outlet, by a table of well-known ones and by rules.
//!
//! The table is `assets/kinds.tsv`: a domain, its kind, and a note on where that is known from. It
//! says what an outlet is; whether it is any good is for its editors, lists and the ledger.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use probity_core::Outlet;
use serde::Serialize;

use crate::tier::Tier;

/// What an outlet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutletKind {
    /// A news agency.
    Wire,
    /// A newspaper or news magazine.
    Newspaper,
    /// A newspaper of the boulevard.
    Tabloid,
    /// A commercial broadcaster.
    Broadcaster,
    /// A broadcaster of the public, with a charter of its own.
    PublicBroadcaster,
    /// Media that a government controls.
    StateMedia,
    /// An organisation that checks claims.
    FactChecker,
    /// A government or an authority.
    Government,
    /// A university or school.
    University,
    /// A scholarly journal or its publisher.
    Journal,
    /// A server of papers before review.
    Preprint,
    /// An encyclopaedia, dictionary or data collection.
    Reference,
    /// The press of a trade.
    TradePress,
    /// A company speaking for itself.
    Company,
    /// An organisation with a cause.
    Advocacy,
    /// Where people discuss.
    Forum,
    /// A social network.
    Social,
    /// A site that shows others' articles.
    Aggregator,
    /// Made to be clicked, or made up.
    ContentFarm,
    /// Made up for fun.
    Satire,
}

impl OutletKind {
    /// All kinds.
    pub const ALL: [Self; 20] = [
        Self::Wire,
        Self::Newspaper,
        Self::Tabloid,
        Self::Broadcaster,
        Self::PublicBroadcaster,
        Self::StateMedia,
        Self::FactChecker,
        Self::Government,
        Self::University,
        Self::Journal,
        Self::Preprint,
        Self::Reference,
        Self::TradePress,
        Self::Company,
        Self::Advocacy,
        Self::Forum,
        Self::Social,
        Self::Aggregator,
        Self::ContentFarm,
        Self::Satire,
    ];

    /// The kind as the table names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Newspaper => "newspaper",
            Self::Tabloid => "tabloid",
            Self::Broadcaster => "broadcaster",
            Self::PublicBroadcaster => "public-broadcaster",
            Self::StateMedia => "state-media",
            Self::FactChecker => "fact-checker",
            Self::Government => "government",
            Self::University => "university",
            Self::Journal => "journal",
            Self::Preprint => "preprint",
            Self::Reference => "reference",
            Self::TradePress => "trade-press",
            Self::Company => "company",
            Self::Advocacy => "advocacy",
            Self::Forum => "forum",
            Self::Social => "social",
            Self::Aggregator => "aggregator",
            Self::ContentFarm => "content-farm",
            Self::Satire => "satire",
        }
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Wire => "news agency",
            Self::PublicBroadcaster => "public broadcaster",
            Self::StateMedia => "state-controlled media",
            Self::FactChecker => "fact-checker",
            Self::Preprint => "preprint server",
            Self::Reference => "reference work",
            Self::TradePress => "trade press",
            Self::Social => "social network",
            Self::ContentFarm => "content farm",
            _ => self.as_str(),
        }
    }

    /// How a sentence from such an outlet is attributed, where its kind matters to the reader.
    pub fn attribution(self) -> Option<&'static str> {
        match self {
            Self::StateMedia => Some("according to state-controlled media"),
            Self::Company => Some("the company says"),
            Self::Advocacy => Some("according to an advocacy group"),
            Self::Preprint => Some("according to a preprint"),
            Self::Forum | Self::Social => Some("according to a post"),
            Self::Satire => Some("in a work of satire"),
            _ => None,
        }
    }

    /// What outlets of the kind are worth where nothing else is known of them.
    pub fn value(self) -> f64 {
        match self {
            Self::Government | Self::University => 0.9,
            Self::Wire | Self::Journal => 0.85,
            Self::PublicBroadcaster | Self::FactChecker => 0.8,
            Self::Reference => 0.75,
            Self::Newspaper => 0.7,
            Self::Preprint | Self::TradePress => 0.65,
            Self::Broadcaster => 0.6,
            Self::Company | Self::Advocacy => 0.45,
            Self::Tabloid | Self::Aggregator => 0.4,
            Self::Forum | Self::Social => 0.3,
            Self::StateMedia => 0.25,
            Self::ContentFarm | Self::Satire => 0.15,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An outlet of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// What it is.
    pub kind: OutletKind,
    /// Where that is known from.
    pub note: &'static str,
}

/// What the table says of an outlet.
pub fn listed(outlet: &Outlet) -> Option<Listed> {
    TABLE.get(outlet.as_str()).copied()
}

/// What an outlet is, by the table or else by its tier.
pub fn kind_of(outlet: &Outlet, tier: Tier) -> Option<OutletKind> {
    listed(outlet).map(|listed| listed.kind).or_else(|| match tier {
        Tier::Academic if is_school(outlet.as_str()) => Some(OutletKind::University),
        Tier::Academic => Some(OutletKind::Government),
        Tier::Social => Some(OutletKind::Social),
        _ => None,
    })
}

/// Whether a public suffix is that of schools rather than authorities.
fn is_school(domain: &str) -> bool {
    let mut labels = domain.rsplit('.');
    let (top, second) = (labels.next().unwrap_or_default(), labels.next().unwrap_or_default());
    top == "edu" || (top.len() == 2 && matches!(second, "edu" | "ac"))
}

static TABLE: LazyLock<HashMap<&'static str, Listed, RandomState>> = LazyLock::new(|| {
    let lines = include_str!("../assets/kinds.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

fn row(line: &'static str) -> Option<(&'static str, Listed)> {
    let mut cells = line.split('\t');
    let (domain, kind, note) = (cells.next()?, cells.next()?, cells.next()?);
    Some((domain, Listed { kind: OutletKind::parse(kind)?, note }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outlet::{OutletRules, Resolver};

    #[test]
    fn every_row_is_an_outlet_of_a_known_kind_with_a_note() {
        let resolver = Resolver::new(&OutletRules::default()).unwrap();
        let lines = include_str!("../assets/kinds.tsv").lines();
        let rows: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
        assert!(rows.len() >= 250, "{}", rows.len());
        assert_eq!(rows.len(), TABLE.len(), "a row is wrong or stands twice");
        let mut elsewhere = Vec::new();
        for line in rows {
            let (domain, listed) = row(line).expect(line);
            assert!(listed.note.len() >= 10, "{line}");
            let url = probity_core::WebUrl::parse(&format!("https://www.{domain}/")).unwrap();
            let outlet = resolver.outlet_of(&url).map(|outlet| outlet.to_string());
            if outlet.as_deref() != Some(domain) {
                elsewhere.push((domain, outlet));
            }
        }
        assert!(elsewhere.is_empty(), "credibility is kept under another name: {elsewhere:?}");
    }

    #[test]
    fn every_kind_but_those_of_rules_is_in_the_table() {
        for kind in OutletKind::ALL {
            assert!((0.0..=1.0).contains(&kind.value()) && !kind.words().is_empty());
            assert_eq!(OutletKind::parse(kind.as_str()), Some(kind));
            assert!(TABLE.values().any(|listed| listed.kind == kind), "{kind:?}");
        }
    }

    #[test]
    fn suffixes_of_schools_and_authorities_tell_the_kind() {
        let kind = |domain: &str| kind_of(&Outlet::new(domain).unwrap(), Tier::Academic);
        assert_eq!(kind("mit.edu"), Some(OutletKind::University));
        assert_eq!(kind("ox.ac.uk"), Some(OutletKind::University));
        assert_eq!(kind("sec.gov"), Some(OutletKind::Government));
    }
}
