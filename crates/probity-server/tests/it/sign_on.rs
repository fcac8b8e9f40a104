//! Logging in at a provider: state bound to the browser and used once, accounts linked and never taken over.

use http::{Method, StatusCode};
use probity_core::{SignOnAnswer, SignOnSecrets};
use probity_server::access::password;
use probity_server::{GrantedRole, Identity, Later, SignOn, SignOnFailure};
use probity_store::access::{Account, Role, UserChange};

use crate::place::{Answer, Call, HOST, PASSWORD, Place, form_key, get};

const ISSUER: &str = "https://id.example";

/// A provider that believes every code: `SUBJECT|EMAIL|ROLE`, where a role may be `-` or end with `!` where the
/// provider itself says it.
pub(crate) struct TestProvider;

impl SignOn for TestProvider {
    fn label(&self) -> &str {
        "Port Ellery ID"
    }

    fn begin<'a>(&'a self, secrets: SignOnSecrets<'a>) -> Later<'a, Result<String, SignOnFailure>> {
        let SignOnSecrets { state, redirect, .. } = secrets;
        let address = format!("{ISSUER}/authorize?state={state}&redirect_uri={redirect}");
        Box::pin(std::future::ready(Ok(address)))
    }

    fn finish<'a>(
        &'a self,
        answer: SignOnAnswer<'a>,
        _: SignOnSecrets<'a>,
    ) -> Later<'a, Result<Identity, SignOnFailure>> {
        let parts: Vec<&str> = answer.code.split('|').collect();
        let [subject, email, role] = parts[..] else {
            let failure = match answer.code {
                "down" => SignOnFailure::Provider("the provider cannot be asked".to_owned()),
                _ => SignOnFailure::Refused("the provider refused the log-in".to_owned()),
            };
            return Box::pin(std::future::ready(Err(failure)));
        };
        let named = Role::parse(role.trim_end_matches('!'));
        let role = match named {
            Some(named) if role.ends_with('!') => GrantedRole::Claimed(named),
            Some(named) => GrantedRole::New(named),
            None => GrantedRole::Known,
        };
        let identity = Identity {
            issuer: ISSUER.to_owned(),
            subject: subject.to_owned(),
            email: Some(email.to_owned()).filter(|email| !email.is_empty()),
            name: Some(subject.to_owned()),
            role,
        };
        Box::pin(std::future::ready(Ok(identity)))
    }

    fn leave<'a>(&'a self, back: &'a str) -> Later<'a, Option<String>> {
        Box::pin(std::future::ready(Some(format!("{ISSUER}/leave?back={back}"))))
    }
}

async fn user_of(place: &Place, subject: &str) -> Option<String> {
    place.store.user_of(Account { issuer: ISSUER, subject }).await.unwrap()
}

async fn actions(place: &Place) -> Vec<String> {
    let actions = place.store.actions(None, 20).await.unwrap();
    actions.into_iter().map(|one| one.action).collect()
}

/// Begins a log-in: the state, and the cookie that the browser keeps.
async fn begin(place: &Place) -> (String, String) {
    let sent = place.call(get("/login/oidc?to=/library")).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
    let address = url::Url::parse(sent.header("location")).unwrap();
    let state = address.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let given = sent.header("set-cookie");
    assert!(given.contains("HttpOnly") && given.contains("SameSite=Lax"), "{given}");
    (state, given.split(';').next().unwrap().to_owned())
}

async fn back(place: &Place, state: &str, cookie: &str, code: &str) -> Answer {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("state", state).append_pair("code", code);
    let call = get(&format!("/login/oidc/callback?{}", query.finish())).with("cookie", cookie);
    place.call(call).await
}

/// Logs in with a code; gives the session's cookie.
async fn log_in(place: &Place, code: &str) -> Result<String, String> {
    let (state, cookie) = begin(place).await;
    let answer = back(place, &state, &cookie, code).await;
    if answer.status != StatusCode::OK {
        return Err(answer.text);
    }
    assert!(answer.text.contains("url=/library"), "{}", answer.text);
    let cookies = answer.headers.get_all("set-cookie").iter();
    let cookies: Vec<&str> = cookies.map(|value| value.to_str().unwrap()).collect();
    let session = cookies.iter().find(|cookie| cookie.starts_with("probity=")).unwrap();
    assert!(cookies.iter().any(|cookie| cookie.starts_with("probity-sign-on=;")), "{cookies:?}");
    Ok(session.split(';').next().unwrap().to_owned())
}

