//! Motion tickets over HTTP. Source: `spec/wire.md` section 1.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use stoa_state::grant::Claims;
use stoa_state::network::ClientNetwork;
use stoa_wire::reason::Reason;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{Caller, ReconfirmableCaller};
use super::guard::CheckedAuthority;
use super::problem::ProblemDocument;
use super::scenes::{closed, scene_name_of};
use super::token::admission_problem;
use super::{PeerSocketAddress, Problem, RouteState, RouteStateExtractor, rate_limit};
use crate::limits;
use crate::motion::{TicketDocument, TicketRequestContext};
use crate::realm_task::RealmError;

/// A request for a motion ticket.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MotionTicketRequest {
    /// `<namespace>/<scene>`.
    scene: String,
}

impl FromRequestParts<Arc<RouteState>> for TicketRequestContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<RouteState>) -> Result<TicketRequestContext, Infallible> {
        let host = parts.extensions.get::<CheckedAuthority>().map(|site| site.0.to_string());
        let address = parts.extensions.get::<PeerSocketAddress>().map(|client| client.0.ip());
        // A proxy may speak HTTPS in front of our plain endpoint. The page's origin then begins with `https://`.
        let origin = parts.headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let is_secure = web.endpoint.secure || origin.is_some_and(|origin| origin.starts_with(b"https://"));
        Ok(TicketRequestContext { host, is_secure, address })
    }
}

/// Issues a ticket to a scene's motion plane.
///
/// For the bearer of a token for one client in that scene. A ticket admits one motion session by each transport.
#[utoipa::path(post, path = "/api/v1/motion-ticket", operation_id = "issue_motion_ticket", tag = "scenes", request_body = MotionTicketRequest, responses(
    (status = 200, body = TicketDocument), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn issue(
    web: RouteStateExtractor,
    revalidated: ReconfirmableCaller,
    requester: TicketRequestContext,
    Json(request): Json<MotionTicketRequest>,
) -> Result<Response, Problem> {
    let Caller::Bearer(claims) = &revalidated.caller else {
        return Err(Problem::unauthorized("a token of the scene is needed: Authorization: Bearer"));
    };
    // Programs on this machine are under its operator's control, so they are not limited.
    let network = requester.address.map(ClientNetwork::from);
    if !network.is_some_and(ClientNetwork::is_here) {
        web.motion_tickets.ask(rate_limit::RequestNetwork(network))?;
    }
    let scene = scene_name_of(&request.scene)?;
    let guest = claims.guest;
    let grant = match web.app.realm.grant_motion(scene.clone(), Claims::clone(claims), network).await {
        Ok(grant) => grant,
        Err(RealmError::Refused(refused)) if refused.reason == Reason::Flood => {
            return Err(Problem::too_many(refused.to_string(), limits::MOTION_TICKET_TTL));
        }
        Err(RealmError::Refused(refused)) if refused.reason == Reason::WrongIdentity => {
            return Err(Problem::forbidden(
                "this token is not for one client: request a scene token with it by POST /api/v1/token",
            ));
        }
        Err(error @ (RealmError::Refused(_) | RealmError::NoSuchScene)) => {
            if let RealmError::Refused(refused) = error
                && let Some(problem) = admission_problem(&scene, &refused)
            {
                return Err(problem);
            }
            let settings = web.app.store.scene(&scene).await?;
            return Err(closed(&scene, settings.as_ref(), guest, "use this token for"));
        }
        Err(error) => return Err(error.into()),
    };
    // From here on, any end of the token ends the grant.
    if let Err(problem) = revalidated.confirm(&web).await {
        web.app.motion.end(grant.id, scene);
        web.app.realm.end_motion_grant(grant.id).await?;
        return Err(problem);
    }
    // The token may have ended during the request.
    let ended = || Problem::unauthorized("the token has just expired or been revoked");
    let document = web.app.motion.document(grant.id, &requester).ok_or_else(ended)?;
    // The ticket is a secret, so no cache may store it.
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(document)).into_response())
}
