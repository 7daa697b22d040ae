//! A scene's moderation: mute, remove or ban a person, lock the scene, and lift such a decision. Source:
//! `spec/topics.md` section 3.1.

use std::collections::BTreeSet;

use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use stoa_state::grant::{Moderation, Restriction, RestrictionKind, Role, SceneSettings};
use stoa_state::realm::{SceneBearer, UnjoinedListener};
use stoa_state::time::UnixSeconds;
use stoa_wire::display_name::is_display_name;
use stoa_wire::topic::SceneName;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::Caller;
use super::problem::ProblemDocument;
use super::scenes::{closed, name_of, no_scene, settings_of};
use super::{Problem, RouteState, RouteStateExtractor};
use crate::identity::accounts::secret;
use crate::limits;
use crate::os::clock;

/// A moderator's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ModerationAction {
    /// Their chat messages are rejected.
    Silence,
    /// They are removed for a minute.
    Kick,
    /// They are removed until the given end, or until the ban is lifted.
    Ban,
    /// The scene is locked: people outside can't enter, except moderators and people who left a moment ago.
    Lock,
    /// Ends the lock.
    Unlock,
    /// Lifts a decision about a person.
    Lift,
}

/// A moderator's action, with its person and duration.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModerationRequest {
    /// The action.
    act: ModerationAction,
    /// For `silence`, `kick` and `ban`: the idTag of a person in the scene, or of a client that only listens.
    person: Option<String>,
    /// A display name for a person that has none.
    shown: Option<String>,
    /// For `silence` and `ban`: duration in seconds. Null until it is lifted.
    lasts_s: Option<u64>,
    /// For `lift`: the decision's id.
    id: Option<String>,
}

/// A decision in force.
#[derive(Serialize, ToSchema)]
pub(super) struct RestrictionDocument {
    id: String,
    /// `silence` or `out`.
    #[schema(value_type = String)]
    kind: RestrictionKind,
    /// The person's display name at that time, or else the idTag.
    shown: String,
    /// The person's account. Null for a guest.
    account: Option<String>,
    /// Whether it is an account's decision extended to guests of the account's browser.
    browser: bool,
    /// The moderator's account.
    by: String,
    /// Expiry in Unix seconds. Null until it is lifted.
    ends_at: Option<u64>,
}

/// A client in the scene that has not joined it.
#[derive(Serialize, ToSchema)]
pub(super) struct ListeningDocument {
    /// Its idTag, by which it is muted, removed and banned.
    person: String,
    /// The display name, else the account or the guest's name.
    shown: String,
    /// The person's account. Null for a guest.
    account: Option<String>,
}

impl From<UnjoinedListener> for ListeningDocument {
    fn from(UnjoinedListener { id_tag, shown, account }: UnjoinedListener) -> ListeningDocument {
        ListeningDocument { person: id_tag, shown, account }
    }
}

/// The moderation of a scene.
#[derive(Serialize, ToSchema)]
pub(super) struct ModerationDocument {
    /// Whether the scene is locked.
    locked: bool,
    /// Decisions about people.
    bars: Vec<RestrictionDocument>,
    /// Clients that receive the scene's messages, but are in no list of people because they have not joined.
    listening: Vec<ListeningDocument>,
}

impl ModerationDocument {
    async fn read(web: &RouteState, name: &SceneName, moderation: &Moderation) -> Result<ModerationDocument, Problem> {
        let listening = web.app.realm.listening(name.clone()).await?;
        Ok(ModerationDocument::of(moderation, listening.into_iter().map(Into::into).collect()))
    }

    fn of(moderation: &Moderation, listening: Vec<ListeningDocument>) -> ModerationDocument {
        let (now, mut listed) = (clock::unix_now(), BTreeSet::new());
        let good = moderation.bars.iter().filter(|bar| bar.ends.is_none_or(|ends| ends > now));
        // One decision may name several guest ids of one browser.
        let bars = good.filter(|bar| listed.insert(&bar.id)).map(|bar| {
            let Restriction { id, kind, who, shown, by, ends, extends, .. } = bar.clone();
            let account = (!who.starts_with(stoa_state::grant::GUEST)).then_some(who);
            let browser = extends.is_some();
            RestrictionDocument { id, kind, shown, account, browser, by, ends_at: ends.map(|ends| ends.0) }
        });
        ModerationDocument { locked: moderation.locked, bars: bars.collect(), listening }
    }
}

/// Returns the lock, the decisions about people, and the clients that only listen.
///
/// For the scene's moderators.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/moderation", operation_id = "get_scene_moderation", tag = "moderation", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses((status = 200, body = ModerationDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(super) async fn read(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<axum::Json<ModerationDocument>, Problem> {
    let name = name_of(&namespace, &scene)?;
    let settings = settings_of(&web, &name).await?;
    moderator(&caller, &name, &settings)?;
    Ok(axum::Json(ModerationDocument::read(&web, &name, &settings.moderation).await?))
}