#[tokio::test]
async fn whoever_is_new_becomes_a_user_and_stays_the_same_one() {
    let place = Place::locked().await;
    let page = place.call(get("/login?to=/library")).await.text;
    assert!(page.contains("Log in with Port Ellery ID"), "{page}");
    let session = log_in(&place, "ada-1|ada@example.org|editor").await.unwrap();
    assert_eq!(place.call(get("/library").with("cookie", &session)).await.status, StatusCode::OK);
    let user = place.store.user(&"ada@example.org".into()).await.unwrap().unwrap();
    assert_eq!(user.role, Role::Editor);
    // The address changes at the provider, the account does not.
    log_in(&place, "ada-1|ada@elsewhere.org|reader").await.unwrap();
    assert!(place.store.user(&"ada@elsewhere.org".into()).await.unwrap().is_none());
    let user = place.store.user(&"ada@example.org".into()).await.unwrap().unwrap();
    assert_eq!(user.role, Role::Editor, "a default is for the new alone");
    log_in(&place, "ada-1|ada@example.org|admin!").await.unwrap();
    let user = place.store.user(&"ada@example.org".into()).await.unwrap().unwrap();
    assert_eq!(user.role, Role::Admin, "what the provider says counts at every log-in");
    // No one knows a password of such a user.
    for guess in ["!", "", PASSWORD] {
        let login = [("name", "ada@example.org"), ("password", guess)];
        let refused = place.call(Call::new(Method::POST, "/login").form(&login)).await;
        assert!(refused.header("set-cookie").is_empty(), "{guess}");
    }
}

#[tokio::test]
async fn a_user_is_linked_by_a_verified_address_and_never_taken_over_by_name() {
    let place = Place::locked().await;
    let hash = password::hash(PASSWORD).unwrap();
    assert!(place.store.add_user(&"bob@example.org".into(), &hash, Role::Editor).await.unwrap());
    assert!(place.store.add_user(&"root".into(), &hash, Role::Admin).await.unwrap());
    log_in(&place, "bob-7|bob@example.org|reader").await.unwrap();
    assert_eq!(user_of(&place, "bob-7").await.as_deref(), Some("bob@example.org"));
    let second = log_in(&place, "bob-8|bob@example.org|reader").await.unwrap_err();
    assert!(second.contains("not linked to your account"), "an address changed hands: {second}");
    let taken = log_in(&place, "root||reader").await.unwrap_err();
    assert!(taken.contains("here is a user root already"), "{taken}");
    assert_eq!(user_of(&place, "root").await, None);
    let nobody = log_in(&place, "eve-1|eve@example.org|-").await.unwrap_err();
    assert!(nobody.contains("no user here"), "{nobody}");
    assert!(place.store.user(&"eve@example.org".into()).await.unwrap().is_none());
    let change = UserChange { disabled: Some(true), role: None };
    place.store.change_user(&"bob@example.org".into(), change).await.unwrap();
    let off = log_in(&place, "bob-7|bob@example.org|admin!").await.unwrap_err();
    assert!(off.contains("switched off"), "{off}");
    let bob = place.store.user(&"bob@example.org".into()).await.unwrap().unwrap();
    assert_eq!(bob.role, Role::Editor, "whoever is off gets no role");
    assert!(actions(&place).await.iter().any(|action| action == "account linked"));
}

#[tokio::test]
async fn the_last_admin_stays_one_whatever_a_provider_says() {
    let place = Place::locked().await;
    log_in(&place, "ada-1|ada@example.org|admin!").await.unwrap();
    log_in(&place, "ada-1|ada@example.org|reader!").await.unwrap();
    let role = async || place.store.user(&"ada@example.org".into()).await.unwrap().unwrap().role;
    assert_eq!(role().await, Role::Admin);
    log_in(&place, "bob-1|bob@example.org|admin!").await.unwrap();
    log_in(&place, "ada-1|ada@example.org|reader!").await.unwrap();
    assert_eq!(role().await, Role::Reader, "there is another now");
    let actions = actions(&place).await;
    for action in ["user added as admin by the provider", "role changed to reader by the provider"]
    {
        assert!(actions.iter().any(|known| known == action), "{action}: {actions:?}");
    }
}

