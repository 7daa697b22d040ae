use std::net::UdpSocket;
use std::time::{Duration, Instant};

use super::*;
use crate::limits;

pub(super) fn bound() -> DatagramSocket {
    DatagramSocket::bind("127.0.0.1:0".parse().unwrap()).unwrap()
}

pub(super) fn to(receiver: &DatagramSocket) -> DatagramAddresses {
    DatagramAddresses { remote: receiver.local_address().unwrap(), local: None }
}

pub(super) fn add(sender: &mut DatagramSocket, peer: DatagramAddresses, datagram: &[u8]) {
    sender.outgoing.add(peer, |room| {
        room[..datagram.len()].copy_from_slice(datagram);
        datagram.len()
    });
}

/// Receives exactly `count` datagrams, in order of arrival.
pub(super) fn received(receiver: &mut DatagramSocket, count: usize) -> Vec<(DatagramAddresses, Vec<u8>)> {
    let until = Instant::now() + Duration::from_secs(10);
    let mut all = Vec::new();
    while all.len() < count {
        let before = all.len();
        all.extend(receiver.incoming.receive(until).unwrap().map(|(peer, bytes)| (peer, bytes.to_vec())));
        assert!(all.len() > before, "{before} of {count} came in ten seconds");
    }
    assert_eq!(all.len(), count);
    all
}

#[test]
fn a_run_is_sent_in_one_call_and_arrives_as_separate_datagrams() {
    let (mut sender, mut receiver) = (bound(), bound());
    let datagrams: Vec<Vec<u8>> = (0..17).map(|n| vec![n; if n == 16 { 300 } else { 1_200 }]).collect();
    for datagram in &datagrams {
        add(&mut sender, to(&receiver), datagram);
    }
    assert_eq!(sender.counts().sent, 0, "nothing goes before the run has ended");
    sender.outgoing.flush();
    let came: Vec<Vec<u8>> = received(&mut receiver, 17).into_iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(came, datagrams);
    let (out, into) = (sender.counts(), receiver.counts());
    assert_eq!((out.sent, out.sent_bytes), (17, 16 * 1_200 + 300));
    assert_eq!((into.received, into.received_bytes), (17, 16 * 1_200 + 300));
    assert_eq!(out.send_calls, 1);
}

#[test]
fn datagrams_of_any_lengths_arrive_whole_and_in_order() {
    let (mut sender, mut receiver) = (bound(), bound());
    let datagrams: Vec<Vec<u8>> =
        [40, 1_200, 1_200, 7, 7, 900, 1_199, 1].map(|length| vec![length as u8; length]).into();
    for datagram in &datagrams {
        add(&mut sender, to(&receiver), datagram);
    }
    sender.outgoing.add(to(&receiver), |_| 0);
    sender.outgoing.flush();
    sender.outgoing.flush();
    let came: Vec<Vec<u8>> = received(&mut receiver, datagrams.len()).into_iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(came, datagrams);
    assert_eq!(sender.counts().sent, datagrams.len() as u64, "what has no length is none");
}

#[test]
fn a_run_never_exceeds_the_limits_of_one_send_call() {
    let (mut sender, mut receiver) = (bound(), bound());
    let count = 2 * limits::RUN_DATAGRAMS_MAX + 5;
    for n in 0..count {
        add(&mut sender, to(&receiver), &[n as u8; 100]);
    }
    sender.outgoing.flush();
    let came = received(&mut receiver, count);
    assert!(came.iter().enumerate().all(|(n, (_, bytes))| bytes == &[n as u8; 100]));
    for n in 0..60 {
        add(&mut sender, to(&receiver), &[n; limits::DATAGRAM_BYTES_MAX]);
    }
    sender.outgoing.flush();
    assert_eq!(received(&mut receiver, 60).len(), 60);
    assert_eq!(sender.counts().unsent_refused, 0);
}

