//! Ends a request from outside of its handler: its HTTP/2 stream is reset, or its HTTP/1 connection is closed. A
//! response that its client does not read waits in hyper, where its handler and body no longer run.
//!
//! A request that ends at the same moment may leave the abort to the next one on its HTTP/1 connection.

use std::sync::Arc;

use tokio::sync::Notify;

tokio::task_local! {
    static CURRENT: RequestAbort;
}

/// Ends one HTTP/2 stream or HTTP/1 connection. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestAbort(Arc<Notify>);

impl RequestAbort {
    /// The stream or connection that this task serves; `None` in other tasks.
    pub(crate) fn current() -> Option<RequestAbort> {
        CURRENT.try_with(RequestAbort::clone).ok()
    }

    /// Serves a stream or connection until it ends or is aborted. Returns whether it was aborted.
    pub(crate) async fn serve(self, served: impl Future) -> bool {
        let aborted = self.clone();
        tokio::select! {
            _ = CURRENT.scope(self, served) => false,
            () = aborted.0.notified() => true,
        }
    }

    /// Ends the stream or connection soon.
    pub(crate) fn abort(&self) {
        self.0.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test]
    async fn a_request_that_waits_is_aborted_from_its_own_task_or_another() {
        let own = async {
            RequestAbort::current().unwrap().abort();
            pending::<()>().await;
        };
        assert!(RequestAbort::default().serve(own).await);
        let abort = RequestAbort::default();
        abort.abort();
        assert!(abort.serve(pending::<()>()).await);
        assert!(!RequestAbort::default().serve(async {}).await);
        assert!(RequestAbort::current().is_none());
    }
}
