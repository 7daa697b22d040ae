//! Commands of the server's other interfaces (HTTP, control socket, start) to the realm.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::reason::Refusal;
use stoa_wire::topic::SceneName;

use super::people_inside::{SceneBearer, UnjoinedListener};
use super::scene_admission::RecentlyDepartedPeople;
use super::scenes::HostedScene;
use super::timers::TimerKey;
use super::{ConnectionId, MotionGrant, MotionGrantId, Realm, RealmOutput};
use crate::grant::{Author, Claims, SceneSettings};
use crate::mqtt::stored::StoredBroker;
use crate::network::ClientNetwork;
use crate::scene::{ObjectStateChange, RecordsSnapshot, Scene, SceneSnapshot, StoredObject, StoredScene};
use crate::time::Time;

/// A command's number, chosen by the caller and repeated in [`super::RealmOutput::Answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u64);

/// A command.
#[derive(Debug)]
pub enum Command {
    /// Opens a scene with its stored state. An open scene is unchanged.
    OpenScene {
        /// The scene.
        name: SceneName,
        /// Greater than at every earlier opening of a scene of this name. Clients and the store distinguish the
        /// change streams by it.
        epoch: u64,
        /// The stored settings.
        settings: SceneSettings,
        /// The stored objects.
        stored: StoredScene,
    },
    /// Changes a scene's settings and disconnects clients whose grant no longer follows from them.
    ChangeSettings {
        /// The scene.
        name: SceneName,
        /// The new settings.
        settings: SceneSettings,
    },
    /// Closes a scene: ends the presences and motion grants in it, and frees its objects in memory.
    CloseScene {
        /// The scene.
        name: SceneName,
    },
    /// Closes a scene that is being renamed. Clients with a token for it alone are disconnected and may reconnect with
    /// a new token. The answer means that all changes of the scene are on disk.
    VacateScene {
        /// The old name.
        name: SceneName,
        /// The new name. People of the scene may return to it even if it is locked.
        to: SceneName,
    },
    /// Deletes all objects except those to keep, stored ones too. [`CommandAnswer::Done`] means that all are deleted,
    /// on disk too, and [`CommandAnswer::Continues`] that the same command must be repeated.
    ClearScene {
        /// The scene.
        name: SceneName,
        /// Author of the change.
        author: String,
        /// Ids of objects to keep.
        keep: BTreeSet<String>,
    },
    /// Puts whole records into a scene, all or none, announced by the realm itself. The caller keeps their number small
    /// enough for one receiver's outbox. The author is charged for them. [`CommandAnswer::Done`] means that they are on
    /// disk, [`CommandAnswer::Refused`] that they don't fit or that the author stores too much.
    PutObjects {
        /// The scene.
        name: SceneName,
        /// Author of the change.
        author: String,
        /// The records, parents before children.
        objects: Vec<StoredObject>,
    },
    /// Returns a scene's stored objects for a comparison with its log. [`CommandAnswer::Settled`] means that all
    /// changes of these objects are on disk.
    Settle {
        /// The scene.
        name: SceneName,
    },
    /// Amends objects, all or none. The author is charged for them. [`CommandAnswer::Amended`] means that the changes
    /// are on disk, [`CommandAnswer::Refused`] that nothing was changed.
    Amend {
        /// The scene.
        name: SceneName,
        /// Author of the changes.
        author: Box<Author>,
        /// The author's network, by which a guest's fair share counts; `None` if it is unknown.
        network: Option<ClientNetwork>,
        /// One amendment for each object.
        amendments: Vec<ObjectStateChange>,
    },
    /// Charges an account for bytes that the server stores itself, such as an import, settings or a scene's picture.
    /// Answered by [`CommandAnswer::Done`] or [`CommandAnswer::Refused`].
    ChargeStored {
        /// The scene that the bytes belong to. It may not exist yet.
        name: SceneName,
        /// The account's name.
        account: String,
        /// Number of bytes, with those of the log.
        bytes: usize,
    },
    /// Requests a [`CommandAnswer::Snapshot`].
    Snapshot {
        /// The scene.
        name: SceneName,
    },
    /// Requests the stored objects as arena-persist's records; answered by [`CommandAnswer::Records`].
    Records {
        /// The scene.
        name: SceneName,
        /// Only this object.
        object_id: Option<String>,
        /// Only objects of this type.
        object_type: Option<String>,
    },
    /// Requests the number of people inside each open scene, counted as for `people_max`. Answered by
    /// [`CommandAnswer::People`].
    People,
    /// Requests the names of people in each scene, as [`CommandAnswer::Names`].
    Names,
    /// Requests all open scenes, as [`CommandAnswer::Scenes`].
    Scenes,
    /// Checks that the realm responds. Answered by [`CommandAnswer::Done`].
    Ping,
    /// Restores the sessions and retained messages of the last run. Must precede any connection.
    RestoreBroker {
        /// The stored state.
        kept: StoredBroker,
    },
    /// Ends every connection, session and motion grant whose token has this `jti` or descends from that token.
    Revoke {
        /// The token's id.
        jti: String,
    },
    /// Ends every connection, session and motion grant of an account.
    EndAccount {
        /// The account's name.
        name: String,
    },
    /// Requests a motion grant for a scene with a token that is bound to one client. Answered by
    /// [`CommandAnswer::MotionGrant`] or [`CommandAnswer::Refused`].
    GrantMotion {
        /// The scene.
        name: SceneName,
        /// The token's verified claims.
        claims: Box<Claims>,
        /// The bearer's network, by which a guest's fair share counts; `None` if it is unknown.
        network: Option<ClientNetwork>,
    },
    /// Checks whether the lock and the people limit of a scene admit a token's bearer now, whatever its rights.
    /// Answered by [`CommandAnswer::Done`] or [`CommandAnswer::Refused`].
    CheckAdmission {
        /// The scene.
        name: SceneName,
        /// The token's claims.
        claims: Box<Claims>,
        /// The bearer's network; `None` if it is unknown.
        network: Option<ClientNetwork>,
    },
    /// Requests the bearer with this idTag that is present in a scene or receives its messages, as
    /// [`CommandAnswer::Bearer`].
    WhoIs {
        /// The scene.
        name: SceneName,
        /// The idTag.
        id_tag: String,
    },
    /// Requests the clients that receive a scene's messages without a presence in it, as [`CommandAnswer::Listening`].
    Listening {
        /// The scene.
        name: SceneName,
    },
    /// Ends a motion grant that its bearer no longer uses.
    EndMotionGrant {
        /// The motion grant to end.
        motion_grant: MotionGrantId,
    },
}

