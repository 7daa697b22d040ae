//! Frames of the motion plane on their way to one client, whatever carries them.

/// Where one client's frames go by a connection of its own: WebTransport, WebSocket. Called from the thread of the motion plane, so it never blocks.
pub trait FrameSink: Send {
    /// One frame, made of these parts one after the other. What has no room is dropped and counted: newer ones come.
    fn put(&mut self, parts: &[&[u8]]);
    /// No more follow in this tick: everything goes out now.
    fn flush(&mut self);
    /// The session is over: closes the connection.
    fn close(self: Box<Self>);
}
