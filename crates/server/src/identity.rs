//! Accounts and their passwords, and the tokens by which clients are known.

pub mod accounts;
pub mod claims;
pub mod scoped_tokens;
pub mod tokens;
