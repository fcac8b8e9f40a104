//! The library and the list of runs as places to work in.

use http::{Method, StatusCode};
use probity_store::library::{AddOptions, Library, ReadDocument, Reader};
use serde_json::json;

use crate::place::{Call, Place, RUN, SONGS, form_key, get, post};

/// Reads a file as its text.
struct Plain;

impl Reader for Plain {
    fn version(&self) -> i64 {
        1
    }

    fn read(&self, _: &std::path::Path, bytes: &[u8]) -> Result<ReadDocument, String> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.starts_with("broken") {
            return Err("the document is broken".to_owned());
        }
        let document = probity_core::Document {
            title: text.lines().next().unwrap_or_default().to_owned(),
            markdown: text.clone(),
            text,
            ..Default::default()
        };
        Ok(ReadDocument { document, ..Default::default() })
    }
}

/// A library with a folder of the server's machine.
async fn folder(place: &Place) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("papers")).unwrap();
    std::fs::write(folder.path().join("papers/bridge one.txt"), "Bridge\n\nIt opened in 1931.")
        .unwrap();
    std::fs::write(folder.path().join("papers/bad.txt"), "broken").unwrap();
    let library = Library::of(&place.store);
    let reader = std::sync::Arc::new(Plain);
    let papers = folder.path().join("papers");
    library.add(&papers, reader, AddOptions::default(), &mut |_| {}).await.unwrap();
    folder
}

#[tokio::test]
async fn no_answer_says_where_a_document_is_on_the_server() {
    let place = Place::open().await;
    let folder = folder(&place).await;
    let listed = place.call(get("/api/library")).await;
    let items = listed.json()["items"].clone();
    assert_eq!(items[1]["origin"], "papers/bridge one.txt");
    assert_eq!(items[0]["origin"], "bad.txt", "what could not be read has no address");
    let id = items[1]["id"].as_str().unwrap();
    let failed = items[0]["id"].as_str().unwrap();
    let path = folder.path().to_str().unwrap();
    for address in [
        "/api/library".to_owned(),
        "/api/library/search?q=bridge".to_owned(),
        format!("/api/library/documents/{id}"),
        "/library".to_owned(),
        "/library?failed=on".to_owned(),
        "/library?q=bridge".to_owned(),
        format!("/library/{id}"),
        format!("/library/{failed}"),
        "/search?q=bridge".to_owned(),
    ] {
        let answer = place.call(get(&address)).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}: {}", answer.text);
        assert!(!answer.text.contains(path), "{address} says {path}");
    }
    let again = Call::new(Method::POST, &format!("/api/library/documents/{id}/again"));
    let again = place.call(again).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(!again.text.contains(path), "{}", again.text);
}

#[tokio::test]
async fn what_could_not_be_read_is_listed_with_the_reason() {
    let place = Place::open().await;
    let _folder = folder(&place).await;
    let page = place.call(get("/library")).await.text;
    assert!(page.contains("1 could not be read"), "{page}");
    let failed = place.call(get("/library?failed=on")).await.text;
    assert!(
        failed.contains("the document is broken") && !failed.contains("bridge one"),
        "{failed}"
    );
}

