//! What ends by itself of who is let in and who is kept out.

use crate::os::clock;
use crate::realm_task::{RealmError, RealmHandle};
use crate::scenes::registrar::Registrar;

/// Takes invitations and bars out of the settings that have ended: whoever was in by one goes, whoever was kept out may come.
///
/// # Errors
/// [`RealmError`]. A scene whose settings can't be changed is logged, and left for the next time.
pub(crate) async fn end_what_is_over(realm: &RealmHandle, registrar: &Registrar) -> Result<(), RealmError> {
    let now = clock::unix_now();
    for (name, settings, _) in realm.scenes().await? {
        if settings.has_ended(now)
            && let Err(error) = registrar.change(name.clone(), move |old| old.without_ended(now)).await
        {
            tracing::error!(scene = %name, %error, "what has ended of invitations and bars could not be removed");
        }
    }
    Ok(())
}
