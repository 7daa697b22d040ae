//! The number of a transport conversation.

/// A transport conversation's number, given by the caller; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);
