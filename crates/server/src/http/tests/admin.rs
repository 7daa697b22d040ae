//! The admin address.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

use super::fixture::Fixture;
use crate::admin;

#[tokio::test]
async fn the_counters_are_not_for_a_name_that_is_not_the_realms_nor_for_a_page() {
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
