//! The realm's tokens: JWTs signed with RS256 by a key in `DIR/keys`. [`stoa_state::grant`] decides which rights
//! their claims give.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::Serialize;
use serde::de::DeserializeOwned;
use stoa_state::grant::{self, Claims};
use stoa_state::limits::GRANT_LEEWAY_S;
pub use stoa_state::realm::AuthError;

use crate::limits;
use crate::os::{clock, private_file};

/// Verifies tokens.
pub trait VerifyToken: Send + Sync {
    /// The token's claims, if this realm signed it and it is neither expired nor revoked.
    ///
    /// # Errors
    /// [`AuthError`].
    fn verify(&self, token: &str) -> Result<Claims, AuthError>;
    /// Whether a verified token has been revoked since.
    fn is_revoked(&self, jti: &str) -> bool;
}

/// Signs and verifies tokens and knows the revoked ones.
pub struct TokenAuthority {
    signing: EncodingKey,
    verifying: DecodingKey,
    validation: Validation,
    public: Jwk,
    key_id: String,
    revoked: RwLock<BTreeSet<String>>,
}

/// Errors of loading, creating and using the signing key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file can't be read or written.
    #[error("cannot use the signing key {path}: {source}")]
    File {
        /// The key.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file isn't an RSA key in PKCS#8 PEM.
    #[error("{path} is not an RSA key in PKCS#8 PEM: {source}")]
    Malformed {
        /// The key.
        path: PathBuf,
        /// The parser's error.
        source: jsonwebtoken::errors::Error,
    },
    /// Key generation failed.
    #[error("an RSA key could not be generated")]
    NotMade,
    /// Signing failed.
    #[error("a token could not be signed: {0}")]
    NotSigned(jsonwebtoken::errors::Error),
}

impl std::fmt::Debug for TokenAuthority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TokenAuthority").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

