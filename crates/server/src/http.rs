//! The HTTP doors: the API of ours, what ARENA's programs ask of a host, uploads, pages, and the way to MQTT over WebSocket.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{any, get};
use axum::{Extension, Router};

mod account;
pub(crate) mod admin;
mod arena;
mod body;
mod caller;
mod cookies;
mod guard;
mod history;
mod invitations;
mod moderation;
mod motion_ticket;
mod openapi;
mod owned_scene;
mod pace;
mod page;
mod pages;
mod pictures;
mod problem;
mod scenes;
mod sign_in;
mod streaming;
#[cfg(test)]
mod tests;
mod token;
mod transfer;
mod trust;
mod uploads;
pub(crate) mod websocket;

pub(crate) use guard::check_admin;
use pace::{Asker, Pace};
pub(crate) use problem::Problem;

use crate::app::App;
use crate::app::slots::Places;
use crate::identity::accounts::hashing::Hashing;
use crate::limits;

/// The listener that a router serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    /// HTTPS.
    pub secure: bool,
    /// Where it listens.
    pub address: SocketAddr,
}

/// Who asks, by address: an extension of each request, put there by the listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub SocketAddr);

/// What routes are given.
pub(crate) struct Web {
    app: App,
    door: Door,
    /// Places for passwords that are being hashed or compared.
    hashing: Hashing,
    /// Places for scenes that are being read whole.
    reading: Places<Asker>,
    /// Places for snapshots on their way out.
    streaming: Places<Asker>,
    /// Places for exports on their way out.
    exports: Places<String>,
    /// Tokens for guests.
    guests: Pace,
    /// Tickets to the motion plane.
    motion_tickets: Pace,
    /// KiB of scenes that are read whole.
    readings: Pace,
    /// Objects that restores change.
    restores: Pace,
    /// Accounts that make themselves.
    joins: Pace,
    /// Invitations that are redeemed.
    redeems: Pace,
}

/// As routes take it.
pub(crate) type Shared = axum::extract::State<Arc<Web>>;

impl Web {
    /// The running server.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    fn new(app: App, door: Door) -> Web {
        Web {
            app,
            door,
            hashing: Hashing::default(),
            reading: Places::new(limits::READINGS_MAX, 1),
            streaming: Places::new(limits::STREAMINGS_MAX, limits::STREAMINGS_PER_ADDRESS_MAX),
            exports: Places::new(limits::EXPORTS_MAX, limits::EXPORTS_PER_ACCOUNT_MAX),
            guests: Pace::new(limits::GUEST_TOKENS_PER_S, limits::GUEST_TOKENS_BURST),
            motion_tickets: Pace::new(limits::MOTION_TICKETS_PER_S, limits::MOTION_TICKETS_BURST),
            readings: Pace::new(limits::READ_KIB_PER_S, limits::READ_KIB_BURST),
            restores: Pace::new(limits::RESTORED_PER_S, limits::RESTORED_BURST),
            joins: Pace::new(1, limits::JOINS_BURST),
            redeems: Pace::new(limits::REDEEMS_PER_S, limits::REDEEMS_BURST),
        }
    }
}

/// All routes of one door.
pub(crate) fn router(app: App, door: Door) -> Router {
    routes(Arc::new(Web::new(app, door)))
}

fn routes(web: Arc<Web>) -> Router {
    let (routes, description) = openapi::routes();
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
        .layer(Extension(Arc::new(description)))
        .layer(DefaultBodyLimit::max(limits::JSON_BYTES_MAX))
        .layer(middleware::from_fn_with_state(Arc::clone(&web), guard::check))
        .with_state(web)
}
