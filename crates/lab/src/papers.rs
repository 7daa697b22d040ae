//! Repeats the experiments of five papers, each in its own module. [`numbers`] reads the papers' own numbers.

pub(crate) mod arena;
pub(crate) mod car;
pub(crate) mod forest;
pub(crate) mod numbers;
pub(crate) mod ubiq;
pub(crate) mod vhct;
