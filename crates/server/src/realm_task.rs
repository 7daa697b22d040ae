//! The task that owns [`Realm`]: it takes what connections, doors and the store say, in batches, and carries the realm's outputs out. Nobody else
//! touches the machine; others hold a [`RealmHandle`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use stoa_state::grant::{Author, Claims, SceneSettings};
use stoa_state::limits::{TEMPLATE_BYTES_MAX, TEMPLATE_OBJECTS_MAX};
use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::realm::{Command, CommandAnswer, MotionGrant, MotionGrantId};
use stoa_state::scene::{Amendment, SceneSnapshot, StoredObject, StoredRecords, StoredScene};
use stoa_wire::reason::Refusal;
use stoa_wire::topic::SceneName;
use tokio::sync::{mpsc, oneshot};

mod changes;
mod run;
mod verifying;
mod writers;

pub(crate) use changes::{ChangeQueue, write_changes};
pub(crate) use run::{Channels, Parts, run};

use crate::limits;
use crate::os::blocking::apart;

/// Sends commands to the realm task and awaits its answers.
#[derive(Clone, Debug)]
pub struct RealmHandle {
    requests: mpsc::Sender<Request>,
}

/// A command, and where its answer goes.
#[derive(Debug)]
pub struct Request {
    command: Command,
    answer: oneshot::Sender<CommandAnswer>,
}

/// Why a command has no answer of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RealmError {
    /// The scene isn't open.
    #[error("there is no such scene")]
    NoSuchScene,
    /// The scene has no room for it, or it is too large.
    #[error("the realm refuses it: {0}")]
    Refused(Refusal),
    /// The disk did not take it; those who are in the scene have seen it all the same.
    #[error("the change could not be stored")]
    NotStored,
    /// The realm task has ended: the server is shutting down.
    #[error("the realm is shutting down")]
    Ended,
}

impl RealmHandle {
    /// A handle, and what the realm task takes requests from.
    pub fn channel() -> (RealmHandle, mpsc::Receiver<Request>) {
        let (requests, taken) = mpsc::channel(limits::REQUESTS_QUEUED_MAX);
        (RealmHandle { requests }, taken)
    }

    /// Opens a scene under a new epoch, or restores it with what was stored.
    ///
    /// # Errors
    /// [`RealmError`], as for every command.
    pub async fn open_scene(
        &self,
        (name, epoch): (SceneName, u64),
        settings: SceneSettings,
        stored: StoredScene,
    ) -> Result<(), RealmError> {
        self.done(Command::OpenScene { name, epoch, settings, stored }).await
    }

