//! Compares serial numbers that wrap around. Source: RFC 1982 with 32 bits.

/// Whether `one` follows `other`; false both ways if they are 2^31 apart.
pub const fn is_newer(one: u32, other: u32) -> bool {
    let ahead = one.wrapping_sub(other);
    ahead != 0 && ahead < 1 << 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_are_compared_across_the_wraparound() {
        assert!(is_newer(1, 0) && is_newer(0, u32::MAX) && is_newer(5, u32::MAX - 5));
        assert!(!is_newer(0, 1) && !is_newer(7, 7) && !is_newer(u32::MAX, 0));
        assert!(!is_newer(1 << 31, 0) && !is_newer(0, 1 << 31));
    }
}
