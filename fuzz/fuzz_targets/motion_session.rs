//! `cargo +nightly fuzz run motion_session --features libfuzzer`

#![no_main]
#![allow(missing_docs, reason = "the macro makes the entry that libFuzzer calls")]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stoa_fuzz::motion_session(bytes));
