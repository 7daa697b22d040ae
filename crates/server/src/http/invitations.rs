//! Invitation links to a scene. Its owner makes, lists and revokes them; other people redeem them. Source:
//! `spec/topics.md` section 3.1.

use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{GUEST, Invitation, Role, SceneSettings};
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::Caller;
use super::owned_scene::{OwnedScene, ShareActionMarker};
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::scenes::{no_scene, settings_of};
use super::token::{guest_cookie_of, removal_refusal};
use super::{Problem, RouteStateExtractor};
use crate::identity::accounts::secret;
use crate::limits;
use crate::os::clock;
use crate::store::{InvitationRow, Redeemer};

/// A request for an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateInvitationRequest {
    /// `viewer` or `editor`.
    #[schema(value_type = String)]
    role: Role,
    /// Lifetime in seconds, of the link and of the role that it gives.
    lasts_s: u64,
    /// Limit of redemptions, one for each person. Null for none.
    uses_max: Option<u32>,
}

/// An invitation.
#[derive(Serialize, ToSchema)]
pub(super) struct InvitationDocument {
    /// Id by which it is revoked.
    id: String,
    /// `viewer` or `editor`.
    #[schema(value_type = String)]
    role: Role,
    /// Expiry in Unix seconds.
    ends_at: u64,
    /// Limit of redemptions, one for each person. Null for none.
    uses_max: Option<u32>,
    /// Number of redemptions so far.
    uses: u32,
    /// Account that made it.
    by: String,
    /// The part of the link after `#invite=`. Returned only once, when the invitation is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

fn document_of(invitation: &Invitation, uses: u32, secret: Option<String>) -> InvitationDocument {
    let Invitation { id, role, ends, uses_max, by } = invitation.clone();
    InvitationDocument { id, role, ends_at: ends.0, uses_max, uses, by, secret }
}

/// Lists a scene's invitations that have not expired, used-up ones included.
///
/// For its owner.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/invitations", operation_id = "list_invitations", tag = "invitations", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 200, body = [InvitationDocument]), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn list(
    web: RouteStateExtractor,
    OwnedScene { name, settings, .. }: OwnedScene<ShareActionMarker>,
) -> Result<axum::Json<Vec<InvitationDocument>>, Problem> {
    let uses = web.app.store.invitation_uses(&name).await?;
    let of = |id: &str| uses.iter().find(|(used, _)| used == id).map_or(0, |(_, uses)| *uses);
    let now = clock::unix_now();
    let good = settings.invitations.iter().filter(|invitation| invitation.ends > now);
    Ok(axum::Json(good.map(|invitation| document_of(invitation, of(&invitation.id), None)).collect()))
}

/// Creates an invitation.
///
/// For the scene's owner. The secret is in this answer and nowhere else.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/invitations", operation_id = "create_invitation", tag = "invitations", request_body = CreateInvitationRequest, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 201, body = InvitationDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(super) async fn make(
    web: RouteStateExtractor,
    OwnedScene { name, settings, caller, .. }: OwnedScene<ShareActionMarker>,
    Json(request): Json<CreateInvitationRequest>,
) -> Result<Response, Problem> {
    request.check(&settings)?;
    let (id, secret) = (secret::fresh(), secret::fresh());
    let ends = UnixSeconds(clock::unix_now().0 + request.lasts_s);
    let by = caller.name().unwrap_or_default().to_owned();
    web.charge_settings(&name, &by, &settings).await?;
    let invitation = Invitation { id: id.clone(), role: request.role, ends, uses_max: request.uses_max, by };
    let row = InvitationRow { id, scene: name.clone(), uses_max: request.uses_max, ends };
    // The secret's hash is stored first: without an entry in the settings it grants nothing. The other order could
    // leave an entry in the settings that no link redeems.
    web.app.store.add_invitation(&secret::hash(&secret), &row).await?;
    let added = invitation.clone();
    let add = move |settings: &mut SceneSettings| {
        let has_room = settings.invitations.len() < limits::INVITATIONS_PER_SCENE_MAX;
        if has_room {
            settings.invitations.push(added);
        }
        has_room
    };
    match web.app.registrar.change_and_tell(name.clone(), add).await? {
        Some(true) => {}
        Some(false) => return Err(no_room()),
        None => return Err(no_scene(&name)),
    }
    tracing::info!(scene = %name, id = invitation.id, by = invitation.by, role = ?invitation.role, "invitation created");
    Ok((StatusCode::CREATED, axum::Json(document_of(&invitation, 0, Some(secret)))).into_response())
}

