//! ARENA's tokens, for one scene and one client or for all of an account's scenes. Their filters are those of
//! `spec/topics.md` section 3.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{
    self, Claims, GUEST, RequestableRight, Role, RoleRequester, SceneSettings, TokenFilterInput, TokenFilters,
    TokenIds, role_of,
};
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::super::caller::{browser_id, is_locked_for};
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::all;
use super::super::token::{guest_cookie_of, nonce};
use super::super::{Problem, RouteState, RouteStateExtractor, cookies};
use super::csrf::CsrfCheckedRequest;
use super::form::{Form, is_yes};
use super::member::Member;
use super::{AccountServiceError, guest_name};
use crate::identity::accounts::secret;
use crate::identity::claims;
use crate::limits;
use stoa_net::background::ComputationPayer;

/// A request for a token.
#[derive(Deserialize, ToSchema)]
pub(in super::super) struct MqttAuthRequest {
    /// A guest's name, `anonymous-…`. Ignored for accounts.
    username: Option<String>,
    /// The sign-in token of `stoa google-credentials`. Without it the web session's cookie counts.
    id_token: Option<String>,
    /// Must be `realm`.
    realm: Option<String>,
    /// `<namespace>/<scene>`. If missing, all scenes that the account owns or that list it, and public ones to read.
    scene: Option<String>,
    /// Kind of the program: `web`, `py`, `unity`, …
    client: Option<String>,
    /// Whether to return the camera's id.
    camid: Option<String>,
    /// Whether the client shows a left hand, whose id is then returned.
    handleftid: Option<String>,
    /// Whether the client shows a right hand, whose id is then returned.
    handrightid: Option<String>,
    /// Whether the client hosts render fusion.
    renderfusionid: Option<String>,
    /// Whether the client hosts the capture of surroundings.
    environmentid: Option<String>,
}

/// A token and its ids.
#[derive(Serialize, ToSchema)]
struct MqttAuthResponse {
    username: String,
    token: String,
    ids: MqttAuthIds,
}

/// The ids: two that every client has, and the requested ones.
#[derive(Serialize, ToSchema)]
struct MqttAuthIds {
    userid: String,
    userclient: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    camid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handleftid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handrightid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    renderfusionid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    environmentid: Option<String>,
}

impl MqttAuthRequest {
    fn ids(&self, username: &str, client: &str) -> (TokenIds, MqttAuthIds) {
        let userid = format!("{username}_{}", nonce());
        let userclient = format!("{userid}_{client}");
        let rights = [
            (&self.handleftid, RequestableRight::LeftHand),
            (&self.handrightid, RequestableRight::RightHand),
            (&self.renderfusionid, RequestableRight::RenderHost),
            (&self.environmentid, RequestableRight::EnvironmentHost),
        ];
        let rights =
            rights.into_iter().filter_map(|(field, right)| is_yes(field.as_deref()).then_some(right)).collect();
        let told = |field: &Option<String>, id: String| is_yes(field.as_deref()).then_some(id);
        let answered = MqttAuthIds {
            camid: told(&self.camid, userid.clone()),
            handleftid: told(&self.handleftid, format!("handLeft_{userid}")),
            handrightid: told(&self.handrightid, format!("handRight_{userid}")),
            renderfusionid: told(&self.renderfusionid, "-".into()),
            environmentid: told(&self.environmentid, "-".into()),
            userid: userid.clone(),
            userclient: userclient.clone(),
        };
        (TokenIds { user_client: Some(userclient), id_tag: Some(userid), rights }, answered)
    }
}

/// Issues a token with ARENA's filters.
///
/// Also sets it as the cookie that `/persist` expects, and the cookie that recognizes the browser.
#[utoipa::path(post, path = "/user/v2/mqtt_auth", operation_id = "issue_arena_mqtt_token", tag = "arena",
    request_body(content = MqttAuthRequest, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 200, body = MqttAuthResponse), (status = 400, body = Object), (status = 403, body = Object), (status = 429, body = Object)
))]
pub(in super::super) async fn issue(
    web: RouteStateExtractor,
    _csrf: CsrfCheckedRequest,
    asker: RequestNetwork,
    Form { fields: asked, headers }: Form<MqttAuthRequest>,
) -> Result<Response, AccountServiceError> {
    let client = client_of(&asked)?;
    let member = Member::of(&web, &headers, asked.id_token.as_deref()).await?;
    let username = match &member {
        Some(member) => {
            web.tokens.charge_account(&member.name)?;
            member.name.clone()
        }
        None => {
            let name = guest_name::check(asked.username.as_deref())?.to_owned();
            web.guests.ask(asker)?;
            name
        }
    };
    let browser = browser_of(&web, &headers, member.as_ref());
    let guest = format!("{GUEST}{}", browser.as_deref().unwrap_or_default());
    let guest = RoleRequester { name: &guest, realm_owner: false, guest: true };
    let account = member.as_ref().map_or(guest, Member::account);
    let (ids, answered) = asked.ids(&username, client);
    let ttl = if member.is_some() { limits::ARENA_TOKEN_TTL } else { limits::ARENA_GUEST_TOKEN_TTL };
    let (scene, role, filters) = match asked.scene.as_deref().filter(|scene| !scene.is_empty()) {
        Some(text) => {
            let scene = scene_of(text)?;
            let (role, filters) = for_scene(&web, member.as_ref(), &account, &scene, &ids).await?;
            (Some(scene), Some(role), filters)
        }
        None => (None, None, filters_for_all(&web, asker, &account, &ids).await?),
    };
    let claims = Claims {
        user_client: ids.user_client,
        user_id: ids.id_tag,
        scene,
        role,
        guest: member.is_none(),
        parents: member.as_ref().map_or(Ok(Vec::new()), Member::parents)?,
        by_realm: member.as_ref().is_some_and(|member| member.owns_realm),
        display_name: member.is_none().then(|| guest_name::shown(&username)),
        guest_id: browser,
        ..claims::new(&username, filters, ttl.as_secs())
    };
    if let Some(scene) = &claims.scene
        && is_locked_for(&web, scene, claims.clone()).await?
    {
        return Err(AccountServiceError::forbidden(format!("{scene} is locked: ask someone inside")));
    }
    web.app.store.record_token(&claims).await?;
    if let Some(member) = &member {
        member.confirm(&web, &headers, asked.id_token.as_deref()).await?;
    }
    answer(&web, asker.payer(&username), claims, answered).await
}

