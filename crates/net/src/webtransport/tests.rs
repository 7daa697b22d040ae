mod bad_input;
mod fixture;
mod turned_away;

use std::sync::Arc;

use stoa_wire::limits::FRAME_BYTES_MAX;

use self::fixture::{Realm, eventually};
use super::frame_dispatch::ReadyFrameSlots;
use crate::counters::MotionTransportCounters;
use crate::frames::{FrameClass, FrameSink};
use crate::limits;

#[tokio::test]
async fn frames_arrive_unchanged_in_both_directions() {
    let realm = Realm::start().await;
    let client = realm.enter("t1").await.unwrap();
    let (mut sink, session) = realm.entered().await;
    for length in [1, 9, 600, FRAME_BYTES_MAX] {
        let frame: Vec<u8> = (0..length).map(|n| n as u8).collect();
        let (head, body) = frame.split_at(length / 2);
        sink.put(FrameClass::Poses, &[head, &[], body]);
        sink.flush();
        assert_eq!(&client.receive_datagram().await.unwrap().payload()[..], frame, "down, {length} bytes");
        client.send_datagram(&frame).unwrap();
        assert_eq!(session.next().await, frame, "up, {length} bytes");
    }
    assert_eq!((realm.counters.frames_in.get(), realm.counters.frames_out.get()), (4, 4));
    assert_eq!((realm.counters.frames_dropped.get(), realm.counters.frames_refused.get()), (0, 0));
    realm.end().await;
}

#[tokio::test]
async fn a_connection_and_its_motion_session_end_together() {
    let realm = Realm::start().await;
    let client = realm.enter("t1").await.unwrap();
    let (_sink, session) = realm.entered().await;
    session.end();
    client.closed().await;
    eventually("its place is free", || realm.counters.closed.get() == 1).await;

    let client = realm.enter("t2").await.unwrap();
    let (sink, session) = realm.entered().await;
    client.close(wtransport::VarInt::from_u32(0), b"bye");
    session.dropped().await;
    sink.close();

    let client = realm.enter("t3").await.unwrap();
    let (sink, session) = realm.entered().await;
    sink.close();
    client.closed().await;
    session.dropped().await;
    realm.end().await;
}

#[tokio::test]
async fn a_server_shutdown_closes_connections_and_drops_sessions() {
    let realm = Realm::start().await;
    let client = realm.enter("t1").await.unwrap();
    let (_sink, session) = realm.entered().await;
    realm.end().await;
    client.closed().await;
    session.dropped().await;
}

/// The lane of a client's connection, driven by hand.
async fn lane_by_hand(
    realm: &Realm,
) -> (
    Arc<ReadyFrameSlots>,
    super::frame_dispatch::WebTransportFrameSender,
    wtransport::Connection,
    Arc<MotionTransportCounters>,
) {
    let client = realm.enter("t1").await.unwrap();
    let counters = Arc::new(MotionTransportCounters::default());
    let dispatch = ReadyFrameSlots::new(Arc::clone(&counters));
    let sink = dispatch.sink(client.quic_connection().clone());
    (dispatch, sink, client, counters)
}

#[tokio::test]
async fn a_waiting_tick_is_replaced_by_the_next() {
    let realm = Realm::start().await;
    let (dispatch, mut sink, _client, counters) = lane_by_hand(&realm).await;
    let (_down, session) = realm.entered().await;
    for (tick, frames) in [(1, 3), (2, 2)] {
        (0..frames).for_each(|number| sink.put(FrameClass::Poses, &[&[tick], &[number]]));
        sink.flush();
    }
    assert_eq!(counters.frames_dropped.get(), 3);
    let handing_over = tokio::spawn(async move { dispatch.run().await });
    assert_eq!(session.next().await, [2, 0]);
    assert_eq!(session.next().await, [2, 1]);
    assert_eq!(counters.frames_out.get(), 2);
    handing_over.abort();
    realm.end().await;
}

#[tokio::test]
async fn voice_waits_in_order_and_is_sent_before_poses() {
    let realm = Realm::start().await;
    let (dispatch, mut sink, _client, counters) = lane_by_hand(&realm).await;
    let (_down, session) = realm.entered().await;
    for tick in 1..=3 {
        sink.put(FrameClass::Poses, &[&[tick], b"pose"]);
        sink.put(FrameClass::Voice, &[&[tick], b"voice"]);
        sink.flush();
    }
    assert_eq!(counters.frames_dropped.get(), 2, "poses of two ticks");
    let handing_over = tokio::spawn(async move { dispatch.run().await });
    for expected in [&b"\x01voice"[..], b"\x02voice", b"\x03voice", b"\x03pose"] {
        assert_eq!(session.next().await, expected);
    }
    handing_over.abort();
    realm.end().await;
}

