//! Which full stop, exclamation or question mark ends a sentence.

use std::collections::HashSet;
use std::sync::LazyLock;

use probity_core::calendar::{MONTHS, WEEKDAYS};

use super::habits::Habits;

/// Never end a sentence: a name, a number or an example follows.
const LEADING: &str = "mr mrs ms mx messrs mme mlle dr prof st ste mt ft gen col sgt capt cpt lt cdr \
    cmdr adm maj rev hon gov sen rep pres supt sra fr hr vs viz cf eg e.g ie i.e approx appr ca circa c \
    fig figs eq eqs sec secs ch chap art vol vols pp para paras op cit ed eds trans tab ref refs resp \
    incl excl est max min avg dept univ bros messr z.b d.h u.a bzw ggf usw s.a p.ej nr";
/// Introduce a number: end a sentence only when none follows.
const NUMBERING: &str = "no nos nr num p pg pp fig figs eq vol ch sec art para n";
/// End a sentence when a word follows that begins one.
const TRAILING: &str = "etc inc ltd co corp llc plc gmbh jr sr esq bldg ave blvd rd ln hwy \
    u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.sc m.sc phd md ad bc b.c a.d sq";
/// The same, and a number that follows is the day or the year: `Jan. 5`, `Mon. 3 May`.
const DATING: &str =
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat";
/// Words that begin sentences far more often than they begin names.
const OPENERS: &str = "the a an this that these those it its he she they we you i his her their our my in on \
    at by for from to of with without after before during since until when while where as if because although \
    though but and or so yet however also still then there here what who why how which most many some all both \
    each every no not only one two three several other another such more less according despite instead \
    meanwhile moreover further furthermore nevertheless once under over between among about critics officials \
    police researchers experts residents der die das ein eine er sie es und aber im am le la les un une il elle \
    et mais el los las una pero y en";
/// Zones of time, which go on with the sentence after `p.m.`, as weekdays and months do.
const ZONES: &str = "gmt utc est edt pst pdt cet cest bst";
/// Months that follow a day and its full stop (`am 3. Oktober`).
const DAY_MONTHS: &str = "januar jänner februar märz april mai juni juli august september oktober november \
    dezember jan feb mär apr jun jul aug sep okt nov dez januari februari maart mei augustus";

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

static LEADS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(LEADING));
static NUMBERS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(NUMBERING));
static TRAILS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(TRAILING));
static DATES: LazyLock<HashSet<&str>> = LazyLock::new(|| set(DATING));
static OPENS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(OPENERS));
static DAYS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| ZONES.split_whitespace().chain(WEEKDAYS).chain(MONTHS).collect());
static MONTH: LazyLock<HashSet<&str>> = LazyLock::new(|| set(DAY_MONTHS));

/// Longest word looked at around a stop; longer ones are no abbreviation.
const WORD_CHARS: usize = 24;

/// Where the sentences of one block end: the byte after each ending stop and what closes it.
pub(super) fn ends(body: &str, habits: &Habits<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut chars = body.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_stop(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        let mut run =
            Run { first: c, dots: usize::from(c == '.'), wide: is_wide(c), loud: is_loud(c) };
        while let Some((next, c)) = chars.next_if(|(_, c)| is_stop(*c) || is_closer(*c)) {
            run.dots += usize::from(c == '.');
            run.wide |= is_wide(c);
            run.loud |= is_loud(c);
            end = next + c.len_utf8();
        }
        end = after_note(body, after_guillemet(body, end));
        while chars.next_if(|(next, _)| *next < end).is_some() {}
        if end < body.len() && ends_here(body, at, end, &run, habits) {
            found.push(end);
        }
    }
    found
}

/// Whether a line ends with a stop that is not that of an abbreviation: what begins with a small letter below
/// it is a name or a piece of code, not the rest of the sentence.
pub(super) fn closes(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(is_closer);
    let Some(last) = line.chars().next_back().filter(|c| is_stop(*c)) else { return false };
    let before = line.strip_suffix(last).unwrap_or(line);
    let word = last_word(before).to_lowercase();
    let word = word.as_str();
    let short = LEADS.contains(word) || trails(before, word) || NUMBERS.contains(word);
    last != '.' || !(short || before.ends_with('.') || word.chars().count() == 1)
}

/// A run of stops and closing marks, as in `?!"`.
struct Run {
    first: char,
    dots: usize,
    /// Holds a stop of a script written without spaces.
    wide: bool,
    /// Holds an exclamation or question mark.
    loud: bool,
}

