//! Parts of one length: what has come, and how the way is. Source: `spec/wire.md` section 6.

/// What has come of the other direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameAck {
    /// The newest sequence.
    pub newest: u32,
    /// The number of frames that arrived.
    pub received: u32,
    /// The time that stood in the newest one.
    pub time_ms: u32,
    /// For how long that was held before this was said; 65,535 ms also for more.
    pub held_ms: u16,
    /// Up: the last change that was applied.
    pub changes: u32,
}

/// How the way to a receiver is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathQuality {
    /// What the server sends at most.
    pub bytes_per_s: u32,
    /// Frames that were lost.
    pub lost_per_mille: u16,
    /// There and back.
    pub round_trip_ms: u16,
    /// Objects in the interest set.
    pub visible: u16,
    /// Poses that were left out for the budget.
    pub thinned_per_mille: u16,
}

impl FrameAck {
    /// Its length.
    pub const BYTES: usize = 20;

    /// Its bytes.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0..4].copy_from_slice(&self.newest.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.received.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.time_ms.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.held_ms.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.changes.to_le_bytes());
        bytes
    }

    /// `None` where it is cut short. What stands behind it is a later version's.
    pub fn read(content: &[u8]) -> Option<FrameAck> {
        let bytes: &[u8; Self::BYTES] = content.first_chunk()?;
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let held_ms = u16::from_le_bytes([bytes[12], bytes[13]]);
        Some(FrameAck { newest: number(0), received: number(4), time_ms: number(8), held_ms, changes: number(16) })
    }
}

impl PathQuality {
    /// Its length.
    pub const BYTES: usize = 12;

    /// Its bytes.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0..4].copy_from_slice(&self.bytes_per_s.to_le_bytes());
        let shorts = [self.lost_per_mille, self.round_trip_ms, self.visible, self.thinned_per_mille];
        for (short, field) in shorts.iter().zip(bytes[4..].chunks_exact_mut(2)) {
            field.copy_from_slice(&short.to_le_bytes());
        }
        bytes
    }

    /// `None` where it is cut short. What stands behind it is a later version's.
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
