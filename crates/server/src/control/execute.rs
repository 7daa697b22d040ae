//! Executes control commands, in a running server or on an idle folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
use stoa_state::realm::StoreWrite;
use stoa_wire::topic::SceneName;

use super::request::{ControlCommandOutput, ControlRefusal, ControlRequest};
use crate::app::App;
use crate::control::backup::{self, BackupSource};
use crate::files::{ContentStore, ContentStoreError};
use crate::identity::accounts::hashing::PasswordHasher;
use crate::identity::accounts::{self, NewAccount};
use crate::identity::tokens::TokenAuthority;
use crate::os::clock;
use crate::realm_task::RealmCommandClient;
use crate::scenes::registrar::{self, SceneOperation, SceneOperationContext, SceneRegistrar};
use crate::scenes::transfer::files_of;
use crate::store::{SceneContents, SceneImport, Store};
use stoa_net::background::BackgroundThreads;

/// A data folder, with its running realm if there is one.
pub(crate) struct ControlTarget {
    data: PathBuf,
    store: Store,
    files: ContentStore,
    live: Option<LiveRealm>,
}

struct LiveRealm {
    realm: RealmCommandClient,
    registrar: SceneRegistrar,
    keys: Arc<TokenAuthority>,
    hashing: PasswordHasher,
}

impl ControlTarget {
    /// The folder of a running server.
    pub(crate) fn of_server(app: &App) -> ControlTarget {
        let (realm, registrar, keys) = (app.realm.clone(), app.registrar.clone(), Arc::clone(&app.keys));
        let (data, files, hashing) = (app.config.data.clone(), app.files.clone(), app.hashing.clone());
        ControlTarget {
            data,
            store: app.store.clone(),
            files,
            live: Some(LiveRealm { realm, registrar, keys, hashing }),
        }
    }

    /// A folder whose lock the caller holds.
    ///
    /// # Errors
    /// [`ContentStoreError`].
    pub(crate) fn idle(data_dir: &Path, store: Store) -> Result<ControlTarget, ContentStoreError> {
        Ok(ControlTarget { data: data_dir.to_owned(), store, files: ContentStore::open_beside(data_dir)?, live: None })
    }

    fn hashing(&self) -> Result<PasswordHasher, ControlRefusal> {
        match &self.live {
            Some(live) => Ok(live.hashing.clone()),
            None => Ok(PasswordHasher::new(BackgroundThreads::start(1).map_err(refusal)?)),
        }
    }
}

/// Executes one command.
///
/// # Errors
/// [`ControlRefusal`] with the reason, for the person who typed the command.
pub(crate) async fn execute(
    folder: &ControlTarget,
    request: ControlRequest,
) -> Result<ControlCommandOutput, ControlRefusal> {
    let store = &folder.store;
    match request {
        ControlRequest::UserAdd { name, password, owner } => {
            let account = NewAccount { name, password, realm_owner: owner };
            accounts::add(store, &folder.hashing()?, account).await.map_err(refusal)?;
            Ok(ControlCommandOutput::Done)
        }
        ControlRequest::UserList => {
            let accounts = store.accounts().await.map_err(refusal)?;
            Ok(ControlCommandOutput::Users(
                accounts.into_iter().map(|account| (account.name, account.realm_owner)).collect(),
            ))
        }
        ControlRequest::UserPasswd { name, password } => {
            accounts::set_password(store, &folder.hashing()?, &name, password).await.map_err(refusal)?;
            end_account(folder, name).await
        }
        ControlRequest::UserRemove { name } => {
            accounts::remove(store, &name).await.map_err(refusal)?;
            end_account(folder, name).await
        }
        ControlRequest::SceneList => list_scenes(folder).await,
        ControlRequest::SceneCreate { name, settings } => {
            let made = register(folder, &name, SceneOperation::Make(settings)).await?;
            if made {
                Ok(ControlCommandOutput::Done)
            } else {
                Err(ControlRefusal(format!("scene {name} already exists")))
            }
        }
        ControlRequest::SceneRemove { name } => {
            let removed = register(folder, &name, SceneOperation::Remove).await?;
            if removed {
                Ok(ControlCommandOutput::Done)
            } else {
                Err(ControlRefusal(format!("there is no scene {name}")))
            }
        }
        ControlRequest::SceneExport { name } => Ok(ControlCommandOutput::Scene(Box::new(export(folder, &name).await?))),
        ControlRequest::SceneImport { import } => import_scene(folder, *import).await,
        ControlRequest::ContentsTakeBack { hashes } => {
            registrar::take_back(store, &folder.files, hashes).await.map_err(refusal)?;
            Ok(ControlCommandOutput::Done)
        }
        ControlRequest::SceneClone { from, to } => {
            let carried = export(folder, &from).await?;
            // The files are shared: both scenes refer to them.
            let carried = SceneContents { files: Vec::new(), ..carried };
            import_scene(folder, SceneImport { name: to, carried, replace: false, author: None }).await
        }
        ControlRequest::Backup { to } => {
            let source = BackupSource { data: &folder.data, store, files: &folder.files };
            Ok(ControlCommandOutput::BackedUp(backup::take(&source, &to).await.map_err(refusal)?))
        }
        ControlRequest::TokenRecord { claims } => {
            store.record_token(&claims).await.map_err(refusal)?;
            Ok(ControlCommandOutput::Done)
        }
        ControlRequest::TokenRevoke { jti } => {
            revoke(folder, jti).await?;
            Ok(ControlCommandOutput::Done)
        }
    }
}

