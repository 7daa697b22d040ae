//! Tells a machine without IPv6 from an address that cannot be bound.

use std::io;

/// Whether an address could not be bound because the machine lacks its family.
pub(crate) fn is_family_missing(error: &io::Error) -> bool {
    // EAFNOSUPPORT has no kind of its own.
    matches!(error.kind(), io::ErrorKind::AddrNotAvailable | io::ErrorKind::Unsupported)
        || error.raw_os_error() == Some(97)
}
