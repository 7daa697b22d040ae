//! The file store for ARENA's programs and pages: requests of their file browser below `/storemng/api/resources/`,
//! with the upload token in `X-Auth`. Paths are relative to the caller's own folder. Owners of the realm have access
//! to all folders.

use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::query::Query;
use super::super::rate_limit::RequestNetwork;
use super::super::{Problem, RouteState, RouteStateExtractor, uploads};
use super::form::is_yes;
use super::member::Member;
use crate::files::{FilePath, media_of};
use crate::identity::scoped_tokens::{self, TokenPurpose};
use crate::store::FolderListingEntry;

/// Unix mode of a file that its owner writes and everyone reads.
const FILE_MODE: u32 = 0o644;
/// Unix mode of a folder that its owner writes and everyone reads, with the bit by which the file browser marks
/// folders.
const FOLDER_MODE: u32 = 1 << 31 | 0o755;

/// Options of an upload.
#[derive(Deserialize, utoipa::IntoParams)]
pub(in super::super) struct OverwriteChoice {
    /// `true` replaces an existing file. Otherwise it is a 409.
    #[serde(rename = "override")]
    replace: Option<String>,
}

/// Uploads a file below the caller's own `users/<name>/`.
///
/// For owners of the realm, the path begins with `users/`.
#[utoipa::path(post, path = "/storemng/api/resources/{*path}", operation_id = "upload_arena_file", tag = "arena", params(("path" = String, Path), OverwriteChoice),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 200, body = String), (status = 400, body = super::super::problem::ProblemDocument),
    (status = 401, body = super::super::problem::ProblemDocument), (status = 403, body = super::super::problem::ProblemDocument),
    (status = 409, body = super::super::problem::ProblemDocument), (status = 413, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn upload(
    web: RouteStateExtractor,
    Path(path): Path<String>,
    Query(manner): Query<OverwriteChoice>,
    request: Request,
) -> Result<(StatusCode, &'static str), Problem> {
    let member = holder(&web, request.headers()).await?;
    member.charge_change(&web, RequestNetwork::of(request.extensions().get()))?;
    let whole = format!("{}{path}", top_of(&member));
    // A folder exists once a file is put into it.
    if whole.ends_with('/') {
        return Ok((StatusCode::OK, "200 OK"));
    }
    let path = FilePath::parse(&whole)?;
    if !is_yes(manner.replace.as_deref()) && web.app.store.file(path.as_str()).await?.is_some() {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            format!("the file {:?} already exists: ?override=true replaces it", path.as_str()),
        ));
    }
    uploads::take(&web, &path, request).await?;
    // arena-py takes any non-empty answer for a success.
    Ok((StatusCode::OK, "200 OK"))
}

