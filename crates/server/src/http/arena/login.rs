//! Sign-in, sign-out and profile pages, to which ARENA's pages send people.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Deserialize;
use stoa_state::grant::{Role, role_of};

use super::super::guard::CheckedAuthority;
use super::super::page::{escaped, page, sentence};
use super::super::rate_limit::RequestNetwork;
use super::super::scenes::all;
use super::super::sign_in::SignInClient;
use super::super::{Problem, RouteState, RouteStateExtractor, sign_in};
use super::csrf::{self, Csrf};
use super::form::Form;
use super::member::Member;

/// The sign-in form.
#[derive(Deserialize, utoipa::ToSchema)]
pub(in super::super) struct SignInForm {
    username: Option<String>,
    password: Option<String>,
    next: Option<String>,
    csrfmiddlewaretoken: Option<String>,
}

/// Returns the sign-in page, and sets the CSRF cookie that writes repeat.
///
/// ARENA's programs request it for the cookie alone.
#[utoipa::path(get, path = "/user/v2/login", operation_id = "show_sign_in_page", tag = "arena", responses((status = 200, content_type = "text/html", body = String)))]
pub(in super::super) async fn show(
    web: RouteStateExtractor,
    csrf: Csrf,
    axum::Extension(site): axum::Extension<CheckedAuthority>,
    headers: HeaderMap,
) -> Response {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok());
    let next = referer.and_then(|referer| path_here(referer, &site)).unwrap_or_else(|| "/".into());
    form(&web, &csrf, &next, None)
}

/// Signs in, and redirects to the page before.
#[utoipa::path(post, path = "/user/v2/login", operation_id = "submit_sign_in_form", tag = "arena",
    request_body(content = SignInForm, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 303), (status = 401, content_type = "text/html", body = String), (status = 403, body = Object), (status = 429, body = Object)
))]
pub(in super::super) async fn submit(
    web: RouteStateExtractor,
    csrf: Csrf,
    origin: SignInClient,
    Form { fields: form_fields, headers }: Form<SignInForm>,
) -> Response {
    if let Err(wrong) = csrf::check(&headers, form_fields.csrfmiddlewaretoken.as_deref()) {
        return wrong.into_response();
    }
    let next = form_fields.next.filter(|next| is_path(next)).unwrap_or_else(|| "/".into());
    let (name, password) = (form_fields.username.unwrap_or_default(), form_fields.password.unwrap_or_default());
    match sign_in::begin_session(&web, &name, password, &origin).await {
        Ok((account, cookies)) => {
            tracing::debug!(account = account.name, "signed in");
            let next = HeaderValue::from_str(&next).unwrap_or(HeaderValue::from_static("/"));
            let cookies = AppendHeaders(cookies.map(|cookie| (header::SET_COOKIE, cookie)));
            (StatusCode::SEE_OTHER, [(header::LOCATION, next)], cookies).into_response()
        }
        Err(problem) if problem.status() == StatusCode::UNAUTHORIZED => form(&web, &csrf, &next, Some(problem)),
        Err(problem) => problem.into_response(),
    }
}

fn form(web: &RouteState, csrf: &Csrf, next: &str, problem: Option<Problem>) -> Response {
    let status = problem.as_ref().map_or(StatusCode::OK, Problem::status);
    let said = problem.map(|problem| format!("<p role=alert>{}</p>", sentence(problem.detail()))).unwrap_or_default();
    let guest = format!("{next}{}auth=anonymous", if next.contains('?') { '&' } else { '?' });
    let body = format!(
        "<section class=card>{said}<form method=post action=/user/v2/login>\
         <input type=hidden name=csrfmiddlewaretoken value=\"{}\"><input type=hidden name=next value=\"{}\">\
         <label>Username<input name=username autocomplete=username required autofocus></label>\
         <label>Password<input name=password type=password autocomplete=current-password required></label>\
         <button>Sign in</button></form></section><p><a href=\"{}\">Continue as guest</a></p>",
        escaped(csrf.text()),
        escaped(next),
        escaped(&guest)
    );
    let mut response = page(status, "Sign in", &body);
    response.headers_mut().insert(header::SET_COOKIE, csrf.cookie(web.endpoint));
    response
}

