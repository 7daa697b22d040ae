//! Entries of media flows: declarations and units, encoded and decoded. Source: `spec/wire.md` section 8.

use alloc::vec::Vec;

use crate::limits::{MOTION_NAME_BYTES_MAX, UNIT_PAYLOAD_BYTES_MAX};
use crate::take::take;

use super::entries::each;

/// Identifies a flow within a scene: the number that its page chose at random, and the flow's number on that page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId {
    /// Random, one for each visit of a page. It outlives motion sessions.
    pub epoch: u32,
    /// Number of the flow on the page.
    pub flow: u8,
}

/// The media that a flow carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FlowMedia {
    /// Opus (RFC 6716), one channel at 48 kHz, 20 ms a unit.
    OpusVoice = 1,
}

/// A declared flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowDeclaration<'a> {
    /// The flow.
    pub id: FlowId,
    /// Its media.
    pub media: FlowMedia,
    /// Down: the sender's idTag. Up: empty.
    pub name: &'a str,
}

/// One unit of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaUnit<'a> {
    /// The unit's flow.
    pub flow: FlowId,
    /// One more than the flow's unit before it.
    pub number: u32,
    /// When the unit's first sample was captured, by the sender's clock, in milliseconds modulo 2^32.
    pub captured_ms: u32,
    /// Loudness and speech.
    pub level: UnitLevel,
    /// Layer of a layered encoding; 0 for the only one.
    pub layer: u8,
    /// The encoded media, which the server doesn't read.
    pub payload: &'a [u8],
}

/// The loudness of a unit, and whether it is speech, as in RFC 6464 section 3: the lower seven bits are -dBov, the
/// highest bit tells speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLevel(pub u8);

impl UnitLevel {
    /// Whether the sender detected speech.
    pub fn is_speech(self) -> bool {
        self.0 & 0x80 != 0
    }
}

impl FlowId {
    /// Bytes of a flow's id.
    pub const BYTES: usize = 5;

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.epoch.to_le_bytes();
        [a, b, c, d, self.flow]
    }

    fn from_bytes([a, b, c, d, flow]: [u8; Self::BYTES]) -> FlowId {
        FlowId { epoch: u32::from_le_bytes([a, b, c, d]), flow }
    }
}

impl<'a> FlowDeclaration<'a> {
    /// Appends the encoded declaration. The name has at most `MOTION_NAME_BYTES_MAX` bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        assert!(self.name.len() <= MOTION_NAME_BYTES_MAX, "a name of {} bytes", self.name.len());
        bytes.extend_from_slice(&self.id.to_bytes());
        bytes.extend_from_slice(&[self.media as u8, self.name.len() as u8]);
        bytes.extend_from_slice(self.name.as_bytes());
    }

    fn read(mut bytes: &'a [u8]) -> Option<(FlowDeclaration<'a>, &'a [u8])> {
        let id = FlowId::from_bytes(*take(&mut bytes)?);
        let &[media, length] = take(&mut bytes)?;
        let (name, rest) = bytes.split_at_checked(usize::from(length))?;
        let media = match media {
            1 => FlowMedia::OpusVoice,
            _ => return None,
        };
        let name = core::str::from_utf8(name).ok()?;
        (name.len() <= MOTION_NAME_BYTES_MAX).then_some((FlowDeclaration { id, media, name }, rest))
    }

    /// Reads the entries of a part's content. Stops at a truncated or invalid entry.
    pub fn read_all(content: &'a [u8]) -> impl Iterator<Item = FlowDeclaration<'a>> {
        each(content, FlowDeclaration::read)
    }
}

impl<'a> MediaUnit<'a> {
    /// Bytes of a unit besides its payload.
    pub const HEAD_BYTES: usize = FlowId::BYTES + 4 + 4 + 1 + 1 + 2;

    /// Appends the encoded unit. The payload has at most `UNIT_PAYLOAD_BYTES_MAX` bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        assert!(self.payload.len() <= UNIT_PAYLOAD_BYTES_MAX, "a payload of {} bytes", self.payload.len());
        bytes.extend_from_slice(&self.flow.to_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.captured_ms.to_le_bytes());
        bytes.extend_from_slice(&[self.level.0, self.layer]);
        bytes.extend_from_slice(&(self.payload.len() as u16).to_le_bytes());
        bytes.extend_from_slice(self.payload);
    }

    fn read(mut bytes: &'a [u8]) -> Option<(MediaUnit<'a>, &'a [u8])> {
        let flow = FlowId::from_bytes(*take(&mut bytes)?);
        let number = u32::from_le_bytes(*take(&mut bytes)?);
        let captured_ms = u32::from_le_bytes(*take(&mut bytes)?);
        let &[level, layer] = take(&mut bytes)?;
        let length = usize::from(u16::from_le_bytes(*take(&mut bytes)?));
        let (payload, rest) = bytes.split_at_checked(length)?;
        let unit = MediaUnit { flow, number, captured_ms, level: UnitLevel(level), layer, payload };
        (length <= UNIT_PAYLOAD_BYTES_MAX).then_some((unit, rest))
    }

    /// Reads the entries of a part's content. Stops at a truncated or too long entry.
    pub fn read_all(content: &'a [u8]) -> impl Iterator<Item = MediaUnit<'a>> {
        each(content, MediaUnit::read)
    }
}

/// The number of voices that a client can take at once; `None` if it is truncated. Bytes after it belong to later
/// versions.
pub fn hears(content: &[u8]) -> Option<u8> {
    content.first().copied()
}

/// The rate at which the client may send, in bytes a second; `None` if it is truncated. Bytes after it belong to later
/// versions.
pub fn uplink(content: &[u8]) -> Option<u32> {
    content.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
