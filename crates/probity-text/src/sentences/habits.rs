//! How full stops are used in a language: its abbreviations, and whether a number with one is an
//! ordinal.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::Language;

/// Abbreviations that a name, a number or an example follows, by language. Words that sentences
/// end with as well are left out.
const ABBREVIATIONS: &[(Language, &str)] = &[
    (
        Language::German,
        "abb abh abs abschn anm aufl bd bde bearb begr bspw bzgl dipl ebd einschl entspr evtl frhr geb gegr \
         gem gest ggü hl hrsg ing insb jh jhdt kap lfd lt mio mrd mwst pfd rd rechtl sog std str tel tsd urspr \
         verf vgl vorm wg zit zzgl",
    ),
    (
        Language::Spanish,
        "admón apdo arq avda bco cap cía ctra depto dña dra dras ed edo excmo fdo gral ilmo ing izq lic máx mín \
         núm núms pág págs párr pdte prof profa pról prov sres srta sta sto tfno tít vda",
    ),
    (
        Language::French,
        "adj adv apr av bd boul cap chap dép éd env ét exempl hab ill intr janv juill maj méd min mgr mm nbr obs \
         oct pag par préf proc réf rég rem sept suiv tél trad vol zool",
    ),
    (
        Language::Italian,
        "all arch art avv cap cfr cit dott dottssa ecc ediz fasc geom ing lett nr num on pag pagg par parr prof \
         rag rif sett sig sigg sigra tav tel trad vol voll",
    ),
    (
        Language::Portuguese,
        "adm apt apto av cap cia compl dep depto dra dras edif eng exa exmo fls gov ilmo ind lda ltda máx mín núm \
         nums obs pág págs prof profa qtd ref rem sra sras sto trad",
    ),
    (
        Language::Dutch,
        "aant afb afd afl alg art bijl bijv blz cf dhr drs enz evt excl fig geb gem hfst hoofdst incl ing inl ir jg \
         mevr mgr mln mld nl nrs ong oorspr par pag red resp sen st tel ts uitg verg vert vgl vnl wed zgn",
    ),
    (
        Language::Polish,
        "adw al art cz dł dyr godz hab im inż jw kol kpt lek ks maks mgr min mjr mld mln np nr ob ok op oprac os \
         pkt płk pol por pow prof red rep rozdz rys str św tab tel tłum tys tzn tzw ul ur wg woj wyd zał zm zob",
    ),
    (
        Language::Swedish,
        "adj bl civ dir doc dvs enl ev exkl fil fr frk forts förf gen inkl jfr kap kl korr kungl lic mag max min \
         nuv odont omkr ordf prof red resp sekr sid sk tekn tel teol tr utg vard vol",
    ),
];

/// Languages in which a number with a full stop is an ordinal: `im 21. Jahrhundert`.
const WITH_ORDINALS: &[Language] = &[
    Language::German,
    Language::Danish,
    Language::Finnish,
    Language::Hungarian,
    Language::Norwegian,
    Language::Polish,
    Language::Turkish,
];

/// Every abbreviation of every language, so that most words need no look at the language.
static ANY: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    ABBREVIATIONS.iter().flat_map(|(_, words)| words.split_whitespace()).collect()
});

/// The habits of the language that a text is in, detected when the first full stop is met.
pub(super) struct Habits<'a> {
    text: &'a str,
    language: OnceCell<Language>,
}

impl<'a> Habits<'a> {
    /// The habits of a text.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, language: OnceCell::new() }
    }

    /// Whether a lower-case word with a full stop is an abbreviation that something follows.
    pub(super) fn abbreviate(&self, word: &str) -> bool {
        ANY.contains(word)
            && ABBREVIATIONS
                .iter()
                .find(|(language, _)| *language == self.language())
                .is_some_and(|(_, words)| words.split_whitespace().any(|one| one == word))
    }

    /// A lower-case word without the article that clings to it: `l'art.` is an abbreviation as `art.` is.
    pub(super) fn without_article(&self, word: String) -> String {
        match word.rsplit_once(['\'', '’']) {
            Some((_, rest)) if self.language().elides() => rest.to_owned(),
            _ => word,
        }
    }

    /// Whether a word with a full stop is an ordinal number, arabic or roman.
    pub(super) fn count_by(&self, word: &str) -> bool {
        let digits = (1..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
        let roman = (1..=6).contains(&word.len())
            && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'));
        (digits || roman) && WITH_ORDINALS.contains(&self.language())
    }

    fn language(&self) -> Language {
        *self.language.get_or_init(|| Language::detect(self.text))
    }
}
