//! Opening: fresh, again, at once, and what must not be opened.

use probity_store::{Location, Store, StoreError};

use crate::place::{Place, nudge, sound};

#[tokio::test]
async fn a_store_keeps_what_it_was_given() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        nudge(&store, "reuters.com", "high-quality-source", "x").await;
        let head = sound(&store).await.head;
        store.close().await;
        assert_eq!(sound(&place.open().await).await.head, head);
    }
}

#[tokio::test]
async fn many_may_open_a_fresh_store_at_once() {
    for place in Place::on_each_engine().await {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let location = place.location.clone();
            tasks.spawn(async move { Store::open(&location).await.map(drop) });
        }
        for opened in tasks.join_all().await {
            opened.unwrap();
        }
        sound(&place.open().await).await;
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused() {
    for place in Place::on_each_engine().await {
        place.open().await.close().await;
        place
            .raw("INSERT INTO probity_migrations VALUES (9000, '9000_future', 'x', 0)")
            .await
            .unwrap();
        let refused = Store::open(&place.location).await.unwrap_err();
        assert!(matches!(refused, StoreError::Newer { found: 9000, .. }), "{refused}");
        assert!(refused.to_string().contains("newer version of Probity"), "{refused}");
        assert!(refused.to_string().contains("update Probity"), "{refused}");
    }
}

#[tokio::test]
async fn a_database_of_another_build_is_refused() {
    for place in Place::on_each_engine().await {
        place.open().await.close().await;
        place
            .raw("UPDATE probity_migrations SET fingerprint = 'x' WHERE version = 1")
            .await
            .unwrap();
        let refused = Store::open(&place.location).await.unwrap_err();
        assert!(matches!(refused, StoreError::Diverged { version: 1, .. }), "{refused}");
    }
}

#[tokio::test]
async fn the_database_of_another_program_is_left_alone() {
    let place = Place::file();
    let path = place.location.path().unwrap();
    std::fs::File::create(path).unwrap();
    place.raw("CREATE TABLE recipes (name TEXT)").await.unwrap();
    let before = std::fs::read(path).unwrap();
    let refused = Store::open(&place.location).await.unwrap_err();
    assert!(matches!(refused, StoreError::Foreign { .. }), "{refused}");
    assert_eq!(before.len(), std::fs::read(path).unwrap().len());
}

#[tokio::test]
async fn what_is_not_a_database_is_called_damaged() {
    let place = Place::file();
    std::fs::write(place.location.path().unwrap(), "domain,score\n".repeat(1000)).unwrap();
    let refused = Store::open(&place.location).await.unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
}

#[tokio::test]
async fn a_cut_off_file_is_called_damaged() {
    let place = Place::file();
    place.open().await.close().await;
    let path = place.location.path().unwrap();
    let bytes = std::fs::read(path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    let found = match Store::open(&place.location).await {
        Ok(store) => store.verify(None).await.unwrap_err(),
        Err(refused) => refused,
    };
    assert!(matches!(found, StoreError::Damaged { .. }), "{found}");
}

#[tokio::test]
async fn a_folder_or_a_file_as_folder_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let refused = Store::open(&Location::file(folder.path())).await.unwrap_err();
    assert!(refused.to_string().contains("it is a folder"), "{refused}");

    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let refused = Store::open(&Location::file(file.join("probity.db"))).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unreachable { .. }), "{refused}");
}

#[tokio::test]
async fn a_server_that_is_not_there_says_so_without_the_password() {
    // Port 1 on loopback: nothing listens there.
    let location = Location::parse("postgres://ada:hunter2@127.0.0.1:1/probity").unwrap();
    let refused = Store::open(&location).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unreachable { .. }), "{refused}");
    assert!(!format!("{refused} {refused:?}").contains("hunter2"));
}

/// Rights do not bind root, so where the tests run as root the second process does not.
#[cfg(unix)]
#[tokio::test]
async fn a_store_that_cannot_be_written_says_so_and_stays_as_it_is() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let place = Place::file();
    place.open().await.close().await;
    let file = place.location.path().unwrap();
    let folder = file.parent().unwrap();
    let honest = std::fs::read(file).unwrap();
    let allow = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for (file_mode, folder_mode, said) in [
        (0o444, 0o777, "is read-only; nothing was written"),
        // Nothing can be kept beside it, but it can still be read.
        (0o444, 0o555, "is read-only; nothing was written"),
        (0o000, 0o777, "Permission denied"),
    ] {
        for left_over in ["probity.db-wal", "probity.db-shm"] {
            let _ = std::fs::remove_file(folder.join(left_over));
        }
        allow(file, file_mode);
        allow(folder, folder_mode);
        let mut command = crate::worker::command(&place.argument, "bbc.com", "x", 1);
        if std::fs::metadata(folder).unwrap().uid() == 0 {
            command.uid(65534).gid(65534);
        }
        let output = command.output().unwrap();
        allow(folder, 0o777);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(said), "{said}: {errors}");
    }
    allow(file, 0o644);
    assert_eq!(std::fs::read(file).unwrap(), honest);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_is_its_owners_alone_also_one_that_was_not() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/store.db");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let location = probity_store::Location::file(path.clone());
    let store = probity_store::Store::open(&location).await.unwrap();
    assert_eq!((mode(path.parent().unwrap()), mode(&path)), (0o700, 0o600));
    for beside in ["-wal", "-shm"] {
        let beside = folder.path().join(format!("new/store.db{beside}"));
        assert_eq!(mode(&beside), 0o600, "{}", beside.display());
    }
    store.close().await;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    probity_store::Store::open(&location).await.unwrap().close().await;
    assert_eq!(mode(&path), 0o600);
}
