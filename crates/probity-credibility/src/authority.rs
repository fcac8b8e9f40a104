//! An outlet's authority in research, and what that is made of.
//!
//! ```text
//! given score, else clamp(base + what editors moved)
//! base = tier | kind | prior by the name, beside the tier, nudged by its pages and by who cites it
//! ```

use std::fmt::{self, Display, Formatter};

use probity_core::{Outlet, counted};
use serde::Serialize;

use crate::kind::{OutletKind, kind_of, listed};
use crate::known::Known;
use crate::ledger::Opinion;
use crate::number::Fixed;
use crate::prior::{Prior, Reason, Site, reasons};
use crate::signals::{Mark, cited_adds};
use crate::tier::Tier;

/// Where the authority of a page was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthoritySource {
    /// The score that its outlet was given in the ledger.
    Ledger,
    /// What it would be without the ledger, moved by editors.
    Editors,
    /// The tier of its host.
    Tier,
    /// The kind of outlet, which is listed.
    Kind,
    /// The name of the outlet, beside its tier.
    Name,
}

impl AuthoritySource {
    /// The source's name, as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthoritySource::Ledger => "ledger",
            AuthoritySource::Editors => "editors",
            AuthoritySource::Tier => "tier",
            AuthoritySource::Kind => "kind",
            AuthoritySource::Name => "name",
        }
    }
}

/// An outlet's authority where the ledger gives it no score, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// Its tier says it.
    Tier,
    /// It is listed as of a kind.
    Kind {
        /// The kind.
        kind: OutletKind,
        /// What outlets of the kind are worth.
        value: f64,
    },
    /// Its name says something beside its tier.
    Name {
        /// What outlets of such names were rated.
        prior: f64,
        /// How much that counts; the tier counts the rest.
        weight: f64,
        /// What its pages showed adds.
        shown: f64,
        /// What it adds that others cite it.
        cited: f64,
    },
    /// Its name imitates another outlet's.
    Imitation {
        /// The outlet that is imitated.
        of: &'static str,
        /// What is left of its worth: never more than the general tier's.
        value: f64,
    },
}

/// An outlet's authority in research. Its text is the one explanation that every interface shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Authority {
    /// The number that counts.
    pub value: f64,
    /// Whose page it is, where that is known.
    pub outlet: Option<Outlet>,
    /// The tier of its host.
    pub tier: Tier,
    /// The value of that tier.
    pub tier_value: f64,
    /// Its authority without the ledger, and why.
    pub basis: Basis,
    /// What is known of the outlet beside its name.
    pub known: Known,
}

impl Authority {
    pub(crate) fn new(
        outlet: Option<Outlet>,
        (tier, tier_value): (Tier, f64),
        basis: Basis,
        known: Known,
    ) -> Self {
        let mut authority = Self { value: 0.0, outlet, tier, tier_value, basis, known };
        let base = authority.base();
        authority.value = known.opinion.map_or(base, |opinion| opinion.authority(base));
        authority
    }

    /// The outlet's authority without the ledger.
    pub fn base(&self) -> f64 {
        match self.basis {
            Basis::Tier => self.tier_value,
            Basis::Kind { value, .. } | Basis::Imitation { value, .. } => value,
            Basis::Name { prior, weight, shown, cited } => {
                weight * prior + (1.0 - weight) * self.tier_value + shown + cited
            }
        }
    }

    /// What the outlet is, where that is known.
    pub fn kind(&self) -> Option<OutletKind> {
        match self.basis {
            Basis::Imitation { .. } => None,
            _ => kind_of(self.outlet.as_ref()?, self.tier),
        }
    }

    /// How a report attributes what the outlet says, where its kind matters to readers.
    pub fn attribution(&self) -> Option<&'static str> {
        self.kind().and_then(OutletKind::attribution)
    }

    /// Why the outlet counts otherwise in the newsroom, where its score there is this.
    pub fn difference(&self, newsroom: f64) -> Option<&'static str> {
        let given = matches!(self.known.opinion, Some(Opinion::Given(_)));
        ((self.value - newsroom).abs() > SAME && !given).then_some(
            "it has no given score: the newsroom starts at the neutral 0.5, research with what is \
             known about such outlets",
        )
    }

    /// Where the number comes from.
    pub fn source(&self) -> AuthoritySource {
        match (self.known.opinion, self.basis) {
            (Some(Opinion::Given(_)), _) => AuthoritySource::Ledger,
            (Some(Opinion::Coded { .. }), _) => AuthoritySource::Editors,
            (None, Basis::Tier) => AuthoritySource::Tier,
            (None, Basis::Kind { .. }) => AuthoritySource::Kind,
            (None, Basis::Name { .. } | Basis::Imitation { .. }) => AuthoritySource::Name,
        }
    }
}

/// A part of an outlet's authority.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// What speaks: `tier`, `kind`, `name`, `pages`, `citations`, `imitation`, `editors` or `ledger`.
    pub part: &'static str,
    /// What it says; for pages, citations and editors, how far they move the outlet.
    pub value: f64,
    /// How much it counts: the number is the sum of values times weights.
    pub weight: f64,
    /// Why it says so.
    pub why: String,
}

