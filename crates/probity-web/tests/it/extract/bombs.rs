//! Small files that unpack to large ones: read within a limit of memory, in a process of their own.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use probity_web::extract::{Input, Stop, extract, extract_until};

/// What a process may take in all, its program and its stacks included, in kilobytes.
const PROCESS_KB: u64 = 600_000;
/// Where the process of its own finds its document.
const DOCUMENT: &str = "PROBITY_TEST_DOCUMENT";

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn stream(data: &[u8], filter: &str, more: &str) -> Vec<u8> {
    let head = format!("<< /Length {} /Filter {filter} {more} >>\nstream\n", data.len());
    [head.as_bytes(), data, b"\nendstream"].concat()
}

/// A file of numbered objects; the first is the catalogue.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        writeln!(out, "{} 0 obj", index + 1).unwrap();
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let xref = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for offset in offsets {
        writeln!(out, "{offset:010} 00000 n ").unwrap();
    }
    let size = objects.len() + 1;
    write!(out, "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n").unwrap();
    out
}

/// A document of pages with these content streams.
fn paged(contents: Vec<Vec<u8>>, catalogue: &str, resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let pages = contents.len();
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", 4 + page * 2)).collect();
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalogue} >>").into_bytes(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>").into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    for content in contents {
        let place = objects.len() + 2;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {place} 0 R \
                 /Resources << /Font << /F1 3 0 R >> {resources} >> >>"
            )
            .into_bytes(),
        );
        objects.push(content);
    }
    objects.extend(more);
    pdf(&objects)
}

const SENTENCE: &str = "BT /F1 10 Tf 72 700 Td (The council set a fee of forty crowns.) Tj ET\n";

fn text_bomb() -> Vec<u8> {
    let page = stream(&deflated(SENTENCE.repeat(2_000_000).as_bytes()), "/FlateDecode", "");
    let last = stream(&deflated(SENTENCE.as_bytes()), "/FlateDecode", "");
    paged(vec![page.clone(), page, last], "", "", Vec::new())
}

fn one_page(content: &[u8], filter: &str) -> Vec<u8> {
    paged(vec![stream(content, filter, "")], "", "", Vec::new())
}

/// Every bomb by name. Those that still give text give it.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let shown = deflated(format!("BT {} ET", "[(a)(b)(c)(d)] TJ ".repeat(5_000_000)).as_bytes());
    let saved = deflated("q ".repeat(50_000_000).as_bytes());
    let twice = deflated(&deflated(&vec![b' '; 200_000_000]).repeat(30));
    let form = stream(
        &deflated(SENTENCE.repeat(20_000).as_bytes()),
        "/FlateDecode",
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842]",
    );
    let calls = stream(&deflated("/A Do ".repeat(5_000).as_bytes()), "/FlateDecode", "");
    let listed = format!("/X [{}]", "1 ".repeat(8_000_000));
    let page = stream(&deflated(SENTENCE.as_bytes()), "/FlateDecode", "");
    vec![
        ("text.pdf", text_bomb()),
        ("strings.pdf", one_page(&shown, "/FlateDecode")),
        ("states.pdf", one_page(&saved, "/FlateDecode")),
        ("twice.pdf", one_page(&twice, "[/FlateDecode /FlateDecode]")),
        ("forms.pdf", paged(vec![calls], "", "/XObject << /A 6 0 R >>", vec![form])),
        ("list.pdf", paged(vec![page], &listed, "", Vec::new())),
        ("marks.md", "*a* `b` ".repeat(2_200_000).into_bytes()),
        ("lines.txt", "short line\n".repeat(1_600_000).into_bytes()),
    ]
}

fn read(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let markdown = path.extension().is_some_and(|ending| ending == "md");
    let content_type = markdown.then_some("text/markdown");
    let _ = extract(Input { bytes: &bytes, content_type, url: None });
}

/// Not a test of its own: what [`no_bomb_takes_more_memory_than_it_is_given`] runs.
#[test]
#[ignore = "run by another test, in a process of its own"]
fn read_the_document_that_was_given() {
    if let Some(path) = std::env::var_os(DOCUMENT) {
        read(Path::new(&path));
    }
}

#[cfg(unix)]
#[test]
fn no_bomb_takes_more_memory_than_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    for (name, bytes) in bombs() {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let script = format!("ulimit -v {PROCESS_KB} && exec \"$0\" \"$@\"");
        let done = Command::new("sh")
            .args(["-c", &script])
            .arg(&program)
            .args(["--exact", "extract::bombs::read_the_document_that_was_given"])
            .args(["--ignored", "--test-threads=1"])
            .env(DOCUMENT, &path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{name}: {} {said}", done.status);
        assert!(said.contains("1 passed"), "{name}: {said}");
    }
}

#[test]
fn the_pages_after_a_bomb_are_still_read() {
    let strings = deflated(SENTENCE.repeat(110_000).as_bytes());
    let fine = stream(&deflated(SENTENCE.as_bytes()), "/FlateDecode", "");
    let bytes = paged(vec![stream(&strings, "/FlateDecode", ""), fine], "", "", Vec::new());
    let read = extract(Input { bytes: &bytes, content_type: None, url: None }).unwrap();
    assert_eq!(read.document.text, "The council set a fee of forty crowns.");
    assert_eq!(read.document.page_of(0), Some(2));
    assert!(read.document.cut_short.unwrap().contains("too many pieces of text"));
}

#[test]
fn a_reader_stops_when_nobody_waits() {
    let stop = Stop::default();
    stop.set();
    let bytes = text_bomb();
    let read = extract_until(Input { bytes: &bytes, content_type: None, url: None }, &stop);
    assert_eq!(read.unwrap_err(), probity_web::extract::ExtractError::Stopped);
}
