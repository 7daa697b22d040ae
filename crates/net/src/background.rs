//! Threads of low priority for long computations: parsing long JSON, TLS handshakes, hashes of passwords, signatures,
//! and snapshots. On a busy core the realm's threads get most of the time, and computations mostly use the rest. Payers
//! take turns, and networks of one IPv6 /48 share a turn, so frequent requests delay their own network most.

use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use rustix::process::setpriority_process;
use stoa_state::network::{ClientNetwork, NetworkPrefix};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};

mod turns;

use turns::TurnQueue;

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

    /// The groups in which the payer takes turns, widest first: networks of one /48 share a turn among all, and those
    /// of one /56 a turn within it.
    fn turn_groups(&self) -> Vec<TurnGroup> {
        match self {
            ComputationPayer::Network(network) => {
                let mut prefixes: Vec<_> = network.circles().map(|(prefix, _)| TurnGroup::Prefix(prefix)).collect();
                prefixes.reverse();
                prefixes
            }
            ComputationPayer::Name(name) => vec![TurnGroup::Name(name.clone())],
        }
    }
}

/// A group of payers that share a turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TurnGroup {
    Prefix(NetworkPrefix),
    Name(String),
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

#[derive(Default)]
struct JobQueue {
    jobs: TurnQueue<Job>,
    is_ended: bool,
}

impl std::fmt::Debug for JobQueue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JobQueue").field("is_ended", &self.is_ended).finish_non_exhaustive()
    }
}

/// Removes a job whose caller is cancelled before the job's turn.
struct JobCancellation<'a> {
    queue: &'a SharedJobQueue,
    group: Vec<TurnGroup>,
    number: u64,
}

impl Drop for JobCancellation<'_> {
    fn drop(&mut self) {
        let removed = self.queue.lock().jobs.remove(&self.group, self.number);
        // Not under the lock: the job may own a socket.
        drop(removed);
    }
}

/// Wakes the task that waits for a future's progress.
#[derive(Debug, Default)]
struct ProgressWaker(Notify);

impl Wake for ProgressWaker {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
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
            if let Some(job) = jobs.jobs.pop() {
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
        let job: Job = Box::new(move || {
            let _cancelled_meanwhile = sender.send(catch_unwind(AssertUnwindSafe(work)));
        });
        let (queue, group) = (&*self.0.0, payer.turn_groups());
        let number = queue.lock().jobs.push(&group, job);
        queue.changed.notify_one();
        let _cancellation = JobCancellation { queue, group, number };
        match result.await.expect("a thread runs each job of a waiting caller") {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Runs a future whose polls compute for long. Each poll is a job of the payer. It ends when the future waits, or
    /// when it used up the budget that the runtime gives each poll of a task.
    pub async fn drive<F>(&self, payer: ComputationPayer, future: F) -> F::Output
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let progress = Arc::new(ProgressWaker::default());
        let mut future = Box::pin(future);
        let runtime = Handle::current();
        loop {
            let waker = Waker::from(Arc::clone(&progress));
            let in_runtime = runtime.clone();
            let polling = self.run(payer.clone(), move || {
                let mut poll_once = || future.as_mut().poll(&mut Context::from_waker(&waker));
                // Outside the runtime a poll has no budget: a client that always sends would keep the thread.
                let poll = in_runtime.block_on(poll_fn(|_| Poll::Ready(poll_once())));
                (future, poll)
            });
            let (pending, poll) = polling.await;
            if let Poll::Ready(output) = poll {
                return output;
            }
            future = pending;
            progress.0.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::Poll;

    use super::*;

    fn payer(name: &str) -> ComputationPayer {
        ComputationPayer::of(None, name)
    }

    #[test]
    fn jobs_are_charged_to_an_address_or_behind_a_proxy_to_a_name() {
        let network = |address: &str| Some(ClientNetwork::from(address.parse::<std::net::IpAddr>().unwrap()));
        let of = |address, name| ComputationPayer::of(network(address), name);
        assert_eq!(of("192.0.2.1", "alice"), of("192.0.2.1", "bob"));
        assert_ne!(of("192.0.2.1", "alice"), of("192.0.2.2", "alice"));
        assert_ne!(of("127.0.0.1", "alice"), of("127.0.0.1", "bob"));
    }

    #[test]
    fn networks_of_one_48_share_a_turn() {
        let groups = |address: &str| {
            let network = ClientNetwork::from(address.parse::<std::net::IpAddr>().unwrap());
            ComputationPayer::of(Some(network), "").turn_groups()
        };
        let mut queue = TurnQueue::default();
        for address in ["2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:1::1", "192.0.2.1"] {
            queue.push(&groups(address), address);
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order[..3], ["2001:db8:0:1::1", "2001:db8:1::1", "192.0.2.1"]);
    }

    #[tokio::test]
    async fn a_driven_future_is_polled_at_low_priority_until_it_is_ready() {
        let threads = BackgroundThreads::start(1).unwrap();
        let (sender, receiver) = oneshot::channel::<i32>();
        let driven = threads.drive(payer("alice"), async move {
            let sent = receiver.await.unwrap();
            (sent, rustix::process::getpriority_process(None).unwrap())
        });
        let sending = async {
            threads.run(payer("bob"), || ()).await;
            sender.send(7).unwrap();
        };
        assert_eq!(tokio::join!(driven, sending).0, (7, LOW_PRIORITY));
    }

    #[tokio::test]
    async fn a_future_that_never_waits_leaves_the_thread_to_other_payers() {
        let threads = BackgroundThreads::start(1).unwrap();
        let endless = threads.drive(payer("alice"), async {
            let permits = tokio::sync::Semaphore::new(1);
            loop {
                drop(permits.acquire().await);
            }
        });
        let computed = tokio::select! {
            () = endless => unreachable!("it never ends"),
            computed = async {
                tokio::task::yield_now().await;
                threads.run(payer("bob"), || 42).await
            } => computed,
        };
        assert_eq!(computed, 42);
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