impl Command {
    /// Whether the command's answer means that its own changes are on disk.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self, Command::ClearScene { .. } | Command::PutObjects { .. } | Command::Amend { .. })
    }

    /// Whether the command's answer means that all earlier changes are on disk.
    pub(super) fn is_settling(&self) -> bool {
        matches!(self, Command::Settle { .. } | Command::VacateScene { .. })
    }
}

/// The answer to a command.
#[derive(Debug)]
pub enum CommandAnswer {
    /// The command was carried out.
    Done,
    /// A part of the command was carried out. The same command continues it.
    Continues,
    /// The scene is not open.
    NoSuchScene,
    /// The command was refused and changed nothing.
    Refused(Refusal),
    /// The command took effect in memory, but the store failed to write its changes or earlier ones.
    NotStored,
    /// The scene's present state.
    Snapshot(SceneSnapshot),
    /// Stored objects, which REST serves as a JSON array.
    Records(RecordsSnapshot),
    /// Stored objects at this revision. All changes up to it are in the log.
    Settled(RecordsSnapshot, u64),
    /// Number of changed objects.
    Amended(usize),
    /// Number of people by scene.
    People(Vec<(SceneName, usize)>),
    /// The motion grant.
    MotionGrant(Box<MotionGrant>),
    /// Display names of people in each scene, a few of each.
    Names(BTreeMap<SceneName, Vec<String>>),
    /// The bearer with the idTag; `None` if the scene has none.
    Bearer(Option<Box<SceneBearer>>),
    /// Clients that receive the scene's messages without a presence in it.
    Listening(Vec<UnjoinedListener>),
    /// Open scenes with their settings, shared until one of them changes, and the number of people inside those that
    /// have any. Both are sorted by name.
    Scenes {
        /// Open scenes.
        listed: ListedScenes,
        /// Number of people.
        people: Vec<(SceneName, usize)>,
    },
}

