//! Bytes as they come → events: server-sent events and lines of JSON, bounded.

use bytes::Bytes;

/// The longest line of a stream; an event is one or a few lines.
const LINE_BYTES: usize = 1024 * 1024;

/// A line or event that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Splits a stream into the JSON texts of its events.
///
/// Server-sent events carry them behind `data:`, over several lines if they like; streams of
/// lines carry one on each. Comments, event names and ids are skipped: the data says what it is.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    is_sse: bool,
}

impl Events {
    /// A reader of server-sent events, or of lines of JSON.
    pub(crate) fn new(is_sse: bool) -> Self {
        Self { is_sse, ..Self::default() }
    }

    /// Takes bytes and gives the events that they complete.
    pub(crate) fn feed(&mut self, bytes: &Bytes) -> Result<Vec<String>, TooLong> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() > LINE_BYTES || self.data.len() > LINE_BYTES {
                return Err(TooLong);
            }
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(self.take_line(line.trim_ascii_end()));
            }
        }
        Ok(events)
    }

    /// What is left when the stream ends without a last line break.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let line = std::mem::take(&mut self.line);
        let mut events: Vec<String> = self.take_line(line.trim_ascii_end()).into_iter().collect();
        events.extend(self.take_data());
        events
    }

    fn take_line(&mut self, line: &[u8]) -> Option<String> {
        if !self.is_sse {
            return text(line);
        }
        if line.is_empty() {
            return self.take_data();
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.trim_ascii_start());
        }
        None
    }

    fn take_data(&mut self) -> Option<String> {
        text(&std::mem::take(&mut self.data))
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
    (!text.is_empty() && text != "[DONE]").then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(sse: bool, pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Events::new(sse);
        let mut found = Vec::new();
        for piece in pieces {
            found.extend(events.feed(&Bytes::copy_from_slice(piece)).unwrap());
        }
        found.extend(events.finish());
        found
    }

    #[test]
    fn events_are_read_whatever_stands_around_them() {
        let text = b": hello\r\nevent: delta\r\nid: 4\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: [DONE]\n\ndata:{\"b\":2}";
        assert_eq!(read(true, &[text]), ["{\"a\":\n1}", "{\"b\":2}"]);
        assert_eq!(read(false, &[b"{\"a\":1}\n\n{\"b\"", b":2}"]), ["{\"a\":1}", "{\"b\":2}"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut events = Events::new(true);
        let flood = Bytes::from(vec![b'x'; LINE_BYTES / 2]);
        assert!(events.feed(&flood).is_ok());
        assert!(events.feed(&flood).is_ok());
        assert_eq!(events.feed(&Bytes::from_static(b"x")), Err(TooLong));
        let mut events = Events::new(true);
        let flood = Bytes::from(format!("data: {}\n", "x".repeat(LINE_BYTES / 2)));
        let ended = (0..4).map(|_| events.feed(&flood)).find(Result::is_err);
        assert_eq!(ended, Some(Err(TooLong)));
    }

    proptest! {
        #[test]
        fn where_the_pieces_are_cut_does_not_matter(cuts in prop::collection::vec(0usize..60, 0..6)) {
            let text = "data: {\"é\": 1}\n\nevent: x\ndata: two\ndata: lines\n\ndata: last".as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &text[w[0]..w[1]]).collect();
            prop_assert_eq!(read(true, &pieces), read(true, &[text]));
        }
    }
}
