//! A timer for deadlines that are mostly met: it is reset when it fires, and not for each deadline.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

#[derive(Debug, Default)]
pub(super) struct LazyDeadline(Option<Pin<Box<Sleep>>>);

impl LazyDeadline {
    /// Ready at `ends_by`, which never moves backwards.
    pub(super) fn poll(&mut self, ends_by: Instant, context: &mut Context<'_>) -> Poll<()> {
        let timer = self.0.get_or_insert_with(|| Box::pin(sleep_until(ends_by)));
        loop {
            ready!(timer.as_mut().poll(context));
            if timer.deadline() >= ends_by {
                return Poll::Ready(());
            }
            timer.as_mut().reset(ends_by);
        }
    }
}
