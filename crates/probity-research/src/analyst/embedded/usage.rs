//! How texts use single words: after "was", after "has", after "will", and in which forms.

use std::collections::{HashMap, HashSet};

use probity_text::words::{each_lower, words};

use super::question::AUXILIARIES;

/// How much of one text is looked at, in bytes.
const LOOKED_AT: usize = 400_000;
/// Forms of "be", those that begin a clause first.
pub(super) const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being"];
pub(super) const HAVE: &[&str] = &["has", "have", "had"];
pub(super) const DO: &[&str] = &["do", "does", "did"];
/// Before the plain form of a verb stands what begins a question, or one of these.
const BEFORE_PLAIN: &[&str] = &["not", "cannot", "to"];
/// The verbs whose past tense does not end in "-ed", each with that.
const IRREGULAR: &str = "arise arose awake awoke bear bore beat beat become became begin began bend bent bet bet bind \
    bound bite bit bleed bled blow blew break broke breed bred bring brought build built burst burst buy bought cast \
    cast catch caught choose chose cling clung come came cost cost creep crept cut cut deal dealt dig dug draw drew \
    drink drank drive drove eat ate fall fell feed fed feel felt fight fought find found flee fled fly flew forbid \
    forbade foresee foresaw forget forgot forgive forgave freeze froze get got give gave go went grind ground grow \
    grew hang hung have had hear heard hide hid hit hit hold held hurt hurt keep kept kneel knelt know knew lay laid \
    lead led leave left lend lent let let lie lay light lit lose lost make made mean meant meet met overcome overcame \
    pay paid put put quit quit read read ride rode ring rang rise rose run ran say said see saw seek sought sell sold \
    send sent set set shake shook shed shed shine shone shoot shot shrink shrank shut shut sing sang sink sank sit sat \
    sleep slept slide slid speak spoke spend spent spin spun split split spread spread spring sprang stand stood steal \
    stole stick stuck sting stung strike struck strive strove swear swore sweep swept swim swam swing swung take took \
    teach taught tear tore tell told think thought throw threw undergo underwent understand understood undertake \
    undertook wake woke wear wore weave wove win won wind wound withdraw withdrew withhold withheld withstand \
    withstood write wrote";

/// How often a word is said, and after "be", after "have" and after what stands before a plain verb.
type Counts = [usize; 4];

/// How some words are used in some texts.
pub(super) struct Usage {
    counts: HashMap<String, Counts>,
    /// The forms of these words that end like a past tense.
    past: HashSet<String>,
}

impl Usage {
    /// From this share on a word is a verb where it follows a subject.
    pub(super) const VERB: f64 = 0.04;
    /// From this share on it is one wherever it stands.
    pub(super) const PARTICIPLE: f64 = 0.3;

    /// Looks at how the words of a question are used.
    pub(super) fn of<'a>(question: &str, texts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<String, Counts> = HashMap::new();
        each_lower(question, |word| {
            counts.entry(word.to_owned()).or_default();
            // "Governs" is a verb where "will govern" is said.
            word.strip_suffix('s').map(|plain| counts.entry(plain.to_owned()).or_default());
        });
        let pasts: HashSet<String> = counts.keys().flat_map(|word| pasts(word)).collect();
        let mut past = HashSet::new();
        for text in texts {
            let text = text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
            let mut before = String::new();
            each_lower(text, |word| {
                if let Some([all, be, have, modal]) = counts.get_mut(word) {
                    let is = |list: &[&str]| list.contains(&before.as_str());
                    let is_plain = is(AUXILIARIES) && !is(BE) && !is(HAVE) || is(BEFORE_PLAIN);
                    for (count, is) in
                        [(all, true), (be, is(BE)), (have, is(HAVE)), (modal, is_plain)]
                    {
                        *count += usize::from(is);
                    }
                }
                if pasts.contains(word) {
                    past.insert(word.to_owned());
                }
                before.clear();
                before.push_str(word);
            });
        }
        Self { counts, past }
    }

    fn share(&self, word: &str, of: impl Fn(&Counts) -> usize) -> f64 {
        self.counts.get(word).map_or(0.0, |one| of(one) as f64 / one[0].max(1) as f64)
    }

    /// How often a word stands after a form of "be".
    pub(super) fn after_be(&self, word: &str) -> f64 {
        self.share(word, |[_, be, ..]| *be)
    }

    /// How often a word stands after a form of "have" or "be".
    pub(super) fn after_have(&self, word: &str) -> f64 {
        self.share(word, |[_, be, have, _]| be + have)
    }

    /// How often a word stands after "will", "did", "not" and the like.
    pub(super) fn after_modal(&self, word: &str) -> f64 {
        self.share(word, |[.., modal]| *modal)
    }

    /// The past tense of a verb, if it is irregular or the texts have it.
    pub(super) fn past(&self, verb: &str) -> Option<String> {
        let regular = || pasts(verb).into_iter().find(|past| self.past.contains(past));
        irregular(verb).map(str::to_owned).or_else(regular)
    }
}

/// Whether a text may have a finite verb, by the look of its words. What is written with a capital is a name.
pub(super) fn has_verb(text: &str) -> bool {
    words(text).filter(|word| word.raw.starts_with(char::is_lowercase)).any(|word| {
        let word = word.lower.as_ref();
        let third = word.ends_with('s') && !word.ends_with("ss") && word.len() > 3;
        let past = word.ends_with("ed") || IRREGULAR.split_whitespace().any(|form| form == word);
        third || past || AUXILIARIES.contains(&word)
    })
}

/// Whether a text begins with a participle and has no finite verb: "Fitting a linear model".
pub(super) fn is_fragment(text: &str) -> bool {
    let begins = |word: String| word.ends_with("ing") || word.ends_with("ed");
    words(text).next().is_some_and(|first| begins(first.lower.into_owned())) && !has_verb(text)
}

fn irregular(verb: &str) -> Option<&'static str> {
    let mut forms = IRREGULAR.split_whitespace();
    std::iter::from_fn(|| Some((forms.next()?, forms.next()?)))
        .find_map(|(plain, past)| (plain == verb).then_some(past))
}

/// The forms that the past tense of a regular verb can have.
fn pasts(verb: &str) -> Vec<String> {
    let last = verb.chars().last().filter(char::is_ascii_lowercase);
    let mut forms = vec![format!("{verb}ed")];
    match verb.strip_suffix('y') {
        Some(stem) => forms.insert(0, format!("{stem}ied")),
        None if verb.ends_with('e') => forms.insert(0, format!("{verb}d")),
        None => forms.extend(last.map(|last| format!("{verb}{last}ed"))),
    }
    forms
}
