//! The realm's certificate authority and the server's certificate, in `DIR/tls/`. Phones install `ca.pem`; `cert.pem`
//! is the server's chain. The certificate is renewed when it is missing, lacks a name or address, or is about to
//! expire; the authority when it is missing, doesn't permit a name or public address, or is about to expire.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use rustls::crypto::CryptoProvider;
use rustls::crypto::aws_lc_rs::{self, cipher_suite};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, SupportedCipherSuite, SupportedProtocolVersion, version};

mod authority;
mod short_lived;

use authority::CertificateFolder;
pub(crate) use short_lived::ShortLivedCertificates;

/// A certificate that can't be loaded, made or used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The folder can't be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file can't be parsed.
    #[error("cannot parse {path}: {why}; move the folder tls away to make a new authority")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The parser's error.
        why: String,
    },
    /// A certificate can't be made.
    #[error("cannot make a certificate: {0}")]
    Make(#[from] rcgen::Error),
    /// Rustls rejects the certificate or the key.
    #[error("cannot use the certificate: {0}")]
    Rustls(#[from] rustls::Error),
}

/// The certificate in use. New connections get the one of the last [`RenewableCertificate::renew`].
#[derive(Debug)]
pub(crate) struct RenewableCertificate {
    folder: CertificateFolder,
    present: RwLock<Arc<CertifiedKey>>,
}

impl RenewableCertificate {
    /// Loads the certificate of `DIR/tls`, or makes one for `names`. No public address is certified but `public_host`.
    ///
    /// # Errors
    /// [`TlsError`].
    pub(crate) fn load_or_create(
        data_dir: &Path,
        names: &[String],
        public_host: Option<&str>,
    ) -> Result<Arc<RenewableCertificate>, TlsError> {
        let folder = CertificateFolder::open(&data_dir.join("tls"), public_host)?;
        folder.ensure(names)?;
        let present = RwLock::new(load(&folder)?);
        Ok(Arc::new(RenewableCertificate { folder, present }))
    }

    /// Makes a new certificate if the present one is missing, lacks a name or is about to expire. Returns true if it
    /// did.
    ///
    /// # Errors
    /// [`TlsError`]. The present one then stays in use.
    pub(crate) fn renew(&self, names: &[String]) -> Result<bool, TlsError> {
        let changed = self.folder.ensure(names)?;
        if changed {
            let next = load(&self.folder)?;
            *self.present.write().expect("no code panics while it holds this lock") = next;
        }
        Ok(changed)
    }

    /// A TLS configuration with this certificate, and `protocols` for ALPN.
    ///
    /// # Errors
    /// [`TlsError::Rustls`].
    pub(crate) fn server_config(self: &Arc<Self>, protocols: &[&str]) -> Result<Arc<ServerConfig>, TlsError> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider()))
            .with_protocol_versions(&VERSIONS)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        Ok(Arc::new(config))
    }
}

impl ResolvesServerCert for RenewableCertificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.present.read().expect("no code panics while it holds this lock")))
    }
}

/// TLS versions, listed rather than left to a library's defaults. rustls supports no renegotiation or compression.
const VERSIONS: [&SupportedProtocolVersion; 2] = [&version::TLS13, &version::TLS12];

/// Authenticated encryption with forward secrecy only (RFC 9325). The realm's certificate has an ECDSA key; a
/// `cert.pem` that was replaced by hand may have an RSA key.
const SUITES: [SupportedCipherSuite; 9] = [
    cipher_suite::TLS13_AES_256_GCM_SHA384,
    cipher_suite::TLS13_AES_128_GCM_SHA256,
    cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
    cipher_suite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    cipher_suite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    cipher_suite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    cipher_suite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    cipher_suite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    cipher_suite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
];

fn provider() -> CryptoProvider {
    CryptoProvider { cipher_suites: SUITES.to_vec(), ..aws_lc_rs::default_provider() }
}

fn load(folder: &CertificateFolder) -> Result<Arc<CertifiedKey>, TlsError> {
    let (chain, key) = (folder.path("cert.pem"), folder.path("key.pem"));
    let malformed =
        |path: &Path, why: &dyn std::fmt::Display| TlsError::Malformed { path: path.to_owned(), why: why.to_string() };
    let certificates = CertificateDer::pem_file_iter(&chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| malformed(&chain, &error))?;
    let private = PrivateKeyDer::from_pem_file(&key).map_err(|error| malformed(&key, &error))?;
    Ok(Arc::new(CertifiedKey::from_der(certificates, private, &aws_lc_rs::default_provider())?))
}

#[cfg(test)]
mod tests;
