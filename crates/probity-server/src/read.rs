//! What a request brings, read with bounds: bodies, queries, path parts.

use std::borrow::Cow;

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use http::request::Parts;
use http::{HeaderMap, header};
use probity_core::Answering;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::limits;
use crate::problem::Problem;

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

/// A form's body.
pub(crate) struct Form<T>(pub(crate) T);

/// What is behind the question mark.
pub(crate) struct Query<T>(pub(crate) T);

/// One part of the path, decoded.
pub(crate) struct Part(pub(crate) String);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let bytes = json_body(request).await?;
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(not_as_expected)?;
        reader.end().map_err(|error| Problem::unreadable(format!("after the body: {error}")))?;
        Ok(Self(value))
    }
}

/// The body of a request with an object in it.
fn json_body(request: Request) -> Answering<'static, Result<bytes::Bytes, Problem>> {
    Box::pin(async move {
        expect_media(request.headers(), "application/json")?;
        let bytes = body(request).await?;
        // A list would be read as an object's fields in their order, which is never meant.
        match bytes.trim_ascii_start().starts_with(b"[") {
            true => Err(Problem::field(".", "the body is an object with named fields, not a list")),
            false => Ok(bytes),
        }
    })
}

fn not_as_expected(error: serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let (field, inner) = (error.path().to_string(), error.inner());
    match inner.is_data() {
        true => Problem::field(name_of(&field, inner), inner.to_string()),
        false => Problem::unreadable(format!("the body is not JSON: {inner}")),
    }
}

/// A missing field is named by its message, any other by its place.
fn name_of(path: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    let missing = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match missing {
        Some(name) if path == "." => name.to_owned(),
        Some(name) => format!("{path}.{name}"),
        None => path.to_owned(),
    }
}

/// The fields of a form as they were sent.
pub(crate) struct FormPairs(pub(crate) Vec<(String, String)>);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let FormPairs(pairs) = form_pairs(request).await?;
        form_of(&pairs).map(Self)
    }
}

/// The fields of a plain form.
pub(crate) fn form_pairs(request: Request) -> Answering<'static, Result<FormPairs, Problem>> {
    form_pairs_within(request, limits::BODY_BYTES)
}

/// The same where more is expected.
pub(crate) fn form_pairs_within(
    request: Request,
    most: usize,
) -> Answering<'static, Result<FormPairs, Problem>> {
    Box::pin(async move {
        expect_media(request.headers(), "application/x-www-form-urlencoded")?;
        let bytes = body_within(request, most).await?;
        Ok(FormPairs(url::form_urlencoded::parse(&bytes).into_owned().collect()))
    })
}

/// What the fields of a form say.
pub(crate) fn form_of<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T, Problem> {
    let mut pairs = pairs.iter().map(|(name, value)| (name.into(), value.into()));
    from_object(object_of(&mut pairs, Empty::Absent)?)
}

/// Whether a body is a form with files.
pub(crate) fn is_multipart(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    multer::parse_boundary(media.unwrap_or_default()).is_ok()
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        // A form sends its empty fields too; a program that sends one means it.
        let empty = match parts.uri.path().starts_with("/api/") {
            true => Empty::Counts,
            false => Empty::Absent,
        };
        let mut pairs = url::form_urlencoded::parse(text.as_bytes());
        from_object(object_of(&mut pairs, empty)?).map(Self)
    }
}

/// What an empty value means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Empty {
    Counts,
    Absent,
}

/// Every value is a text here, so numbers and booleans are read from texts. Not generic, because it would be compiled
/// again for every type that is read.
fn object_of<'a>(
    pairs: &mut dyn Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    empty: Empty,
) -> Result<Value, Problem> {
    let mut map = serde_json::Map::new();
    for (name, value) in pairs {
        if value.is_empty() && empty == Empty::Absent {
            continue;
        }
        if value.contains('\0') {
            return Err(Problem::field(name.as_ref(), "a null character is not accepted"));
        }
        if map.contains_key(name.as_ref()) {
            return Err(Problem::field(name.as_ref(), format!("`{name}` is given twice")));
        }
        map.insert(name.into_owned(), Value::String(value.into_owned()));
    }
    Ok(Value::Object(map))
}

fn from_object<T: DeserializeOwned>(object: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(object).map_err(wrong_field)
}

fn wrong_field(error: serde_path_to_error::Error<serde_json::Error>) -> Problem {
    Problem::field(name_of(&error.path().to_string(), error.inner()), error.inner().to_string())
}

impl<S: Send + Sync> FromRequestParts<S> for Part {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(part) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::not_found("the address cannot be read"))?;
        if part.contains('\0') {
            return Err(Problem::not_found("a name cannot contain a null character"));
        }
        Ok(Self(part))
    }
}

fn expect_media(headers: &HeaderMap, expected: &str) -> Result<(), Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let bare = given.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if bare.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(Problem::media(format!("send the body as {expected}")))
}

/// The whole body, if it is small enough and comes soon enough.
pub(crate) fn body(request: Request) -> Answering<'static, Result<bytes::Bytes, Problem>> {
    body_within(request, limits::BODY_BYTES)
}

/// The same where more is expected.
pub(crate) fn body_within(
    request: Request,
    most: usize,
) -> Answering<'static, Result<bytes::Bytes, Problem>> {
    Box::pin(async move {
        let read = axum::body::to_bytes(request.into_body(), most);
        match tokio::time::timeout(limits::BODY_TIME, read).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) if is_too_large(&error) => {
                Err(Problem::too_large(format!("this request may have at most {most} bytes")))
            }
            Ok(Err(_)) => Err(Problem::unreadable("the body ended before its end")),
            Err(_) => Err(Problem::unreadable("the body did not come in time")),
        }
    })
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Numbers as they stand in a query: texts.
pub(crate) mod texts {
    use serde::{Deserialize, Deserializer, de::Error as _};

    /// A value that may be absent and is written as a text.
    pub(crate) fn optional<'de, D: Deserializer<'de>, T: std::str::FromStr>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error>
    where
        T::Err: std::fmt::Display,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.trim().parse::<T>().map_err(D::Error::custom)).transpose()
    }
}

/// Parts of a JSON body that are objects. What is derived also takes a list of the values.
pub(crate) mod objects {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer};
    use serde_json::{Map, Value};

    /// An object with names, and no list.
    pub(crate) fn named<'de, D: Deserializer<'de>, T: DeserializeOwned>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let object = Map::<String, Value>::deserialize(deserializer)?;
        T::deserialize(Value::Object(object)).map_err(D::Error::custom)
    }
}
