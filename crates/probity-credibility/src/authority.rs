//! What an outlet is worth in research, and what that is made of.
//!
//! ```text
//! given score, else clamp(tier + what editors moved)
//! ```

use std::fmt::{self, Display, Formatter};

use probity_core::Outlet;
use serde::Serialize;

use crate::ledger::Opinion;
use crate::number::Fixed;
use crate::tier::Tier;

/// Where the authority of a page was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthoritySource {
    /// The score that its outlet was given in the ledger.
    Ledger,
    /// The tier of its host, moved by editors.
    Editors,
    /// The tier of its host.
    Tier,
}

/// What an outlet is worth in research. Its text is the one explanation that every interface shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Authority {
    /// The number that counts.
    pub value: f64,
    /// Whose page it is, where that can be told.
    pub outlet: Option<Outlet>,
    /// The tier of its host.
    pub tier: Tier,
    /// What that tier is worth.
    pub tier_value: f64,
    /// What the ledger says of the outlet.
    pub opinion: Option<Opinion>,
}

impl Authority {
    pub(crate) fn new(
        outlet: Option<Outlet>,
        (tier, tier_value): (Tier, f64),
        opinion: Option<Opinion>,
    ) -> Self {
        let value = opinion.map_or(tier_value, |opinion| opinion.authority(tier_value));
        Self { value, outlet, tier, tier_value, opinion }
    }

    /// Where the number comes from.
    pub fn source(&self) -> AuthoritySource {
        match self.opinion {
            Some(Opinion::Given(_)) => AuthoritySource::Ledger,
            Some(Opinion::Coded { .. }) => AuthoritySource::Editors,
            None => AuthoritySource::Tier,
        }
    }

    /// The same outlet, had the ledger this to say of it.
    pub fn with_opinion(self, opinion: Option<Opinion>) -> Self {
        Self::new(self.outlet, (self.tier, self.tier_value), opinion)
    }
}

impl Display for Authority {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Opinion::Given(_)) = self.opinion {
            f.write_str("ledger: ")?;
            f.write_str(self.outlet.as_ref().map_or("no outlet", Outlet::as_str))?;
            f.write_str("; ")?;
        }
        f.write_str("tier ")?;
        f.write_str(self.tier.words())?;
        f.write_str(" ")?;
        Fixed::<2>(self.tier_value).fmt(f)?;
        match self.opinion {
            Some(Opinion::Coded { moved }) => {
                f.write_str(if moved < 0.0 { ", editors −" } else { ", editors +" })?;
                Fixed::<2>(moved.abs()).fmt(f)
            }
            _ => Ok(()),
        }
    }
}
