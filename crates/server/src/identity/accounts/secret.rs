//! Random secrets of which only the hash is stored: session cookies and the secrets of links. Random ids have the same
//! form, but are stored as they are.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::store::SecretHash;

/// 256 random bits, as 43 characters that fit into a URL and a cookie.
#[must_use]
pub(crate) fn fresh() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// SHA-256 of a secret. Secrets have 256 random bits, so an unsalted hash can't be searched.
#[must_use]
pub(crate) fn hash(secret: &str) -> SecretHash {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, secret.as_bytes());
    digest.as_ref().try_into().expect("SHA-256 gives 32 bytes")
}
