//! The page of the file store, where ARENA's page `files/` shows its file browser in a frame: what is there, uploads, removals. Paths are as that file
//! browser's, for ARENA's page reads them.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::page::{escaped, framed};
use super::super::{Problem, Shared, Web};
use super::member::Member;
use super::storage::{Found, found, top_of};
use crate::files::encoded;
use crate::store::FileEntry;

/// Where the page's folders begin.
const FILES: &str = "/storemng/files/";
const SCRIPT: &str = include_str!("files_page.js");

/// The way in, as ARENA's page links to it.
pub(in super::super) async fn enter() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static(FILES))]).into_response()
}

/// The page's script.
pub(in super::super) async fn script() -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"))], SCRIPT).into_response()
}

/// What lies at the top of the asker's files.
pub(in super::super) async fn top(web: Shared, headers: HeaderMap) -> Result<Response, Problem> {
    show(&web, &headers, "").await
}

/// What lies in a folder; a file itself.
#[utoipa::path(get, path = "/storemng/files/{*path}", tag = "arena", params(("path" = String, Path)), responses(
    (status = 200, content_type = "text/html", body = String), (status = 303), (status = 401, content_type = "text/html", body = String),
    (status = 404, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn folder(
    web: Shared,
    headers: HeaderMap,
    Path(path): Path<String>,
) -> Result<Response, Problem> {
    show(&web, &headers, &path).await
}

async fn show(web: &Web, headers: &HeaderMap, path: &str) -> Result<Response, Problem> {
    let Ok(Some(member)) = Member::of(web, headers, None).await else {
        let body = "<p>Files belong to accounts: <a href=/user/v2/login target=_top>sign in</a> to see yours.</p>";
        return Ok(framed(StatusCode::UNAUTHORIZED, "Files", body));
    };
    let top = top_of(&member);
    match found(web, &top, path).await? {
        Found::File(_) => {
            let there = HeaderValue::try_from(format!("/store/{}", encoded(&format!("{top}{path}"))));
            let there = there.expect("percent-encoding leaves ASCII");
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response())
        }
        Found::Folder(entries) => Ok(framed(StatusCode::OK, "Files", &body(&top, path.trim_matches('/'), &entries))),
    }
}

fn body(top: &str, path: &str, entries: &[FileEntry]) -> String {
    let below = if path.is_empty() { String::new() } else { format!("{path}/") };
    let rows: String = entries.iter().map(|entry| row(top, &below, entry)).collect();
    let rows = if rows.is_empty() { "<tr><td>Nothing yet.</td></tr>".to_owned() } else { rows };
    let folder = encoded(&below);
    // At the top of all, nothing is anybody's.
    let upload = if top.is_empty() && below.matches('/').count() < 2 {
        String::new()
    } else {
        format!(
            "<form id=upload data-folder=\"{folder}\"><label for=files>Add files here</label>\
             <input id=files type=file multiple required><button>Upload</button></form>"
        )
    };
    format!(
        "<p>{}</p><table>{rows}</table>{upload}<p id=status role=status></p><script src=/storemng/files.js defer></script>",
        way(path)
    )
}

/// The folders above, each a link.
fn way(path: &str) -> String {
    let mut html = format!("<a href={FILES}>Files</a>");
    let mut above = String::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        above.push_str(segment);
        above.push('/');
        html.push_str(&format!(" / <a href=\"{FILES}{}\">{}</a>", encoded(&above), escaped(segment)));
    }
    html
}

fn row(top: &str, below: &str, entry: &FileEntry) -> String {
    let (name, path) = (escaped(&entry.name), encoded(&format!("{below}{}", entry.name)));
    let link = if entry.is_folder() {
        format!("<a href=\"{FILES}{path}\">{name}</a>")
    } else {
        format!("<a href=\"/store/{}{path}\" target=_blank rel=noopener>{name}</a>", encoded(top))
    };
    // Accounts' own folders, and what holds them, go with the accounts.
    let remove = if top.is_empty() && below.matches('/').count() < 2 {
        String::new()
    } else {
        format!(
            "<button type=button data-remove=\"{path}\" data-name=\"{name}\" aria-label=\"Remove {name}\">Remove</button>"
        )
    };
    format!("<tr><td>{link}</td><td>{}</td><td>{remove}</td></tr>", size(entry.size_bytes))
}

/// In a unit that leaves at most four digits.
fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(|| format!("{bytes} B"), |(unit, name)| format!("{:.1} {name}", bytes as f64 / unit as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_state::time::UnixTime;

    #[test]
    fn names_of_files_are_text_in_the_page() {
        let entry = |name: &str| FileEntry { name: name.into(), size_bytes: 2_048, changed_at: UnixTime(0) };
        let html = body("users/alice/", "a&b", &[entry("<b>.png"), entry("\"den\"/")]);
        assert!(!html.contains("<b>") && !html.contains("\"den\"") && !html.contains("a&b"), "{html}");
        assert!(html.contains("href=\"/store/users/alice/a%26b/%3Cb%3E.png\"") && html.contains("2.0 KiB"), "{html}");
        assert!(html.contains("href=\"/storemng/files/a%26b/%22den%22/\""), "{html}");
        assert_eq!((size(1_023), size(3 << 30)), ("1023 B".to_owned(), "3.0 GiB".to_owned()));
    }

    #[test]
    fn the_folders_of_accounts_are_not_removed_by_a_click() {
        let entry = FileEntry { name: "alice/".into(), size_bytes: 1, changed_at: UnixTime(0) };
        assert!(!row("", "users/", &entry).contains("data-remove"));
        assert!(row("", "users/alice/", &entry).contains("data-remove"), "negative control");
    }
}
