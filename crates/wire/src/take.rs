//! Reads from the front of a byte slice.

/// Takes the first `N` bytes off `bytes`. `None`, and `bytes` unchanged, if there are fewer.
pub(crate) fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(taken)
}