/// Carries out a moderator's action.
///
/// For the scene's moderators. Owners cannot be moderated, and other moderators only by an owner.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/moderation", operation_id = "moderate_scene", tag = "moderation", request_body = ModerationRequest, params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 200, body = ModerationDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)
))]
pub(super) async fn act(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
    Json(request): Json<ModerationRequest>,
) -> Result<axum::Json<ModerationDocument>, Problem> {
    let name = name_of(&namespace, &scene)?;
    let settings = settings_of(&web, &name).await?;
    let role = moderator(&caller, &name, &settings)?;
    let by = caller.name().unwrap_or_default().to_owned();
    // Changes the moderation. Returns `false` if the list of decisions is full.
    let change: Box<dyn FnOnce(&mut Moderation) -> bool + Send> = match request.act {
        ModerationAction::Lock | ModerationAction::Unlock => {
            let locked = request.act == ModerationAction::Lock;
            Box::new(move |moderation| {
                moderation.locked = locked;
                true
            })
        }
        ModerationAction::Lift => {
            let id = request.id.clone().ok_or_else(|| unprocessable("lift takes the id of a decision"))?;
            let bar = settings.moderation.bars.iter().find(|bar| bar.id == id);
            let bar = bar.ok_or_else(|| Problem::not_found("this mute or ban no longer exists"))?;
            let is_about = |it: &&Restriction| it.id == id || bar.extends.as_ref() == Some(&it.id);
            let who = caller.who();
            if settings.moderation.bars.iter().filter(is_about).any(|it| it.who == who) && role < Role::Owner {
                return Err(Problem::forbidden("you can't lift your own mute or ban"));
            }
            Box::new(move |moderation| {
                moderation.lift(&id);
                true
            })
        }
        ModerationAction::Silence | ModerationAction::Kick | ModerationAction::Ban => {
            let RestrictionWithBrowser { bar, browser } =
                bar_of(&web, &name, &settings, ModeratorIdentity { role, name: &by }, &request).await?;
            Box::new(move |moderation| {
                let mut decided = moderation.clone();
                decided.decide(bar, browser.as_deref());
                let has_room = decided.bars.len() <= limits::BARS_PER_SCENE_MAX;
                if has_room {
                    *moderation = decided;
                }
                has_room
            })
        }
    };
    tracing::info!(scene = %name, by, act = ?request.act, person = request.person, shown = request.shown, lasts_s = request.lasts_s, id = request.id, "moderated");
    let merge = move |settings: &mut SceneSettings| change(&mut settings.moderation);
    match web.app.registrar.change_and_tell(name.clone(), merge).await? {
        Some(true) => {}
        Some(false) => return Err(no_room()),
        None => return Err(no_scene(&name)),
    }
    let settings = settings_of(&web, &name).await?;
    Ok(axum::Json(ModerationDocument::read(&web, &name, &settings.moderation).await?))
}

fn moderator(caller: &Caller, name: &SceneName, settings: &SceneSettings) -> Result<Role, Problem> {
    match caller.moderates(name, settings) {
        Some(role) => Ok(role),
        None if caller.role_in(name, settings).is_some() => {
            Err(Problem::forbidden(format!("you can't moderate {name}")))
        }
        None => Err(closed(name, Some(settings), caller.is_guest(), "moderate")),
    }
}

/// The caller, and its role in the scene.
#[derive(Clone, Copy)]
struct ModeratorIdentity<'a> {
    role: Role,
    name: &'a str,
}

/// A decision about a person, and the id of the browser in which the person is.
struct RestrictionWithBrowser {
    bar: Restriction,
    browser: Option<String>,
}

/// The restriction of a person in the scene.
async fn bar_of(
    web: &RouteState,
    name: &SceneName,
    settings: &SceneSettings,
    moderator: ModeratorIdentity<'_>,
    request: &ModerationRequest,
) -> Result<RestrictionWithBrowser, Problem> {
    let person = request.person.as_deref().ok_or_else(|| unprocessable("person is missing: it takes an idTag"))?;
    let found = web.app.realm.bearer(name.clone(), person.to_owned()).await?;
    let SceneBearer { claims, shown } = found.ok_or_else(|| Problem::not_found("this person has left the scene"))?;
    // `by_realm` marks tokens of a realm's owner and tokens issued with the realm's key, whatever their filters grant.
    let is_owner = claims.by_realm || claims.moderates(name, settings) == Some(Role::Owner);
    let moderates = claims.moderates(name, settings).is_some();
    if is_owner || moderates && moderator.role < Role::Owner {
        return Err(Problem::forbidden("owners can't be removed, and only owners can remove moderators")
            .because("is_moderator"));
    }
    if settings.moderation.bars.len() >= limits::BARS_PER_SCENE_MAX {
        return Err(no_room());
    }
    let lasts_s = match request.act {
        ModerationAction::Kick => Some(limits::KICK_TTL.as_secs()),
        _ => request.lasts_s,
    };
    let longest = limits::BAR_TTL_MAX.as_secs();
    if let Some(lasts_s) = lasts_s.filter(|lasts_s| !(1..=longest).contains(lasts_s)) {
        return Err(unprocessable(&format!("lasts_s is {lasts_s}; it takes 1 to {longest}, or null")));
    }
    let now = clock::unix_now();
    let requested = request.shown.as_deref().filter(|name| is_display_name(name));
    let shown = shown.as_deref().or(requested).unwrap_or(person).chars().take(64).collect();
    let bar = Restriction {
        id: secret::fresh(),
        kind: if request.act == ModerationAction::Silence { RestrictionKind::Silence } else { RestrictionKind::Out },
        who: claims.who().into_owned(),
        shown,
        by: moderator.name.to_owned(),
        at: now,
        ends: lasts_s.map(|lasts_s| UnixSeconds(now.0 + lasts_s)),
        extends: None,
    };
    Ok(RestrictionWithBrowser { bar, browser: claims.guest_id })
}

fn no_room() -> Problem {
    let most = limits::BARS_PER_SCENE_MAX;
    unprocessable(&format!("the scene has reached its limit of {most} mutes and bans: lift one first"))
}

fn unprocessable(detail: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
}
