//! Certificates that browsers accept by hash, for WebTransport without a trusted authority. As
//! `serverCertificateHashes` demands (W3C WebTransport, section 6.10), they have an ECDSA P-256 key and are valid for
//! less than two weeks. `DIR/tls/webtransport/` has a file for each, with its key, named for its time of creation.
//!
//! A new one is made each week, and used once its hash has been published for a while. The previous one stays valid
//! until it expires.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::time::Duration;

use ::aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, version};
use stoa_state::time::UnixSeconds;

use super::{TlsError, provider};
use crate::limits;
use crate::os::{clock, private_file};

/// The certificates that are valid now.
#[derive(Debug)]
pub struct ShortLivedCertificates {
    dir: PathBuf,
    /// Sorted by age, oldest first.
    good: RwLock<Vec<DatedCertificate>>,
}

#[derive(Debug)]
struct DatedCertificate {
    made_at: UnixSeconds,
    certified: Arc<CertifiedKey>,
    hash: String,
}

impl DatedCertificate {
    fn is_good(&self, now: UnixSeconds) -> bool {
        // A certificate from the future was made while the clock was wrong.
        self.made_at <= now && now.0 < self.made_at.0 + limits::SHORT_CERT_LIFETIME.as_secs()
    }

    fn is_older_than(&self, age: Duration, now: UnixSeconds) -> bool {
        self.made_at.0 + age.as_secs() <= now.0
    }
}

impl ShortLivedCertificates {
    /// Loads the certificates of `DIR/tls/webtransport` that are valid `now`, and makes one if none is younger than a
    /// week.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn load_or_create(data_dir: &Path, now: UnixSeconds) -> Result<Arc<ShortLivedCertificates>, TlsError> {
        let dir = data_dir.join("tls").join("webtransport");
        let short_lived = ShortLivedCertificates { good: RwLock::new(load_all(&dir)?), dir };
        short_lived.renew(now)?;
        Ok(Arc::new(short_lived))
    }

    /// Makes a new certificate if the newest is a week old, and removes expired ones. Returns true if it made one.
    ///
    /// # Errors
    /// [`TlsError`]. The present ones then stay in use.
    pub fn renew(&self, now: UnixSeconds) -> Result<bool, TlsError> {
        let is_young = |certificate: &DatedCertificate| {
            certificate.is_good(now) && !certificate.is_older_than(limits::SHORT_CERT_PERIOD, now)
        };
        let made = if self.read().iter().any(is_young) { None } else { Some(make(&self.dir, now)?) };
        let is_new = made.is_some();
        let mut good = self.good.write().expect("no code panics while it holds this lock");
        good.extend(made);
        good.retain(|certificate| {
            let is_good = certificate.is_good(now);
            if !is_good {
                // The next start would remove a file that is left behind.
                let _ = std::fs::remove_file(path(&self.dir, certificate.made_at));
            }
            is_good
        });
        Ok(is_new)
    }

    /// SHA-256 hashes of all valid certificates, in base64.
    pub fn hashes(&self, now: UnixSeconds) -> Vec<String> {
        self.read()
            .iter()
            .filter(|certificate| certificate.is_good(now))
            .map(|certificate| certificate.hash.clone())
            .collect()
    }

    /// A TLS 1.3 configuration with the valid certificates, and `protocol` for ALPN.
    ///
    /// # Errors
    /// [`TlsError::Rustls`].
    pub fn server_config(self: &Arc<Self>, protocol: &str) -> Result<Arc<ServerConfig>, TlsError> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider()))
            .with_protocol_versions(&[&version::TLS13])?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        Ok(Arc::new(config))
    }

    /// The newest certificate whose hash a new client can know, or the newest of all if none is old enough.
    fn shown(&self, now: UnixSeconds) -> Option<Arc<CertifiedKey>> {
        let good = self.read();
        let mut known =
            good.iter().rev().filter(|certificate| certificate.is_older_than(limits::SHORT_CERT_SETTLE, now));
        known.next().or(good.last()).map(|certificate| Arc::clone(&certificate.certified))
    }

    fn read(&self) -> RwLockReadGuard<'_, Vec<DatedCertificate>> {
        self.good.read().expect("no code panics while it holds this lock")
    }
}

impl ResolvesServerCert for ShortLivedCertificates {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.shown(clock::unix_now())
    }
}

fn path(dir: &Path, made_at: UnixSeconds) -> PathBuf {
    dir.join(format!("{}.pem", made_at.0))
}

fn load_all(dir: &Path) -> Result<Vec<DatedCertificate>, TlsError> {
    let failed = |source| TlsError::Io { path: dir.to_owned(), source };
    private_file::make_dir(dir).map_err(failed)?;
    let mut certificate = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // An unreadable file counts as missing: another certificate is made.
        match load(&path) {
            Some(one) => certificate.push(one),
            None => tracing::warn!(path = %path.display(), "not a certificate for WebTransport"),
        }
    }
    certificate.sort_unstable_by_key(|certificate| certificate.made_at);
    Ok(certificate)
}

