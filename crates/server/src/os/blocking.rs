//! Runs long work on a thread for blocking work, such as verifying a token or parsing a whole scene's records.

/// Runs `work` on a thread for blocking work and awaits its result. Meanwhile the realm and the other tasks of the
/// caller's thread continue.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("does not panic, and is never aborted")
}
