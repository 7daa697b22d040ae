//! One timer for deadlines that mostly are met: it is set anew when it has run out, and not for each of them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

#[derive(Debug, Default)]
pub(super) struct LazyDeadline(Option<Pin<Box<Sleep>>>);

impl LazyDeadline {
    /// Ready when it is `ends_by`, which is never earlier than it was before.
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