#[tokio::test]
async fn documents_are_added_renewed_and_taken_out_on_the_page() {
    let place = Place::open().await;
    let key = form_key(&place.call(get("/library")).await.text);
    let note: &[u8] = b"# The harbour bridge\n\nThe harbour bridge opened in 1931.";
    let send = |fields: &[(&str, &str)], files: &[(&str, &[u8])]| {
        let mut all = vec![("form_key", key.as_str())];
        all.extend_from_slice(fields);
        Call::new(Method::POST, "/library").files(&all, files)
    };
    let added = place.call(send(&[], &[("bridge.md", note), ("../x.md", note)])).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    assert!(added.text.contains("1 documents") && added.text.contains("leads out of its folder"));
    let pages = "https://a.example/x\nhttps://gone.example/y";
    let added = place.call(send(&[("paste", pages)], &[])).await;
    assert!(
        added.text.contains("2 documents") && added.text.contains("404 Not Found"),
        "{}",
        added.text
    );
    let pasted =
        place.call(send(&[("paste", "The quay\nIt is painted green every spring.")], &[])).await;
    assert!(pasted.text.contains("The quay.txt"), "{}", pasted.text);
    let nothing = place.call(send(&[], &[])).await;
    assert!(nothing.text.contains("role=\"alert\""));
    let items = place.call(get("/api/library")).await.json()["items"].clone();
    let of = |origin: &str| {
        let found = items.as_array().unwrap().iter().find(|item| item["origin"] == origin).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let press = |id: &str, what: &str| {
        Call::new(Method::POST, &format!("/library/{id}/{what}")).form(&[("form_key", &key)])
    };
    let page = of("https://a.example/x");
    assert_eq!(place.call(press(&page, "again")).await.status, StatusCode::SEE_OTHER);
    let file = of("bridge.md");
    assert_eq!(place.call(press(&file, "again")).await.status, StatusCode::CONFLICT);
    assert_eq!(place.call(press(&file, "remove")).await.status, StatusCode::SEE_OTHER);
    assert_eq!(place.call(press(&file, "remove")).await.status, StatusCode::NOT_FOUND);
    let left = place.call(get("/api/library")).await.json();
    assert_eq!(left["items"].as_array().unwrap().len(), 2, "{left}");
    let log = place.call(get("/api/actions")).await.text;
    for action in ["document added", "document removed", "document read again"] {
        assert!(log.contains(action), "{action}: {log}");
    }
}

#[tokio::test]
async fn a_document_shows_which_reports_cite_it_and_what() {
    let place = Place::open().await;
    let songs = SONGS;
    let report: serde_json::Value = serde_json::from_str(songs).unwrap();
    let source = &report["sources"][0];
    let statement = report["statements"]
        .as_array()
        .unwrap()
        .iter()
        .find(|s| s["evidence"][0]["source"] == source["id"])
        .unwrap();
    let passage = statement["evidence"][0]["passage"].as_str().unwrap();
    let url = probity_core::WebUrl::parse(source["url"].as_str().unwrap()).unwrap();
    let text = format!("Before it.\n\nFirst. {passage} Last.");
    let document = probity_core::Document {
        title: "The song".to_owned(),
        text: text.clone(),
        markdown: text,
        ..Default::default()
    };
    let reading = ReadDocument { document, ..Default::default() };
    Library::of(&place.store).add_page(&url, reading).await.unwrap();
    let id = place.call(get("/api/library")).await.json()["items"][0]["id"].clone();
    let page = place.call(get(&format!("/library/{}", id.as_str().unwrap()))).await.text;
    assert!(page.contains("Cited by") && page.contains(&format!("/runs/{RUN}")), "{page}");
    assert_eq!(page.matches("<mark>").count(), 1, "{page}");
}

#[tokio::test]
async fn runs_are_found_by_words_marks_and_outcome() {
    let place = Place::open().await;
    let hotels = include_str!("../../../probity-report/tests/fixtures/hotels.json");
    place.keep_report("20261115-hotel1", hotels).await;
    let change = |body| Call::new(Method::PATCH, &format!("/api/runs/{RUN}")).json(&body);
    let marked = place.call(change(json!({ "starred": true, "tags": ["Town", "town "] }))).await;
    assert_eq!(marked.json(), json!({ "starred": true, "tags": ["town"] }));
    let long = place.call(change(json!({ "tags": ["x".repeat(99)] }))).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
    for (query, found) in [
        ("q=HOTELS", vec!["20261115-hotel1"]),
        ("tag=town", vec![RUN]),
        ("starred=true", vec![RUN]),
        ("q=nothing+like+it", vec![]),
    ] {
        let list = place.call(get(&format!("/api/runs?{query}"))).await.json();
        let ids: Vec<&str> = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, found, "{query}");
    }
    let page = place.call(get("/runs?tag=town&star=on&outcome=full_report")).await.text;
    assert!(page.contains(RUN) && !page.contains("20261115-hotel1"), "{page}");
    let none = place.call(get("/runs?outcome=failed")).await.text;
    assert!(none.contains("No run is like that."), "{none}");
}

