//! Creates, imports, changes, renames and removes scenes. The store and the realm must agree on the scenes and their
//! settings, so one task writes both, one operation after the other. An operation is completed even if its caller has
//! gone.

use stoa_state::grant::{PUBLIC, SceneSettings};
use stoa_state::scene::StoredScene;
use stoa_wire::topic::SceneName;
use tokio::sync::{mpsc, oneshot};

use crate::files::{ContentStore, ContentStoreError};
use crate::identity::accounts;
use crate::identity::accounts::AccountError;
use crate::limits;
use crate::os::blocking::apart;
use crate::os::clock;
use crate::realm_task::{RealmCommandClient, RealmError};
use crate::scenes::transfer;
use crate::store::{CompletedSceneImport, FileRow, SceneContents, SceneImport, Store, StoreError};

/// A handle to the registrar's task.
#[derive(Clone, Debug)]
pub struct SceneRegistrar {
    requests: mpsc::Sender<RegistrarRequest>,
}

/// An operation and the channel for its result.
#[derive(Debug)]
pub struct RegistrarRequest {
    name: SceneName,
    operation: SceneOperation,
    answer: oneshot::Sender<Result<bool, RegistrarError>>,
}

/// An operation on a scene.
#[derive(Debug)]
pub(crate) enum SceneOperation {
    /// See [`SceneRegistrar::make`].
    Make(SceneSettings),
    /// See [`SceneRegistrar::import`].
    Import(Box<SceneImport>),
    /// See [`SceneRegistrar::change`].
    Change(SettingsUpdateFn),
    /// See [`SceneRegistrar::rename`].
    Rename(SceneName),
    /// See [`SceneRegistrar::remove`].
    Remove,
}

/// A function from a scene's current settings to the new ones. Of two concurrent changes neither undoes the other.
pub(crate) struct SettingsUpdateFn(Box<dyn FnOnce(SceneSettings) -> SceneSettings + Send>);

impl std::fmt::Debug for SettingsUpdateFn {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Merge")
    }
}

/// The stores and the realm that an operation acts on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SceneOperationContext<'a> {
    pub(crate) store: &'a Store,
    pub(crate) files: &'a ContentStore,
    /// `None` if no server runs on the data folder.
    pub(crate) realm: Option<&'a RealmCommandClient>,
}

/// Reasons why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum RegistrarError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The realm refused the change or failed to store it, or the server is shutting down.
    #[error(transparent)]
    Realm(#[from] RealmError),
    /// The file store failed.
    #[error(transparent)]
    Files(#[from] ContentStoreError),
    /// The content of a file to be imported is missing.
    #[error("the content of {0:?} is not in the file store")]
    NoContent(String),
    /// A file of that name has another content, and the import doesn't replace it.
    #[error("another file is named {0:?}: rename or remove it, or let the import replace it")]
    FileTaken(String),
    /// The requested name is a renamed scene's former name, and files of that scene are still below it.
    #[error(
        "the files below {folder} are those of a scene that was called {name} before: remove them, or choose another name"
    )]
    FilesOfAnother {
        /// The requested name.
        name: SceneName,
        /// The folder of those files.
        folder: String,
    },
    /// A scene can't hold the objects; see [`transfer::unfit`].
    #[error("nothing was imported: {0}")]
    Unfit(String),
    /// The files would exceed an account's quota.
    #[error(
        "the scene's files take {needed} bytes more, {count} files in all: {owner} has room for {left} bytes and {files_left} files"
    )]
    NoRoom {
        /// The files' owner.
        owner: String,
        /// Bytes to be added.
        needed: u64,
        /// Files to be added.
        count: u64,
        /// Bytes left.
        left: u64,
        /// Files left.
        files_left: u64,
    },
    /// The namespace is not a valid account name.
    #[error(transparent)]
    Name(#[from] AccountError),
    /// The namespace has the maximum number of scenes.
    #[error("{namespace} has reached the limit of {max} scenes: delete one first")]
    TooMany {
        /// The namespace.
        namespace: String,
        /// The limit.
        max: u64,
    },
}

