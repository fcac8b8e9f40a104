//! Challenge, captcha and block pages.

use super::plain::{Looks, lines};
use super::{Evidence, Wall};
use crate::fetch::page::FetchOutcome;

/// Up to this many letters a page with a protection service's own mark is its challenge.
const MARKED_LETTERS: usize = 1_500;
/// Up to this many letters a page that speaks like a challenge is one.
const SPOKEN_LETTERS: usize = 800;
/// A page with fewer letters than this says next to nothing.
const BARE_LETTERS: usize = 200;

/// Marks that protection services put on their challenges and on nothing else.
const MARKS: &str = include_str!("phrases/bot-marks.txt");

/// Marks that protection services put on ordinary pages too; they tell only on a bare page.
const FAINT_MARKS: &str = include_str!("phrases/bot-faint-marks.txt");

/// Titles that challenges have and articles seldom.
const TITLES: &str = include_str!("phrases/bot-titles.txt");

/// What challenges say.
const PHRASES: &str = include_str!("phrases/bot.txt");

/// Headers by which a protection service says that this is its challenge.
pub(super) fn by_headers(evidence: &Evidence<'_>) -> Option<Wall> {
    let has = |name: &str, values: &[&str]| {
        let value = evidence.headers.get(name).and_then(|value| value.to_str().ok());
        value.is_some_and(|value| values.contains(&value.trim().to_ascii_lowercase().as_str()))
    };
    let who = if has("cf-mitigated", &["challenge", "block"]) {
        "Cloudflare"
    } else if has("x-amzn-waf-action", &["challenge", "captcha"]) {
        "AWS WAF"
    } else if has("x-datadome", &["protected"]) && matches!(evidence.status, 401 | 403 | 429) {
        "DataDome"
    } else {
        return None;
    };
    Some(wall(who))
}

pub(super) fn find(evidence: &Evidence<'_>, looks: &Looks) -> Option<Wall> {
    if looks.letters >= MARKED_LETTERS {
        return None;
    }
    let marked = |table| {
        lines(table)
            .filter_map(|line| line.split_once(" = "))
            .find(|(_, mark)| looks.source.contains(mark))
            .map(|(who, _)| who)
    };
    let spoken = looks.page_says(PHRASES);
    if let Some(who) = marked(MARKS) {
        return Some(wall(who));
    }
    let bare = looks.letters < BARE_LETTERS;
    let refused = matches!(evidence.status, 403 | 429 | 503);
    let titled = lines(TITLES).any(|title| title == looks.title);
    if let Some(who) = marked(FAINT_MARKS)
        && (spoken > 0 || looks.letters == 0 || (titled && refused))
        && looks.letters < SPOKEN_LETTERS
    {
        return Some(wall(who));
    }
    let speaks_like_one = (titled && (spoken > 0 || (bare && refused)))
        || (spoken >= 2 && looks.letters < SPOKEN_LETTERS)
        || (spoken == 1 && bare);
    speaks_like_one.then(|| {
        Wall::new(
            FetchOutcome::BotWall,
            "the site shows a page that checks for or turns away automatic readers",
        )
    })
}

fn wall(who: &str) -> Wall {
    let reason = format!("a challenge or block page ({who}) came instead of the page");
    Wall::new(FetchOutcome::BotWall, reason)
}
