//! Before every route: is the request meant for this realm, and does it come from a page of this realm? A page elsewhere could otherwise act in a
//! visitor's name, or reach a realm on loopback by a name of its own (DNS rebinding).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use stoa_net::entrance::PATH;

use super::problem::Told;
use super::{Door, Problem, Web};

use crate::app::App;

/// What is no page may do nothing of a page.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";
/// What no page of the realm's, nor any that it shows, may ask a person for. Names that browsers know: of any other (`bluetooth`) they warn in
/// every page.
const PERMISSIONS: &str = "camera=(self), microphone=(self), geolocation=(self), xr-spatial-tracking=(self), payment=(), usb=(), serial=(), hid=(), midi=()";

/// The authority a request is for, checked: routes read it from the extensions.
#[derive(Clone, Debug)]
pub(super) struct Site(pub(super) Authority);

impl Site {
    /// The name or address, IPv6 in brackets.
    pub(super) fn host(&self) -> &str {
        self.0.host()
    }
}

/// Refuses what isn't for us (421) or comes from elsewhere (403), and counts whatever was refused, here or later.
pub(super) async fn check(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let reads_pages = reads_pages(&request);
    let mut response = hardened(pass(&web, request, next).await.into_response());
    if let Some(told) = response.extensions().get::<Told>().filter(|_| reads_pages).cloned() {
        // Retry-After and the like stay.
        let (mut parts, _) = response.into_parts();
        let page = told.page();
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.extend(page.headers().clone());
        response = Response::from_parts(parts, page.into_body());
    }
    if response.status().is_client_error() {
        web.app.metrics.http_refused(response.status().as_u16());
    }
    response
}

/// The same for the admin address, which no page belongs to.
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

/// A person who typed an address or followed a link, and not a program: programs name no HTML, and pages ask the API for JSON.
fn reads_pages(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    matches!(*request.method(), Method::GET | Method::HEAD)
        && accepts.is_some_and(|accepts| accepts.contains("text/html"))
        && !["/api/", "/persist/", "/conf/"].iter().any(|start| request.uri().path().starts_with(start))
}

async fn pass(web: &Web, mut request: Request, next: Next) -> Result<Response, Problem> {
    let site = our_site_of(&web.app, &request)?;
    if writes(&request) {
        check_origin(web.door, request.headers(), &site)?;
    }
    request.extensions_mut().insert(site);
    Ok(next.run(request).await)
}

/// What browsers are told of every answer, refusals of the guard's own included.
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

fn our_site_of(app: &App, request: &Request) -> Result<Site, Problem> {
    let site = site_of(request)?;
    if is_ours(app, site.host()) {
        return Ok(site);
    }
    let detail = format!("{:?} is not a name of this realm; start it with --public-host to add one", site.host());
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}

/// HTTP/2 has the authority in the request's line, HTTP/1.1 in `Host`.
fn site_of(request: &Request) -> Result<Site, Problem> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let from_header = match (hosts.next(), hosts.next()) {
        (Some(_), Some(_)) => return Err(Problem::bad_request("the request has more than one Host")),
        (Some(host), None) => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
        (None, _) => None,
    };
    let authority = request.uri().authority().cloned().or(from_header);
    let site = authority.filter(|authority| !authority.as_str().contains('@')).map(Site);
    site.ok_or_else(|| Problem::bad_request("the request has no usable Host"))
}

fn is_ours(app: &App, host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let same = |name: &str| name.eq_ignore_ascii_case(bare);
    ["localhost", "127.0.0.1", "::1"].into_iter().any(same)
        || app.hosts.iter().any(|name| same(name))
        || app.config.public_host.as_deref().is_some_and(same)
}

/// A WebSocket can do all that a write can, though it begins with GET.
fn writes(request: &Request) -> bool {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    !reads
        || request.headers().contains_key(header::UPGRADE)
        || request.uri().path().starts_with("/mqtt")
        || request.uri().path() == PATH
}

/// Browsers always tell where a write comes from; programs tell nothing and have no cookies that somebody else could use.
// A proxy may speak HTTPS in front of our plain door; in front of our HTTPS door nobody speaks anything else, so a page of the same name that came
// without TLS, from whoever sits on the way, is elsewhere.
fn check_origin(door: Door, headers: &HeaderMap, site: &Site) -> Result<(), Problem> {
    let from_elsewhere = |origin: &str| Problem::forbidden(format!("origin {origin:?} is not this realm's"));
    if let Some(origin) = headers.get(header::ORIGIN) {
        let text = origin.to_str().unwrap_or("?");
        let plain = || text.strip_prefix("http://").filter(|_| !door.secure);
        let authority = text.strip_prefix("https://").or_else(plain);
        let same = authority.is_some_and(|authority| authority.eq_ignore_ascii_case(site.0.as_str()));
        return if same { Ok(()) } else { Err(from_elsewhere(text)) };
    }
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(from_elsewhere("untold")),
    }
}
