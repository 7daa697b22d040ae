//! Restricts a process before it reads untrusted bytes: resource limits first, then Landlock and seccomp where the
//! kernel supports them.

use std::io;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr};
use rustix::process::{Resource, Rlimit, nice, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::limits;

/// Permanently gives up files, network, other processes, and most of time and memory.
///
/// # Errors
/// A limit can't be set. The process must not read the file then.
pub(super) fn confine() -> io::Result<()> {
    // Under memory or CPU pressure this process yields first. That is no protection, so failure is ignored.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let _ = nice(19);
    let most = |resource, value| setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
    most(Resource::As, limits::FILE_CHECK_MEMORY_BYTES)?;
    most(Resource::Cpu, limits::FILE_CHECK_TIMEOUT.as_secs())?;
    most(Resource::Fsize, 0)?;
    most(Resource::Core, 0)?;
    most(Resource::Nproc, 0)?;
    // Kernels support these to a different degree, so failure is ignored.
    let _ = forbid_files();
    let _ = forbid_calls();
    Ok(())
}

/// Forbids opening files and connecting to addresses.
fn forbid_files() -> Result<(), landlock::RulesetError> {
    let rules =
        Ruleset::default().handle_access(AccessFs::from_all(ABI::V5))?.handle_access(AccessNet::from_all(ABI::V5))?;
    rules.create()?.restrict_self()?;
    Ok(())
}

/// Allows only the system calls for reading, computing and reporting. Other calls fail instead of killing the
/// process, because C libraries differ in the calls they try.
fn forbid_calls() -> Result<(), seccompiler::Error> {
    let allowed = [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_close,
        libc::SYS_brk,
        libc::SYS_mmap,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_getrandom,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_clock_gettime,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
    let filter = SeccompFilter::new(
        allowed.into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Errno(libc::EPERM as u32),
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into()?,
    )?;
    let program: BpfProgram = filter.try_into()?;
    seccompiler::apply_filter(&program)
}
