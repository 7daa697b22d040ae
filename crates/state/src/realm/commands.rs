//! What the server's own doors (HTTP, control socket, start) ask of the realm.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::reason::Refusal;
use stoa_wire::topic::SceneName;

use super::scenes::HostedScene;
use super::timers::Timer;
use super::{ConnectionId, MotionGrant, MotionGrantId, Realm, RealmOutput};
use crate::grant::{Author, Claims, SceneSettings};
use crate::mqtt::stored::StoredBroker;
use crate::scene::{Amendment, Scene, SceneSnapshot, StoredObject, StoredRecords, StoredScene};
use crate::time::Time;

/// A command's number, given by the caller; comes back in [`super::RealmOutput::Answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u64);

/// A command.
#[derive(Debug)]
pub enum Command {
    /// A scene comes to be, or is restored at start with what was stored. One that is open already is left as it is.
    OpenScene {
        /// The scene.
        name: SceneName,
        /// Greater than that of every earlier opening of a scene of this name: by it, clients and the store tell its stream from an older one.
        epoch: u64,
        /// As the store has them.
        settings: SceneSettings,
        /// As the store has it.
        stored: StoredScene,
    },
    /// Whoever has a grant that no longer follows from the scene's settings is put out.
    ChangeSettings {
        /// The scene.
        name: SceneName,
        /// From now on.
        settings: SceneSettings,
    },
    /// Ends the scene: people are told, nothing of it stays in memory.
    CloseScene {
        /// The scene.
        name: SceneName,
    },
    /// Ends a scene that goes on under another name: who is in it is put out, to come again, and all it took is on disk when this is answered.
    VacateScene {
        /// The scene's name until now.
        name: SceneName,
        /// How it is called from now on: who is in it comes back by that, also where the door is locked.
        to: SceneName,
    },
    /// Deletes every object, stored ones too; answered once that is on disk.
    ClearScene {
        /// The scene.
        name: SceneName,
        /// Who asks for it.
        author: String,
        /// But these.
        keep: BTreeSet<String>,
    },
    /// Puts whole records into a scene, all of them or none, told to those in it as the realm's own: no more than one reader's outbox takes. Answered by
    /// [`CommandAnswer::Done`] once they are on disk, by [`CommandAnswer::Refused`] where they have no room.
    PutObjects {
        /// The scene.
        name: SceneName,
        /// Who asks for it.
        author: String,
        /// Parents first.
        objects: Vec<StoredObject>,
    },
    /// What is stored of a scene, for who compares it with its log: answered by [`CommandAnswer::Settled`] once all of it is on disk.
    Settle {
        /// The scene.
        name: SceneName,
    },
    /// Brings objects to another state, all of them or none. Answered by [`CommandAnswer::Amended`] once that is on disk, or by [`CommandAnswer::Refused`].
    Amend {
        /// The scene.
        name: SceneName,
        /// Who asks for it.
        author: Box<Author>,
        /// Object by object.
        amendments: Vec<Amendment>,
    },
    /// Answered by [`CommandAnswer::Snapshot`].
    Snapshot {
        /// The scene.
        name: SceneName,
    },
    /// arena-persist's records; answered by [`CommandAnswer::Records`].
    Records {
        /// The scene.
        name: SceneName,
        /// One object only.
        object_id: Option<String>,
        /// One type only.
        object_type: Option<String>,
    },
    /// Answered by [`CommandAnswer::People`]: how many are present in each open scene.
    People,
    /// Answered by [`CommandAnswer::Names`].
    Names,
    /// Answered by [`CommandAnswer::Scenes`]: all that are open.
    Scenes,
    /// Sessions and retained messages as they were when the server ended; comes before any connection.
    RestoreBroker {
        /// As the store has them.
        kept: StoredBroker,
    },
    /// Ends every connection and session whose grant has this `jti`, or comes from it.
    Revoke {
        /// The token's name.
        jti: String,
    },
    /// Ends every connection and session of an account.
    EndAccount {
        /// Its name.
        name: String,
    },
    /// Asks for a motion grant to a scene's motion plane by a token that was issued for one client; answered by [`CommandAnswer::MotionGrant`] or [`CommandAnswer::Refused`].
    GrantMotion {
        /// The scene.
        name: SceneName,
        /// The token's, verified.
        claims: Box<Claims>,
    },
    /// Whether the bearer of a token for a scene could come in now, rights apart; answered by [`CommandAnswer::Done`] or [`CommandAnswer::Refused`].
    Knock {
        /// The scene.
        name: SceneName,
        /// The token's.
        claims: Box<Claims>,
    },
    /// Who is in a scene under this idTag; answered by [`CommandAnswer::Bearer`].
    WhoIs {
        /// The scene.
        name: SceneName,
        /// The idTag.
        id_tag: String,
    },
    /// Nobody uses this motion grant any more.
    EndMotionGrant {
        /// The motion grant to end.
        motion_grant: MotionGrantId,
    },
}

impl Command {
    /// Whether its answer means that what it changed is on disk.
    pub(super) fn is_stored(&self) -> bool {
        matches!(self, Command::ClearScene { .. } | Command::PutObjects { .. } | Command::Amend { .. })
    }

    /// Whether its answer means that all is on disk that came before it.
    pub(super) fn is_settling(&self) -> bool {
        matches!(self, Command::Settle { .. } | Command::VacateScene { .. })
    }
}