#[tokio::test]
async fn several_reports_are_exported_in_one_archive() {
    let place = Place::open().await;
    let hotels = include_str!("../../../probity-report/tests/fixtures/hotels.json");
    place.keep_report("20261115-hotel1", hotels).await;
    let body = json!({ "runs": [RUN, "20261115-hotel1"], "format": "json" });
    let request = post("/api/runs/export", &body).request();
    let answer = tower::ServiceExt::oneshot(place.router.clone(), request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let names: Vec<String> = (0..archive.len())
        .map(|n| archive.by_index(n).unwrap().name().unwrap().into_owned())
        .collect();
    assert_eq!(names, [format!("probity-{RUN}.json"), "probity-20261115-hotel1.json".to_owned()]);
    let none = place.call(post("/api/runs/export", &json!({ "runs": [] }))).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    let key = form_key(&place.call(get("/runs")).await.text);
    let several = |what: &str| {
        let fields =
            [("form_key", key.as_str()), ("run", RUN), ("run", "20261115-hotel1"), ("what", what)];
        Call::new(Method::POST, "/runs/several").form(&fields)
    };
    let compared = place.call(several("compare")).await;
    assert_eq!(compared.header("location"), format!("/compare?a=20261115-hotel1&b={RUN}"));
    let compared = place.call(get(compared.header("location"))).await;
    assert!(compared.text.contains("Earlier:") && compared.text.contains("Later:"));
    assert_eq!(place.call(several("delete")).await.header("location"), "/runs");
    assert!(place.store.run(&RUN.into()).await.unwrap().is_none());
}

#[tokio::test]
async fn deleting_several_takes_an_admin() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("eve", probity_store::access::Role::Editor).await;
    let fields = [("form_key", key.as_str()), ("run", RUN), ("what", "delete")];
    let call = Call::new(Method::POST, "/runs/several").form(&fields).with("cookie", &cookie);
    assert_eq!(place.call(call).await.status, StatusCode::FORBIDDEN);
    assert!(place.store.run(&RUN.into()).await.unwrap().is_some());
}

#[tokio::test]
async fn a_home_without_runs_shows_what_comes_out() {
    let place = Place::open().await;
    assert!(!place.call(get("/")).await.text.contains("What comes out"), "there is a run");
    place.store.delete_run(&RUN.into()).await.unwrap();
    let home = place.call(get("/")).await.text;
    assert!(home.contains("What comes out") && home.contains("The evidence behind it"), "{home}");
    let example = place.call(get("/example")).await.text;
    assert!(example.contains("Executive Summary") && example.contains("evidence-1"));
}

