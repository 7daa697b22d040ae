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
    Certificate::load_or_create(dir.path(), &names(&["localhost", "127.0.0.1"]), None).unwrap();
    for key in ["key.pem", "ca-key.pem"] {
        let mode = dir.path().join("tls").join(key).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{key}");
    }
    assert!(read(dir.path(), "cert.pem").ends_with(&read(dir.path(), "ca.pem")));
}

#[test]
fn a_certificate_is_kept_until_it_lacks_a_name() {
    let dir = tempfile::tempdir().unwrap();
    let certificate = Certificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
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
    Certificate::load_or_create(dir.path(), &names(&["localhost"]), None).unwrap();
    let ca = read(dir.path(), "ca.pem");
    Certificate::load_or_create(dir.path(), &names(&["localhost", "xr.example"]), Some("xr.example")).unwrap();
    assert_ne!(read(dir.path(), "ca.pem"), ca);
}

#[test]
fn a_public_address_is_not_vouched_for_unless_named() {
    let dir = tempfile::tempdir().unwrap();
    Certificate::load_or_create(dir.path(), &names(&["localhost", "203.0.113.9"]), None).unwrap();
    assert!(!read(dir.path(), "holdings.json").contains("203.0.113.9"));
    Certificate::load_or_create(dir.path(), &names(&["localhost", "203.0.113.9"]), Some("203.0.113.9")).unwrap();
    assert!(read(dir.path(), "holdings.json").contains("203.0.113.9"));
}
