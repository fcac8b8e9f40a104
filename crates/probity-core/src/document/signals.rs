//! What a page shows of how its outlet works, beside what it says.

use serde::{Deserialize, Serialize};

/// What a page that was read shows of its outlet. All of it can be faked; none of it is a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSignals {
    /// What the outlet gives account of, by pages that this one links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
    /// Whether the page links its author's own page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub author_page: bool,
    /// How many scripts and frames of advertising networks the page has.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ads: u16,
    /// The hosts of other sites that the main text links, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<String>,
}

impl PageSignals {
    /// Whether the page shows nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn is_zero(count: &u16) -> bool {
    *count == 0
}

/// What a site says about itself in the files that are made for it, `trust.txt` and `ads.txt`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SiteFiles {
    /// It names an association of publishers that it belongs to.
    pub association: bool,
    /// It names who owns or controls it.
    pub owner: bool,
    /// How many sellers of its space it names that it pays directly.
    pub direct: u32,
    /// How many others it names that sell its space on.
    pub resellers: u32,
}

impl SiteFiles {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What an outlet gives account of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// How it corrects what was wrong.
    Corrections,
    /// By which rules it works.
    Standards,
    /// Who owns, funds or publishes it.
    Ownership,
}

impl Account {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Corrections, Self::Standards, Self::Ownership];

    /// The account in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Corrections => "corrections",
            Self::Standards => "editorial standards",
            Self::Ownership => "ownership",
        }
    }
}
