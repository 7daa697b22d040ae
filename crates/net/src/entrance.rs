//! Admits a connection to the motion plane: a ticket and a sink for frames become a session.

use std::future::Future;

use bytes::Bytes;

use crate::frames::FrameSink;

/// HTTP path of motion sessions, for WebTransport and WebSocket.
pub const PATH: &str = "/motion";

/// Admits clients by ticket.
pub trait MotionTicketRedeemer: Clone + Send + Sync + 'static {
    /// The session of an admitted client; dropping it ends it.
    type Session: MotionSessionHandle;

    /// Redeems a ticket, as it is in the URL. `None` if it is invalid or was used before.
    fn enter(&self, ticket: &str, sink: Box<dyn FrameSink>) -> impl Future<Output = Option<Self::Session>> + Send;
}

/// A client's session on the motion plane, as its connection sees it.
pub trait MotionSessionHandle: Send + Sync + 'static {
    /// Takes a received frame, or drops it if the queue is full.
    fn handle_frame(&self, frame: Bytes);

    /// Returns once the session has ended for a reason other than the connection.
    fn ended(&self) -> impl Future<Output = ()> + Send;
}

/// The ticket in the query of a URL; `None` if it is missing, empty or repeated.
pub fn ticket(query: Option<&str>) -> Option<&str> {
    let mut tickets = query?.split('&').filter_map(|pair| pair.strip_prefix("ticket="));
    let ticket = tickets.next().filter(|ticket| !ticket.is_empty());
    ticket.filter(|_| tickets.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_with_a_missing_or_repeated_ticket_yields_none() {
        assert_eq!(ticket(Some("ticket=abc")), Some("abc"));
        assert_eq!(ticket(Some("v=1&ticket=a-_b")), Some("a-_b"));
        for none in [None, Some(""), Some("ticket="), Some("tickets=a"), Some("ticket=a&ticket=b"), Some("x=ticket=a")]
        {
            assert_eq!(ticket(none), None, "{none:?}");
        }
    }
}
