//! Emulates a longer path to a server in user space, seeded: a port accepts connections and forwards both directions
//! with a delay, for machines whose kernel has no `netem`. TCP's other effects on such a path (loss, a slowly opening
//! window) are not emulated. A click and its answer each fit into one segment, so the window has no effect.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use anyhow::Result;
use fastrand::Rng;

/// Maximum size of one read.
const CHUNK_BYTES: usize = 64 * 1_024;
/// Maximum number of chunks on the path. Beyond it reading stops, as with a full window.
const CHUNKS_MAX: usize = 1_024;

/// The delay of a path in each direction.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct LinkDelay {
    pub(crate) delay: Duration,
    /// Maximum of the additional delay, evenly distributed. A late chunk delays its followers, since a stream keeps
    /// its order.
    pub(crate) jitter: Duration,
    pub(crate) seed: u64,
}

/// A port that forwards connections to a server with this delay, closed on drop.
pub(crate) struct DelayProxy {
    address: SocketAddr,
    is_ending: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl DelayProxy {
    pub(crate) fn to(server: SocketAddr, distance: LinkDelay) -> Result<DelayProxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let is_ending = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&is_ending);
        let accepting = Some(spawn(move || accept(&listener, (server, distance), &ending)));
        Ok(DelayProxy { address, is_ending, accepting })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for DelayProxy {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Relaxed);
        // Wakes the accepting thread.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// One forwarded connection.
struct ProxiedConnection {
    ends: [TcpStream; 2],
    threads: Vec<JoinHandle<()>>,
}

fn accept(listener: &TcpListener, (server, distance): (SocketAddr, LinkDelay), is_ending: &AtomicBool) {
    let mut led = Vec::new();
    for (number, client) in (0..).zip(listener.incoming()) {
        if is_ending.load(Ordering::Relaxed) {
            break;
        }
        // If the server is unreachable, the client finds its connection closed and reports that.
        let leading =
            client.and_then(|client| lead(client, server, LinkDelay { seed: distance.seed + number, ..distance }));
        led.extend(leading);
    }
    for ProxiedConnection { ends, threads } in led {
        let _ = ends.map(|end| end.shutdown(Shutdown::Both));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

fn lead(client: TcpStream, server: SocketAddr, distance: LinkDelay) -> std::io::Result<ProxiedConnection> {
    let server = TcpStream::connect(server)?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let back = LinkDelay { seed: !distance.seed, ..distance };
    let mut threads = Vec::new();
    for (from, to, distance) in [(&client, &server, distance), (&server, &client, back)] {
        let (give, take) = sync_channel(CHUNKS_MAX);
        let (from, to) = (from.try_clone()?, to.try_clone()?);
        threads.push(spawn(move || depart(from, distance, &give)));
        threads.push(spawn(move || arrive(to, &take)));
    }
    Ok(ProxiedConnection { ends: [client, server], threads })
}

/// The arrival times of departing chunks.
struct ChunkArrivalCalculator {
    distance: LinkDelay,
    rng: Rng,
    last: Option<Instant>,
}

impl ChunkArrivalCalculator {
    fn new(distance: LinkDelay) -> ChunkArrivalCalculator {
        ChunkArrivalCalculator { distance, rng: Rng::with_seed(distance.seed), last: None }
    }

    fn due(&mut self, now: Instant) -> Instant {
        let due = now + self.distance.delay + self.distance.jitter.mul_f64(self.rng.f64());
        *self.last.insert(self.last.map_or(due, |last| last.max(due)))
    }
}

fn depart(mut from: TcpStream, distance: LinkDelay, give: &SyncSender<(Instant, Vec<u8>)>) {
    let mut lateness = ChunkArrivalCalculator::new(distance);
    let mut scratch = vec![0; CHUNK_BYTES];
    while let Ok(length @ 1..) = from.read(&mut scratch) {
        if give.send((lateness.due(Instant::now()), scratch[..length].to_vec())).is_err() {
            return;
        }
    }
}

fn arrive(mut to: TcpStream, take: &Receiver<(Instant, Vec<u8>)>) {
    for (due, bytes) in take {
        sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            return;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round trips over an echo server, in milliseconds.
    fn round_trips_ms(distance: LinkDelay) -> Vec<f64> {
        let echo = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let proxy = DelayProxy::to(echo.local_addr().expect("its port"), distance).expect("a port");
        let echoing = spawn(move || {
            let (mut stream, _) = echo.accept().expect("somebody comes");
            let mut scratch = [0; 64];
            while let Ok(length @ 1..) = stream.read(&mut scratch) {
                stream.write_all(&scratch[..length]).expect("it is open");
            }
        });
        let mut stream = TcpStream::connect(proxy.address()).expect("it listens");
        let mut scratch = [0; 64];
        let mut round = || {
            let began = Instant::now();
            stream.write_all(b"click").expect("it is open");
            stream.read_exact(&mut scratch[..5]).expect("it comes back");
            began.elapsed().as_secs_f64() * 1e3
        };
        let found = (0..10).map(|_| round()).collect();
        drop(proxy);
        echoing.join().expect("it ends with the way");
        found
    }

    #[test]
    fn the_proxy_delays_each_direction_by_the_set_delay() {
        let far = LinkDelay { delay: Duration::from_millis(10), jitter: Duration::from_millis(5), seed: 7 };
        let trips = round_trips_ms(far);
        assert!(trips.iter().all(|trip_ms| *trip_ms >= 20.0), "{trips:?}");
        let near = LinkDelay { delay: Duration::ZERO, jitter: Duration::ZERO, seed: 7 };
        let least = round_trips_ms(near).into_iter().fold(f64::MAX, f64::min);
        assert!(least < 20.0, "negative control: {least} ms");
    }

    #[test]
    fn equal_seeds_give_equal_delays_and_chunks_arrive_in_order() {
        let dues = |seed| {
            let distance = LinkDelay { delay: Duration::from_millis(2), jitter: Duration::from_millis(9), seed };
            let (mut lateness, now) = (ChunkArrivalCalculator::new(distance), Instant::now());
            (0..200).map(|step| lateness.due(now + Duration::from_millis(step)) - now).collect::<Vec<_>>()
        };
        assert_eq!(dues(3), dues(3));
        assert_ne!(dues(3), dues(4), "negative control");
        assert!(dues(3).is_sorted());
        assert!(dues(3).iter().zip(0..).all(|(due, step)| *due >= Duration::from_millis(step + 2)));
    }
}
