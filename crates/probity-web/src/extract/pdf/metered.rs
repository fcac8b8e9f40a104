//! The objects and streams of a PDF, paid for from the document's budget before they are unpacked.

use std::cell::Cell;
use std::time::Instant;

use pdfboss_core::filters::decode_stream;
use pdfboss_core::xref::XrefEntry;
use pdfboss_core::{Dict, Document as Pdf, Error, Name, ObjRef, Object, ObjectSource, Stream};

use super::built_in::with_built_in_codes;
use super::index::tokens_fit;
use super::letter_space::as_gaps;
use super::tex_codes::with_tex_names;
use super::type3::with_plain_widths;
use super::unpack::fits;
use crate::extract::budget::{Budget, Spent};

/// The most operators of one page: what they show is in memory until the page is laid out.
pub(super) const PAGE_OPERATORS: u64 = 100_000;
/// The most filters of one stream.
const MAX_FILTERS: usize = 4;
/// The most fonts of one page that are looked at.
const MAX_FONTS: usize = 1_000;

/// A document whose streams cost what they unpack to.
pub(super) struct Metered<'a> {
    pdf: &'a Pdf,
    budget: &'a Budget,
    deadline: Option<Instant>,
    page_operators: Cell<u64>,
    /// Whether every font of the page has one byte for a letter.
    simple_fonts: Cell<bool>,
}

impl<'a> Metered<'a> {
    /// A view of the document for one page, which ends with the document's time.
    pub(super) fn new(pdf: &'a Pdf, budget: &'a Budget, deadline: Option<Instant>) -> Self {
        Self { pdf, budget, deadline, page_operators: Cell::new(0), simple_fonts: Cell::new(false) }
    }

    /// Looks at the fonts of the page that is read next.
    pub(super) fn look_at_fonts(&self, resources: &Dict) {
        self.simple_fonts.set(self.has_simple_fonts(resources));
    }

    /// Whether no font of some resources is composite: those have letters of several bytes.
    fn has_simple_fonts(&self, resources: &Dict) -> bool {
        let resolved = |object: &Object| self.pdf.resolve(object).unwrap_or(Object::Null);
        let Some(fonts) = resources.get("Font").map(resolved) else { return true };
        fonts.as_dict().is_some_and(|fonts| {
            fonts.iter().take(MAX_FONTS).all(|(_, font)| {
                let font = resolved(font);
                let subtype = font.as_dict().and_then(|font| font.get_name("Subtype"));
                subtype.is_some_and(|subtype| subtype.0 != "Type0")
            })
        })
    }

    /// Whether a stream shows text with simple fonts alone: its own, if it brings any.
    fn shows_simple_text(&self, stream: &Stream) -> bool {
        match stream.dict.get("Resources").map(|own| self.pdf.resolve(own)) {
            Some(Ok(Object::Dict(own))) if own.get("Font").is_some() => self.has_simple_fonts(&own),
            _ => self.simple_fonts.get(),
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.budget.is_stopped() {
            return Err(spent(self.budget.cut(Spent::Stopped)));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(spent(self.budget.cut(Spent::Time)));
        }
        Ok(())
    }
    /// The names and parameters of a stream's filters, in order.
    fn filters(&self, stream: &Stream) -> Result<Vec<(String, Option<Object>)>, Error> {
        let value = |key: &str| self.pdf.resolve(stream.dict.get(key).unwrap_or(&Object::Null));
        let (filter, parameters) = (value("Filter")?, value("DecodeParms")?);
        let list = match &filter {
            Object::Name(name) => vec![name.0.clone()],
            Object::Array(items) => {
                if items.len() > MAX_FILTERS {
                    return Err(spent(Spent::Bytes));
                }
                let name = |item| self.pdf.resolve(item).ok()?.as_name().map(|name| name.0.clone());
                items.iter().filter_map(name).collect()
            }
            _ => Vec::new(),
        };
        let of = |index: usize| match &parameters {
            Object::Array(items) => items.get(index).cloned(),
            single if index == 0 => Some(single.clone()),
            _ => None,
        };
        Ok(list.into_iter().enumerate().map(|(index, name)| (name, of(index))).collect())
    }

    /// Unpacks a stream filter by filter, each only if what it gives fits.
    fn unpack(&self, stream: &Stream) -> Result<Vec<u8>, Error> {
        let mut data = stream.data.clone();
        for (name, parameters) in self.filters(stream)? {
            if !fits(&name, &data, self.budget.part_bytes()) {
                return Err(spent(self.budget.cut(Spent::Bytes)));
            }
            let mut dict = Dict::new();
            dict.insert(Name("Filter".to_owned()), Object::Name(Name(name)));
            dict.insert(Name("DecodeParms".to_owned()), parameters.unwrap_or(Object::Null));
            data = decode_stream(&Stream { dict, data }, self.pdf)?;
            self.budget.take_bytes(data.len() as u64).map_err(spent)?;
        }
        Ok(data)
    }
}

impl ObjectSource for Metered<'_> {
    fn get(&self, r: ObjRef) -> pdfboss_core::Result<Object> {
        self.check()?;
        let resolve = |value: &Object| self.pdf.resolve(value).unwrap_or(Object::Null);
        let font = with_tex_names(with_plain_widths(self.pdf.get(r)?, resolve), resolve);
        Ok(with_built_in_codes(font, resolve, |program| self.unpack(program).ok()))
    }