    /// Gives back the sessions and retained messages there were when the server ended; comes before any connection.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn restore_broker(&self, kept: StoredBroker) -> Result<(), RealmError> {
        self.done(Command::RestoreBroker { kept }).await
    }

    /// Changes what new grants and moderation follow from.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn change_settings(&self, name: SceneName, settings: SceneSettings) -> Result<(), RealmError> {
        self.done(Command::ChangeSettings { name, settings }).await
    }

    /// Ends a scene: its people are told, nothing of it stays in memory.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn close_scene(&self, name: SceneName) -> Result<(), RealmError> {
        self.done(Command::CloseScene { name }).await
    }

    /// Ends a scene that goes on under another name, `to`; on disk when this ends.
    ///
    /// # Errors
    /// [`RealmError`]; [`RealmError::NotStored`]: it is ended, and its last changes are not on disk.
    pub async fn vacate_scene(&self, name: SceneName, to: SceneName) -> Result<(), RealmError> {
        self.done(Command::VacateScene { name, to }).await
    }

    /// Puts records into a scene, parents first, in pieces that those who are in it can take, so that others are heard between them. A piece is put whole or
    /// not at all; what was put before one that was refused stays.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn put_objects(
        &self,
        name: &SceneName,
        author: &str,
        objects: Vec<StoredObject>,
    ) -> Result<(), RealmError> {
        for objects in pieces(objects) {
            self.done(Command::PutObjects { name: name.clone(), author: author.to_owned(), objects }).await?;
        }
        Ok(())
    }

    /// Deletes every object of a scene, stored ones too, on disk when this ends; `author` goes into the log.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn clear_scene(&self, name: SceneName, author: String) -> Result<(), RealmError> {
        self.clear_scene_but(name, author, BTreeSet::new()).await
    }

    /// The same but for these objects.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn clear_scene_but(
        &self,
        name: SceneName,
        author: String,
        keep: BTreeSet<String>,
    ) -> Result<(), RealmError> {
        self.done(Command::ClearScene { name, author, keep }).await
    }

    /// What is stored of a scene, and the revision, once its log has all of that.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn settle(&self, name: SceneName) -> Result<(StoredRecords, u64), RealmError> {
        match self.ask(Command::Settle { name }).await? {
            CommandAnswer::Settled(records, revision) => Ok((records, revision)),
            CommandAnswer::NotStored => Err(RealmError::NotStored),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// Brings objects to another state, all of them or none; how many were changed, on disk when this ends.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn amend(
        &self,
        name: SceneName,
        author: Author,
        amendments: Vec<Amendment>,
    ) -> Result<usize, RealmError> {
        match self.ask(Command::Amend { name, author: Box::new(author), amendments }).await? {
            CommandAnswer::Amended(count) => Ok(count),
            CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
            CommandAnswer::NotStored => Err(RealmError::NotStored),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// All of a scene at its present revision.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn snapshot(&self, name: SceneName) -> Result<SceneSnapshot, RealmError> {
        match self.ask(Command::Snapshot { name }).await? {
            CommandAnswer::Snapshot(snapshot) => Ok(snapshot),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// arena-persist's records of a scene as a JSON array, by object id and by type if given.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn records(
        &self,
        name: SceneName,
        object_id: Option<String>,
        object_type: Option<String>,
    ) -> Result<Bytes, RealmError> {
        let records = self.narrowed(Command::Records { name, object_id, object_type }).await?;
        let written = move || serde_json::to_vec(&records).expect("records are JSON already, with string keys");
        Ok(apart(written).await.into())
    }

    /// The same, whole and not yet written, as they are now; none where there is no such scene.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn stored_records(&self, name: SceneName) -> Result<Option<StoredRecords>, RealmError> {
        match self.narrowed(Command::Records { name, object_id: None, object_type: None }).await {
            Ok(records) => Ok(Some(records)),
            Err(RealmError::NoSuchScene) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn narrowed(&self, command: Command) -> Result<StoredRecords, RealmError> {
        match self.ask(command).await? {
            CommandAnswer::Records(records) => Ok(records),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// How many people are present in each open scene.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn people(&self) -> Result<Vec<(SceneName, usize)>, RealmError> {
        match self.ask(Command::People).await? {
            CommandAnswer::People(people) => Ok(people),
            _ => Ok(Vec::new()),
        }
    }

    /// All scenes, with their settings and how many people are present.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn scenes(&self) -> Result<Vec<(SceneName, Arc<SceneSettings>, usize)>, RealmError> {
        match self.ask(Command::Scenes).await? {
            CommandAnswer::Scenes(scenes) => Ok(scenes),
            _ => Ok(Vec::new()),
        }
    }

    /// How those are called who are in each scene, a few of each.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn names(&self) -> Result<BTreeMap<SceneName, Vec<String>>, RealmError> {
        match self.ask(Command::Names).await? {
            CommandAnswer::Names(names) => Ok(names),
            _ => Ok(BTreeMap::new()),
        }
    }

    /// Ends every connection whose grant has this `jti`, or comes from it.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn revoke(&self, jti: String) -> Result<(), RealmError> {
        self.done(Command::Revoke { jti }).await
    }

    /// Ends every connection and session of an account.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn end_account(&self, name: String) -> Result<(), RealmError> {
        self.done(Command::EndAccount { name }).await
    }

    /// Asks for a pass to a scene's motion plane, by a token that was verified.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn give_pass(&self, name: SceneName, claims: Claims) -> Result<MotionGrant, RealmError> {
        match self.ask(Command::GrantMotion { name, claims: Box::new(claims) }).await? {
            CommandAnswer::MotionGrant(pass) => Ok(*pass),
            CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// Whether the bearer of these claims could come into a scene now, rights apart.
    ///
    /// # Errors
    /// [`RealmError::Refused`] says why not.
    pub async fn knock(&self, name: SceneName, claims: Claims) -> Result<(), RealmError> {
        self.done(Command::Knock { name, claims: Box::new(claims) }).await
    }

    /// What whoever is in a scene under this idTag has shown.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn bearer(&self, name: SceneName, id_tag: String) -> Result<Option<Claims>, RealmError> {
        match self.ask(Command::WhoIs { name, id_tag }).await? {
            CommandAnswer::Bearer(claims) => Ok(claims.map(|claims| *claims)),
            _ => Ok(None),
        }
    }

    /// Gives a pass back.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn end_pass(&self, pass: MotionGrantId) -> Result<(), RealmError> {
        self.done(Command::EndMotionGrant { motion_grant: pass }).await
    }

    async fn done(&self, command: Command) -> Result<(), RealmError> {
        match self.ask(command).await? {
            CommandAnswer::NoSuchScene => Err(RealmError::NoSuchScene),
            CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
            CommandAnswer::NotStored => Err(RealmError::NotStored),
            _ => Ok(()),
        }
    }

    async fn ask(&self, command: Command) -> Result<CommandAnswer, RealmError> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { command, answer }).await.map_err(|_| RealmError::Ended)?;
        answered.await.map_err(|_| RealmError::Ended)
    }
}

/// Each holds no more than one reader's outbox takes at once.
fn pieces(objects: Vec<StoredObject>) -> impl Iterator<Item = Vec<StoredObject>> {
    let mut left = objects.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut piece = vec![left.next()?];
        let mut bytes = piece[0].size_bytes();
        while piece.len() < TEMPLATE_OBJECTS_MAX
            && let Some(object) = left.next_if(|next| bytes + next.size_bytes() <= TEMPLATE_BYTES_MAX)
        {
            bytes += object.size_bytes();
            piece.push(object);
        }
        Some(piece)
    })
}
