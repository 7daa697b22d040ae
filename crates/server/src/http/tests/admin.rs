//! The admin address.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

use super::fixture::Fixture;
use crate::http::admin;

#[tokio::test]
async fn metrics_are_refused_to_foreign_host_names_and_to_web_pages() {
    let realm = Fixture::open().await;
    let status = async |host: &str, origin: Option<&str>| {
        let mut request = Request::get("/metrics").header(header::HOST, host);
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        admin::router(realm.app.clone()).oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
    };
    assert_eq!(status("evil.example:8445", None).await, StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(status("localhost:8445", Some("http://localhost:8080")).await, StatusCode::FORBIDDEN);
    for host in ["localhost:8445", "127.0.0.1:8445", "[::1]:8445"] {
        assert_eq!(status(host, None).await, StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn every_response_carries_the_security_headers() {
    let realm = Fixture::open().await;
    let ask = |host: &str| Request::get("/metrics").header(header::HOST, host).body(Body::empty()).unwrap();
    let mut answers = Vec::new();
    for host in ["localhost:8445", "evil.example"] {
        answers.push(admin::router(realm.app.clone()).oneshot(ask(host)).await.unwrap().headers().clone());
        answers.push(realm.send(ask(host)).await.headers);
    }
    for headers in answers {
        let told = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        assert_eq!((told("x-content-type-options"), told("x-frame-options")), ("nosniff".into(), "DENY".into()));
        assert!(told("content-security-policy").contains("frame-ancestors 'none'"), "{headers:?}");
        assert!(told("permissions-policy").contains("payment=()"), "{headers:?}");
        assert!(!told("permissions-policy").contains("bluetooth"), "browsers warn of a name they do not know");
        assert_eq!(told("referrer-policy"), "same-origin");
    }
}
