//! Checks that each request is meant for this realm, and that no page of another site sends a write. Without these
//! checks such a page could act in a visitor's name, or reach a realm on loopback through a host name of its own (DNS
//! rebinding). Also bounds requests in progress and their rate, and adds security headers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use stoa_net::entrance::PATH;
use stoa_state::network::ClientNetwork;

use super::open_requests::OpenRequest;
use super::problem::ProblemPageFields;
use super::rate_limit::RequestNetwork;
use super::{HttpEndpointAddress, Problem, RouteState};

use crate::app::App;
use crate::identity::accounts::FIRST_SEGMENTS;

/// Content security policy of responses that aren't pages.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";
/// Permissions policy for the realm's pages and everything they embed. It lists only names that browsers know, because
/// browsers warn about unknown names, such as `bluetooth`, in every page.
const PERMISSIONS: &str = "camera=(self), microphone=(self), geolocation=(self), xr-spatial-tracking=(self), payment=(), usb=(), serial=(), hid=(), midi=()";

/// The checked authority of a request, which routes read from its extensions.
#[derive(Clone, Debug)]
pub(super) struct CheckedAuthority(pub(super) Authority);

impl CheckedAuthority {
    /// The name or address, IPv6 in brackets.
    pub(super) fn host(&self) -> &str {
        self.0.host()
    }
}

/// Rejects requests above the bound of requests in progress or above a rate (429), requests for other hosts (421), and
/// writes by pages of other sites (403). Counts every 4xx response, also those of routes.
pub(super) async fn check(State(web): State<Arc<RouteState>>, request: Request, next: Next) -> Response {
    let reads_pages = reads_pages(&request);
    let begun = OpenRequest::begin(&web.app.open_requests, &request).await;
    let (open, passed) = match begun {
        Ok(open) => (Some(open), pass(&web, request, next).await),
        Err(refused) => (None, Err(refused.into())),
    };
    let mut response = hardened(passed.into_response());
    if let Some(told) = response.extensions().get::<ProblemPageFields>().filter(|_| reads_pages).cloned() {
        // Retry-After and the like are kept.
        let (mut parts, _) = response.into_parts();
        let page = told.page();
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.extend(page.headers().clone());
        response = Response::from_parts(parts, page.into_body());
    }
    if response.status().is_client_error() {
        web.app.metrics.http_refused(response.status().as_u16());
    }
    match open {
        Some(open) => open.until_ended(response),
        None => response,
    }
}

/// Checks requests to the admin address, which has no pages.
pub(crate) async fn check_admin(State(app): State<App>, request: Request, next: Next) -> Response {
    let answer = async {
        our_site_of(&app, &request)?;
        match request.headers().get(header::ORIGIN) {
            None => Ok(next.run(request).await),
            Some(origin) => {
                Err(Problem::forbidden(format!("the admin address is not for pages, and {origin:?} is one")))
            }
        }
    };
    let response = hardened(answer.await.into_response());
    if response.status().is_client_error() {
        app.metrics.http_refused(response.status().as_u16());
    }
    response
}

/// Whether a person follows a link or typed the address. Programs don't accept HTML, and pages request JSON from the
/// API.
fn reads_pages(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    matches!(*request.method(), Method::GET | Method::HEAD)
        && accepts.is_some_and(|accepts| accepts.contains("text/html"))
        && has_error_pages(request.uri().path())
}

/// Whether errors at this path are pages for requests that accept HTML.
pub(super) fn has_error_pages(path: &str) -> bool {
    !["/api/", "/persist/", "/conf/"].iter().any(|start| path.starts_with(start))
}

/// First segments of routes without a rate of requests. Except `store`, which reads the database, they use neither the
/// realm nor the database, or have limits of their own.
const UNPACED: [&str; 10] =
    [".well-known", "assets", "conf", "healthz", "motion", "mqtt", "openapi", "readyz", "static", "store"];

/// Whether requests to this path have a rate. Scenes' pages have none.
fn is_paced(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    FIRST_SEGMENTS.contains(&first) && !UNPACED.contains(&first)
}

async fn pass(web: &RouteState, mut request: Request, next: Next) -> Result<Response, Problem> {
    let network = RequestNetwork::of(request.extensions().get());
    if is_paced(request.uri().path()) && !network.0.is_some_and(ClientNetwork::is_here) {
        web.requests.ask(network)?;
    }
    let site = our_site_of(&web.app, &request)?;
    if writes(&request) {
        check_origin(web.endpoint, request.headers(), &site)?;
    }
    request.extensions_mut().insert(site);
    Ok(next.run(request).await)
}

/// Adds the security headers to a response, refusals of this guard included.
fn hardened(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NO_PAGE));
    headers.entry(header::X_FRAME_OPTIONS).or_insert(HeaderValue::from_static("DENY"));
    response
}

fn our_site_of(app: &App, request: &Request) -> Result<CheckedAuthority, Problem> {
    let site = site_of(request)?;
    if is_ours(app, site.host()) {
        return Ok(site);
    }
    let detail = format!("{:?} is not a name of this server; start it with --public-host to add one", site.host());
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}

/// The authority of the request's URI, which HTTP/2 sends as `:authority`, or else of `Host`.
fn site_of(request: &Request) -> Result<CheckedAuthority, Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let from_header = match (hosts.next(), hosts.next()) {
        (Some(_), Some(_)) => return Err(Problem::bad_request("the request has more than one Host")),
        (Some(host), None) => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
        (None, _) => None,
    };
    let authority = request.uri().authority().cloned().or(from_header);
    let site = authority.filter(|authority| !authority.as_str().contains('@')).map(CheckedAuthority);
    site.ok_or_else(|| Problem::bad_request("the request has no usable Host"))
}

fn is_ours(app: &App, host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let same = |name: &str| name.eq_ignore_ascii_case(bare);
    ["localhost", "127.0.0.1", "::1"].into_iter().any(same)
        || app.hosts.iter().any(|name| same(name))
        || app.config.public_host.as_deref().is_some_and(same)
}

/// Whether a request writes. A WebSocket begins with GET, but can do everything a write can.
fn writes(request: &Request) -> bool {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    !reads
        || request.headers().contains_key(header::UPGRADE)
        || request.uri().path().starts_with("/mqtt")
        || request.uri().path() == PATH
}

/// Checks the origin of a write. Browsers send `Origin` or `Sec-Fetch-Site`. Programs send neither, and have no cookies
/// that another site could abuse.
// A proxy may speak HTTPS in front of our plain endpoint. Our HTTPS endpoint has only TLS clients, so a page of the
// same name without TLS may have been changed on its path, and counts as another site.
fn check_origin(endpoint: HttpEndpointAddress, headers: &HeaderMap, site: &CheckedAuthority) -> Result<(), Problem> {
    let from_elsewhere = |origin: &str| Problem::forbidden(format!("origin {origin:?} is not this server's"));
    if let Some(origin) = headers.get(header::ORIGIN) {
        let text = origin.to_str().unwrap_or("?");
        let plain = || text.strip_prefix("http://").filter(|_| !endpoint.secure);
        let authority = text.strip_prefix("https://").or_else(plain);
        let same = authority.is_some_and(|authority| authority.eq_ignore_ascii_case(site.0.as_str()));
        return if same { Ok(()) } else { Err(from_elsewhere(text)) };
    }
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(from_elsewhere("untold")),
    }
}
