//! Distinguishes a machine without IPv6 from an address that cannot be bound.

use std::io;

/// Whether binding failed because the machine lacks the address family.
pub(crate) fn is_family_missing(error: &io::Error) -> bool {
    // EAFNOSUPPORT has no `ErrorKind`.
    matches!(error.kind(), io::ErrorKind::AddrNotAvailable | io::ErrorKind::Unsupported)
        || error.raw_os_error() == Some(97)
}
