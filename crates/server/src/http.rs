//! The HTTP endpoints: Stoa's API, the routes that ARENA's programs expect of a host, uploads, pages, the upgrades to
//! MQTT and to the motion plane over WebSocket, and the admin address.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{any, get};

mod account;
pub(crate) mod admin;
mod arena;
mod body;
mod caller;
mod change_rate_limit;
mod cookies;
mod guard;
mod history;
mod invitations;
mod moderation;
mod motion_ticket;
mod open_requests;
mod openapi;
mod owned_scene;
mod page;
mod pages;
mod pictures;
mod problem;
mod query;
mod rate_limit;
mod scenes;
mod sign_in;
mod storing;
mod streaming;
#[cfg(test)]
mod tests;
mod token;
mod transfer;
mod trust;
mod uploads;
pub(crate) mod websocket;

use change_rate_limit::ChangeRateLimiter;
pub(crate) use guard::check_admin;
pub(crate) use problem::Problem;
use rate_limit::{RateAndBurst, RequestRateLimiter};

use crate::app::App;
use crate::app::slots::{RequestSlotLimits, RequestSlots};
use crate::limits;

/// The endpoint that a router serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HttpEndpointAddress {
    /// HTTPS rather than plain HTTP.
    pub secure: bool,
    /// The bound address.
    pub address: SocketAddr,
}

/// The client's address, which the endpoint adds to each request's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeerSocketAddress(pub SocketAddr);

/// State of the routes.
pub(crate) struct RouteState {
    app: App,
    endpoint: HttpEndpointAddress,
    /// Slots for histories, restores, and copies through `/persist`.
    reading: RequestSlots,
    /// Slots for making parts of snapshots and of `/persist` listings.
    streaming: RequestSlots,
    /// Slots for sending exports.
    exports: RequestSlots,
    /// Rate of QR codes.
    codes: RequestRateLimiter,
    /// Rate of requests to the API and to most of ARENA's routes.
    requests: RequestRateLimiter,
    /// Rate of changes by account and by address.
    changes: ChangeRateLimiter,
    /// Rate of guest tokens.
    guests: RequestRateLimiter,
    /// Rate of an account's tokens, upload tokens included.
    tokens: RequestRateLimiter,
    /// Rate of motion tickets.
    motion_tickets: RequestRateLimiter,
    /// Rate of reading scenes, lists of scenes and histories, in KiB.
    readings: RequestRateLimiter,
    /// Rate of objects changed by restores.
    restores: RequestRateLimiter,
    /// Rate of requests that create an account or reset a password by a link.
    joins: RequestRateLimiter,
    /// Rate of requests to redeem an invitation.
    redeems: RequestRateLimiter,
}

/// The state, as axum's extractor.
pub(crate) type RouteStateExtractor = axum::extract::State<Arc<RouteState>>;

impl RouteState {
    /// The running server.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    fn new(app: App, endpoint: HttpEndpointAddress) -> RouteState {
        let rate = |per_s, burst| RateAndBurst { per_s, burst };
        let slots =
            |all: usize, each: usize| RequestSlots::new(RequestSlotLimits { all, account: each, network: each });
        RouteState {
            app,
            endpoint,
            reading: slots(limits::READINGS_MAX, 1),
            streaming: slots(limits::STREAMINGS_MAX, limits::STREAMINGS_PER_ADDRESS_MAX),
            exports: slots(limits::EXPORTS_MAX, limits::EXPORTS_PER_ACCOUNT_MAX),
            guests: RequestRateLimiter::new(
                rate(limits::GUEST_TOKENS_PER_S, limits::GUEST_TOKENS_BURST),
                rate(limits::GUESTS_TOKENS_PER_S, limits::GUESTS_TOKENS_BURST),
            ),
            tokens: RequestRateLimiter::new(
                rate(limits::ACCOUNT_TOKENS_PER_S, limits::ACCOUNT_TOKENS_BURST),
                rate(limits::ACCOUNTS_TOKENS_PER_S, limits::ACCOUNTS_TOKENS_BURST),
            ),
            motion_tickets: RequestRateLimiter::new(
                rate(limits::MOTION_TICKETS_PER_S, limits::MOTION_TICKETS_BURST),
                rate(limits::ALL_MOTION_TICKETS_PER_S, limits::ALL_MOTION_TICKETS_BURST),
            ),
            readings: RequestRateLimiter::new(
                rate(limits::READ_KIB_PER_S, limits::READ_KIB_BURST),
                rate(limits::ALL_READ_KIB_PER_S, limits::ALL_READ_KIB_BURST),
            ),
            restores: RequestRateLimiter::new(
                rate(limits::RESTORED_PER_S, limits::RESTORED_BURST),
                rate(limits::ALL_RESTORED_PER_S, limits::ALL_RESTORED_BURST),
            ),
            joins: RequestRateLimiter::new(
                rate(1, limits::JOINS_BURST),
                rate(limits::ALL_JOINS_PER_S, limits::ALL_JOINS_BURST),
            ),
            redeems: RequestRateLimiter::new(
                rate(limits::REDEEMS_PER_S, limits::REDEEMS_BURST),
                rate(limits::ALL_REDEEMS_PER_S, limits::ALL_REDEEMS_BURST),
            ),
            requests: RequestRateLimiter::new(
                rate(limits::API_REQUESTS_PER_S, limits::API_REQUESTS_BURST),
                rate(limits::ALL_API_REQUESTS_PER_S, limits::ALL_API_REQUESTS_BURST),
            ),
            codes: RequestRateLimiter::new(
                rate(limits::QR_CODES_PER_S, limits::QR_CODES_BURST),
                rate(limits::ALL_QR_CODES_PER_S, limits::ALL_QR_CODES_BURST),
            ),
            changes: ChangeRateLimiter::new(),
        }
    }
}

/// All routes of one endpoint.
pub(crate) fn router(app: App, endpoint: HttpEndpointAddress) -> Router {
    routes(Arc::new(RouteState::new(app, endpoint)))
}

fn routes(web: Arc<RouteState>) -> Router {
    let (routes, description) = openapi::routes(web.endpoint);
    routes
        .route("/user", any(arena::login::profile))
        .route("/user/", any(arena::login::profile))
        .route("/user/{*rest}", any(arena::outdated))
        .route("/storemng", get(arena::files_page::enter))
        .route("/storemng/", get(arena::files_page::enter))
        .route("/storemng/files", get(arena::files_page::top))
        .route("/storemng/files/", get(arena::files_page::top))
        .route("/storemng/files.js", get(arena::files_page::script))
        .route("/storemng/api/resources/", get(arena::storage::look_at_top))
        .route("/mqtt", any(websocket::upgrade))
        .route("/mqtt/", any(websocket::upgrade))
        .route("/motion", any(websocket::upgrade_to_motion))
        .fallback(pages::serve)
        .method_not_allowed_fallback(problem::method_not_allowed)
        .layer(openapi::OpenApiDocument::layer(description))
        .layer(DefaultBodyLimit::max(limits::JSON_BYTES_MAX))
        .layer(middleware::from_fn_with_state(Arc::clone(&web), guard::check))
        .with_state(web)
}
