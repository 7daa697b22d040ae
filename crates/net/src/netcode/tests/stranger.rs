//! The server against an independent client: the crate renetcode.

#[path = "../../../tests/independent/client.rs"]
mod independent;

use renetcode::{DisconnectReason, NetcodeClient};

use super::*;

/// Both ends, with one clock and no delay between them.
struct Stage {
    door: Door,
    client: NetcodeClient,
    session: Option<NetcodeSessionId>,
    /// Frames that the server received.
    got: Vec<Vec<u8>>,
}

const STEP: Duration = Duration::from_millis(50);

impl Stage {
    fn new() -> Stage {
        let mut door = Door::new();
        let entry = door.entry();
        let client = independent::client(&door.issuer.issue(&entry).unwrap(), entry.client_id);
        Stage { door, client, session: None, got: Vec::new() }
    }

    fn step(&mut self) {
        for (_, bytes) in self.door.pass(STEP) {
            self.client.process_packet(&mut bytes.clone());
        }
        let said = self.client.update(STEP).map(|(bytes, to)| (bytes.to_vec(), to));
        if let Some((bytes, to)) = said {
            assert_eq!(to, SERVER.parse::<SocketAddr>().unwrap());
            self.give(&bytes);
        }
    }

    fn give(&mut self, datagram: &[u8]) {
        match self.door.handle(datagram, here(1)) {
            OwnedEvent::Nothing => {}
            OwnedEvent::Answer(answer) => {
                self.client.process_packet(&mut answer.clone());
            }
            OwnedEvent::Entered { session, mut answer, .. } => {
                self.session = Some(session);
                self.client.process_packet(&mut answer);
            }
            OwnedEvent::Frame { bytes, .. } => self.got.push(bytes),
            OwnedEvent::Left { .. } => self.session = None,
        }
    }

    /// Runs until the client reports that it is connected.
    fn enter(&mut self) -> NetcodeSessionId {
        (0..40).for_each(|_| self.step());
        assert!(self.client.is_connected(), "{:?}", self.client.disconnect_reason());
        self.session.expect("it is in at both ends")
    }
}

#[test]
fn an_independent_client_connects_and_exchanges_frames() {
    let mut stage = Stage::new();
    let session = stage.enter();
    for n in 0..1_000_u32 {
        let said = n.to_le_bytes();
        // As many as the motion plane takes of a client.
        stage.door.now = stage.door.now + Duration::from_millis(5);
        let datagram = stage.client.generate_payload_packet(&said).unwrap().1.to_vec();
        stage.give(&datagram);
        assert_eq!(stage.got.pop().as_deref(), Some(&said[..]));
        let mut sealed = stage.door.seal(session, &said);
        assert_eq!(stage.client.process_packet(&mut sealed), Some(&said[..]));
        let mut again = stage.door.seal(session, &said);
        again[5] ^= 1;
        assert_eq!(stage.client.process_packet(&mut again), None, "negative control");
    }
    let longest = [7; 1_150];
    let mut sealed = stage.door.seal(session, &longest);
    assert_eq!(stage.client.process_packet(&mut sealed), Some(&longest[..]));
}

#[test]
fn an_independent_client_stays_connected_on_keep_alives_alone() {
    let mut stage = Stage::new();
    let session = stage.enter();
    (0..400).for_each(|_| stage.step());
    assert!(stage.client.is_connected(), "for twenty seconds, four times what silence may last");
    assert!(stage.door.netcode.peer(session).is_some());
}

#[test]
fn an_independent_client_and_the_server_notice_each_others_disconnect() {
    let mut stage = Stage::new();
    let session = stage.enter();
    let mut goodbye = stage.door.netcode.end(session).unwrap().bytes.to_vec();
    stage.client.process_packet(&mut goodbye);
    assert_eq!(stage.client.disconnect_reason(), Some(DisconnectReason::DisconnectedByServer));
    let mut stage = Stage::new();
    stage.enter();
    let goodbye = stage.client.disconnect().unwrap().1.to_vec();
    stage.give(&goodbye);
    assert!(stage.session.is_none() && stage.door.netcode.is_empty());
}
