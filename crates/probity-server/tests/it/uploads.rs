//! Documents that a user brings along: read, kept as texts, asked; and what is refused leaves nothing.

use std::io::Write as _;

use axum::body::{Body, Bytes};
use http::{Method, Request, StatusCode, header};
use probity_research::RunSpec;
use probity_store::access::Role;
use serde_json::json;

use crate::place::{Call, HOST, Place, form_key, get, post};

const NOTE: &[u8] = b"# The harbour bridge\n\nThe harbour bridge of Port Ellery opened in 1931 and is 310 metres long.\n";

fn bring(files: &[(&str, &[u8])]) -> Call {
    Call::new(Method::POST, "/api/uploads").files(&[], files)
}

/// How many uploads there are, once what runs in the background had its turn.
async fn kept(place: &Place) -> u64 {
    let far = probity_core::Timestamp(i64::MAX / 2);
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    place.store.forget_uploads(far).await.unwrap()
}

/// A Word file whose text unpacks to so many bytes.
fn docx(bytes: usize) -> Vec<u8> {
    let mut file = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    file.start_file("[Content_Types].xml", options).unwrap();
    file.write_all(b"<Types/>").unwrap();
    file.start_file("word/document.xml", options).unwrap();
    file.write_all(b"<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body><w:p><w:r><w:t>").unwrap();
    let block = vec![b'a'; 1 << 20];
    for _ in 0..bytes.div_ceil(block.len()) {
        file.write_all(&block).unwrap();
    }
    file.write_all(b"</w:t></w:r></w:p></w:body></w:document>").unwrap();
    file.finish().unwrap().into_inner()
}

