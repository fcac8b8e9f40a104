//! A backup is the store of one moment in one file, and comes back as it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use probity_store::RunQuery;
use probity_store::backup::{BackupError, back_up, rehearse, restore};
use probity_store::relocate::RelocateError;

use crate::place::{Place, nudge, sound};
use crate::relocate::{exported, lived_in};

#[tokio::test]
async fn what_was_backed_up_comes_back_on_either_engine() {
    let folder = tempfile::tempdir().unwrap();
    for (n, place) in Place::on_each_engine().await.into_iter().enumerate() {
        let store = lived_in(&place).await;
        let expected = exported(&store).await;
        let file = folder.path().join(format!("{n}.backup"));
        let kept = back_up(&store, &file, false, |_, _| {}).await.unwrap();
        assert_eq!(kept.ledger_events, 250);
        let written = std::fs::read(&file).unwrap();
        assert_eq!(rehearse(&file, |_, _| {}).await.unwrap(), kept);
        for target in Place::on_each_engine().await {
            let target = target.open().await;
            assert_eq!(restore(&file, &target, |_, _| {}).await.unwrap(), kept);
            assert_eq!(exported(&target).await, expected, "{}", target.location());
            let again = restore(&file, &target, |_, _| {}).await.unwrap_err();
            let not_empty = |error: &BackupError| {
                matches!(error, BackupError::Relocate(RelocateError::NotEmpty { .. }))
            };
            assert!(not_empty(&again), "{again}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), written, "restoring changes no backup");
    }
    let beside = std::fs::read_dir(folder.path()).unwrap().count();
    assert!(beside <= 2, "one file a backup, and nothing beside them");
}

#[tokio::test]
async fn a_backup_is_of_one_moment_while_others_write() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let stop = Arc::new(AtomicBool::new(false));
        let writer = {
            let (store, stop) = (store.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut written = 0;
                while !stop.load(Ordering::Relaxed) {
                    nudge(&store, "reuters.com", "high-quality-source", "meanwhile").await;
                    written += 1;
                }
                written
            })
        };
        let folder = tempfile::tempdir().unwrap();
        let mut most = 0;
        for n in 0..5 {
            let file = folder.path().join(n.to_string());
            let kept = back_up(&store, &file, false, |_, _| {}).await.unwrap();
            assert!(kept.ledger_events >= most);
            most = kept.ledger_events;
        }
        stop.store(true, Ordering::Relaxed);
        let written = writer.await.unwrap();
        assert!(written > 0 && most <= written);
        assert_eq!(sound(&store).await.events, written);
    }
}

#[tokio::test]
async fn a_file_is_replaced_only_when_asked() {
    let place = Place::file();
    let store = place.open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b");
    std::fs::write(&file, "precious").unwrap();
    let refused = back_up(&store, &file, false, |_, _| {}).await.unwrap_err();
    assert!(matches!(refused, BackupError::Exists(_)), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");
    back_up(&store, &file, true, |_, _| {}).await.unwrap();
    rehearse(&file, |_, _| {}).await.unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "nobody else reads it");
    }
}

#[tokio::test]
async fn what_is_no_whole_backup_is_refused_and_changes_nothing() {
    let place = Place::file();
    let store = lived_in(&place).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("whole");
    back_up(&store, &file, false, |_, _| {}).await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let mut holed = whole.clone();
    let middle = holed.len() / 2;
    holed[middle..middle + 4096].fill(0x5a);
    let target = Place::file();
    let target = target.open().await;
    for (name, content) in [
        ("empty", &b""[..]),
        ("text", b"not a database"),
        ("short", &whole[..whole.len() / 2]),
        ("holed", &holed),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        let refused = restore(&file, &target, |_, _| {}).await.unwrap_err();
        assert!(refused.to_string().contains(name), "{name}: {refused}");
        assert!(target.runs(&RunQuery::default()).await.unwrap().is_empty(), "{name}");
    }
    let missing = restore(&folder.path().join("missing"), &target, |_, _| {}).await.unwrap_err();
    assert!(matches!(missing, BackupError::File { .. }), "{missing}");
    // A ledger that was tampered with in the backup is found as well.
    let tampered = Place::file();
    let file = tampered.location.path().unwrap();
    back_up(&store, file, false, |_, _| {}).await.unwrap();
    let tampering = "UPDATE outlets SET credibility_score = 0.1 WHERE domain = 'ft.com'";
    tampered.raw(tampering).await.unwrap();
    let refused = restore(file, &target, |_, _| {}).await.unwrap_err();
    assert!(matches!(refused, BackupError::Relocate(RelocateError::Ledger { .. })), "{refused}");
}