async fn list_scenes(folder: &ControlTarget) -> Result<ControlCommandOutput, ControlRefusal> {
    let people: Option<BTreeMap<_, _>> = match &folder.live {
        Some(live) => Some(live.realm.people().await.map_err(refusal)?.into_iter().collect()),
        None => None,
    };
    let scenes = folder.store.scenes().await.map_err(refusal)?;
    let counted = scenes.into_iter().map(|(name, settings)| {
        let here = people.as_ref().map(|people| people.get(&name).copied().unwrap_or(0));
        (name, settings, here)
    });
    Ok(ControlCommandOutput::Scenes(counted.collect()))
}

async fn export(folder: &ControlTarget, name: &SceneName) -> Result<SceneContents, ControlRefusal> {
    let found = folder.store.load_scene(name).await.map_err(refusal)?;
    let (settings, stored) = found.ok_or_else(|| ControlRefusal(format!("there is no scene {name}")))?;
    let mut files = Vec::new();
    for path in files_of(&stored.objects) {
        files.extend(folder.store.file(&path).await.map_err(refusal)?);
    }
    Ok(SceneContents { settings, objects: stored.objects, files })
}

async fn import_scene(folder: &ControlTarget, import: SceneImport) -> Result<ControlCommandOutput, ControlRefusal> {
    let name = import.name.clone();
    let made = register(folder, &name, SceneOperation::Import(Box::new(import))).await?;
    if made { Ok(ControlCommandOutput::Done) } else { Err(ControlRefusal(format!("scene {name} already exists"))) }
}

async fn register(folder: &ControlTarget, name: &SceneName, operation: SceneOperation) -> Result<bool, ControlRefusal> {
    let done = match &folder.live {
        Some(live) => live.registrar.ask(name.clone(), operation).await,
        None => {
            let idle = SceneOperationContext { store: &folder.store, files: &folder.files, realm: None };
            registrar::carry_out(idle, name.clone(), operation).await
        }
    };
    done.map_err(refusal)
}

/// Revokes an account's tokens, also those for sign-ins and uploads, and ends its sessions with their queued
/// messages. A route that issues a token checks its caller again after recording the token, so none escapes.
pub(crate) async fn end_account(folder: &ControlTarget, name: String) -> Result<ControlCommandOutput, ControlRefusal> {
    let jtis = folder.store.revoke_tokens_of(&name, clock::unix_now()).await.map_err(refusal)?;
    match &folder.live {
        Some(live) => {
            for jti in jtis {
                live.keys.revoke(jti);
            }
            live.realm.end_account(name).await.map_err(refusal)?;
        }
        None => {
            let kept = folder.store.load_broker().await.map_err(refusal)?;
            let of_account = kept.sessions.into_iter().filter(|session| session.name.subject == name);
            let ended = of_account.map(|session| {
                let (session, write) = (Arc::new(session.name), SessionWrite::Ended);
                StoreWrite::Broker(BrokerWrite::Session { session, write })
            });
            folder.store.append(ended.collect()).await.map_err(refusal)?;
        }
    }
    Ok(ControlCommandOutput::Done)
}