/// Answers to commands.
#[derive(Debug)]
pub enum CommandAnswer {
    /// It is done.
    Done,
    /// No such scene is open.
    NoSuchScene,
    /// It may not be so, and nothing of it is.
    Refused(Refusal),
    /// It is so for those who are there, but the store did not take it.
    NotStored,
    /// The scene as it is.
    Snapshot(SceneSnapshot),
    /// What REST serves as a JSON array.
    Records(StoredRecords),
    /// What is stored, at this revision, and the log has all of it.
    Settled(StoredRecords, u64),
    /// So many objects were changed.
    Amended(usize),
    /// By scene.
    People(Vec<(SceneName, usize)>),
    /// It may be on the motion plane.
    MotionGrant(Box<MotionGrant>),
    /// How those are called who are in each scene, a few of each.
    Names(BTreeMap<SceneName, Vec<String>>),
    /// What whoever has the idTag has shown; `None`: nobody there has it.
    Bearer(Option<Box<Claims>>),
    /// Which there are, with their settings and how many are present.
    Scenes(Vec<(SceneName, Arc<SceneSettings>, usize)>),
}

impl Realm {
    pub(super) fn obey(&mut self, command: Command, now: Time) -> CommandAnswer {
        match command {
            Command::OpenScene { name, epoch, settings, stored } => {
                self.open_scene(name, SceneOpening { epoch, settings, stored }, now)
            }
            Command::ChangeSettings { name, settings } => self.change_settings(name, settings, now),
            Command::CloseScene { name } => self.close_scene(&name, now),
            Command::VacateScene { name, to } => self.vacate_scene(&name, to, now),
            Command::ClearScene { name, author, keep } => match self.scenes.get_mut(&name) {
                Some(hosted) => {
                    hosted.scene.clear(&author, &keep, now);
                    self.drain_scene(&name, now);
                    CommandAnswer::Done
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
            Command::Amend { name, author, amendments } => self.amend(&name, &author, amendments, now),
            Command::Snapshot { name } => match self.scenes.get(&name) {
                Some(hosted) => CommandAnswer::Snapshot(hosted.scene.snapshot(now)),
                None => CommandAnswer::NoSuchScene,
            },
            Command::Records { name, object_id, object_type } => match self.scenes.get(&name) {
                Some(hosted) => CommandAnswer::Records(hosted.scene.records(object_id, object_type)),
                None => CommandAnswer::NoSuchScene,
            },
            Command::People => {
                let people = |(name, hosted): (&SceneName, &HostedScene)| (name.clone(), hosted.scene.people());
                CommandAnswer::People(self.scenes.iter().map(people).collect())
            }
            Command::Scenes => {
                let told = |(name, hosted): (&SceneName, &HostedScene)| {
                    (name.clone(), Arc::clone(&hosted.settings), hosted.scene.people())
                };
                CommandAnswer::Scenes(self.scenes.iter().map(told).collect())
            }
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
            Command::GrantMotion { name, claims } => match self.motion_grant_for(*claims, &name, now) {
                Ok(motion_grant) => CommandAnswer::MotionGrant(Box::new(motion_grant)),
                Err(refused) => CommandAnswer::Refused(refused),
            },
            Command::Knock { name, claims } => self.answer_knock(&name, &claims, now),
            Command::WhoIs { name, id_tag } => CommandAnswer::Bearer(self.bearer_in(&name, &id_tag)),
            Command::EndMotionGrant { motion_grant } => {
                self.drop_motion_grant(motion_grant);
                CommandAnswer::Done
            }
        }
    }

    fn amend(&mut self, name: &SceneName, author: &Author, amendments: Vec<Amendment>, now: Time) -> CommandAnswer {
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
            hosted.left = self.moving.take_if(|(to, _)| *to == name).map(|(_, left)| left).unwrap_or_default();
            self.scenes.insert(name.clone(), hosted);
            self.drain_scene(&name, now);
            // A scene of that name may have been another's before.
            self.judge_anew(&name, now);
        }
        CommandAnswer::Done
    }

    fn change_settings(&mut self, name: SceneName, settings: SceneSettings, now: Time) -> CommandAnswer {
        let Some(hosted) = self.scenes.get_mut(&name) else { return CommandAnswer::NoSuchScene };
        let motion = settings.motion;
        let is_changed = hosted.settings.motion != motion;
        hosted.settings = Arc::new(settings);
        self.judge_anew(&name, now);
        if is_changed {
            let settings = motion.over(self.start.motion);
            self.outputs.push_back(RealmOutput::MotionChanged { scene: name, settings });
        }
        CommandAnswer::Done
    }

    fn vacate_scene(&mut self, name: &SceneName, to: SceneName, now: Time) -> CommandAnswer {
        if self.scenes.contains_key(name) {
            self.note_all_left(name, to, now);
            self.put_out_of(name, now);
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
            self.drain_scene(name, now);
        }
        if let Some(hosted) = self.scenes.remove(name) {
            self.timers.cancel(Timer::Scene(name.clone()), hosted.armed);
        }
        CommandAnswer::Done
    }
}

struct SceneOpening {
    epoch: u64,
    settings: SceneSettings,
    stored: StoredScene,
}
