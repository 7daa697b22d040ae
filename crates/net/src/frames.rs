//! Frames of the motion plane, on any transport to one client.

mod waiting;

pub use stoa_state::motion::FrameClass;

pub(crate) use self::waiting::{TakenFrames, TickFrames, WaitingFrames};

/// Sends frames to one client over its own connection: WebTransport or WebSocket. Called from the motion plane's
/// thread, so it never blocks.
pub trait FrameSink: Send {
    /// Queues one frame, the concatenation of `parts`. Without space it is dropped and counted.
    fn put(&mut self, class: FrameClass, parts: &[&[u8]]);
    /// Ends the tick: hands its frames to the connection. Pose frames replace those of an earlier tick that still
    /// wait. Voice frames queue, and those that wait for too long are dropped, oldest first.
    fn flush(&mut self);
    /// Closes the connection, because the session is over.
    fn close(self: Box<Self>);
}
