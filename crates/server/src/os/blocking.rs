//! Runs work that takes a while on a thread for blocking work: the records of a whole scene, the bytes of a file.

/// Runs `work` there and awaits its result. The realm and the tasks that share the caller's thread go on meanwhile.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("does not panic, and is never aborted")
}
