//! The operating system: clocks, threads for blocking work, file descriptors, space on disks, private
//! files, the lock of a data folder.

pub(crate) mod blocking;
pub mod clock;
pub mod descriptors;
pub(crate) mod disk;
pub(crate) mod lock;
pub(crate) mod private_file;
