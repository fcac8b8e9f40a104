//! Mail → messages with who wrote when, and the documents attached to them.
//!
//! A file holds one message, or a mailbox of them (mbox). Attached messages and documents are read
//! too, from the same budget; what cannot be read is named.

mod message;

use std::borrow::Cow;
use std::time::Duration;

use probity_core::Document;

use super::budget::{Budget, Spent};
use super::detect_language;
use super::render::Written;
use message::{Headers, Reading};

/// The most messages of one mailbox that are read.
const MAX_MESSAGES: usize = 10_000;
/// How long reading may take; what is read by then is the text.
const MAIL_TIME: Duration = Duration::from_secs(8);

/// Reads a message or a mailbox.
///
/// # Errors
/// When no message is in it.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let messages = messages(bytes);
    let is_mailbox = messages.len() > 1;
    let mut reading =
        Reading { budget, deadline: budget.deadline(MAIL_TIME), written: Written::default() };
    let mut first: Option<Headers> = None;
    let mut last_day = None;
    let mut count = 0_usize;
    for bytes in messages {
        if count >= MAX_MESSAGES {
            budget.cut(Spent::Pages);
        }
        if budget.is_over() {
            break;
        }
        let Some(headers) = reading.message(&bytes) else { continue };
        count = count.saturating_add(1);
        last_day = last_day.max(headers.day);
        first.get_or_insert(headers);
    }
    let first = first.ok_or("it holds no message")?;
    let written = reading.written;
    Ok(Document {
        title: if is_mailbox {
            format!("{count} messages, from “{}”", first.subject)
        } else {
            first.subject
        },
        byline: first.from.filter(|_| !is_mailbox),
        published: first.day,
        updated: last_day.filter(|day| is_mailbox && Some(*day) > first.day),
        lang: detect_language(&written.text),
        ..written.into_document()
    })
}

/// The messages of a mailbox, each without the line that parts it from the one before; or the one
/// message that there is.
fn messages(bytes: &[u8]) -> Vec<Cow<'_, [u8]>> {
    let mut messages = Vec::new();
    if !bytes.starts_with(b"From ") {
        return vec![Cow::Borrowed(bytes)];
    }
    let (mut at, mut begin, mut after_blank) = (0_usize, 0_usize, true);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = at.saturating_add(line.len());
        if after_blank && line.starts_with(b"From ") {
            messages.push(bytes.get(begin..at).unwrap_or_default());
            begin = end;
        }
        after_blank = line.trim_ascii().is_empty();
        at = end;
    }
    messages.push(bytes.get(begin..).unwrap_or_default());
    messages.retain(|message: &&[u8]| !message.trim_ascii().is_empty());
    messages.into_iter().map(unquoted).collect()
}

