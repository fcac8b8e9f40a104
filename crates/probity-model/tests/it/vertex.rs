//! Vertex AI with a service account: its key signs for a token, which is had once and held.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use probity_model::account::{Account, ServiceAccount};
use probity_model::model_set::Assignment;
use probity_model::provider::Reach;
use probity_model::wire::Protocol;
use probity_model::{Limits, Model, ModelError, ModelSet, ModelSettings};
use probity_testkit::fake_api::{Answer, FakeApi, Request};
use probity_testkit::google;
use serde_json::json;

use crate::protocols::says;
use crate::reached::{ask, opened, request};

const TOKEN: &str = "ya29.planted-token";

/// A service account whose tokens are had at an address.
fn account(api: &FakeApi) -> ServiceAccount {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.json");
    std::fs::write(&file, google::key_file(&format!("{}/token", api.url())).to_string()).unwrap();
    ServiceAccount::read(&file).unwrap()
}

fn model(api: &FakeApi) -> Arc<dyn Model> {
    let reach = Reach {
        base: format!("{}/v1", api.url()).parse().unwrap(),
        key: None,
        protocol: Protocol::Chat,
        concurrency: Some(8),
        account: Some(Account::Google(account(api))),
    };
    opened(reach, "google/gemini")
}

/// An endpoint that grants tokens which are good for so many seconds, numbered, and a model behind it.
async fn granting(seconds: u64) -> FakeApi {
    let granted = AtomicUsize::new(0);
    let said = says(Protocol::Chat, "An instrument maker.").to_string();
    FakeApi::start(move |sent| match sent.path.as_str() {
        "/token" => {
            let number = granted.fetch_add(1, Ordering::SeqCst);
            let token = format!("{TOKEN}-{number}");
            Answer::json(json!({"access_token": token, "expires_in": seconds}).to_string())
        }
        _ => Answer::json(said.clone()),
    })
    .await
}

fn to(api: &FakeApi, path: &str) -> Vec<Request> {
    api.requests().into_iter().filter(|sent| sent.path == path).collect()
}

#[tokio::test]
async fn one_token_serves_calls_that_are_made_at_once_and_after_each_other() {
    let api = granting(3_600).await;
    let model = model(&api);
    let question = request();
    let at_once = (0..6).map(|_| ask(&*model, &question));
    for reply in futures::future::join_all(at_once).await {
        assert_eq!(reply.unwrap().text, "An instrument maker.");
    }
    ask(&*model, &question).await.unwrap();
    let exchanged = to(&api, "/token");
    assert_eq!(exchanged.len(), 1, "a token is had once");
    let form = exchanged[0].form();
    let value =
        |name: &str| form.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    assert_eq!(value("grant_type").as_deref(), Some("urn:ietf:params:oauth:grant-type:jwt-bearer"));
    let (_, claims) = google::signed(&value("assertion").unwrap()).expect("the key has signed it");
    assert_eq!(claims["aud"], format!("{}/token", api.url()));
    let asked = to(&api, "/v1/chat/completions");
    assert_eq!(asked.len(), 7);
    let shown = format!("Bearer {TOKEN}-0");
    assert!(asked.iter().all(|sent| sent.header("authorization") == Some(shown.as_str())));
    let sent = format!("{:?}", api.requests());
    assert!(!sent.contains("PRIVATE") && !sent.contains(google::PEM.lines().nth(1).unwrap()));
}

#[tokio::test]
async fn a_token_that_is_about_to_end_is_not_used_again() {
    let api = granting(30).await;
    let model = model(&api);
    for _ in 0..2 {
        ask(&*model, &request()).await.unwrap();
    }
    assert_eq!(to(&api, "/token").len(), 2);
    let last = to(&api, "/v1/chat/completions").pop().unwrap();
    assert_eq!(last.header("authorization"), Some(format!("Bearer {TOKEN}-1").as_str()));
}

#[tokio::test]
async fn a_token_that_is_refused_is_not_shown_and_not_used_again() {
    let api = FakeApi::start(|sent| match (sent.path.as_str(), sent.header("authorization")) {
        ("/token", _) => {
            Answer::json(json!({"access_token": TOKEN, "expires_in": 3_600}).to_string())
        }
        (_, shown) => {
            let said =
                json!({"error": {"message": format!("{} was revoked", shown.unwrap_or(""))}});
            Answer::status(401).with_body(said.to_string())
        }
    })
    .await;
    let model = model(&api);
    for _ in 0..2 {
        let error = ask(&*model, &request()).await.unwrap_err();
        assert!(matches!(error, ModelError::Unauthorised { status: 401, .. }), "{error}");
        assert!(error.to_string().contains("was revoked"), "{error}");
        assert!(!error.to_string().contains(TOKEN), "{error}");
    }
    assert_eq!(to(&api, "/token").len(), 2);
}

