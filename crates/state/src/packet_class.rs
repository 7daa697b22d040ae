//! The class of a frame: the treatment it gets while its connection falls behind.

/// How an outbox may treat a frame when its connection falls behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketClass {
    /// Protocol answers: never replaced, and with some room of their own.
    Control,
    /// Events, chat: queued up to a limit.
    Event,
    /// Replaces an older frame of the same key that still waits.
    State(ConflationKey),
}

/// Two state messages with the same key: the newer one makes the older one pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConflationKey(pub u64);