/// A message of a mailbox without the signs that keep its lines from being taken for the beginning of
/// the next one (`>From here on`).
fn unquoted(message: &[u8]) -> Cow<'_, [u8]> {
    let is_quoted = |line: &[u8]| {
        let rest = line.iter().position(|byte| *byte != b'>').and_then(|at| line.get(at..));
        line.starts_with(b">") && rest.is_some_and(|rest| rest.starts_with(b"From "))
    };
    if !message.split(|byte| *byte == b'\n').any(is_quoted) {
        return Cow::Borrowed(message);
    }
    let lines = message.split_inclusive(|byte| *byte == b'\n');
    let lines =
        lines.map(|line| if is_quoted(line) { line.get(1..).unwrap_or_default() } else { line });
    Cow::Owned(lines.collect::<Vec<_>>().concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::budget::Stop;

    fn read(text: &str) -> Document {
        super::read(text.as_bytes(), &Budget::new(Stop::default())).unwrap()
    }

    #[test]
    fn a_message_has_its_subject_sender_day_and_text() {
        let document = read(
            "From: =?utf-8?q?Ngozi_Ok=C3=A1for?= <ngozi@a.example>\r\nTo: Harbour <h@b.example>, c@c.example\r\n\
             Subject: =?utf-8?b?RsOkaHJl?= fees\r\nDate: Tue, 3 Mar 2026 23:30:00 -0500\r\n\
             Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
             The fee is 40=20crowns, says Jos=E9.\r\n",
        );
        assert_eq!(document.title, "Fähre fees");
        assert_eq!(document.byline.as_deref(), Some("Ngozi Okáfor"));
        assert_eq!(document.published.map(|day| day.to_string()).as_deref(), Some("2026-03-03"));
        assert_eq!(
            document.text,
            "Fähre fees\nFrom: Ngozi Okáfor <ngozi@a.example> · To: Harbour <h@b.example>, c@c.example · \
             Date: 2026-03-03\nThe fee is 40 crowns, says José."
        );
    }

    #[test]
    fn attached_documents_and_messages_are_read_and_pictures_named() {
        let document = read(
            "From: a@a.example\nSubject: Prices\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\nContent-Type: multipart/alternative; boundary=c\n\n\
             --c\nContent-Type: text/plain\n\nSee the list.\n--c\nContent-Type: text/html\n\n<p>See the list.</p>\n--c--\n\
             --b\nContent-Type: text/csv; name=list.csv\nContent-Disposition: attachment; filename=list.csv\n\n\
             Room,Fee\nLoft,40\nHall,90\n\
             --b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABAAAAAA==\n\
             --b\nContent-Type: message/rfc822\n\nFrom: b@b.example\nSubject: Inner\n\nThe inner text.\n--b--\n",
        );
        assert_eq!(document.text.matches("See the list.").count(), 1, "{}", document.text);
        assert!(
            document
                .text
                .contains("Attachment: list.csv\nRoom: Loft · Fee: 40\nRoom: Hall · Fee: 90"),
            "{}",
            document.text
        );
        assert!(document.text.contains("Attachment: a.png (not read)"), "{}", document.text);
        assert!(
            document.text.contains("Inner\nFrom: b@b.example\nThe inner text."),
            "{}",
            document.text
        );
        for heading in &document.headings {
            assert!(document.text.get(heading.start..).is_some_and(|rest| !rest.starts_with('\n')));
        }
    }

    #[test]
    fn a_page_in_a_message_is_read_as_a_page() {
        let document = read(
            "From: a@a.example\nSubject: Hello\nContent-Type: text/html\n\n\
             <style>p{}</style><p>The <b>ferry</b> sails.<div style=\"display:none\">Ignore the reader.</div>",
        );
        assert!(document.text.ends_with("The ferry sails."), "{}", document.text);
    }

    #[test]
    fn a_mailbox_is_its_messages_in_their_order() {
        let document = read(
            "From a@a.example Tue Mar  3 10:00:00 2026\nFrom: a@a.example\nSubject: One\n\
             Date: Tue, 3 Mar 2026 10:00:00 +0000\n\nFirst text.\nFrom here it goes on.\n\n\
             From b@b.example Wed Mar  4 10:00:00 2026\nFrom: b@b.example\nSubject: Two\n\
             Date: Wed, 4 Mar 2026 10:00:00 +0000\n\nSecond text.\n",
        );
        assert_eq!(document.title, "2 messages, from “One”");
        assert_eq!(document.byline, None);
        let (first, second) =
            (document.text.find("First text."), document.text.find("Second text."));
        assert!(first < second && first.is_some(), "{}", document.text);
        assert!(document.text.contains("From here it goes on."));
        assert_eq!(document.updated.map(|day| day.to_string()).as_deref(), Some("2026-03-04"));
    }

    #[test]
    fn a_line_that_a_mailbox_quotes_is_read_as_it_was_written() {
        let document = read(
            "From a@a.example Tue Mar  3 10:00:00 2026\nFrom: a@a.example\nSubject: One\n\n\
             >From here on eels cost 5.\n>>From a letter.\n> From is a word.\n",
        );
        assert!(
            document
                .text
                .ends_with("From here on eels cost 5.\n>From a letter.\n> From is a word."),
            "{}",
            document.text
        );
    }

    #[test]
    fn messages_within_messages_end_somewhere() {
        let mut text = "From: a@a.example\nSubject: x\n\nThe end.\n".to_owned();
        for _ in 0..200 {
            text = format!("From: a@a.example\nSubject: x\nContent-Type: message/rfc822\n\n{text}");
        }
        assert!(read(&text).text.len() < 10_000);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let budget = Budget::new(Stop::default());
        assert!(super::read(b"", &budget).is_err());
    }
}
