//! Signals the end to all tasks of a server.

use tokio::sync::watch;

/// Starts the shutdown when pulled or dropped: all clones of its [`ShutdownSignal`] then return from their wait.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// Awaited by each task that must end in good order. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ShutdownSignal(watch::Receiver<bool>);

/// A trigger and its signal.
pub fn channel() -> (ShutdownTrigger, ShutdownSignal) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), ShutdownSignal(receiver))
}

impl ShutdownTrigger {
    /// Starts the shutdown.
    pub fn pull(&self) {
        self.0.send_replace(true);
    }
}

impl ShutdownSignal {
    /// Returns once the trigger has been pulled.
    pub async fn wait(&mut self) {
        // An error means that the trigger was dropped, which starts it as well.
        let _ = self.0.wait_for(|pulled| *pulled).await;
    }
}