#[test]
fn a_batch_of_one_makes_one_call_per_datagram_and_a_larger_one_shares_calls() {
    const COUNT: usize = 70;
    for (batch, calls_max) in [(1, COUNT as u64), (33, 6), (256, 6), (usize::MAX, 6)] {
        let (mut sender, mut receiver) = (bound().with_batch(batch), bound().with_batch(batch));
        let mut singly = bound().with_batch(1);
        for n in 0..COUNT {
            add(&mut singly, to(&receiver), &[n as u8; 40]);
        }
        singly.outgoing.flush();
        let until = Instant::now() + Duration::from_secs(10);
        let first = receiver.incoming.receive(until).unwrap().count();
        assert_eq!(first, COUNT.min(batch), "all are there, and no more are taken than it says");
        received(&mut receiver, COUNT - first);
        for _ in 0..COUNT {
            add(&mut sender, to(&receiver), &[7; 40]);
        }
        sender.outgoing.flush();
        let (sent, send_calls) = (sender.counts().sent, sender.counts().send_calls);
        assert_eq!(sent, COUNT as u64);
        assert!(send_calls <= calls_max, "{batch}: {send_calls} calls");
        assert_eq!(singly.counts().send_calls, COUNT as u64);
    }
}

#[test]
fn each_receiver_gets_only_its_own_datagrams() {
    let (mut sender, mut one, mut other) = (bound(), bound(), bound());
    for n in 0..6 {
        let receiver = if n % 2 == 0 { &one } else { &other };
        add(&mut sender, to(receiver), &[n; 50]);
    }
    sender.outgoing.flush();
    let firsts =
        |came: Vec<(DatagramAddresses, Vec<u8>)>| came.into_iter().map(|(_, bytes)| bytes[0]).collect::<Vec<_>>();
    assert_eq!(firsts(received(&mut one, 3)), [0, 2, 4]);
    assert_eq!(firsts(received(&mut other, 3)), [1, 3, 5]);
}

#[test]
fn a_datagram_is_answered_to_its_sender_while_its_batch_is_being_read() {
    let (mut asker, mut answerer) = (bound(), bound());
    add(&mut asker, to(&answerer), b"question");
    asker.outgoing.flush();
    let until = Instant::now() + Duration::from_secs(10);
    let DatagramSocket { incoming, outgoing, .. } = &mut answerer;
    for (peer, bytes) in incoming.receive(until).unwrap() {
        bytes.reverse();
        outgoing.add(peer, |room| {
            room[..bytes.len()].copy_from_slice(bytes);
            bytes.len()
        });
    }
    outgoing.flush();
    let (peer, answer) = received(&mut asker, 1).remove(0);
    assert_eq!(answer, b"noitseuq");
    assert_eq!(peer.remote, answerer.local_address().unwrap());
}

#[test]
fn a_receive_without_datagrams_returns_at_its_deadline() {
    let mut receiver = bound();
    assert_eq!(receiver.incoming.receive(Instant::now()).unwrap().count(), 0);
    let until = Instant::now() + Duration::from_millis(5);
    assert_eq!(receiver.incoming.receive(until).unwrap().count(), 0);
    assert!(Instant::now() >= until);
}

#[test]
fn the_longest_datagram_is_not_truncated_and_an_empty_one_is_received() {
    let mut receiver = bound();
    let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
    let longest = vec![7; 65_507];
    sender.send_to(&longest, receiver.local_address().unwrap()).unwrap();
    sender.send_to(&[], receiver.local_address().unwrap()).unwrap();
    sender.send_to(&[1], receiver.local_address().unwrap()).unwrap();
    let came: Vec<usize> = received(&mut receiver, 3).into_iter().map(|(_, bytes)| bytes.len()).collect();
    assert_eq!(came, [65_507, 0, 1]);
    assert_eq!(receiver.counts().received, 3);
}

#[test]
fn datagrams_dropped_by_a_full_receive_buffer_are_counted() {
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket2::SockRef::from(&receiver).set_recv_buffer_size(4_096).unwrap();
    let mut sender = bound();
    let peer = DatagramAddresses { remote: receiver.local_addr().unwrap(), local: None };
    assert_eq!(counts::overflowed(&receiver), 0, "negative control");
    for n in 0..100 {
        add(&mut sender, peer, &[n; 1_000]);
    }
    sender.outgoing.flush();
    assert_eq!(sender.counts().sent, 100);
    assert!(counts::overflowed(&receiver) > 0);
}

#[test]
fn a_refused_datagram_is_counted_and_the_next_one_is_sent() {
    let (mut sender, mut receiver) = (bound(), bound());
    let nowhere = DatagramAddresses { remote: "127.0.0.1:0".parse().unwrap(), local: None };
    add(&mut sender, nowhere, b"lost");
    add(&mut sender, to(&receiver), b"kept");
    sender.outgoing.flush();
    assert_eq!(received(&mut receiver, 1)[0].1, b"kept");
    assert_eq!((sender.counts().sent, sender.counts().unsent_refused), (1, 1));
}
