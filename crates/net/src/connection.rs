//! One MQTT connection: a reader decodes packets for the realm, and a writer sends the packets queued at one wake-up in
//! one write of up to [`limits::WRITE_BYTES_MAX`].

mod json_parser;
mod unfinished;

use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, ready};

use bytes::Buf;
use stoa_state::batch::OutboxChunk;
use stoa_state::connection_id::ConnectionId;
use stoa_state::mqtt::received_packet::{ReceivedPacket, long_json};
use stoa_state::origin::ConnectionOrigin;
use stoa_wire::limits::PACKET_BYTES_MAX;
use stoa_wire::packet::{DecodeError, Decoder};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf, ReadHalf, WriteHalf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout, timeout_at};

use self::json_parser::{LongPayloadPacket, LongPayloadParser};
pub use self::unfinished::UnfinishedBufferShare;
use self::unfinished::UnfinishedInputLimiter;
use crate::background::BackgroundThreads;
use crate::counters::MqttConnectionCounters;
use crate::gathered::GatheredWrite;
use crate::limits;
use crate::outbox::{ConnectionOutbox, RealmUnreadBytesLimiter, TakeOutcome};

/// A WebSocket client sent a text frame.
#[derive(Debug, thiserror::Error)]
#[error("a text frame")]
pub(crate) struct TextFrame;

/// An event of a connection, for the realm.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are packets; a box would cost each of them an allocation")]
pub enum ConnectionEvent {
    /// The connection is open. Always the first.
    Opened {
        /// Takes the realm's packets for this connection.
        outbox: Arc<ConnectionOutbox>,
        /// The client's transport and address.
        origin: ConnectionOrigin,
    },
    /// A whole packet, with its payload parsed if that takes long, and its share of the queue until the realm has
    /// handled it.
    Packet(ReceivedPacket, LargePacketQueuePermit),
    /// Bytes that are no packet. Later bytes are discarded.
    Malformed(DecodeError),
    /// The connection has ended. Always the last.
    Closed,
}

/// A large packet's share of the queue to the realm, returned on drop. Small packets are bounded by their number.
#[derive(Debug, Default)]
pub struct LargePacketQueuePermit {
    _packet: Option<OwnedSemaphorePermit>,
    /// The share of the parsed payload.
    _parsed: Option<OwnedSemaphorePermit>,
}

impl LargePacketQueuePermit {
    /// Waits until a packet of `bytes` may be queued; takes one of the `permits` for each KiB.
    async fn take(permits: &Arc<Semaphore>, bytes: usize) -> LargePacketQueuePermit {
        let kib = u32::try_from(bytes / 1_024).unwrap_or(u32::MAX);
        if kib == 0 {
            return LargePacketQueuePermit::default();
        }
        LargePacketQueuePermit { _packet: Arc::clone(permits).acquire_many_owned(kib).await.ok(), _parsed: None }
    }
}

/// The connection of a packet.
#[derive(Clone, Copy, Debug)]
struct SourceConnection {
    connection: ConnectionId,
    origin: ConnectionOrigin,
}

/// Serves connections of every transport and gives each a [`ConnectionId`]. Clones share the counter.
#[derive(Clone, Debug)]
pub struct MqttConnectionService {
    inputs: mpsc::Sender<(ConnectionId, ConnectionEvent)>,
    counters: Arc<MqttConnectionCounters>,
    next_id: Arc<AtomicU64>,
    /// KiB of packets, and of their parsed payloads, that may be queued.
    permits: Arc<Semaphore>,
    json_parser: Arc<LongPayloadParser>,
    unread: RealmUnreadBytesLimiter,
    unfinished: UnfinishedInputLimiter,
}

impl MqttConnectionService {
    /// Sends events to `inputs`. While that is full, readers wait. `parsing` parses long JSON, with
    /// [`limits::JSON_PARSED_AT_ONCE_MAX`] threads.
    pub fn new(
        inputs: mpsc::Sender<(ConnectionId, ConnectionEvent)>,
        parsing: BackgroundThreads,
    ) -> MqttConnectionService {
        let permits = Arc::new(Semaphore::new(limits::INPUTS_KIB_MAX));
        MqttConnectionService {
            inputs,
            counters: Arc::default(),
            next_id: Arc::new(AtomicU64::new(1)),
            permits,
            json_parser: Arc::new(LongPayloadParser::new(parsing)),
            unread: RealmUnreadBytesLimiter::default(),
            unfinished: UnfinishedInputLimiter::default(),
        }
    }