impl CreateInvitationRequest {
    fn check(&self, settings: &SceneSettings) -> Result<(), Problem> {
        let wrong = |detail: String| Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        let longest = limits::INVITATION_TTL_MAX.as_secs();
        if self.role == Role::Owner {
            return wrong("an invitation gives the role viewer or editor; owners are in the scene's settings".into());
        }
        if !(1..=longest).contains(&self.lasts_s) {
            return wrong(format!("lasts_s is {}; it takes 1 to {longest}", self.lasts_s));
        }
        if self.uses_max == Some(0) {
            return wrong("uses_max is 0; it takes 1 or more, or null".into());
        }
        if settings.invitations.len() >= limits::INVITATIONS_PER_SCENE_MAX {
            return Err(no_room());
        }
        Ok(())
    }
}

fn no_room() -> Problem {
    let most = limits::INVITATIONS_PER_SCENE_MAX;
    let detail = format!("the scene has reached its limit of {most} invitations: revoke one first");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
}

/// Revokes an invitation.
///
/// People in the scene by it alone are disconnected.
#[utoipa::path(delete, path = "/api/v1/scenes/{namespace}/{scene}/invitations/{id}", operation_id = "revoke_invitation", tag = "invitations", params(
    ("namespace" = String, Path), ("scene" = String, Path), ("id" = String, Path)
), responses((status = 204), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn take_back(
    web: RouteStateExtractor,
    OwnedScene { name, settings, caller, .. }: OwnedScene<ShareActionMarker>,
    Path((_namespace, _scene, id)): Path<(String, String, String)>,
) -> Result<StatusCode, Problem> {
    if settings.invitation(&id).is_none() {
        return Err(Problem::not_found("this invitation no longer exists"));
    }
    let by = caller.name().unwrap_or_default();
    tracing::info!(scene = %name, id, by, "invitation revoked");
    let without = move |mut old: SceneSettings| {
        old.invitations.retain(|invitation| invitation.id != id);
        old
    };
    if web.app.registrar.change(name.clone(), without).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(no_scene(&name))
    }
}

/// The secret of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RedeemInvitationRequest {
    /// The part of the link after `#invite=`.
    secret: String,
}

/// The role that an invitation gives.
#[derive(Serialize, ToSchema)]
pub(super) struct RedeemedInvitationDocument {
    /// `<namespace>/<scene>`.
    scene: String,
    /// `viewer` or `editor`.
    #[schema(value_type = String)]
    role: Role,
    /// Expiry in Unix seconds.
    ends_at: u64,
}

