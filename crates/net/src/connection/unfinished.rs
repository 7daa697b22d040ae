//! Bounds the unfinished input of all connections: packets and WebSocket messages that are buffered until they are
//! whole.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use stoa_state::ledger::Resource;
use stoa_state::origin::ConnectionOrigin;
use tokio::time::{Sleep, sleep};

use crate::limits;
use crate::shared_bytes::{ConnectionByteShare, SharedByteLimiter, SharedByteLimits};

/// The unfinished input of all connections. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct UnfinishedInputLimiter(SharedByteLimiter);

/// The unfinished input in one buffer of a connection. A connection has two: of its transport and of its decoder. The
/// larger one counts, because bytes leave the one as they enter the other.
#[derive(Debug)]
pub struct UnfinishedBufferShare {
    connection: Arc<Mutex<ConnectionInputBytes>>,
    buffer: usize,
    bytes: u64,
    retry: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
struct ConnectionInputBytes {
    share: ConnectionByteShare,
    buffers: [u64; 2],
}

impl Default for UnfinishedInputLimiter {
    fn default() -> UnfinishedInputLimiter {
        UnfinishedInputLimiter::new(limits::UNFINISHED_BYTES_SHARED, limits::UNFINISHED_BYTES_MAX)
    }
}

impl UnfinishedInputLimiter {
    pub(super) fn new(shared: u64, all_max: u64) -> UnfinishedInputLimiter {
        UnfinishedInputLimiter(SharedByteLimiter::new(SharedByteLimits {
            resource: Resource::UnfinishedBytes,
            of: "bytes of unfinished input of all connections",
            shared,
            all_max,
        }))
    }

    /// Counts the first buffer of a new connection.
    pub(super) fn open(&self, key: u64, origin: ConnectionOrigin) -> UnfinishedBufferShare {
        let bytes = ConnectionInputBytes { share: self.0.join(key, origin), buffers: [0; 2] };
        UnfinishedBufferShare { connection: Arc::new(Mutex::new(bytes)), buffer: 0, bytes: 0, retry: None }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.0.used()
    }
}

impl UnfinishedBufferShare {
    /// Counts the connection's other buffer.
    #[must_use]
    pub fn beside(&self) -> UnfinishedBufferShare {
        let connection = Arc::clone(&self.connection);
        UnfinishedBufferShare { connection, buffer: 1 - self.buffer, bytes: 0, retry: None }
    }

    /// Ready once the buffer may grow to `bytes`, the whole length of its packet or message, so that input that was
    /// begun can also be finished. Until then the connection must not be read. Small input isn't counted.
    pub(crate) fn poll_grow(&mut self, bytes: usize, context: &mut Context<'_>) -> Poll<()> {
        let counted = if bytes <= limits::UNFINISHED_BYTES_MIN { 0 } else { bytes as u64 };
        if counted == self.bytes {
            return Poll::Ready(());
        }
        loop {
            if self.set(counted) {
                self.retry = None;
                return Poll::Ready(());
            }
            let retry = self.retry.get_or_insert_with(|| Box::pin(sleep(limits::UNFINISHED_RETRY)));
            ready!(retry.as_mut().poll(context));
            self.retry = None;
        }
    }

    fn set(&mut self, counted: u64) -> bool {
        let mut connection = self.connection.lock().expect("no code panics while it holds this lock");
        let larger = counted.max(connection.buffers[1 - self.buffer]);
        if connection.share.set(larger).is_err() {
            return false;
        }
        (connection.buffers[self.buffer], self.bytes) = (counted, counted);
        true
    }
}

impl Drop for UnfinishedBufferShare {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.set(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::IpAddr;

    use tokio::time::timeout;

    use super::*;

    const LARGE: usize = 100 * 1_024;

    fn open(shares: &UnfinishedInputLimiter, key: u64, address: &str) -> UnfinishedBufferShare {
        shares.open(key, address.parse::<IpAddr>().unwrap().into())
    }

    async fn grows(input: &mut UnfinishedBufferShare, bytes: usize) -> bool {
        let growing = poll_fn(|context| input.poll_grow(bytes, context));
        timeout(2 * limits::UNFINISHED_RETRY, growing).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn unfinished_input_of_a_flooding_network_waits_while_another_network_is_read() {
        let shares = UnfinishedInputLimiter::new(10 * LARGE as u64, 20 * LARGE as u64);
        let mut flood: Vec<_> = (0..30).map(|key| open(&shares, key, "192.0.2.1")).collect();
        let mut begun = 0;
        for input in &mut flood {
            begun += usize::from(grows(input, LARGE).await);
        }
        // One more than the bound, because a newcomer has what each other one has.
        assert_eq!(begun, 11);
        let mut honest: Vec<_> = (100..104).map(|key| open(&shares, key, "192.0.2.2")).collect();
        for input in &mut honest {
            assert!(grows(input, LARGE).await, "within its share");
        }
        assert!(!grows(&mut flood[29], LARGE).await, "negative control");
        flood.truncate(4);
        drop(honest);
        assert_eq!(shares.bytes(), 4 * LARGE as u64);
        let mut next = open(&shares, 200, "192.0.2.1");
        assert!(grows(&mut next, LARGE).await);
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_in_transport_and_decoder_count_once_and_small_input_is_not_counted() {
        let shares = UnfinishedInputLimiter::new(LARGE as u64, LARGE as u64);
        let mut transport = open(&shares, 1, "192.0.2.1");
        let mut decoder = transport.beside();
        assert!(grows(&mut transport, LARGE).await && grows(&mut decoder, LARGE).await);
        assert!(grows(&mut transport, 0).await);
        assert_eq!(shares.bytes(), LARGE as u64);
        assert!(grows(&mut decoder, limits::UNFINISHED_BYTES_MIN).await);
        assert_eq!(shares.bytes(), 0);
    }
}
