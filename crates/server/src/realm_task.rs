//! The task that owns the [`Realm`](stoa_state::realm::Realm). It handles inputs of connections in batches, and
//! commands, commits, verified tokens and motion reports one at a time. It carries out the realm's outputs. Other code
//! sends commands with a [`RealmCommandClient`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use stoa_state::grant::{Author, Claims, SceneSettings};
use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::network::ClientNetwork;
use stoa_state::realm::{Command, CommandAnswer, MotionGrant, MotionGrantId, SceneBearer, UnjoinedListener};
use stoa_state::scene::{ObjectStateChange, RecordsSnapshot, SceneSnapshot, StoredObject, StoredScene};
use stoa_wire::reason::Refusal;
use stoa_wire::topic::SceneName;
use tokio::sync::{mpsc, oneshot};

mod changes;
mod input_times;
mod outboxes;
mod paused_inputs;
mod records_serializer;
mod round_timer;
mod run;
mod token_verifier;

pub(crate) use changes::{PendingChangeQueue, write_changes};
pub(crate) use run::{RealmChannels, RealmTaskParts, run};

use crate::limits;

/// Sends commands to the realm task and waits for the answers.
#[derive(Clone, Debug)]
pub struct RealmCommandClient {
    requests: mpsc::Sender<RealmRequest>,
}

/// A command and the channel for its answer.
#[derive(Debug)]
pub struct RealmRequest {
    command: Command,
    answer: oneshot::Sender<CommandAnswer>,
}

/// Reasons why a command failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RealmError {
    /// The scene isn't open.
    #[error("there is no such scene")]
    NoSuchScene,
    /// The realm refused the command: a limit is reached, or the client may not enter the scene now.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// The change was not stored, although people in the scene have seen it.
    #[error("the change could not be stored")]
    NotStored,
    /// The realm task has ended: the server is shutting down.
    #[error("the server is shutting down")]
    Ended,
}

impl RealmCommandClient {
    /// A client and the receiver of its requests, for the realm task.
    pub fn channel() -> (RealmCommandClient, mpsc::Receiver<RealmRequest>) {
        let (requests, taken) = mpsc::channel(limits::REQUESTS_QUEUED_MAX);
        (RealmCommandClient { requests }, taken)
    }

    /// Opens a scene under a new epoch with its stored contents.
    ///
    /// # Errors
    /// [`RealmError`], as for every command.
    pub async fn open_scene(
        &self,
        name: SceneName,
        epoch: u64,
        settings: SceneSettings,
        stored: StoredScene,
    ) -> Result<(), RealmError> {
        self.done(Command::OpenScene { name, epoch, settings, stored }).await
    }

