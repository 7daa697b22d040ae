//! Divides motion frames into a header and parts. `MotionFrame` reads frames, `FrameEntriesWriter` writes them. Source:
//! `spec/wire.md` section 2.

use alloc::vec::Vec;

use crate::limits::FRAME_BYTES_MAX;

/// Version of this format.
pub const VERSION: u8 = 1;
/// Bytes of a frame's header.
pub const HEAD_BYTES: usize = 9;
/// Bytes of a part's header.
pub const PART_HEAD_BYTES: usize = 3;

/// Header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Number of the frame in its direction, from 1.
    pub sequence: u32,
    /// Milliseconds modulo 2^32. Down: the motion clock at the tick. Up: the client's own clock.
    pub time_ms: u32,
}

/// Reason why a whole frame is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Longer than a frame may be.
    #[error("frame of {0} bytes exceeds the limit of {FRAME_BYTES_MAX}")]
    TooLong(usize),
    /// Shorter than its header.
    #[error("frame of {0} bytes is shorter than its header of {HEAD_BYTES}")]
    TooShort(usize),
    /// Of an unsupported version.
    #[error("frame version {0}, expected {VERSION}")]
    Version(u8),
}

/// Kind of a part. Receivers skip unknown numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FramePartKind {
    /// Acknowledges frames of the other direction.
    Ack = 1,
    /// Poses relative to baselines.
    Poses = 2,
    /// Absolute poses that updates refer to.
    Baselines = 3,
    /// Objects that entered and left the interest set.
    Changes = 4,
    /// Quality of the path.
    Quality = 5,
    /// Objects that a client may not move.
    Refused = 6,
    /// The newest marked frame that all receivers have.
    Reached = 7,
    /// Flows that the sender begins.
    Flow = 8,
    /// Units of flows.
    Units = 9,
    /// The rate at which the client may send.
    Uplink = 10,
    /// A client's own poses.
    Own = 16,
    /// A client's declared objects.
    Declare = 17,
    /// Requests baselines that the client lacks.
    Ask = 18,
    /// A client's objects that no longer exist.
    Withdraw = 19,
    /// Asks to be notified when all receivers have this frame.
    Mark = 20,
    /// The number of voices that the client can take.
    Hears = 21,
    /// When the server's frames arrived.
    Arrivals = 22,
}

/// A decoded frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionFrame<'a> {
    /// The frame's header.
    pub head: FrameHeader,
    parts: &'a [u8],
}

impl FrameHeader {
    /// Encodes the header, including the version.
    pub fn to_bytes(self) -> [u8; HEAD_BYTES] {
        let ([a, b, c, d], [e, f, g, h]) = (self.sequence.to_le_bytes(), self.time_ms.to_le_bytes());
        [VERSION, a, b, c, d, e, f, g, h]
    }
}

impl<'a> MotionFrame<'a> {
    /// Reads the header. Errors: the whole frame has to be dropped.
    pub fn read(bytes: &'a [u8]) -> Result<MotionFrame<'a>, FrameError> {
        if bytes.len() > FRAME_BYTES_MAX {
            return Err(FrameError::TooLong(bytes.len()));
        }
        let Some((&[version, a, b, c, d, e, f, g, h], parts)) = bytes.split_first_chunk() else {
            return Err(FrameError::TooShort(bytes.len()));
        };
        if version != VERSION {
            return Err(FrameError::Version(version));
        }
        let head =
            FrameHeader { sequence: u32::from_le_bytes([a, b, c, d]), time_ms: u32::from_le_bytes([e, f, g, h]) };
        Ok(MotionFrame { head, parts })
    }

    /// The parts: number of the kind, and content. Stops at a truncated part.
    pub fn parts(&self) -> impl Iterator<Item = (u8, &'a [u8])> + use<'a> {
        let mut rest = self.parts;
        core::iter::from_fn(move || {
            let (&[kind, low, high], behind) = rest.split_first_chunk()?;
            let (content, next) = behind.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
            rest = next;
            Some((kind, content))
        })
    }
}

impl FramePartKind {
    /// The kind with this number.
    pub fn of(number: u8) -> Option<FramePartKind> {
        Some(match number {
            1 => FramePartKind::Ack,
            2 => FramePartKind::Poses,
            3 => FramePartKind::Baselines,
            4 => FramePartKind::Changes,
            5 => FramePartKind::Quality,
            6 => FramePartKind::Refused,
            7 => FramePartKind::Reached,
            8 => FramePartKind::Flow,
            9 => FramePartKind::Units,
            10 => FramePartKind::Uplink,
            16 => FramePartKind::Own,
            17 => FramePartKind::Declare,
            18 => FramePartKind::Ask,
            19 => FramePartKind::Withdraw,
            20 => FramePartKind::Mark,
            21 => FramePartKind::Hears,
            22 => FramePartKind::Arrivals,
            _ => return None,
        })
    }
}

/// Writes entries one by one, each into a part of its kind, within a size limit.
#[derive(Debug)]
pub struct FrameEntriesWriter {
    bytes: Vec<u8>,
    bytes_max: usize,
    /// Kind and start of the part in progress.
    open: Option<(FramePartKind, usize)>,
}

impl FrameEntriesWriter {
    /// `bytes_max` limits all parts together. It is at most `FRAME_BYTES_MAX`.
    pub fn new(bytes_max: usize) -> FrameEntriesWriter {
        assert!(bytes_max <= FRAME_BYTES_MAX, "{bytes_max} bytes, at most {FRAME_BYTES_MAX}");
        FrameEntriesWriter { bytes: Vec::with_capacity(bytes_max), bytes_max, open: None }
    }

    /// Appends an entry to the part in progress if that is of this kind, else to a new part. Returns `false` and
    /// writes nothing if the entry doesn't fit.
    pub fn put(&mut self, kind: FramePartKind, entry: &[u8]) -> bool {
        let open = self.open.filter(|(open, _)| *open == kind);
        let head_bytes = if open.is_some() { 0 } else { PART_HEAD_BYTES };
        if self.bytes.len() + head_bytes + entry.len() > self.bytes_max {
            return false;
        }
        let (_, from) = open.unwrap_or((kind, self.bytes.len()));
        self.open = Some((kind, from));
        self.bytes.extend_from_slice(&[kind as u8, 0, 0][..head_bytes]);
        self.bytes.extend_from_slice(entry);
        let length = (self.bytes.len() - from - PART_HEAD_BYTES) as u16;
        self.bytes[from + 1..from + PART_HEAD_BYTES].copy_from_slice(&length.to_le_bytes());
        true
    }

    /// Ends the part in progress, so that the next entry begins a part even of the same kind.
    pub fn end_part(&mut self) {
        self.open = None;
    }

    /// The encoded parts so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Starts over and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.open = None;
    }
}