impl SceneRegistrar {
    /// A registrar and the receiver of its operations, for [`run`].
    pub fn channel() -> (SceneRegistrar, mpsc::Receiver<RegistrarRequest>) {
        let (requests, taken) = mpsc::channel(limits::REQUESTS_QUEUED_MAX);
        (SceneRegistrar { requests }, taken)
    }

    /// Creates an empty scene; `false` if the name is taken.
    ///
    /// # Errors
    /// [`RegistrarError`]; [`RegistrarError::TooMany`] past [`limits::SCENES_PER_ACCOUNT_MAX`].
    pub async fn make(&self, name: SceneName, settings: SceneSettings) -> Result<bool, RegistrarError> {
        self.ask(name, SceneOperation::Make(settings)).await
    }

    /// Creates a scene with all imported contents, or nothing. `false` if a scene of that name exists and the
    /// import doesn't replace it. A replaced scene is closed, and its people leave it.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn import(&self, import: SceneImport) -> Result<bool, RegistrarError> {
        self.ask(import.name.clone(), SceneOperation::Import(Box::new(import))).await
    }

    /// Changes a scene's settings from their value at that moment; `false` if the scene doesn't exist.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn change(
        &self,
        name: SceneName,
        merge: impl FnOnce(SceneSettings) -> SceneSettings + Send + 'static,
    ) -> Result<bool, RegistrarError> {
        self.ask(name, SceneOperation::Change(SettingsUpdateFn(Box::new(merge)))).await
    }

    /// Changes a scene's settings from their value at that moment, and returns the result of `change`, for example that
    /// a list is full. `None` if the scene doesn't exist.
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
            // The caller may have gone; the change is made all the same.
            let _ = tell.send(change(&mut old));
            old
        };
        if self.change(name, merge).await? { Ok(told.await.ok()) } else { Ok(None) }
    }

    /// Renames a scene; people in it reconnect. `false` if the scene doesn't exist or the new name is taken.
    ///
    /// # Errors
    /// [`RegistrarError`]; [`RegistrarError::TooMany`] as for [`SceneRegistrar::make`].
    pub async fn rename(&self, name: SceneName, to: SceneName) -> Result<bool, RegistrarError> {
        self.ask(name, SceneOperation::Rename(to)).await
    }

    /// Removes a scene with its objects and history; `false` if it doesn't exist. Its uploaded files are kept.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn remove(&self, name: SceneName) -> Result<bool, RegistrarError> {
        self.ask(name, SceneOperation::Remove).await
    }

    /// Sends an operation to the task and waits for its result.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub(crate) async fn ask(&self, name: SceneName, operation: SceneOperation) -> Result<bool, RegistrarError> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(RegistrarRequest { name, operation, answer }).await.map_err(|_| RealmError::Ended)?;
        answered.await.map_err(|_| RealmError::Ended)?
    }
}

/// Carries out operations until every [`SceneRegistrar`] is dropped.
pub(crate) async fn run(
    store: Store,
    files: ContentStore,
    realm: RealmCommandClient,
    mut requests: mpsc::Receiver<RegistrarRequest>,
) {
    while let Some(RegistrarRequest { name, operation, answer }) = requests.recv().await {
        let done =
            carry_out(SceneOperationContext { store: &store, files: &files, realm: Some(&realm) }, name, operation)
                .await;
        // The caller may have gone; the operation is done all the same.
        let _ = answer.send(done);
    }
}

