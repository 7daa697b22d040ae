//! Packets of a connected client, as a realm receives them.

use std::time::Duration;

use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::{SceneSettings, realm_filters};
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{Command, CommandId, Realm, RealmOutput, RealmStartParameters};
use stoa_state::scene::StoredScene;
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{DecodeError, Packet};

/// Feeds packets, and the error that ended them, to a realm with one open scene. All tokens are valid, and all
/// writes succeed.
pub(crate) fn converse(packets: Vec<Packet>, end: Option<DecodeError>) {
    let start = RealmStartParameters {
        unix_at_zero: UnixSeconds(1_700_000_000),
        seed: 1,
        motion: stoa_state::motion::MotionSettings::default(),
    };
    let mut talk = FuzzedRealm { realm: Realm::new(start), now: Time::ZERO, user: String::new() };
    let connection = ConnectionId(1);
    let (name, settings) = ("public/lobby".parse().expect("a scene's name"), SceneSettings::default());
    let open = Command::OpenScene { name, epoch: 1, settings, stored: StoredScene::default() };
    talk.realm.handle_command(CommandId(1), open, talk.now);
    talk.drain();
    talk.realm.handle_opened(connection, ConnectionOrigin::Here, talk.now);
    for packet in packets {
        if let Packet::Connect(connect) = &packet {
            talk.user = connect.username.clone().unwrap_or_default();
        }
        talk.now = talk.now + Duration::from_millis(10);
        talk.realm.handle_packet(connection, packet, talk.now);
        talk.drain();
    }
    if let Some(error) = end {
        talk.realm.handle_malformed(connection, error, talk.now);
        talk.drain();
    }
    talk.realm.handle_closed(connection, talk.now);
    talk.drain();
    talk.now = talk.now + Duration::from_secs(3_600);
    talk.realm.handle_timeout(talk.now);
    talk.drain();
}

struct FuzzedRealm {
    realm: Realm,
    now: Time,
    user: String,
}

impl FuzzedRealm {
    fn drain(&mut self) {
        while let Some(output) = self.realm.poll_output() {
            match output {
                RealmOutput::Authenticate { connection, .. } => {
                    let claims = stoa_server::claims::new(&self.user, realm_filters(), 86_400);
                    self.realm.handle_authenticated(connection, Ok(claims), self.now);
                }
                RealmOutput::Store { sequence, .. } => self.realm.handle_stored(sequence, self.now),
                _ => {}
            }
        }
    }
}
