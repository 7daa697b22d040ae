use super::client::Heard;
use super::*;

/// An admitted client that sent one frame and was then silent for `silence`.
fn silent_for(silence: Duration) -> (Door, Client, NetcodeSessionId) {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    assert!(matches!(door.handle(&client.frame(b"before"), here(1)), OwnedEvent::Frame { .. }));
    door.pass(silence);
    (door, client, session)
}

const LONG: Duration = Duration::from_millis(700);

#[test]
fn a_silent_session_moves_to_the_address_of_its_next_frame() {
    let (mut door, mut client, session) = silent_for(LONG);
    let frame = client.frame(b"after");
    assert_eq!(door.handle(&frame, here(2)), OwnedEvent::Frame { session, bytes: b"after".to_vec(), moved: true });
    assert_eq!(door.netcode.peer(session), Some(peer_at(here(2))));
    let next = client.frame(b"next");
    assert_eq!(door.handle(&next, here(2)), OwnedEvent::Frame { session, bytes: b"next".to_vec(), moved: false });
    door.netcode.prove(session);
    let down = door.seal(session, &[7; 1_000]);
    assert_eq!(client.hear(&down), Some(Heard::Payload(vec![7; 1_000])));
    door.assert_dropped(&client.frame(b"from the old address"), here(1), DropReason::Stranger);
    assert_eq!(door.netcode.len(), 1);
}

#[test]
fn a_session_moves_although_forged_packets_used_up_its_rate() {
    let (mut door, mut client, session) = silent_for(LONG);
    let mut forged = client.frame(b"forged");
    *forged.last_mut().unwrap() ^= 1;
    for _ in 0..limits::DATAGRAMS_OPENED_BURST {
        door.assert_dropped(&forged, here(1), DropReason::Forged);
    }
    door.assert_dropped(&forged, here(1), DropReason::TooMany);
    let frame = client.frame(b"after");
    assert_eq!(door.handle(&frame, here(2)), OwnedEvent::Frame { session, bytes: b"after".to_vec(), moved: true });
}

#[test]
fn a_session_heard_recently_at_its_address_does_not_move() {
    let (mut door, mut client, _) = silent_for(Duration::from_millis(300));
    door.assert_dropped(&client.frame(b"elsewhere"), here(2), DropReason::Stranger);
    let (mut door, mut client, session) = silent_for(LONG);
    assert!(matches!(door.handle(&client.frame(b"back again"), here(1)), OwnedEvent::Frame { moved: false, .. }));
    door.assert_dropped(&client.frame(b"elsewhere"), here(2), DropReason::Stranger);
    assert_eq!(door.netcode.peer(session), Some(peer_at(here(1))));
}

#[test]
fn only_a_frame_newer_than_all_before_moves_a_session() {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    let (overtaken, came) = (client.frame(b"overtaken"), client.frame(b"came"));
    assert!(matches!(door.handle(&came, here(1)), OwnedEvent::Frame { .. }));
    door.pass(LONG);
    door.assert_dropped(&came, here(2), DropReason::Stranger);
    door.assert_dropped(&overtaken, here(2), DropReason::Stranger);
    let alive = client.say(&stoa_wire::netcode::PacketContent::KeepAlive { client_index: 0, clients_max: 0 });
    door.assert_dropped(&alive, here(2), DropReason::Stranger);
    client.sequence += limits::MOVE_SEQUENCES_AHEAD_MAX;
    door.assert_dropped(&client.frame(b"far ahead"), here(2), DropReason::Stranger);
    assert_eq!(door.netcode.peer(session), Some(peer_at(here(1))));
}

/// An attacker who holds back a frame and sends it from a victim's address must not have that address flooded.
#[test]
fn a_moved_session_gets_no_more_bytes_than_it_sent_until_its_address_is_proved() {
    let (mut door, mut client, session) = silent_for(LONG);
    let mut received = 0;
    let mut sent = 0;
    for n in 0..40 {
        let frame = client.frame(&[n; 100]);
        received += frame.len();
        assert!(matches!(door.handle(&frame, here(2)), OwnedEvent::Frame { .. }));
        for length in [1_150, 300, 40] {
            sent += door.seal(session, &vec![0; length]).len();
        }
        sent += door.pass(Duration::from_millis(50)).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        assert!(sent <= received, "{sent} bytes out, {received} in");
    }
    assert!(sent > received / 2, "enough goes there to be acknowledged: {sent} of {received}");
    door.netcode.prove(session);
    assert!(!door.seal(session, &[0; 1_150]).is_empty());
    assert!(!door.seal(session, &[0; 1_150]).is_empty());
}

#[test]
fn a_goodbye_counts_towards_the_byte_limit_of_an_unproved_address() {
    for filled in [false, true] {
        let (mut door, mut client, session) = silent_for(LONG);
        let received = client.frame(&[1; 100]);
        assert!(matches!(door.handle(&received, here(2)), OwnedEvent::Frame { moved: true, .. }));
        let mut sent = door.seal(session, &[0; 50]).len();
        while filled && sent + 30 < received.len() {
            sent += door.seal(session, &[0; 1]).len();
        }
        let goodbye = door.netcode.end(session).map_or(0, |goodbye| goodbye.times * goodbye.bytes.len());
        assert!(sent + goodbye <= received.len(), "{sent} and {goodbye} bytes out, {} in", received.len());
        assert_eq!(goodbye > 0, !filled, "it is said where there is room");
    }
}

#[test]
fn a_moved_frame_is_matched_to_its_session_among_100_silent_ones() {
    let mut door = Door::new();
    let mut people: Vec<(Client, NetcodeSessionId)> = (1..=100).map(|port| door.enter(port)).collect();
    for (n, (client, _)) in people.iter_mut().enumerate() {
        client.sequence = 3 + 2_000 * n as u64;
        let frame = client.frame(b"before");
        let from = client.from;
        assert!(matches!(door.handle(&frame, from), OwnedEvent::Frame { .. }));
    }
    door.pass(LONG);
    for (n, (client, session)) in people.iter_mut().enumerate() {
        let frame = client.frame(b"after");
        let seen = door.handle(&frame, here(1_000 + n as u16));
        assert_eq!(seen, OwnedEvent::Frame { session: *session, bytes: b"after".to_vec(), moved: true });
    }
    assert_eq!(door.netcode.len(), 100);
}

#[test]
fn move_attempts_are_limited_per_second_and_known_addresses_unaffected() {
    let (mut door, mut client, session) = silent_for(LONG);
    let mut forged = client.frame(b"forged");
    *forged.last_mut().unwrap() ^= 1;
    for n in 0..2 * limits::MOVES_TRIED_PER_S {
        door.assert_dropped(&forged, here(2 + n as u16), DropReason::Stranger);
    }
    door.assert_dropped(&client.frame(b"not looked at"), here(2), DropReason::Stranger);
    assert!(
        matches!(door.handle(&client.frame(b"not moved"), here(1)), OwnedEvent::Frame { .. }),
        "known addresses go on"
    );
    door.pass(LONG + Duration::from_millis(400));
    assert!(matches!(door.handle(&client.frame(b"moved"), here(2)), OwnedEvent::Frame { moved: true, .. }));
    assert_eq!(door.netcode.peer(session), Some(peer_at(here(2))));
}
