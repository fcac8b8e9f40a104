//! Codes come, change and go; what used them stays as it was.

use probity_credibility::ledger::{CodeName, CodebookError, Name, Note, Weight};
use probity_store::ledger::{Intent, LedgerError, Newcomer};

use crate::place::{Place, all_events, coding, sound};

fn code(text: &str) -> CodeName {
    CodeName::new(text).unwrap()
}

#[tokio::test]
async fn a_code_that_changes_leaves_earlier_events_alone() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let (ada, why) = (Name::new("Ada").unwrap(), Note::new("Names its sources.").unwrap());
        let weight = |value| Weight::new(value).unwrap();
        let name = code("on-the-record");

        store.define_code(&name, weight(2), &why, &ada).await.unwrap();
        let request = || coding("wsj.com", &["on-the-record", "source-unreliable"], "x");
        let up = store.code(request(), Newcomer::Guard, Intent::Apply).await.unwrap();
        assert_eq!(up.record().target, Some(1.0));

        let changed = store.define_code(&name, weight(-5), &why, &ada).await.unwrap();
        assert_eq!(changed.code.revision, 2);
        let down = store.code(request(), Newcomer::Guard, Intent::Apply).await.unwrap();
        assert_eq!(down.record().target, Some(0.0));

        let retired = store.retire_code(&name, &ada).await.unwrap();
        assert!(retired.code.retired);
        let refused = store.code(request(), Newcomer::Guard, Intent::Apply).await.unwrap_err();
        assert!(refused.to_string().contains("retired"), "{refused}");

        let weights: Vec<i32> =
            all_events(&store).await.iter().map(|event| event.codes[0].weight.get()).collect();
        assert_eq!(weights, [2, -5]);
        assert_eq!(store.code_revisions().await.unwrap().len(), 5);
        sound(&store).await;
    }
}

#[tokio::test]
async fn what_would_change_nothing_is_refused() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let ada = Name::new("Ada").unwrap();
        let seeded = store.codebook().await.unwrap();
        let known = seeded.get(&code("high-quality-source")).unwrap();
        let description = Note::new(&known.description).unwrap();
        let same = store.define_code(&known.name, known.weight, &description, &ada).await;
        assert!(matches!(same, Err(LedgerError::Codebook(CodebookError::Unchanged(_)))));
        let unknown = store.retire_code(&code("no-such-code"), &ada).await;
        assert!(matches!(unknown, Err(LedgerError::Codebook(CodebookError::Unknown { .. }))));
        store.retire_code(&known.name, &ada).await.unwrap();
        let again = store.retire_code(&known.name, &ada).await;
        assert!(matches!(again, Err(LedgerError::Codebook(CodebookError::Retired(_)))));
    }
}
