//! The page for a scene's permissions. ARENA's pages have no such page and send people here. The realm's own pages show
//! the permissions in the scene.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use stoa_state::grant::{Role, SceneSettings, role_of};
use stoa_wire::topic::SceneName;

use super::super::page::{escaped, page};
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::{closed, name_of, settings_of};
use super::super::{Problem, RouteState, RouteStateExtractor};
use super::csrf::{self, Csrf};
use super::form::{Form, is_yes};
use super::login::to_login;
use super::member::Member;
use super::scene_settings::SceneChange;

/// The permissions form.
#[derive(Deserialize, utoipa::ToSchema)]
pub(in super::super) struct SceneSettingsForm {
    csrfmiddlewaretoken: Option<String>,
    summary: Option<String>,
    /// Account names, separated by spaces or commas.
    editors: Option<String>,
    /// Account names, separated by spaces or commas.
    viewers: Option<String>,
    public_read: Option<String>,
    public_write: Option<String>,
    anonymous_users: Option<String>,
    video_conference: Option<String>,
    users: Option<String>,
}

impl SceneSettingsForm {
    /// Browsers don't send unticked boxes, so a missing one is false.
    fn change(self) -> SceneChange {
        let ticked = |field: Option<String>| Some(is_yes(field.as_deref()));
        let names = |field: Option<String>| {
            let text = field.unwrap_or_default();
            let names = text.split([' ', ',', '\r', '\n', '\t']).filter(|name| !name.is_empty());
            Some(names.map(str::to_owned).collect())
        };
        SceneChange {
            summary: self.summary.map(|text| text.trim().to_owned()),
            editors: names(self.editors),
            viewers: names(self.viewers),
            public_read: ticked(self.public_read),
            public_write: ticked(self.public_write),
            anonymous_users: ticked(self.anonymous_users),
            video_conference: ticked(self.video_conference),
            users: ticked(self.users),
        }
    }
}

/// Returns the page with a scene's permissions.
///
/// For owners of the scene. Without `--web`, redirects to the scene, whose page shows the permissions.
#[utoipa::path(get, path = "/user/v2/profile/scenes/{namespace}/{scene}", operation_id = "show_scene_permissions_page", tag = "arena",
    params(("namespace" = String, Path), ("scene" = String, Path)), responses(
    (status = 200, content_type = "text/html", body = String), (status = 303), (status = 403), (status = 404)
))]
pub(in super::super) async fn show(
    web: RouteStateExtractor,
    csrf: Csrf,
    Path((namespace, scene)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    if web.app.config.web.is_none() {
        return Ok(to(&format!("/{name}")));
    }
    let Ok(Some(member)) = Member::of(&web, &headers, None).await else { return Ok(to_login()) };
    let settings = own(&web, &member, &name).await?;
    Ok(form(&web, &csrf, &name, &settings, None))
}

/// Changes a scene's permissions.
#[utoipa::path(post, path = "/user/v2/profile/scenes/{namespace}/{scene}", operation_id = "submit_scene_permissions_form", tag = "arena",
    params(("namespace" = String, Path), ("scene" = String, Path)),
    request_body(content = SceneSettingsForm, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 303), (status = 403, body = Object), (status = 404), (status = 422, content_type = "text/html", body = String)
))]
pub(in super::super) async fn submit(
    web: RouteStateExtractor,
    csrf: Csrf,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
    Form { fields: filled, headers }: Form<SceneSettingsForm>,
) -> Result<Response, Problem> {
    if let Err(wrong) = csrf::check(&headers, filled.csrfmiddlewaretoken.as_deref()) {
        return Ok(wrong.into_response());
    }
    let name = name_of(&namespace, &scene)?;
    let Ok(Some(member)) = Member::of(&web, &headers, None).await else { return Ok(to_login()) };
    member.charge_change(&web, asker)?;
    let old = own(&web, &member, &name).await?;
    let change = filled.change();
    match change.check() {
        Ok(()) => {
            web.charge_settings(&name, &member.name, &change.clone().merged(old)).await?;
            web.app.registrar.change(name, move |old| change.merged(old)).await?;
            Ok(to("/user/v2/profile"))
        }
        Err(problem) => Ok(form(&web, &csrf, &name, &old, Some(problem))),
    }
}

/// The settings of a scene that the caller owns. Errors: 403, or 404 where the caller may not know of the scene.
async fn own(web: &RouteState, member: &Member, name: &SceneName) -> Result<SceneSettings, Problem> {
    let settings = settings_of(web, name).await?;
    match role_of(name, &settings, &member.account()) {
        Some(Role::Owner) => Ok(settings),
        _ => Err(closed(name, Some(&settings), false, "change")),
    }
}

fn to(path: &str) -> Response {
    let there = HeaderValue::try_from(path).expect("names are ASCII");
    (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response()
}

fn form(
    web: &RouteState,
    csrf: &Csrf,
    name: &SceneName,
    settings: &SceneSettings,
    problem: Option<Problem>,
) -> Response {
    let status = problem.as_ref().map_or(StatusCode::OK, Problem::status);
    let said = problem.map(|problem| format!("<p role=alert>{}</p>", escaped(problem.detail()))).unwrap_or_default();
    let boxes = [
        ("public_read", settings.public_read, "Anyone can view"),
        ("public_write", settings.public_write, "Anyone can edit"),
        ("anonymous_users", settings.anonymous_users, "Anyone includes guests"),
        ("users", settings.users, "Viewers have an avatar, click and chat"),
        ("video_conference", settings.video_conference, "Audio and video calls"),
    ];
    let boxes = boxes.map(|(field, is_set, text)| {
        let checked = if is_set { " checked" } else { "" };
        format!("<label><input type=checkbox name={field}{checked}>{text}</label>")
    });
    let texts = [
        ("summary", settings.summary.clone().unwrap_or_default(), "Summary"),
        ("editors", settings.editors.join(" "), "Accounts that can edit"),
        ("viewers", settings.viewers.join(" "), "Accounts that can view a private scene"),
    ];
    let texts = texts.map(|(field, value, text)| {
        format!("<label for={field}>{text}</label><input id={field} name={field} value=\"{}\">", escaped(&value))
    });
    let body = format!(
        "{said}<p><a href=\"/{name}\">{name}</a></p><form method=post>\
         <input type=hidden name=csrfmiddlewaretoken value=\"{}\">{}{}<button>Save</button></form>",
        escaped(csrf.text()),
        boxes.concat(),
        texts.concat()
    );
    let mut response = page(status, "Scene permissions", &body);
    response.headers_mut().insert(header::SET_COOKIE, csrf.cookie(web.endpoint));
    response
}
