//! The class of a frame, which decides its treatment while its connection falls behind.

/// Treatment of a frame in an outbox whose connection falls behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketClass {
    /// Protocol answers: never replaced, with a reserve of their own.
    Control,
    /// Events and chat: queued up to a limit.
    Event,
    /// State: replaces a queued older frame of the same key.
    State(ConflationKey),
}

/// A key of state messages: a newer message with the same key supersedes an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConflationKey(pub u64);