fn load(path: &Path) -> Option<DatedCertificate> {
    let made_at = UnixSeconds(path.file_stem()?.to_str()?.parse().ok()?);
    let certificate = CertificateDer::from_pem_file(path).ok()?;
    certified(made_at, certificate, PrivateKeyDer::from_pem_file(path).ok()?).ok()
}

fn certified(
    made_at: UnixSeconds,
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
) -> Result<DatedCertificate, TlsError> {
    let hash = STANDARD.encode(digest(&SHA256, &certificate));
    let certified = Arc::new(CertifiedKey::from_der(vec![certificate], key, &aws_lc_rs::default_provider())?);
    Ok(DatedCertificate { made_at, certified, hash })
}

fn make(dir: &Path, now: UnixSeconds) -> Result<DatedCertificate, TlsError> {
    // ECDSA on P-256.
    let key = KeyPair::generate()?;
    // Browsers that accept a certificate by hash don't check its names.
    let mut params = CertificateParams::new(["localhost".to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, "Stoa realm, WebTransport");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let at = |unix_s: u64| rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(unix_s);
    params.not_before = at(now.0.saturating_sub(limits::CERT_BACKDATE.as_secs()));
    params.not_after = at(now.0 + limits::SHORT_CERT_LIFETIME.as_secs());
    let certificate = params.self_signed(&key)?;
    let path = path(dir, now);
    let text = format!("{}{}", certificate.pem(), key.serialize_pem());
    private_file::write(&path, &text).map_err(|source| TlsError::Io { path, source })?;
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("it was made as PKCS 8");
    certified(now, certificate.der().clone(), key)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const DAY_S: u64 = 86_400;
    const START: u64 = 1_800_000_000;

    fn day(number: u64) -> UnixSeconds {
        UnixSeconds(START + number * DAY_S)
    }

    fn shown_hash(short_lived: &ShortLivedCertificates, now: UnixSeconds) -> String {
        STANDARD.encode(digest(&SHA256, short_lived.shown(now).unwrap().end_entity_cert().unwrap()))
    }

    fn files(dir: &Path) -> Vec<PathBuf> {
        std::fs::read_dir(dir.join("tls/webtransport")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn certificates_are_renewed_weekly_and_listed_until_they_expire() {
        let dir = tempfile::tempdir().unwrap();
        let short_lived = ShortLivedCertificates::load_or_create(dir.path(), day(0)).unwrap();
        let first = short_lived.hashes(day(0));
        assert_eq!(first.len(), 1);
        assert!(!short_lived.renew(day(6)).unwrap());
        assert_eq!(short_lived.hashes(day(6)), first, "nothing to do");
        assert!(short_lived.renew(day(7)).unwrap());
        let both = short_lived.hashes(day(7));
        assert!(both.len() == 2 && both[0] == first[0], "{both:?}");
        assert_eq!(shown_hash(&short_lived, day(7)), both[0], "its hash is not known yet");
        let settled = UnixSeconds(day(7).0 + limits::SHORT_CERT_SETTLE.as_secs());
        assert_eq!(shown_hash(&short_lived, settled), both[1]);
        assert_eq!(short_lived.hashes(UnixSeconds(day(13).0 - 1)), both, "until its last second");
        assert_eq!(short_lived.hashes(day(13)), both[1..]);
        short_lived.renew(day(13)).unwrap();
        assert_eq!(files(dir.path()).len(), 1, "what has ended is thrown away");
    }

    #[test]
    fn short_lived_certificates_survive_a_restart_and_are_private() {
        let dir = tempfile::tempdir().unwrap();
        let hashes = ShortLivedCertificates::load_or_create(dir.path(), day(0)).unwrap().hashes(day(0));
        assert_eq!(ShortLivedCertificates::load_or_create(dir.path(), day(3)).unwrap().hashes(day(3)), hashes);
        assert_eq!(files(dir.path())[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let later = ShortLivedCertificates::load_or_create(dir.path(), day(40)).unwrap();
        assert!(later.hashes(day(40)).len() == 1 && later.hashes(day(40)) != hashes);
    }

    #[test]
    fn a_broken_or_future_certificate_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        ShortLivedCertificates::load_or_create(dir.path(), day(9)).unwrap();
        std::fs::write(dir.path().join("tls/webtransport/17.pem"), "nothing").unwrap();
        let short_lived = ShortLivedCertificates::load_or_create(dir.path(), day(0)).unwrap();
        assert_eq!(short_lived.hashes(day(0)).len(), 1);
        assert!(short_lived.shown(day(0)).is_some());
    }

    #[test]
    fn certificates_use_p256_and_are_valid_for_at_most_14_days() {
        let dir = tempfile::tempdir().unwrap();
        ShortLivedCertificates::load_or_create(dir.path(), day(0)).unwrap();
        let pem = std::fs::read_to_string(&files(dir.path())[0]).unwrap();
        assert_eq!(
            KeyPair::from_pem(&pem[pem.find("-----BEGIN PRIVATE").unwrap()..]).unwrap().algorithm(),
            &rcgen::PKCS_ECDSA_P256_SHA256
        );
        let valid = limits::SHORT_CERT_LIFETIME + limits::CERT_BACKDATE;
        assert!(valid <= Duration::from_secs(14 * DAY_S), "the most that serverCertificateHashes allows");
    }
}
