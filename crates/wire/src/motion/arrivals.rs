//! Arrival times of frames, which a receiver reports to the sender. Source: `spec/wire.md` section 6.2.

use alloc::vec::Vec;

use crate::take::take;

/// Arrival times of frames with consecutive sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameArrivals<'a> {
    /// Sequence of the first frame.
    pub first: u32,
    /// When it arrived, by the receiver's clock, in quarters of a millisecond modulo 2^32.
    pub arrived_q: u32,
    /// An entry for each further frame.
    rest: &'a [u8],
}

/// Writes arrival times into the content of an `arrivals` part.
#[derive(Debug, Default)]
pub struct FrameArrivalsWriter {
    bytes: Vec<u8>,
    next: u32,
    arrived_q: u32,
}

/// The frame has not arrived.
const MISSING: u8 = 254;
/// Two bytes follow: the difference as `i16`.
const LONG: u8 = 255;

impl<'a> FrameArrivals<'a> {
    /// Bytes before the entries.
    pub const HEAD_BYTES: usize = 8;

    /// Reads the content of a part; `None` if its first fields are truncated.
    pub fn read(mut content: &'a [u8]) -> Option<FrameArrivals<'a>> {
        let first = u32::from_le_bytes(*take(&mut content)?);
        let arrived_q = u32::from_le_bytes(*take(&mut content)?);
        Some(FrameArrivals { first, arrived_q, rest: content })
    }

    /// The frames by ascending sequence, with their arrival times; `None` for a missing frame. Ends at a truncated
    /// entry.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Option<u32>)> + use<'a> {
        let (mut sequence, mut arrived_q, mut rest) = (self.first, self.arrived_q, self.rest);
        let further = core::iter::from_fn(move || {
            let &[code] = take(&mut rest)?;
            sequence = sequence.wrapping_add(1);
            let difference = match code {
                MISSING => return Some((sequence, None)),
                LONG => i32::from(i16::from_le_bytes(*take(&mut rest)?)),
                _ => i32::from(code),
            };
            arrived_q = arrived_q.wrapping_add_signed(difference);
            Some((sequence, Some(arrived_q)))
        });
        core::iter::once((self.first, Some(self.arrived_q))).chain(further)
    }
}

impl FrameArrivalsWriter {
    /// Begins with a frame that has arrived.
    pub fn begin(&mut self, first: u32, arrived_q: u32) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&first.to_le_bytes());
        self.bytes.extend_from_slice(&arrived_q.to_le_bytes());
        (self.next, self.arrived_q) = (first.wrapping_add(1), arrived_q);
    }

    /// Adds the next frame in sequence; `None` for a missing one. Returns false, and adds nothing, if the difference to
    /// the arrival before it has no encoding: another part has to begin.
    pub fn push(&mut self, arrived_q: Option<u32>) -> bool {
        let Some(arrived_q) = arrived_q else {
            self.bytes.push(MISSING);
            self.next = self.next.wrapping_add(1);
            return true;
        };
        let difference = arrived_q.wrapping_sub(self.arrived_q).cast_signed();
        if (0..i32::from(MISSING)).contains(&difference) {
            self.bytes.push(difference as u8);
        } else if let Ok(long) = i16::try_from(difference) {
            self.bytes.push(LONG);
            self.bytes.extend_from_slice(&long.to_le_bytes());
        } else {
            return false;
        }
        (self.next, self.arrived_q) = (self.next.wrapping_add(1), arrived_q);
        true
    }

    /// The sequence that [`FrameArrivalsWriter::push`] adds.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The content so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