/// Redeems an invitation for the signed-in account, or else for this browser.
///
/// A guest's browser gets a new guest id with each new invitation, because other people may know the earlier id.
#[utoipa::path(post, path = "/api/v1/invitations/redeem", operation_id = "redeem_invitation", tag = "invitations", request_body = RedeemInvitationRequest, responses(
    (status = 200, body = RedeemedInvitationDocument), (status = 403, body = ProblemDocument), (status = 410, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn redeem(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
    Json(RedeemInvitationRequest { secret }): Json<RedeemInvitationRequest>,
) -> Result<Response, Problem> {
    web.redeems.ask(asker)?;
    let (scene, invitation) = invitation_of(&web, &secret).await?;
    let settings = settings_of(&web, &scene).await.map_err(|_| gone(None))?;
    if let Some(problem) = removal_refusal(&scene, &settings, &caller.who()) {
        return Err(problem);
    }
    let redeemed =
        RedeemedInvitationDocument { scene: scene.to_string(), role: invitation.role, ends_at: invitation.ends.0 };
    let (who, before, cookie) = match &caller {
        Caller::Bearer(_) => {
            return Err(Problem::forbidden("a token can't redeem an invitation: sign in, or enter as a guest"));
        }
        Caller::Account { name, .. } => (name.clone(), None, None),
        Caller::Guest { .. } if !settings.anonymous_users => {
            return Err(
                Problem::forbidden(format!("{scene} doesn't allow guests: sign in first")).because("account_needed")
            );
        }
        // Opening a link again keeps the guest id.
        Caller::Guest { invitations, .. } if invitations.contains(&invitation.id) => {
            return Ok(axum::Json(redeemed).into_response());
        }
        Caller::Guest { id, .. } => {
            let fresh = secret::fresh();
            let before = id.as_ref().map(|id| format!("{GUEST}{id}"));
            (format!("{GUEST}{fresh}"), before, Some(guest_cookie_of(&web, asker.payer(&fresh), &fresh).await?))
        }
    };
    let decided = scenes_with_bars(&web, before.as_deref()).await?;
    let redeemer = Redeemer { who: &who, before: before.as_deref() };
    if !web.app.store.use_invitation(&invitation.id, redeemer).await? {
        return Err(used_up());
    }
    if let Some(before) = before {
        for scene in decided {
            let (before, who) = (before.clone(), who.clone());
            let carry_over = move |settings: &mut SceneSettings| settings.moderation.carry_over(&before, &who);
            web.app.registrar.change_and_tell(scene, carry_over).await?;
        }
    }
    let cookie: Option<(axum::http::HeaderName, HeaderValue)> = cookie.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((axum::response::AppendHeaders(cookie), axum::Json(redeemed)).into_response())
}

/// Scenes with a restriction of a guest who gets a new id.
///
/// # Errors
/// 403 if the restriction has followed too many ids already.
async fn scenes_with_bars(web: &super::RouteState, before: Option<&str>) -> Result<Vec<SceneName>, Problem> {
    let Some(before) = before else { return Ok(Vec::new()) };
    let scenes = web.app.realm.scenes().await?.into_iter();
    let decided: Vec<_> = scenes.filter(|(_, settings, _)| settings.moderation.guests_of(before) > 0).collect();
    if decided.iter().any(|(_, settings, _)| settings.moderation.guests_of(before) >= limits::GUESTS_PER_BAR_MAX) {
        let detail = "a moderator muted or removed you, and you have opened several links since: sign in first";
        return Err(Problem::forbidden(detail).because("account_needed"));
    }
    Ok(decided.into_iter().map(|(name, ..)| name).collect())
}

/// The invitation with this secret, if it is valid.
///
/// # Errors
/// 410 with the reason, as far as it is known.
pub(super) async fn invitation_of(web: &super::RouteState, secret: &str) -> Result<(SceneName, Invitation), Problem> {
    let row = web.app.store.invitation(&secret::hash(secret)).await?.ok_or_else(|| gone(None))?;
    if row.ends <= clock::unix_now() {
        return Err(gone(Some("link_expired")));
    }
    let settings = web.app.store.scene(&row.scene).await?;
    let found = settings.as_ref().and_then(|settings| settings.invitation(&row.id)).cloned();
    found.map(|invitation| (row.scene, invitation)).ok_or_else(|| gone(Some("link_revoked")))
}

/// 410 for a caller whose invitation to the scene has ended. `None` without such an invitation.
pub(super) async fn ended_for(
    web: &super::RouteState,
    caller: &Caller,
    scene: &SceneName,
    settings: &SceneSettings,
) -> Result<Option<Problem>, Problem> {
    if matches!(caller, Caller::Bearer(_)) {
        return Ok(None);
    }
    let redeemed = web.app.store.redeemed(&caller.who(), scene).await?;
    // A valid invitation isn't the reason, so the caller gets the original refusal.
    if redeemed.iter().any(|(id, _)| settings.invitation(id).is_some()) {
        return Ok(None);
    }
    let now = clock::unix_now();
    let last = redeemed.iter().map(|(_, ends)| *ends).max();
    Ok(last.map(|ends| gone(Some(if ends > now { "link_revoked" } else { "link_expired" }))))
}

pub(super) fn used_up() -> Problem {
    gone(Some("link_used_up"))
}

fn gone(reason: Option<&'static str>) -> Problem {
    let detail = match reason {
        Some("link_expired") => "the invitation has expired",
        Some("link_revoked") => "the invitation was revoked",
        Some("link_used_up") => "the invitation has reached its limit of people",
        _ => "the link is incomplete, belongs to another server, or expired long ago",
    };
    Problem::new(StatusCode::GONE, detail).because(reason.unwrap_or("link_unknown"))
}