#[tokio::test]
async fn an_account_that_is_refused_says_so_and_its_assertion_is_not_shown() {
    let api = FakeApi::start(|sent| {
        let assertion = sent.form().into_iter().find(|(key, _)| key == "assertion").unwrap().1;
        let why = format!("Invalid JWT signature: {assertion}");
        Answer::status(400)
            .with_body(json!({"error": "invalid_grant", "error_description": why}).to_string())
    })
    .await;
    let error = ask(&*model(&api), &request()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorised { status: 400, .. }), "{error}");
    assert!(error.to_string().contains("Invalid JWT signature"), "{error}");
    assert!(!error.to_string().contains("eyJ"), "{error}");
    assert!(to(&api, "/v1/chat/completions").is_empty(), "nobody is asked without a token");
}

#[tokio::test]
async fn an_endpoint_that_is_busy_is_asked_again_and_one_that_grants_nothing_is_not() {
    let tried = AtomicUsize::new(0);
    let said = says(Protocol::Chat, "ok").to_string();
    let api = FakeApi::start(move |sent| match sent.path.as_str() {
        "/token" if tried.fetch_add(1, Ordering::SeqCst) == 0 => Answer::status(503),
        "/token" => Answer::json(json!({"access_token": TOKEN, "expires_in": 3_600}).to_string()),
        _ => Answer::json(said.clone()),
    })
    .await;
    assert_eq!(ask(&*model(&api), &request()).await.unwrap().text, "ok");
    let api = FakeApi::start(|_| Answer::json("{\"id_token\": \"x\"}")).await;
    let error = ask(&*model(&api), &request()).await.unwrap_err();
    assert!(error.to_string().contains("no access token was granted"), "{error}");
}

/// Opens Vertex AI as the environment says.
fn open(variables: &[(&str, &str)]) -> Result<(), String> {
    let mut settings = ModelSettings::default();
    let found = |name: &str| variables.iter().find(|(key, _)| *key == name);
    settings.take_environment(|name| found(name).map(|(_, value)| (*value).to_owned())).unwrap();
    let choice = "vertex:google/gemini".parse().unwrap();
    let assignment = Assignment::make(&settings, Some(&choice), None).unwrap().unwrap();
    let opened = ModelSet::open(&assignment, &settings, Limits::default());
    opened.map(drop).map_err(|error| error.to_string())
}

#[test]
fn the_environment_names_account_and_place_and_what_is_wrong_is_reported_when_vertex_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let good =
        write("good.json", &google::key_file("https://oauth2.googleapis.com/token").to_string());
    let named = ("GOOGLE_APPLICATION_CREDENTIALS", good.as_str());
    open(&[named, ("GOOGLE_CLOUD_LOCATION", "europe-west4")]).unwrap();
    open(&[
        ("VERTEX_ACCESS_TOKEN", "a-token-of-mine"),
        ("GOOGLE_CLOUD_PROJECT", "ellery"),
        ("GOOGLE_CLOUD_LOCATION", "global"),
    ])
    .unwrap();
    assert!(open(&[named]).unwrap_err().contains("needs an address"));
    assert!(
        open(&[named, ("GOOGLE_CLOUD_LOCATION", "a/../b")])
            .unwrap_err()
            .contains("needs an address")
    );
    let place = ("GOOGLE_CLOUD_LOCATION", "us-central1");
    let project = ("GOOGLE_CLOUD_PROJECT", "ellery");
    assert!(open(&[project, place]).unwrap_err().contains("needs a key"));
    let user =
        write("user.json", "{\"type\": \"authorized_user\", \"refresh_token\": \"planted\"}");
    let error = open(&[("GOOGLE_APPLICATION_CREDENTIALS", &user), project, place]).unwrap_err();
    assert!(
        error.contains("of the type `authorized_user`") && error.contains("user.json"),
        "{error}"
    );
    let nowhere = Path::new("/nowhere/key.json").display().to_string();
    let error = open(&[("GOOGLE_APPLICATION_CREDENTIALS", &nowhere), project, place]).unwrap_err();
    assert!(error.contains("/nowhere/key.json"), "{error}");
}
