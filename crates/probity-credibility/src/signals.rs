//! What the pages of an outlet show of how it works, and who cites it.
//!
//! Both say little and can be faked, so that they only nudge, and only outlets of which nothing better is known:
//! neither tier, nor kind, nor ledger. They count for pages that are found later; the score of the page that
//! showed them was made before it was read.

use probity_core::{Account, Document, SiteFiles};
use serde::{Deserialize, Serialize};

/// The most that pages can add to or take from their outlet's authority.
pub const SHOWN_MOST: f64 = 0.05;
/// The most that being cited can add.
pub const CITED_MOST: f64 = 0.06;
/// What each doubling of those who cite adds.
const CITED_DOUBLING: f64 = 0.02;
/// So many words a place for an advertisement is heavy advertising.
const WORDS_AN_AD: u32 = 150;
/// From this many resellers on it counts that few sell the space directly.
const RESELLERS_MANY: u32 = 100;
/// So many resellers for each direct seller are almost no direct sellers.
const RESELLERS_EACH: u32 = 10;
/// From this share of capitals on a title shouts.
const CAPITALS: f64 = 0.6;
/// A title with fewer letters may be an abbreviation.
const SHOUTED_LETTERS: usize = 12;

/// What a page of an outlet showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Signals {
    /// It links how the outlet corrects what was wrong.
    pub corrections: bool,
    /// It links by which rules the outlet works.
    pub standards: bool,
    /// It links who owns, funds or publishes the outlet.
    pub ownership: bool,
    /// It names who wrote it.
    pub byline: bool,
    /// It links its author's own page.
    pub author_page: bool,
    /// It says when it was published.
    pub dated: bool,
    /// Its title is in capitals or full of exclamation marks.
    pub shouts: bool,
    /// How many places for advertisements it has.
    pub ads: u16,
    /// How many words it has.
    pub words: u32,
    /// What its site says about itself.
    #[serde(skip_serializing_if = "SiteFiles::is_empty")]
    pub files: SiteFiles,
}

/// What one thing that a page showed adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mark {
    /// What it is, in words.
    pub what: &'static str,
    /// What it adds.
    pub adds: f64,
}

impl Signals {
    /// What a page shows.
    pub fn of(page: &Document) -> Self {
        let links = |account| page.signals.accounts.contains(&account);
        Self {
            corrections: links(Account::Corrections),
            standards: links(Account::Standards),
            ownership: links(Account::Ownership),
            byline: page.byline.is_some(),
            author_page: page.signals.author_page,
            dated: page.published.is_some(),
            shouts: shouts(&page.title),
            ads: page.signals.ads,
            words: u32::try_from(page.text.split_whitespace().count()).unwrap_or(u32::MAX),
            files: SiteFiles::default(),
        }
    }

    /// The same, beside what its site says about itself.
    pub fn with_files(self, files: SiteFiles) -> Self {
        Self { files, ..self }
    }

    /// What each thing adds; what is missing and costs nothing is left out.
    pub fn marks(&self) -> Vec<Mark> {
        let crowded = u32::from(self.ads).saturating_mul(WORDS_AN_AD) > self.words;
        let SiteFiles { direct, resellers, .. } = self.files;
        let resold =
            resellers >= RESELLERS_MANY && direct.saturating_mul(RESELLERS_EACH) < resellers;
        let all = [
            (self.corrections, "links corrections", 0.02),
            (self.standards, "links its standards", 0.01),
            (self.ownership, "links its owners", 0.01),
            (self.byline, "names its authors", 0.01),
            (!self.byline, "no author named", -0.01),
            (self.author_page, "pages of its authors", 0.01),
            (!self.dated, "no date", -0.01),
            (self.shouts, "a title that shouts", -0.02),
            (self.ads > 0 && crowded, "much advertising", -0.02),
            (self.files.association, "trust.txt names its association", 0.01),
            (self.files.owner, "trust.txt or ads.txt names its owner", 0.01),
            (resold, "ads.txt names almost only resellers", -0.01),
        ];
        let present = all.into_iter().filter(|(is_so, ..)| *is_so);
        present.map(|(_, what, adds)| Mark { what, adds }).collect()
    }

