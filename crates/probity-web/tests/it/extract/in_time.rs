//! Extraction under a deadline.

use std::time::Duration;

use bytes::Bytes;
use probity_web::extract::in_time::EXTRACT_TIME;
use probity_web::extract::{ExtractError, extract_in_time};

fn page(text: &str) -> Bytes {
    Bytes::from(format!("<p>{text}</p>"))
}

#[tokio::test]
async fn many_pages_at_once_are_all_read() {
    let reads = (0..200).map(|number| {
        extract_in_time(page(&format!("Page {number}, and its text.")), None, None, EXTRACT_TIME)
    });
    for (number, result) in futures::future::join_all(reads).await.into_iter().enumerate() {
        assert_eq!(result.unwrap().document.text, format!("Page {number}, and its text."));
    }
}

#[tokio::test]
async fn what_takes_too_long_is_given_up_and_the_next_page_is_read() {
    let slow = Bytes::from(format!("<p>{}</p>", "<b>word, ".repeat(300_000)));
    let given_up = extract_in_time(slow, None, None, Duration::from_micros(1)).await;
    assert!(matches!(given_up, Err(ExtractError::TimedOut(_))), "{given_up:?}");
    let next = extract_in_time(page("The next one, as ever."), None, None, EXTRACT_TIME).await;
    assert_eq!(next.unwrap().document.text, "The next one, as ever.");
}
