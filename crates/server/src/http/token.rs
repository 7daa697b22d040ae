//! Tokens for one scene: what a page or a script needs to enter.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{
    Account, Claims, Restriction, RestrictionKind, Role, SceneSettings, TokenIds, TokenSubject, filters,
};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{Caller, RevalidatedCaller};
use super::invitations::ended_for;
use super::pace::Asker;
use super::problem::ProblemDocument;
use super::scenes::{closed, no_scene, scene_asked_for};
use super::{Problem, Shared, Web, cookies};
use crate::identity::accounts::secret;
use crate::identity::claims;
use crate::identity::scoped_tokens::{self, Holder, Purpose};
use crate::limits;
use crate::os::clock;
use crate::realm_task::RealmError;

/// Where to, and as whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneTokenRequest {
    /// `<namespace>/<scene>`.
    scene: String,
    /// The name that others see.
    name: Option<String>,
    /// What kind of program asks: `web`, `py`, …; stands in the ids.
    client: Option<String>,
}

/// The ids of one client in a scene.
#[derive(Serialize, ToSchema)]
struct SceneTokenIds {
    /// Its idTag: token 6.
    userid: String,
    /// Its identity: token 5.
    userclient: String,
    /// Of its left hand.
    handleftid: String,
    /// Of its right hand.
    handrightid: String,
}

/// A token and what it is for.
#[derive(Serialize, ToSchema)]
pub(super) struct SceneTokenDocument {
    /// The JWT: MQTT's password.
    token: String,
    /// MQTT's user name.
    username: String,
    /// `viewer`, `editor` or `owner`.
    #[schema(value_type = String)]
    role: Role,
    /// Unix seconds.
    expires_at: u64,
    /// Has no account.
    guest: bool,
    /// The ids it is issued for.
    ids: SceneTokenIds,
    /// Where MQTT over WebSocket is spoken.
    mqtt_path: &'static str,
}

/// Who enters: the account or a fresh guest, and the time it may have at most.
struct TokenRequester {
    name: String,
    realm_owner: bool,
    /// Whether its rights come from the realm and not from the scene's settings.
    by_realm: bool,
    guest: bool,
    expires_max: u64,
    /// By what it asks.
    parents: Vec<String>,
    /// The invitation that its role comes from.
    invitation: Option<String>,
    /// Of a guest: its browser's id.
    guest_id: Option<String>,
}

/// Issues a token for one scene and one client. A bearer gets no more than its own token has, and for no longer.
#[utoipa::path(post, path = "/api/v1/token", tag = "scenes", request_body = SceneTokenRequest, responses(
    (status = 200, body = SceneTokenDocument), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
    (status = 404, body = ProblemDocument), (status = 410, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn issue(
    web: Shared,
    revalidated: RevalidatedCaller,
    asker: Asker,
    Json(request): Json<SceneTokenRequest>,
) -> Result<Response, Problem> {
    let caller = &revalidated.caller;
    if caller.is_guest() {
        web.guests.ask(asker)?;
    }
    let scene = scene_asked_for(&request.scene)?;
    let display_name = display_name(request.name)?;
    let client = client_kind(request.client)?;
    let settings = match web.app.store.scene(&scene).await? {
        Some(settings) => settings,
        None => return Err(gone(&web, caller, &scene).await?),
    };
    let Some(role) = caller.role_in(&scene, &settings) else {
        return Err(refused(&web, caller, (&scene, &settings)).await?);
    };
    let requester = requester(caller, &scene, &settings)?;

    let id_tag = format!("{}_{}", requester.name, nonce());
    let user_client = format!("{id_tag}_{client}");
    let ids = TokenIds::person(user_client.clone(), id_tag.clone());
    let account = Account { name: &requester.name, realm_owner: requester.realm_owner, guest: requester.guest };
    let granted = filters(&TokenSubject { scene: &scene, settings: &settings, account: &account, role, ids: &ids });
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
    claims.guest_id = requester.guest_id;
    knock(&web, &claims).await?;

    let token = web.app.keys.issue(&claims)?;
    web.app.store.record_token(&claims).await?;
    revalidated.confirm(&web).await?;
    let cookie = cookies::set(web.endpoint, cookies::MQTT_TOKEN, &token, ttl_s);
    let guest_cookie = claims.guest_id.as_deref().filter(|_| matches!(caller, Caller::Guest { .. }));
    let guest_cookie = guest_cookie.map(|id| guest_cookie_of(&web, id)).transpose()?;
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
        guest_id: None,
    };
    match caller {
        Caller::Guest { id, .. } => {
            let guest_id = Some(id.clone().unwrap_or_else(secret::fresh));
            Ok(TokenRequester { guest_id, ..in_person(format!("anonymous-{}", nonce()), false) })
        }
        Caller::Account { name, .. } => Ok(in_person(name.clone(), realm_owner)),
        Caller::Bearer(claims) => {
            let by_realm = realm_owner || claims.by_realm;
            let parents = claims.lineage().ok_or_else(too_far)?;
            Ok(TokenRequester {
                expires_max: claims.exp.0,
                parents,
                invitation: claims.invitation.clone(),
                guest_id: claims.guest_id.clone(),
                ..in_person(claims.sub.clone(), by_realm)
            })
        }
    }
}

