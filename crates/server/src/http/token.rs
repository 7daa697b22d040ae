//! Tokens for one client in one scene, for pages and scripts.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{
    Claims, Restriction, RestrictionKind, Role, RoleRequester, SceneSettings, TokenFilterInput, TokenIds, filters,
};
use stoa_wire::display_name::is_display_name;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{Caller, ReconfirmableCaller};
use super::invitations::ended_for;
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::scenes::{closed, no_scene, scene_name_of};
use super::{Problem, RouteState, RouteStateExtractor, cookies};
use crate::identity::claims;
use crate::identity::scoped_tokens::{TokenHolder, TokenPurpose};
use crate::limits;
use crate::os::clock;
use crate::realm_task::RealmError;
use stoa_net::background::ComputationPayer;

/// A request for a scene token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneTokenRequest {
    /// `<namespace>/<scene>`.
    scene: String,
    /// Display name in the scene.
    name: Option<String>,
    /// Kind of the program: `web`, `py`, …; a part of the ids.
    client: Option<String>,
}

/// The ids of one client in a scene.
#[derive(Serialize, ToSchema)]
struct SceneTokenIds {
    /// The idTag: token 6 of a topic.
    userid: String,
    /// The client's identity: token 5 of a topic.
    userclient: String,
    /// Object id of its left hand.
    handleftid: String,
    /// Object id of its right hand.
    handrightid: String,
}

/// A token, its role and its ids.
#[derive(Serialize, ToSchema)]
pub(super) struct SceneTokenDocument {
    /// The JWT, which is MQTT's password.
    token: String,
    /// MQTT's user name.
    username: String,
    /// `viewer`, `editor` or `owner`.
    #[schema(value_type = String)]
    role: Role,
    /// Expiry in Unix seconds.
    expires_at: u64,
    /// Whether the caller has no account.
    guest: bool,
    /// The ids that the token is issued for.
    ids: SceneTokenIds,
    /// Path of MQTT over WebSocket.
    mqtt_path: &'static str,
}

/// The account or guest that enters, and the latest expiry of its token.
struct TokenRequester {
    name: String,
    realm_owner: bool,
    /// Whether the requester's rights are from the realm and not from the scene's settings.
    by_realm: bool,
    guest: bool,
    expires_max: u64,
    /// Ids of the tokens that the request used, and of those they were requested with.
    parents: Vec<String>,
    /// The invitation that grants the requester's role.
    invitation: Option<String>,
}

