//! Makes and renews the files of `DIR/tls`: the certificate authority and the server's certificate.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, NameConstraints,
};
use serde::{Deserialize, Serialize};

use super::TlsError;
use crate::config::host_names::{PRIVATE_RANGES, is_private};
use crate::limits;
use crate::os::{clock, private_file};

/// `DIR/tls`.
#[derive(Debug)]
pub(super) struct CertificateFolder {
    dir: PathBuf,
    public_host: Option<String>,
}

/// Names and expiry of both certificates, stored in `holdings.json` so that no X.509 has to be parsed.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct CertificateMetadata {
    ca_names: Vec<String>,
    ca_expires: u64,
    cert_names: Vec<String>,
    cert_expires: u64,
}

impl CertificateFolder {
    pub(super) fn open(dir: &Path, public_host: Option<&str>) -> Result<CertificateFolder, TlsError> {
        private_file::make_dir(dir).map_err(|source| TlsError::Io { path: dir.to_owned(), source })?;
        Ok(CertificateFolder { dir: dir.to_owned(), public_host: public_host.map(str::to_ascii_lowercase) })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Makes the files that are missing, too old or short of a name or address. Returns true if the server's
    /// certificate is new.
    pub(super) fn ensure(&self, names: &[String]) -> Result<bool, TlsError> {
        let mut contents = self.contents();
        let renew_at = clock::unix_now().0 + limits::CERT_RENEW_BEFORE.as_secs();
        let names: Vec<String> = names.iter().filter(|name| self.may_vouch_for(name)).cloned().collect();
        let needs_permission: Vec<String> =
            names.iter().filter(|name| !name.parse::<IpAddr>().is_ok_and(is_private)).cloned().collect();
        let authority = ["ca.pem", "ca-key.pem"].iter().all(|name| self.path(name).exists())
            && contents.ca_expires > renew_at
            && needs_permission.iter().all(|name| contents.ca_names.contains(name));
        if !authority {
            self.make_authority(&needs_permission, &mut contents)?;
        }
        let certificate = ["cert.pem", "key.pem"].iter().all(|name| self.path(name).exists())
            && contents.cert_expires > renew_at
            && names.iter().all(|name| contents.cert_names.contains(name));
        if authority && certificate {
            return Ok(false);
        }
        self.make_certificate(names, &mut contents)?;
        let text = serde_json::to_string_pretty(&contents).expect("strings and numbers are always JSON");
        self.write("holdings.json", &text)?;
        Ok(true)
    }

    fn make_authority(&self, names: &[String], contents: &mut CertificateMetadata) -> Result<(), TlsError> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "Stoa realm authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        // A device that installs this authority must not have to trust it for the rest of the web.
        params.name_constraints =
            Some(NameConstraints { permitted_subtrees: Self::permitted(names), excluded_subtrees: Vec::new() });
        contents.ca_expires = set_validity(&mut params, limits::CA_LIFETIME);
        contents.ca_names = names.to_vec();
        let certificate = params.self_signed(&key)?;
        self.write("ca-key.pem", &key.serialize_pem())?;
        self.write("ca.pem", &certificate.pem())
    }

    fn make_certificate(&self, names: Vec<String>, contents: &mut CertificateMetadata) -> Result<(), TlsError> {
        let authority_pem = self.read("ca.pem")?;
        let authority_key = KeyPair::from_pem(&self.read("ca-key.pem")?)?;
        let issuer = Issuer::from_ca_cert_pem(&authority_pem, authority_key)?;
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(names.clone())?;
        params.distinguished_name.push(DnType::CommonName, "Stoa realm");
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        contents.cert_expires = set_validity(&mut params, limits::CERT_LIFETIME);
        contents.cert_names = names;
        let certificate = params.signed_by(&key, &issuer)?;
        self.write("key.pem", &key.serialize_pem())?;
        self.write("cert.pem", &format!("{}{authority_pem}", certificate.pem()))
    }

    /// The names that the authority may certify: `names`, `.local`, and all private addresses.
    fn permitted(names: &[String]) -> Vec<GeneralSubtree> {
        let subnet = |ip, prefix| GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(ip, prefix));
        let mut permitted: Vec<GeneralSubtree> = names
            .iter()
            .map(|name| match name.parse::<IpAddr>() {
                Ok(ip) => subnet(ip, if ip.is_ipv4() { 32 } else { 128 }),
                Err(_) => GeneralSubtree::DnsName(name.clone()),
            })
            .collect();
        permitted.push(GeneralSubtree::DnsName("local".to_owned()));
        permitted.extend(PRIVATE_RANGES.map(|(ip, prefix)| subnet(ip, prefix)));
        permitted
    }

    /// Whether the authority may certify `name`. Public addresses only if the operator named them.
    fn may_vouch_for(&self, name: &str) -> bool {
        name.parse::<IpAddr>().map_or(true, is_private) || self.public_host.as_deref() == Some(name)
    }

    fn contents(&self) -> CertificateMetadata {
        // A missing or damaged file makes all certificates anew.
        self.read("holdings.json").ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    fn read(&self, name: &str) -> Result<String, TlsError> {
        let path = self.path(name);
        std::fs::read_to_string(&path).map_err(|source| TlsError::Io { path, source })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), TlsError> {
        let path = self.path(name);
        private_file::write(&path, text).map_err(|source| TlsError::Io { path, source })
    }
}

/// Validity from a little before now until `lifetime` from now. Returns the end, in seconds since 1970.
fn set_validity(params: &mut CertificateParams, lifetime: Duration) -> u64 {
    let now = clock::unix_now().0;
    let at = |unix_s: u64| rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(unix_s);
    params.not_before = at(now.saturating_sub(limits::CERT_BACKDATE.as_secs()));
    params.not_after = at(now + lifetime.as_secs());
    now + lifetime.as_secs()
}
