//! Finds the message boundaries in a WebSocket's input. tungstenite shows whole messages only, and half a message
//! occupies memory.

/// Parses frame headers (RFC 6455 section 5.2) and keeps no payload.
#[derive(Debug, Default)]
pub(super) struct FrameHeaderParser {
    /// Header of the frame in progress, as far as it is received.
    head: [u8; 14],
    head_bytes: usize,
    /// Payload bytes of the frame in progress that are still to come.
    left: u64,
    /// A message of several frames is in progress.
    is_fragmented: bool,
    /// Completed messages, and control frames outside of a fragmented message.
    ended: u64,
    /// Payload bytes of the message in progress, up to the end of its last frame that has begun.
    announced: u64,
}

impl FrameHeaderParser {
    /// Follows received bytes.
    pub(super) fn pass(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.left > 0 {
                let passed = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
                bytes = &bytes[passed..];
                self.left -= passed as u64;
            } else {
                self.head[self.head_bytes] = bytes[0];
                self.head_bytes += 1;
                bytes = &bytes[1..];
                let Some(length) = self.payload_bytes() else { continue };
                self.left = length;
                if !self.is_control() {
                    self.announced = self.announced.saturating_add(length);
                }
            }
            if self.left == 0 {
                self.end_frame();
            }
        }
    }

    /// The number of messages completed so far, if another message has begun; otherwise `None`.
    pub(super) fn open(&self) -> Option<u64> {
        (self.head_bytes > 0 || self.is_fragmented).then_some(self.ended)
    }

    /// Payload bytes of the message in progress, up to the end of its last frame that has begun.
    pub(super) fn announced_bytes(&self) -> usize {
        usize::try_from(self.announced).unwrap_or(usize::MAX)
    }

    fn is_control(&self) -> bool {
        self.head[0] & 0x08 != 0
    }

    /// The payload length, once the header is complete.
    fn payload_bytes(&self) -> Option<u64> {
        let [_, second, ..] = self.head;
        let (short_length, mask) = (second & 0x7f, if second & 0x80 == 0 { 0 } else { 4 });
        let length_bytes = match short_length {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.head_bytes < 2 || self.head_bytes < 2 + length_bytes + mask {
            return None;
        }
        let length_field = &self.head[2..2 + length_bytes];
        Some(if length_field.is_empty() {
            u64::from(short_length)
        } else {
            length_field.iter().fold(0, |length, byte| length << 8 | u64::from(*byte))
        })
    }

    fn end_frame(&mut self) {
        let (is_last, is_control) = (self.head[0] & 0x80 != 0, self.is_control());
        if !is_control {
            self.is_fragmented = !is_last;
            if is_last {
                self.announced = 0;
            }
        }
        // A ping between two parts of a message does not extend its deadline.
        if is_last && !(is_control && self.is_fragmented) {
            self.ended += 1;
        }
        self.head_bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASK: [u8; 4] = [1, 2, 3, 4];

    fn frame(first: u8, length: usize) -> Vec<u8> {
        let mut frame = match length {
            ..126 => vec![first, 0x80 | length as u8],
            126..65_536 => [&[first, 0xfe][..], &(length as u16).to_be_bytes()].concat(),
            _ => [&[first, 0xff][..], &(length as u64).to_be_bytes()].concat(),
        };
        frame.extend(MASK);
        frame.resize(frame.len() + length, b'x');
        frame
    }

    #[test]
    fn a_message_is_open_until_its_last_byte_in_pieces_of_any_size() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            for cut in [1, 2, 5, 1_000] {
                let frame = frame(0x82, length);
                let mut inbound = FrameHeaderParser::default();
                for (index, part) in frame.chunks(cut).enumerate() {
                    assert_eq!(inbound.open().is_some(), index > 0, "{length} in pieces of {cut}");
                    inbound.pass(part);
                }
                assert_eq!((inbound.open(), inbound.ended), (None, 1), "{length} in pieces of {cut}");
            }
        }
    }

    #[test]
    fn a_fragmented_message_is_open_until_its_last_frame_despite_pings() {
        let mut inbound = FrameHeaderParser::default();
        for (first, length, open) in
            [(0x02, 9, true), (0x89, 3, true), (0x00, 200, true), (0x89, 0, true), (0x80, 1, false)]
        {
            inbound.pass(&frame(first, length));
            assert_eq!(inbound.open(), open.then_some(0), "{first:#x}");
        }
        inbound.pass(&[frame(0x82, 4), frame(0x82, 4)[..3].to_vec()].concat());
        assert_eq!(inbound.open(), Some(2), "another has begun");
    }

    #[test]
    fn a_message_announces_its_bytes_with_its_header_and_a_ping_announces_none() {
        let mut inbound = FrameHeaderParser::default();
        inbound.pass(&frame(0x82, 70_000)[..14]);
        assert_eq!(inbound.announced_bytes(), 70_000);
        inbound.pass(&vec![b'x'; 70_000]);
        assert_eq!(inbound.announced_bytes(), 0);
        inbound.pass(&frame(0x02, 300));
        inbound.pass(&frame(0x89, 100));
        inbound.pass(&frame(0x00, 200)[..10]);
        assert_eq!(inbound.announced_bytes(), 500);
    }
}