#[tokio::test]
async fn documents_are_kept_in_collections_which_are_asked_by_themselves() {
    let place = Place::open().await;
    let key = form_key(&place.call(get("/library")).await.text);
    let quay: &[u8] = b"# The quay\n\nThe quay is painted green every spring.";
    let pier: &[u8] = b"# The pier\n\nThe pier is painted blue every autumn.";
    let files = [("quay.md", quay), ("pier.md", pier)];
    let added = Call::new(Method::POST, "/library").files(&[("form_key", &key)], &files);
    assert_eq!(place.call(added).await.status, StatusCode::OK);
    let items = place.call(get("/api/library")).await.json()["items"].clone();
    let ids: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
    let press = async |path: &str, fields: &[(&str, &str)]| {
        let fields = [&[("form_key", key.as_str())], fields].concat();
        place.call(Call::new(Method::POST, path).form(&fields)).await
    };
    let path = "/library/collections";
    // Ticked documents go into a collection that is made for them.
    let made =
        press(path, &[("document", ids[0]), ("name", "The <b>pier</b>"), ("do", "put")]).await;
    assert_eq!(made.header("location"), "/library?collection=1", "{}", made.text);
    let shown = place.call(get("/library?collection=1")).await.text;
    assert!(shown.contains("1 documents of 2") && shown.contains("The &#60;b&#62;pier"), "{shown}");
    assert!(!shown.contains("quay.md"), "{shown}");
    let found = place.call(get("/library?collection=1&q=painted")).await.text;
    assert!(found.contains("The pier") && !found.contains("The quay"), "{found}");
    for (fields, status) in [
        (&[("do", "put"), ("collection", "1")][..], StatusCode::UNPROCESSABLE_ENTITY),
        (&[("do", "put"), ("document", ids[1])][..], StatusCode::UNPROCESSABLE_ENTITY),
        (&[("do", "put"), ("document", "x"), ("collection", "1")][..], StatusCode::NOT_FOUND),
        (&[("do", "put"), ("document", ids[1]), ("collection", "7")][..], StatusCode::NOT_FOUND),
        (&[("do", "put"), ("name", "THE <B>PIER</B>")][..], StatusCode::CONFLICT),
        (&[("do", "put"), ("name", "a, b")][..], StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        assert_eq!(press(path, fields).await.status, status, "{fields:?}");
    }
    // Asked, it is the only part of the library that is searched.
    let ask = Call::new(Method::POST, "/ask").form(&[
        ("form_key", &key),
        ("question", "Which colour is the pier?"),
        ("library", "on"),
        ("collection", "1"),
    ]);
    let asked = place.call(ask).await;
    let run = asked.header("location").trim_start_matches("/runs/").to_owned();
    let spec = place.store.run(&run.as_str().into()).await.unwrap().unwrap().spec;
    let spec: serde_json::Value = serde_json::from_str(&spec).unwrap();
    assert_eq!(spec["where"]["collection"], "The <b>pier</b>", "{spec}");
    assert_eq!(spec["where"]["search"], "library");
    let back = [("document", ids[0]), ("collection", "1"), ("back", ids[0]), ("do", "out")];
    assert_eq!(press(path, &back).await.header("location"), format!("/library/{}", ids[0]));
    let named = json!({ "question": "Which colour is the pier?", "collection": "1" });
    let empty = place.call(post("/api/research", &named)).await;
    assert_eq!(empty.json()["field"], "collection", "{}", empty.text);
    assert_eq!(
        press("/library/collections/1", &[("name", "Pier")]).await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(press("/library/collections/1/remove", &[]).await.header("location"), "/library");
    let log = place.call(get("/api/actions")).await.text;
    for action in ["collection made", "collection renamed", "collection removed"] {
        assert!(log.contains(action), "{action}: {log}");
    }
}

#[tokio::test]
async fn collections_are_kept_over_the_api() {
    let place = Place::open().await;
    let key = form_key(&place.call(get("/library")).await.text);
    let quay: &[u8] = b"# The quay\n\nThe quay is painted green every spring.";
    let added = Call::new(Method::POST, "/library").files(&[("form_key", &key)], &[("q.md", quay)]);
    place.call(added).await;
    let id = place.call(get("/api/library")).await.json()["items"][0]["id"].clone();
    let path = "/api/library/collections";
    let made = place.call(post(path, &json!({ "name": "Quays", "documents": [id] }))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    assert_eq!((&made.json()["name"], &made.json()["documents"]), (&json!("Quays"), &json!(1)));
    let listed = place.call(get("/api/library?collection=quays")).await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    let found = place.call(get("/api/library/search?q=green&collection=Quays")).await.json();
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        place.call(get("/api/library?collection=piers")).await.status,
        StatusCode::NOT_FOUND
    );
    let one = format!("{path}/{}", made.json()["id"]);
    let change = Call::new(Method::PATCH, &one).json(&json!({ "name": "Harbour", "remove": [id] }));
    let changed = place.call(change).await.json();
    assert_eq!((&changed["name"], &changed["documents"]), (&json!("Harbour"), &json!(0)));
    assert_eq!(place.call(Call::new(Method::DELETE, &one)).await.status, StatusCode::NO_CONTENT);
    assert_eq!(place.call(get(path)).await.json(), json!([]));
}