/// The cookie by which a guest's browser is known again: a pass that opens nothing.
pub(super) fn guest_cookie_of(web: &Web, id: &str) -> Result<HeaderValue, Problem> {
    let ttl_s = limits::GUEST_TTL.as_secs();
    let (pass, _) = scoped_tokens::issue(&web.app.keys, Purpose::Guest, Holder::called(id), ttl_s)?;
    let cookie = cookies::set(web.endpoint, &cookies::guest_name(web.endpoint), &pass, ttl_s);
    Ok(cookie.expect("such a pass is short"))
}

/// What is said of a scene that isn't there: whoever may enter it learns what it is called now.
async fn gone(web: &Web, caller: &Caller, scene: &SceneName) -> Result<Problem, Problem> {
    let Some(now) = web.app.store.renamed(scene).await? else { return Ok(no_scene(scene)) };
    let may_enter = web.app.store.scene(&now).await?.is_some_and(|settings| caller.role_in(&now, &settings).is_some());
    if !may_enter {
        return Ok(no_scene(scene));
    }
    Ok(Problem::not_found(format!("the scene {scene} is called {now} now")).because("renamed").instead(now))
}

/// Why somebody may not enter who has no role: whoever was put out, or came by an invitation, has been told of the scene already.
async fn refused(
    web: &Web,
    caller: &Caller,
    (scene, settings): (&SceneName, &SceneSettings),
) -> Result<Problem, Problem> {
    if let Some(problem) = put_out(scene, settings, &caller.who()) {
        return Ok(problem);
    }
    let ended = ended_for(web, caller, (scene, settings)).await?;
    Ok(ended.unwrap_or_else(|| closed(scene, Some(settings), caller.is_guest(), "be entered")))
}

/// What is said to somebody whom a moderator has put out, and when they may come back; `None`: nobody has.
pub(super) fn put_out(scene: &SceneName, settings: &SceneSettings, who: &str) -> Option<Problem> {
    let bar = settings.moderation.bars.iter().find(|bar| bar.kind == RestrictionKind::Out && bar.who == who)?;
    let Restriction { ends: Some(ends), .. } = bar else {
        return Some(Problem::forbidden(format!("a moderator has put you out of {scene}")).because("put_out"));
    };
    let wait_s = ends.0.saturating_sub(clock::unix_now().0).max(1);
    let detail = format!("a moderator has put you out of {scene}; you may come back in {wait_s} s");
    Some(Problem::forbidden(detail).after(wait_s).because("put_out"))
}

/// Asks at the door. Errors: 403 where it is locked, or the scene full.
async fn knock(web: &Web, claims: &Claims) -> Result<(), Problem> {
    let Some(scene) = &claims.scene else { return Ok(()) };
    match web.app.realm.knock(scene.clone(), claims.clone()).await {
        // A scene that has just gone: what comes next says so.
        Ok(()) | Err(RealmError::NoSuchScene) => Ok(()),
        Err(RealmError::Refused(refused)) => {
            Err(shut(scene, &refused).unwrap_or_else(|| RealmError::Refused(refused).into()))
        }
        Err(error) => Err(error.into()),
    }
}

/// What is said at a door that is shut.
pub(super) fn shut(scene: &SceneName, refused: &Refusal) -> Option<Problem> {
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
    Problem::forbidden(format!("the door of {scene} is locked: ask somebody inside")).because("locked")
}

/// Nothing more is issued to the bearer of such a token or pass.
pub(super) fn too_far() -> Problem {
    Problem::forbidden(
        "this token was asked for by one that was asked for by another, too often: ask by an earlier one",
    )
}

/// Ten digits, as ARENA's ids have.
pub(super) fn nonce() -> String {
    format!("{:010}", rand::random::<u64>() % 10_000_000_000)
}

fn display_name(name: Option<String>) -> Result<Option<String>, Problem> {
    let Some(name) = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) else { return Ok(None) };
    if name.len() > limits::DISPLAY_NAME_BYTES_MAX {
        let max = limits::DISPLAY_NAME_BYTES_MAX;
        return Err(Problem::bad_request(format!("name has {} bytes; at most {max} are allowed", name.len())));
    }
    if name.chars().any(char::is_control) {
        return Err(Problem::bad_request("name holds a control character"));
    }
    Ok(Some(name))
}

fn client_kind(client: Option<String>) -> Result<String, Problem> {
    let client = client.unwrap_or_else(|| "web".into());
    let max = limits::CLIENT_KIND_BYTES_MAX;
    let fits = (1..=max).contains(&client.len()) && client.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if fits { Ok(client) } else { Err(Problem::bad_request(format!("client takes 1 to {max} letters and digits"))) }
}
