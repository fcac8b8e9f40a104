//! Lenient reading of JSON replies: what is missing or of another type reads as nothing.

use serde_json::Value;

use super::error::SearchError;

/// Reads a whole reply. An error that the provider reports inside a successful reply is an error.
pub(crate) fn json(body: &[u8]) -> Result<Value, SearchError> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| SearchError::malformed(format!("it is not JSON ({error})")))?;
    if !value.is_object() {
        return Err(SearchError::malformed("it is not a JSON object"));
    }
    Ok(value)
}

/// The list at a JSON pointer; an error when there is none, because even no results are a list.
pub(crate) fn list<'a>(value: &'a Value, pointer: &str) -> Result<&'a [Value], SearchError> {
    match value.pointer(pointer) {
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(SearchError::malformed(format!("`{}` is not a list", dotted(pointer)))),
        None => match said(value) {
            Some(message) => Err(SearchError::reported(&message)),
            None => Err(SearchError::malformed(format!("it has no `{}`", dotted(pointer)))),
        },
    }
}

/// The text of a field, or the empty text.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The text at a JSON pointer, or the empty text.
pub(crate) fn text_at<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The first of several texts that is not blank.
pub(crate) fn first_of<'a>(texts: &[&'a str]) -> &'a str {
    texts.iter().find(|text| !text.trim().is_empty()).copied().unwrap_or_default()
}

/// What a reply says went wrong, wherever the providers' shapes put it.
pub(crate) fn said(value: &Value) -> Option<String> {
    const PLACES: &[&str] = &[
        "/error/message",
        "/error/info",
        "/error/detail",
        "/detail/error",
        "/message/0/message",
        "/esearchresult/ERROR",
        "/detail",
        // Where both are, `error` is the class and `message` the news.
        "/message",
        "/error",
    ];
    PLACES
        .iter()
        .filter_map(|place| value.pointer(place).and_then(Value::as_str))
        .find(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reported_error_is_distinguished_from_a_strange_reply() {
        for reply in [
            json!({"error": "Out of credits"}),
            json!({"error": {"code": "x", "info": "Out of credits"}}),
            json!({"detail": {"error": "Out of credits"}}),
            json!({"status": "failed", "message": [{"type": "x", "message": "Out of credits"}]}),
            json!({"message": "Out of credits", "statusCode": 403}),
        ] {
            let error = list(&reply, "/results").unwrap_err();
            assert_eq!(error.to_string(), "reports an error: Out of credits", "{reply}");
        }
        assert_eq!(
            list(&json!({}), "/web/results").unwrap_err().to_string(),
            "the reply cannot be understood: it has no `web.results`"
        );
        assert!(list(&json!({"results": 3}), "/results").is_err());
        assert!(json(b"<html>").is_err() && json(b"[]").is_err() && json(b"").is_err());
    }
}
