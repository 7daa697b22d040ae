//! How everything that runs learns that it must end.

use tokio::sync::watch;

/// Ends what holds a [`Shutdown`] of it; so does dropping it.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// Awaited by whatever must end in good order. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// A trigger, and what it triggers.
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    /// Begins the end.
    pub fn pull(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Returns once the trigger has been pulled.
    pub async fn wait(&mut self) {
        // An error means that the trigger is gone: the end as well.
        let _ = self.0.wait_for(|pulled| *pulled).await;
    }
}
