//! Unsolicited and malformed packets at the endpoint.

use std::net::SocketAddr;
use std::time::Duration;

use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::fixture::{PATIENCE, Realm, eventually};
use crate::frames::FrameClass;

/// The first packet of a client that asks for a session.
async fn first_packet(realm: &Realm) -> Vec<u8> {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/motion?ticket=t1", socket.local_addr().unwrap());
    let client = realm.client();
    let connecting = tokio::spawn(async move { client.connect(url).await.map(drop) });
    let mut packet = vec![0; 2_000];
    let (length, _) = timeout(PATIENCE, socket.recv_from(&mut packet)).await.unwrap().unwrap();
    connecting.abort();
    packet.truncate(length);
    packet
}

/// All packets received until the endpoint has answered a later one from elsewhere.
async fn answers(to: &UdpSocket, realm: &Realm) -> Vec<Vec<u8>> {
    let probe = realm.enter("tprobe").await.unwrap();
    drop(probe);
    let (mut answers, mut packet) = (Vec::new(), vec![0; 2_000]);
    while let Ok(Ok(length)) = timeout(Duration::ZERO, to.recv(&mut packet)).await {
        answers.push(packet[..length].to_vec());
    }
    answers
}

async fn unproved(realm: &Realm) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    socket.connect(realm.address).await.unwrap();
    socket
}

#[tokio::test]
async fn an_unvalidated_address_gets_only_small_retry_packets() {
    let realm = Realm::start().await;
    let packet = first_packet(&realm).await;
    let somebody = unproved(&realm).await;
    for number in 1..=20 {
        somebody.send(&packet).await.unwrap();
        eventually("it is seen", || realm.counters.retried.get() == number).await;
    }
    assert_eq!(realm.counters.opened.get(), 0, "nothing is kept of it");
    let answers = answers(&somebody, &realm).await;
    assert_eq!(answers.len(), 20, "negative control: answers are seen");
    let is_retry = |answer: &Vec<u8>| answer[0] & 0xf0 == 0xf0 && answer[1..5] == [0, 0, 0, 1];
    assert!(answers.iter().all(is_retry), "{:x?}", answers[0]);
    let bytes: usize = answers.iter().map(Vec::len).sum();
    assert!(bytes < 20 * packet.len() / 4, "{bytes} bytes for {}", 20 * packet.len());
    realm.end().await;
}

#[tokio::test]
async fn malformed_packets_get_smaller_answers_and_disturb_no_session() {
    let realm = Realm::start().await;
    let client = realm.enter("t1").await.unwrap();
    let (mut sink, _stay) = realm.entered().await;
    let packet = first_packet(&realm).await;
    let somebody = unproved(&realm).await;
    let mut random = fastrand::Rng::with_seed(5);
    let mut sent = 0;
    for number in 0..300 {
        let mut bytes = packet.clone();
        match number % 4 {
            0 => bytes.truncate(random.usize(1..1_200)),
            1 => bytes = (0..random.usize(1..1_400)).map(|_| random.u8(..)).collect(),
            2 => bytes[random.usize(..60)] ^= 1 << random.u8(..8),
            // Another version of QUIC.
            _ => bytes[1..5].copy_from_slice(&[0x1a, 0x2a, 0x3a, 0x4a]),
        }
        sent += bytes.len();
        somebody.send(&bytes).await.unwrap();
    }
    let answered: usize = answers(&somebody, &realm).await.iter().map(Vec::len).sum();
    assert!(answered < sent / 2, "{answered} bytes for {sent}");
    sink.put(FrameClass::Poses, &[b"still here"]);
    sink.flush();
    assert_eq!(&client.receive_datagram().await.unwrap().payload()[..], b"still here");
    realm.end().await;
}

#[tokio::test]
async fn an_invalid_datagram_is_counted_and_the_session_continues() {
    let realm = Realm::start().await;
    let client = realm.enter("t1").await.unwrap();
    let (_sink, session) = realm.entered().await;
    client.send_datagram([1; FRAME_BYTES_MAX + 1]).unwrap();
    // Of an unknown session, and of none.
    client.quic_connection().send_datagram(bytes::Bytes::from_static(&[1, 2, 3])).unwrap();
    client.quic_connection().send_datagram(bytes::Bytes::new()).unwrap();
    client.send_datagram([2; FRAME_BYTES_MAX]).unwrap();
    assert_eq!(session.next().await, [2; FRAME_BYTES_MAX]);
    assert_eq!(realm.counters.frames_refused.get(), 3);
    realm.end().await;
}

/// Relays datagrams between one client and the realm, until it is dropped.
async fn relay(realm: SocketAddr) -> (SocketAddr, tokio::task::JoinHandle<()>) {
    let (front, back) = (UdpSocket::bind("127.0.0.1:0").await.unwrap(), UdpSocket::bind("127.0.0.1:0").await.unwrap());
    let address = front.local_addr().unwrap();
    back.connect(realm).await.unwrap();
    let passing = tokio::spawn(async move {
        let (mut up, mut down, mut client) = ([0; 2_000], [0; 2_000], None);
        loop {
            tokio::select! {
                Ok((length, from)) = front.recv_from(&mut up) => {
                    client = Some(from);
                    let _ = back.send(&up[..length]).await;
                }
                Ok(length) = back.recv(&mut down) => {
                    let _ = front.send_to(&down[..length], client.expect("it has asked first")).await;
                }
            }
        }
    });
    (address, passing)
}

#[tokio::test]
async fn a_vanished_client_frees_its_connection_when_its_session_ends() {
    let realm = Realm::start().await;
    let (address, passing) = relay(realm.address).await;
    let client = realm.client().connect(format!("https://{address}/motion?ticket=t1")).await.unwrap();
    let (mut sink, session) = realm.entered().await;
    passing.abort();
    let _ = passing.await;
    for _ in 0..200 {
        (0..20).for_each(|_| sink.put(FrameClass::Poses, &[&[1; FRAME_BYTES_MAX]]));
        sink.flush();
        tokio::task::yield_now().await;
    }
    session.end();
    session.dropped().await;
    eventually("its place is free", || realm.counters.closed.get() == 1).await;
    drop(client);
    let other = realm.enter("t2").await.unwrap();
    let (mut sink, _stay) = realm.entered().await;
    sink.put(FrameClass::Poses, &[b"others go on"]);
    sink.flush();
    assert_eq!(&other.receive_datagram().await.unwrap().payload()[..], b"others go on");
    realm.end().await;
}
