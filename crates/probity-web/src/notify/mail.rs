//! A message as an e-mail: headers to which no lines can be added, and a body that any server passes on.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use probity_core::printable;

use super::{MailServer, Message};

/// The longest line of an encoded body.
const LINE: usize = 76;
/// How many bytes of a header text go into one encoded word, which may have 75 characters.
const WORD_BYTES: usize = 42;
/// The longest subject, in characters.
const SUBJECT_CHARS: usize = 200;

/// The whole e-mail, its lines ended as SMTP wants them.
pub(super) fn compose(server: &MailServer, message: &Message, id: &str) -> String {
    let host = server.from.rsplit('@').next().unwrap_or("localhost");
    let date = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let date = date.strftime("%a, %d %b %Y %H:%M:%S +0000");
    let body = format!("{}\n", message.text());
    let encoded = BASE64.encode(body);
    let mut lines = vec![
        format!("From: Probity <{}>", server.from),
        format!("To: {}", server.to.join(", ")),
        format!("Subject: {}", header_text(&message.title)),
        format!("Date: {date}"),
        format!("Message-ID: <{id}@{host}>"),
        "MIME-Version: 1.0".to_owned(),
        "Content-Type: text/plain; charset=utf-8".to_owned(),
        "Content-Transfer-Encoding: base64".to_owned(),
        // So that no holiday greeting comes back.
        "Auto-Submitted: auto-generated".to_owned(),
        String::new(),
    ];
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        // Encoded bytes are ASCII, so every place is a boundary.
        let (line, more) = rest.split_at_checked(LINE).unwrap_or((rest, ""));
        lines.push(line.to_owned());
        rest = more;
    }
    lines.join("\r\n") + "\r\n"
}

/// A text as one header line: as it is where it is plain, as encoded words where it is not.
pub(super) fn header_text(text: &str) -> String {
    let text = printable::brief(text, SUBJECT_CHARS);
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return text;
    }
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for letter in text.chars() {
        if word.len() + letter.len_utf8() > WORD_BYTES {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter);
    }
    words.push(word);
    let encoded = words.iter().map(|word| format!("=?UTF-8?B?{}?=", BASE64.encode(word)));
    encoded.collect::<Vec<_>>().join(" ")
}

/// Whether a text is an address that can stand in a command and a header.
pub fn is_address(text: &str) -> bool {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,;:\"()[]\\".contains(&byte));
    let parts = text.split_once('@');
    let whole = parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    plain && whole && text.len() <= 254
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::Security;

    #[test]
    fn a_mail_has_its_headers_and_nothing_that_a_title_adds() {
        let server = MailServer {
            host: "mail.example".to_owned(),
            port: 25,
            security: Security::None,
            user: None,
            password: None,
            from: "desk@probity.example".to_owned(),
            to: vec!["ada@example.org".to_owned()],
        };
        let message = Message {
            kind: "test".to_owned(),
            title: "Fährt wieder\r\nBcc: all@example.org".to_owned(),
            lines: vec!["Zeile 1".to_owned(), "x".repeat(200)],
            link: Some("https://probity.example/runs/1".to_owned()),
            at: String::new(),
        };
        let mail = compose(&server, &message, "id-1");
        let (head, body) = mail.split_once("\r\n\r\n").unwrap();
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(head.contains("Subject: =?UTF-8?B?"), "{head}");
        assert!(mail.lines().all(|line| line.len() <= 200), "{mail}");
        let bytes = BASE64.decode(body.replace("\r\n", "")).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("Zeile 1\nx") && text.ends_with("/runs/1\n"), "{text}");
    }

    #[test]
    fn only_addresses_are_addresses() {
        for good in ["a@b", "ada.l+x@example.org"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "a", "a@", "@b", "a b@c", "a@b>\r\nRCPT", "<a@b>", "a@b,c@d", "ä@b"] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
