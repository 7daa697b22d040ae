use stoa_wire::netcode::{PacketContent, REQUEST_BYTES, SealedPacketKind};

use super::client::Heard;
use super::*;

/// Runs `bad` next to an admitted client, whose session must survive it.
fn beside_a_witness(bad: impl FnOnce(&mut Door)) {
    let mut door = Door::new();
    let (mut witness, session) = door.enter(9);
    bad(&mut door);
    let up = witness.frame(b"still here");
    assert_eq!(door.handle(&up, here(9)), OwnedEvent::Frame { session, bytes: b"still here".to_vec(), moved: false });
    let down = door.seal(session, b"so are we");
    assert_eq!(witness.hear(&down), Some(Heard::Payload(b"so are we".to_vec())));
    assert_eq!(door.netcode.len(), 1);
}

#[test]
fn a_truncated_extended_or_altered_request_is_dropped() {
    beside_a_witness(|door| {
        let token = door.token();
        let request = Client::new(&token, here(1)).request;
        for length in [1, 2, 14, 1_077] {
            door.assert_dropped(&request[..length], here(1), DropReason::Malformed);
        }
        door.assert_dropped(&[&request[..], &[0]].concat(), here(1), DropReason::Malformed);
        for at in 1..REQUEST_BYTES {
            let mut forged = request.clone();
            forged[at] ^= 1;
            assert_eq!(door.handle(&forged, here(1)), OwnedEvent::Nothing, "byte {at}");
            // Below the limit per second.
            door.now = door.now + Duration::from_millis(1);
        }
        let drops = door.netcode.drops();
        assert_eq!(drops[DropReason::OtherProtocol], 8);
        assert_eq!(drops[DropReason::Malformed], 5 + 13, "the version");
        // A flipped bit makes the expiry earlier or later: the token is either not as sealed, or expired.
        assert_eq!(drops[DropReason::ForgedToken] + drops[DropReason::Expired], (REQUEST_BYTES - 1 - 13 - 8) as u64);
        assert!(matches!(door.handle(&request, here(1)), OwnedEvent::Answer(_)), "negative control");
    });
}

#[test]
fn a_request_with_an_expired_token_is_dropped() {
    beside_a_witness(|door| {
        let token = door.token();
        let client = Client::new(&token, here(1));
        door.now = Time::from_millis(GOOD_FOR_S * 1_000 - 1);
        assert!(matches!(door.handle(&client.request, here(1)), OwnedEvent::Answer(_)), "negative control");
        door.now = Time::from_secs(GOOD_FOR_S);
        door.assert_dropped(&client.request, here(1), DropReason::Expired);
    });
}

#[test]
fn a_token_admits_once_and_only_from_its_first_address() {
    beside_a_witness(|door| {
        let token = door.token();
        let mut client = Client::new(&token, here(1));
        let OwnedEvent::Answer(_) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
        door.assert_dropped(&client.request, here(2), DropReason::UsedToken);
        let session = client.enter(door);
        assert_eq!(door.handle(&client.say(&PacketContent::Disconnect), here(1)), OwnedEvent::Left { session });
        door.assert_dropped(&client.request, here(1), DropReason::UsedToken);
        door.pass(Duration::from_secs(1));
        door.assert_dropped(&client.request, here(1), DropReason::UsedToken);
    });
}

#[test]
fn a_request_with_a_token_of_another_realm_or_protocol_is_dropped() {
    beside_a_witness(|door| {
        let entry = door.entry();
        let request =
            |issuer: TokenIssuer, entry: &TokenContent<'_>| Client::new(&issuer.issue(entry).unwrap(), here(1)).request;
        door.assert_dropped(&request(TokenIssuer::new(PROTOCOL, [9; 32]), &entry), here(1), DropReason::ForgedToken);
        door.assert_dropped(
            &request(TokenIssuer::new(PROTOCOL + 1, [1; 32]), &entry),
            here(1),
            DropReason::OtherProtocol,
        );
        let ours = request(door.issuer.clone(), &entry);
        assert!(matches!(door.handle(&ours, here(1)), OwnedEvent::Answer(_)), "negative control");
    });
}