/// Returns a folder's listing, or a file's properties, in the file browser's format.
#[utoipa::path(get, path = "/storemng/api/resources/{*path}", operation_id = "get_arena_file_entry", tag = "arena", params(("path" = String, Path)), responses(
    (status = 200, body = Object), (status = 401, body = super::super::problem::ProblemDocument),
    (status = 404, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn look(
    web: RouteStateExtractor,
    headers: HeaderMap,
    Path(path): Path<String>,
) -> Result<axum::Json<Value>, Problem> {
    let top = top_of(&holder(&web, &headers).await?);
    Ok(axum::Json(match found(&web, &top, &path).await? {
        StoragePathContents::Folder(entries) => listing(&path, &entries),
        StoragePathContents::File(entry) => item(&path, &entry),
    }))
}

/// The listing of the caller's top folder.
pub(in super::super) async fn look_at_top(
    web: RouteStateExtractor,
    headers: HeaderMap,
) -> Result<axum::Json<Value>, Problem> {
    look(web, headers, Path(String::new())).await
}

/// Removes a file, or a folder with everything below it.
#[utoipa::path(delete, path = "/storemng/api/resources/{*path}", operation_id = "delete_arena_file", tag = "arena", params(("path" = String, Path)), responses(
    (status = 204), (status = 400, body = super::super::problem::ProblemDocument),
    (status = 401, body = super::super::problem::ProblemDocument), (status = 404, body = super::super::problem::ProblemDocument)
))]
pub(in super::super) async fn remove(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    headers: HeaderMap,
    Path(path): Path<String>,
) -> Result<StatusCode, Problem> {
    let member = holder(&web, &headers).await?;
    member.charge_change(&web, asker)?;
    let whole = format!("{}{path}", top_of(&member));
    let named = whole.trim_end_matches('/');
    // At least an account's own folder is named: `users` as a whole can't be removed.
    FilePath::parse(&format!("{named}/x"))?;
    let _naming = web.app.files.naming().await;
    let (mut count, mut orphans) = (0, Vec::new());
    if !whole.ends_with('/') {
        (count, orphans) = web.app.store.remove_files(named).await?;
    }
    if count == 0 {
        (count, orphans) = web.app.store.remove_files(&format!("{named}/")).await?;
    }
    if count == 0 {
        return Err(nothing_at(&path));
    }
    for orphan in orphans {
        web.app.files.forget(&orphan).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The subject of the request's upload token.
async fn holder(web: &RouteState, headers: &HeaderMap) -> Result<Member, Problem> {
    let shown = headers.get("x-auth").and_then(|value| value.to_str().ok());
    let shown = shown.ok_or_else(|| {
        Problem::unauthorized("X-Auth is missing: /user/v2/storelogin sets its value as the cookie auth")
    })?;
    Member::with(web, scoped_tokens::verify(&web.app.keys, TokenPurpose::Upload, shown)?).await
}

/// The caller's root in the store.
pub(super) fn top_of(member: &Member) -> String {
    if member.owns_realm { String::new() } else { format!("users/{}/", member.name) }
}

/// The entry at a path.
pub(super) enum StoragePathContents {
    /// A folder with these entries.
    Folder(Vec<FolderListingEntry>),
    /// One file.
    File(FolderListingEntry),
}

/// Finds the entry at `path` below `top`. A folder without files doesn't exist, except the top itself.
///
/// # Errors
/// 404.
pub(super) async fn found(web: &RouteState, top: &str, path: &str) -> Result<StoragePathContents, Problem> {
    let named = path.trim_matches('/');
    if named.is_empty() {
        return Ok(StoragePathContents::Folder(web.app.store.files_in(top).await?));
    }
    let whole = format!("{top}{named}");
    let entries = web.app.store.files_in(&format!("{whole}/")).await?;
    if !entries.is_empty() {
        return Ok(StoragePathContents::Folder(entries));
    }
    let (folder, name) = whole.rsplit_once('/').map_or(("", &*whole), |(folder, name)| (folder, name));
    let beside = if folder.is_empty() { Vec::new() } else { web.app.store.files_in(&format!("{folder}/")).await? };
    let entry = beside.into_iter().find(|entry| entry.name == name);
    entry.map(StoragePathContents::File).ok_or_else(|| nothing_at(path))
}

fn nothing_at(path: &str) -> Problem {
    Problem::not_found(format!("there is no file and no folder {path:?} of yours"))
}

fn listing(path: &str, entries: &[FolderListingEntry]) -> Value {
    let named = path.trim_matches('/');
    let below = if named.is_empty() { String::new() } else { format!("{named}/") };
    let items: Vec<Value> = entries.iter().map(|entry| item(&format!("{below}{}", entry.name), entry)).collect();
    let folders = entries.iter().filter(|entry| entry.is_folder()).count();
    let itself = FolderListingEntry {
        name: "/".to_owned(),
        size_bytes: entries.iter().map(|entry| entry.size_bytes).sum(),
        changed_at: entries.iter().map(|entry| entry.changed_at).max().unwrap_or_default(),
    };
    let mut told = item(named, &itself);
    told["items"] = items.into();
    told["numDirs"] = folders.into();
    told["numFiles"] = (entries.len() - folders).into();
    told["sorting"] = json!({"by": "name", "asc": false});
    told
}

fn item(path: &str, entry: &FolderListingEntry) -> Value {
    let path = path.trim_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending).filter(|_| !entry.is_folder()).unwrap_or_default();
    let changed_at = i64::try_from(entry.changed_at.0).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    json!({
        "path": format!("/{path}"),
        "name": name,
        "size": entry.size_bytes,
        "extension": if ending.is_empty() { String::new() } else { format!(".{ending}") },
        "modified": changed_at.unwrap_or_default().to_string(),
        "mode": if entry.is_folder() { FOLDER_MODE } else { FILE_MODE },
        "isDir": entry.is_folder(),
        "isSymlink": false,
        "type": if entry.is_folder() { "" } else { kind_of(ending) },
    })
}

/// The file browser's kind of a file.
fn kind_of(ending: &str) -> &'static str {
    let content_type = media_of(&ending.to_ascii_lowercase()).content_type;
    match content_type.split('/').next() {
        Some(kind @ ("image" | "audio" | "video" | "text")) => kind,
        _ if content_type == "application/pdf" => "pdf",
        _ => "blob",
    }
}
