//! Users, sessions, tokens, requests done once and the log of actions, on both engines.

use std::time::Duration;

use probity_core::{Clock, Timestamp};
use probity_store::Store;
use probity_store::access::{Account, Answer, NewSignOn, NewToken, Once, Role, SignOn};

use crate::place::Place;

const HOUR: Duration = Duration::from_secs(3_600);
const START: i64 = 1_794_744_000_000;

fn at(store: &Store, hours: i64) -> Store {
    store.clone().with_clock(Clock::Fixed(Timestamp(START + hours * 3_600_000)))
}

#[tokio::test]
async fn a_user_is_added_once_and_goes_with_everything_that_opens_something() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        assert!(store.add_user(&"ada".into(), "hash", Role::Editor).await.unwrap());
        assert!(!store.add_user(&"ada".into(), "other", Role::Admin).await.unwrap());
        let user = store.user(&"ada".into()).await.unwrap().unwrap();
        assert_eq!((user.password.as_str(), user.role), ("hash", Role::Editor));
        store.begin_session("s1", &"ada".into(), "key", HOUR).await.unwrap();
        let token = NewToken { id: "t1", hash: "h1", owner: "ada", scopes: "read" };
        assert!(store.add_token(&token).await.unwrap());
        assert!(!store.add_token(&token).await.unwrap());
        assert!(store.remove_user(&"ada".into()).await.unwrap());
        assert!(!store.remove_user(&"ada".into()).await.unwrap());
        assert_eq!(store.session("s1", HOUR, HOUR).await.unwrap(), None);
        assert_eq!(store.token("h1").await.unwrap(), None);
        assert!(store.users().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_session_ends_by_itself_and_with_a_new_password() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        store.add_user(&"ada".into(), "hash", Role::Reader).await.unwrap();
        store.begin_session("s1", &"ada".into(), "key", 48 * HOUR).await.unwrap();
        let (idle, life) = (12 * HOUR, 48 * HOUR);
        for hours in [0, 11, 22, 33, 44] {
            let found = at(&store, hours).session("s1", idle, life).await.unwrap();
            assert_eq!(found.unwrap().form_key, "key", "after {hours} hours");
        }
        assert_eq!(at(&store, 49).session("s1", idle, life).await.unwrap(), None, "too old");
        store.begin_session("s2", &"ada".into(), "key", life).await.unwrap();
        assert_eq!(at(&store, 13).session("s2", idle, life).await.unwrap(), None, "unused");
        assert!(store.session("s2", idle, life).await.unwrap().is_some());
        assert!(store.change_password(&"ada".into(), "new").await.unwrap());
        assert_eq!(store.session("s2", idle, life).await.unwrap(), None);
        store.begin_session("s3", &"ada".into(), "key", life).await.unwrap();
        store.end_session("s3").await.unwrap();
        assert_eq!(store.session("s3", idle, life).await.unwrap(), None);
        assert!(!store.change_password(&"nobody".into(), "new").await.unwrap());
        assert!(store.begin_session("s4", &"nobody".into(), "key", life).await.is_err());
    }
}

#[tokio::test]
async fn a_request_under_a_key_is_taken_up_once() {
    let answer =
        Answer { status: 200, media: "application/json".to_owned(), body: "{}".to_owned() };
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        let begin = async |store: &Store, owner: &str, request: &str| {
            store.begin_once(owner, "k", request, HOUR).await.unwrap()
        };
        assert_eq!(begin(&store, "ada", "r1").await, Once::First);
        assert_eq!(begin(&store, "ada", "r1").await, Once::UnderWay);
        assert_eq!(begin(&store, "bob", "r2").await, Once::First, "another owner's key");
        store.end_once("ada", "k", Some(&answer)).await.unwrap();
        assert_eq!(begin(&store, "ada", "r1").await, Once::Done(answer.clone()));
        assert_eq!(begin(&store, "ada", "r2").await, Once::Another);
        store.end_once("bob", "k", None).await.unwrap();
        assert_eq!(begin(&store, "bob", "r3").await, Once::First, "it was given up");
        assert_eq!(begin(&at(&store, 2), "bob", "r3").await, Once::First, "its server died");
        assert_eq!(begin(&at(&store, 25), "ada", "r2").await, Once::First, "a day has passed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_at_once_one_takes_a_request_up() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let tries = (0..8).map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.begin_once("ada", "k", "r", HOUR).await.unwrap() })
        });
        let mut first = 0;
        for taken in tries.collect::<Vec<_>>() {
            first += usize::from(taken.await.unwrap() == Once::First);
        }
        assert_eq!(first, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_are_numbered_without_gaps_whoever_writes() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let writers = (0..10).map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.note("ada", "run deleted", &format!("r{n}")).await })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap().unwrap();
        }
        let actions = store.actions(None, 100).await.unwrap();
        let numbers: Vec<i64> = actions.iter().map(|action| action.seq).collect();
        assert_eq!(numbers, (1..=10).rev().collect::<Vec<i64>>());
        let older = store.actions(Some(4), 2).await.unwrap();
        assert_eq!(older.iter().map(|action| action.seq).collect::<Vec<_>>(), [3, 2]);
    }
}

