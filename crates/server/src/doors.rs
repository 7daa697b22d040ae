//! What ends by itself of who is let in and who is kept out.

use crate::app::App;
use crate::clock;
use crate::registrar::RegistrarError;

/// Takes invitations and bars out of the settings that have ended: whoever was in by one goes, whoever was kept out may come.
///
/// # Errors
/// [`RegistrarError`]; the rest is left for the next time.
pub(crate) async fn end_what_is_over(app: &App) -> Result<(), RegistrarError> {
    let now = clock::unix_now();
    for (name, settings, _) in app.realm.scenes().await? {
        if settings.has_ended(now) {
            app.registrar.change(name, move |old| old.without_ended(now)).await?;
        }
    }
    Ok(())
}
