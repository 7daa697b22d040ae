//! The page of the file store: listing, uploads and removals. ARENA's page `files/` shows it in a frame. Paths are
//! those of ARENA's file browser, because ARENA's page reads them.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::page::{escaped, framed};
use super::super::{Problem, RouteState, RouteStateExtractor};
use super::member::Member;
use super::storage::{StoragePathContents, found, top_of};
use crate::files::encoded;
use crate::store::FolderListingEntry;

/// Path of the top folder's page.
const FILES: &str = "/storemng/files/";
const SCRIPT: &str = include_str!("files_page.js");

/// Redirects from the address that ARENA's page links to.
pub(in super::super) async fn enter() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static(FILES))]).into_response()
}

/// The page's script.
pub(in super::super) async fn script() -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"))], SCRIPT).into_response()
}

/// The caller's top folder.
pub(in super::super) async fn top(web: RouteStateExtractor, headers: HeaderMap) -> Result<Response, Problem> {
    show(&web, &headers, "").await
}

/// Returns the page of a folder, or redirects to a file.
#[utoipa::path(get, path = "/storemng/files/{*path}", operation_id = "show_files_page", tag = "arena", params(("path" = String, Path)), responses(
    (status = 200, content_type = "text/html", body = String), (status = 303), (status = 401, content_type = "text/html", body = String),
    (status = 404, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn folder(
    web: RouteStateExtractor,
    headers: HeaderMap,
    Path(path): Path<String>,
) -> Result<Response, Problem> {
    show(&web, &headers, &path).await
}

async fn show(web: &RouteState, headers: &HeaderMap, path: &str) -> Result<Response, Problem> {
    let Ok(Some(member)) = Member::of(web, headers, None).await else {
        let body = "<p><a href=/user/v2/login target=_top>Sign in</a> to see your files.</p>";
        return Ok(framed(StatusCode::UNAUTHORIZED, "Files", body));
    };
    let top = top_of(&member);
    let page = FolderPage { top: &top, path: path.trim_matches('/'), asker: &member.name };
    // An owner of the realm has access to all files, but starts with its own.
    if page.whole() == format!("users/{}", member.name) {
        let entries = web.app.store.files_in(&format!("users/{}/", member.name)).await?;
        return Ok(framed(StatusCode::OK, &page.title(), &page.body(&entries)));
    }
    if page.path.is_empty() {
        return Ok(see(&format!("{FILES}users/{}/", encoded(&member.name))));
    }
    match found(web, &top, path).await? {
        StoragePathContents::File(_) => Ok(see(&format!("/store/{}", encoded(&format!("{top}{path}"))))),
        StoragePathContents::Folder(entries) => Ok(framed(StatusCode::OK, &page.title(), &page.body(&entries))),
    }
}

fn see(there: &str) -> Response {
    let there = HeaderValue::try_from(there).expect("percent-encoding leaves ASCII");
    (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response()
}

/// A folder, as its viewer sees it.
struct FolderPage<'a> {
    /// The viewer's root in the store. Empty for all files of the realm.
    top: &'a str,
    /// The folder below `top`, without slashes at its ends.
    path: &'a str,
    asker: &'a str,
}

impl FolderPage<'_> {
    /// The folder's path in the store.
    fn whole(&self) -> String {
        format!("{}{}", self.top, self.path).trim_matches('/').to_owned()
    }

    /// The page's title: the owner of these files.
    fn title(&self) -> String {
        match self.whole().split('/').nth(1) {
            Some(owner) if owner == self.asker => "Your files".to_owned(),
            Some(owner) => format!("Files of {owner}"),
            None => "Files of all accounts".to_owned(),
        }
    }

    fn body(&self, entries: &[FolderListingEntry]) -> String {
        let rows: String = entries
            .iter()
            .filter(|entry| !is_picture_of(entry, entries))
            .map(|entry| self.row(entry, entries))
            .collect();
        let rows = if rows.is_empty() { "<tr><td>No files yet.</td></tr>".to_owned() } else { rows };
        let upload = if self.is_somebodys() {
            format!(
                "<form id=upload data-folder=\"{}\"><label for=files>Add files here</label>\
                 <input id=files type=file multiple required><button>Upload</button></form>",
                encoded(&self.below())
            )
        } else {
            String::new()
        };
        format!(
            "<p><a href=/account target=_top>Your account</a></p>{}<p>{}</p><table>{rows}</table>{upload}\
             <p id=status role=status></p><script src=/storemng/files.js defer></script>",
            self.about(),
            self.breadcrumbs()
        )
    }

    /// An explanation on the page of an account's top folder.
    fn about(&self) -> String {
        let depth = self.whole().split('/').count();
        if depth != 2 {
            return String::new();
        }
        let all = if self.top.is_empty() {
            format!("<p><a href=\"{FILES}users/\">Files of all accounts</a></p>")
        } else {
            String::new()
        };
        format!(
            "<p class=muted>Files that you add in a scene are in the folder <b>scenes</b>, below the name of the scene. \
             If you remove a file, it is missing in every scene that uses it.</p>{all}"
        )
    }

    /// Whether files can be added and removed here: inside an account's folder only.
    fn is_somebodys(&self) -> bool {
        self.whole().contains('/')
    }

    fn below(&self) -> String {
        if self.path.is_empty() { String::new() } else { format!("{}/", self.path) }
    }

    /// The top, the folders above and this folder, as links.
    fn breadcrumbs(&self) -> String {
        let all = if self.top.is_empty() { "All accounts" } else { "Files" };
        let first = if self.top.is_empty() { format!("{FILES}users/") } else { FILES.to_owned() };
        let mut html = format!("<a href=\"{first}\">{all}</a>");
        let mut above = String::new();
        for segment in self.path.split('/').filter(|segment| !segment.is_empty()) {
            above.push_str(segment);
            above.push('/');
            if self.top.is_empty() && above == "users/" {
                continue;
            }
            html.push_str(&format!(" / <a href=\"{FILES}{}\">{}</a>", encoded(&above), escaped(segment)));
        }
        html
    }

    fn row(&self, entry: &FolderListingEntry, siblings: &[FolderListingEntry]) -> String {
        let below = self.below();
        let (name, path) = (escaped(entry.name.trim_end_matches('/')), encoded(&format!("{below}{}", entry.name)));
        let (link, what) = if entry.is_folder() {
            (format!("<a href=\"{FILES}{path}\">{name}</a>"), "folder, ")
        } else {
            let there = format!("/store/{}{path}", encoded(self.top));
            (format!("<a href=\"{there}\" target=_blank rel=noopener>{name}</a>"), "")
        };
        let picture = siblings.iter().find(|other| is_picture(other, entry));
        let picture =
            picture.map(|picture| format!(" data-picture=\"{}\"", encoded(&format!("{below}{}", picture.name))));
        let remove = if self.is_somebodys() {
            format!(
                "<button type=button data-remove=\"{path}\"{} data-name=\"{name}\" aria-label=\"Delete {name}\">Delete</button>",
                picture.unwrap_or_default()
            )
        } else {
            String::new()
        };
        format!("<tr><td>{link}</td><td>{what}{}</td><td>{remove}</td></tr>", size(entry.size_bytes))
    }
}