impl Authority {
    /// What the number is made of, everything that is known of the outlet included: what does not
    /// count has the weight 0.
    pub fn parts(&self) -> Vec<Part> {
        let given = matches!(self.known.opinion, Some(Opinion::Given(_)));
        let rest = if given { 0.0 } else { 1.0 };
        let mut parts = Vec::new();
        let mut add = |part, value, weight, why: String| {
            parts.push(Part { part, value, weight, why });
        };
        if let Some(Opinion::Given(score)) = self.known.opinion {
            add("ledger", score, 1.0, "seeded, imported or set, and coded since".to_owned());
        }
        let tier_weight = match self.basis {
            Basis::Tier => 1.0,
            Basis::Name { weight, .. } => 1.0 - weight,
            Basis::Kind { .. } | Basis::Imitation { .. } => 0.0,
        };
        add("tier", self.tier_value, rest * tier_weight, self.tier.words().to_owned());
        if let Some(outlet) = &self.outlet {
            let counts =
                if let Basis::Kind { value, .. } = self.basis { Some(value) } else { None };
            if let Some(kind) = kind_of(outlet, self.tier) {
                let note = listed(outlet).map_or("by its suffix or tier", |listed| listed.note);
                let weight = if counts.is_some() { rest } else { 0.0 };
                add("kind", kind.value(), weight, format!("{}: {note}", kind.words()));
            }
            let site = Site::of_host(outlet.as_str());
            if let Some((site, prior)) = site.and_then(|site| Some((site, Prior::of(&site)?))) {
                let weight = if let Basis::Name { weight, .. } = self.basis { weight } else { 0.0 };
                let describe = |reason: &Reason| format!("{} {:+.2}", reason.feature, reason.adds);
                let reasons: Vec<String> =
                    reasons(&site).iter().take(REASONS).map(describe).collect();
                add("name", prior.value, rest * weight, reasons.join(", "));
            }
        }
        let (shown, cited) = match self.basis {
            Basis::Name { shown, cited, .. } => (shown, cited),
            _ => (0.0, 0.0),
        };
        if let Some(signals) = self.known.signals {
            let describe = |mark: &Mark| format!("{} {:+.2}", mark.what, mark.adds);
            let marks: Vec<String> = signals.marks().iter().map(describe).collect();
            let weight = if shown == 0.0 { 0.0 } else { rest };
            add("pages", signals.adds(), weight, marks.join(", "));
        }
        if self.known.cited_by > 0 {
            let weight = if cited == 0.0 { 0.0 } else { rest };
            let citing =
                counted(u64::from(self.known.cited_by), "credible outlet", "credible outlets");
            let why = format!("cited by {citing}");
            add("citations", cited_adds(self.known.cited_by), weight, why);
        }
        if let Basis::Imitation { of, value } = self.basis {
            add("imitation", value, rest, format!("looks like {of} and is not"));
        }
        if let Some(Opinion::Coded { moved }) = self.known.opinion {
            add("editors", moved, 1.0, "codings, from the neutral 0.5".to_owned());
        }
        parts
    }
}

/// Numbers that differ by no more than this are shown as the same.
const SAME: f64 = 0.005;
/// How many reasons of a name are shown.
const REASONS: usize = 8;

impl Display for Authority {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Opinion::Given(_)) = self.known.opinion {
            f.write_str("ledger: ")?;
            f.write_str(self.outlet.as_ref().map_or("no outlet", Outlet::as_str))?;
            f.write_str("; ")?;
        }
        f.write_str("tier ")?;
        f.write_str(self.tier.words())?;
        f.write_str(" ")?;
        Fixed::<2>(self.tier_value).fmt(f)?;
        match self.basis {
            Basis::Tier => {}
            Basis::Kind { kind, value } => {
                f.write_str(", ")?;
                f.write_str(kind.words())?;
                f.write_str(" ")?;
                Fixed::<2>(value).fmt(f)?;
            }
            Basis::Name { prior, shown, cited, .. } => {
                f.write_str(", by its name ")?;
                Fixed::<2>(prior).fmt(f)?;
                write_move(f, ", by its pages ", shown)?;
                write_move(f, ", by citations ", cited)?;
            }
            Basis::Imitation { of, value } => {
                f.write_str(", looks like ")?;
                f.write_str(of)?;
                f.write_str(" and is not: ")?;
                Fixed::<2>(value).fmt(f)?;
            }
        }
        match self.known.opinion {
            Some(Opinion::Coded { moved }) => write_signed(f, ", editors ", moved),
            _ => Ok(()),
        }
    }
}

/// Says how far something moves the outlet, if it does.
fn write_move(f: &mut Formatter<'_>, whose: &str, moved: f64) -> fmt::Result {
    if moved == 0.0 { Ok(()) } else { write_signed(f, whose, moved) }
}

fn write_signed(f: &mut Formatter<'_>, whose: &str, moved: f64) -> fmt::Result {
    f.write_str(whose)?;
    f.write_str(if moved < 0.0 { "−" } else { "+" })?;
    Fixed::<2>(moved.abs()).fmt(f)
}
