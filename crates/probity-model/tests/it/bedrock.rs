//! Bedrock: every maker's models in one protocol, asked with a key or with an account that signs.

use probity_core::Secret;
use probity_model::account::{Account, AwsKeys};
use probity_model::provider::Reach;
use probity_model::wire::Protocol;
use probity_model::{Model, ModelError, Request, Stop, ToolResult, Turn};
use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::{Value, json};

use crate::protocols::{calls, says};
use crate::reached::{KEY, ask, model, opened, request, shaped, tool};

const NAME: &str = "anthropic.claude-haiku-v1:0";

fn signing(base: &str) -> std::sync::Arc<dyn Model> {
    let account = Account::Aws(AwsKeys {
        id: "AKIDEXAMPLE".to_owned(),
        secret: Secret::new("planted-secret-5b1d"),
        session: Some(Secret::new("planted-session-77c0")),
        region: "eu-west-1".to_owned(),
    });
    let reach = Reach {
        base: base.parse().unwrap(),
        key: None,
        protocol: Protocol::Converse,
        concurrency: Some(1),
        account: Some(account),
    };
    opened(reach, NAME)
}

#[tokio::test]
async fn a_question_is_asked_with_a_key_and_answered_with_its_cost() {
    let body = says(Protocol::Converse, "An instrument maker.").to_string();
    let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
    let asked = Request { stream: true, ..request() };
    let reply = ask(&*model(Protocol::Converse, &api.url(), NAME), &asked).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("An instrument maker.", Stop::End));
    let tokens = reply.tokens;
    assert_eq!((tokens.input, tokens.cached, tokens.output, tokens.estimated), (15, 5, 7, false));
    let sent = &api.requests()[0];
    assert_eq!(sent.path, "/model/anthropic.claude-haiku-v1%3A0/converse");
    assert_eq!(sent.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let body = sent.json();
    assert_eq!(body["system"], json!([{"text": "Be brief."}]));
    assert_eq!(body["messages"][0]["content"][0]["text"], "What is a luthier?");
    assert!(body["inferenceConfig"]["maxTokens"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn an_account_signs_each_request_and_sends_no_secret() {
    let body = says(Protocol::Converse, "ok").to_string();
    let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
    ask(&*signing(&api.url()), &request()).await.unwrap();
    let sent = &api.requests()[0];
    let shown = sent.header("authorization").unwrap();
    assert!(shown.starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), "{shown}");
    assert!(shown.contains("/eu-west-1/bedrock/aws4_request, SignedHeaders=content-type;host;"));
    assert_eq!(sent.header("x-amz-security-token"), Some("planted-session-77c0"));
    assert_eq!(sent.header("x-amz-date").map(str::len), Some("20261115T100000Z".len()));
    let whole = format!("{shown}{}", String::from_utf8_lossy(&sent.body));
    assert!(!whole.contains("planted-secret"));
}

#[tokio::test]
async fn what_an_error_repeats_of_an_account_is_not_shown() {
    let said = json!({"message": "The token planted-session-77c0 is expired"}).to_string();
    let api = FakeApi::start(move |_| Answer::status(403).with_body(said.clone())).await;
    let error = ask(&*signing(&api.url()), &request()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorised { .. }), "{error}");
    assert!(error.to_string().contains("is expired"), "{error}");
    assert!(!error.to_string().contains("planted"), "{error}");
}

#[tokio::test]
async fn a_shape_is_the_one_tool_that_must_be_called() {
    let answer = json!({"queries": ["one", "two"]});
    let block = json!({"toolUse": {"toolUseId": "t", "name": "plan", "input": answer}});
    let body = json!({"output": {"message": {"content": [block]}}, "stopReason": "tool_use"});
    let api = FakeApi::start(move |_| Answer::json(body.to_string())).await;
    let reply = ask(&*model(Protocol::Converse, &api.url(), NAME), &shaped()).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&reply.text).unwrap(), answer);
    let sent = api.requests()[0].json();
    assert_eq!(sent["toolConfig"]["toolChoice"]["tool"]["name"], "plan");
    let schema = &sent["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"];
    assert_eq!(schema["required"], json!(["queries"]));
}

#[tokio::test]
async fn tools_are_offered_called_and_answered() {
    let (first, then) = (calls(Protocol::Converse), says(Protocol::Converse, "Done."));
    let api = FakeApi::start(move |sent| {
        let answered = String::from_utf8_lossy(&sent.body).contains("nothing found");
        Answer::json(if answered { then.to_string() } else { first.to_string() })
    })
    .await;
    let model = model(Protocol::Converse, &api.url(), NAME);
    let mut asked = Request { tools: vec![tool()], ..request() };
    let reply = ask(&*model, &asked).await.unwrap();
    assert_eq!((reply.stop, reply.calls.len()), (Stop::Tools, 2));
    let result = |id: &str| ToolResult {
        id: id.to_owned(),
        name: "search_web".to_owned(),
        text: "nothing found".to_owned(),
        is_error: true,
    };
    asked.turns.push(Turn::Model { text: reply.text.clone(), calls: reply.calls.clone() });
    asked.turns.push(Turn::Results(vec![result("t1"), result("t2")]));
    assert_eq!(ask(&*model, &asked).await.unwrap().text, "Done.");
    let sent = api.requests()[1].json();
    assert_eq!(sent["messages"][1]["content"][1]["toolUse"]["toolUseId"], "t1");
    assert_eq!(sent["messages"][2]["content"][1]["toolResult"]["status"], "error");
}

#[tokio::test]
async fn answers_that_are_cut_short_or_refused_say_so() {
    for (reason, stop) in [
        ("max_tokens", Stop::Length),
        ("guardrail_intervened", Stop::Refused),
        ("content_filtered", Stop::Refused),
        ("stop_sequence", Stop::End),
    ] {
        let mut body = says(Protocol::Converse, "Hm");
        body["stopReason"] = json!(reason);
        let api = FakeApi::start(move |_| Answer::json(body.to_string())).await;
        let reply = ask(&*model(Protocol::Converse, &api.url(), NAME), &request()).await.unwrap();
        assert_eq!(reply.stop, stop, "{reason}");
    }
    let odd = json!({"Output": {"__type": "x"}, "message": "no such operation"});
    let api = FakeApi::start(move |_| Answer::json(odd.to_string())).await;
    let error = ask(&*model(Protocol::Converse, &api.url(), NAME), &request()).await.unwrap_err();
    assert!(error.to_string().contains("no such operation"), "{error}");
}
