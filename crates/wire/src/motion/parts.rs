//! Encodes and decodes two parts of fixed length: acknowledgement and path quality. Source: `spec/wire.md` section 6.

/// Acknowledges frames of the other direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameAck {
    /// The newest sequence received.
    pub newest: u32,
    /// Number of frames received.
    pub received: u32,
    /// Time in the header of the newest frame.
    pub time_ms: u32,
    /// Delay between the newest frame and this acknowledgement; 65,535 ms also stands for longer ones.
    pub held_ms: u16,
    /// Up: number of the last change applied.
    pub changes: u32,
}

/// Quality of the path to a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathQuality {
    /// The server's bandwidth limit for the receiver.
    pub bytes_per_s: u32,
    /// Share of lost frames.
    pub lost_per_mille: u16,
    /// Round trip time.
    pub round_trip_ms: u16,
    /// Objects in the interest set.
    pub visible: u16,
    /// Share of poses omitted for the budget.
    pub thinned_per_mille: u16,
}

impl FrameAck {
    /// Bytes of an acknowledgement.
    pub const BYTES: usize = 20;

    /// Encodes the acknowledgement.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0..4].copy_from_slice(&self.newest.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.received.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.time_ms.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.held_ms.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.changes.to_le_bytes());
        bytes
    }

    /// `None` if it is truncated. Bytes after it belong to later versions.
    pub fn read(content: &[u8]) -> Option<FrameAck> {
        let bytes: &[u8; Self::BYTES] = content.first_chunk()?;
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let held_ms = u16::from_le_bytes([bytes[12], bytes[13]]);
        Some(FrameAck { newest: number(0), received: number(4), time_ms: number(8), held_ms, changes: number(16) })
    }
}

impl PathQuality {
    /// Bytes of a quality report.
    pub const BYTES: usize = 12;

    /// Encodes the report.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0..4].copy_from_slice(&self.bytes_per_s.to_le_bytes());
        let shorts = [self.lost_per_mille, self.round_trip_ms, self.visible, self.thinned_per_mille];
        for (short, field) in shorts.iter().zip(bytes[4..].chunks_exact_mut(2)) {
            field.copy_from_slice(&short.to_le_bytes());
        }
        bytes
    }

    /// `None` if it is truncated. Bytes after it belong to later versions.
    pub fn read(content: &[u8]) -> Option<PathQuality> {
        let bytes: &[u8; Self::BYTES] = content.first_chunk()?;
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Some(PathQuality {
            bytes_per_s: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            lost_per_mille: short(4),
            round_trip_ms: short(6),
            visible: short(8),
            thinned_per_mille: short(10),
        })
    }
}
