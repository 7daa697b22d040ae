//! A frame's head, and its parts one after the other. Source: `spec/wire.md` section 2.

use alloc::vec::Vec;

use crate::limits::FRAME_BYTES_MAX;

/// The version that this is.
pub const VERSION: u8 = 1;
/// Bytes before the parts.
pub const HEAD_BYTES: usize = 9;
/// Bytes before a part's content.
pub const PART_HEAD_BYTES: usize = 3;

/// What stands before the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Counts the frames of this direction from 1.
    pub sequence: u32,
    /// Down: the motion clock at the tick. Up: the client's own clock. Milliseconds, modulo 2^32.
    pub time_ms: u32,
}

/// Why a frame is dropped whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// It is longer than a frame may be.
    #[error("a frame of {0} bytes, at most {FRAME_BYTES_MAX}")]
    TooLong(usize),
    /// It ends before its head does.
    #[error("a frame of {0} bytes, at least {HEAD_BYTES}")]
    TooShort(usize),
    /// It is of a version that is not spoken here.
    #[error("version {0} of frames, not {VERSION}")]
    Version(u8),
}

/// What a part is. Numbers that have no name here are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PartKind {
    /// What has come of the other direction.
    Ack = 1,
    /// Poses against baselines.
    Poses = 2,
    /// Absolute poses that others count from.
    Baselines = 3,
    /// Who has come and gone.
    Changes = 4,
    /// How the way is.
    Quality = 5,
    /// Objects that a client may not move.
    Refused = 6,
    /// A marked frame that all have.
    Reached = 7,
    /// A client's own poses.
    Own = 16,
    /// A client's objects.
    Declare = 17,
    /// Baselines that a client lacks.
    Ask = 18,
    /// Objects of a client that are there no more.
    Withdraw = 19,
    /// The client wants to know when all have this frame.
    Mark = 20,
}

/// A frame that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionFrame<'a> {
    /// What stands before the parts.
    pub head: FrameHeader,
    parts: &'a [u8],
}

impl FrameHeader {
    /// Its bytes, the version among them.
    pub fn to_bytes(self) -> [u8; HEAD_BYTES] {
        let ([a, b, c, d], [e, f, g, h]) = (self.sequence.to_le_bytes(), self.time_ms.to_le_bytes());
        [VERSION, a, b, c, d, e, f, g, h]
    }
}

impl<'a> MotionFrame<'a> {
    /// Reads the head. Errors: the frame is to be dropped whole.
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

    /// Its parts: the number of the kind, and the content. Ends where one is cut short.
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

impl PartKind {
    /// The kind of that number.
    pub fn of(number: u8) -> Option<PartKind> {
        Some(match number {
            1 => PartKind::Ack,
            2 => PartKind::Poses,
            3 => PartKind::Baselines,
            4 => PartKind::Changes,
            5 => PartKind::Quality,
            6 => PartKind::Refused,
            7 => PartKind::Reached,
            16 => PartKind::Own,
            17 => PartKind::Declare,
            18 => PartKind::Ask,
            19 => PartKind::Withdraw,
            20 => PartKind::Mark,
            _ => return None,
        })
    }
}

/// Puts parts together, entry by entry, none past the room that there is.
#[derive(Debug)]
pub struct PartsWriter {
    bytes: Vec<u8>,
    room: usize,
    /// Where the part that is being written begins.
    open: Option<(PartKind, usize)>,
}

impl PartsWriter {
    /// `room`: the bytes that the parts may have together, at most `FRAME_BYTES_MAX`.
    pub fn new(room: usize) -> PartsWriter {
        assert!(room <= FRAME_BYTES_MAX, "room for {room} bytes, at most {FRAME_BYTES_MAX}");
        PartsWriter { bytes: Vec::with_capacity(room), room, open: None }
    }

    /// Puts an entry at the end of the part that is open, if it is of this kind, else of a new one. `false`, and nothing written, where there is no room.
    pub fn put(&mut self, kind: PartKind, entry: &[u8]) -> bool {
        let open = self.open.filter(|(open, _)| *open == kind);
        let head_bytes = if open.is_some() { 0 } else { PART_HEAD_BYTES };
        if self.bytes.len() + head_bytes + entry.len() > self.room {
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

    /// The next entry begins a part, also where it is of the same kind.
    pub fn end_part(&mut self) {
        self.open = None;
    }

    /// The parts written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Begins anew; keeps its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.open = None;
    }
}
