//! What a process gives up before it looks at bytes of strangers. Limits of the system come first; Landlock and seccomp where the kernel has them.

use std::io;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr};
use rustix::process::{Resource, Rlimit, nice, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::limits;

/// Gives up files, network, other processes, and most of time and memory; for good.
///
/// # Errors
/// A limit can't be set: then nothing should be read.
pub(super) fn confine() -> io::Result<()> {
    // Where a machine lacks memory or time, this goes before anything else does. It is no protection, so who can't need not.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let _ = nice(19);
    let most = |resource, value| setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
    most(Resource::As, limits::FILE_CHECK_MEMORY_BYTES)?;
    most(Resource::Cpu, limits::FILE_CHECK_TIMEOUT.as_secs())?;
    most(Resource::Fsize, 0)?;
    most(Resource::Core, 0)?;
    most(Resource::Nproc, 0)?;
    // Kernels differ in what they have of these two; what is there is used.
    let _ = forbid_files();
    let _ = forbid_calls();
    Ok(())
}

/// No file may be opened and no address be connected to.
fn forbid_files() -> Result<(), landlock::RulesetError> {
    let rules =
        Ruleset::default().handle_access(AccessFs::from_all(ABI::V5))?.handle_access(AccessNet::from_all(ABI::V5))?;
    rules.create()?.restrict_self()?;
    Ok(())
}

/// Only what reading, reckoning and telling need. Other calls fail, and don't kill: which ones a C library makes besides differs.
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