    /// Replaces the bound of unread bytes.
    #[must_use]
    pub fn under(self, unread: RealmUnreadBytesLimiter) -> MqttConnectionService {
        MqttConnectionService { unread, ..self }
    }

    /// The unread bytes of all connections.
    pub fn unread(&self) -> &RealmUnreadBytesLimiter {
        &self.unread
    }

    /// Counters of all connections so far.
    pub fn counters(&self) -> &Arc<MqttConnectionCounters> {
        &self.counters
    }

    /// Begins to count the unfinished input that a new connection's transport buffers.
    pub fn unfinished(&self, origin: ConnectionOrigin) -> UnfinishedBufferShare {
        self.unfinished.open(self.next_id.fetch_add(1, Ordering::Relaxed), origin)
    }

    /// Runs one connection until it ends; `io` carries MQTT's bytes, without a buffer of its own.
    pub async fn serve(&self, origin: ConnectionOrigin, io: impl AsyncRead + AsyncWrite + Send) {
        self.serve_buffered(origin, io, self.unfinished(origin)).await;
    }

    /// Runs one connection whose transport has a buffer. `unfinished` counts the decoder's buffer: it is the
    /// [`UnfinishedBufferShare::beside`] of the transport's share.
    pub async fn serve_buffered(
        &self,
        origin: ConnectionOrigin,
        io: impl AsyncRead + AsyncWrite + Send,
        unfinished: UnfinishedBufferShare,
    ) {
        let id = ConnectionId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let counted = self.unread.open(id, origin);
        let outbox = &counted.outbox;
        self.counters.opened.add(1);
        if self.send_input(id, ConnectionEvent::Opened { outbox: Arc::clone(outbox), origin }).await {
            self.run_transport(io, SourceConnection { connection: id, origin }, outbox, unfinished).await;
        }
        self.counters.closed.add(1);
    }

    async fn run_transport(
        &self,
        io: impl AsyncRead + AsyncWrite + Send,
        source: SourceConnection,
        outbox: &ConnectionOutbox,
        unfinished: UnfinishedBufferShare,
    ) {
        let id = source.connection;
        let (mut from, mut to) = tokio::io::split(Box::pin(io));
        let mut writing = Box::pin(self.write(&mut to, outbox));
        // A client that takes nothing must not keep a connection that the realm has closed.
        let overdue = async {
            outbox.closed().await;
            tokio::time::sleep(limits::CLOSE_TIMEOUT).await;
        };
        let still_writing = tokio::select! {
            () = self.read(&mut from, source, outbox, unfinished) => true,
            () = &mut writing => false,
            () = overdue => false,
        };
        if still_writing {
            // The client has ended, sent malformed bytes or timed out: a last packet may still be in flight.
            self.send_input(id, ConnectionEvent::Closed).await;
            outbox.close();
            let _ = timeout(limits::CLOSE_TIMEOUT, writing).await;
        } else {
            drop(writing);
            self.send_input(id, ConnectionEvent::Closed).await;
            let _ = timeout(limits::LINGER_TIMEOUT, discard(&mut from)).await;
        }
    }

