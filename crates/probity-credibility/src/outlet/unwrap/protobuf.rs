//! As much of the protobuf wire format as an article's id needs.

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// A whole number.
    Number(u64),
    /// A length-delimited value: text, bytes or a message.
    Bytes(&'a [u8]),
    /// A fixed-width value, which nothing here needs.
    Fixed,
}

/// Reads the fields of a message in order. Stops at the first byte that makes no sense:
/// what came before it was whole.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    fn read(&mut self) -> Option<(u64, Value<'a>)> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            _ => return None,
        };
        Some((tag >> 3, value))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// Seven bits a byte, lowest first, the eighth saying that another follows; at most ten bytes.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let bits = u64::from(byte & 0x7f);
            if bits.checked_shl(shift)? >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let field = self.read();
        if field.is_none() {
            self.rest = &[];
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields(bytes: &[u8]) -> Vec<(u64, Value<'_>)> {
        Fields::of(bytes).collect()
    }

    #[test]
    fn lengths_are_varints() {
        for length in [0usize, 1, 127, 128, 255, 256, 16_383, 16_384, 2_097_152] {
            let mut message = vec![0x22];
            let mut rest = length;
            while rest >= 0x80 {
                message.push((rest & 0x7f) as u8 | 0x80);
                rest >>= 7;
            }
            message.push(rest as u8);
            message.extend(std::iter::repeat_n(b'x', length));
            assert_eq!(fields(&message), [(4, Value::Bytes(&vec![b'x'; length]))], "{length}");
            if length > 0 {
                message.pop();
                assert_eq!(fields(&message), [], "{length}, cut short");
            }
        }
    }

    #[test]
    fn unknown_fields_are_passed_over_and_damage_ends_the_message() {
        let message = [0x08, 0x13, 0x15, 1, 2, 3, 4, 0x19, 1, 2, 3, 4, 5, 6, 7, 8, 0x22, 1, b'a'];
        assert_eq!(
            fields(&message),
            [(1, Value::Number(19)), (2, Value::Fixed), (3, Value::Fixed), (4, Value::Bytes(b"a"))]
        );
        assert_eq!(fields(&[0x22, 1, b'a', 0x23, 0x22, 1, b'b']), [(4, Value::Bytes(b"a"))]);
        assert_eq!(fields(&[0x22, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), []);
        assert_eq!(fields(&[0xff; 11]), []);
        assert_eq!(fields(&[0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]), []);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(fields(&bytes).len() <= bytes.len());
        }
    }
}