    /// What all of it adds to the outlet's authority.
    pub fn adds(&self) -> f64 {
        let sum: f64 = self.marks().iter().map(|mark| mark.adds).sum();
        sum.clamp(-SHOWN_MOST, SHOWN_MOST)
    }
}

/// What it adds that this many credible outlets cite an outlet.
pub fn cited_adds(citing: u32) -> f64 {
    (CITED_DOUBLING * f64::from(citing).ln_1p() / std::f64::consts::LN_2).min(CITED_MOST)
}

fn shouts(title: &str) -> bool {
    let letters = title.chars().filter(|c| c.is_uppercase() || c.is_lowercase()).count();
    let capitals = title.chars().filter(|c| c.is_uppercase()).count();
    let loud = letters >= SHOUTED_LETTERS && capitals as f64 >= CAPITALS * letters as f64;
    loud || title.contains("!!")
}

#[cfg(test)]
mod tests {
    use probity_core::PageSignals;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_page_shows_is_listed_one_by_one() {
        let page = Document {
            title: "Ferry runs again".to_owned(),
            byline: Some("Ada".to_owned()),
            text: "word ".repeat(400),
            signals: PageSignals {
                accounts: vec![Account::Corrections, Account::Ownership],
                author_page: true,
                ads: 2,
                ..PageSignals::default()
            },
            ..Document::default()
        };
        let shown = Signals::of(&page);
        let names: Vec<&str> = shown.marks().iter().map(|mark| mark.what).collect();
        assert_eq!(
            names,
            [
                "links corrections",
                "links its owners",
                "names its authors",
                "pages of its authors",
                "no date"
            ]
        );
        assert!((shown.adds() - 0.04).abs() < 1e-12);
        let crowded = Signals { ads: 3, ..shown };
        assert!(crowded.adds() < shown.adds());
    }

    #[test]
    fn what_a_site_tells_of_itself_counts_beside_what_its_page_shows() {
        let page = Signals { byline: true, dated: true, words: 400, ..Signals::default() };
        let added = |files: SiteFiles| page.with_files(files).adds() - page.adds();
        let named = SiteFiles { association: true, owner: true, ..SiteFiles::default() };
        assert!((added(named) - 0.02).abs() < 1e-12);
        let sold =
            |direct, resellers| added(SiteFiles { direct, resellers, ..SiteFiles::default() });
        assert!((sold(9, 100) + 0.01).abs() < 1e-12);
        assert_eq!((sold(10, 100), sold(0, 99), sold(0, 0)), (0.0, 0.0, 0.0));
    }

    #[test]
    fn a_title_shouts_in_capitals_and_exclamation_marks() {
        assert!(shouts("THE TRUTH ABOUT WHALES"));
        assert!(shouts("They lied to us!!!"));
        for calm in ["NATO and the EU meet", "USA", "Ferry runs again!", "日本の船"] {
            assert!(!shouts(calm), "{calm}");
        }
    }

    #[test]
    fn more_citations_add_less_and_less_up_to_a_limit() {
        assert_eq!(cited_adds(0), 0.0);
        assert!((cited_adds(1) - 0.02).abs() < 1e-12 && (cited_adds(3) - 0.04).abs() < 1e-12);
        assert!(cited_adds(7) <= CITED_MOST && cited_adds(u32::MAX) == CITED_MOST);
    }

    proptest! {
        #[test]
        fn whatever_a_page_shows_is_little(flags in prop::array::uniform9(any::<bool>()), counts: [u32; 3], ads: u16) {
            let [corrections, standards, ownership, byline, author_page, dated, shouts, association, owner] = flags;
            let [words, direct, resellers] = counts;
            let files = SiteFiles { association, owner, direct, resellers };
            let shown = Signals {
                corrections, standards, ownership, byline, author_page, dated, shouts, ads, words, files
            };
            prop_assert!(shown.adds().abs() <= SHOWN_MOST);
        }
    }
}
