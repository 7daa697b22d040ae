use super::client::Heard;
use super::*;

const PEOPLE: u16 = 1_500;

/// Libraries of the standard stop at 256 or 1,024 clients.
#[test]
fn fifteen_hundred_clients_connect_and_each_receives_its_own_frames() {
    let mut door = Door::new();
    let mut people: Vec<(Client, NetcodeSessionId)> = (1..=PEOPLE).map(|port| door.enter(port)).collect();
    assert_eq!(door.netcode.len(), usize::from(PEOPLE));
    for (n, (client, session)) in people.iter_mut().enumerate() {
        let said = n.to_le_bytes();
        let (frame, from) = (client.frame(&said), client.from);
        assert_eq!(
            door.handle(&frame, from),
            OwnedEvent::Frame { session: *session, bytes: said.to_vec(), moved: false }
        );
        let sealed = door.seal(*session, &said);
        assert_eq!(client.hear(&sealed), Some(Heard::Payload(said.to_vec())));
    }
    let (other, _) = &people[1];
    let sealed = door.seal(people[0].1, b"for the first alone");
    assert_eq!(other.hear(&sealed), None, "negative control");
    // Every other client leaves; the rest stays, and their slots are free again.
    for (client, session) in people.iter_mut().step_by(2) {
        let (goodbye, from) = (client.say(&stoa_wire::netcode::PacketContent::Disconnect), client.from);
        assert_eq!(door.handle(&goodbye, from), OwnedEvent::Left { session: *session });
    }
    assert_eq!(door.netcode.len(), usize::from(PEOPLE / 2));
    for (client, session) in people.iter().skip(1).step_by(2) {
        assert_eq!(door.netcode.peer(*session), Some(peer_at(client.from)));
    }
    let (_, newcomer) = door.enter(PEOPLE + 1);
    assert!(people.iter().all(|(_, session)| *session != newcomer));
    let left = door.pass(SILENCE_MAX + limits::SWEEP_PERIOD).into_iter().filter_map(|(left, _)| left).count();
    assert_eq!(left, usize::from(PEOPLE / 2) + 1);
    assert!(door.netcode.is_empty());
}
