//! The admin address: `/metrics` without authentication, everything else with an owner's token.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use crate::app::App;
use crate::http::check_admin;
use crate::identity::claims;
use crate::motion::SharedThreadCounters;

/// The routes of the admin address.
pub(crate) fn router(app: App) -> Router {
    let owners = Router::new()
        .route("/", get(status))
        .fallback(StatusCode::NOT_FOUND)
        .layer(middleware::from_fn_with_state(app.clone(), owners_only));
    // Without this guard a page of another site could read the counters through a host name of its own for this
    // address (DNS rebinding).
    let guard = middleware::from_fn_with_state(app.clone(), check_admin);
    Router::new().route("/metrics", get(page)).merge(owners).layer(guard).with_state(app)
}

async fn page(State(app): State<App>) -> Response {
    let text = app.metrics.render(app.intake.counters(), app.motion.figures().map(SharedThreadCounters::get));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

async fn status(State(app): State<App>) -> Response {
    let people = app.realm.people().await.unwrap_or_default();
    let scenes: Vec<_> =
        people.iter().map(|(name, people)| json!({"scene": name.to_string(), "people": people})).collect();
    Json(json!({"version": env!("CARGO_PKG_VERSION"), "ports": app.ports, "scenes": scenes})).into_response()
}

async fn owners_only(State(app): State<App>, request: Request, next: Next) -> Response {
    match bearer(request.headers()).map(|token| app.keys.verify(token)) {
        Some(Ok(claims)) if claims::is_realm_owner(&claims) => next.run(request).await,
        Some(Ok(_)) => (StatusCode::FORBIDDEN, "the admin address is for the realm's owner").into_response(),
        _ => (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], "an owner's token is needed")
            .into_response(),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
