//! Log-in at a provider on the loopback address: what is sent, what is believed, what is refused.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use probity_core::{Secret, SignOnAnswer, SignOnSecrets, Timestamp, WebUrl};
use probity_testkit::fake_api::{Answer as Reply, FakeApi, Request};
use probity_testkit::sign::Signer;
use probity_web::fetch::{AllowedHost, FetchSettings};
use probity_web::oidc::{Claims, Provider, ProviderSettings, SignOnError, TokenError};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp(1_794_744_000_000);
const SECRET: &str = "planted-oidc-secret-0123456789";
const DISCOVERY: &str = "/.well-known/openid-configuration";
const BEGIN: SignOnSecrets<'static> = SignOnSecrets {
    state: "s-1",
    nonce: "n-1",
    verifier: "a-verifier-of-forty-three-characters-or-more",
    redirect: "https://probity.example/login/oidc/callback",
};

/// What a provider answers, by path; changed while it runs.
type Script = Arc<Mutex<Box<dyn Fn(&str, &Request) -> Option<Reply> + Send>>>;

/// A provider on the loopback address.
struct Fake {
    api: FakeApi,
    signer: Arc<Signer>,
    script: Script,
}

fn discovery(url: &str) -> Value {
    json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize?tenant=1"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/keys"),
        "end_session_endpoint": format!("{url}/leave"),
        "code_challenge_methods_supported": ["plain", "S256"],
    })
}

fn claims(url: &str) -> Value {
    let now = NOW.0 / 1_000;
    json!({ "iss": url, "aud": "probity", "sub": "ada-1", "nonce": "n-1", "iat": now,
            "exp": now + 300, "email": "ada@example.org", "email_verified": true })
}

fn tokens(id_token: &str) -> Reply {
    Reply::json(json!({ "id_token": id_token, "access_token": "at-1" }).to_string())
}

impl Fake {
    async fn start() -> Self {
        let signer = Arc::new(Signer::ecdsa("one"));
        let script: Script = Arc::new(Mutex::new(Box::new(|_, _| None)));
        let (signs, scripted) = (Arc::clone(&signer), Arc::clone(&script));
        let api = FakeApi::start(move |request| {
            let url = format!("http://{}", request.header("host").unwrap());
            if let Some(reply) = scripted.lock().unwrap()(&url, request) {
                return reply;
            }
            match request.path.as_str() {
                DISCOVERY => Reply::json(discovery(&url).to_string()),
                "/keys" => Reply::json(signs.keys().to_string()),
                "/token" => tokens(&signs.token(&claims(&url))),
                _ => Reply::status(404),
            }
        })
        .await;
        Self { api, signer, script }
    }

    /// Answers so from now on where it answers at all.
    fn answer(&self, script: impl Fn(&str, &Request) -> Option<Reply> + Send + 'static) {
        *self.script.lock().unwrap() = Box::new(script);
    }

    /// Answers one path so from now on.
    fn at(&self, path: &'static str, reply: impl Fn(&str) -> Reply + Send + 'static) {
        self.answer(move |url, request| (request.path == path).then(|| reply(url)));
    }

    fn host(&self) -> String {
        self.api.url().trim_start_matches("http://").to_owned()
    }

    fn provider(&self) -> Provider {
        provider(&self.api.url(), &[&self.host()], &[])
    }

    fn count(&self, path: &str) -> usize {
        self.api.requests().iter().filter(|request| request.path == path).count()
    }
}

fn provider(issuer: &str, open: &[&str], wanted: &[&str]) -> Provider {
    let settings = ProviderSettings {
        issuer: WebUrl::parse(issuer).unwrap(),
        client_id: "probity".to_owned(),
        client_secret: Some(Secret::new(SECRET)),
        scopes: "openid email".to_owned(),
        wanted: wanted.iter().map(|name| (*name).to_owned()).collect(),
    };
    let allow_hosts = open.iter().map(|host| host.parse::<AllowedHost>().unwrap()).collect();
    Provider::new(settings, &FetchSettings { allow_hosts, ..FetchSettings::default() }).unwrap()
}

async fn finish(provider: &Provider) -> Result<(String, Claims), SignOnError> {
    finish_as(provider, None).await
}

async fn finish_as(
    provider: &Provider,
    issuer: Option<&str>,
) -> Result<(String, Claims), SignOnError> {
    provider.finish(SignOnAnswer { code: "c-1", issuer }, BEGIN, NOW).await
}