#[tokio::test]
async fn nothing_that_a_caller_sends_decides_where_a_log_in_ends() {
    let place = Place::locked().await;
    let begun = place.call(get("/login/oidc").with("host", "localhost:8642")).await;
    let home = format!("http://{HOST}/login/oidc?home=yes&to=%2F");
    assert_eq!(begun.header("location"), home, "the cookie has to be of the site's own address");
    for host in [HOST, "localhost:8642"] {
        let call = get("/login/oidc?home=yes").with("host", host);
        let sent = place.call(call.with("x-forwarded-host", "evil.example")).await;
        let address = sent.header("location").to_owned();
        let back = format!("redirect_uri=http://{HOST}/login/oidc/callback");
        assert!(address.ends_with(&back), "{address}");
    }
    for to in ["https://evil.example/", "//evil.example", "/%5Cevil.example", "javascript:alert(1)"]
    {
        let sent = place.call(get(&format!("/login/oidc?to={to}"))).await;
        let address = url::Url::parse(sent.header("location")).unwrap();
        let state = address.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        let cookie = sent.header("set-cookie").split(';').next().unwrap().to_owned();
        let shown = back(&place, &state, &cookie, "ada-1|ada@example.org|reader").await;
        assert!(shown.text.contains("content=\"0; url=/\""), "{to}: {}", shown.text);
        assert!(!shown.text.contains("evil"), "{to}");
    }
}

#[tokio::test]
async fn log_ins_that_fail_are_slowed_down_and_say_why() {
    let place = Place::locked().await;
    let (state, cookie) = begin(&place).await;
    let down = back(&place, &state, &cookie, "down").await;
    assert_eq!(down.status, StatusCode::SERVICE_UNAVAILABLE, "{}", down.text);
    assert!(down.text.contains("The provider cannot be asked."), "{}", down.text);
    assert!(down.text.contains("name=\"password\""), "passwords still work");
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(back(&place, "made-up", "", "x").await.status);
    }
    assert_eq!(statuses.first(), Some(&StatusCode::CONFLICT));
    assert_eq!(statuses.last(), Some(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
    let login = [("name", "ada"), ("password", PASSWORD)];
    let slowed = place.call(Call::new(Method::POST, "/login").form(&login)).await;
    assert_eq!(slowed.status, StatusCode::TOO_MANY_REQUESTS, "one throttle for every way in");
}

#[tokio::test]
async fn a_log_in_ends_once_in_the_browser_that_began_it() {
    let place = Place::locked().await;
    let code = "ada-1|ada@example.org|reader";
    let (state, cookie) = begin(&place).await;
    let (_, other) = begin(&place).await;
    for (what, state, cookie) in [
        ("a state that nobody gave out", "made-up", cookie.as_str()),
        ("another browser", state.as_str(), other.as_str()),
        ("no cookie", state.as_str(), ""),
    ] {
        let refused = back(&place, state, cookie, code).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{what}: {}", refused.text);
        assert!(refused.header("set-cookie").is_empty(), "{what}");
    }
    assert_eq!(back(&place, &state, &cookie, code).await.status, StatusCode::OK);
    let again = back(&place, &state, &cookie, code).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "a code counts once");
    let (state, cookie) = begin(&place).await;
    let refused = back(&place, &state, &cookie, "not a code").await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    let again = back(&place, &state, &cookie, code).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "a log-in that failed is over too");
}

#[tokio::test]
async fn logging_out_shows_the_way_out_of_the_provider() {
    let place = Place::locked().await;
    let session = log_in(&place, "ada-1|ada@example.org|reader").await.unwrap();
    let page = place.call(get("/runs").with("cookie", &session)).await.text;
    let key = form_key(&page);
    let leave = Call::new(Method::POST, "/logout").form(&[("form_key", &key)]);
    let left = place.call(leave.with("cookie", &session)).await;
    assert_eq!(left.header("location"), "/login?out=yes");
    let page = place.call(get("/login?out=yes")).await.text;
    assert!(page.contains(&format!("{ISSUER}/leave?back=http://{HOST}/login")), "{page}");
    let gone = place.call(get("/runs").with("cookie", &session)).await;
    assert_eq!(gone.status, StatusCode::SEE_OTHER);
    let (session, key) = place.log_in("bob", Role::Reader).await;
    let leave = Call::new(Method::POST, "/logout").form(&[("form_key", &key)]);
    let left = place.call(leave.with("cookie", &session)).await;
    assert_eq!(left.header("location"), "/login", "who came by password leaves nothing elsewhere");
}
