//! The date in a page's address.

use jiff::civil::Date;

use crate::extract::dates::is_plausible;

/// The day that an address names: `/2019/05/06/`, `/2019-05-06-title`, `/20190506/`.
pub(super) fn url_date(url: &str) -> Option<Date> {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    let (_, path) = path.split_once('/')?;
    let pieces: Vec<&str> = path.split('/').collect();
    let by_folders = pieces.windows(3).find_map(|window| match window {
        [year, month, day] if year.len() == 4 => date(year, month, leading_day(day)?),
        _ => None,
    });
    by_folders.or_else(|| pieces.iter().find_map(|piece| in_piece(piece)))
}

/// `2019/05/06` is followed by a slash or by more of the name.
fn leading_day(piece: &str) -> Option<&str> {
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    let rest_is_name = piece.get(digits..)?.chars().next().is_none_or(|c| !c.is_alphanumeric());
    (digits > 0 && digits <= 2 && rest_is_name).then(|| piece.get(..digits))?
}

fn in_piece(piece: &str) -> Option<Date> {
    let parts: Vec<&str> = piece.split(['-', '_', '.']).collect();
    let separated = parts.windows(3).find_map(|window| match window {
        [year, month, day] if year.len() == 4 && month.len() == 2 => date(year, month, day),
        [day, month, year] if year.len() == 4 && month.len() == 2 && day.len() == 2 => {
            date(year, month, day)
        }
        _ => None,
    });
    separated.or_else(|| {
        parts.iter().find_map(|part| {
            let compact = part.len() == 8 && part.bytes().all(|b| b.is_ascii_digit());
            if !compact {
                return None;
            }
            date(part.get(..4)?, part.get(4..6)?, part.get(6..8)?)
        })
    })
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    if day.len() > 2 || month.len() > 2 {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        .ok()
        .filter(|date| is_plausible(*date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_days_in_several_ways() {
        for url in [
            "https://a.example/2019/05/06/title",
            "https://a.example/news/2019/5/6/",
            "https://a.example/2019-05-06-title.html",
            "https://a.example/news/20190506/title",
            "https://a.example/story_2019_05_06.html",
            "https://a.example/06-05-2019-title",
        ] {
            assert_eq!(
                url_date(url).map(|d| d.to_string()).as_deref(),
                Some("2019-05-06"),
                "{url}"
            );
        }
        for url in [
            "https://a.example/2019/05/title",
            "https://a.example/12345678",
            "https://a.example/?d=2019-05-06",
            "https://20190506.example/",
            "https://a.example/2019/13/45/",
            "https://a.example/2019/05/06th",
        ] {
            assert_eq!(url_date(url), None, "{url}");
        }
    }
}
