use std::collections::BTreeSet;

use stoa_wire::netcode::{PacketContent, REQUEST_BYTES, UnopenedNetcodePacket};

use super::client::Heard;
use super::*;

#[test]
fn a_client_with_a_token_is_admitted_when_it_answers_its_challenge() {
    let mut door = Door::new();
    let token = door.token();
    let mut client = Client::new(&token, here(1));
    let OwnedEvent::Answer(challenge) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
    assert_eq!(door.netcode.len(), 0, "nothing is proved yet");
    let response = client.respond(&challenge);
    let OwnedEvent::Entered { session, ticket, answer } = door.handle(&response, here(1)) else { panic!("not in") };
    assert_eq!((&ticket[..24], ticket.len()), (&b"the ticket's 24 bytes..."[..], 256));
    assert_eq!(client.hear(&answer), Some(Heard::KeepAlive { clients_max: u32::MAX }));
    assert_eq!((door.netcode.len(), door.netcode.peer(session)), (1, Some(peer_at(here(1)))));
    let frame = client.frame(b"up");
    assert_eq!(door.handle(&frame, here(1)), OwnedEvent::Frame { session, bytes: b"up".to_vec(), moved: false });
    let sealed = door.seal(session, b"down");
    assert_eq!(client.hear(&sealed), Some(Heard::Payload(b"down".to_vec())));
}

#[test]
fn a_frame_is_sealed_from_its_parts_in_their_order() {
    let mut door = Door::new();
    let (client, session) = door.enter(1);
    let mut out = [0; limits::DATAGRAM_BYTES_MAX];
    let length = door.netcode.seal(session, &[b"head ", b"", b"own ", b"shared"], &mut out);
    assert_eq!(client.hear(&out[..length]), Some(Heard::Payload(b"head own shared".to_vec())));
}

#[test]
fn lost_handshake_packets_are_sent_again() {
    let mut door = Door::new();
    let token = door.token();
    let mut client = Client::new(&token, here(1));
    let OwnedEvent::Answer(lost) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
    let OwnedEvent::Answer(challenge) = door.handle(&client.request, here(1)) else { panic!("no second challenge") };
    assert_ne!(lost, challenge, "no nonce comes twice");
    let response = client.respond(&challenge);
    let OwnedEvent::Entered { session, .. } = door.handle(&response, here(1)) else { panic!("not in") };
    door.assert_dropped(&client.respond(&challenge), here(1), DropReason::Unexpected);
    door.assert_dropped(&client.request.clone(), here(1), DropReason::AlreadyIn);
    // The first keep-alive was lost: another precedes each tick's frames, and one follows a tenth of a second
    // later.
    let mut out = [0; limits::DATAGRAM_BYTES_MAX];
    let length = door.netcode.seal_greeting(session, &mut out);
    assert_eq!(client.hear(&out[..length]), Some(Heard::KeepAlive { clients_max: u32::MAX }));
    let due = door.pass(2 * limits::KEEP_ALIVE_PERIOD);
    assert!(
        matches!(&due[..], [(None, bytes), ..] if client.hear(bytes) == Some(Heard::KeepAlive { clients_max: u32::MAX }))
    );
    door.handle(&client.frame(b"I am in"), here(1));
    assert_eq!(door.netcode.seal_greeting(session, &mut out), 0, "it knows");
}

#[test]
fn a_response_to_an_earlier_challenge_is_accepted() {
    let mut door = Door::new();
    let token = door.token();
    let mut client = Client::new(&token, here(1));
    let OwnedEvent::Answer(first) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
    door.handle(&client.request, here(1));
    assert!(matches!(door.handle(&client.respond(&first), here(1)), OwnedEvent::Entered { .. }));
}

#[test]
fn an_unproved_address_gets_fewer_bytes_than_it_sent() {
    let mut door = Door::new();
    let token = door.token();
    let mut client = Client::new(&token, here(1));
    let mut answers = Vec::new();
    for _ in 0..50 {
        let OwnedEvent::Answer(answer) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
        assert!(3 * answer.len() < REQUEST_BYTES, "{} bytes", answer.len());
        answers.push(answer);
    }
    assert!(door.pass(Duration::from_secs(20)).is_empty(), "nothing is said unasked");
    let mut door = Door::new();
    let token = door.token();
    client = Client::new(&token, here(1));
    let OwnedEvent::Answer(challenge) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
    let response = client.respond(&challenge);
    let OwnedEvent::Entered { answer, .. } = door.handle(&response, here(1)) else { panic!("not in") };
    assert!(answer.len() < response.len());
}