/// The id of the caller's browser: a fresh one without the guest cookie, and none for a program that signs in by a
/// token.
fn browser_of(web: &RouteState, headers: &HeaderMap, member: Option<&Member>) -> Option<String> {
    let is_browser = || cookies::find(headers, &cookies::session_name(web.endpoint)).is_some();
    browser_id(web, headers).or_else(|| (member.is_none() || is_browser()).then(secret::fresh))
}

async fn answer(
    web: &RouteState,
    payer: ComputationPayer,
    claims: Claims,
    ids: MqttAuthIds,
) -> Result<Response, AccountServiceError> {
    let token = web.app.signer.sign(payer.clone(), claims.clone()).await?;
    let max_age_s = claims.exp.0.saturating_sub(claims.iat.0);
    let cookie = cookies::set(web.endpoint, cookies::MQTT_TOKEN, &token, max_age_s);
    let guest_cookie = match claims.guest_id.as_deref() {
        Some(id) => Some(guest_cookie_of(web, payer, id).await?),
        None => None,
    };
    let mut response = axum::Json(MqttAuthResponse { username: claims.sub, token, ids }).into_response();
    for cookie in cookie.into_iter().chain(guest_cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn client_of(asked: &MqttAuthRequest) -> Result<&str, AccountServiceError> {
    if asked.realm.as_deref().is_some_and(|realm| realm != "realm") {
        return Err(AccountServiceError::bad_request("Invalid form parameter: 'realm': there is only \"realm\""));
    }
    let fits = |client: &&str| {
        (1..=limits::CLIENT_KIND_BYTES_MAX).contains(&client.len())
            && client.starts_with(|first: char| first.is_ascii_alphabetic())
            && client.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':'))
    };
    let wrong = || {
        let max = limits::CLIENT_KIND_BYTES_MAX;
        AccountServiceError::bad_request(format!(
            "Invalid form parameter: 'client': a letter, then letters, digits, - . :, at most {max}"
        ))
    };
    asked.client.as_deref().filter(fits).ok_or_else(wrong)
}

fn scene_of(text: &str) -> Result<SceneName, AccountServiceError> {
    text.parse()
        .map_err(|_| AccountServiceError::bad_request("Invalid form parameter: 'scene': it takes <namespace>/<scene>"))
}

/// The role and filters in one scene. As in ARENA, a missing scene is created if the account may create it.
async fn for_scene(
    web: &RouteState,
    member: Option<&Member>,
    account: &RoleRequester<'_>,
    scene: &SceneName,
    ids: &TokenIds,
) -> Result<(Role, TokenFilters), AccountServiceError> {
    let settings = match web.app.store.scene(scene).await? {
        None => made(web, member, scene).await?,
        found => found,
    };
    // The refusal doesn't reveal whether the scene exists.
    let entered = settings.and_then(|settings| Some((role_of(scene, &settings, account)?, settings)));
    let Some((role, settings)) = entered else {
        let advice = if account.guest {
            "sign in, or ask its owner"
        } else {
            "ask its owner, or make it with stoa scene create"
        };
        return Err(AccountServiceError::forbidden(format!(
            "Authentication required for this scene: there is no scene {scene}, or you don't have access to it; {advice}"
        )));
    };
    Ok((role, grant::arena_filters(&TokenFilterInput { scene, settings: &settings, account, role, ids })))
}

async fn made(web: &RouteState, member: Option<&Member>, scene: &SceneName) -> Result<Option<SceneSettings>, Problem> {
    let Some(member) = member.filter(|member| member.may_make_in(scene.namespace())) else { return Ok(None) };
    web.app.registrar.make(scene.clone(), SceneSettings::owned_by(&member.name)).await?;
    // A concurrent request may have created it with other settings.
    Ok(web.app.store.scene(scene).await?)
}

/// The filters for every scene that the account edits, and for reading the public ones.
async fn filters_for_all(
    web: &RouteState,
    asker: RequestNetwork,
    account: &RoleRequester<'_>,
    ids: &TokenIds,
) -> Result<TokenFilters, AccountServiceError> {
    let scenes = all(web, asker).await?;
    let scenes = scenes.iter().map(|(name, settings, _)| (name, &**settings));
    Ok(grant::managed_scenes_filters(scenes, account, ids))
}
