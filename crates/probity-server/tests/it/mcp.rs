//! MCP at its address: sessions, scopes, doors, bounds; and over pipes.

use http::{Method, StatusCode};
use probity_server::converse;
use probity_store::access::Role;
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};

use crate::newsroom::FERRY;
use crate::place::{Call, Place, RUN, get, post};

fn message(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn send(message: &Value) -> Call {
    post("/mcp", message).with("accept", "application/json, text/event-stream")
}

/// Opens a session and gives its id.
pub(crate) async fn open(place: &Place, token: &str) -> String {
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } });
    let answer = place.call(send(&message(1, "initialize", hello)).token(token)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(answer.text.contains("\"protocolVersion\":\"2025-06-18\""), "{}", answer.text);
    let session = answer.header("mcp-session-id").to_owned();
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let begun = send(&begun).token(token).with("mcp-session-id", &session);
    assert_eq!(place.call(begun).await.status, StatusCode::ACCEPTED);
    session
}

/// Calls a tool in a session and gives its result.
pub(crate) async fn tool(
    place: &Place,
    token: &str,
    session: &str,
    name: &str,
    arguments: Value,
) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    let call = send(&message(2, "tools/call", params)).token(token);
    let answer = place.call(call.with("mcp-session-id", session)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let data = answer.text.lines().filter_map(|line| line.strip_prefix("data: "));
    let said: Vec<Value> = data.filter_map(|text| serde_json::from_str(text).ok()).collect();
    let answer = said.iter().find(|said| said["id"] == 2);
    answer.unwrap_or_else(|| panic!("no answer in {said:?}"))["result"].clone()
}

