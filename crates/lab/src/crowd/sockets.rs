//! The crowd's sockets. Each person has a loopback address, and many share a socket, so that few system calls carry
//! all datagrams. A read takes a few messages, each with one person's datagrams of one tick (GRO). The crowd
//! decrypts the datagrams while the processor's first-level cache still has them.

use std::io::{self, IoSliceMut};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Instant;

use anyhow::{Context, Result};
use nix::sys::socket::{setsockopt, sockopt};
use quinn_udp::{RecvMeta, Transmit, UdpSocketState};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Messages of one call.
const MESSAGES: usize = 8;
const SLOT_BYTES: usize = 65_536;
/// People on one socket. Its buffer, if the system grants 4 MiB, holds the datagrams of two hundred people in a
/// tick.
const PEOPLE_A_SOCKET: usize = 200;
/// Requested buffer size; systems grant less.
const BUFFER_BYTES: usize = 32 * 1_024 * 1_024;

/// The sockets of all people.
pub(crate) struct SharedSockets {
    sockets: Vec<SharedSocket>,
    server: SocketAddr,
    slots: Vec<u8>,
    /// The next socket to read.
    next: usize,
}

struct SharedSocket {
    socket: UdpSocket,
    state: UdpSocketState,
    port: u16,
}

impl SharedSockets {
    /// Sockets for people of one server.
    pub(crate) fn new(people: usize, server: SocketAddr) -> Result<SharedSockets> {
        let sockets: Result<Vec<SharedSocket>> =
            (0..people.div_ceil(PEOPLE_A_SOCKET)).map(|_| SharedSocket::open()).collect();
        Ok(SharedSockets { sockets: sockets?, server, slots: vec![0; MESSAGES * SLOT_BYTES], next: 0 })
    }

    /// A person's own address.
    pub(crate) fn address(&self, person: usize) -> SocketAddr {
        SocketAddr::new(address_of(person), self.sockets[person / PEOPLE_A_SOCKET].port)
    }

    /// Sends one datagram from a person's address.
    pub(crate) fn send(&self, person: usize, datagram: &[u8]) -> io::Result<()> {
        let SharedSocket { socket, state, .. } = &self.sockets[person / PEOPLE_A_SOCKET];
        let transmit = Transmit {
            destination: self.server,
            ecn: None,
            contents: datagram,
            segment_size: None,
            src_ip: Some(address_of(person)),
        };
        state.try_send(socket.into(), &transmit)
    }

    /// Waits for arrivals until `until` at most, and passes some to `take`: the person, and the datagram, which may
    /// be overwritten. Returns their number.
    pub(crate) fn receive(&mut self, until: Instant, mut take: impl FnMut(usize, &mut [u8])) -> Result<usize> {
        loop {
            for _ in 0..self.sockets.len() {
                let came = self.receive_at(self.next, &mut take)?;
                if came > 0 {
                    return Ok(came);
                }
                self.next = (self.next + 1) % self.sockets.len();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(0);
            }
            let mut fds: Vec<PollFd<'_>> =
                self.sockets.iter().map(|socket| PollFd::new(&socket.socket, PollFlags::IN)).collect();
            let left = Timespec::try_from(left).context("a wait of some milliseconds")?;
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return Ok(0),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn receive_at(&mut self, socket: usize, take: &mut impl FnMut(usize, &mut [u8])) -> Result<usize> {
        let SharedSocket { socket: from, state, .. } = &self.sockets[socket];
        let mut metas = [RecvMeta::default(); MESSAGES];
        let filled = {
            let mut slots = self.slots.chunks_exact_mut(SLOT_BYTES);
            let mut room: [IoSliceMut<'_>; MESSAGES] =
                std::array::from_fn(|_| IoSliceMut::new(slots.next().expect("there is a slot for each message")));
            match state.recv(from.into(), &mut room, &mut metas) {
                Ok(filled) => filled,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
                Err(error) => return Err(error.into()),
            }
        };
        let mut came = 0;
        for (meta, slot) in metas[..filled].iter().zip(self.slots.chunks_exact_mut(SLOT_BYTES)) {
            let Some(person) = meta.dst_ip.and_then(person_at) else { continue };
            for datagram in slot[..meta.len].chunks_mut(meta.stride.max(1)) {
                came += 1;
                take(person, datagram);
            }
        }
        Ok(came)
    }

    /// Datagrams that the kernel dropped because a receive buffer was full.
    pub(crate) fn overflowed(&self) -> u64 {
        self.sockets.iter().map(|socket| overflowed(socket.port)).sum()
    }
}

impl SharedSocket {
    fn open() -> Result<SharedSocket> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        let port = socket.local_addr()?.port();
        // Only root may exceed the system's limit.
        if setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES).is_err() {
            let _ = setsockopt(&socket, sockopt::RcvBuf, &BUFFER_BYTES);
        }
        let state = UdpSocketState::new((&socket).into())?;
        Ok(SharedSocket { socket, state, port })
    }
}

/// Datagrams that the kernel dropped at the UDP sockets of a port because a receive buffer was full.
pub(crate) fn overflowed(port: u16) -> u64 {
    let tables = ["/proc/net/udp", "/proc/net/udp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    let drops = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, local_port) = fields.get(1)?.rsplit_once(':')?;
        (u16::from_str_radix(local_port, 16).ok()? == port).then_some(fields.last()?.parse::<u64>().ok()?)
    });
    drops.sum()
}

/// A person's address. All of 127/8 is this machine.
fn address_of(person: usize) -> IpAddr {
    Ipv4Addr::new(127, 1, (person / 250) as u8, (person % 250 + 1) as u8).into()
}

fn person_at(address: IpAddr) -> Option<usize> {
    match address {
        IpAddr::V4(address) => match address.octets() {
            [127, 1, high, low @ 1..=250] => Some(usize::from(high) * 250 + usize::from(low) - 1),
            _ => None,
        },
        IpAddr::V6(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_person_has_a_distinct_loopback_address() {
        for person in [0, 1, 249, 250, 1_999, 20_000] {
            assert_eq!(person_at(address_of(person)), Some(person));
        }
        assert_eq!(person_at(IpAddr::V4(Ipv4Addr::LOCALHOST)), None);
    }

    #[test]
    fn datagrams_reach_their_person_and_overflows_are_counted() {
        let server = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let mut sockets = SharedSockets::new(201, server.local_addr().expect("bound")).expect("two sockets");
        let mut said = [0; 16];
        for person in [3, 200] {
            sockets.send(person, &[person as u8]).expect("a way");
            let (length, from) = server.recv_from(&mut said).expect("it came");
            assert_eq!(from, sockets.address(person));
            server.send_to(&said[..length], from).expect("a way back");
        }
        let mut heard = Vec::new();
        while heard.len() < 2 {
            let until = Instant::now() + Duration::from_secs(10);
            let came =
                sockets.receive(until, |person, datagram| heard.push((person, datagram.to_vec()))).expect("open");
            assert!(came > 0, "{heard:?}");
        }
        heard.sort_unstable();
        assert_eq!(heard, [(3, vec![3]), (200, vec![200])]);
        assert_eq!(sockets.overflowed(), 0);
        let port = server.local_addr().expect("bound").port();
        setsockopt(&server, sockopt::RcvBuf, &2_048).expect("a small buffer");
        (0..100).for_each(|_| drop(sockets.send(3, &[0; 1_000])));
        assert!(overflowed(port) > 0, "negative control");
    }
}
