//! Long lists in parts: each part carries where the next one begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::limits;
use crate::problem::Problem;

/// A part of a list.
#[derive(Debug, Serialize, ToSchema, JsonSchema)]
pub struct Listed<T> {
    /// The part.
    pub items: Vec<T>,
    /// Where the next part begins: send it as `cursor`. None at the end.
    pub next: Option<String>,
}

/// A place in a list, as clients carry it: opaque, and checked when it comes back.
pub(crate) struct Cursor;

impl Cursor {
    pub(crate) fn write(place: &impl Serialize) -> Option<String> {
        serde_json::to_vec(place).ok().map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
    }

    pub(crate) fn read<T: DeserializeOwned>(text: Option<&str>) -> Result<Option<T>, Problem> {
        let Some(text) = text else { return Ok(None) };
        let bytes = URL_SAFE_NO_PAD.decode(text).ok();
        let place = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        place.map(Some).ok_or_else(|| {
            Problem::field("cursor", "this cursor does not belong to this list; start without one")
        })
    }
}

/// How many rows a part has.
pub(crate) fn rows(asked: Option<i64>) -> Result<i64, Problem> {
    match asked {
        None => Ok(limits::USUAL_ROWS),
        Some(rows @ 1..=limits::PAGE_ROWS) => Ok(rows),
        Some(_) => {
            Err(Problem::field("limit", format!("a part has 1 to {} rows", limits::PAGE_ROWS)))
        }
    }
}

impl<T> Listed<T> {
    /// Cuts a list that was asked for one row more than it may have; that row says that there is more.
    pub(crate) fn cut(mut items: Vec<T>, rows: i64, place: impl Fn(&T) -> Option<String>) -> Self {
        let rows = usize::try_from(rows).unwrap_or(0);
        let more = items.len() > rows;
        items.truncate(rows);
        let next = if more { items.last().and_then(place) } else { None };
        Self { items, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_nothing_else_does() {
        let place = (1_700_000_000_000i64, "20260301-abc".to_owned());
        let text = Cursor::write(&place).unwrap();
        assert_eq!(Cursor::read::<(i64, String)>(Some(&text)).unwrap(), Some(place));
        for text in ["x", "%%%", "bnVsbA", "e30"] {
            assert!(Cursor::read::<(i64, String)>(Some(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_says_whether_more_follows() {
        let cut =
            |count: i64| Listed::cut((0..count).collect(), 2, |last| Some(last.to_string())).next;
        assert_eq!((cut(0), cut(2), cut(3)), (None, None, Some("1".to_owned())));
    }
}