fn ends_here(body: &str, at: usize, end: usize, run: &Run, habits: &Habits<'_>) -> bool {
    let rest = body.get(end..).unwrap_or_default();
    if run.wide {
        return true;
    }
    if !rest.starts_with(char::is_whitespace) {
        return run.first == '.' && run.dots == 1 && runs_together(body, at, rest);
    }
    let next = rest.trim_start().trim_start_matches(is_opener);
    let Some(first) = next.chars().next() else { return true };
    if first.is_lowercase() {
        return false;
    }
    if run.loud || run.first != '.' || run.dots > 1 {
        return true;
    }
    dot_ends(body.get(..at).unwrap_or_default(), next, first, habits)
}

/// Whether a single full stop between `before` and `next` ends a sentence.
fn dot_ends(before: &str, next: &str, first: char, habits: &Habits<'_>) -> bool {
    let word = last_word(before);
    let lower = habits.without_article(word.to_lowercase());
    let follower = first_word(next).to_lowercase();
    let opens = OPENS.contains(follower.as_str());
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    // "p. 12" is a page, "J. P. Carrow" a person.
    let numbering = NUMBERS.contains(lower.as_str());
    if numbering && (first.is_numeric() || lower.len() == 1 && !initial) {
        return !first.is_numeric();
    }
    if lower == "no" {
        return true;
    }
    if !initial && (LEADS.contains(lower.as_str()) || habits.abbreviate(&lower)) {
        return false;
    }
    if !opens && !first.is_numeric() && habits.count_by(&word) {
        return false;
    }
    if matches!(lower.as_str(), "a.m" | "p.m") {
        return !DAYS.contains(follower.as_str());
    }
    if DATES.contains(lower.as_str()) && first.is_numeric() {
        return false;
    }
    if initial || trails(before, &lower) || is_dotted(&word) {
        // Behind "et al." a number is the year of what is cited.
        return opens || first.is_numeric() && !initial && lower != "al";
    }
    let day = !word.is_empty() && word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    !(day && MONTH.contains(follower.as_str()))
}

/// Whether a lower-case word that ends `before` is an abbreviation that may end a sentence. `al.` is one behind `et`
/// and a word of other languages elsewhere.
fn trails(before: &str, lower: &str) -> bool {
    let et = || before.trim_end_matches(char::is_alphabetic).trim_end();
    match lower {
        "al" => last_word(et()).eq_ignore_ascii_case("et"),
        _ => TRAILS.contains(lower) || DATES.contains(lower),
    }
}

/// `end.The next`: a space was lost, and a word that begins sentences follows.
fn runs_together(body: &str, at: usize, rest: &str) -> bool {
    let word = last_word(body.get(..at).unwrap_or_default());
    let follower = first_word(rest);
    word.chars().count() > 2
        && word.chars().all(char::is_lowercase)
        && follower.chars().next().is_some_and(char::is_uppercase)
        && follower.chars().count() > 1
        && OPENS.contains(follower.to_lowercase().as_str())
}

/// Includes a closing mark behind a space, as French has it: `« Vrai ? »`. Where » opens a quotation, a
/// letter follows it.
fn after_guillemet(body: &str, end: usize) -> usize {
    let spaced = body.get(end..).and_then(|rest| rest.strip_prefix([' ', '\u{a0}', '\u{202f}']));
    match spaced.and_then(|rest| rest.strip_prefix('»')) {
        Some(rest) if !rest.starts_with(char::is_alphanumeric) => body.len() - rest.len(),
        _ => end,
    }
}

/// Takes in a footnote mark that clings to a stop: `ended.[12] The`.
fn after_note(body: &str, end: usize) -> usize {
    let mut end = end;
    while let Some(rest) = body.get(end..) {
        let Some(inner) = rest.strip_prefix('[') else { break };
        let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if !(1..=3).contains(&digits)
            || !inner.get(digits..).is_some_and(|tail| tail.starts_with(']'))
        {
            break;
        }
        end += digits + 2;
    }
    end
}

fn last_word(before: &str) -> String {
    let mut letters: Vec<char> = before
        .chars()
        .rev()
        .take(WORD_CHARS)
        .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '\'' | '’'))
        .collect();
    letters.reverse();
    letters.into_iter().skip_while(|c| matches!(c, '.' | '\'' | '’')).collect()
}

fn first_word(next: &str) -> String {
    next.chars().take(WORD_CHARS).take_while(|c| c.is_alphanumeric()).collect()
}

/// `U.S` and `Ph.D`: letters and inner stops.
fn is_dotted(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| {
            (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
        })
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‽' | '؟' | '۔' | '।' | '॥' | '։' | '።') || is_wide(c)
}

fn is_wide(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡' | '។' | '။')
}

fn is_loud(c: char) -> bool {
    matches!(c, '!' | '?' | '！' | '？' | '‽' | '؟')
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '*'
            | '_'
            | '`'
    )
}

fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '('
            | '['
            | '{'
            | '¿'
            | '¡'
            | '„'
            | '「'
            | '*'
            | '_'
            | '`'
            | '—'
            | '–'
            | '-'
    ) || c.is_whitespace()
}