/// Issues a token for one scene and one client.
///
/// A bearer gets no more rights than its own token has, and no later expiry. The response also sets ARENA's cookie
/// `mqtt_token`.
#[utoipa::path(post, path = "/api/v1/token", operation_id = "issue_scene_token", tag = "scenes", request_body = SceneTokenRequest, responses(
    (status = 200, body = SceneTokenDocument), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
    (status = 404, body = ProblemDocument), (status = 410, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn issue(
    web: RouteStateExtractor,
    revalidated: ReconfirmableCaller,
    asker: RequestNetwork,
    Json(request): Json<SceneTokenRequest>,
) -> Result<Response, Problem> {
    let caller = &revalidated.caller;
    match caller.name().filter(|_| !caller.is_guest()) {
        Some(account) => web.tokens.charge_account(account)?,
        None => web.guests.ask(asker)?,
    }
    let scene = scene_name_of(&request.scene)?;
    let display_name = display_name(request.name)?;
    let client = client_kind(request.client)?;
    let settings = match web.app.store.scene(&scene).await? {
        Some(settings) => settings,
        None => return Err(gone(&web, caller, &scene).await?),
    };
    let Some(role) = caller.role_in(&scene, &settings) else {
        return Err(refused(&web, caller, &scene, &settings).await?);
    };
    let requester = requester(caller, &scene, &settings)?;

    let id_tag = format!("{}_{}", requester.name, nonce());
    let user_client = format!("{id_tag}_{client}");
    let ids = TokenIds::person(user_client.clone(), id_tag.clone());
    let account = RoleRequester { name: &requester.name, realm_owner: requester.realm_owner, guest: requester.guest };
    let granted = filters(&TokenFilterInput { scene: &scene, settings: &settings, account: &account, role, ids: &ids });
    let ttl_s = limits::SCENE_TOKEN_TTL.as_secs().min(requester.expires_max.saturating_sub(clock::unix_now().0));
    let mut claims = claims::new(&requester.name, granted, ttl_s);
    claims.user_client = ids.user_client;
    claims.user_id = ids.id_tag;
    claims.scene = Some(scene);
    claims.role = Some(role);
    claims.guest = requester.guest;
    claims.by_realm = requester.by_realm;
    claims.parents = requester.parents;
    claims.display_name = display_name;
    claims.invitation = requester.invitation;
    claims.guest_id = revalidated.browser_id(&web);
    check_admission(&web, &claims, asker).await?;

    let payer = asker.payer(&claims.sub);
    let token = web.app.signer.sign(payer.clone(), claims.clone()).await?;
    web.app.store.record_token(&claims).await?;
    revalidated.confirm(&web).await?;
    let cookie = cookies::set(web.endpoint, cookies::MQTT_TOKEN, &token, ttl_s);
    let guest_cookie = claims.guest_id.as_deref().filter(|_| !matches!(caller, Caller::Bearer(_)));
    let guest_cookie = match guest_cookie {
        Some(id) => Some(guest_cookie_of(&web, payer, id).await?),
        None => None,
    };
    let ids = SceneTokenIds {
        handleftid: format!("handLeft_{id_tag}"),
        handrightid: format!("handRight_{id_tag}"),
        userid: id_tag,
        userclient: user_client,
    };
    let document = SceneTokenDocument {
        token,
        username: claims.sub,
        role,
        expires_at: claims.exp.0,
        guest: claims.guest,
        ids,
        mqtt_path: "/mqtt/",
    };
    let mut response = axum::Json(document).into_response();
    for cookie in cookie.into_iter().chain(guest_cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn requester(caller: &Caller, scene: &SceneName, settings: &SceneSettings) -> Result<TokenRequester, Problem> {
    let (realm_owner, guest) = (caller.owns_realm(), caller.is_guest());
    let invitation = caller.standing(scene, settings).and_then(|(_, invitation)| invitation);
    let in_person = |name: String, by_realm: bool| TokenRequester {
        name,
        realm_owner,
        by_realm,
        guest,
        expires_max: invitation.map_or(u64::MAX, |invitation| invitation.ends.0),
        parents: Vec::new(),
        invitation: invitation.map(|invitation| invitation.id.clone()),
    };
    match caller {
        Caller::Guest { .. } => Ok(in_person(format!("anonymous-{}", nonce()), false)),
        Caller::Account { name, .. } => Ok(in_person(name.clone(), realm_owner)),
        Caller::Bearer(claims) => {
            let by_realm = realm_owner || claims.by_realm;
            let parents = claims.lineage().ok_or_else(too_far)?;
            Ok(TokenRequester {
                expires_max: claims.exp.0,
                parents,
                invitation: claims.invitation.clone(),
                ..in_person(claims.sub.clone(), by_realm)
            })
        }
    }
}

/// The cookie that identifies a browser: a token without rights.
pub(super) async fn guest_cookie_of(
    web: &RouteState,
    payer: ComputationPayer,
    id: &str,
) -> Result<HeaderValue, Problem> {
    let ttl_s = limits::GUEST_TTL.as_secs();
    let holder = TokenHolder::called(id);
    let (scoped_token, _) = web.app.signer.issue(payer, TokenPurpose::Guest, holder, ttl_s).await?;
    let cookie = cookies::set(web.endpoint, &cookies::guest_name(web.endpoint), &scoped_token, ttl_s);
    Ok(cookie.expect("such a pass is short"))
}

/// The 404 of a missing scene. A caller who may enter the renamed scene gets its new name.
async fn gone(web: &RouteState, caller: &Caller, scene: &SceneName) -> Result<Problem, Problem> {
    let Some(now) = web.app.store.renamed(scene).await? else { return Ok(no_scene(scene)) };
    let may_enter = web.app.store.scene(&now).await?.is_some_and(|settings| caller.role_in(&now, &settings).is_some());
    if !may_enter {
        return Ok(no_scene(scene));
    }
    Ok(Problem::not_found(format!("the scene {scene} is now called {now}")).because("renamed").instead(now))
}

/// The refusal for a caller without a role. Removed people and people with an ended invitation know of the scene, so
/// they get the reason.
async fn refused(
    web: &RouteState,
    caller: &Caller,
    scene: &SceneName,
    settings: &SceneSettings,
) -> Result<Problem, Problem> {
    if let Some(problem) = removal_refusal(scene, settings, &caller.who()) {
        return Ok(problem);
    }
    let ended = ended_for(web, caller, scene, settings).await?;
    Ok(ended.unwrap_or_else(|| closed(scene, Some(settings), caller.is_guest(), "enter")))
}

/// 403 for a person whom a moderator removed, with the time of return if there is one. `None` for other people.
pub(super) fn removal_refusal(scene: &SceneName, settings: &SceneSettings, who: &str) -> Option<Problem> {
    let restriction = settings.moderation.bars.iter().find(|it| it.kind == RestrictionKind::Out && it.who == who)?;
    let Restriction { ends: Some(ends), .. } = restriction else {
        return Some(Problem::forbidden(format!("a moderator removed you from {scene}")).because("put_out"));
    };
    let wait_s = ends.0.saturating_sub(clock::unix_now().0).max(1);
    let detail = format!("a moderator removed you from {scene}; you can come back in {wait_s} s");
    Some(Problem::forbidden(detail).after(wait_s).because("put_out"))
}

/// Asks the realm whether a client may enter. Errors: 403 if the scene is locked or full.
async fn check_admission(web: &RouteState, claims: &Claims, asker: RequestNetwork) -> Result<(), Problem> {
    let Some(scene) = &claims.scene else { return Ok(()) };
    match web.app.realm.check_admission(scene.clone(), claims.clone(), asker.0).await {
        // The scene has just been removed. The token is issued all the same.
        Ok(()) | Err(RealmError::NoSuchScene) => Ok(()),
        Err(RealmError::Refused(refused)) => {
            Err(admission_problem(scene, &refused).unwrap_or_else(|| RealmError::Refused(refused).into()))
        }
        Err(error) => Err(error.into()),
    }
}

/// 403 for a locked or full scene. `None` for other refusals.
pub(super) fn admission_problem(scene: &SceneName, refused: &Refusal) -> Option<Problem> {
    match refused {
        Refusal { reason: Reason::Locked, .. } => Some(locked(scene)),
        Refusal { reason: Reason::Full, limit } => {
            let most = limit.map(|limit| limit.to_string()).unwrap_or_default();
            Some(Problem::forbidden(format!("{scene} is full: at most {most}")).because("full"))
        }
        _ => None,
    }
}

pub(super) fn locked(scene: &SceneName) -> Problem {
    Problem::forbidden(format!("{scene} is locked: ask someone inside")).because("locked")
}

/// 403 for a token that descends from too many others.
pub(super) fn too_far() -> Problem {
    Problem::forbidden("this token descends from too many other tokens: use an earlier one")
}

/// Ten random digits, as in ARENA's ids.
pub(super) fn nonce() -> String {
    format!("{:010}", rand::random::<u64>() % 10_000_000_000)
}

fn display_name(name: Option<String>) -> Result<Option<String>, Problem> {
    let Some(name) = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) else { return Ok(None) };
    if name.len() > limits::DISPLAY_NAME_BYTES_MAX {
        let max = limits::DISPLAY_NAME_BYTES_MAX;
        return Err(Problem::bad_request(format!("name has {} bytes; at most {max} are allowed", name.len())));
    }
    if !is_display_name(&name) {
        let detail = "name has a character that hides or turns others, or none that is visible";
        return Err(Problem::bad_request(detail));
    }
    Ok(Some(name))
}

fn client_kind(client: Option<String>) -> Result<String, Problem> {
    let client = client.unwrap_or_else(|| "web".into());
    let max = limits::CLIENT_KIND_BYTES_MAX;
    let fits = (1..=max).contains(&client.len()) && client.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if fits { Ok(client) } else { Err(Problem::bad_request(format!("client takes 1 to {max} letters and digits"))) }
}
