//! Removes expired invitations and restrictions.

use crate::os::clock;
use crate::realm_task::{RealmCommandClient, RealmError};
use crate::scenes::registrar::SceneRegistrar;

/// Removes expired invitations and restrictions from all scenes' settings. People who were admitted by an expired
/// invitation are disconnected. People who were removed may return once their restriction has expired.
///
/// # Errors
/// [`RealmError`]. A scene whose settings can't be changed is logged and retried in the next run.
pub(crate) async fn end_what_is_over(realm: &RealmCommandClient, registrar: &SceneRegistrar) -> Result<(), RealmError> {
    let now = clock::unix_now();
    for (name, settings, _) in realm.scenes().await? {
        if settings.has_ended(now)
            && let Err(error) = registrar.change(name.clone(), move |old| old.without_ended(now)).await
        {
            tracing::error!(scene = %name, %error, "expired invitations and restrictions could not be removed");
        }
    }
    Ok(())
}