/// Open scenes with their settings, sorted by name.
pub type ListedScenes = Arc<[(SceneName, Arc<SceneSettings>)]>;

impl Realm {
    pub(super) fn execute(&mut self, command: Command, now: Time) -> CommandAnswer {
        match command {
            Command::OpenScene { name, epoch, settings, stored } => {
                self.open_scene(name, SceneOpening { epoch, settings, stored }, now)
            }
            Command::ChangeSettings { name, settings } => self.change_settings(name, settings, now),
            Command::CloseScene { name } => self.close_scene(&name, now),
            Command::VacateScene { name, to } => self.vacate_scene(&name, to, now),
            Command::ClearScene { name, author, keep } => match self.scenes.get_mut(&name) {
                Some(hosted) => {
                    let is_clear = hosted.scene.clear(&author, &keep, now);
                    self.drain_scene(&name, now);
                    if is_clear { CommandAnswer::Done } else { CommandAnswer::Continues }
                }
                None => CommandAnswer::NoSuchScene,
            },
            Command::PutObjects { name, author, objects } => match self.scenes.get_mut(&name) {
                Some(hosted) => {
                    let put = hosted.scene.put_objects(&author, objects, now);
                    self.drain_scene(&name, now);
                    put.map_or_else(CommandAnswer::Refused, |()| CommandAnswer::Done)
                }
                None => CommandAnswer::NoSuchScene,
            },
            Command::Settle { name } => match self.scenes.get(&name) {
                Some(hosted) => CommandAnswer::Settled(hosted.scene.records(None, None), hosted.scene.revision()),
                None => CommandAnswer::NoSuchScene,
            },
            Command::Amend { name, author, amendments, .. } => self.amend(&name, &author, amendments, now),
            // `charge_command` has charged the account already.
            Command::ChargeStored { .. } => CommandAnswer::Done,
            Command::Snapshot { name } => match self.scenes.get(&name) {
                Some(hosted) => CommandAnswer::Snapshot(hosted.scene.snapshot(now)),
                None => CommandAnswer::NoSuchScene,
            },
            Command::Records { name, object_id, object_type } => match self.scenes.get(&name) {
                Some(hosted) => CommandAnswer::Records(hosted.scene.records(object_id, object_type)),
                None => CommandAnswer::NoSuchScene,
            },
            Command::People => CommandAnswer::People(self.count_people()),
            Command::Scenes => self.list_scenes(),
            Command::Ping => CommandAnswer::Done,
            Command::Names => CommandAnswer::Names(self.names_inside()),
            Command::RestoreBroker { kept } => {
                self.restore_broker(kept, now);
                CommandAnswer::Done
            }
            Command::Revoke { jti } => {
                self.revoke(&jti, now);
                CommandAnswer::Done
            }
            Command::EndAccount { name } => {
                self.end_account(&name, now);
                CommandAnswer::Done
            }
            Command::GrantMotion { name, claims, network } => self
                .motion_grant_for(*claims, network, &name, now)
                .map_or_else(CommandAnswer::Refused, |motion_grant| CommandAnswer::MotionGrant(Box::new(motion_grant))),
            Command::CheckAdmission { name, claims, network } => {
                self.answer_admission_check(&name, &claims, network, now)
            }
            Command::WhoIs { name, id_tag } => CommandAnswer::Bearer(self.bearer_in(&name, &id_tag)),
            Command::Listening { name } => CommandAnswer::Listening(self.listening_in(&name)),
            Command::EndMotionGrant { motion_grant } => {
                self.drop_motion_grant(motion_grant);
                CommandAnswer::Done
            }
        }
    }

    fn count_people(&self) -> Vec<(SceneName, usize)> {
        self.scenes.keys().map(|name| (name.clone(), self.bearers.count(name))).collect()
    }

