//! A dead link → the page as a web archive kept it, where the user wants that.
//!
//! ```text
//! {archive}/web/{today}id_/{address} → redirect to the nearest capture → judged like any page
//! ```
//!
//! The address is made of the archive that is set and the page that was permitted; what either answers cannot lead
//! elsewhere. `id_` asks for the page as it came, without the archive's own frame around it.

use jiff::civil::Date;
use probity_core::WebUrl;

use super::Inner;
use super::follow::{Journey, Trail};
use super::judge;
use super::page::{FetchOutcome, Page};

/// How many digits of a capture's number name its day.
const DAY_DIGITS: usize = 8;

impl Inner {
    /// The page from the nearest capture, or as it was, with what the archive said.
    pub(crate) async fn try_archive(
        &self,
        archive: &WebUrl,
        page: Page,
        journey: &Journey<'_>,
    ) -> Page {
        let today = self.settings.clock.now().date().strftime("%Y%m%d");
        let Ok(url) = archive.join(&format!("/web/{today}id_/{}", page.url)) else { return page };
        let mut trail = Trail::from(&url);
        let again = Journey {
            own_site: true,
            wanted: &judge::wanted,
            ..Journey::of_page(journey.deadline)
        };
        let found = match self.follow(&mut trail, &again).await {
            Ok(answer) => self.judge(&url, &trail, answer, journey.deadline).await.0,
            Err(stop) => judge::stopped(judge::started(&url, &trail), stop),
        };
        match captured_on(&trail.at) {
            Some(day) if found.outcome.is_read() => {
                let reason = format!("read from a capture of {day} by {}", archive.host());
                let (url, final_url, redirects) = (page.url, page.final_url, page.redirects);
                Page { url, final_url, redirects, reason, archived: Some(day), ..found }
            }
            _ => {
                let reason = format!(
                    "{}; {} has no capture of it that can be read",
                    page.reason,
                    archive.host()
                );
                Page { reason, ..page }
            }
        }
    }
}

/// Whether a page's address leads nowhere any more: it is gone, or no server answers there.
pub(crate) fn is_dead(page: &Page) -> bool {
    match page.outcome {
        FetchOutcome::NotFound | FetchOutcome::Gone => true,
        FetchOutcome::Failed => page.status.is_none(),
        _ => false,
    }
}

/// The day of a capture, by its address: `/web/20130919044612id_/…`.
fn captured_on(url: &WebUrl) -> Option<Date> {
    let (_, rest) = url.as_url().path().split_once("/web/")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    // A capture has a time; the day that was asked for has none.
    (digits.len() > DAY_DIGITS).then_some(())?;
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<i16>().ok();
    let (month, day) = (i8::try_from(number(4, 6)?).ok()?, i8::try_from(number(6, 8)?).ok()?);
    Date::new(number(0, 4)?, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_of_a_capture_stands_in_its_address() {
        let day =
            |text: &str| captured_on(&WebUrl::parse(text).unwrap()).map(|day| day.to_string());
        let of = "https://web.archive.org/web/20130919044612id_/http://example.com/web/2001";
        assert_eq!(day(of).as_deref(), Some("2013-09-19"));
        for none in [
            "https://web.archive.org/web/20130919id_/http://example.com/",
            "https://web.archive.org/web/20131319044612/http://example.com/",
            "https://web.archive.org/save/http://example.com/",
        ] {
            assert_eq!(day(none), None, "{none}");
        }
    }
}
