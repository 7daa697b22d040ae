//! Serves one WebTransport connection: the HTTP/3 that a session request needs, then datagrams. Sources: RFC 9114, RFC
//! 9220, RFC 9297, draft-ietf-webtrans-http3.

use std::pin::pin;

use bytes::{Buf, Bytes};
use quinn::{Connection, RecvStream, SendStream, VarInt};
use stoa_wire::limits::FRAME_BYTES_MAX;
use web_transport_proto::http::StatusCode;
use web_transport_proto::{ConnectRequest, ConnectResponse, Settings};

use super::frame_dispatch::{NO_ERROR, WebTransportFrameSender};
use crate::counters::MotionTransportCounters;
use crate::entrance::{MotionSessionHandle, MotionTicketRedeemer, PATH, ticket};
use crate::limits;

/// Quarter stream ID, before each datagram. The session is requested on the only bidirectional stream that a client may
/// open, number 0.
pub(super) const SESSION_PREFIX: u8 = 0;

/// `H3_MESSAGE_ERROR`, for anything but a session request.
const MESSAGE_ERROR: VarInt = VarInt::from_u32(0x10e);
/// `H3_DATAGRAM_ERROR`, for a connection whose datagrams are too small for a frame.
const DATAGRAM_ERROR: VarInt = VarInt::from_u32(0x33);

/// Reason why a connection got no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionRefusal {
    /// The connection ended, or requested something other than a session.
    NoRequest,
    /// The connection's datagrams are too small for the largest frame.
    SmallDatagrams,
    /// The requested path is not the motion plane's.
    NotFound,
    /// The ticket is missing or invalid.
    Ticket,
}

/// An admitted session.
pub(super) struct WebTransportSession<S> {
    connection: Connection,
    session: S,
    /// Both directions of the session's stream. Neither it nor the stream of our settings may end before the session.
    request_stream: (SendStream, RecvStream),
    _settings: SendStream,
}

impl<S: MotionSessionHandle> WebTransportSession<S> {
    /// Sends our settings, reads the request and admits the client.
    pub(super) async fn open<E: MotionTicketRedeemer<Session = S>>(
        connection: &Connection,
        entrance: &E,
        sink: WebTransportFrameSender,
    ) -> Result<WebTransportSession<S>, SessionRefusal> {
        let no_request = |_| SessionRefusal::NoRequest;
        let mut settings_stream = connection.open_uni().await.map_err(|_| SessionRefusal::NoRequest)?;
        let mut settings = Settings::default();
        settings.enable_webtransport(1);
        settings.write(&mut settings_stream).await.map_err(|_| SessionRefusal::NoRequest)?;
        // The client's settings and its QPACK streams stay unread: they change nothing here, and flow control
        // admits few bytes of them.
        let (mut answer, mut request_stream) = connection.accept_bi().await.map_err(|_| SessionRefusal::NoRequest)?;
        let request = ConnectRequest::read(&mut request_stream).await.map_err(no_request)?;
        let fits = |most: usize| most > FRAME_BYTES_MAX;
        let admission = if !connection.max_datagram_size().is_some_and(fits) {
            Err(SessionRefusal::SmallDatagrams)
        } else if request.url.path() != PATH {
            Err(SessionRefusal::NotFound)
        } else {
            match ticket(request.url.query()) {
                Some(ticket) => entrance.enter(ticket, Box::new(sink)).await.ok_or(SessionRefusal::Ticket),
                None => Err(SessionRefusal::Ticket),
            }
        };
        let status = match admission {
            Ok(_) => StatusCode::OK,
            Err(SessionRefusal::NotFound) => StatusCode::NOT_FOUND,
            Err(_) => StatusCode::FORBIDDEN,
        };
        let _ = ConnectResponse::new(status).write(&mut answer).await;
        match admission {
            Ok(session) => Ok(WebTransportSession {
                connection: connection.clone(),
                session,
                request_stream: (answer, request_stream),
                _settings: settings_stream,
            }),
            Err(refusal) => {
                let _ = answer.finish();
                // Waits until the client has read the answer, or is gone.
                let _ = answer.stopped().await;
                Err(refusal)
            }
        }
    }

    /// Passes received datagrams to the session until the session or the client ends.
    pub(super) async fn run(self, counters: &MotionTransportCounters) {
        let WebTransportSession { connection, session, request_stream: (mut answer, request_stream), _settings } = self;
        let mut ended = pin!(session.ended());
        let mut client_closed = pin!(end_of(request_stream));
        loop {
            tokio::select! {
                () = ended.as_mut() => break,
                () = client_closed.as_mut() => break,
                datagram = connection.read_datagram() => match datagram {
                    Ok(datagram) => take(&session, datagram, counters),
                    Err(_) => return,
                },
            }
        }
        let _ = answer.finish();
        connection.close(NO_ERROR, b"");
    }
}

/// Waits for the end of the stream and ignores capsules.
async fn end_of(mut request_stream: RecvStream) {
    while let Ok(Some(_)) = request_stream.read_chunk(limits::QUIC_STREAM_BYTES as usize, true).await {}
}

fn take(session: &impl MotionSessionHandle, mut datagram: Bytes, counters: &MotionTransportCounters) {
    if datagram.first() != Some(&SESSION_PREFIX) || datagram.len() > 1 + FRAME_BYTES_MAX {
        counters.frames_refused.add(1);
        return;
    }
    datagram.advance(1);
    counters.frames_in.add(1);
    session.handle_frame(datagram);
}

/// Closes the connection with the refusal's HTTP/3 error code.
pub(super) fn turn_away(connection: &Connection, refusal: SessionRefusal) {
    let code = match refusal {
        SessionRefusal::NoRequest => MESSAGE_ERROR,
        SessionRefusal::SmallDatagrams => DATAGRAM_ERROR,
        SessionRefusal::NotFound | SessionRefusal::Ticket => NO_ERROR,
    };
    connection.close(code, b"");
}