#[tokio::test]
async fn a_log_in_proves_who_began_it_and_sends_the_secret_to_the_token_endpoint_alone() {
    let fake = Fake::start().await;
    let provider = fake.provider();
    let address = url::Url::parse(&provider.begin(BEGIN).await.unwrap()).unwrap();
    let sent = |name: &str| {
        let found = address.query_pairs().find(|(known, _)| known == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    assert_eq!(address.path(), "/authorize");
    assert_eq!((sent("tenant"), sent("response_type")), ("1".to_owned(), "code".to_owned()));
    assert_eq!((sent("state"), sent("nonce")), ("s-1".to_owned(), "n-1".to_owned()));
    assert_eq!(sent("redirect_uri"), BEGIN.redirect);
    assert_eq!(sent("code_challenge_method"), "S256");
    // The hash of the verifier, as anyone can compute it: not the verifier.
    assert_eq!(sent("code_challenge").len(), 43);
    assert!(!address.as_str().contains(BEGIN.verifier) && !address.as_str().contains(SECRET));

    let (issuer, claims) = finish(&provider).await.unwrap();
    assert_eq!((issuer, claims.subject()), (fake.api.url(), "ada-1"));
    let requests = fake.api.requests();
    let token = requests.iter().find(|request| request.path == "/token").unwrap();
    let form = token.form();
    for (name, value) in [
        ("grant_type", "authorization_code"),
        ("code", "c-1"),
        ("redirect_uri", BEGIN.redirect),
        ("code_verifier", BEGIN.verifier),
    ] {
        assert!(form.contains(&(name.to_owned(), value.to_owned())), "{name}: {form:?}");
    }
    assert!(token.header("authorization").unwrap().starts_with("Basic "), "{token:?}");
    for other in requests.iter().filter(|request| request.path != "/token") {
        assert_eq!(other.header("authorization"), None, "{other:?}");
    }
    assert_eq!(fake.count(DISCOVERY), 1, "what a provider says of itself is kept");
    let leave = provider.leave("https://probity.example/login").await.unwrap();
    assert!(leave.contains("/leave?client_id=probity&post_logout_redirect_uri=https"), "{leave}");
}

#[tokio::test]
async fn a_token_that_is_not_for_this_log_in_lets_nobody_in() {
    let fake = Fake::start().await;
    let (now, other) = (NOW.0 / 1_000, Signer::ecdsa("one"));
    let signer = Arc::clone(&fake.signer);
    let with = |name: &str, value: Value| {
        let mut said = claims(&fake.api.url());
        said[name] = value;
        signer.token(&said)
    };
    let ours = claims(&fake.api.url());
    let unsigned = signer.sign(&json!({ "alg": "none" }), &ours);
    let unsigned = format!("{}.", unsigned.rsplit_once('.').unwrap().0);
    for (what, token, error) in [
        ("alg none", unsigned, TokenError::Algorithm),
        ("HS256 with the public key", signer.forge_with_public_key(&ours), TokenError::Algorithm),
        ("another's key", other.token(&ours), TokenError::Signature),
        ("iss", with("iss", json!("https://id.example")), TokenError::Issuer),
        ("aud", with("aud", json!("another")), TokenError::Audience),
        ("azp", with("azp", json!("another")), TokenError::Audience),
        ("nonce", with("nonce", json!("n-2")), TokenError::Nonce),
        ("expired", with("exp", json!(now - 120)), TokenError::Time),
        ("from the future", with("iat", json!(now + 120)), TokenError::Time),
        ("no token at all", "x".to_owned(), TokenError::Unreadable),
    ] {
        fake.at("/token", move |_| tokens(&token));
        let refused = finish(&fake.provider()).await.unwrap_err();
        assert_eq!(refused, SignOnError::Token(error), "{what}");
    }
    fake.at("/token", |_| Reply::json("{}"));
    let nothing = finish(&fake.provider()).await.unwrap_err();
    assert!(matches!(nothing, SignOnError::Refused(_)), "{nothing}");
}

#[tokio::test]
async fn a_code_that_was_used_is_refused_without_the_secret_being_shown() {
    let fake = Fake::start().await;
    fake.at("/token", |_| {
        let said = json!({ "error": format!("invalid_grant {SECRET}\u{1b}[31m") });
        Reply::status(400).with_body(said.to_string())
    });
    let refused = finish(&fake.provider()).await.unwrap_err().to_string();
    assert!(refused.contains("invalid_grant"), "{refused}");
    assert!(!refused.contains(SECRET) && !refused.contains('\u{1b}'), "{refused}");
}

#[tokio::test]
async fn an_answer_of_another_provider_is_not_believed() {
    let fake = Fake::start().await;
    let provider = fake.provider();
    let mixed = finish_as(&provider, Some("https://evil.example")).await;
    assert_eq!(mixed.unwrap_err(), SignOnError::MixedUp);
    assert_eq!(fake.count("/token"), 0, "its code is shown to nobody");
    assert!(finish_as(&provider, Some(&fake.api.url())).await.is_ok());
    fake.answer(|url, request| {
        let mut said = discovery(url);
        said["authorization_response_iss_parameter_supported"] = json!(true);
        (request.path == DISCOVERY).then(|| Reply::json(said.to_string()))
    });
    assert_eq!(finish(&fake.provider()).await.unwrap_err(), SignOnError::MixedUp, "it always says");
    fake.at(DISCOVERY, |url| {
        let mut said = discovery(url);
        said["issuer"] = json!("https://evil.example");
        Reply::json(said.to_string())
    });
    let refused = fake.provider().begin(BEGIN).await.unwrap_err().to_string();
    assert!(refused.contains("it calls itself https://evil.example"), "{refused}");
}

#[tokio::test]
async fn keys_are_asked_for_again_once_a_minute_and_no_more() {
    let fake = Fake::start().await;
    let provider = fake.provider();
    assert!(finish(&provider).await.is_ok());
    assert!(finish(&provider).await.is_ok());
    assert_eq!(fake.count("/keys"), 1, "keys are kept");
    let fresh = Arc::new(Signer::ecdsa("two"));
    let signs = Arc::clone(&fresh);
    fake.answer(move |url, request| {
        (request.path == "/token").then(|| tokens(&signs.token(&claims(url))))
    });
    for _ in 0..3 {
        let unknown = finish(&provider).await.unwrap_err();
        assert_eq!(unknown, SignOnError::Token(TokenError::UnknownKey));
    }
    assert_eq!(fake.count("/keys"), 1, "they came a moment ago");
    let signs = Arc::clone(&fresh);
    fake.answer(move |url, request| match request.path.as_str() {
        "/token" => Some(tokens(&signs.token(&claims(url)))),
        "/keys" => Some(Reply::json(signs.keys().to_string())),
        _ => None,
    });
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    assert!(finish(&provider).await.is_ok(), "the provider changed its keys");
    assert_eq!(fake.count("/keys"), 2);
}

#[tokio::test]
async fn what_the_token_lacks_is_looked_up_and_is_about_the_same_person() {
    let fake = Fake::start().await;
    let lookup = |subject: &'static str| {
        move |url: &str, request: &Request| match request.path.as_str() {
            DISCOVERY => {
                let mut said = discovery(url);
                said["userinfo_endpoint"] = json!(format!("{url}/me"));
                Some(Reply::json(said.to_string()))
            }
            "/me" if request.header("authorization") == Some("Bearer at-1") => {
                let said =
                    json!({ "sub": subject, "groups": ["news"], "email": "eve@evil.example" });
                Some(Reply::json(said.to_string()))
            }
            _ => None,
        }
    };
    fake.answer(lookup("ada-1"));
    let of = |wanted: &[&str]| provider(&fake.api.url(), &[&fake.host()], wanted);
    let (_, said) = finish(&of(&["email"])).await.unwrap();
    assert_eq!((fake.count("/me"), said.get("groups")), (0, None), "nothing is missing");
    let (_, said) = finish(&of(&["email", "groups"])).await.unwrap();
    assert_eq!(said.get("groups"), Some(&json!(["news"])));
    assert_eq!(said.verified_email(), Some("ada@example.org"), "the signed word counts");
    fake.answer(lookup("eve-1"));
    let other = finish(&of(&["groups"])).await.unwrap_err();
    assert!(other.to_string().contains("another person"), "{other}");
}

#[tokio::test]
async fn a_provider_is_reached_only_where_the_guard_lets_anybody() {
    let fake = Fake::start().await;
    let shut = provider(&fake.api.url(), &[], &[]);
    let refused = shut.begin(BEGIN).await.unwrap_err().to_string();
    assert!(
        refused.contains("is not a public address") && refused.contains("allow_hosts"),
        "{refused}"
    );
    for issuer in [
        "http://169.254.169.254/latest/meta-data",
        "https://169.254.169.254/",
        "https://[fd00:ec2::254]/",
        "https://localhost/",
        "https://2130706433/",
        "http://id.example/",
    ] {
        let refused = provider(issuer, &[], &[]).begin(BEGIN).await.unwrap_err();
        let refused = refused.to_string();
        let why = ["is not a public address", "not https", "which is not public"];
        assert!(why.iter().any(|why| refused.contains(why)), "{issuer}: {refused}");
    }
    assert!(fake.api.requests().is_empty(), "nobody came");

    // A document that leads inside is as good as an issuer that does.
    let trap = TcpListener::bind("127.0.0.1:0").unwrap();
    let inside = format!("http://{}", trap.local_addr().unwrap());
    for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        for inside in [inside.clone(), "http://169.254.169.254/x".to_owned()] {
            fake.at(DISCOVERY, move |url| {
                let mut said = discovery(url);
                said[name] = json!(inside);
                Reply::json(said.to_string())
            });
            let provider = fake.provider();
            let led = match provider.begin(BEGIN).await {
                Ok(_) => finish(&provider).await.unwrap_err(),
                Err(error) => error,
            };
            assert!(led.to_string().contains("is not a public address"), "{name}: {led}");
        }
    }
    trap.set_nonblocking(true).unwrap();
    assert!(trap.accept().is_err(), "nobody came");
}

