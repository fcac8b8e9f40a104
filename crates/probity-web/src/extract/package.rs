//! Archives that are documents (Office, OpenDocument, EPUB): their parts, unpacked within the budget.

use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use probity_credibility::outlet::{decode_entities, entity};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::budget::{Budget, Spent};

/// The most parts that an archive may have.
const MAX_PARTS: usize = 20_000;

/// An archive whose parts are paid for as they are unpacked.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    budget: &'a Budget,
}

impl<'a> Package<'a> {
    /// Opens an archive.
    pub(super) fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Self, String> {
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| format!("it is cut short or damaged ({error})"))?;
        if archive.len() > MAX_PARTS {
            return Err(format!("the archive has {} parts", archive.len()));
        }
        Ok(Self { archive, budget })
    }

    /// The names of its parts; one that is no text names nothing that is read.
    pub(super) fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.archive.file_names().flatten()
    }

    /// A part as text, unpacked no further than the budget allows.
    pub(super) fn part(&mut self, name: &str) -> Result<String, String> {
        let file = self.archive.by_name(name).map_err(|error| format!("{name}: {error}"))?;
        let limit = self.budget.part_bytes();
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| format!("{name}: {error}"))?;
        if bytes.len() as u64 > limit {
            return Err(self.budget.cut(Spent::Bytes).why());
        }
        self.budget.take_bytes(bytes.len() as u64).map_err(Spent::why)?;
        Ok(super::decode(&bytes, Some("utf-8")).0)
    }
}

/// Whether the parts of an OpenDocument file are encrypted.
pub(super) fn is_locked(bytes: &[u8], budget: &Budget) -> bool {
    let manifest = Package::open(bytes, budget).and_then(|mut it| it.part("META-INF/manifest.xml"));
    manifest.is_ok_and(|manifest| manifest.contains("encryption-data"))
}

/// What is met while an XML part is read, by local names.
pub(super) enum Piece<'a> {
    /// An element begins.
    Start(&'a BytesStart<'a>),
    /// An element ends.
    End(&'a str),
    /// Text between elements.
    Text(&'a str),
}

/// Tells the pieces of an XML part in order, until it ends or the reader is asked to stop.
pub(super) fn walk(
    xml: &str,
    budget: &Budget,
    mut each: impl FnMut(Piece<'_>),
) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    while !budget.is_stopped() {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => each(Piece::Start(&start)),
            Event::Empty(start) => {
                each(Piece::Start(&start));
                each(Piece::End(start.local_name().as_ref()));
            }
            Event::End(end) => each(Piece::End(end.local_name().as_ref())),
            Event::Text(text) => each(Piece::Text(&text)),
            Event::CData(text) => each(Piece::Text(&text)),
            Event::GeneralRef(reference) => {
                if let Some(c) = entity(&reference) {
                    each(Piece::Text(c.encode_utf8(&mut [0; 4])));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(())
}

/// The value of an attribute by its local name.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.attributes().flatten().find(|a| a.key.local_name().as_ref() == name)?;
    Some(decode_entities(&found.value))
}

/// The text of the first element of a part with this local name.
pub(super) fn field(xml: &str, name: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    let mut text: Option<String> = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if text.is_none() && start.local_name().as_ref() == name => {
                text = Some(String::new());
            }
            Event::Text(piece) => {
                if let Some(text) = &mut text {
                    text.push_str(&piece);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(text) = &mut text {
                    text.extend(entity(&reference));
                }
            }
            Event::End(_) if text.is_some() => {
                return text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}
