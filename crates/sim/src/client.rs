//! A virtual client of a scene: its properties, its phase and its replica.

use serde_json::Value;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::{Claims, Role, RoleRequester, SceneSettings, TokenFilterInput, TokenIds, filters};
use stoa_state::time::UnixSeconds;
use stoa_wire::packet::{Decoder, MqttVersion, Publish};
use stoa_wire::topic::SceneName;

use crate::model::MessageSender;
use crate::replica::SceneReplica;

#[derive(Debug, PartialEq)]
pub(crate) enum SceneEntryPhase {
    /// Without a connection.
    Offline,
    /// CONNECT was sent, SUBSCRIBE follows.
    Entering,
    /// Subscribed and waiting for the snapshot; holds the updates received meanwhile.
    Fetching(Vec<SceneUpdate>),
    /// In the scene.
    Live,
}

/// A message that changes the scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SceneUpdate {
    pub(crate) epoch: u64,
    pub(crate) revision: u64,
    pub(crate) topic: String,
    pub(crate) payload: Value,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UpdateContinuityResult {
    /// The update follows the previous one.
    Fine,
    /// An update is missing, so the client needs a new snapshot.
    Gap,
}

/// One client.
#[derive(Debug)]
pub(crate) struct SceneClient {
    pub(crate) name: String,
    pub(crate) id_tag: String,
    pub(crate) user_client: String,
    pub(crate) guest: bool,
    pub(crate) role: Role,
    /// A guest with the right to build, in a scene that doesn't allow it to guests.
    pub(crate) is_demoted: bool,
    pub(crate) version: MqttVersion,
    pub(crate) scene: SceneName,
    pub(crate) attached: Option<ConnectionId>,
    pub(crate) phase: SceneEntryPhase,
    pub(crate) frozen: bool,
    /// Whether the client has announced itself in the scene since it connected.
    pub(crate) entered: bool,
    pub(crate) replica: SceneReplica,
    pub(crate) decoder: Decoder,
    packet_id: u16,
}

impl SceneClient {
    /// The `index`th client of a run: an owner, editors, a guest with the right to build, a guest and a member
    /// without; every third speaks MQTT 3.1.1.
    pub(crate) fn new(index: usize, scene: SceneName) -> SceneClient {
        let guest = matches!(index, 5 | 6);
        let role = match index {
            0 => Role::Owner,
            6 | 7 => Role::Viewer,
            _ => Role::Editor,
        };
        let name = if guest { format!("anonymous-{index:010}") } else { format!("user{index}") };
        let id_tag = format!("{name}_{index:010}");
        let version = if index % 3 == 2 { MqttVersion::V311 } else { MqttVersion::V5 };
        SceneClient {
            user_client: format!("{id_tag}_web"),
            id_tag,
            name,
            guest,
            role,
            is_demoted: false,
            version,
            scene,
            attached: None,
            phase: SceneEntryPhase::Offline,
            frozen: false,
            entered: false,
            replica: SceneReplica::default(),
            decoder: Decoder::for_client(version),
            packet_id: 0,
        }
    }

    /// Claims of its token.
    pub(crate) fn claims(&self) -> Claims {
        let settings = SceneSettings::default();
        let account = RoleRequester { name: &self.name, realm_owner: false, guest: self.guest };
        let ids = TokenIds::person(self.user_client.clone(), self.id_tag.clone());
        let entry =
            TokenFilterInput { scene: &self.scene, settings: &settings, account: &account, role: self.role, ids: &ids };
        let granted = filters(&entry);
        Claims {
            user_client: ids.user_client.clone(),
            user_id: ids.id_tag.clone(),
            scene: Some(self.scene.clone()),
            role: Some(self.role),
            guest: self.guest,
            by_realm: !self.guest,
            ..Claims::new(
                self.name.clone(),
                self.name.clone(),
                UnixSeconds(0)..UnixSeconds(u64::from(u32::MAX)),
                granted,
            )
        }
    }

    /// The client as a sender, for the model.
    pub(crate) fn sender(&self, connection: ConnectionId) -> MessageSender {
        MessageSender {
            connection: connection.0,
            user_client: self.user_client.clone(),
            id_tag: self.id_tag.clone(),
            guest: self.guest,
            builds: self.role >= Role::Editor,
        }
    }

    /// Id of its next packet with an acknowledgement.
    pub(crate) fn next_packet_id(&mut self) -> u16 {
        self.packet_id = self.packet_id % 60_000 + 1;
        self.packet_id
    }

    /// Drops the connection, the phase and the replica.
    pub(crate) fn forget(&mut self) {
        self.attached = None;
        self.phase = SceneEntryPhase::Offline;
        self.entered = false;
        self.replica = SceneReplica::default();
    }

    /// Handles a message of the stream.
    pub(crate) fn hear(&mut self, publish: &Publish, payload: Value) -> UpdateContinuityResult {
        let topic = publish.topic.as_str().to_string();
        if self.version == MqttVersion::V311 {
            self.replica.apply(&topic, &payload);
            return UpdateContinuityResult::Fine;
        }
        let number = |name: &str| {
            let found = publish.properties.user_properties.iter().find(|(key, _)| key == name);
            found.and_then(|(_, value)| value.parse::<u64>().ok())
        };
        let (Some(epoch), Some(revision)) = (number("stoa-epoch"), number("stoa-revision")) else {
            return UpdateContinuityResult::Fine;
        };
        self.follow(SceneUpdate { epoch, revision, topic, payload })
    }

    /// Handles an update with epoch and revision.
    pub(crate) fn follow(&mut self, heard: SceneUpdate) -> UpdateContinuityResult {
        match &mut self.phase {
            SceneEntryPhase::Fetching(buffer) => {
                buffer.push(heard);
                UpdateContinuityResult::Fine
            }
            SceneEntryPhase::Live => self.heed(heard),
            SceneEntryPhase::Offline | SceneEntryPhase::Entering => UpdateContinuityResult::Fine,
        }
    }

    /// Applies the snapshot, then the newer updates.
    pub(crate) fn take_snapshot(&mut self, snapshot: SceneReplica) -> UpdateContinuityResult {
        let SceneEntryPhase::Fetching(buffer) = std::mem::replace(&mut self.phase, SceneEntryPhase::Live) else {
            return UpdateContinuityResult::Fine;
        };
        self.replica = snapshot;
        for heard in buffer {
            if self.heed(heard) == UpdateContinuityResult::Gap {
                return UpdateContinuityResult::Gap;
            }
        }
        UpdateContinuityResult::Fine
    }

    fn heed(&mut self, heard: SceneUpdate) -> UpdateContinuityResult {
        let SceneReplica { epoch, revision, .. } = self.replica;
        if heard.epoch == epoch && heard.revision <= revision {
            return UpdateContinuityResult::Fine;
        }
        if heard.epoch != epoch || heard.revision != revision + 1 {
            self.phase = SceneEntryPhase::Fetching(vec![heard]);
            return UpdateContinuityResult::Gap;
        }
        self.replica.apply(&heard.topic, &heard.payload);
        self.replica.revision = heard.revision;
        UpdateContinuityResult::Fine
    }
}