#[test]
fn a_request_from_a_connected_client_or_address_is_dropped() {
    let mut door = Door::new();
    let entry = door.entry();
    let first = door.issuer.issue(&entry).unwrap();
    let second = TokenContent { random: door.entry().random, ..entry };
    let second = Client::new(&door.issuer.issue(&second).unwrap(), here(2));
    Client::new(&first, here(1)).enter(&mut door);
    door.assert_dropped(&second.request, here(2), DropReason::AlreadyIn);
    let token = door.token();
    let at_the_same_place = Client::new(&token, here(1));
    door.assert_dropped(&at_the_same_place.request, here(1), DropReason::AlreadyIn);
}

#[test]
fn a_client_with_two_tokens_is_admitted_once_at_its_first_response() {
    let mut door = Door::new();
    let entry = door.entry();
    let other = TokenContent { random: door.entry().random, ..entry.clone() };
    let mut one = Client::new(&door.issuer.issue(&entry).unwrap(), here(1));
    let mut two = Client::new(&door.issuer.issue(&other).unwrap(), here(2));
    let OwnedEvent::Answer(to_one) = door.handle(&one.request, here(1)) else { panic!("no challenge") };
    let OwnedEvent::Answer(to_two) = door.handle(&two.request, here(2)) else { panic!("no challenge") };
    assert!(matches!(door.handle(&two.respond(&to_two), here(2)), OwnedEvent::Entered { .. }));
    door.assert_dropped(&one.respond(&to_one), here(1), DropReason::AlreadyIn);
}

/// The standard accepts any challenge from any address: with two tokens a client could direct frames at a third
/// address.
#[test]
fn a_challenge_is_valid_only_for_the_address_it_was_sent_to() {
    beside_a_witness(|door| {
        let tokens = [door.token(), door.token()];
        let mut own = Client::new(&tokens[0], here(1));
        let mut as_victim = Client::new(&tokens[1], here(2));
        let OwnedEvent::Answer(to_own) = door.handle(&own.request, here(1)) else { panic!("no challenge") };
        let OwnedEvent::Answer(_never_seen) = door.handle(&as_victim.request, here(2)) else { panic!("no challenge") };
        let Some(Heard::Challenge { sequence, sealed }) = own.hear(&to_own) else { panic!("no challenge") };
        let forged = as_victim
            .say(&PacketContent::Response(stoa_wire::netcode::ChallengePacketContent { sequence, sealed: &sealed }));
        door.assert_dropped(&forged, here(2), DropReason::Forged);
        let honest = own.respond(&to_own);
        assert!(matches!(door.handle(&honest, here(1)), OwnedEvent::Entered { .. }), "negative control");
        let session = door.handle(&own.say(&PacketContent::Disconnect), here(1));
        assert!(matches!(session, OwnedEvent::Left { .. }));
    });
}

#[test]
fn a_forged_truncated_or_late_response_starts_no_session() {
    beside_a_witness(|door| {
        let token = door.token();
        let mut client = Client::new(&token, here(1));
        let OwnedEvent::Answer(challenge) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
        let response = client.respond(&challenge);
        for at in 2..response.len() {
            let mut forged = response.clone();
            forged[at] ^= 0x80;
            door.assert_dropped(&forged, here(1), DropReason::Forged);
        }
        door.assert_dropped(&response[..response.len() - 1], here(1), DropReason::Forged);
        door.assert_dropped(&client.say_as(SealedPacketKind::Response, &[0; 307]), here(1), DropReason::Malformed);
        door.assert_dropped(&client.frame(b"too early"), here(1), DropReason::Unexpected);
        door.assert_dropped(&response, here(2), DropReason::Stranger);
        door.pass(SILENCE_MAX - Duration::from_millis(200));
        door.handle(&client.request, here(1));
        door.now = door.now + Duration::from_secs(1);
        door.netcode.handle_timeout(door.now);
        door.assert_dropped(&response, here(1), DropReason::Stranger);
    });
}

