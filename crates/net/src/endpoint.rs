//! A local address that accepts connections, under a cap.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::counters::Counters;
use crate::limits;
use crate::shutdown::Shutdown;

/// One door: a listener, or one for each address family.
#[derive(Debug)]
pub struct Endpoint {
    listeners: Vec<TcpListener>,
}

impl Endpoint {
    /// Binds all `addresses`. The first must bind, on IPv4 alone where `[::]` isn't there; further ones get the port that the first got, and may be missing where
    /// their family is.
    ///
    /// # Errors
    /// The first address that can't be bound, and why.
    pub async fn bind(addresses: &[SocketAddr]) -> Result<Endpoint, (SocketAddr, io::Error)> {
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
        Ok(Endpoint { listeners })
    }

    /// The address that is bound; of two families' the first.
    pub fn local_address(&self) -> Option<SocketAddr> {
        self.listeners.first()?.local_addr().ok()
    }

    /// Accepts until `shutdown`, running `serve` for each connection in a task of its own; returns when all of these have ended.
    pub async fn run<F>(self, counters: Arc<Counters>, shutdown: Shutdown, serve: impl Fn(TcpStream, SocketAddr) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let permits = Arc::new(Semaphore::new(limits::CONNECTIONS_MAX));
        let mut tasks = JoinSet::new();
        let mut ending = shutdown.clone();
        loop {
            let accepted = tokio::select! {
                () = ending.wait() => break,
                accepted = accept(&self.listeners) => accepted,
                Some(_) = tasks.join_next() => continue,
            };
            let Ok((stream, peer)) = accepted else {
                tokio::time::sleep(limits::ACCEPT_RETRY).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else {
                counters.turned_away.add(1);
                continue;
            };
            // Poses are small and each is late already; Nagle's algorithm would hold them back.
            let _ = stream.set_nodelay(true);
            let serving = serve(stream, peer);
            tasks.spawn(async move {
                serving.await;
                drop(permit);
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

fn is_family_missing(error: &io::Error) -> bool {
    // EAFNOSUPPORT has no kind of its own.
    matches!(error.kind(), io::ErrorKind::AddrNotAvailable | io::ErrorKind::Unsupported)
        || error.raw_os_error() == Some(97)
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
