//! Makes, changes and removes scenes. The store and the realm must agree on which there are and on their settings: one task writes both, one scene after
//! the other, and to the end even where the asker has gone away meanwhile.

use stoa_state::grant::{PUBLIC, SceneSettings};
use stoa_state::scene::StoredScene;
use stoa_wire::topic::SceneName;
use tokio::sync::{mpsc, oneshot};

use crate::files::{Files, FilesError};
use crate::identity::accounts;
use crate::identity::accounts::AccountError;
use crate::limits;
use crate::os::blocking::apart;
use crate::os::clock;
use crate::realm_task::{RealmError, RealmHandle};
use crate::scenes::transfer;
use crate::store::{Carried, FileRow, Import, Imported, Store, StoreError};

/// Asks the registrar's task.
#[derive(Clone, Debug)]
pub struct Registrar {
    orders: mpsc::Sender<Order>,
}

/// What is to be done, and where the answer goes.
#[derive(Debug)]
pub struct Order {
    name: SceneName,
    wish: Wish,
    answer: oneshot::Sender<Result<bool, RegistrarError>>,
}

/// What is to be done with a scene.
#[derive(Debug)]
pub(crate) enum Wish {
    /// See [`Registrar::make`].
    Make(SceneSettings),
    /// See [`Registrar::import`].
    Import(Box<Import>),
    /// See [`Registrar::change`].
    Change(Merge),
    /// See [`Registrar::rename`].
    Rename(SceneName),
    /// See [`Registrar::remove`].
    Remove,
}

/// What settings become, from what they are when it is done: of two that are asked for at once neither takes the other back.
pub(crate) struct Merge(Box<dyn FnOnce(SceneSettings) -> SceneSettings + Send>);

impl std::fmt::Debug for Merge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Merge")
    }
}

/// Where it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) store: &'a Store,
    pub(crate) files: &'a Files,
    /// None where no server runs on the folder.
    pub(crate) realm: Option<&'a RealmHandle>,
}

/// Why a scene is not as it was wished.
#[derive(Debug, thiserror::Error)]
pub enum RegistrarError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The realm.
    #[error(transparent)]
    Realm(#[from] RealmError),
    /// The file store.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// A file that is to be named has no content.
    #[error("the content of {0:?} is not in the file store")]
    NoContent(String),
    /// A file of that name holds something else.
    #[error("there is another file {0:?}: rename or remove it, or let the import replace it")]
    FileTaken(String),
    /// Files of another scene lie below its name.
    #[error(
        "the files below {folder} are those of a scene that was called {name} before: remove them, or choose another name"
    )]
    FilesOfAnother {
        /// What was wished.
        name: SceneName,
        /// Where they lie.
        folder: String,
    },
    /// A scene could not hold it.
    #[error("nothing was imported: {0}")]
    Unfit(String),
    /// The files would be more than an account may have.
    #[error(
        "the scene's files take {needed} bytes more, {count} files in all: {owner} has room for {left} bytes and {files_left} files"
    )]
    NoRoom {
        /// Whose files.
        owner: String,
        /// Bytes that would be added.
        needed: u64,
        /// Files that would be added.
        count: u64,
        /// Bytes that may be added.
        left: u64,
        /// Files that may be added.
        files_left: u64,
    },
    /// No account can have the namespace.
    #[error(transparent)]
    Name(#[from] AccountError),
    /// The namespace has all it may have.
    #[error("{namespace} has {max} scenes, which is all that one account may have: remove one first")]
    TooMany {
        /// Where one more was wished.
        namespace: String,
        /// How many it may have.
        max: u64,
    },
}

impl Registrar {
    /// A registrar, and what its task takes orders from.
    pub fn channel() -> (Registrar, mpsc::Receiver<Order>) {
        let (orders, taken) = mpsc::channel(limits::REQUESTS_QUEUED_MAX);
        (Registrar { orders }, taken)
    }

