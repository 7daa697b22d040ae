//! Makes, changes and removes scenes. The store and the realm must agree on which there are and on their settings: one task writes both, one scene after
//! the other, and to the end even where the asker has gone away meanwhile.

use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredScene;
use stoa_wire::topic::SceneName;
use tokio::sync::{mpsc, oneshot};

use crate::limits;
use crate::realm_task::{RealmError, RealmHandle};
use crate::store::{Store, StoreError};

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

#[derive(Debug)]
enum Wish {
    Make(SceneSettings),
    Change(SceneSettings),
    Remove,
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

    /// Changes a scene's settings; `false` where there is none.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn change(&self, name: SceneName, settings: SceneSettings) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Change(settings)).await
    }

    /// Removes a scene with all that is in it; `false` where there is none.
    ///
    /// # Errors
    /// [`RegistrarError`].
    pub async fn remove(&self, name: SceneName) -> Result<bool, RegistrarError> {
        self.ask(name, Wish::Remove).await
    }

    async fn ask(&self, name: SceneName, wish: Wish) -> Result<bool, RegistrarError> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Order { name, wish, answer }).await.map_err(|_| RealmError::Ended)?;
        answered.await.map_err(|_| RealmError::Ended)?
    }
}

/// Carries orders out until nobody can give one any more.
pub async fn run(store: Store, realm: RealmHandle, mut orders: mpsc::Receiver<Order>) {
    while let Some(Order { name, wish, answer }) = orders.recv().await {
        let done = carry_out(&store, &realm, (name, wish)).await;
        // Who asked may be gone; it is done all the same.
        let _ = answer.send(done);
    }
}

async fn carry_out(
    store: &Store,
    realm: &RealmHandle,
    (name, wish): (SceneName, Wish),
) -> Result<bool, RegistrarError> {
    match wish {
        Wish::Make(settings) => {
            check_room(store, &name).await?;
            let Some(epoch) = store.make_scene(&name, &settings).await? else { return Ok(false) };
            realm.open_scene((name, epoch), settings, StoredScene::default()).await?;
        }
        Wish::Change(settings) => {
            if !store.change_scene(&name, &settings).await? {
                return Ok(false);
            }
            realm.change_settings(name, settings).await?;
        }
        Wish::Remove => {
            if !store.remove_scene(&name).await? {
                return Ok(false);
            }
            realm.close_scene(name).await?;
        }
    }
    Ok(true)
}

/// Only the realm's owner makes scenes in `public`: there, nobody has to be kept from others' memory.
async fn check_room(store: &Store, name: &SceneName) -> Result<(), RegistrarError> {
    let max = limits::SCENES_PER_ACCOUNT_MAX;
    if name.namespace() == "public"
        || store.scene(name).await?.is_some()
        || store.scenes_in(name.namespace()).await? < max
    {
        return Ok(());
    }
    Err(RegistrarError::TooMany { namespace: name.namespace().to_owned(), max })
}