/// Carries out one operation, by the same rules with and without a running server. `false` if it changed nothing, see
/// the methods of [`SceneRegistrar`].
///
/// # Errors
/// [`RegistrarError`].
pub(crate) async fn carry_out(
    context: SceneOperationContext<'_>,
    name: SceneName,
    operation: SceneOperation,
) -> Result<bool, RegistrarError> {
    let SceneOperationContext { store, realm, .. } = context;
    match operation {
        SceneOperation::Make(settings) => {
            check_room(store, &name).await?;
            check_former(store, &name, None).await?;
            let settings = with_date(settings);
            let Some(epoch) = store.make_scene(&name, &settings).await? else { return Ok(false) };
            if let Some(realm) = realm {
                realm.open_scene(name, epoch, settings, StoredScene::default()).await?;
            }
        }
        SceneOperation::Import(import) => return carry_in(context, import).await,
        SceneOperation::Change(SettingsUpdateFn(merge)) => {
            let Some(old) = store.scene(&name).await? else { return Ok(false) };
            let settings = merge(old);
            if !store.change_scene(&name, &settings).await? {
                return Ok(false);
            }
            if let Some(realm) = realm {
                realm.change_settings(name, settings).await?;
            }
        }
        SceneOperation::Rename(to) => return carry_over(store, realm, name, to).await,
        SceneOperation::Remove => {
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

/// Renames in the store first, so that changes still on their way under the old name find the scene. Acknowledged
/// changes are never lost, and a rename that the store refuses changes nothing.
async fn carry_over(
    store: &Store,
    realm: Option<&RealmCommandClient>,
    name: SceneName,
    to: SceneName,
) -> Result<bool, RegistrarError> {
    if to.namespace() != name.namespace() {
        check_room(store, &to).await?;
    }
    check_former(store, &to, Some(&name)).await?;
    let Some(epoch) = store.rename_scene(&name, &to).await? else { return Ok(false) };
    let Some(realm) = realm else { return Ok(true) };
    match realm.vacate_scene(name, to.clone()).await {
        // The realm has notified the authors of changes that were not stored.
        Ok(()) | Err(RealmError::NoSuchScene | RealmError::NotStored) => {}
        Err(error) => return Err(error.into()),
    }
    if let Some((settings, stored)) = store.load_scene(&to).await? {
        realm.open_scene(to, epoch, settings, stored).await?;
    }
    Ok(true)
}

async fn carry_in(
    SceneOperationContext { store, files, realm }: SceneOperationContext<'_>,
    import: Box<SceneImport>,
) -> Result<bool, RegistrarError> {
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
    let SceneImport { name, carried: SceneContents { settings, objects, .. }, .. } = *import;
    match realm.close_scene(name.clone()).await {
        Ok(()) | Err(RealmError::NoSuchScene) => {}
        Err(error) => return Err(error.into()),
    }
    let stored = StoredScene { revision: imported.stored_revision, objects };
    realm.open_scene(name, imported.epoch, settings, stored).await?;
    Ok(true)
}

/// Sets the creation date, unless an imported scene has one.
fn with_date(settings: SceneSettings) -> SceneSettings {
    SceneSettings { created: settings.created.or_else(|| Some(clock::unix_now())), ..settings }
}

/// Truncates the summary of an imported scene, which may have been written under another limit.
fn with_short_summary(mut settings: SceneSettings) -> SceneSettings {
    if let Some(summary) = &mut settings.summary {
        summary.truncate(summary.floor_char_boundary(limits::SUMMARY_BYTES_MAX));
    }
    settings
}

/// Checks that a namespace may have one more scene, unless a scene of that name exists. `public` has no limit, because
/// only realm owners make scenes there.
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

/// Refuses a renamed scene's former name while files are below it. The files follow the access rules of the scene with
/// that name, so a new scene would open them to its own people. `own` is the scene that gets the name: it may get its
/// former name back.
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

/// Checks the files of an import, puts the scene into the store, and removes contents that no file refers to any more.
async fn import_into(
    store: &Store,
    files: &ContentStore,
    import: &SceneImport,
) -> Result<Option<CompletedSceneImport>, RegistrarError> {
    let _naming = files.naming().await;
    if import.author.is_some() {
        check_disk_quota(store, &import.carried.files).await?;
    }
    for file in &import.carried.files {
        if !files.contains(&file.hash).await? {
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

/// Checks that an account's quota allows these files, which all have one owner. Files whose names exist already are not
/// counted. Not for the operator, who may use the whole disk.
///
/// # Errors
/// [`RegistrarError::NoRoom`].
pub(crate) async fn check_disk_quota(store: &Store, files: &[FileRow]) -> Result<(), RegistrarError> {
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

/// Removes contents that were stored for a scene that was not created, unless a file refers to them by now.
///
/// # Errors
/// [`RegistrarError`].
pub(crate) async fn take_back(store: &Store, files: &ContentStore, hashes: Vec<String>) -> Result<(), RegistrarError> {
    let _naming = files.naming().await;
    let unnamed = store.unnamed(hashes).await?;
    Ok(transfer::take_back(files, unnamed).await?)
}
