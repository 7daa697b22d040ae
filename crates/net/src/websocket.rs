//! MQTT in WebSocket messages, as a stream of bytes. Binary messages only (MQTT 5 section 6): a packet may span
//! messages, and a message may hold several packets.

mod deadline;
pub mod frames;
mod gate;
mod inbound;
#[cfg(test)]
mod tests;

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use futures_util::{Sink, Stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
pub use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

use self::deadline::LazyDeadline;
use self::gate::PayloadWriteTransport;
use crate::connection::{TextFrame, UnfinishedBufferShare};
use crate::limits;

/// A byte stream over WebSocket: each write becomes one binary message. A server's payload is written without a copy. A
/// client's payload must be masked, so it is copied, and written on flush. Reads and writes also answer pings.
#[derive(Debug)]
pub struct WebSocketIo<Io> {
    socket: WebSocketStream<PayloadWriteTransport<Io>>,
    role: Role,
    received: Bytes,
    /// The number of messages completed before the incoming message in progress, and that message's deadline.
    ends_by: Option<(u64, Instant)>,
    overdue: LazyDeadline,
}

impl<Io: AsyncRead + AsyncWrite + Unpin> WebSocketIo<Io> {
    /// Wraps `io`, whose HTTP upgrade is complete.
    pub async fn over(io: Io, role: Role) -> WebSocketIo<Io> {
        let config = WebSocketConfig::default()
            .read_buffer_size(limits::READ_BYTES_MAX)
            .write_buffer_size(limits::WRITE_BYTES_MAX)
            .max_write_buffer_size(limits::WEBSOCKET_UNSENT_BYTES_MAX)
            .max_message_size(Some(limits::WEBSOCKET_MESSAGE_BYTES_MAX))
            .max_frame_size(Some(limits::WEBSOCKET_MESSAGE_BYTES_MAX));
        WebSocketIo::with(io, role, config).await
    }

    /// Counts incoming messages in `unfinished` while they are buffered.
    #[must_use]
    pub fn counted(mut self, unfinished: UnfinishedBufferShare) -> WebSocketIo<Io> {
        self.socket.get_mut().count(unfinished);
        self
    }

    async fn with(io: Io, role: Role, config: WebSocketConfig) -> WebSocketIo<Io> {
        let socket = WebSocketStream::from_raw_socket(PayloadWriteTransport::new(io), role, Some(config)).await;
        WebSocketIo { socket, role, received: Bytes::new(), ends_by: None, overdue: LazyDeadline::default() }
    }

    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Option<Bytes>>> {
        loop {
            let Poll::Ready(message) = Pin::new(&mut self.socket).poll_next(context) else {
                return self.poll_overdue(context).map(Err);
            };
            match message {
                Some(Ok(Message::Binary(bytes))) if !bytes.is_empty() => return Poll::Ready(Ok(Some(bytes))),
                Some(Ok(Message::Text(_))) => {
                    // The connection's writer sends this frame and then ends.
                    let frame = CloseFrame { code: CloseCode::Unsupported, reason: "messages here are binary".into() };
                    let _ = Pin::new(&mut self.socket).start_send(Message::Close(Some(frame)));
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, TextFrame)));
                }
                Some(Ok(Message::Close(_))) | None => return Poll::Ready(Ok(None)),
                Some(Ok(_)) => {}
                // A client that goes away without a close frame.
                Some(Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => {
                    return Poll::Ready(Ok(None));
                }
                // Also of TLS, whose kind would be that of a broken message.
                Some(Err(Error::Io(error))) => return Poll::Ready(Err(io::Error::other(error))),
                Some(Err(error)) => return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, error))),
            }
        }
    }

    /// Calls `write` for payload, once a control frame in progress is written.
    fn poll_write_by(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(&mut PayloadWriteTransport<Io>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        // A control frame in progress must end first.
        if !self.socket.get_ref().is_writing_message() {
            ready!(Pin::new(&mut self.socket).poll_flush(context)).map_err(io::Error::other)?;
        }
        write(self.socket.get_mut(), context)
    }

    /// Ready when an incoming message in progress has missed its deadline.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let Some(ended) = self.socket.get_ref().inbound().open() else {
            self.ends_by = None;
            return Poll::Pending;
        };
        let ends_by = match self.ends_by {
            Some((of, ends_by)) if of == ended => ends_by,
            _ => Instant::now() + limits::WEBSOCKET_MESSAGE_TIMEOUT,
        };
        self.ends_by = Some((ended, ends_by));
        self.overdue.poll(ends_by, context).map(|()| io::ErrorKind::TimedOut.into())
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncRead for WebSocketIo<Io> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.received.is_empty() {
            match ready!(this.poll_message(context))? {
                Some(bytes) => this.received = bytes,
                None => return Poll::Ready(Ok(())),
            }
        }
        let length = this.received.len().min(into.remaining());
        into.put_slice(&this.received[..length]);
        this.received.advance(length);
        // Never above the last count: these bytes were announced before.
        let _ = this.socket.get_mut().poll_buffer(this.received.len(), context);
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for WebSocketIo<Io> {
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.role == Role::Client {
            let first = parts.iter().find(|part| !part.is_empty()).map_or(&[][..], |part| part);
            return Pin::new(this).poll_write(context, first);
        }
        this.poll_write_by(context, |gate, context| gate.poll_write_message(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.role == Role::Server
    }

    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.role == Role::Server {
            return self.poll_write_vectored(context, &[IoSlice::new(bytes)]);
        }
        let mut socket = Pin::new(&mut self.get_mut().socket);
        ready!(socket.as_mut().poll_ready(context)).map_err(io::Error::other)?;
        socket.start_send(Message::Binary(Bytes::copy_from_slice(bytes))).map_err(io::Error::other)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_flush(context).map_err(io::Error::other)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().socket).poll_close(context).map_err(io::Error::other)
    }
}
