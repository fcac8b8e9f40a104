//! Pages made to break a reader: answered in bounded time and memory, never with a crash.

use probity_web::extract::{ExtractError, Input, extract};

const PROSE: &str =
    "<p>Real prose, with a comma and enough words to count as text for readers.</p>";

fn read(html: &str) -> Result<String, ExtractError> {
    let input = Input { bytes: html.as_bytes(), content_type: Some("text/html"), url: None };
    extract(input).map(|extracted| extracted.document.text)
}

/// A small stack: a reader that recursed with the nesting of a page would overflow it.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 * 1024).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_hundred_thousand_nested_elements_do_not_overflow_the_stack() {
    on_a_small_stack(|| {
        for open in [
            "<div>",
            "<b>",
            "<a href=x><font>",
            "<table><tr><td>",
            "<ul><li>",
            "<blockquote>",
            "<span>",
            "<svg><g>",
            "<p><i>",
            "<x-y>",
            "<dl><dd>",
            "<div style='opacity:0'>",
            "<section class=related>",
        ] {
            let html = format!("<body>{PROSE}{}{PROSE}", open.repeat(100_000));
            let text = read(&html).unwrap_or_else(|error| panic!("{open}: {error}"));
            assert!(text.contains("Real prose"), "{open}: {text}");
        }
    });
}

#[test]
fn repetition_costs_no_more_than_its_length() {
    on_a_small_stack(|| {
        for piece in [
            "<p>x</p>",
            "<br>",
            "<p>Some text, here it is.",
            "<li>Some text, here.",
            "</div>",
            "<h2>Heading</h2>",
            "<a href=\"http://a.example/\">link</a> ",
            "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
            "<!-- x -->",
            "&amp;",
            "<time datetime=2020-01-01>x</time>",
            "<meta name=a content=b>",
            "<title>x</title>",
            "<option>a",
            "<div class=\"nav comment related\">",
            "<script>x</script>",
            "<style>.a{display:none}</style>",
            "<article class=post><h2>A title of some words</h2><div class=entry-content>",
        ] {
            let html = format!("<body>{PROSE}{}", piece.repeat(20_000));
            match read(&html) {
                Ok(_) | Err(ExtractError::Empty) => {}
                Err(error) => panic!("{piece}: {error}"),
            }
        }
    });
}

#[test]
fn ten_megabytes_in_one_line_are_read() {
    let html = format!("<body><p>{}</p>", "word, ".repeat(1_700_000));
    assert!(read(&html).unwrap().len() > 10_000_000);
}

#[test]
fn what_is_never_closed_is_still_read() {
    for html in [
        "<p>Wide is the sea, and the ship is small.<div>And <b>so is <i>the crew<a href=x",
        "<table><tr><td>Wide is the sea, and the ship is small.",
        "<ul><li>Wide is the sea, and the ship is small.<li>So is the crew.",
        "Wide is the sea, and the ship is small. <",
        "Wide is the sea, and the ship is small. <!-- and so on",
        "Wide is the sea, and the ship is small. &#x110000; &#; &notanentity; &#0;",
    ] {
        assert!(read(html).unwrap().contains("Wide is the sea, and the ship is small."), "{html}");
    }
}

#[test]
fn broken_bytes_never_fail() {
    for bytes in [
        &b"<p>caf\xe9 au lait, and more of it.</p>"[..],
        b"\xff\xfe<\0p\0>\0a\0,\0 \0b\0",
        b"<meta charset=utf-16><p>Plain text, that is.</p>",
        b"<meta charset=x-unknown><p>Plain \xf0\x28\x8c\x28 text.</p>",
        b"<p>\xed\xa0\x80 lone surrogate, here.</p>",
        b"\xef\xbb\xbf<p>With a mark, this is.</p>",
    ] {
        let input = Input { bytes, content_type: Some("text/html; charset=bogus"), url: None };
        assert!(!extract(input).unwrap().document.text.is_empty());
    }
}

#[test]
fn a_body_without_text_says_so() {
    for html in
        ["", "   ", "<html><body></body></html>", "<script>let x = 1;</script>", "<p hidden>x</p>"]
    {
        assert_eq!(read(html), Err(ExtractError::Empty), "{html}");
    }
    let input =
        Input { bytes: b"\x89PNG\r\n\x1a\n\0\0", content_type: Some("text/html"), url: None };
    assert!(matches!(extract(input), Err(ExtractError::Unsupported(_))));
    let huge = vec![b'a'; 21 * 1024 * 1024];
    let input = Input { bytes: &huge, content_type: None, url: None };
    assert!(matches!(extract(input), Err(ExtractError::TooLarge { .. })));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn any_soup_of_tags_is_read_without_a_crash(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<a href='/x'>", "</a>", "<table>", "<tr>", "<td>",
            "</table>", "<ul>", "<li>", "</ul>", "<pre>", "</pre>", "<h1>", "</h2>", "<br>", "<svg>", "</svg>",
            "<script>", "</script>", "<style>", "</style>", "<title>", "</title>", "<body>", "<html lang=en>",
            "<blockquote>", "</blockquote>", "text, and more. ", "&lt;", "\u{202e}", "2019-05-06 ", "<time>",
            "<article>", "</article>", "<nav>", "<main>", "<template>", "</template>", "<!--", "-->", "<code>",
        ]), 0..120)
    ) {
        let _ = read(&pieces.concat());
    }

    #[test]
    fn any_bytes_are_read_without_a_crash(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..2_000)) {
        let _ = extract(Input { bytes: &bytes, content_type: Some("text/html"), url: None });
        let _ = extract(Input { bytes: &bytes, content_type: Some("text/markdown"), url: None });
    }

    #[test]
    fn text_has_no_characters_that_nobody_sees(text in "\\PC{0,80}") {
        let html = format!("<p>{PROSE} {text}</p>");
        if let Ok(text) = read(&html) {
            let is_smuggled = |c: char| matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' | '\u{feff}' | '\u{ad}');
            proptest::prop_assert!(!text.chars().any(is_smuggled));
        }
    }
}

/// The shortest of three readings: load on the machine only ever adds.
fn cost(html: &str) -> std::time::Duration {
    let once = |_| {
        let begun = std::time::Instant::now();
        let _ = read(html);
        begun.elapsed()
    };
    (0..3).map(once).min().unwrap()
}

#[test]
fn eight_times_the_page_is_not_sixty_times_the_work() {
    for piece in [
        "<div><p>Some text, here it is.",
        "<table><tr><td>a<td>b<tr><td>",
        "<b><i>x, y",
        "<ul><li>some item, here",
        "<div class=comment>",
        "<a href=x>link</a> text, ",
        "<div style='opacity:0'>x, y",
        "</div></p>",
        "<p><b></p>",
        "<article><h2>A title of words</h2><p>Some text, here it is.</p></article>",
        "<span class=date>6 May 2019</span>",
    ] {
        let small = cost(&format!("<body>{PROSE}{}", piece.repeat(2_000)));
        let large = cost(&format!("<body>{PROSE}{}", piece.repeat(16_000)));
        let ratio = large.as_secs_f64() / small.as_secs_f64().max(1e-6);
        assert!(ratio < 40.0, "{piece}: {small:?} grew to {large:?}, {ratio:.0} times");
    }
}