#[tokio::test]
async fn documents_that_are_too_large_broken_or_elsewhere_are_refused() {
    let fake = Fake::start().await;
    let elsewhere = format!("{}/other", fake.api.url());
    type Replying = Box<dyn Fn() -> Reply + Send>;
    let replies: [(&str, Replying); 6] = [
        ("larger than", Box::new(|| Reply::json(vec![b' '; 600 * 1024]))),
        ("no document that can be read", Box::new(|| Reply::ok("text/html", "<html>"))),
        ("missing field", Box::new(|| Reply::json("{}"))),
        ("status 500", Box::new(|| Reply::status(500))),
        ("redirect", Box::new(move || Reply::status(302).with_header("location", &elsewhere))),
        ("cannot be asked", Box::new(|| Reply::Cut { body: b"{".to_vec() })),
    ];
    for (says, reply) in replies {
        fake.at(DISCOVERY, move |_| reply());
        let refused = fake.provider().begin(BEGIN).await.unwrap_err().to_string();
        assert!(refused.contains(says), "{says}: {refused}");
    }
    assert_eq!(fake.count("/other"), 0, "no redirect is followed");
    for (name, value, says) in [
        ("code_challenge_methods_supported", json!(["plain"]), "PKCE"),
        ("id_token_signing_alg_values_supported", json!(["HS256", "none"]), "signs ID tokens"),
    ] {
        fake.at(DISCOVERY, move |url| {
            let mut said = discovery(url);
            said[name] = value.clone();
            Reply::json(said.to_string())
        });
        let refused = fake.provider().begin(BEGIN).await.unwrap_err().to_string();
        assert!(refused.contains(says), "{says}: {refused}");
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_left_alone_for_a_moment_and_a_slow_one_is_given_up() {
    let fake = Fake::start().await;
    fake.at(DISCOVERY, |_| Reply::status(503));
    let provider = fake.provider();
    for _ in 0..5 {
        assert!(provider.begin(BEGIN).await.is_err());
    }
    assert_eq!(fake.count(DISCOVERY), 1);
    assert_eq!(provider.leave("https://probity.example/login").await, None);
    fake.answer(|_, _| None);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(6)).await;
    tokio::time::resume();
    assert!(provider.begin(BEGIN).await.is_ok(), "it came back");
    assert_eq!(provider.probe().await, Ok(1));

    fake.at("/token", |_| Reply::Silence);
    let settings = ProviderSettings {
        issuer: WebUrl::parse(&fake.api.url()).unwrap(),
        client_id: "probity".to_owned(),
        client_secret: None,
        scopes: "openid".to_owned(),
        wanted: Vec::new(),
    };
    let allow_hosts = vec![fake.host().parse::<AllowedHost>().unwrap()];
    // A short time for pages is a short time here, so that the test need not wait.
    let time = Duration::from_millis(300);
    let hasty = FetchSettings { allow_hosts, time, ..FetchSettings::default() };
    let slow = finish(&Provider::new(settings, &hasty).unwrap()).await.unwrap_err();
    assert!(slow.to_string().contains("took too long"), "{slow}");
}