    fn list_scenes(&mut self) -> CommandAnswer {
        let (scenes, settings) = (&self.scenes, |hosted: &HostedScene| Arc::clone(&hosted.settings));
        let list = || scenes.iter().map(|(name, hosted)| (name.clone(), settings(hosted))).collect();
        let listed = Arc::clone(self.listed.get_or_insert_with(list));
        let people = self.bearers.occupied().map(|(name, people)| (name.clone(), people.len())).collect();
        CommandAnswer::Scenes { listed, people }
    }

    fn amend(
        &mut self,
        name: &SceneName,
        author: &Author,
        amendments: Vec<ObjectStateChange>,
        now: Time,
    ) -> CommandAnswer {
        let Some(hosted) = self.scenes.get_mut(name) else { return CommandAnswer::NoSuchScene };
        let amended = hosted.scene.amend(author, amendments, now);
        self.drain_scene(name, now);
        amended.map_or_else(CommandAnswer::Refused, CommandAnswer::Amended)
    }

    fn open_scene(&mut self, name: SceneName, opening: SceneOpening, now: Time) -> CommandAnswer {
        let SceneOpening { epoch, settings, stored } = opening;
        if !self.scenes.contains_key(&name) {
            let mut scene = Scene::new(name.clone(), epoch, self.start.unix_at_zero);
            scene.restore(stored, now);
            let mut hosted = HostedScene::new(scene, settings, now);
            let returning = self.renaming.take_if(|(to, _)| *to == name).map(|(_, left)| left);
            hosted.left = returning.unwrap_or_else(RecentlyDepartedPeople::leavers);
            self.scenes.insert(name.clone(), hosted);
            self.listed = None;
            self.drain_scene(&name, now);
            // The name may have belonged to another scene before.
            self.revalidate_grants(&name, now);
        }
        CommandAnswer::Done
    }

    fn change_settings(&mut self, name: SceneName, settings: SceneSettings, now: Time) -> CommandAnswer {
        let Some(hosted) = self.scenes.get_mut(&name) else { return CommandAnswer::NoSuchScene };
        let realm = self.start.motion;
        let (before, motion) = (hosted.settings.motion_over(realm), settings.motion_over(realm));
        hosted.settings = Arc::new(settings);
        self.listed = None;
        self.revalidate_grants(&name, now);
        self.rename_on_plane(&name);
        if before != motion {
            self.outputs.push_back(RealmOutput::MotionChanged { scene: name, settings: motion });
        }
        CommandAnswer::Done
    }

    fn vacate_scene(&mut self, name: &SceneName, to: SceneName, now: Time) -> CommandAnswer {
        if self.scenes.contains_key(name) {
            // The store moves the scene as it is on disk.
            self.finish_deletions(name, now);
            self.note_all_left(name, to, now);
            self.end_scene_tokens(name, now);
        }
        self.close_scene(name, now)
    }

    fn close_scene(&mut self, name: &SceneName, now: Time) -> CommandAnswer {
        if !self.scenes.contains_key(name) {
            return CommandAnswer::NoSuchScene;
        }
        self.end_motion_grants_in(name);
        let inside =
            |connection: &&ConnectionId| self.access(**connection).is_some_and(|access| access.scenes.contains(name));
        let inside: Vec<ConnectionId> = self.clients.keys().filter(inside).copied().collect();
        for connection in inside {
            if let Some(hosted) = self.scenes.get_mut(name) {
                hosted.scene.handle_connection_ended(connection);
            }
            if let Some(access) = self.access_mut(connection) {
                access.scenes.remove(name);
            }
            self.note_presence(name, connection, now);
            self.drain_scene(name, now);
        }
        if let Some(hosted) = self.scenes.remove(name) {
            self.listed = None;
            self.timers.cancel(TimerKey::Scene(name.clone()), hosted.armed);
            hosted.loads.into_iter().for_each(|load| self.end_load(load, now));
        }
        CommandAnswer::Done
    }
}

struct SceneOpening {
    epoch: u64,
    settings: SceneSettings,
    stored: StoredScene,
}
