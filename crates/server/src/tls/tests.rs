use std::os::unix::fs::PermissionsExt;

use super::*;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

fn read(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join("tls").join(name)).unwrap()
}

#[test]
fn keys_are_private_and_the_chain_ends_in_the_authority() {
    let dir = tempfile::tempdir().unwrap();
    RenewableCertificate::load_or_create(dir.path(), &names(&["localhost", "127.0.0.1"]), None).unwrap();
    for key in ["key.pem", "ca-key.pem"] {
        let mode = dir.path().join("tls").join(key).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{key}");
    }
    assert!(read(dir.path(), "cert.pem").ends_with(&read(dir.path(), "ca.pem")));
}

#[test]
fn a_certificate_is_kept_until_it_lacks_a_name() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = RenewableCertificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
    let (ca, first) = (read(dir.path(), "ca.pem"), read(dir.path(), "cert.pem"));
    assert!(!certificate.renew(&names(&["localhost"])).unwrap());
    assert_eq!(read(dir.path(), "cert.pem"), first, "nothing to do");
    assert!(certificate.renew(&names(&["localhost", "192.168.7.7"])).unwrap());
    assert_ne!(read(dir.path(), "cert.pem"), first);
    assert_eq!(read(dir.path(), "ca.pem"), ca, "a private address needs no new authority");
}

#[test]
fn a_new_public_host_makes_a_new_authority() {
    let dir = tempfile::tempdir().unwrap();
    RenewableCertificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
    let ca = read(dir.path(), "ca.pem");
    RenewableCertificate::load_or_create(dir.path(), &names(&["localhost", "xr.example"]), Some("xr.example")).unwrap();
    assert_ne!(read(dir.path(), "ca.pem"), ca);
}

#[test]
fn only_a_configured_public_address_is_certified() {
    let dir = tempfile::tempdir().unwrap();
    RenewableCertificate::load_or_create(dir.path(), &names(&["localhost", "203.0.113.9"]), None).unwrap();
    assert!(!read(dir.path(), "holdings.json").contains("203.0.113.9"));
    let ca = read(dir.path(), "ca.pem");
    let certificate =
        RenewableCertificate::load_or_create(dir.path(), &names(&["localhost", "203.0.113.9"]), Some("203.0.113.9"))
            .unwrap();
    assert!(read(dir.path(), "holdings.json").contains("203.0.113.9"));
    assert_ne!(read(dir.path(), "ca.pem"), ca, "the first authority does not permit the address");
    assert!(!certificate.renew(&names(&["localhost", "203.0.113.9"])).unwrap());
}

/// A ClientHello of a TLS version that offers one suite (and, for 1.3, a share of X25519), as bytes.
fn hello(version: [u8; 2], suite: [u8; 2], alpn: Option<&str>) -> Vec<u8> {
    let sized = |length: usize, bytes: &[u8]| [&bytes.len().to_be_bytes()[8 - length..], bytes].concat();
    let extension = |kind: u16, body: Vec<u8>| [&kind.to_be_bytes()[..], &sized(2, &body)].concat();
    let mut extensions = vec![
        extension(10, sized(2, &[0x00, 0x1d, 0x00, 0x17])),
        extension(13, sized(2, &[0x04, 0x03, 0x08, 0x04, 0x04, 0x01])),
        extension(11, sized(1, &[0])),
    ];
    if version == [3, 4] {
        extensions.push(extension(43, sized(1, &version)));
        extensions.push(extension(51, sized(2, &[&[0x00, 0x1d][..], &sized(2, &[9; 32])].concat())));
    }
    if let Some(alpn) = alpn {
        extensions.push(extension(16, sized(2, &sized(1, alpn.as_bytes()))));
    }
    let legacy = [3, version[1].min(3)];
    let body =
        [&legacy[..], &[7; 32], &sized(1, &[]), &sized(2, &suite), &sized(1, &[0]), &sized(2, &extensions.concat())];
    let handshake = [&[1][..], &sized(3, &body.concat())].concat();
    [&[22, 3, 1][..], &sized(2, &handshake)].concat()
}

/// Whether the server answers a ClientHello with a handshake, and not with an alert.
fn is_taken(config: &Arc<ServerConfig>, hello: &[u8]) -> bool {
    let mut connection = rustls::ServerConnection::new(Arc::clone(config)).unwrap();
    connection.read_tls(&mut &hello[..]).unwrap();
    connection.process_new_packets().is_ok()
}

#[test]
fn tls_accepts_only_the_documented_versions_suites_and_protocols() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = RenewableCertificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
    let config = certificate.server_config(&["mqtt"]).unwrap();
    for (version, suite, what) in [
        ([3, 4], [0x13, 0x02], "TLS 1.3, AES-256-GCM"),
        ([3, 3], [0xc0, 0x2c], "TLS 1.2, ECDHE-ECDSA, AES-256-GCM"),
        ([3, 3], [0xcc, 0xa9], "TLS 1.2, ECDHE-ECDSA, ChaCha20-Poly1305"),
    ] {
        assert!(is_taken(&config, &hello(version, suite, None)), "{what}");
        assert!(is_taken(&config, &hello(version, suite, Some("mqtt"))), "{what}, MQTT by ALPN");
        assert!(!is_taken(&config, &hello(version, suite, Some("h2"))), "{what}, HTTP at the door of MQTT");
    }
    for (version, suite, what) in [
        ([3, 2], [0xc0, 0x2c], "TLS 1.1"),
        ([3, 1], [0xc0, 0x09], "TLS 1.0"),
        ([3, 3], [0xc0, 0x24], "TLS 1.2, CBC"),
        ([3, 3], [0x00, 0x9d], "TLS 1.2 without forward secrecy"),
        ([3, 3], [0x00, 0x05], "RC4"),
    ] {
        assert!(!is_taken(&config, &hello(version, suite, None)), "{what}");
    }
}

#[test]
fn tls_config_has_no_early_data_and_only_the_documented_suites() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = RenewableCertificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
    let config = certificate.server_config(&[]).unwrap();
    assert_eq!(config.max_early_data_size, 0, "nothing is taken before the handshake: it could be replayed");
    assert!(config.crypto_provider().cipher_suites.iter().all(|suite| SUITES.contains(suite)));
}
