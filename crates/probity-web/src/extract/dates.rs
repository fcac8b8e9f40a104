//! Dates as people and programs write them.

mod months;
mod read;
mod tokens;

pub(crate) use months::month;
pub(crate) use read::{Order, Written, dates_in, first_date};

use jiff::civil::Date;
use probity_core::Clock;

/// The first year in which a web page can have been published.
const FIRST_YEAR: i16 = 1995;

/// Whether a page can have been published on this day.
pub(crate) fn is_plausible(date: Date) -> bool {
    let tomorrow = Clock::System.now().date().tomorrow().unwrap_or(Date::MAX);
    date.year() >= FIRST_YEAR && date <= tomorrow
}