#[tokio::test]
async fn a_log_in_elsewhere_ends_once_in_its_own_browser_and_in_time() {
    let life = HOUR / 6;
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        let new = NewSignOn {
            state_hash: "s1",
            browser_hash: "b1",
            nonce: "n1",
            verifier: "v1",
            leads_to: "/library",
        };
        store.begin_sign_on(&new, life).await.unwrap();
        store.begin_sign_on(&NewSignOn { state_hash: "s2", ..new }, life).await.unwrap();
        assert_eq!(store.end_sign_on("s1", "b2", life).await.unwrap(), None, "another browser");
        assert_eq!(store.end_sign_on("s3", "b1", life).await.unwrap(), None, "another state");
        let (nonce, verifier) = ("n1".to_owned(), "v1".to_owned());
        let begun = SignOn { nonce, verifier, leads_to: "/library".to_owned() };
        assert_eq!(store.end_sign_on("s1", "b1", life).await.unwrap(), Some(begun));
        assert_eq!(store.end_sign_on("s1", "b1", life).await.unwrap(), None, "once");
        let later = at(&store, 1);
        assert_eq!(later.end_sign_on("s2", "b1", life).await.unwrap(), None, "it took too long");
    }
}

#[tokio::test]
async fn an_account_elsewhere_is_one_users_and_goes_with_them() {
    let account = |subject| Account { issuer: "https://id.example", subject };
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        store.add_user(&"ada".into(), "hash", Role::Admin).await.unwrap();
        assert!(store.link_account(account("a1"), &"ada".into()).await.unwrap());
        assert!(!store.link_account(account("a1"), &"ada".into()).await.unwrap(), "it is linked");
        assert!(
            !store.link_account(account("a2"), &"ada".into()).await.unwrap(),
            "a second one there"
        );
        let elsewhere = Account { issuer: "https://other.example", subject: "a1" };
        assert_eq!(store.user_of(elsewhere).await.unwrap(), None, "another provider's account");
        assert!(store.link_account(elsewhere, &"ada".into()).await.unwrap());
        assert!(store.link_account(account("x"), &"nobody".into()).await.is_err());
        assert!(
            !store.add_user_with_account(&"ada".into(), Role::Reader, account("b1")).await.unwrap()
        );
        assert!(
            !store.add_user_with_account(&"bob".into(), Role::Reader, account("a1")).await.unwrap()
        );
        assert!(store.user(&"bob".into()).await.unwrap().is_none(), "all of it or nothing");
        assert!(
            store.add_user_with_account(&"bob".into(), Role::Reader, account("b1")).await.unwrap()
        );
        assert!(!store.user(&"bob".into()).await.unwrap().unwrap().has_password());
        assert_eq!(store.user_of(account("b1")).await.unwrap().as_deref(), Some("bob"));
        assert!(store.remove_user(&"bob".into()).await.unwrap());
        assert_eq!(store.user_of(account("b1")).await.unwrap(), None);
        assert!(
            store.has_account(&"ada".into()).await.unwrap()
                && !store.has_account(&"bob".into()).await.unwrap()
        );
    }
}
