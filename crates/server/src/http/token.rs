//! Tokens for one scene: what a page or a script needs to enter.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{Account, Entry, Ids, Role, filters};
use utoipa::ToSchema;

use super::body::Json;
use super::caller::{Caller, Lasting};
use super::pace::Asker;
use super::problem::ProblemDocument;
use super::scenes::{closed, scene_asked_for, settings_of};
use super::{Problem, Shared, cookies};
use crate::{claims, clock, limits};

/// Where to, and as whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// `<namespace>/<scene>`.
    scene: String,
    /// The name that others see.
    name: Option<String>,
    /// What kind of program asks: `web`, `py`, …; stands in the ids.
    client: Option<String>,
}

/// The ids of one client in a scene.
#[derive(Serialize, ToSchema)]
struct IssuedIds {
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
pub(super) struct Issued {
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
    ids: IssuedIds,
    /// Where MQTT over WebSocket is spoken.
    mqtt_path: &'static str,
}

/// Who enters: the account or a fresh guest, and the time it may have at most.
struct Entrant {
    name: String,
    realm_owner: bool,
    /// Whether its rights come from the realm and not from the scene's settings.
    by_realm: bool,
    guest: bool,
    expires_max: u64,
    /// By what it asks.
    parents: Vec<String>,
}

/// Issues a token for one scene and one client. A bearer gets no more than its own token has, and for no longer.
#[utoipa::path(post, path = "/api/v1/token", tag = "scenes", request_body = Request, responses(
    (status = 200, body = Issued), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn issue(
    web: Shared,
    lasting: Lasting,
    asker: Asker,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let caller = &lasting.caller;
    if caller.is_guest() {
        web.guests.ask(asker)?;
    }
    let scene = scene_asked_for(&request.scene)?;
    let display_name = display_name(request.name)?;
    let client = client_kind(request.client)?;
    let settings = settings_of(&web, &scene).await?;
    let role = caller
        .role_in(&scene, &settings)
        .ok_or_else(|| closed(&scene, Some(&settings), caller.is_guest(), "be entered"))?;
    let entrant = entrant(caller)?;

    let id_tag = format!("{}_{}", entrant.name, nonce());
    let user_client = format!("{id_tag}_{client}");
    let ids = Ids::person(user_client.clone(), id_tag.clone());
    let account = Account { name: &entrant.name, realm_owner: entrant.realm_owner, guest: entrant.guest };
    let granted = filters(&Entry { scene: &scene, settings: &settings, account: &account, role, ids: &ids });
    let ttl_s = limits::SCENE_TOKEN_TTL.as_secs().min(entrant.expires_max.saturating_sub(clock::unix_now().0));
    let mut claims = claims::new(&entrant.name, granted, ttl_s);
    claims.user_client = ids.user_client;
    claims.user_id = ids.id_tag;
    claims.scene = Some(scene);
    claims.role = Some(role);
    claims.guest = entrant.guest;
    claims.by_realm = entrant.by_realm;
    claims.parents = entrant.parents;
    claims.display_name = display_name;

    let token = web.app.keys.issue(&claims)?;
    web.app.store.record_token(&claims).await?;
    lasting.confirm(&web).await?;
    let cookie = cookies::set(web.door, cookies::MQTT_TOKEN, &token, ttl_s);
    let ids = IssuedIds {
        handleftid: format!("handLeft_{id_tag}"),
        handrightid: format!("handRight_{id_tag}"),
        userid: id_tag,
        userclient: user_client,
    };
    let issued = Issued {
        token,
        username: claims.sub,
        role,
        expires_at: claims.exp.0,
        guest: claims.guest,
        ids,
        mqtt_path: "/mqtt/",
    };
    let mut response = axum::Json(issued).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn entrant(caller: &Caller) -> Result<Entrant, Problem> {
    let (realm_owner, guest) = (caller.owns_realm(), caller.is_guest());
    let in_person = |name: String, by_realm: bool| Entrant {
        name,
        realm_owner,
        by_realm,
        guest,
        expires_max: u64::MAX,
        parents: Vec::new(),
    };
    match caller {
        Caller::Guest => Ok(in_person(format!("anonymous-{}", nonce()), false)),
        Caller::Account { name, .. } => Ok(in_person(name.clone(), realm_owner)),
        Caller::Bearer(claims) => {
            let by_realm = realm_owner || claims.by_realm;
            let parents = claims.lineage().ok_or_else(too_far)?;
            Ok(Entrant { expires_max: claims.exp.0, parents, ..in_person(claims.sub.clone(), by_realm) })
        }
    }
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