/// Returns a page with a button that signs out.
///
/// A link must not sign people out, because the editors of a scene choose its links.
#[utoipa::path(get, path = "/user/v2/logout", operation_id = "get_arena_logout", tag = "arena", responses(
    (status = 200, content_type = "text/html", body = String)
))]
pub(in super::super) async fn logout_page() -> Response {
    let body = "<section class=card><form method=post action=/user/v2/logout><button>Sign out</button></form></section>\
                <p><a href=/>Stay signed in</a></p>";
    page(StatusCode::OK, "Sign out", body)
}

/// Signs out, and redirects to the sign-in page.
///
/// Only pages of the realm may send this.
#[utoipa::path(post, path = "/user/v2/logout", operation_id = "post_arena_logout", tag = "arena", responses(
    (status = 303), (status = 403, body = Object)
))]
pub(in super::super) async fn logout(web: RouteStateExtractor, headers: HeaderMap) -> Result<Response, Problem> {
    let told = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    if !matches!(told("sec-fetch-site"), None | Some(b"same-origin" | b"none")) {
        return Err(Problem::forbidden("another site can't sign you out"));
    }
    let mut response = sign_in::end_session(&web, &headers).await?;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/user/v2/login"));
    *response.status_mut() = StatusCode::SEE_OTHER;
    Ok(response)
}

/// Returns the page with the signed-in account and its scenes.
#[utoipa::path(get, path = "/user/v2/profile", operation_id = "show_profile_page", tag = "arena", responses(
    (status = 200, content_type = "text/html", body = String), (status = 303), (status = 429, body = Object)
))]
pub(in super::super) async fn profile(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Ok(Some(member)) = Member::of(&web, &headers, None).await else { return Ok(to_login()) };
    let mut rows = String::new();
    for (name, settings, _) in all(&web, asker).await? {
        if role_of(&name, &settings, &member.account()) == Some(Role::Owner) {
            rows.push_str(&format!(
                "<li><a href=\"/{name}\">{name}</a> (<a href=\"/user/v2/profile/scenes/{name}\">permissions</a>)</li>"
            ));
        }
    }
    let body = format!(
        "<section class=card><p>You are signed in as <b>{name}</b>.</p>\
         <form method=post action=/user/v2/logout><button>Sign out</button></form></section>\
         <section class=card><h2>Your scenes</h2>{scenes}</section>\
         <section class=card><h2>Tokens for scripts and devices</h2><p>On the server's own machine:</p>\
         <p><code>stoa token --data DIR --user {name} --scene {name}/SCENE</code></p>\
         <p><code>stoa token --data DIR --user {name} --publish 'realm/d/{name}/DEVICE/#' --subscribe 'realm/d/{name}/DEVICE/#'</code></p></section>",
        scenes = if rows.is_empty() { "<p class=muted>None yet.</p>".to_owned() } else { format!("<ul>{rows}</ul>") },
        name = escaped(&member.name)
    );
    Ok(page(StatusCode::OK, "Profile", &body))
}

/// Redirects to the sign-in page.
pub(super) fn to_login() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static("/user/v2/login"))]).into_response()
}

/// The path of a referer that is a page of this realm.
fn path_here(referer: &str, site: &CheckedAuthority) -> Option<String> {
    let uri: axum::http::Uri = referer.parse().ok()?;
    let same = uri.authority().is_some_and(|authority| authority.as_str().eq_ignore_ascii_case(site.0.as_str()));
    let path = uri.path_and_query()?.as_str();
    (same && is_path(path) && !path.starts_with("/user/")).then(|| path.to_owned())
}

/// Whether text is a path on this realm, without a hidden host.
fn is_path(text: &str) -> bool {
    let mut characters = text.chars();
    let rooted = characters.next() == Some('/') && !matches!(characters.next(), Some('/' | '\\'));
    rooted && text.len() <= 2_048 && text.chars().all(|character| character.is_ascii_graphic() && character != '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_in_redirects_only_to_paths_of_this_site() {
        for path in ["/", "/public/lobby", "/public/lobby?auth=x&a=%20b"] {
            assert!(is_path(path), "{path}");
        }
        for path in
            ["", "//evil.example", "/\\evil.example", "https://evil.example/", "/a\r\nb", "/a b", "javascript:alert(1)"]
        {
            assert!(!is_path(path), "{path}");
        }
        let site = CheckedAuthority("localhost:8443".parse().unwrap());
        assert_eq!(path_here("https://localhost:8443/public/lobby?x=1", &site), Some("/public/lobby?x=1".into()));
        assert_eq!(path_here("https://evil.example/public/lobby", &site), None);
    }
}
