//! A local address that accepts TCP connections, within limits.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::address_family::is_family_missing;
use crate::counters::MqttConnectionCounters;
use crate::limits;
use crate::network_connections::{NetworkConnectionLimiter, NetworkLimitRefusal};
use crate::shutdown::ShutdownSignal;

/// TCP listeners: one, or one per address family.
#[derive(Debug)]
pub struct LimitedTcpListeners {
    listeners: Vec<TcpListener>,
    caps: EndpointConnectionLimits,
}

/// Limits on the connections of an endpoint.
#[derive(Clone, Debug)]
pub struct EndpointConnectionLimits {
    /// Open connections reserved for this endpoint.
    pub own: usize,
    /// Further connections, from a pool that all endpoints share.
    pub shared: Arc<Semaphore>,
    /// Limits per client network, shared by the endpoints of one server.
    pub addresses: NetworkConnectionLimiter,
}

impl Default for EndpointConnectionLimits {
    fn default() -> EndpointConnectionLimits {
        let addresses = NetworkConnectionLimiter::new(limits::CONNECTIONS_PER_ADDRESS_MAX);
        EndpointConnectionLimits { own: limits::CONNECTIONS_MAX, shared: Arc::new(Semaphore::new(0)), addresses }
    }
}

impl LimitedTcpListeners {
    /// Binds all `addresses`. The first must bind; `[::]` falls back to IPv4 on a machine without IPv6. Further
    /// ones use the first one's port, and are skipped if the machine lacks their address family.
    ///
    /// # Errors
    /// The first address that can't be bound, with the reason.
    pub async fn bind(addresses: &[SocketAddr]) -> Result<LimitedTcpListeners, (SocketAddr, io::Error)> {
        let mut listeners: Vec<TcpListener> = Vec::new();
        for &address in addresses {
            let mut address = address;
            if let Some(first) = listeners.first().and_then(|first| first.local_addr().ok()) {
                address.set_port(first.port());
            }
            match bind_one(address).await {
                Ok(listener) => listeners.push(listener),
                Err(error) if !listeners.is_empty() && is_family_missing(&error) => {}
                Err(error) => return Err((address, error)),
            }
        }
        Ok(LimitedTcpListeners { listeners, caps: EndpointConnectionLimits::default() })
    }

    /// Replaces the caps.
    #[must_use]
    pub fn under(self, caps: EndpointConnectionLimits) -> LimitedTcpListeners {
        LimitedTcpListeners { caps, ..self }
    }

    /// The bound address; with two address families, the first.
    pub fn local_address(&self) -> Option<SocketAddr> {
        self.listeners.first()?.local_addr().ok()
    }

    /// Accepts until `shutdown` and runs `serve` in a task for each connection; returns when all tasks have ended.
    pub async fn run<F>(
        self,
        counters: Arc<MqttConnectionCounters>,
        shutdown: ShutdownSignal,
        serve: impl Fn(TcpStream, SocketAddr) -> F,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let own = Arc::new(Semaphore::new(self.caps.own));
        let mut tasks = JoinSet::new();
        let mut ending = shutdown.clone();
        loop {
            let accepted = tokio::select! {
                () = ending.wait() => break,
                accepted = accept(&self.listeners) => accepted,
                Some(_) = tasks.join_next() => continue,
            };
            let Ok((stream, client)) = accepted else {
                tokio::time::sleep(limits::ACCEPT_RETRY).await;
                continue;
            };
            let place = || Arc::clone(&own).try_acquire_owned();
            let Ok(permit) = place().or_else(|_| Arc::clone(&self.caps.shared).try_acquire_owned()) else {
                counters.turned_away.add(1);
                continue;
            };
            let admission = match self.caps.addresses.admit(client.ip()) {
                Ok(admission) => admission,
                Err(NetworkLimitRefusal::TooMany) => {
                    counters.turned_away_by_address.add(1);
                    continue;
                }
                Err(NetworkLimitRefusal::TooFast) => {
                    counters.turned_away_by_rate.add(1);
                    continue;
                }
            };
            // Poses are small and urgent; Nagle's algorithm would delay them.
            let _ = stream.set_nodelay(true);
            // Unsent bytes wait in the outbox, where newer state can replace them, and not in the kernel.
            let _ = SockRef::from(&stream).set_tcp_notsent_lowat(limits::UNSENT_BYTES_MAX);
            let serving = serve(stream, client);
            tasks.spawn(async move {
                serving.await;
                drop((permit, admission));
            });
        }
        drop(self.listeners);
        while tasks.join_next().await.is_some() {}
    }
}

async fn bind_one(address: SocketAddr) -> io::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Err(error) if is_family_missing(&error) && address.ip().is_unspecified() && address.is_ipv6() => {
            TcpListener::bind((Ipv4Addr::UNSPECIFIED, address.port())).await
        }
        bound => bound,
    }
}

async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    match listeners {
        [first, second, ..] => tokio::select! {
            accepted = first.accept() => accepted,
            accepted = second.accept() => accepted,
        },
        [first] => first.accept().await,
        [] => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::shutdown;

    /// Whether a new connection is served: it receives a byte and not the end.
    async fn is_served(address: SocketAddr, held: &mut Vec<TcpStream>) -> bool {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let served = matches!(stream.read(&mut [0]).await, Ok(1));
        held.push(stream);
        served
    }

    #[tokio::test]
    async fn a_full_endpoint_refuses_and_counts_the_next_connection() {
        let (trigger, shutdown) = shutdown::channel();
        let counters = Arc::new(MqttConnectionCounters::default());
        let endpoint = LimitedTcpListeners::bind(&["127.0.0.1:0".parse().unwrap()]).await.unwrap();
        let address = endpoint.local_address().unwrap();
        let endpoint = endpoint.under(EndpointConnectionLimits {
            own: 1,
            shared: Arc::new(Semaphore::new(1)),
            ..EndpointConnectionLimits::default()
        });
        let serve = |mut stream: TcpStream, _| async move {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"x").await;
            let _ = stream.read(&mut [0]).await;
        };
        let running = tokio::spawn(endpoint.run(Arc::clone(&counters), shutdown, serve));
        let mut held = Vec::new();
        assert!(is_served(address, &mut held).await && is_served(address, &mut held).await);
        assert!(!is_served(address, &mut held).await);
        assert_eq!(counters.turned_away.get(), 1);
        trigger.pull();
        drop(held);
        running.await.unwrap();
    }
}
