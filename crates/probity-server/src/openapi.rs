//! The API's document (OpenAPI 3.1), made from the table of routes and their handlers.

pub(crate) mod report;

use std::sync::LazyLock;

use serde_json::{Value, json};
use utoipa::OpenApi as _;

use crate::access::Access;
use crate::api::Reply;
use crate::routes::{self, Side};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = serde_json::to_value(routes::Api::openapi()).unwrap_or_default();
    put(&mut document, "/info", "version", json!(env!("CARGO_PKG_VERSION")));
    let schemes = json!({ "token": { "type": "http", "scheme": "bearer" } });
    put(&mut document, "/components", "securitySchemes", schemes);
    for (name, schema) in report::schemas() {
        put(&mut document, "/components/schemas", &name, schema);
    }
    for line in routes::lines().iter().filter(|line| line.side == Side::Api) {
        let method = line.method.as_str().to_lowercase();
        let path = document.get_mut("paths").and_then(|paths| paths.get_mut(line.path));
        let Some(operation) = path.and_then(|path| path.get_mut(&method)) else { continue };
        put(operation, "", "operationId", json!(operation_id(&method, line.path)));
        complete(operation, line.access);
    }
    document
});

/// What a client generated from the document calls an operation: its method and its address, which no two
/// share. `GET /api/runs/{id}/events` is `get_runs_by_id_events`.
fn operation_id(method: &str, path: &str) -> String {
    let parts = path.split('/').filter(|part| !part.is_empty() && *part != "api");
    let parts = parts.map(|part| match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
        Some(name) => format!("_by_{name}"),
        None => format!("_{}", part.split('.').next().unwrap_or(part)),
    });
    parts.fold(method.to_owned(), |id, part| id + &part.replace('-', "_"))
}

/// What every operation has: who may call it, and how it says that something is wrong.
fn complete(operation: &mut Value, access: Access) {
    let problem = json!({
        "description": "A problem document.",
        "content": { "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" } } },
    });
    // What comes back is what the operation is for, where nothing more is said of it.
    let summary = operation.get("summary").cloned().unwrap_or(json!("What was asked for."));
    if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
        for response in responses.values_mut().filter_map(Value::as_object_mut) {
            response.entry("description").or_insert(summary.clone());
        }
    }
    for class in ["4XX", "5XX"] {
        put(operation, "/responses", class, problem.clone());
    }
    let security = match access {
        Access::Anyone => json!([]),
        // Where the door is open, no token is needed.
        Access::Needs(scope) => {
            let description =
                operation.get("description").and_then(Value::as_str).unwrap_or_default();
            let description = format!("{description} Needs the scope `{}`.", scope.as_str());
            put(operation, "", "description", json!(description.trim()));
            json!([{ "token": [] }, {}])
        }
    };
    put(operation, "", "security", security);
}

/// Puts a value into the object at a place of a document, which every place here is.
fn put(document: &mut Value, place: &str, name: &str, value: Value) {
    if let Some(object) = document.pointer_mut(place).and_then(Value::as_object_mut) {
        object.insert(name.to_owned(), value);
    }
}

/// The API's document.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "server",
    responses((status = 200, description = "The document", body = Object)))]
pub(crate) async fn show() -> Reply {
    Ok(crate::api::json(document()))
}
