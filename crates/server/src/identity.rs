//! Accounts and their passwords, and the tokens by which clients are known.

pub(crate) mod accounts;
pub mod claims;
pub(crate) mod scoped_tokens;
pub mod tokens;