/// Whether `picture` is the preview of `of`. The preview is removed with its file.
fn is_picture(picture: &FolderListingEntry, of: &FolderListingEntry) -> bool {
    picture.name.strip_suffix(".webp") == Some(&*of.name)
}

fn is_picture_of(entry: &FolderListingEntry, others: &[FolderListingEntry]) -> bool {
    others.iter().any(|other| is_picture(entry, other))
}

/// A size with its unit, from 1,000 bytes on with one decimal.
fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(|| format!("{bytes} bytes"), |(unit, name)| format!("{:.1} {name}", bytes as f64 / unit as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_state::time::UnixSeconds;

    fn entry(name: &str) -> FolderListingEntry {
        FolderListingEntry { name: name.into(), size_bytes: 2_048, changed_at: UnixSeconds(0) }
    }

    fn page<'a>(top: &'a str, path: &'a str) -> FolderPage<'a> {
        FolderPage { top, path, asker: "alice" }
    }

    #[test]
    fn file_names_are_escaped_in_the_files_page() {
        let html = page("users/alice/", "a&b").body(&[entry("<i>.png"), entry("\"den\"/")]);
        assert!(!html.contains("<i>") && !html.contains("\"den\"") && !html.contains("a&b"), "{html}");
        assert!(html.contains("href=\"/store/users/alice/a%26b/%3Ci%3E.png\"") && html.contains("2.0 kB"), "{html}");
        assert!(html.contains("href=\"/storemng/files/a%26b/%22den%22/\""), "{html}");
        assert_eq!((size(999), size(3_000_000_000)), ("999 bytes".to_owned(), "3.0 GB".to_owned()));
    }

    #[test]
    fn account_folders_have_no_remove_button_on_the_files_page() {
        let row = |path: &str| page("", path).row(&entry("scenes/"), &[]);
        assert!(!row("users").contains("data-remove"));
        assert!(row("users/alice").contains("data-remove"), "negative control");
    }

    #[test]
    fn the_files_page_names_the_owner_and_links_to_the_account_page() {
        assert_eq!(page("users/alice/", "scenes/den").title(), "Your files");
        assert_eq!(page("", "users/alice/scenes").title(), "Your files");
        assert_eq!(page("", "users/bob").title(), "Files of bob");
        assert_eq!(page("", "users").title(), "Files of all accounts");
        for (top, path) in [("users/alice/", ""), ("users/alice/", "scenes"), ("", "users"), ("", "users/bob/scenes")] {
            assert!(page(top, path).body(&[]).contains("<a href=/account target=_top>"), "{top}{path}");
        }
        let breadcrumbs = page("", "users/bob/scenes").breadcrumbs();
        assert!(
            breadcrumbs.contains("/storemng/files/users/\">All accounts</a> / ") && !breadcrumbs.contains(">users<"),
            "{breadcrumbs}"
        );
    }

    #[test]
    fn a_models_preview_has_no_row_and_is_removed_with_the_model() {
        let entries = [entry("duck.glb"), entry("duck.glb.webp"), entry("holiday.webp"), entry("gone.glb.webp")];
        let html = page("users/alice/", "scenes/den").body(&entries);
        assert!(
            html.contains("data-remove=\"scenes/den/duck.glb\" data-picture=\"scenes/den/duck.glb.webp\""),
            "{html}"
        );
        assert!(!html.contains(">duck.glb.webp<"), "{html}");
        assert!(html.contains(">holiday.webp<") && html.contains(">gone.glb.webp<"), "negative control: {html}");
    }
}
