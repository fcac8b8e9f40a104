//! gzip: members with a head, a deflate stream and a tail that tells whether all of it came.

use std::io;

use flate2::Crc;

use super::Run;
use super::inflate::{Stream, ignore_rest};

/// The longest head of a member: a name and a remark are all that can be long in it.
const HEAD_BYTES: usize = 128 * 1024;
/// The checksum and the length at the end of a member.
const TAIL_BYTES: usize = 8;

/// A gzip stream of one or more members.
#[derive(Default)]
pub(super) struct Gzip {
    at: At,
    /// The bytes of a head or tail that have come so far.
    part: Vec<u8>,
    sum: Crc,
}

#[derive(Default)]
enum At {
    #[default]
    Head,
    Body(Stream),
    Tail,
    /// After a member: another may follow.
    Between,
    /// After the last member: what follows is padding.
    Rest,
}

impl Gzip {
    pub(super) fn run(&mut self, input: &[u8], output: &mut [u8]) -> io::Result<Run> {
        match &mut self.at {
            At::Head => self.head(input),
            At::Body(stream) => {
                let run = stream.run(input, output)?;
                self.sum.update(output.get(..run.made).unwrap_or_default());
                if stream.ended {
                    self.at = At::Tail;
                }
                Ok(run)
            }
            At::Tail => self.tail(input),
            At::Between => {
                self.at = if input.first() == Some(&0x1f) { At::Head } else { At::Rest };
                self.sum.reset();
                match self.at {
                    At::Head => self.head(input),
                    _ => Ok(ignore_rest(Run { read: 0, made: 0, more: false }, input)),
                }
            }
            At::Rest => Ok(ignore_rest(Run { read: 0, made: 0, more: false }, input)),
        }
    }

    pub(super) fn ended(&self) -> bool {
        matches!(self.at, At::Between | At::Rest)
    }

    fn head(&mut self, input: &[u8]) -> io::Result<Run> {
        let had = self.part.len();
        self.part.extend_from_slice(input);
        match head_length(&self.part)? {
            Some(length) => {
                self.part.clear();
                self.at = At::Body(Stream::new(false));
                Ok(Run { read: length.saturating_sub(had), made: 0, more: false })
            }
            None if self.part.len() > HEAD_BYTES => Err(invalid("its head has no end")),
            None => Ok(Run { read: input.len(), made: 0, more: false }),
        }
    }

    fn tail(&mut self, input: &[u8]) -> io::Result<Run> {
        let wanted = TAIL_BYTES.saturating_sub(self.part.len());
        let part = input.get(..wanted).unwrap_or(input);
        self.part.extend_from_slice(part);
        if let Some((sum, length)) = self.part.split_first_chunk::<4>()
            && let Some(length) = length.first_chunk::<4>()
        {
            let whole = u32::from_le_bytes(*sum) == self.sum.sum()
                && u32::from_le_bytes(*length) == self.sum.amount();
            if !whole {
                return Err(invalid("its checksum is wrong"));
            }
            self.part.clear();
            self.at = At::Between;
        }
        Ok(Run { read: part.len(), made: 0, more: false })
    }
}

/// How long the head is, once all of it is there.
fn head_length(bytes: &[u8]) -> io::Result<Option<usize>> {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const REMARK: u8 = 16;
    const SUM: u8 = 2;
    if !bytes.iter().zip([0x1f, 0x8b, 8]).all(|(byte, magic)| *byte == magic) {
        return Err(invalid("it does not begin like gzip"));
    }
    let Some((fixed, mut rest)) = bytes.split_first_chunk::<10>() else { return Ok(None) };
    let [_, _, _, flags, ..] = *fixed;
    if flags & EXTRA != 0 {
        let Some((length, after)) = rest.split_first_chunk::<2>() else { return Ok(None) };
        let Some(after) = after.get(usize::from(u16::from_le_bytes(*length))..) else {
            return Ok(None);
        };
        rest = after;
    }
    for flag in [NAME, REMARK] {
        if flags & flag != 0 {
            let Some(end) = rest.iter().position(|byte| *byte == 0) else { return Ok(None) };
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
    if flags & SUM != 0 {
        let Some(after) = rest.get(2..) else { return Ok(None) };
        rest = after;
    }
    Ok(Some(bytes.len() - rest.len()))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_with_every_part_is_skipped_whole() {
        let mut head = vec![0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 255];
        head.extend_from_slice(&[3, 0, 1, 2, 3]);
        head.extend_from_slice(b"name\0remark\0");
        head.extend_from_slice(&[9, 9]);
        assert_eq!(head_length(&[&head[..], b"body"].concat()).unwrap(), Some(head.len()));
        for cut in 0..head.len() {
            assert_eq!(head_length(&head[..cut]).unwrap(), None, "{cut}");
        }
        assert!(head_length(b"<!doctype").is_err());
    }

    #[test]
    fn a_head_without_end_is_given_up() {
        let mut gzip = Gzip::default();
        let head =
            [vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255], vec![b'n'; 2 * HEAD_BYTES]].concat();
        assert!(gzip.run(&head, &mut [0; 16]).is_err());
    }
}
