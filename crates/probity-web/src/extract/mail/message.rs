//! One message: its headers as a line, its text, its attachments.

use std::path::Path;
use std::time::Instant;

use jiff::civil::Date;
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders as _, PartType};

use crate::extract::block::{Block, Shape};
use crate::extract::budget::{Budget, Spent};
use crate::extract::dates::is_plausible;
use crate::extract::html::{one_line, read_fragment};
use crate::extract::render::Written;
use crate::extract::{BodyKind, Input, named, sniff, text};

/// The most attachments of one message that are looked at.
const MAX_ATTACHMENTS: usize = 100;
/// How deep messages are attached to messages.
const MAX_DEPTH: u8 = 3;
/// The most people that a line names.
const MAX_PEOPLE: usize = 20;
/// The longest subject, name or file name.
const MAX_LINE_CHARS: usize = 300;

/// What is above a message.
pub(super) struct Headers {
    /// What it is about; never empty.
    pub(super) subject: String,
    /// Who wrote it.
    pub(super) from: Option<String>,
    /// The day on the writer's clock.
    pub(super) day: Option<Date>,
}

/// Messages that are read into one text.
pub(super) struct Reading<'a> {
    /// What the reading is paid from.
    pub(super) budget: &'a Budget,
    /// When the reading ends.
    pub(super) deadline: Option<Instant>,
    /// The text so far.
    pub(super) written: Written,
}

impl Reading<'_> {
    /// Reads one message; none where the bytes are no message.
    pub(super) fn message(&mut self, bytes: &[u8]) -> Option<Headers> {
        let message = MessageParser::default().parse(bytes)?;
        if message.headers().is_empty() {
            return None;
        }
        Some(self.take(&message, 1))
    }

    fn take(&mut self, message: &Message<'_>, depth: u8) -> Headers {
        let headers = headers(message);
        self.push(&[
            Block::plain(Shape::Heading(depth.min(6)), &headers.subject),
            Block::plain(Shape::Paragraph, &headers_line(message, &headers)),
        ]);
        // Where a part is there as text and as a page, this is the text.
        for part in message.text_bodies() {
            self.body(part);
        }
        for (number, part) in message.attachments().enumerate() {
            if number >= MAX_ATTACHMENTS {
                self.budget.cut(Spent::Pages);
            }
            if self.is_over() {
                break;
            }
            self.attachment(part, depth);
        }
        headers
    }

    fn body(&mut self, part: &MessagePart<'_>) {
        if self.is_over() {
            return;
        }
        match &part.body {
            PartType::Text(body) => {
                let body = text::read(body, self.budget);
                self.pay_and_append(&body.text, |written| written.push_document(&body));
            }
            PartType::Html(page) => {
                let (_, blocks) = read_fragment(page, None, self.budget);
                let blocks: Vec<_> = blocks.into_iter().map(Some).collect();
                self.push(&blocks);
            }
            _ => {}
        }
    }

    fn attachment(&mut self, part: &MessagePart<'_>, depth: u8) {
        if let PartType::Message(message) = &part.body {
            if depth < MAX_DEPTH {
                self.take(message, depth.saturating_add(1));
            } else {
                self.budget.cut(Spent::Elements);
            }
            return;
        }
        let Some(name) = part.attachment_name().map(|name| one_line(name, MAX_LINE_CHARS)) else {
            // A part without a name is a picture of the text, or what is below it.
            return self.body(part);
        };
        let said = part
            .content_type()
            .map(|kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default()));
        let content_type = named(Path::new(&name)).or(said.as_deref());
        let input = Input { bytes: part.contents(), content_type, url: None };
        let document = match sniff(input.bytes, content_type) {
            // A mailbox in a message is no longer a letter.
            BodyKind::Other | BodyKind::Mail => None,
            kind => crate::extract::read(kind, input, self.budget).ok().map(|read| read.document),
        };
        let document = document.filter(|document| !document.text.trim().is_empty());
        let line = match &document {
            Some(_) => format!("Attachment: {name}"),
            None => format!("Attachment: {name} (not read)"),
        };
        let shape = match &document {
            Some(_) => Shape::Heading(depth.saturating_add(1).min(6)),
            None => Shape::Paragraph,
        };
        self.push(&[Block::plain(shape, &line)]);
        if let Some(document) = document {
            self.pay_and_append(&document.text, |written| written.push_document(&document));
        }
    }

    fn push(&mut self, blocks: &[Option<Block>]) {
        let blocks: Vec<Block> = blocks.iter().flatten().cloned().collect();
        let length: usize = blocks.iter().map(|block| block.text.len()).sum();
        if self.budget.take_text(length).is_ok() {
            self.written.push(&blocks);
        }
    }

    fn pay_and_append(&mut self, text: &str, append: impl FnOnce(&mut Written)) {
        if self.budget.take_text(text.len()).is_ok() {
            append(&mut self.written);
        }
    }

    fn is_over(&self) -> bool {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.budget.cut(Spent::Time);
        }
        self.budget.is_over()
    }
}

fn headers(message: &Message<'_>) -> Headers {
    let subject = one_line(message.subject().unwrap_or_default(), MAX_LINE_CHARS);
    let from = message.from().and_then(Address::first).and_then(|sender| {
        let name = sender.name().filter(|name| !name.trim().is_empty()).or(sender.address())?;
        Some(one_line(name, MAX_LINE_CHARS)).filter(|name| !name.is_empty())
    });
    let day = message.date().and_then(|sent| {
        let part = |number: u8| i8::try_from(number).ok();
        Date::new(i16::try_from(sent.year).ok()?, part(sent.month)?, part(sent.day)?).ok()
    });
    Headers {
        subject: if subject.is_empty() { "(no subject)".to_owned() } else { subject },
        from,
        day: day.filter(|day| is_plausible(*day)),
    }
}

/// `From: … · To: … · Date: …`, as the row of a table is written.
fn headers_line(message: &Message<'_>, headers: &Headers) -> String {
    let people = |name: &str, people: Option<&Address<'_>>| {
        let named: Vec<String> = people?.iter().take(MAX_PEOPLE).filter_map(person).collect();
        (!named.is_empty()).then(|| format!("{name}: {}", named.join(", ")))
    };
    let day = headers.day.map(|day| format!("Date: {day}"));
    let parts = [
        people("From", message.from()),
        people("To", message.to()),
        people("Cc", message.cc()),
        day,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn person(one: &mail_parser::Addr<'_>) -> Option<String> {
    let line = |text: &str| one_line(text, MAX_LINE_CHARS);
    let name = one.name().map(line).filter(|name| !name.is_empty());
    match (name, one.address().map(line)) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) => None,
    }
}
