//! Set-up of other devices.

use axum::http::header;

use super::fixture::Fixture;
use crate::limits;

#[tokio::test]
async fn the_ca_certificate_is_downloadable_and_its_key_is_not() {
    let realm = Fixture::open().await;
    realm.get("/api/v1/ca.pem", "").await.problem(404);
    let folder = realm.app.config.data.join("tls");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("ca.pem"), "-----BEGIN CERTIFICATE-----").unwrap();
    let answer = realm.get("/api/v1/ca.pem", "").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header(header::CONTENT_TYPE), "application/x-x509-ca-cert");
    std::fs::write(folder.join("ca-key.pem"), "secret").unwrap();
    realm.get("/api/v1/ca-key.pem", "").await.problem(404);
}

#[tokio::test]
async fn a_text_is_returned_as_a_qr_code_up_to_its_size_limit() {
    let realm = Fixture::open().await;
    let answer = realm.get("/api/v1/qr.svg?text=https%3A%2F%2F192.0.2.7%3A8443%2F", "").await;
    assert_eq!((answer.status.as_u16(), answer.header(header::CONTENT_TYPE)), (200, "image/svg+xml"));
    let long = format!("/api/v1/qr.svg?text={}", "x".repeat(limits::QR_BYTES_MAX + 1));
    assert!(realm.get(&long, "").await.problem(400).contains("513"));
    realm.get("/api/v1/qr.svg", "").await.problem(400);
}