    /// Makes an empty scene; `false` where there is one of that name.
    ///
    /// # Errors
    /// [`RegistrarError`]; [`RegistrarError::TooMany`] past [`limits::SCENES_PER_ACCOUNT_MAX`].
    pub async fn make(&self, name: SceneName, settings: SceneSettings) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Make(settings)).await
    }

    /// Makes a scene with all that is carried into it, or nothing of it; `false` where there is one of that name that shall not give way. People in one
    /// that does are told that it has ended.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn import(&self, import: Import) -> Result<bool, RegistrarError> {
        self.ask(import.name.clone(), Wish::Import(Box::new(import))).await
    }

    /// Changes a scene's settings, from what they are then; `false` where there is none.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn change(
        &self,
        name: SceneName,
        merge: impl FnOnce(SceneSettings) -> SceneSettings + Send + 'static,
    ) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Change(Merge(Box::new(merge)))).await
    }

    /// The same, where the change tells what became of it: it may find that there is no room any more. `None` where there is no such scene.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn change_and_tell<T: Send + 'static>(
        &self,
        name: SceneName,
        change: impl FnOnce(&mut SceneSettings) -> T + Send + 'static,
    ) -> Result<Option<T>, RegistrarError> {
        let (tell, told) = oneshot::channel();
        let merge = move |mut old: SceneSettings| {
            // Who asked may be gone; it is done all the same.
            let _ = tell.send(change(&mut old));
            old
        };
        if self.change(name, merge).await? { Ok(told.await.ok()) } else { Ok(None) }
    }

    /// Gives a scene another name; who is in it comes again. `false` where there is none, or the other name is taken.
    ///
    /// # Errors
    /// [`RegistrarError`]; [`RegistrarError::TooMany`] as for [`Registrar::make`].
    pub async fn rename(&self, name: SceneName, to: SceneName) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Rename(to)).await
    }

    /// Removes a scene with all that is in it; `false` where there is none.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn remove(&self, name: SceneName) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Remove).await
    }

    /// Hands a wish in.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub(crate) async fn ask(&self, name: SceneName, wish: Wish) -> Result<bool, RegistrarError> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Order { name, wish, answer }).await.map_err(|_| RealmError::Ended)?;
        answered.await.map_err(|_| RealmError::Ended)?
    }
}

/// Carries orders out until nobody can give one any more.
pub(crate) async fn run((store, files): (Store, Files), realm: RealmHandle, mut orders: mpsc::Receiver<Order>) {
    while let Some(Order { name, wish, answer }) = orders.recv().await {
        let done = carry_out(Place { store: &store, files: &files, realm: Some(&realm) }, name, wish).await;
        // Who asked may be gone; it is done all the same.
        let _ = answer.send(done);
    }
}

/// Carries one out: the same rules beside a server and without one. `false` where there was nothing to be done, see [`Registrar`].
///
/// # Errors
/// [`RegistrarError`].
pub(crate) async fn carry_out(place: Place<'_>, name: SceneName, wish: Wish) -> Result<bool, RegistrarError> {
    let Place { store, realm, .. } = place;
    match wish {
        Wish::Make(settings) => {
            check_room(store, &name).await?;
            check_former(store, &name, None).await?;
            let settings = with_date(settings);
            let Some(epoch) = store.make_scene(&name, &settings).await? else { return Ok(false) };
            if let Some(realm) = realm {
                realm.open_scene((name, epoch), settings, StoredScene::default()).await?;
            }
        }
        Wish::Import(import) => return carry_in(place, import).await,
        Wish::Change(Merge(merge)) => {
            let Some(old) = store.scene(&name).await? else { return Ok(false) };
            let settings = merge(old);
            if !store.change_scene(&name, &settings).await? {
                return Ok(false);
            }
            if let Some(realm) = realm {
                realm.change_settings(name, settings).await?;
            }
        }
        Wish::Rename(to) => return carry_over(store, realm, (name, to)).await,
        Wish::Remove => {
            if !store.remove_scene(&name).await? {
                return Ok(false);
            }
            if let Some(realm) = realm {
                realm.close_scene(name).await?;
            }
        }
    }
    Ok(true)
}

/// The name changes in the store first: what is still on its way there under the old one finds the scene. What was acknowledged is never lost, and a rename
/// that the store refuses changes nothing.
async fn carry_over(
    store: &Store,
    realm: Option<&RealmHandle>,
    (name, to): (SceneName, SceneName),
) -> Result<bool, RegistrarError> {
    if to.namespace() != name.namespace() {
        check_room(store, &to).await?;
    }
    check_former(store, &to, Some(&name)).await?;
    let Some(epoch) = store.rename_scene(&name, &to).await? else { return Ok(false) };
    let Some(realm) = realm else { return Ok(true) };
    match realm.vacate_scene(name, to.clone()).await {
        // Whoever said what was not stored has been told.
        Ok(()) | Err(RealmError::NoSuchScene | RealmError::NotStored) => {}
        Err(error) => return Err(error.into()),
    }
    if let Some((settings, stored)) = store.load_scene(&to).await? {
        realm.open_scene((to, epoch), settings, stored).await?;
    }
    Ok(true)
}