#[test]
fn forged_replayed_truncated_extended_or_late_frames_are_dropped() {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    let frame = client.frame(b"one");
    for at in 0..frame.len() {
        let mut forged = frame.clone();
        forged[at] ^= 1;
        assert_eq!(door.handle(&forged, here(1)), OwnedEvent::Nothing, "byte {at}");
    }
    for length in 0..frame.len() {
        assert_eq!(door.handle(&frame[..length], here(1)), OwnedEvent::Nothing, "{length} bytes");
    }
    door.assert_dropped(&[&frame[..], &[0]].concat(), here(1), DropReason::Forged);
    assert_eq!(door.handle(&frame, here(1)), OwnedEvent::Frame { session, bytes: b"one".to_vec(), moved: false });
    door.assert_dropped(&frame, here(1), DropReason::Replayed);
    let (overtaken, newer) = (client.frame(b"two"), client.frame(b"three"));
    assert!(matches!(door.handle(&newer, here(1)), OwnedEvent::Frame { .. }));
    assert!(matches!(door.handle(&overtaken, here(1)), OwnedEvent::Frame { .. }), "overtaken is not replayed");
    let late = client.frame(b"four");
    client.sequence += limits::REPLAY_SEQUENCES;
    assert!(matches!(door.handle(&client.frame(b"five"), here(1)), OwnedEvent::Frame { .. }));
    door.assert_dropped(&late, here(1), DropReason::Late);
}

#[test]
fn packets_of_a_wrong_length_or_kind_are_dropped_even_if_sealed() {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    let longest = client.frame(&[7; 1_200]);
    assert_eq!(door.handle(&longest, here(1)), OwnedEvent::Frame { session, bytes: vec![7; 1_200], moved: false });
    door.assert_dropped(&client.say_as(SealedPacketKind::Payload, &[7; 1_201]), here(1), DropReason::Malformed);
    door.assert_dropped(&client.say_as(SealedPacketKind::Payload, &[7; 1_300]), here(1), DropReason::Oversized);
    door.assert_dropped(&client.say_as(SealedPacketKind::Payload, b""), here(1), DropReason::Malformed);
    door.assert_dropped(&client.say_as(SealedPacketKind::KeepAlive, &[0; 7]), here(1), DropReason::Malformed);
    door.assert_dropped(&client.say_as(SealedPacketKind::Disconnect, &[0]), here(1), DropReason::Malformed);
    door.assert_dropped(&client.say_as(SealedPacketKind::Denied, b""), here(1), DropReason::Unexpected);
    door.assert_dropped(&client.say_as(SealedPacketKind::Challenge, &[0; 308]), here(1), DropReason::Unexpected);
    door.assert_dropped(&[0; 65_507], here(1), DropReason::Oversized);
    door.assert_dropped(b"", here(1), DropReason::Malformed);
    assert!(matches!(door.handle(&client.frame(b"still in"), here(1)), OwnedEvent::Frame { .. }));
}

#[test]
fn tokens_beyond_the_limit_per_second_are_dropped_unopened() {
    beside_a_witness(|door| {
        let token = door.token();
        let client = Client::new(&token, here(1));
        let mut forged = client.request.clone();
        *forged.last_mut().unwrap() ^= 1;
        door.pass(Duration::from_secs(2));
        for _ in 0..limits::TOKENS_OPENED_PER_S {
            assert_eq!(door.handle(&forged, here(2)), OwnedEvent::Nothing);
        }
        door.assert_dropped(&forged, here(2), DropReason::TooMany);
        door.assert_dropped(&client.request, here(1), DropReason::TooMany);
        assert_eq!(door.netcode.drops()[DropReason::ForgedToken], u64::from(limits::TOKENS_OPENED_PER_S));
        door.now = door.now + Duration::from_secs(1);
        assert!(matches!(door.handle(&client.request, here(1)), OwnedEvent::Answer(_)), "in the next second");
    });
}

