//! The transport under a WebSocket. Large messages are written without a copy, and the protocol's own small frames wait
//! meanwhile. Incoming messages are counted before they are buffered.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::inbound::FrameHeaderParser;
use crate::connection::UnfinishedBufferShare;
use crate::limits;

/// A transport with two writers: [`PayloadWriteTransport::poll_write_message`] writes the payload of a server, and
/// tungstenite the rest. A message that has been begun is written to its end before other output.
#[derive(Debug)]
pub(super) struct PayloadWriteTransport<Io> {
    io: Io,
    head: UnwrittenMessageHeader,
    /// Unwritten bytes of the outgoing message in progress: its payload, or with
    /// [`PayloadWriteTransport::poll_write_whole`] whole messages.
    unwritten_bytes: usize,
    inbound: FrameHeaderParser,
    /// Counts the incoming message in progress, if such bytes are bounded.
    unfinished: Option<UnfinishedBufferShare>,
}

/// The header of an outgoing message, and how much of it is written.
#[derive(Debug, Default)]
pub(super) struct UnwrittenMessageHeader {
    bytes: [u8; 10],
    from: usize,
    to: usize,
}

impl UnwrittenMessageHeader {
    /// The header of a whole, unmasked binary message, as a server sends it (RFC 6455 section 5.2).
    pub(super) fn of(length: usize) -> UnwrittenMessageHeader {
        let mut bytes = [0; 10];
        bytes[0] = 0x82;
        let to = match (u8::try_from(length), u16::try_from(length)) {
            (Ok(short @ ..126), _) => {
                bytes[1] = short;
                2
            }
            (_, Ok(long)) => {
                bytes[1] = 126;
                bytes[2..4].copy_from_slice(&long.to_be_bytes());
                4
            }
            _ => {
                bytes[1] = 127;
                bytes[2..].copy_from_slice(&(length as u64).to_be_bytes());
                10
            }
        };
        UnwrittenMessageHeader { bytes, from: 0, to }
    }

    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }
}

impl<Io> PayloadWriteTransport<Io> {
    pub(super) fn new(io: Io) -> PayloadWriteTransport<Io> {
        PayloadWriteTransport {
            io,
            head: UnwrittenMessageHeader::default(),
            unwritten_bytes: 0,
            inbound: FrameHeaderParser::default(),
            unfinished: None,
        }
    }

    /// From now on, counts the incoming message in progress in `unfinished`.
    pub(super) fn count(&mut self, unfinished: UnfinishedBufferShare) {
        self.unfinished = Some(unfinished);
    }

    /// Ready once the bytes of the incoming message may be buffered: those that its header announces, or the `complete`
    /// bytes of a message that is received and not yet read.
    pub(super) fn poll_buffer(&mut self, complete: usize, context: &mut Context<'_>) -> Poll<()> {
        let Some(unfinished) = &mut self.unfinished else { return Poll::Ready(()) };
        // A longer message is refused without a buffer.
        let announced = self.inbound.announced_bytes().min(limits::WEBSOCKET_MESSAGE_BYTES_MAX);
        unfinished.poll_grow(announced.max(complete), context)
    }

    /// Whether an outgoing message is begun and not yet written.
    pub(super) fn is_writing_message(&self) -> bool {
        self.unwritten_bytes > 0
    }

    /// Message boundaries of the input.
    pub(super) fn inbound(&self) -> &FrameHeaderParser {
        &self.inbound
    }
}

impl<Io: AsyncWrite + Unpin> PayloadWriteTransport<Io> {
    /// Writes payload of the outgoing message in progress. Without one, begins a message with the length of `payload`.
    /// The caller passes the rest again until it is written.
    pub(super) fn poll_write_message(
        &mut self,
        context: &mut Context<'_>,
        payload: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if !self.is_writing_message() {
            let length = payload.iter().map(|part| part.len()).sum();
            if length == 0 {
                return Poll::Ready(Ok(0));
            }
            (self.head, self.unwritten_bytes) = (UnwrittenMessageHeader::of(length), length);
        }
        self.poll_write_announced(context, payload)
    }

    /// Writes messages that include their headers. The caller passes the rest of a message in progress again until
    /// it is written.
    pub(super) fn poll_write_whole(
        &mut self,
        context: &mut Context<'_>,
        messages: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if !self.is_writing_message() {
            (self.head, self.unwritten_bytes) =
                (UnwrittenMessageHeader::default(), messages.iter().map(|part| part.len()).sum());
        }
        self.poll_write_announced(context, messages)
    }

    fn poll_write_announced(&mut self, context: &mut Context<'_>, payload: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        loop {
            let head = self.head.rest();
            let mut parts = [IoSlice::new(&[]); limits::PARTS_MAX + 1];
            parts[0] = IoSlice::new(head);
            let mut count = 1;
            let mut left = self.unwritten_bytes;
            for part in payload.iter().filter(|part| !part.is_empty()).take(limits::PARTS_MAX) {
                let length = part.len().min(left);
                parts[count] = IoSlice::new(&part[..length]);
                count += 1;
                left -= length;
                if left == 0 {
                    break;
                }
            }
            let from = usize::from(head.is_empty());
            let written = ready!(Pin::new(&mut self.io).poll_write_vectored(context, &parts[from..count]))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            let of_head = written.min(head.len());
            self.head.from += of_head;
            let of_payload = written - of_head;
            self.unwritten_bytes -= of_payload;
            // Zero written bytes would look like the end.
            if of_payload > 0 {
                return Poll::Ready(Ok(of_payload));
            }
        }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for PayloadWriteTransport<Io> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_buffer(0, context));
        let before = into.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, into))?;
        self.inbound.pass(&into.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

/// Writes the protocol's own frames, for tungstenite.
impl<Io: AsyncWrite + Unpin> AsyncWrite for PayloadWriteTransport<Io> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_writing_message() {
            // The writer of the message flushes after it.
            return Poll::Pending;
        }
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
