//! Accepts QUIC connections of validated addresses, within the limits, and serves each in a task.

use std::net::IpAddr;
use std::sync::Arc;

use quinn::{Connecting, Endpoint, Incoming};
use stoa_state::bucket::TokenBucket;
use stoa_state::time::Time;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::WebTransportConfig;
use super::connection_shares::{FairConnectionLimiter, FairConnectionPermit};
use super::frame_dispatch::{NO_ERROR, ReadyFrameSlots};
use super::session::{SessionRefusal, WebTransportSession, turn_away};
use crate::counters::MotionTransportCounters;
use crate::entrance::MotionTicketRedeemer;
use crate::limits;
use crate::network_connections::NetworkConnectionPermit;
use crate::shutdown::ShutdownSignal;

/// Accepts the endpoint's connections within its limits.
pub(super) struct ConnectionAcceptor {
    endpoint: Endpoint,
    terms: WebTransportConfig,
    dispatch: Arc<ReadyFrameSlots>,
    permits: Arc<Semaphore>,
    shares: FairConnectionLimiter,
    handshakes: TokenBucket,
    zero: Instant,
}

/// Reserves a connection's share of the limits, from its handshake until this is dropped.
struct WebTransportConnectionPermit {
    _one_of_all: OwnedSemaphorePermit,
    _share: FairConnectionPermit,
    _of_address: NetworkConnectionPermit,
    counters: Arc<MotionTransportCounters>,
}

impl Drop for WebTransportConnectionPermit {
    fn drop(&mut self) {
        self.counters.closed.add(1);
    }
}

impl ConnectionAcceptor {
    pub(super) fn new(endpoint: Endpoint, terms: WebTransportConfig) -> ConnectionAcceptor {
        let dispatch = ReadyFrameSlots::new(Arc::clone(&terms.counters));
        let connections_max = terms.caps.own.min(limits::QUIC_CONNECTIONS_MAX);
        let (permits, shares) =
            (Arc::new(Semaphore::new(connections_max)), FairConnectionLimiter::new(connections_max));
        let handshakes = TokenBucket::new(limits::QUIC_HANDSHAKES_PER_S, limits::QUIC_HANDSHAKES_BURST, Time::ZERO);
        ConnectionAcceptor { endpoint, terms, dispatch, permits, shares, handshakes, zero: Instant::now() }
    }

    pub(super) async fn run(mut self, entrance: impl MotionTicketRedeemer, mut shutdown: ShutdownSignal) {
        let mut tasks = JoinSet::new();
        let dispatch = Arc::clone(&self.dispatch);
        let mut handing_over = JoinSet::new();
        handing_over.spawn(async move { dispatch.run().await });
        loop {
            let incoming = tokio::select! {
                () = shutdown.wait() => break,
                Some(_) = tasks.join_next() => continue,
                incoming = self.endpoint.accept() => incoming,
            };
            let Some(incoming) = incoming else { break };
            let Some((connecting, permit)) = self.begin_handshake(incoming) else { continue };
            tasks.spawn(serve_connection(connecting, entrance.clone(), self.shared_state(), permit));
        }
        self.endpoint.close(NO_ERROR, b"");
        let all_ended = async {
            while tasks.join_next().await.is_some() {}
            self.endpoint.wait_idle().await;
        };
        let _ = timeout(limits::CLOSE_TIMEOUT, all_ended).await;
    }

    fn shared_state(&self) -> (Arc<ReadyFrameSlots>, WebTransportConfig) {
        (Arc::clone(&self.dispatch), self.terms.clone())
    }

    /// Begins a handshake. An unvalidated address gets a Retry, which costs no memory and is smaller than its packet.
    fn begin_handshake(&mut self, incoming: Incoming) -> Option<(Connecting, WebTransportConnectionPermit)> {
        let counters = &self.terms.counters;
        if !incoming.remote_address_validated() {
            counters.retried.add(1);
            // Fails only for a validated address.
            let _ = incoming.retry();
            return None;
        }
        let now = Time::ZERO + self.zero.elapsed();
        if self.handshakes.is_empty(now) {
            // The client resends by itself, within a second or two.
            counters.put_off.add(1);
            incoming.ignore();
            return None;
        }
        let Some((one_of_all, share, of_address)) = self.permits_for(incoming.remote_address().ip()) else {
            counters.turned_away.add(1);
            incoming.refuse();
            return None;
        };
        self.handshakes.spend(1, now);
        let connecting = incoming.accept().ok()?;
        counters.opened.add(1);
        let counters = Arc::clone(counters);
        let permit =
            WebTransportConnectionPermit { _one_of_all: one_of_all, _share: share, _of_address: of_address, counters };
        Some((connecting, permit))
    }

    /// Takes a connection from the limits of the endpoint, of fair shares and of the client's network; `None` if one of
    /// them is reached.
    fn permits_for(
        &self,
        address: IpAddr,
    ) -> Option<(OwnedSemaphorePermit, FairConnectionPermit, NetworkConnectionPermit)> {
        let one_of_all = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        let share = self.shares.take(address)?;
        Some((one_of_all, share, self.terms.caps.addresses.admit(address).ok()?))
    }
}

/// Serves one connection, from its handshake to its end.
async fn serve_connection(
    connecting: Connecting,
    entrance: impl MotionTicketRedeemer,
    with: (Arc<ReadyFrameSlots>, WebTransportConfig),
    permit: WebTransportConnectionPermit,
) {
    let (dispatch, WebTransportConfig { caps, counters, .. }) = with;
    let from = connecting.remote_address().ip();
    let opening = async {
        let connection = connecting.await.map_err(|_| SessionRefusal::NoRequest)?;
        let opened = WebTransportSession::open(&connection, &entrance, dispatch.sink(connection.clone())).await;
        opened.inspect_err(|refusal| turn_away(&connection, *refusal))
    };
    match timeout(limits::HANDSHAKE_TIMEOUT, opening).await {
        Ok(Ok(session)) => session.run(&counters).await,
        Ok(Err(SessionRefusal::Ticket)) => {
            counters.tickets_refused.add(1);
            caps.addresses.blame(from);
        }
        Ok(Err(_)) | Err(_) => counters.handshakes_failed.add(1),
    }
    drop(permit);
}