#[tokio::test]
async fn voice_that_finds_no_space_in_the_connection_waits_for_the_next_tick() {
    let realm = Realm::start().await;
    let (_dispatch, mut sink, client, counters) = lane_by_hand(&realm).await;
    let (_down, session) = realm.entered().await;
    let connection = client.quic_connection();
    // Fills quinn's buffer. This test has one thread, so nothing is sent before the next await.
    let filler = vec![0; FRAME_BYTES_MAX];
    while connection.datagram_send_buffer_space() > 2 * FRAME_BYTES_MAX {
        connection.send_datagram([&[0][..], &filler].concat().into()).unwrap();
    }
    for number in 1..=4 {
        sink.put(FrameClass::Voice, &[&[number; FRAME_BYTES_MAX]]);
    }
    sink.put(FrameClass::Poses, &[b"pose"]);
    sink.flush();
    sink.hand_over_now();
    assert_eq!((counters.frames_out.get(), counters.frames_dropped.get()), (1, 1), "one voice frame fits, no pose");
    // The receiver drops its oldest datagrams if it is slow.
    let mut first = session.next().await;
    while first == filler {
        first = session.next().await;
    }
    assert_eq!(first, [1; FRAME_BYTES_MAX]);
    sink.put(FrameClass::Poses, &[b"next"]);
    sink.flush();
    sink.hand_over_now();
    for number in 2..=4 {
        assert_eq!(session.next().await, [number; FRAME_BYTES_MAX]);
    }
    assert_eq!(session.next().await, &b"next"[..]);
    realm.end().await;
}

#[tokio::test]
async fn all_frames_of_a_tick_leave_in_few_calls() {
    let realm = Realm::start().await;
    let (dispatch, mut sink, client, counters) = lane_by_hand(&realm).await;
    let (_down, session) = realm.entered().await;
    let handing_over = tokio::spawn(async move { dispatch.run().await });
    let before = client.quic_connection().stats().udp_tx;
    for _ in 0..10 {
        (0..9).for_each(|number| sink.put(FrameClass::Poses, &[&[number; FRAME_BYTES_MAX]]));
        sink.flush();
        for number in 0..9 {
            assert_eq!(session.next().await, [number; FRAME_BYTES_MAX]);
        }
    }
    let after = client.quic_connection().stats().udp_tx;
    let (datagrams, calls) = (after.datagrams - before.datagrams, after.ios - before.ios);
    assert!(datagrams >= 90, "{datagrams}");
    let has_offload = quinn_udp::UdpSocketState::new((&std::net::UdpSocket::bind("127.0.0.1:0").unwrap()).into())
        .unwrap()
        .max_gso_segments()
        > 1;
    assert!(!has_offload || calls <= 30, "{calls} calls for {datagrams} datagrams in 10 ticks");
    assert_eq!(counters.frames_dropped.get(), 0);
    handing_over.abort();
    realm.end().await;
}

#[tokio::test]
async fn frames_beyond_a_ticks_limit_and_oversized_frames_are_dropped() {
    let realm = Realm::start().await;
    let (dispatch, mut sink, _client, counters) = lane_by_hand(&realm).await;
    let (_down, session) = realm.entered().await;
    sink.put(FrameClass::Poses, &[&[7; FRAME_BYTES_MAX], &[7]]);
    assert_eq!(counters.frames_dropped.get(), 1);
    for number in 0..=limits::RUN_DATAGRAMS_MAX {
        sink.put(FrameClass::Poses, &[&[number as u8; FRAME_BYTES_MAX]]);
    }
    assert_eq!(counters.frames_dropped.get(), 2);
    sink.flush();
    let handing_over = tokio::spawn(async move { dispatch.run().await });
    for number in 0..limits::RUN_DATAGRAMS_MAX {
        assert_eq!(session.next().await, [number as u8; FRAME_BYTES_MAX]);
    }
    assert_eq!(counters.frames_dropped.get(), 2, "there is room for all of a tick");
    handing_over.abort();
    realm.end().await;
}

#[tokio::test]
async fn datagrams_dropped_by_a_full_receive_buffer_are_counted() {
    let socket = crate::webtransport::WebTransport::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    socket2::SockRef::from(&socket.socket).set_recv_buffer_size(4_096).unwrap();
    let address = socket.local_address().unwrap();
    let sender = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    // The endpoint doesn't read yet.
    (0..100).for_each(|_| assert_eq!(sender.send_to(&[0; 1_000], address).unwrap(), 1_000));
    let realm = Realm::over(socket, crate::endpoint::EndpointConnectionLimits::default()).await;
    assert!((1..100).contains(&realm.counters.socket_overflowed()), "{}", realm.counters.socket_overflowed());
    realm.end().await;
}
