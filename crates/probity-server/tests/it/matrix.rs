//! Every route in the table × every kind of caller: who gets in, and who is turned away.
//!
//! The table is the router's own, so that a route that is added is tested here without a word.

use http::{Method, StatusCode};
use probity_server::access::{Access, Scope};
use probity_server::routes::{self, Line, Side};
use probity_store::access::Role;

use crate::place::{Call, Place};

/// An address of a route, with something in every part that varies.
fn path(line: &Line) -> String {
    let parts =
        [("{outlet}", "reuters.com"), ("{seq}", "1"), ("{id}", "no-such-run"), ("{name}", "x")];
    let mut path = line.path.to_owned();
    for (part, value) in parts {
        path = path.replace(part, value);
    }
    assert!(!path.contains('{'), "{path} has a part that this test does not know");
    path
}

fn call(line: &Line) -> Call {
    let call = Call::new(line.method.clone(), &path(line));
    match line.side {
        Side::Api => call,
        Side::Page if line.method == Method::POST => call.form(&[("x", "y")]),
        Side::Page => call.with("accept", "text/html"),
    }
}

/// Streams and stopped runs aside, an answer that lets a caller in is anything but 401 and 403.
fn is_let_in(status: StatusCode) -> bool {
    !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

fn may(access: Access, scopes: &[Scope]) -> bool {
    match access {
        Access::Anyone => true,
        Access::Needs(scope) => scopes.contains(&scope),
    }
}

#[tokio::test]
async fn nobody_gets_in_without_a_token_where_one_is_needed() {
    let place = Place::locked().await;
    for line in routes::lines() {
        let answer = place.call(call(&line)).await;
        let about = format!("{} {}: {}", line.method, line.path, answer.status);
        match (line.access, line.side) {
            (Access::Anyone, _) => assert!(is_let_in(answer.status), "{about}"),
            (_, Side::Page) if line.method == Method::GET => {
                assert_eq!(answer.status, StatusCode::SEE_OTHER, "{about}");
                assert!(answer.header("location").starts_with("/login?to=%2F"), "{about}");
            }
            _ => assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{about}"),
        }
    }
}

#[tokio::test]
async fn a_token_opens_what_its_scopes_say_and_nothing_else() {
    let place = Place::locked().await;
    for scopes in ["read", "read,research", "read,ledger", "read,research,ledger,admin", "research"]
    {
        let token = place.token("robot", scopes).await;
        let list = Scope::parse_list(scopes).unwrap();
        for line in routes::lines() {
            let answer = place.call(call(&line).token(&token)).await;
            let about = format!("{scopes}: {} {}: {}", line.method, line.path, answer.status);
            assert_eq!(is_let_in(answer.status), may(line.access, &list), "{about}");
        }
    }
}

#[tokio::test]
async fn a_token_that_is_wrong_or_revoked_opens_nothing() {
    let place = Place::locked().await;
    let token = place.token("robot", "read,admin").await;
    for kept in place.store.tokens().await.unwrap() {
        assert!(place.store.revoke_token(&kept.id).await.unwrap());
    }
    for line in routes::lines().iter().filter(|line| line.access != Access::Anyone) {
        for wrong in [token.as_str(), "probity_wrong", ""] {
            let answer = place.call(call(line).token(wrong)).await;
            let refused = [StatusCode::UNAUTHORIZED, StatusCode::SEE_OTHER];
            assert!(refused.contains(&answer.status), "{} {}", line.path, answer.status);
        }
    }
}

#[tokio::test]
async fn a_role_opens_what_it_says_when_the_form_is_ours() {
    let place = Place::locked().await;
    for role in Role::ALL {
        let (cookie, key) = place.log_in(role.as_str(), role).await;
        for line in routes::lines().iter().filter(|line| line.path != "/logout") {
            let call = call(line).with("cookie", &cookie).with("x-form-key", &key);
            let answer = place.call(call).await;
            let about =
                format!("{}: {} {}: {}", role.as_str(), line.method, line.path, answer.status);
            assert_eq!(is_let_in(answer.status), may(line.access, Scope::of_role(role)), "{about}");
        }
    }
}

#[tokio::test]
async fn a_change_without_the_key_of_our_forms_is_refused() {
    let place = Place::locked().await;
    let (cookie, _) = place.log_in("ada", Role::Admin).await;
    let open = Place::open().await;
    for line in routes::lines() {
        let is_change = line.method != Method::GET && line.access != Access::Anyone;
        if !is_change {
            continue;
        }
        let about = format!("{} {}", line.method, line.path);
        let plain = place.call(call(&line).with("cookie", &cookie)).await;
        assert_eq!(plain.status, StatusCode::FORBIDDEN, "{about}");
        let forged = call(&line).with("cookie", &cookie).with("x-form-key", "guessed");
        assert_eq!(place.call(forged).await.status, StatusCode::FORBIDDEN, "{about}");
        if line.side == Side::Page {
            assert_eq!(open.call(call(&line)).await.status, StatusCode::FORBIDDEN, "{about}");
        }
    }
}

#[tokio::test]
async fn no_route_answers_to_another_name_or_another_site() {
    let place = Place::open().await;
    for line in routes::lines() {
        let about = format!("{} {}", line.method, line.path);
        let rebound = place.call(call(&line).with("host", "evil.example:8642")).await;
        assert_eq!(rebound.status, StatusCode::FORBIDDEN, "{about}");
        let foreign = place.call(call(&line).with("origin", "http://evil.example")).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{about}");
        let made = call(&line).with("sec-fetch-site", "cross-site").with("sec-fetch-mode", "cors");
        assert_eq!(place.call(made).await.status, StatusCode::FORBIDDEN, "{about}");
    }
}

#[tokio::test]
async fn every_answer_keeps_browsers_careful() {
    let place = Place::open().await;
    for line in routes::lines() {
        let answer = place.call(call(&line)).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{}", line.path);
        assert!(!policy.contains("unsafe"), "{}", line.path);
        assert!(policy.contains("frame-ancestors 'none'"), "{}", line.path);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{}", line.path);
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{}", line.path);
        assert!(!answer.header("x-request-id").is_empty(), "{}", line.path);
        assert!(!answer.status.is_server_error(), "{} {}", line.path, answer.status);
    }
}