#[tokio::test]
async fn a_tool_is_called_with_the_scopes_of_whoever_calls() {
    let place = Place::locked().await;
    let reader = place.token("rita", "read").await;
    let session = open(&place, &reader).await;
    let report = tool(&place, &reader, &session, "get_report", json!({ "run_id": RUN })).await;
    assert_eq!(report["isError"], false, "{report}");
    let text = report["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("## Methodology"), "{text}");
    assert!(report.get("structuredContent").is_none(), "a report is sent once");
    let asked = json!({ "question": "How loud may music be at night?" });
    for name in ["research", "fact_check"] {
        let arguments = if name == "research" { asked.clone() } else { json!({ "text": "x" }) };
        let refused = tool(&place, &reader, &session, name, arguments).await;
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(refused.to_string().contains("scope `research`"), "{refused}");
    }
    // Another caller does not get more by knowing the session.
    let editor = place.token("edith", "read,research,ledger,admin").await;
    let other = tool(&place, &editor, &session, "fact_check", json!({ "text": "Hm?" })).await;
    assert!(other.to_string().contains("states nothing"), "{other}");
}

#[tokio::test]
async fn an_outlet_is_explained_alike_to_agents_to_programs_and_to_people() {
    let place = Place::locked().await;
    let reader = place.token("rita", "read").await;
    let session = open(&place, &reader).await;
    let (cookie, _) = place.log_in("rosa", Role::Reader).await;
    for (domain, kind, differs) in [
        ("rt.com", Some("state-controlled media"), true),
        ("harborgazette.com", None, true),
        ("reuters.com", Some("news agency"), false),
    ] {
        let history =
            tool(&place, &reader, &session, "outlet_history", json!({ "outlet": domain }));
        let history = history.await["structuredContent"].clone();
        let shown = get(&format!("/api/outlets/{domain}")).token(&reader);
        let shown = place.call(shown).await.json();
        assert_eq!(history["research"], shown["research"], "{history}");
        assert_eq!(history["difference"], shown["difference"]);
        assert_eq!(shown["difference"].is_string(), differs, "{shown}");
        assert_eq!(shown["research"]["kind"].as_str(), kind, "{shown}");
        let parts = shown["research"]["parts"].as_array().unwrap();
        let number = |part: &Value, name: &str| part[name].as_f64().unwrap();
        let sum: f64 = parts.iter().map(|p| number(p, "value") * number(p, "weight")).sum();
        assert!((sum - number(&shown["research"], "authority")).abs() < 1e-9, "{shown}");
        let page = place.call(get(&format!("/outlets/{domain}")).with("cookie", &cookie)).await;
        let page = page.text;
        assert!(page.contains(shown["research"]["explanation"].as_str().unwrap()), "{page}");
        assert_eq!(page.contains("Why they differ"), differs, "{page}");
        assert!(kind.is_none_or(|kind| page.contains(&format!("<dd>{kind}</dd>"))), "{page}");
    }
}

#[tokio::test]
async fn the_address_speaks_the_protocol_and_refuses_the_rest() {
    let place = Place::open().await;
    let plain = place.call(post("/mcp", &json!({}))).await;
    assert_eq!(plain.status, StatusCode::NOT_ACCEPTABLE);
    let unknown = message(3, "tools/list", json!({}));
    let unknown = place.call(send(&unknown).with("mcp-session-id", "guessed")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let large = "x".repeat(300_000);
    let large = send(&message(4, "tools/call", json!({ "name": large })));
    assert_eq!(place.call(large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let ended = Call::new(Method::DELETE, "/mcp").with("mcp-session-id", "guessed");
    assert!(!place.call(ended).await.status.is_server_error());
    let foreign = send(&message(5, "initialize", json!({}))).with("origin", "http://evil.example");
    assert_eq!(place.call(foreign).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_stateless_request_needs_no_session() {
    let place = Place::open().await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "list_runs", "arguments": {}, "_meta": meta });
    let call = send(&message(6, "tools/call", params))
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", "tools/call")
        .with("mcp-name", "list_runs");
    let answer = place.call(call).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(answer.text.contains(RUN), "{}", answer.text);
    assert_eq!(answer.header("mcp-session-id"), "");
}

#[tokio::test]
async fn pipes_end_with_their_client() {
    let place = Place::open().await;
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    let never = std::future::pending::<()>();
    let talk = tokio::spawn(converse(place.server.clone(), read, write, never));
    let client = ().serve(theirs).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 13);
    let resources = client.list_all_resources().await.unwrap();
    let uris: Vec<&str> = resources.iter().map(|resource| resource.uri.as_str()).collect();
    assert!(uris.contains(&format!("probity://reports/{RUN}").as_str()), "{uris:?}");
    assert!(uris.contains(&"probity://outlets/reuters.com"), "{uris:?}");
    let call = CallToolRequestParams::new("code_source");
    assert!(client.call_tool(call).await.is_err(), "coding is off by default");
    client.cancel().await.unwrap();
    talk.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_check_is_refused_before_anything_is_asked() {
    let place = Place::open().await;
    for (body, status) in [
        (json!({ "text": "Why?" }), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "text": "x".repeat(201_000) }), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({}), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "text": "It rains.", "path": "/etc/passwd" }), StatusCode::UNPROCESSABLE_ENTITY),
        (
            json!({ "text": "It rained on Monday.", "search": "nowhere" }),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
    ] {
        let answer = place.call(post("/api/check", &body)).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
}

#[tokio::test]
async fn topics_come_with_who_speaks_and_no_more_text_than_is_needed() {
    let place = Place::locked().await;
    let long = "word ".repeat(2_000);
    let mut articles = FERRY;
    articles[2].2 = &long;
    place.ingest("Local", &articles).await;
    let editor = place.token("edith", "read,ledger").await;
    let body = json!({ "name": "Harbour", "description": "Ferries", "keywords": ["ferry"] });
    let added = place.call(post("/api/categories", &body).token(&editor)).await;
    assert!(added.status.is_success(), "{}", added.text);
    let turn = Call::new(Method::POST, "/api/topics/consolidate").token(&editor);
    assert!(place.call(turn).await.status.is_success());

    let reader = place.token("rita", "read").await;
    let session = open(&place, &reader).await;
    let ask =
        async |arguments: Value| tool(&place, &reader, &session, "news_topics", arguments).await;
    let all = ask(json!({ "since": "7d" })).await;
    let topics = all["structuredContent"]["topics"].as_array().unwrap();
    assert_eq!(topics.len(), 2, "{all}");
    assert!(all.to_string().len() < 6_000, "{} bytes", all.to_string().len());
    let ferry = ask(json!({ "category": "Harbour", "limit": 1 })).await;
    let first = &ferry["structuredContent"]["topics"][0];
    assert_eq!(first["representative"]["outlet"], "reuters.com", "{ferry}");
    assert_eq!(first["also"], json!(["gazette.example"]));
    assert!(ferry["content"][0]["text"].as_str().unwrap().contains("0.92 primary or top-tier"));
    for wrong in [
        json!({ "category": "nowhere" }),
        json!({ "since": "soon" }),
        json!({ "limit": 51 }),
        json!({ "path": "/etc/passwd" }),
    ] {
        assert_eq!(ask(wrong.clone()).await["isError"], true, "{wrong}");
    }
}
