//! Admits a connection to the motion plane: it brings a ticket and a sink for frames, and gets a session.

use std::future::Future;

use bytes::Bytes;

use crate::frames::FrameSink;

/// The path that both WebTransport and the WebSocket are opened at.
pub const PATH: &str = "/motion";

/// Lets in by tickets.
pub trait MotionEntrance: Clone + Send + Sync + 'static {
    /// What is had while one is in; dropping it ends it.
    type Session: MotionSessionHandle;

    /// Lets in by a ticket, once, as it stands in the URL. `None`: it is not good.
    fn enter(&self, ticket: &str, sink: Box<dyn FrameSink>) -> impl Future<Output = Option<Self::Session>> + Send;
}

/// A client's session on the motion plane, as its connection uses it.
pub trait MotionSessionHandle: Send + Sync + 'static {
    /// Takes a frame that came. One that has no room is dropped.
    fn handle_frame(&self, frame: Bytes);

    /// Returns once the session is over for another reason than the connection.
    fn ended(&self) -> impl Future<Output = ()> + Send;
}

/// The ticket in the query of a URL; `None` where it is missing or there are two.
pub fn ticket(query: Option<&str>) -> Option<&str> {
    let mut tickets = query?.split('&').filter_map(|pair| pair.strip_prefix("ticket="));
    let ticket = tickets.next().filter(|ticket| !ticket.is_empty());
    ticket.filter(|_| tickets.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_one_ticket_or_none() {
        assert_eq!(ticket(Some("ticket=abc")), Some("abc"));
        assert_eq!(ticket(Some("v=1&ticket=a-_b")), Some("a-_b"));
        for none in [None, Some(""), Some("ticket="), Some("tickets=a"), Some("ticket=a&ticket=b"), Some("x=ticket=a")]
        {
            assert_eq!(ticket(none), None, "{none:?}");
        }
    }
}