impl TokenAuthority {
    /// Reads the data folder's key, or creates it, readable by its owner only.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn load_or_create(data_dir: &Path) -> Result<TokenAuthority, KeyError> {
        let path = data_dir.join("keys").join("tokens.pem");
        let file_error = |source| KeyError::File { path: path.clone(), source };
        if !path.exists() {
            private_file::make_dir(&data_dir.join("keys")).map_err(file_error)?;
            private_file::write(&path, &fresh_pem()?).map_err(file_error)?;
        }
        let pem = std::fs::read(&path).map_err(file_error)?;
        TokenAuthority::from_pem(&pem).map_err(|source| KeyError::Malformed { path: path.clone(), source })
    }

    fn from_pem(pem: &[u8]) -> Result<TokenAuthority, jsonwebtoken::errors::Error> {
        let signing = EncodingKey::from_rsa_pem(pem)?;
        let mut public = Jwk::from_encoding_key(&signing, Algorithm::RS256)?;
        let key_id = public.thumbprint(ThumbprintHash::SHA256)?;
        public.common.key_id = Some(key_id.clone());
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        let verifying = DecodingKey::from_jwk(&public)?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_audience(&[grant::AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        validation.leeway = GRANT_LEEWAY_S;
        validation.validate_nbf = true;
        Ok(TokenAuthority { signing, verifying, validation, public, key_id, revoked: RwLock::default() })
    }

    /// Signs `claims`.
    ///
    /// # Errors
    /// [`KeyError::NotSigned`].
    pub fn issue(&self, claims: &Claims) -> Result<String, KeyError> {
        self.sign(claims)
    }

    /// Signs claims of any type, such as those of scoped tokens.
    ///
    /// # Errors
    /// [`KeyError::NotSigned`].
    pub fn sign<T: Serialize>(&self, claims: &T) -> Result<String, KeyError> {
        let header = Header { kid: Some(self.key_id.clone()), ..Header::new(Algorithm::RS256) };
        jsonwebtoken::encode(&header, claims, &self.signing).map_err(KeyError::NotSigned)
    }

    /// Verifies a token: signed by this realm, neither expired nor revoked, and not from the future.
    ///
    /// # Errors
    /// [`AuthError`].
    pub fn verify(&self, token: &str) -> Result<Claims, AuthError> {
        let claims: Claims = self.read(token, grant::AUDIENCE)?;
        let is_early = claims.iat.0 > clock::unix_now().0 + GRANT_LEEWAY_S;
        if claims.typ != grant::TYPE || is_early {
            return Err(AuthError::BadToken);
        }
        if claims.names().any(|name| self.is_revoked(name)) { Err(AuthError::Revoked) } else { Ok(claims) }
    }

    /// The claims that [`TokenAuthority::sign`] signed for this audience, unless expired. The caller checks revocation.
    ///
    /// # Errors
    /// [`AuthError`].
    pub fn read<T: DeserializeOwned>(&self, token: &str, audience: &str) -> Result<T, AuthError> {
        if token.len() > limits::TOKEN_BYTES_MAX {
            return Err(AuthError::BadToken);
        }
        let mut validation = self.validation.clone();
        validation.set_audience(&[audience]);
        let verified = jsonwebtoken::decode::<T>(token, &self.verifying, &validation);
        let verified = verified.map_err(|error| match error.kind() {
            ErrorKind::ExpiredSignature => AuthError::Expired,
            _ => AuthError::BadToken,
        })?;
        if verified.header.kid.as_deref() != Some(&self.key_id) {
            return Err(AuthError::BadToken);
        }
        Ok(verified.claims)
    }

    /// Whether the token with this `jti` is revoked.
    #[must_use]
    pub fn is_revoked(&self, jti: &str) -> bool {
        self.revoked.read().unwrap_or_else(PoisonError::into_inner).contains(jti)
    }

    /// Revokes the token with this `jti`.
    pub fn revoke(&self, jti: String) {
        self.revoked.write().unwrap_or_else(PoisonError::into_inner).insert(jti);
    }

    /// The public keys for `/.well-known/jwks.json`.
    #[must_use]
    pub fn public_keys(&self) -> JwkSet {
        JwkSet { keys: vec![self.public.clone()] }
    }
}

impl VerifyToken for TokenAuthority {
    fn verify(&self, token: &str) -> Result<Claims, AuthError> {
        TokenAuthority::verify(self, token)
    }

    fn is_revoked(&self, jti: &str) -> bool {
        TokenAuthority::is_revoked(self, jti)
    }
}

/// The authority of a realm in a test, by a key that all these realms share: generating one takes a tenth of a second.
#[cfg(test)]
pub(crate) fn of_test_realm() -> TokenAuthority {
    static PEM: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let pem = PEM.get_or_init(|| fresh_pem().expect("a key can be generated"));
    TokenAuthority::from_pem(pem.as_bytes()).expect("it was just generated")
}

fn fresh_pem() -> Result<String, KeyError> {
    let key = KeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::NotMade)?;
    let der: Pkcs8V1Der<'_> = key.as_der().map_err(|_| KeyError::NotMade)?;
    let text = STANDARD.encode(der.as_ref());
    let lines = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("base64 is ASCII"));
    Ok(format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use stoa_state::time::UnixSeconds;

    use super::*;

    fn claims() -> Claims {
        let now = clock::unix_now().0;
        let all = grant::realm_filters();
        Claims::new("alice", "one", UnixSeconds(now)..UnixSeconds(now + 60), all)
    }

    #[test]
    fn a_token_of_this_realm_remains_valid_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let token = TokenAuthority::load_or_create(dir.path()).unwrap().issue(&claims()).unwrap();
        assert_eq!(TokenAuthority::load_or_create(dir.path()).unwrap().verify(&token).unwrap(), claims());
    }

    #[test]
    fn another_realms_token_is_refused() {
        let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let token = TokenAuthority::load_or_create(theirs.path()).unwrap().issue(&claims()).unwrap();
        assert_eq!(TokenAuthority::load_or_create(ours.path()).unwrap().verify(&token), Err(AuthError::BadToken));
    }

    #[test]
    fn expired_revoked_and_wrong_purpose_tokens_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let mut ended = claims();
        ended.exp = UnixSeconds(clock::unix_now().0 - 10);
        assert_eq!(keys.verify(&keys.issue(&ended).unwrap()), Err(AuthError::Expired));
        for (aud, typ) in [("stoa-motion", "mqtt"), ("stoa-mqtt", "invitation")] {
            let other = Claims { aud: aud.into(), typ: typ.into(), ..claims() };
            assert_eq!(keys.verify(&keys.issue(&other).unwrap()), Err(AuthError::BadToken), "{aud} {typ}");
        }
        let token = keys.issue(&claims()).unwrap();
        assert!(keys.verify(&token).is_ok(), "negative control: not revoked yet");
        keys.revoke("one".into());
        assert_eq!(keys.verify(&token), Err(AuthError::Revoked));
        let child = |lineage| keys.issue(&Claims { jti: "two".into(), parents: lineage, ..claims() }).unwrap();
        assert!(keys.verify(&child(Vec::new())).is_ok(), "negative control");
        assert_eq!(keys.verify(&child(claims().lineage().unwrap())), Err(AuthError::Revoked), "it came from that");
    }

    #[test]
    fn a_token_that_names_another_key_or_is_not_valid_yet_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let issued = |kid: Option<&str>, later_s: u64| {
            let mut told = serde_json::to_value(claims()).unwrap();
            told["nbf"] = (clock::unix_now().0 + later_s).into();
            let header = Header { kid: kid.map(str::to_owned), ..Header::new(Algorithm::RS256) };
            keys.verify(&jsonwebtoken::encode(&header, &told, &keys.signing).unwrap())
        };
        assert!(issued(Some(&keys.key_id), 0).is_ok(), "negative control");
        assert_eq!(issued(Some("another"), 0), Err(AuthError::BadToken));
        assert_eq!(issued(None, 0), Err(AuthError::BadToken));
        assert_eq!(issued(Some(&keys.key_id), 60), Err(AuthError::BadToken));
    }

    #[test]
    fn a_token_signed_with_the_public_key_as_a_shared_secret_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let public = serde_json::to_vec(&keys.public_keys()).unwrap();
        let forged = jsonwebtoken::encode(&Header::default(), &claims(), &EncodingKey::from_secret(&public)).unwrap();
        assert_eq!(keys.verify(&forged), Err(AuthError::BadToken));
    }

    #[test]
    fn a_token_without_our_key_id_or_with_a_future_iat_or_nbf_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let signed = |kid: Option<&str>, claims: &serde_json::Value| {
            let header = Header { kid: kid.map(str::to_owned), ..Header::new(Algorithm::RS256) };
            jsonwebtoken::encode(&header, claims, &keys.signing).unwrap()
        };
        let said = serde_json::to_value(claims()).unwrap();
        assert!(keys.verify(&signed(Some(&keys.key_id), &said)).is_ok(), "negative control");
        assert_eq!(keys.verify(&signed(None, &said)), Err(AuthError::BadToken), "no key at all");
        assert_eq!(keys.verify(&signed(Some("another"), &said)), Err(AuthError::BadToken));
        for claim in ["iat", "nbf"] {
            let mut later = said.clone();
            later[claim] = (clock::unix_now().0 + 30).into();
            assert_eq!(keys.verify(&signed(Some(&keys.key_id), &later)), Err(AuthError::BadToken), "{claim}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_key_file_is_private_and_the_jwks_has_no_private_part() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let keys = TokenAuthority::load_or_create(dir.path()).unwrap();
        let mode = std::fs::metadata(dir.path().join("keys/tokens.pem")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let shown = serde_json::to_value(keys.public_keys()).unwrap();
        assert_eq!(shown["keys"][0]["kty"], "RSA");
        assert!(shown["keys"][0].get("d").is_none());
    }
}
