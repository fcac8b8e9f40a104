//! The API's document as a page, without anything from elsewhere.

use askama::Template;
use axum::extract::State;
use serde_json::Value;

use super::{Frame, Tab, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::openapi;
use crate::state::Server;

struct Field {
    name: String,
    place: String,
    kind: String,
    words: String,
}

struct Operation {
    method: String,
    path: String,
    summary: String,
    words: String,
    fields: Vec<Field>,
    body: Option<String>,
    gives: String,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage {
    frame: Frame,
    operations: Vec<Operation>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What a schema is called, or what it is.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().map(text).collect::<Vec<_>>().join(" or "),
        _ => "value".to_owned(),
    }
}

fn content(value: &Value) -> Option<String> {
    let content = value["content"].as_object()?;
    let kinds = content.iter().map(|(media, inner)| match media.as_str() {
        "application/json" => kind(&inner["schema"]),
        media => media.to_owned(),
    });
    Some(kinds.collect::<Vec<_>>().join(", "))
}

fn operation(path: &str, method: &str, value: &Value) -> Operation {
    let parameters = value["parameters"].as_array().cloned().unwrap_or_default();
    let success = value["responses"].as_object().into_iter().flatten();
    let success = success.filter(|(status, _)| status.starts_with('2')).map(|(status, inner)| {
        format!("{status} {}", content(inner).unwrap_or_else(|| text(&inner["description"])))
    });
    Operation {
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&value["summary"]),
        words: text(&value["description"]),
        fields: parameters
            .iter()
            .map(|field| Field {
                name: text(&field["name"]),
                place: text(&field["in"]),
                kind: kind(&field["schema"]),
                words: text(&field["description"]),
            })
            .collect(),
        body: content(&value["requestBody"]),
        gives: success.collect::<Vec<_>>().join("; "),
    }
}

/// `GET /reference`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    let paths = openapi::document()["paths"].as_object();
    let operations = paths.into_iter().flatten().flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(|(method, value)| operation(path, method, value)).collect::<Vec<_>>()
    });
    page(&ReferencePage {
        frame: Frame::new(&server, &caller, "API", Tab::None),
        operations: operations.collect(),
    })
}
