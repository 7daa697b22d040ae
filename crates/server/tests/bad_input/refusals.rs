//! Requests that HTTP refuses.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::tls_to;
use crate::http::{ask, read_answer};
use crate::stage::Stage;

/// The expected status, the request line, the headers and the body.
type Bad<'a> = (u16, &'a str, Vec<(&'a str, &'a str)>, &'a str);

#[tokio::test]
async fn a_refused_request_gets_a_problem_document_and_is_counted() {
    let mut stage = Stage::set().await;
    let address = stage.server.ports.http.unwrap();
    let own = format!("http://{address}");
    let guest = format!("Bearer {}", stage.guest().await.token);
    let scene = json!({"scene": "public/sandbox"}).to_string();
    let upgrade = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Origin", "http://evil.example")];
    let requests: Vec<Bad<'_>> = vec![
        (421, "GET /api/v1/me", vec![("Host", "evil.example")], ""),
        (421, "POST /api/v1/token", vec![("Host", "localhost.evil.example")], &scene),
        (400, "GET /api/v1/me", vec![("Host", "localhost"), ("Host", "evil.example")], ""),
        (403, "POST /api/v1/token", vec![("Origin", "http://evil.example")], &scene),
        (403, "POST /api/v1/login", vec![("Origin", "null")], "{}"),
        (403, "POST /api/v1/logout", vec![("Sec-Fetch-Site", "cross-site")], ""),
        (403, "GET /mqtt/", upgrade.to_vec(), ""),
        (400, "POST /api/v1/token", vec![("Origin", &own)], "{"),
        (400, "POST /api/v1/token", vec![], r#"{"scene":"../../etc"}"#),
        (400, "POST /api/v1/token", vec![], r#"{"scene":"public/lobby","role":"owner"}"#),
        (404, "POST /api/v1/token", vec![], r#"{"scene":"public/nowhere"}"#),
        (401, "GET /api/v1/me", vec![("Authorization", "Bearer a.b.c")], ""),
        (401, "GET /api/v1/me", vec![("Authorization", "Basic YTpi")], ""),
        (401, "GET /api/v1/scenes/public/sandbox/snapshot", vec![], ""),
        (403, "GET /api/v1/scenes/public/lobby/snapshot", vec![("Authorization", &guest)], ""),
        (403, "PUT /api/v1/scenes/public/mine", vec![("Authorization", &guest)], "{}"),
        (403, "DELETE /api/v1/scenes/public/sandbox", vec![("Authorization", &guest)], ""),
        (403, "POST /api/v1/scenes/public/sandbox/reset", vec![("Authorization", &guest)], ""),
        (401, "PUT /api/v1/store/users/somebody/a.txt", vec![("Authorization", &guest)], "x"),
        (400, "PUT /api/v1/store/users/../../etc/passwd", vec![], "x"),
        (400, "PUT /api/v1/store/users%2f..%2f..%2fetc%2fpasswd", vec![], "x"),
        (400, "GET /store/users/somebody/%2e%2e/%2e%2e/keys/tokens.pem", vec![], ""),
        (400, "GET /store/..%5c..%5ckeys%5ctokens.pem", vec![], ""),
        (400, "GET /store/users/somebody/a%00b", vec![], ""),
        (405, "DELETE /api/v1/me", vec![], ""),
    ];
    for (status, line, headers, body) in requests {
        let name = format!("stoa_http_refused_total{{status=\"{status}\"}}");
        let before = stage.counter(&name).await;
        let detail = ask(address, line, &headers, body).await.problem(status);
        assert!(!detail.is_empty() && !detail.contains("a.b.c"), "{line}: {detail}");
        assert_eq!(stage.counter(&name).await, before + 1, "{line} is counted");
    }
    let good = ask(address, "POST /api/v1/token", &[("Origin", &own)], &scene).await;
    assert_eq!(good.status, 200, "negative control: from its own page it is taken");
    stage.nothing_was_forwarded("refused requests").await;
}

#[tokio::test]
async fn a_post_over_https_from_an_http_origin_of_the_same_host_gets_403() {
    let stage = Stage::set().await;
    let address = stage.server.ports.https.unwrap();
    let status = async |origin: String| {
        let mut stream = tls_to(&stage.server, address).await;
        let request = format!(
            "POST /api/v1/logout HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        read_answer(&mut stream).await.status
    };
    assert_eq!(status(format!("http://{address}")).await, 403);
    assert_eq!(status(format!("https://{address}")).await, 204, "negative control");
}

#[tokio::test]
async fn an_incomplete_request_ends_at_its_timeout() {
    let mut stage = Stage::set().await;
    let address = stage.server.ports.http.unwrap();
    let half = async |text: String| {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    };
    let mut headers = half("POST /api/v1/token HTTP/1.1\r\nHost: loc".into()).await;
    let mut body = half(format!(
        "POST /api/v1/token HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 99\r\n\r\n{{"
    ))
    .await;
    stage.nothing_was_forwarded("half a request").await;
    let told = read_answer(&mut body).await.problem(408);
    assert!(told.contains("10 s"), "{told}");
    assert_eq!(stage.counter("stoa_http_refused_total{status=\"408\"}").await, 1);
    let told = read_answer(&mut headers).await;
    assert!([0, 408].contains(&told.status), "{}", told.head);
    stage.nothing_was_forwarded("half a request that was given up").await;
}
