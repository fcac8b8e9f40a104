//! Where two sources give answers that cannot both be right, or a newer one that takes the place of an older.
//!
//! Strict on purpose: two passages that both answer surely and nearly equally well, of different sources, with
//! values of the kind that was asked for which exclude each other. On 439 foreign questions anything looser
//! printed four to thirty times as many, most of them false.

use jiff::civil::Date;

use super::answer::{Answered, Choice};
use super::question::{Part, Wanted};
use super::retrieve::Library;
use super::value;

/// Both answers must be this sure, as answerable logits.
const SURE: f64 = 2.0;
/// And this near to each other.
pub(super) const GAP: f64 = 1.5;
/// Reports on a story that is still developing are at most this many days apart.
const DEVELOPING_DAYS: i32 = 60;

/// Two answers that differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Rivals {
    /// The one to believe first: the newer of the two where that settles it.
    pub leading: Choice,
    /// The other.
    pub other: Choice,
    /// Whether the leading one is newer and takes the other's place; else they contradict each other.
    pub superseded: bool,
}

/// Looks for an answer that excludes the best one.
pub fn find(part: &Part, answered: &Answered, library: &Library<'_>) -> Option<Rivals> {
    let best = answered.choices.first().filter(|best| best.answerable > SURE)?;
    let text = |choice: &Choice| library.slice(choice.source, &choice.span);
    let other = answered.choices.iter().skip(1).find(|other| {
        other.source != best.source
            && other.answerable > SURE
            && best.score - other.score < GAP
            && value::exclude(part.wanted, text(best), text(other))
    })?;
    let published = |choice: &Choice| library.source(choice.source).and_then(|one| one.published);
    let newer = match (published(best), published(other)) {
        (Some(mine), Some(theirs)) if mine != theirs && is_about_now(part, mine, theirs) => {
            Some(if mine > theirs { (best, other) } else { (other, best) })
        }
        _ => None,
    };
    let (leading, older) = newer.unwrap_or((best, other));
    Some(Rivals { leading: leading.clone(), other: older.clone(), superseded: newer.is_some() })
}

/// Whether a newer answer takes the place of an older one: the question names no time, and asks how things are,
/// or the reports are days apart.
fn is_about_now(part: &Part, one: Date, other: Date) -> bool {
    const PRESENT: &[&str] = &["is", "are", "does", "do", "has", "have", "can", "must", "may"];
    let dated = !probity_text::date_mention::dates(&part.text).is_empty();
    let present = probity_text::words::words(&part.text)
        .take(6)
        .any(|word| PRESENT.contains(&word.lower.as_ref()));
    let days = one.since(other).map_or(i32::MAX, |span| span.get_days().abs());
    part.wanted != Wanted::Time && !dated && (present || days <= DEVELOPING_DAYS)
}
