//! Documents of the library under a name: put in, searched by themselves, taken out, on both engines.

use probity_core::{Document, DocumentId};
use probity_store::library::{CollectionError, Library, ListOptions, ReadDocument, Way};

use crate::place::Place;

/// A library of three documents about music; gives their ids in the order of their names.
async fn filled(library: &Library) -> Vec<DocumentId> {
    for (name, text) in [
        ("law.md", "Amplified music outdoors must stop at ten in the evening."),
        ("songs.md", "The most popular music at weddings is a slow waltz."),
        ("town.md", "The town council pays for music in the park on Sundays."),
    ] {
        let document = Document {
            title: name.to_owned(),
            text: text.to_owned(),
            markdown: text.to_owned(),
            ..Document::default()
        };
        let reading = ReadDocument { document, ..ReadDocument::default() };
        library.add_reading(name, 60, reading).await.unwrap().unwrap();
    }
    let listed = library.list(&ListOptions::default()).await.unwrap();
    listed.into_iter().map(|document| document.id).collect()
}

async fn found(library: &Library) -> Vec<String> {
    let hits = library.search("music", 10).await.unwrap();
    let mut titles: Vec<String> = hits.into_iter().map(|found| found.hit.title).collect();
    titles.sort();
    titles
}

#[tokio::test]
async fn a_collection_is_searched_and_listed_by_itself() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let ids = filled(&library).await;
        let made = library.make_collection("  Port   Ellery ").await.unwrap();
        assert_eq!((made.name.as_str(), made.documents), ("Port Ellery", 0));
        let names = [ids[0].as_str(), "https://nowhere.example/", ids[2].as_str()];
        let moved = library.collect(made.id, &names, Way::In).await.unwrap();
        assert_eq!((moved.moved, moved.unknown), (2, vec!["https://nowhere.example/".to_owned()]));
        let again = library.collect(made.id, &names[..1], Way::In).await.unwrap();
        assert_eq!(again.moved, 0, "it is in already");
        let within = library.within(&library.collection("PORT ELLERY").await.unwrap());
        assert_eq!(found(&within).await, ["law.md", "town.md"]);
        assert_eq!(found(&library).await.len(), 3);
        assert_eq!(within.list(&ListOptions::default()).await.unwrap().len(), 2);
        let of = library.collections_of(&ids[0]).await.unwrap();
        assert_eq!(of.len(), 1);
        assert!(library.collections_of(&ids[1]).await.unwrap().is_empty());
        library.collect(made.id, &[ids[0].as_str()], Way::Out).await.unwrap();
        assert_eq!(found(&within).await, ["town.md"]);
    }
}

#[tokio::test]
async fn what_is_read_again_stays_and_what_leaves_the_library_goes() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let ids = filled(&library).await;
        let made = library.make_collection("Law").await.unwrap();
        let names: Vec<&str> = ids.iter().map(DocumentId::as_str).collect();
        library.collect(made.id, &names, Way::In).await.unwrap();
        filled(&library).await;
        let documents = async || library.collection("law").await.unwrap().documents;
        assert_eq!(documents().await, 3);
        library.remove(&ids[0]).await.unwrap();
        assert_eq!(documents().await, 2);
        library.remove_collection(made.id).await.unwrap();
        assert_eq!(library.list(&ListOptions::default()).await.unwrap().len(), 2);
        let gone = library.remove_collection(made.id).await;
        assert!(matches!(gone, Err(CollectionError::Unknown(_))));
    }
}

#[tokio::test]
async fn a_name_is_one_line_and_nobody_elses() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        for wrong in ["", "  ", "a, b", &"x".repeat(61)] {
            let refused = library.make_collection(wrong).await;
            assert!(matches!(refused, Err(CollectionError::Name)), "{wrong}");
        }
        let (law, town) = (library.make_collection("Law"), library.make_collection("Town"));
        let (law, town) = (law.await.unwrap(), town.await.unwrap());
        let taken = library.make_collection("LAW").await;
        assert!(matches!(taken, Err(CollectionError::Taken(name)) if name == "Law"));
        let taken = library.rename_collection(town.id, "law").await;
        assert!(matches!(taken, Err(CollectionError::Taken(_))));
        library.rename_collection(law.id, "LAW").await.unwrap();
        let names = library.collections().await.unwrap();
        let names: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["LAW", "Town"]);
        for number in 2..200 {
            library.make_collection(&format!("more {number}")).await.unwrap();
        }
        let full = library.make_collection("one too many").await;
        assert!(matches!(full, Err(CollectionError::TooMany)));
    }
}