#[test]
fn random_bytes_are_dropped_from_any_address() {
    beside_a_witness(|door| {
        let token = door.token();
        let pending = Client::new(&token, here(1));
        door.handle(&pending.request, here(1));
        let before = door.netcode.drops().total();
        let mut chance = fastrand::Rng::with_seed(11);
        for n in 0..6_000 {
            let datagram: Vec<u8> = (0..chance.usize(0..1_300)).map(|_| chance.u8(..)).collect();
            let from = [here(9), here(1), here(7)][n % 3];
            assert_eq!(door.handle(&datagram, from), OwnedEvent::Nothing);
        }
        assert_eq!(door.netcode.drops().total(), before + 6_000);
    });
}

/// Forged packets from the address of a session. Beyond the session's rate none is opened.
#[test]
fn a_flood_from_a_session_is_dropped_unopened_and_the_session_goes_on() {
    beside_a_witness(|door| {
        let (mut client, session) = door.enter(1);
        let mut forged = client.frame(b"forged");
        *forged.last_mut().unwrap() ^= 1;
        let before = *door.netcode.drops();
        for _ in 0..10_000 {
            assert_eq!(door.handle(&forged, here(1)), OwnedEvent::Nothing);
        }
        let after = *door.netcode.drops();
        let opened = after[DropReason::Forged] - before[DropReason::Forged];
        assert_eq!(opened, u64::from(limits::DATAGRAMS_OPENED_BURST));
        assert_eq!(after[DropReason::TooMany] - before[DropReason::TooMany], 10_000 - opened);
        door.now = door.now + Duration::from_millis(100);
        let frame = client.frame(b"after");
        assert_eq!(door.handle(&frame, here(1)), OwnedEvent::Frame { session, bytes: b"after".to_vec(), moved: false });
        assert!(matches!(door.handle(&client.say(&PacketContent::Disconnect), here(1)), OwnedEvent::Left { .. }));
    });
}

#[test]
fn repeated_requests_are_answered_at_the_packet_rate_of_a_session() {
    beside_a_witness(|door| {
        let token = door.token();
        let client = Client::new(&token, here(1));
        let answered = (0..5_000).filter(|_| door.handle(&client.request, here(1)) != OwnedEvent::Nothing).count();
        // The first one opened the token.
        assert_eq!(answered, 1 + limits::DATAGRAMS_OPENED_BURST as usize);
        door.now = door.now + Duration::from_millis(100);
        let mut client = client;
        let session = client.enter(door);
        assert_eq!(door.handle(&client.say(&PacketContent::Disconnect), here(1)), OwnedEvent::Left { session });
    });
}

#[test]
fn forged_tokens_of_one_network_do_not_keep_out_another_network() {
    beside_a_witness(|door| {
        let flood = |port: u16| SocketAddr::from(([192, 0, 2, 1], port));
        let honest = SocketAddr::from(([198, 51, 100, 7], 1));
        let entry = door.entry();
        let token = TokenIssuer::new(PROTOCOL, [9; 32]).issue(&entry).unwrap();
        let forged = Client::new(&token, flood(1)).request;
        let before = *door.netcode.drops();
        for port in 1..=10_000 {
            assert_eq!(door.handle(&forged, flood(port)), OwnedEvent::Nothing);
        }
        let opened = door.netcode.drops()[DropReason::ForgedToken] - before[DropReason::ForgedToken];
        assert_eq!(opened, u64::from(limits::DATAGRAMS_OPENED_BURST));
        let token = door.token();
        let mut client = Client::new(&token, honest);
        let session = client.enter(door);
        assert_eq!(door.handle(&client.say(&PacketContent::Disconnect), honest), OwnedEvent::Left { session });
    });
}
