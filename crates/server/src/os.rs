//! What the operating system gives: clocks, file descriptors, private files, the lock of a data folder.

pub mod clock;
pub mod descriptors;
pub mod lock;
pub mod private_file;
