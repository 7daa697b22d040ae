//! Accounts with their passwords, and the tokens that identify clients.

pub(crate) mod accounts;
pub mod claims;
pub(crate) mod scoped_tokens;
pub(crate) mod signer;
pub mod tokens;
