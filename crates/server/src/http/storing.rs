//! Charges accounts for the bytes that their requests store in the database, as messages are charged.

use axum::http::StatusCode;
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;

use super::{Problem, RouteState};
use crate::limits;
use crate::realm_task::RealmError;

impl RouteState {
    /// Charges an account for bytes of a scene, before they are stored.
    ///
    /// # Errors
    /// 429 above the account's rate or share, 507 if the database has no space for it.
    pub(super) async fn charge_stored(&self, name: &SceneName, account: &str, bytes: usize) -> Result<(), Problem> {
        match self.app.realm.charge_stored(name.clone(), account.to_owned(), bytes).await {
            Ok(()) => Ok(()),
            Err(RealmError::Refused(refused)) if refused.reason == Reason::NotStored => {
                Err(Problem::new(StatusCode::INSUFFICIENT_STORAGE, refused.to_string()))
            }
            Err(RealmError::Refused(refused)) => Err(Problem::too_many(refused.to_string(), limits::PLACE_RETRY)),
            Err(error) => Err(error.into()),
        }
    }

    /// Charges an account for a scene's settings, which are written as a whole. Errors as of
    /// [`RouteState::charge_stored`].
    pub(super) async fn charge_settings(
        &self,
        name: &SceneName,
        account: &str,
        settings: &SceneSettings,
    ) -> Result<(), Problem> {
        let bytes = serde_json::to_vec(settings).map_or(0, |text| text.len());
        self.charge_stored(name, account, bytes).await
    }
}

/// Bytes of the objects of a new scene, each with its log entry.
pub(super) fn bytes_of_objects(objects: &[StoredObject]) -> usize {
    objects.iter().map(|object| 2 * object.size_bytes()).sum()
}