    /// Restores the sessions and retained messages of the last run. Must be sent before any connection.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn restore_broker(&self, kept: StoredBroker) -> Result<(), RealmError> {
        self.done(Command::RestoreBroker { kept }).await
    }

    /// Changes a scene's settings, and disconnects clients whose grant no longer follows from them.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn change_settings(&self, name: SceneName, settings: SceneSettings) -> Result<(), RealmError> {
        self.done(Command::ChangeSettings { name, settings }).await
    }

    /// Closes a scene: its people leave it, and its memory is freed.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn close_scene(&self, name: SceneName) -> Result<(), RealmError> {
        self.done(Command::CloseScene { name }).await
    }

    /// Closes a scene that continues under the name `to`. Its changes are on disk on return.
    ///
    /// # Errors
    /// [`RealmError`]; after [`RealmError::NotStored`] the scene is closed, but its last changes are not on disk.
    pub async fn vacate_scene(&self, name: SceneName, to: SceneName) -> Result<(), RealmError> {
        self.done(Command::VacateScene { name, to }).await
    }

    /// Puts objects into a scene in pieces small enough for a reader's send queue. Parents precede their children in
    /// `objects`. Other input is handled between the pieces. Each piece is put whole or not at all, and is on disk
    /// before the next one; pieces before a refused one remain.
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

    /// Charges an account for bytes of a scene that the caller stores next.
    ///
    /// # Errors
    /// [`RealmError::Refused`] with the bound that refuses them.
    pub async fn charge_stored(&self, name: SceneName, account: String, bytes: usize) -> Result<(), RealmError> {
        self.done(Command::ChargeStored { name, account, bytes }).await
    }

    /// Deletes all objects of a scene, on disk on return. `author` is recorded in the log.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn clear_scene(&self, name: SceneName, author: String) -> Result<(), RealmError> {
        self.clear_scene_but(name, author, BTreeSet::new()).await
    }

    /// Deletes all objects of a scene except those in `keep`, on disk on return. `author` is recorded in the log.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn clear_scene_but(
        &self,
        name: SceneName,
        author: String,
        keep: BTreeSet<String>,
    ) -> Result<(), RealmError> {
        loop {
            let (name, author, keep) = (name.clone(), author.clone(), keep.clone());
            match self.ask(Command::ClearScene { name, author, keep }).await? {
                CommandAnswer::Continues => {}
                answer => return done(answer),
            }
        }
    }

    /// A scene's stored objects and revision, once its log contains all changes up to that revision.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn settle(&self, name: SceneName) -> Result<(RecordsSnapshot, u64), RealmError> {
        match self.ask(Command::Settle { name }).await? {
            CommandAnswer::Settled(records, revision) => Ok((records, revision)),
            CommandAnswer::NotStored => Err(RealmError::NotStored),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// Brings objects to another state, all or none. Returns the number of changed objects once they are on disk.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn amend(
        &self,
        name: SceneName,
        author: Author,
        network: Option<ClientNetwork>,
        amendments: Vec<ObjectStateChange>,
    ) -> Result<usize, RealmError> {
        match self.ask(Command::Amend { name, author: Box::new(author), network, amendments }).await? {
            CommandAnswer::Amended(count) => Ok(count),
            CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
            CommandAnswer::NotStored => Err(RealmError::NotStored),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// A whole scene at its current revision.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn snapshot(&self, name: SceneName) -> Result<SceneSnapshot, RealmError> {
        match self.ask(Command::Snapshot { name }).await? {
            CommandAnswer::Snapshot(snapshot) => Ok(snapshot),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// A scene's records, filtered by object id and type if given.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn records(
        &self,
        name: SceneName,
        object_id: Option<String>,
        object_type: Option<String>,
    ) -> Result<RecordsSnapshot, RealmError> {
        match self.ask(Command::Records { name, object_id, object_type }).await? {
            CommandAnswer::Records(records) => Ok(records),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// All of a scene's records as values; `None` if the scene isn't open.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn stored_records(&self, name: SceneName) -> Result<Option<RecordsSnapshot>, RealmError> {
        match self.records(name, None, None).await {
            Ok(records) => Ok(Some(records)),
            Err(RealmError::NoSuchScene) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Number of people inside each open scene, as `people_max` counts them.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn people(&self) -> Result<Vec<(SceneName, usize)>, RealmError> {
        match self.ask(Command::People).await? {
            CommandAnswer::People(people) => Ok(people),
            _ => Ok(Vec::new()),
        }
    }

    /// All open scenes with settings and number of people inside.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn scenes(&self) -> Result<Vec<(SceneName, Arc<SceneSettings>, usize)>, RealmError> {
        let CommandAnswer::Scenes { listed, people } = self.ask(Command::Scenes).await? else { return Ok(Vec::new()) };
        // Joined here and not in the realm's task, which only shares its lists.
        let people: BTreeMap<SceneName, usize> = people.into_iter().collect();
        let count = |name: &SceneName| people.get(name).copied().unwrap_or(0);
        Ok(listed.iter().map(|(name, settings)| (name.clone(), Arc::clone(settings), count(name))).collect())
    }

    /// Checks that the realm answers.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn ping(&self) -> Result<(), RealmError> {
        self.done(Command::Ping).await
    }

    /// Display names of a few people in each scene.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn names(&self) -> Result<BTreeMap<SceneName, Vec<String>>, RealmError> {
        match self.ask(Command::Names).await? {
            CommandAnswer::Names(names) => Ok(names),
            _ => Ok(BTreeMap::new()),
        }
    }

    /// Ends every connection and session whose grant has this `jti` or is derived from it.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn revoke(&self, jti: String) -> Result<(), RealmError> {
        self.done(Command::Revoke { jti }).await
    }

    /// Ends all connections and sessions of an account.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn end_account(&self, name: String) -> Result<(), RealmError> {
        self.done(Command::EndAccount { name }).await
    }

    /// Requests a motion grant for a scene. `claims` are those of a verified token, and `network` is its bearer's.
    ///
    /// # Errors
    /// [`RealmError`].
    pub async fn grant_motion(
        &self,
        name: SceneName,
        claims: Claims,
        network: Option<ClientNetwork>,
    ) -> Result<MotionGrant, RealmError> {
        match self.ask(Command::GrantMotion { name, claims: Box::new(claims), network }).await? {
            CommandAnswer::MotionGrant(grant) => Ok(*grant),
            CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
            _ => Err(RealmError::NoSuchScene),
        }
    }

    /// Checks a scene's lock and people limit for a holder of these claims, apart from their rights.
    ///
    /// # Errors
    /// [`RealmError::Refused`] with the reason.
    pub async fn check_admission(
        &self,
        name: SceneName,
        claims: Claims,
        network: Option<ClientNetwork>,
    ) -> Result<(), RealmError> {
        self.done(Command::CheckAdmission { name, claims: Box::new(claims), network }).await
    }

    /// The bearers in a scene that have not joined it, listening or about to join.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn listening(&self, name: SceneName) -> Result<Vec<UnjoinedListener>, RealmError> {
        match self.ask(Command::Listening { name }).await? {
            CommandAnswer::Listening(listening) => Ok(listening),
            _ => Ok(Vec::new()),
        }
    }

    /// The bearer in a scene under this idTag; `None` if the idTag is not in use there.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn bearer(&self, name: SceneName, id_tag: String) -> Result<Option<SceneBearer>, RealmError> {
        match self.ask(Command::WhoIs { name, id_tag }).await? {
            CommandAnswer::Bearer(bearer) => Ok(bearer.map(|bearer| *bearer)),
            _ => Ok(None),
        }
    }

    /// Ends a motion grant.
    ///
    /// # Errors
    /// [`RealmError::Ended`].
    pub async fn end_motion_grant(&self, motion_grant: MotionGrantId) -> Result<(), RealmError> {
        self.done(Command::EndMotionGrant { motion_grant }).await
    }

    async fn done(&self, command: Command) -> Result<(), RealmError> {
        done(self.ask(command).await?)
    }

    async fn ask(&self, command: Command) -> Result<CommandAnswer, RealmError> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(RealmRequest { command, answer }).await.map_err(|_| RealmError::Ended)?;
        answered.await.map_err(|_| RealmError::Ended)
    }
}

fn done(answer: CommandAnswer) -> Result<(), RealmError> {
    match answer {
        CommandAnswer::NoSuchScene => Err(RealmError::NoSuchScene),
        CommandAnswer::Refused(refused) => Err(RealmError::Refused(refused)),
        CommandAnswer::NotStored => Err(RealmError::NotStored),
        _ => Ok(()),
    }
}

/// Splits objects into pieces that the realm puts into a scene at once.
fn pieces(objects: Vec<StoredObject>) -> impl Iterator<Item = Vec<StoredObject>> {
    let mut left = objects.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut piece = vec![left.next()?];
        let mut bytes = piece[0].size_bytes();
        while piece.len() < limits::PUT_AT_ONCE_MAX
            && let Some(object) = left.next_if(|next| bytes + next.size_bytes() <= limits::PUT_AT_ONCE_BYTES_MAX)
        {
            bytes += object.size_bytes();
            piece.push(object);
        }
        Some(piece)
    })
}
