//! Reads from the front of bytes, as far as there are any.

/// The first `N` bytes; `bytes` is then what stands behind them. `None`, and nothing taken, where there are fewer.
pub(crate) fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(taken)
}