async fn carry_in(Place { store, files, realm }: Place<'_>, import: Box<Import>) -> Result<bool, RegistrarError> {
    check_room(store, &import.name).await?;
    check_former(store, &import.name, None).await?;
    let (mut import, unfit) = apart(move || {
        let unfit = transfer::unfit(&import.carried.objects);
        (import, unfit)
    })
    .await;
    if let Some(first) = unfit.into_iter().next() {
        return Err(RegistrarError::Unfit(first));
    }
    import.carried.settings = with_short_summary(with_date(import.carried.settings)).without_people();
    let Some(imported) = import_into(store, files, &import).await? else { return Ok(false) };
    let Some(realm) = realm else { return Ok(true) };
    let Import { name, carried: Carried { settings, objects, .. }, .. } = *import;
    match realm.close_scene(name.clone()).await {
        Ok(()) | Err(RealmError::NoSuchScene) => {}
        Err(error) => return Err(error.into()),
    }
    let stored = StoredScene { revision: imported.stored_revision, objects };
    realm.open_scene((name, imported.epoch), settings, stored).await?;
    Ok(true)
}

/// A scene that comes from elsewhere has its own.
fn with_date(settings: SceneSettings) -> SceneSettings {
    SceneSettings { created: settings.created.or_else(|| Some(clock::unix_now())), ..settings }
}

/// Whoever wrote it elsewhere had other rules, perhaps: its beginning says what the scene is.
fn with_short_summary(mut settings: SceneSettings) -> SceneSettings {
    if let Some(summary) = &mut settings.summary {
        summary.truncate(summary.floor_char_boundary(limits::SUMMARY_BYTES_MAX));
    }
    settings
}

/// Only the realm's owner makes scenes in `public`: there, nobody has to be kept from others' memory.
async fn check_room(store: &Store, name: &SceneName) -> Result<(), RegistrarError> {
    let max = limits::SCENES_PER_ACCOUNT_MAX;
    if name.namespace() == PUBLIC || store.scene(name).await?.is_some() {
        return Ok(());
    }
    accounts::check_name_rules(name.namespace())?;
    if store.scenes_in(name.namespace()).await? < max {
        return Ok(());
    }
    Err(RegistrarError::TooMany { namespace: name.namespace().to_owned(), max })
}

/// What lies below a scene's former name is read by who may enter it: another of that name would open it to its own people, and close it to the others.
/// `own` is the scene that is to be called so.
async fn check_former(store: &Store, name: &SceneName, own: Option<&SceneName>) -> Result<(), RegistrarError> {
    if store.renamed(name).await?.is_none_or(|now| own == Some(&now)) {
        return Ok(());
    }
    let folder = format!("users/{}/scenes/{}/", name.namespace(), name.scene());
    if store.files_in(&folder).await?.is_empty() {
        return Ok(());
    }
    Err(RegistrarError::FilesOfAnother { name: name.clone(), folder })
}

/// Puts a carried scene into the store: all of it or nothing.
async fn import_into(store: &Store, files: &Files, import: &Import) -> Result<Option<Imported>, RegistrarError> {
    let _naming = files.naming().await;
    if import.author.is_some() {
        check_room_for(store, &import.carried.files).await?;
    }
    for file in &import.carried.files {
        if files.read(&file.hash, Some(object_store::GetRange::Bounded(0..1))).await.is_err() {
            return Err(RegistrarError::NoContent(file.path.clone()));
        }
        let present = store.file(&file.path).await?;
        if !import.replace && present.is_some_and(|present| present.hash != file.hash) {
            return Err(RegistrarError::FileTaken(file.path.clone()));
        }
    }
    let Some(imported) = store.import_scene(import).await? else { return Ok(None) };
    for orphan in &imported.orphans {
        files.forget(orphan).await?;
    }
    Ok(Some(imported))
}

/// Whether an account has room for these files besides its own; all are one account's. The operator has whatever the disk has.
///
/// # Errors
/// [`RegistrarError::NoRoom`].
pub(crate) async fn check_room_for(store: &Store, files: &[FileRow]) -> Result<(), RegistrarError> {
    let Some(owner) = files.first().map(|file| file.owner.clone()) else { return Ok(()) };
    let used = store.files_of(&owner).await?;
    let (mut needed, mut count) = (0, 0);
    for file in files {
        if store.file(&file.path).await?.is_none() {
            (needed, count) = (needed + file.size_bytes, count + 1);
        }
    }
    let left = limits::FILES_BYTES_PER_ACCOUNT_MAX.saturating_sub(used.bytes);
    let files_left = limits::FILES_PER_ACCOUNT_MAX.saturating_sub(used.files);
    if needed <= left && count <= files_left {
        return Ok(());
    }
    Err(RegistrarError::NoRoom { owner, needed, count, left, files_left })
}

/// Removes contents that were put there for a scene that was not made, unless they have got a name meanwhile.
///
/// # Errors
/// [`RegistrarError`].
pub(crate) async fn take_back(store: &Store, files: &Files, hashes: Vec<String>) -> Result<(), RegistrarError> {
    let _naming = files.naming().await;
    let unnamed = store.unnamed(hashes).await?;
    Ok(transfer::take_back(files, unnamed).await?)
}