    /// Reads packets until the client ends the connection, a packet times out, or the realm has ended. After malformed
    /// bytes, discards input for at most [`limits::CLOSE_TIMEOUT`].
    async fn read<Io: AsyncRead + AsyncWrite + Unpin>(
        &self,
        from: &mut ReadHalf<Io>,
        source: SourceConnection,
        outbox: &ConnectionOutbox,
        mut unfinished: UnfinishedBufferShare,
    ) {
        let id = source.connection;
        let mut decoder = Decoder::new(PACKET_BYTES_MAX);
        let mut begun: Option<Instant> = None;
        loop {
            let reading = read_into(from, &mut decoder, &mut unfinished);
            let read = match begun {
                None => reading.await,
                Some(since) => match timeout_at(since + limits::PACKET_TIMEOUT, reading).await {
                    Ok(read) => read,
                    Err(_) => return, // the packet was not complete in time
                },
            };
            if read.as_ref().is_err_and(|error| error.get_ref().is_some_and(|inner| inner.is::<TextFrame>())) {
                self.counters.text_frames.add(1);
            }
            let Ok(length @ 1..) = read else { return };
            self.counters.bytes_in.add(length as u64);
            let whole = loop {
                let before = decoder.buffered_bytes();
                match decoder.next_packet() {
                    Ok(Some(packet)) => {
                        begun = None;
                        outbox.readable().await;
                        let size_bytes = before - decoder.buffered_bytes();
                        let (received, permit) = match long_json(&packet).cloned() {
                            None => {
                                let permit = LargePacketQueuePermit::take(&self.permits, size_bytes).await;
                                (ReceivedPacket::from(packet), permit)
                            }
                            Some(payload) => {
                                let long = LongPayloadPacket { packet, payload, size_bytes };
                                // In a box, so that only long packets take memory for it.
                                Box::pin(self.json_parser.parse(source, long, &self.permits)).await
                            }
                        };
                        if !self.send_input(id, ConnectionEvent::Packet(received, permit)).await {
                            return;
                        }
                    }
                    Ok(None) => break true,
                    Err(error) => {
                        self.send_input(id, ConnectionEvent::Malformed(error)).await;
                        break false;
                    }
                }
            };
            if !whole {
                // The realm answers and closes; the remaining bytes are discarded.
                let _ = timeout(limits::CLOSE_TIMEOUT, discard(from)).await;
                return;
            }
            begun = if decoder.is_between_packets() { None } else { begun.or_else(|| Some(Instant::now())) };
        }
    }

    /// Writes the outbox until it is closed and empty, or a write fails. Hot path: one write per wake-up, unless more
    /// than [`limits::WRITE_BYTES_MAX`] are queued. Frames for several receivers are written from their shared buffer.
    async fn write<Io: AsyncRead + AsyncWrite + Unpin>(&self, to: &mut WriteHalf<Io>, outbox: &ConnectionOutbox) {
        let mut chunks: Vec<OutboxChunk> = Vec::new();
        let mut gathered = GatheredWrite::default();
        loop {
            outbox.woken().await;
            self.counters.wakeups.add(1);
            loop {
                match outbox.take(limits::WRITE_BYTES_MAX, &mut chunks) {
                    TakeOutcome::Nothing => break,
                    TakeOutcome::Ended => {
                        let _ = to.shutdown().await;
                        return;
                    }
                    TakeOutcome::Some => {}
                }
                self.counters.frames.add(chunks.iter().map(|chunk| chunk.count() as u64).sum());
                gathered.fill(chunks.drain(..), to.is_write_vectored());
                self.counters.writes.add(1);
                self.counters.bytes_out.add(gathered.remaining() as u64);
                if to.write_all_buf(&mut gathered).await.is_err() || to.flush().await.is_err() {
                    return;
                }
            }
            chunks.shrink_to(limits::PIECES_KEPT);
            gathered.shrink();
        }
    }

    /// Sends an event to the realm; false if the realm has ended.
    async fn send_input(&self, id: ConnectionId, inbound: ConnectionEvent) -> bool {
        self.inputs.send((id, inbound)).await.is_ok()
    }
}

thread_local! {
    /// Each read is decoded at once, so one buffer serves all connections of a thread and an idle one holds none.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; limits::READ_BYTES_MAX]);
}

/// Reads once, as soon as the packet in progress may be buffered; returns the number of bytes, 0 at the end.
async fn read_into<Io: AsyncRead + AsyncWrite>(
    from: &mut ReadHalf<Io>,
    decoder: &mut Decoder,
    unfinished: &mut UnfinishedBufferShare,
) -> io::Result<usize> {
    poll_fn(|context| {
        ready!(unfinished.poll_grow(decoder.expected_bytes(), context));
        SCRATCH.with_borrow_mut(|scratch| {
            let mut buffer = ReadBuf::new(scratch);
            ready!(Pin::new(&mut *from).poll_read(context, &mut buffer))?;
            decoder.feed(buffer.filled());
            Poll::Ready(Ok(buffer.filled().len()))
        })
    })
    .await
}

async fn discard<Io: AsyncRead>(from: &mut ReadHalf<Io>) {
    let mut buffer = [0; 1_024];
    while let Ok(1..) = from.read(&mut buffer).await {}
}

#[cfg(test)]
mod tests;