#[test]
fn no_nonce_is_used_twice_with_one_key() {
    let mut door = Door::new();
    let token = door.token();
    let mut client = Client::new(&token, here(1));
    let mut datagrams = Vec::new();
    for _ in 0..5 {
        let OwnedEvent::Answer(answer) = door.handle(&client.request, here(1)) else { panic!("no challenge") };
        datagrams.push(answer);
    }
    let response = client.respond(&datagrams[4]);
    let OwnedEvent::Entered { session, answer, .. } = door.handle(&response, here(1)) else { panic!("not in") };
    datagrams.push(answer);
    datagrams.extend((0..300).map(|_| door.seal(session, b"frame")));
    datagrams.extend(door.pass(Duration::from_secs(1)).into_iter().map(|(_, bytes)| bytes));
    datagrams.push(door.netcode.end(session).unwrap().bytes.to_vec());
    let sequences: BTreeSet<u64> = datagrams
        .iter()
        .map(|datagram| match UnopenedNetcodePacket::read(datagram) {
            Ok(UnopenedNetcodePacket::Sealed(packet)) => packet.head.sequence(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sequences.len(), datagrams.len());
}

#[test]
fn a_session_ends_after_the_silence_that_its_token_allows() {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    for _ in 0..3 {
        let due = door.pass(Duration::from_secs(4));
        assert!(due.iter().all(|(left, _)| left.is_none()), "negative control: it says something every 4 s");
        let alive = client.say(&PacketContent::KeepAlive { client_index: 0, clients_max: 0 });
        assert_eq!(door.handle(&alive, here(1)), OwnedEvent::Nothing);
    }
    let due = door.pass(SILENCE_MAX + limits::SWEEP_PERIOD);
    assert_eq!(due.iter().filter_map(|(left, _)| *left).collect::<Vec<_>>(), [session]);
    assert_eq!((door.netcode.len(), door.netcode.peer(session)), (0, None));
    assert_eq!(door.seal(session, b"too late"), b"");
    door.assert_dropped(&client.frame(b"too late"), here(1), DropReason::Stranger);
}

#[test]
fn an_idle_session_gets_ten_keep_alives_a_second_and_a_busy_one_none() {
    let mut door = Door::new();
    let (_, session) = door.enter(1);
    let count = door.pass(Duration::from_secs(2)).len();
    assert!((15..=21).contains(&count), "{count} in two seconds");
    let mut told = 0;
    for _ in 0..40 {
        assert!(!door.seal(session, b"frame").is_empty());
        told += door.pass(Duration::from_millis(50)).len();
    }
    assert_eq!(told, 0, "frames say it too");
}

#[test]
fn client_and_server_can_each_end_a_session() {
    let mut door = Door::new();
    let (mut client, session) = door.enter(1);
    assert_eq!(door.handle(&client.say(&PacketContent::Disconnect), here(1)), OwnedEvent::Left { session });
    assert_eq!(door.netcode.len(), 0);
    let (client, session) = door.enter(1);
    let goodbye = door.netcode.end(session).unwrap();
    assert_eq!((goodbye.peer, goodbye.times), (peer_at(here(1)), limits::GOODBYES));
    assert_eq!(client.hear(goodbye.bytes), Some(Heard::Disconnect));
    assert!(door.netcode.is_empty() && door.netcode.end(session).is_none());
}

#[test]
fn the_id_of_an_ended_session_is_neither_valid_nor_reused() {
    let mut door = Door::new();
    let (_, first) = door.enter(1);
    door.netcode.end(first);
    let (_, second) = door.enter(1);
    assert_ne!(first, second);
    assert_eq!(door.seal(first, b"frame"), b"");
    assert!(!door.seal(second, b"frame").is_empty());
}
