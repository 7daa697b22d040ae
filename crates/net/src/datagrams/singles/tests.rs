use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use crate::datagrams::tests::{add, bound, received, to};
use crate::datagrams::{DatagramAddresses, DatagramSocket};
use crate::limits;

/// A socket that only receives, at this address.
fn listening(ip: &str) -> UdpSocket {
    let socket = UdpSocket::bind((ip, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    socket
}

fn peer_at(receiver: &UdpSocket) -> DatagramAddresses {
    DatagramAddresses { remote: receiver.local_addr().unwrap(), local: None }
}

/// The next datagram, and its sender.
fn next(receiver: &UdpSocket) -> (Vec<u8>, SocketAddr) {
    let mut bytes = vec![0; 2_048];
    let (length, from) = receiver.recv_from(&mut bytes).expect("it came within ten seconds");
    bytes.truncate(length);
    (bytes, from)
}

#[test]
fn single_datagrams_to_100_receivers_arrive_with_two_send_calls() {
    let mut sender = bound();
    let receivers: Vec<UdpSocket> = (0..100).map(|_| listening("127.0.0.1")).collect();
    let bytes = |n: usize| vec![n as u8; 1 + n * 7];
    for (n, receiver) in receivers.iter().enumerate() {
        add(&mut sender, peer_at(receiver), &bytes(n));
        assert_eq!(sender.counts().sent, if n < 64 { 0 } else { 64 }, "64 go together, and the rest waits");
    }
    sender.outgoing.flush();
    for (n, receiver) in receivers.iter().enumerate() {
        assert_eq!(next(receiver).0, bytes(n));
    }
    let counts = sender.counts();
    assert_eq!((counts.sent, counts.sent_bytes), (100, (0..100).map(|n| 1 + n * 7).sum()));
    assert_eq!((counts.send_calls, counts.unsent_refused, counts.unsent_full), (2, 0, 0));
}

#[test]
fn a_full_buffer_sends_its_single_datagrams() {
    let mut sender = bound();
    let receivers: Vec<UdpSocket> = (0..60).map(|_| listening("127.0.0.1")).collect();
    for (n, receiver) in receivers.iter().enumerate() {
        add(&mut sender, peer_at(receiver), &[n as u8; limits::DATAGRAM_BYTES_MAX]);
    }
    sender.outgoing.flush();
    for (n, receiver) in receivers.iter().enumerate() {
        assert_eq!(next(receiver).0, [n as u8; limits::DATAGRAM_BYTES_MAX]);
    }
    assert_eq!((sender.counts().sent, sender.counts().send_calls), (60, 2));
}

#[test]
fn refused_single_datagrams_are_counted_and_all_other_ones_are_sent() {
    // 127.0.0.1 has no route to any of them.
    let refused = ["255.255.255.255:9", "[::1]:9", "127.0.0.1:0"].map(|address| address.parse().unwrap());
    for remote in refused {
        for places in [&[0][..], &[3], &[4, 5], &[0, 9], &[9], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let (mut sender, receiver) = (bound(), listening("127.0.0.1"));
            let segments_max = sender.outgoing.segments_max();
            for n in 0..10 {
                let other = DatagramAddresses { remote: ([127, 0, 0, 1], 9).into(), local: None };
                add(
                    &mut sender,
                    if places.contains(&n) { DatagramAddresses { remote, ..other } } else { peer_at(&receiver) },
                    &[n; 20],
                );
                // Another length, so that datagrams to one receiver form no run.
                add(&mut sender, other, &[n; 30]);
            }
            sender.outgoing.flush();
            for n in (0..10).filter(|n| !places.contains(n)) {
                assert_eq!(next(&receiver).0, [n; 20], "{remote} {places:?}");
            }
            let (counts, refused) = (sender.counts(), places.len() as u64);
            assert_eq!((counts.sent, counts.unsent_refused), (20 - refused, refused), "{remote} {places:?}");
            assert_eq!(counts.sent_bytes, 20 * (10 - refused) + 300);
            assert!(counts.send_calls <= 1 + 2 * refused, "{remote} {places:?}: {counts:?}");
            assert_eq!(sender.outgoing.segments_max(), segments_max, "that says nothing of GSO");
        }
    }
}

#[test]
fn datagrams_to_one_receiver_keep_their_order_across_singles_and_runs() {
    let (mut sender, mut one, mut other) = (bound(), bound(), bound());
    let (to_one, to_other) = (to(&one), to(&other));
    // Lengths: alone, three of a run, longer than these and alone, a run whose last is shorter, alone.
    let lengths = [50, 80, 80, 80, 200, 90, 90, 40, 1_200, 30];
    let breaks = [0, 3, 8];
    for round in 0..20 {
        for (at, &length) in lengths.iter().enumerate() {
            add(&mut sender, to_one, &vec![round * 10 + at as u8; length]);
            if breaks.contains(&at) {
                add(&mut sender, to_other, &[round * 10 + at as u8; 60]);
            }
        }
    }
    sender.outgoing.flush();
    let firsts =
        |came: Vec<(DatagramAddresses, Vec<u8>)>| came.into_iter().map(|(_, bytes)| bytes[0]).collect::<Vec<_>>();
    assert_eq!(firsts(received(&mut one, 200)), (0..200).collect::<Vec<_>>());
    let broken = (0..200).filter(|n| breaks.contains(&usize::from(n % 10)));
    assert_eq!(firsts(received(&mut other, 60)), broken.collect::<Vec<u8>>());
}

#[test]
fn each_single_datagram_is_sent_from_its_requested_local_address() {
    let mut sender = DatagramSocket::bind("0.0.0.0:0".parse().unwrap()).unwrap();
    let receivers: Vec<UdpSocket> = (0..12).map(|_| listening("127.0.0.1")).collect();
    let local = |n: usize| [None, Some(Ipv4Addr::new(127, 0, 0, 2)), Some(Ipv4Addr::new(127, 0, 0, 3))][n / 2 % 3];
    for (n, receiver) in receivers.iter().enumerate() {
        add(&mut sender, DatagramAddresses { local: local(n).map(Into::into), ..peer_at(receiver) }, b"answer");
    }
    sender.outgoing.flush();
    for (n, receiver) in receivers.iter().enumerate() {
        assert_eq!(next(receiver).1.ip(), local(n).unwrap_or(Ipv4Addr::LOCALHOST));
    }
    assert_eq!(sender.counts().send_calls, 6, "a call for each change of it");
}

#[test]
fn a_dual_stack_socket_sends_to_both_families_from_plain_or_mapped_addresses() {
    if UdpSocket::bind("[::1]:0").is_err() {
        return;
    }
    let mut sender = DatagramSocket::bind("[::]:0".parse().unwrap()).unwrap();
    let mapped = |ip: Ipv4Addr| ip.to_ipv6_mapped();
    let asked = Ipv4Addr::new(127, 0, 0, 2);
    for (local, from_v4, from_v6) in [
        (None, Ipv4Addr::LOCALHOST, true),
        (Some(asked.into()), asked, false),
        (Some(mapped(asked).into()), asked, false),
        (Some("::1".parse().unwrap()), Ipv4Addr::LOCALHOST, true),
    ] {
        let v4: Vec<UdpSocket> = (0..4).map(|_| listening("127.0.0.1")).collect();
        let v6: Vec<UdpSocket> = (0..4).map(|_| listening("::1")).collect();
        let to_v4 = local != Some("::1".parse().unwrap());
        for (v4, v6) in v4.iter().zip(&v6) {
            let port = v4.local_addr().unwrap().port();
            if to_v4 {
                add(
                    &mut sender,
                    DatagramAddresses { remote: (mapped(Ipv4Addr::LOCALHOST), port).into(), local },
                    b"four",
                );
            }
            if from_v6 {
                add(&mut sender, DatagramAddresses { local, ..peer_at(v6) }, b"six");
            }
        }
        let calls = sender.counts().send_calls;
        sender.outgoing.flush();
        assert_eq!(sender.counts().send_calls, calls + 1, "{local:?}");
        for v4 in v4.iter().filter(|_| to_v4) {
            let (bytes, from) = next(v4);
            assert_eq!((&bytes[..], from.ip()), (&b"four"[..], from_v4.into()), "{local:?}");
        }
        for v6 in v6.iter().filter(|_| from_v6) {
            let (bytes, from) = next(v6);
            assert_eq!((&bytes[..], from.ip()), (&b"six"[..], "::1".parse().unwrap()), "{local:?}");
        }
    }
    assert_eq!(sender.counts().unsent_refused, 0);
}

#[test]
fn one_call_sends_at_most_a_batch_of_single_datagrams() {
    for (batch, calls) in [(1, 20), (7, 3), (usize::MAX, 1)] {
        let mut sender = bound().with_batch(batch);
        let receivers: Vec<UdpSocket> = (0..20).map(|_| listening("127.0.0.1")).collect();
        for (n, receiver) in receivers.iter().enumerate() {
            add(&mut sender, peer_at(receiver), &[n as u8; 40]);
        }
        sender.outgoing.flush();
        for (n, receiver) in receivers.iter().enumerate() {
            assert_eq!(next(receiver).0, [n as u8; 40]);
        }
        assert_eq!((sender.counts().sent, sender.counts().send_calls), (20, calls), "{batch}");
    }
}
