//! Writes answers to `getPersist` on a blocking thread. A large scene takes longer than a round of the realm's task.

use std::collections::VecDeque;

use stoa_state::realm::{RecordsJson, RecordsSerializationJob};
use tokio::task::JoinSet;

use crate::limits;
use crate::os::blocking::apart;

/// Waiting jobs and those being written. The realm has at most one for each scene and type of object.
#[derive(Default)]
pub(super) struct RecordsJsonSerializer {
    waiting: VecDeque<RecordsSerializationJob>,
    under_way: JoinSet<RecordsJson>,
}

impl RecordsJsonSerializer {
    /// Starts a job, or queues it.
    pub(super) fn begin(&mut self, job: RecordsSerializationJob) {
        self.waiting.push_back(job);
        self.go_on();
    }

    /// The next written records; pending while none are being written.
    pub(super) async fn next(&mut self) -> RecordsJson {
        match self.under_way.join_next().await {
            Some(Ok(written)) => {
                self.go_on();
                written
            }
            Some(Err(ended)) => std::panic::resume_unwind(ended.into_panic()),
            None => std::future::pending().await,
        }
    }

    fn go_on(&mut self) {
        while self.under_way.len() < limits::RECORDS_WRITING_MAX
            && let Some(job) = self.waiting.pop_front()
        {
            self.under_way.spawn(apart(move || job.write()));
        }
    }
}