#[tokio::test]
async fn documents_that_are_brought_along_are_read_named_and_asked() {
    let place = Place::open().await;
    let answer =
        place.call(bring(&[("bridge.md", NOTE), ("notes/b.txt", b"It is painted green.")])).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let upload_json = answer.json();
    assert_eq!(upload_json["files"][0]["title"], "The harbour bridge");
    assert_eq!(upload_json["files"][1]["name"], "notes/b.txt");
    let upload = upload_json["upload"].as_str().unwrap();
    let again = Call::new(Method::POST, &format!("/api/uploads/{upload}"));
    let answer = place
        .call(again.files(&[("text", "A pasted line about the bridge."), ("title", "Note")], &[]))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let shown = place.call(get(&format!("/api/uploads/{upload}"))).await.json();
    let names: Vec<&str> = shown["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["bridge.md", "notes/b.txt", "Note.txt"]);
    let gone = Call::new(Method::DELETE, &format!("/api/uploads/{upload}/documents/2"));
    assert_eq!(place.call(gone).await.status, StatusCode::NO_CONTENT);
    let ask = json!({ "question": "When did the bridge open?", "upload": upload });
    let asked = post("/api/research/stream", &ask);
    let asked = tower::ServiceExt::oneshot(place.router.clone(), asked.request()).await.unwrap();
    assert_eq!(asked.status(), StatusCode::OK);
    let run = &place.store.runs(&Default::default()).await.unwrap()[0];
    let spec = place.store.run(&run.id).await.unwrap().unwrap().spec;
    let spec: RunSpec = serde_json::from_str(&spec).unwrap();
    assert_eq!(spec.place.files.as_deref(), Some(upload));
    assert!(spec.place.is_own_documents());
    let kept_by_run = Call::new(Method::DELETE, &format!("/api/uploads/{upload}"));
    assert_eq!(place.call(kept_by_run).await.status, StatusCode::CONFLICT);
    assert_eq!(kept(&place).await, 0, "a run asks it");
    place.store.delete_run(&run.id).await.unwrap();
    assert!(place.store.upload(upload).await.unwrap().is_none(), "it went with its run");
}

#[tokio::test]
async fn each_file_that_cannot_be_taken_says_why_and_the_others_are_taken() {
    let place = Place::open().await;
    let bomb = docx(200 << 20);
    assert!(bomb.len() < 1 << 20, "it is small as a file");
    let large = vec![b'x'; (20 << 20) + 1];
    let files: [(&str, &[u8]); 7] = [
        ("bridge.md", NOTE),
        ("../../etc/cron.d/x.md", NOTE),
        ("bomb.docx", &bomb),
        ("large.txt", &large),
        ("empty.txt", b""),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01"),
        ("broken.pdf", b"%PDF-1.7\nnothing of one"),
    ];
    let answer = place.call(bring(&files)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let upload_json = answer.json();
    let kinds: Vec<&str> = upload_json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["problem"]["type"].as_str().unwrap_or("taken"))
        .collect();
    assert_eq!(kinds[..2], ["taken", "name"]);
    assert_eq!(kinds[3..6], ["too-large", "empty", "unsupported"]);
    assert!(
        ["broken", "too-large"].contains(&kinds[2])
            || upload_json["files"][2]["words"].as_i64() < Some(10),
        "{upload_json}"
    );
    assert!(["broken", "no-text"].contains(&kinds[6]), "{upload_json}");
    for file in upload_json["files"].as_array().unwrap().iter().skip(1) {
        let detail = file["problem"]["detail"].as_str().unwrap_or("-");
        assert!(
            !detail.is_empty() && !detail.contains("/work") && !detail.contains("/tmp"),
            "{file}"
        );
    }
    let none = place.call(bring(&[("../x.md", NOTE)])).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(none.json()["upload"], json!(null));
    assert_eq!(kept(&place).await, 1, "only the first");
}

#[tokio::test]
async fn a_page_with_a_script_is_kept_as_its_text() {
    let place = Place::open().await;
    let page = b"<html><head><title>Tides</title><script>alert('tides')</script></head><body><h1>Tides</h1><p onclick=\"alert(1)\">The sea rises, and the sea falls twice a day in the harbour.</p><img src=x onerror=alert(2)></body></html>";
    let answer = place.call(bring(&[("tides.html", page)])).await;
    let upload = answer.json()["upload"].as_str().unwrap().to_owned();
    let readings = place.store.upload_readings(&upload).await.unwrap();
    let text = serde_json::to_string(&readings[0].1).unwrap();
    assert!(text.contains("The sea rises") && !text.contains("alert("), "{text}");
}

#[tokio::test]
async fn too_many_files_are_refused_together_and_nothing_is_left() {
    let place = Place::open().await;
    let names: Vec<String> = (0..10_000).map(|n| format!("{n}.txt")).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &b"The bridge is green."[..])).collect();
    let answer = place.call(bring(&files)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
    assert!(answer.json()["detail"].as_str().unwrap().contains("200 files"));
    assert_eq!(kept(&place).await, 0);
}

#[tokio::test]
async fn a_body_that_says_it_is_huge_is_refused_before_it_is_read() {
    let place = Place::open().await;
    // Whoever read it would wait for ever.
    let body = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/uploads")
        .header(header::HOST, HOST)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x")
        .header(header::CONTENT_LENGTH, (2u64 << 30).to_string())
        .body(body)
        .unwrap();
    let answer = place.answer(request).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
    assert!(answer.text.contains("100 MB"), "{}", answer.text);
}

#[tokio::test]
async fn a_body_that_turns_out_to_be_huge_is_left_where_it_is_and_nothing_is_kept() {
    let place = Place::open().await;
    let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.md\"\r\n\r\n\
                # Bridge\n\nThe bridge opened in 1931.\r\n\
                --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"b.txt\"\r\n\r\n";
    let block = Bytes::from(vec![b'y'; 1 << 20]);
    let blocks = std::iter::once(Bytes::from(head)).chain(std::iter::repeat_n(block, 4_096));
    let body = Body::from_stream(futures::stream::iter(blocks.map(Ok::<_, std::io::Error>)));
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/uploads")
        .header(header::HOST, HOST)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x")
        .body(body)
        .unwrap();
    let answer = place.answer(request).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
    assert_eq!(kept(&place).await, 0, "what came before it is gone too");
}

