//! Threads of low priority for long computations: parsing long JSON, hashes of passwords, signatures, and snapshots.
//! On a busy core the realm's threads get most of the time, and computations mostly use the rest. Payers take turns, so
//! frequent requests delay only their own payer.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::setpriority_process;
use stoa_state::network::ClientNetwork;
use tokio::sync::oneshot;

/// The nice value of the threads: a ninth of the processor time of a busy thread on the same core.
const LOW_PRIORITY: i32 = 10;

/// The payer of a computation: a client network, or a name if the network is this machine or unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComputationPayer {
    /// All clients of a network.
    Network(ClientNetwork),
    /// The account or other name of a client on this machine, behind a local proxy, or on an unknown network.
    Name(String),
}

impl ComputationPayer {
    /// The payer of a request from this network under this name.
    pub fn of(network: Option<ClientNetwork>, name: &str) -> ComputationPayer {
        match network.filter(|network| !network.is_here()) {
            Some(network) => ComputationPayer::Network(network),
            None => ComputationPayer::Name(name.to_owned()),
        }
    }
}

/// A pool of threads of low priority. Clones share it. The threads end with the last clone.
#[derive(Clone, Debug)]
pub struct BackgroundThreads(Arc<JobQueueCloser>);

/// Ends the queue when the last clone of [`BackgroundThreads`] is dropped.
#[derive(Debug)]
struct JobQueueCloser(Arc<SharedJobQueue>);

#[derive(Debug, Default)]
struct SharedJobQueue {
    jobs: Mutex<JobQueue>,
    changed: Condvar,
}

type Job = Box<dyn FnOnce() + Send>;

/// The jobs of each payer in their order. Payers take turns.
#[derive(Default)]
struct JobQueue {
    jobs: BTreeMap<ComputationPayer, VecDeque<Job>>,
    turns: VecDeque<ComputationPayer>,
    is_ended: bool,
}

impl std::fmt::Debug for JobQueue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JobQueue").field("turns", &self.turns).finish_non_exhaustive()
    }
}

impl JobQueue {
    fn push(&mut self, payer: ComputationPayer, job: Job) {
        let jobs = self.jobs.entry(payer.clone()).or_default();
        if jobs.is_empty() {
            self.turns.push_back(payer);
        }
        jobs.push_back(job);
    }

    fn pop(&mut self) -> Option<Job> {
        let payer = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&payer)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&payer);
        } else {
            self.turns.push_back(payer);
        }
        job
    }
}

impl SharedJobQueue {
    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs until the queue ends.
    fn work(&self) {
        // Linux applies the value to the calling thread, and every thread may lower its priority. Without it,
        // computations compete with the realm as equals.
        let _refused_by_a_sandbox = setpriority_process(None, LOW_PRIORITY);
        let mut jobs = self.lock();
        while !jobs.is_ended {
            if let Some(job) = jobs.pop() {
                drop(jobs);
                job();
                jobs = self.lock();
            } else {
                jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Drop for JobQueueCloser {
    fn drop(&mut self) {
        self.0.lock().is_ended = true;
        self.0.changed.notify_all();
    }
}

impl BackgroundThreads {
    /// Starts a pool of `threads` threads.
    ///
    /// # Errors
    /// The system starts no further thread.
    pub fn start(threads: usize) -> io::Result<BackgroundThreads> {
        let pool = BackgroundThreads(Arc::new(JobQueueCloser(Arc::default())));
        for number in 0..threads {
            let queue = Arc::clone(&pool.0.0);
            thread::Builder::new().name(format!("background-{number}")).spawn(move || queue.work())?;
        }
        Ok(pool)
    }

    /// Runs `work` when it is the payer's turn. If the caller is cancelled before that, the work is not done.
    pub async fn run<T: Send + 'static>(
        &self,
        payer: ComputationPayer,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        let (sender, result) = oneshot::channel();
        let job = move || {
            if !sender.is_closed() {
                let _cancelled_meanwhile = sender.send(catch_unwind(AssertUnwindSafe(work)));
            }
        };
        self.0.0.lock().push(payer, Box::new(job));
        self.0.0.changed.notify_one();
        match result.await.expect("a thread runs each job of a waiting caller") {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, poll_fn};
    use std::sync::mpsc;
    use std::task::Poll;

    use super::*;

    fn payer(name: &str) -> ComputationPayer {
        ComputationPayer::of(None, name)
    }

    #[test]
    fn background_jobs_of_different_payers_take_turns() {
        let (sender, order) = mpsc::channel();
        let mut queue = JobQueue::default();
        for name in ["greedy", "greedy", "greedy", "alice", "bob", "alice"] {
            let sender = sender.clone();
            queue.push(payer(name), Box::new(move || sender.send(name).unwrap()));
        }
        while let Some(job) = queue.pop() {
            job();
        }
        drop(sender);
        assert_eq!(order.iter().collect::<Vec<_>>(), ["greedy", "alice", "bob", "greedy", "alice", "greedy"]);
        assert!(queue.jobs.is_empty() && queue.turns.is_empty());
    }

    #[test]
    fn jobs_are_charged_to_an_address_or_behind_a_proxy_to_a_name() {
        let network = |address: &str| Some(ClientNetwork::from(address.parse::<std::net::IpAddr>().unwrap()));
        let of = |address, name| ComputationPayer::of(network(address), name);
        assert_eq!(of("192.0.2.1", "alice"), of("192.0.2.1", "bob"));
        assert_ne!(of("192.0.2.1", "alice"), of("192.0.2.2", "alice"));
        assert_ne!(of("127.0.0.1", "alice"), of("127.0.0.1", "bob"));
    }

    #[tokio::test]
    async fn threads_compute_at_low_priority_and_return_results() {
        let threads = BackgroundThreads::start(1).unwrap();
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        assert_eq!(threads.run(payer("alice"), priority).await, LOW_PRIORITY);
        assert_eq!(priority(), before, "the caller's remains");
        assert_eq!(threads.run(payer("alice"), || 6 * 7).await, 42);
    }

    #[tokio::test]
    async fn a_panic_reaches_its_caller_and_the_thread_goes_on() {
        let threads = BackgroundThreads::start(1).unwrap();
        let asking = threads.clone();
        let failed = tokio::spawn(async move { asking.run(payer("alice"), || panic!("on purpose")).await });
        assert!(failed.await.unwrap_err().is_panic());
        assert_eq!(threads.run(payer("alice"), || 1).await, 1);
    }

    #[tokio::test]
    async fn work_of_a_cancelled_caller_is_not_done() {
        let threads = BackgroundThreads::start(1).unwrap();
        let (go, wait) = mpsc::channel::<()>();
        let (done, outcome) = mpsc::channel::<()>();
        let mut first = Box::pin(threads.run(payer("alice"), move || wait.recv().is_err()));
        let mut cancelled = Box::pin(threads.run(payer("alice"), move || drop(done)));
        let are_pending = poll_fn(|context| {
            Poll::Ready([first.as_mut().poll(context).is_pending(), cancelled.as_mut().poll(context).is_pending()])
        });
        assert_eq!(are_pending.await, [true, true]);
        drop(cancelled);
        drop(go);
        assert!(first.await, "the first one was waiting");
        threads.run(payer("alice"), || ()).await;
        assert_eq!(outcome.try_recv(), Err(mpsc::TryRecvError::Disconnected), "its work was dropped");
    }
}
