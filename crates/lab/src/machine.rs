//! Describes the machine, reads processor time and memory, and pins threads to cores.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// The report's description of the machine.
pub(crate) fn describe() -> Value {
    let processors = read("/proc/cpuinfo");
    let model =
        processors.lines().find_map(|line| line.strip_prefix("model name").and_then(|rest| rest.split_once(": ")));
    let memory =
        read("/proc/meminfo").lines().next().and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    json!({
        "processor": model.map(|(_, name)| name),
        "cores": processors.lines().filter(|line| line.starts_with("processor")).count(),
        "memory_gib": memory.map(|kib| kib / 1_048_576),
        "kernel": read("/proc/sys/kernel/osrelease").trim(),
        "load_at_start": read("/proc/loadavg").split_whitespace().next(),
    })
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Time of all cores since boot, in kernel ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StolenCpuTimeReading {
    all: u64,
    stolen: u64,
}

impl StolenCpuTimeReading {
    pub(crate) fn now() -> StolenCpuTimeReading {
        let stat = read("/proc/stat");
        let fields: Vec<u64> = stat
            .lines()
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .skip(1)
            .filter_map(|field| field.parse().ok())
            .collect();
        // Guest time, fields 9 and 10, is included in user time.
        StolenCpuTimeReading { all: fields.iter().take(8).sum(), stolen: fields.get(7).copied().unwrap_or(0) }
    }

    /// Stolen time since this reading, in percent of the time of all cores.
    pub(crate) fn stolen_percent(self) -> f64 {
        let now = StolenCpuTimeReading::now();
        100.0 * (now.stolen - self.stolen) as f64 / (now.all - self.all).max(1) as f64
    }
}

/// Processor time of the calling thread.
pub(crate) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Processor time of this process, with that of ended threads.
pub(crate) fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Processor time of another process, with that of its ended threads. Zero if it has exited.
pub(crate) fn process_time(pid: u32) -> Duration {
    let pid = nix::unistd::Pid::from_raw(pid.cast_signed());
    let time = nix::time::clock_getcpuclockid(pid).and_then(nix::time::clock_gettime);
    time.map_or(Duration::ZERO, Duration::from)
}

/// Resident memory of a process, in KiB. An exited process is an error: zero would look like a saving.
pub(crate) fn resident_kib(pid: u32) -> Result<f64> {
    let status = read(&format!("/proc/{pid}/status"));
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    kib.with_context(|| format!("process {pid} has no memory: it has ended"))
}

/// Pins the calling thread to one core; its later threads and processes inherit that.
pub(crate) fn pin(cpu: usize) -> Result<()> {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).with_context(|| format!("core {cpu} is needed: the experiments take two"))
}

/// Lowers the calling thread's priority, so that the core's other threads get most of its time.
pub(crate) fn yield_core() -> Result<()> {
    // In Linux the call is for one thread.
    setpriority_process(None, LOW_PRIORITY).context("the thread's priority")
}

/// The nice value of the lowest priority.
const LOW_PRIORITY: i32 = 19;

/// Runs `start` on one core, then lets the caller return to its own cores. A process started by `start` stays on that
/// core.
pub(crate) fn on_core<T>(cpu: usize, start: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = sched_getaffinity(None::<Pid>)?;
    pin(cpu)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    started
}

/// Runs `start` on all cores. A process started there may use all of them.
pub(crate) fn on_all_cores<T>(start: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = sched_getaffinity(None::<Pid>)?;
    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|cpu| all.set(cpu));
    sched_setaffinity(None, &all)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    started
}

/// Raises the limit of open files to its maximum. Ten thousand connections need as many descriptors, at both ends.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // If the limit stays low, connecting fails with an error.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread::sleep;
    use std::time::Instant;

    use super::*;

    #[test]
    fn process_time_includes_threads_that_have_ended() {
        let own = std::process::id();
        let before = process_time(own);
        let spent = std::thread::spawn(|| {
            while thread_time() < Duration::from_millis(20) {}
            thread_time()
        });
        let spent = spent.join().expect("it ends");
        assert!(process_time(own) >= before + spent);
    }

    #[test]
    fn reading_the_memory_of_an_ended_process_fails() {
        assert!(resident_kib(std::process::id()).expect("negative control: this one runs") > 100.0);
        // Not yet waited for, so `/proc` still lists the process.
        let mut ended = Command::new("true").spawn().expect("it starts");
        let deadline = Instant::now() + Duration::from_secs(20);
        while resident_kib(ended.id()).is_ok() && Instant::now() < deadline {
            sleep(Duration::from_millis(5));
        }
        assert!(resident_kib(ended.id()).is_err());
        ended.wait().expect("it has ended");
    }
}