    fn stream_data(&self, stream: &Stream) -> pdfboss_core::Result<Vec<u8>> {
        self.check()?;
        let mut data = self.unpack(stream)?;
        // What is refused below is not written apart first: that would make it larger.
        if operators(&data) <= PAGE_OPERATORS && self.shows_simple_text(stream) {
            data = as_gaps(data);
        }
        let operators = operators(&data);
        let all = self.page_operators.get().saturating_add(operators);
        if all > PAGE_OPERATORS {
            return Err(spent(self.budget.cut(Spent::Operators)));
        }
        self.page_operators.set(all);
        self.budget.take_operators(operators).map_err(spent)?;
        Ok(data)
    }
}

/// Whether the object streams of a document unpack to what its budget allows. They are unpacked
/// when the first object in them is asked for, past any meter, so this comes before that.
pub(super) fn object_streams_fit(pdf: &Pdf, budget: &Budget) -> bool {
    let mut containers: Vec<u32> = pdf
        .xref()
        .iter()
        .filter_map(|(_, entry)| match entry {
            XrefEntry::InStream { stream_num, .. } => Some(stream_num),
            XrefEntry::Free | XrefEntry::InFile { .. } => None,
        })
        .collect();
    containers.sort_unstable();
    containers.dedup();
    let metered = Metered::new(pdf, budget, None);
    containers.into_iter().all(|num| {
        // A container inside another container is no valid file, and asking for it would unpack.
        if !matches!(pdf.xref().get(num), Some(XrefEntry::InFile { .. })) {
            return true;
        }
        match pdf.get(ObjRef { num, r#gen: 0 }) {
            Ok(Object::Stream(stream)) => match metered.unpack(&stream) {
                Ok(data) => tokens_fit(&data, 0),
                // What cannot be unpacked at all is no danger; the reader will say the same.
                Err(_) => budget.cut_short().is_none(),
            },
            _ => true,
        }
    })
}

/// The operators of a content stream that leave something in memory: strings that are shown, saved
/// states, marked content. It may count too many, never too few.
fn operators(data: &[u8]) -> u64 {
    let mut count = 0_u64;
    let (mut last, mut before) = (b' ', b' ');
    for byte in data {
        let counts = match byte {
            b')' | b'>' => true,
            b'C' => last == b'M' || last == b'D',
            _ => last == b'q' && !before.is_ascii_alphanumeric() && !byte.is_ascii_alphanumeric(),
        };
        count = count.saturating_add(u64::from(counts));
        (before, last) = (last, *byte);
    }
    count
}

fn spent(why: Spent) -> Error {
    Error::Other(why.why())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_saved_states_and_marks_are_operators() {
        assert_eq!(operators(b"BT (a) Tj [(b) -3 <63>] TJ ET"), 3);
        assert_eq!(operators(b"q q q Q Q Q "), 3);
        assert_eq!(operators(b"/A BMC /B /P BDC EMC "), 3);
        assert_eq!(operators(b"0 0 m 9 9 l S /quay gs"), 0);
    }
}