async fn revoke(folder: &ControlTarget, jti: String) -> Result<(), ControlRefusal> {
    folder.store.revoke_token(&jti).await.map_err(refusal)?;
    if let Some(live) = &folder.live {
        live.keys.revoke(jti.clone());
        live.realm.revoke(jti).await.map_err(refusal)?;
    }
    Ok(())
}

fn refusal(error: impl std::fmt::Display) -> ControlRefusal {
    ControlRefusal(error.to_string())
}

#[cfg(test)]
mod tests {
    use stoa_state::grant::SceneSettings;
    use stoa_state::mqtt::stored::SessionKey;

    use super::*;
    use crate::limits;
    use crate::store::FileRow;

    #[tokio::test]
    async fn scene_creation_in_an_idle_data_folder_follows_the_servers_rules() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let folder = ControlTarget::idle(dir.path(), store.clone()).unwrap();
        let create = async |name: String| {
            let settings = SceneSettings::default();
            execute(&folder, ControlRequest::SceneCreate { name: name.parse().unwrap(), settings }).await
        };
        for number in 0..limits::SCENES_PER_ACCOUNT_MAX {
            create(format!("alice/{number}")).await.unwrap();
        }
        assert!(create("alice/one-more".into()).await.unwrap_err().0.contains("256 scenes"));
        assert!(create("api/v1".into()).await.unwrap_err().0.contains("reserved"));
        create("public/hall".into()).await.expect("negative control: nobody's namespace");
        let hall = store.scene(&"public/hall".parse().unwrap()).await.unwrap().unwrap();
        assert!(hall.created.is_some(), "every way to make a scene notes when");
    }

    #[tokio::test]
    async fn discarding_a_failed_imports_contents_keeps_those_with_a_file_name() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let folder = ControlTarget::idle(dir.path(), store.clone()).unwrap();
        let mut hashes = Vec::new();
        for content in ["named", "nobody's"] {
            let mut incoming = folder.files.receive().await.unwrap();
            incoming.take(&content.into()).await.unwrap();
            hashes.push(folder.files.keep(incoming.finish().await.unwrap()).await.unwrap().hash);
        }
        let file = FileRow {
            path: "users/alice/duck.bin".into(),
            hash: hashes[0].clone(),
            size_bytes: 5,
            content_type: String::new(),
            owner: "alice".into(),
        };
        store.put_file(&file).await.unwrap();
        execute(&folder, ControlRequest::ContentsTakeBack { hashes: hashes.clone() }).await.unwrap();
        assert!(folder.files.read(&hashes[0], None).await.is_ok());
        assert!(folder.files.read(&hashes[1], None).await.is_err(), "negative control");
    }

    #[tokio::test]
    async fn removing_an_account_deletes_its_mqtt_sessions() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let lasts = |subject: &str| {
            let session = SessionKey { subject: subject.into(), client_id: "client".into() };
            let write = SessionWrite::Lasts { expiry_s: 600, expires_at: None, is_identity: false };
            StoreWrite::Broker(BrokerWrite::Session { session: Arc::new(session), write })
        };
        store.append(vec![lasts("alice"), lasts("bob")]).await.unwrap();
        let folder = ControlTarget::idle(dir.path(), store.clone()).unwrap();
        for name in ["alice", "bob"] {
            let request = ControlRequest::UserAdd { name: name.into(), password: "correct horse".into(), owner: false };
            execute(&folder, request).await.unwrap();
        }
        execute(&folder, ControlRequest::UserRemove { name: "alice".into() }).await.unwrap();
        let left = store.load_broker().await.unwrap().sessions;
        assert_eq!(left.iter().map(|session| &*session.name.subject).collect::<Vec<_>>(), ["bob"]);
    }
}