#[tokio::test]
async fn what_somebody_brought_is_theirs() {
    let place = Place::locked().await;
    let ann = place.token("ann", "read,research").await;
    let bob = place.token("bob", "read,research").await;
    let upload = place.call(bring(&[("bridge.md", NOTE)]).token(&ann)).await.json();
    let upload = upload["upload"].as_str().unwrap();
    let look = |token: &str| get(&format!("/api/uploads/{upload}")).token(token);
    assert_eq!(place.call(look(&bob)).await.status, StatusCode::NOT_FOUND);
    let ask = json!({ "question": "When did the bridge open?", "upload": upload });
    let asked = place.call(post("/api/research", &ask).token(&bob)).await;
    assert_eq!(asked.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", asked.text);
    assert_eq!(place.call(look(&ann)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_form_with_files_has_to_be_ours() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("eve", Role::Editor).await;
    let files: [(&str, &[u8]); 1] = [("bridge.md", NOTE)];
    let send = |fields: &[(&str, &str)]| {
        Call::new(Method::POST, "/ask").files(fields, &files).with("cookie", &cookie)
    };
    let question = ("question", "When did the harbour bridge open?");
    for fields in
        [vec![question], vec![("form_key", "wrong"), question], vec![question, ("form_key", &key)]]
    {
        let answer = place.call(send(&fields)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{fields:?}");
    }
    assert_eq!(kept(&place).await, 0);
    let answer = place.call(send(&[("form_key", &key), question, ("files", "on")])).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
}

#[tokio::test]
async fn the_form_asks_what_it_brings_and_says_what_it_cannot() {
    let place = Place::open().await;
    let page = place.call(get("/")).await.text;
    for part in [
        "The web",
        "there is no network in a test",
        "These files",
        "anthropic:large: quick $0.020–0.30",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let key = form_key(&page);
    let ask = |more: &[(&str, &str)], files: &[(&str, &[u8])]| {
        let mut fields =
            vec![("form_key", key.as_str()), ("question", "When did the bridge open?")];
        fields.extend_from_slice(more);
        Call::new(Method::POST, "/ask").files(&fields, files)
    };
    // Only the web, which cannot be reached: said before anyone waits, and asked all the same if meant.
    let warned = place.call(ask(&[("web", "on")], &[])).await;
    assert!(
        warned.text.contains("there is no network in a test")
            && warned.text.contains("name=\"anyway\"")
    );
    let anyway = place.call(ask(&[("web", "on"), ("anyway", "on")], &[])).await;
    assert_eq!(anyway.status, StatusCode::SEE_OTHER, "{}", anyway.text);
    // A file that cannot be read brings the form back with what could.
    let files: [(&str, &[u8]); 2] = [("bridge.md", NOTE), ("picture.png", b"\x89PNG\r\n\x1a\n\0")];
    let back = place.call(ask(&[("files", "on")], &files)).await;
    assert_eq!(back.status, StatusCode::OK);
    assert!(back.text.contains("bridge.md") && back.text.contains("picture.png"), "{}", back.text);
    assert!(back.text.contains("When did the bridge open?"), "the question is still there");
    let upload =
        back.text.split("name=\"upload\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(!upload.is_empty());
    let pasted =
        [("files", "on"), ("upload", upload), ("keep", "on"), ("paste", "It is painted green.")];
    let asked = place.call(ask(&pasted, &[])).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let id = asked.header("location").trim_start_matches("/runs/").to_owned();
    let spec: RunSpec =
        serde_json::from_str(&place.store.run(&id.as_str().into()).await.unwrap().unwrap().spec)
            .unwrap();
    assert_eq!(spec.place.files.as_deref(), Some(upload));
    let library = place.call(get("/api/library")).await.json();
    assert_eq!(library["items"].as_array().unwrap().len(), 2, "{library}");
}
