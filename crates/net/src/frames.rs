//! Frames of the motion plane, on any transport to one client.

/// Sends frames to one client over its own connection: WebTransport or WebSocket. Called from the motion plane's
/// thread, so it never blocks.
pub trait FrameSink: Send {
    /// Queues one frame, the concatenation of `parts`. Without space it is dropped and counted, because newer
    /// frames follow.
    fn put(&mut self, parts: &[&[u8]]);
    /// Ends the tick: hands its frames to the connection. They replace an earlier tick's frames that still wait.
    fn flush(&mut self);
    /// Closes the connection, because the session is over.
    fn close(self: Box<Self>);
}
