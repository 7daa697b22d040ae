//! Receives and serves uploaded files, with headers that keep browsers from running any file as a page of this realm.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use serde::Serialize;
use stoa_state::grant::{Claims, SceneSettings};
use stoa_wire::topic::SceneName;
use tokio::time::{Instant, timeout, timeout_at};
use utoipa::ToSchema;

use super::caller::{BearerClaims, Caller, ReadOnlyRequestCaller};
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::{Problem, RouteState, RouteStateExtractor};
use crate::app::shared_capacity::CapacityPermit;
use crate::app::slots::{RequestSlot, SlotHolder};
use crate::files::check::FileVerdict;
use crate::files::{FileDigest, FilePath, IncomingFile, UncommittedFile, encoded, media_of};
use crate::limits;
use crate::store::{FileRow, FileUsage};

/// A stored file.
#[derive(Serialize, ToSchema)]
pub(super) struct UploadedFileDocument {
    /// Path to read the file.
    url: String,
}

/// An account's storage, used and allowed.
#[derive(Serialize, ToSchema)]
pub(super) struct StorageQuotaDocument {
    /// Bytes of all its files.
    used_bytes: u64,
    /// Limit for the bytes of all files.
    bytes_max: u64,
    /// Number of its files.
    files: u64,
    /// Limit for the number of files.
    files_max: u64,
    /// Limit for one file, in bytes.
    file_bytes_max: u64,
    /// Limit for an imported or exported scene, in bytes.
    scene_bytes_max: u64,
}

/// Returns the used and allowed storage of the caller's account.
#[utoipa::path(get, path = "/api/v1/store-room", operation_id = "get_storage_quota", tag = "files", responses(
    (status = 200, body = StorageQuotaDocument), (status = 401, body = ProblemDocument)
))]
pub(super) async fn quota(
    web: RouteStateExtractor,
    caller: Caller,
) -> Result<axum::Json<StorageQuotaDocument>, Problem> {
    let Some(name) = caller.name().filter(|_| !caller.is_guest()) else {
        return Err(Problem::unauthorized("guests cannot upload: sign in, or send a token"));
    };
    let used = web.app.store.files_of(name).await?;
    Ok(axum::Json(StorageQuotaDocument {
        used_bytes: used.bytes,
        bytes_max: limits::FILES_BYTES_PER_ACCOUNT_MAX,
        files: used.files,
        files_max: limits::FILES_PER_ACCOUNT_MAX,
        file_bytes_max: limits::FILE_BYTES_MAX,
        scene_bytes_max: limits::CARRIED_BYTES_MAX,
    }))
}

/// Uploads a file below `users/<own name>/`, and replaces one of the same name.
///
/// Owners of the realm may upload below each `users/<name>/`. A token writes the files of scenes whose objects it may
/// change, and other files only if it may change the objects of all scenes of its account.
#[utoipa::path(put, path = "/api/v1/store/{*path}", operation_id = "upload_file", tag = "files", params(("path" = String, Path)),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 201, body = UploadedFileDocument), (status = 400, body = ProblemDocument), (status = 401, body = ProblemDocument),
    (status = 403, body = ProblemDocument), (status = 408, body = ProblemDocument), (status = 413, body = ProblemDocument),
    (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument), (status = 503, body = ProblemDocument), (status = 507, body = ProblemDocument)
))]
pub(super) async fn upload(
    web: RouteStateExtractor,
    caller: Caller,
    Path(path): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let path = FilePath::parse(&path)?;
    check_right(&web, &caller, &path).await?;
    let url = take(&web, &path, request).await?;
    let location = HeaderValue::try_from(&url).expect("percent-encoding leaves ASCII");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], axum::Json(UploadedFileDocument { url })).into_response())
}

/// Stores a file for a caller who may write there. Returns the path to read it.
pub(super) async fn take(web: &Arc<RouteState>, path: &FilePath, request: Request) -> Result<String, Problem> {
    let told = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let space = space_for(web, path).await?;
    check_size(told.unwrap_or(0), space)?;
    let network = RequestNetwork::of(request.extensions().get());
    let slot = UploadSlot::take(web, (path.owner(), network), "uploads")?;
    let mut incoming = web.app.files.receive().await?;
    if let Err(problem) = receive(&mut incoming, request.into_body(), |size| check_size(size, space)).await {
        incoming.abort().await;
        return Err(problem);
    }
    let (web, path) = (Arc::clone(web), path.clone());
    to_its_end(async move {
        let taken = settle(&web, &path, incoming).await;
        drop(slot);
        taken
    })
    .await
}

/// The slot of an upload, an import or a copy, with a part of its address's bound. Released on drop.
pub(super) struct UploadSlot {
    _slot: RequestSlot,
    _part: CapacityPermit,
}

impl UploadSlot {
    /// Takes a slot at once. Errors: 429 above the share of the account or the address, 503 if all slots are taken.
    pub(super) fn take(web: &RouteState, of: (&str, RequestNetwork), what: &str) -> Result<UploadSlot, Problem> {
        let (account, network) = of;
        let slot = web.app.uploads.take_now(&SlotHolder::of_account(account, network.0), what)?;
        let part = web.app.open_uploads.take(network.0, 1)?;
        Ok(UploadSlot { _slot: slot, _part: part })
    }
}

/// Runs work to its end, even if the client disconnects. Half of it would leave files without an owner.
pub(super) async fn to_its_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    tokio::spawn(work).await.expect("does not panic, and is never aborted")
}

/// Checks a received file and gives it its name.
async fn settle(web: &RouteState, path: &FilePath, incoming: IncomingFile) -> Result<String, Problem> {
    let complete = incoming.finish().await?;
    if let Err(problem) = check_content(web, path, &complete).await {
        web.app.files.discard(complete).await;
        return Err(problem);
    }
    let _naming = web.app.files.naming().await;
    // Another upload may have used the storage meanwhile.
    let space = space_for(web, path).await.and_then(|space| check_size(complete.size_bytes(), space));
    if let Err(problem) = space {
        web.app.files.discard(complete).await;
        return Err(problem);
    }
    let received = web.app.files.keep(complete).await?;
    name_content(web, path, received).await?;
    Ok(format!("/store/{}", encoded(path.as_str())))
}

/// Checks that the content matches the extension. Errors: 422.
async fn check_content(web: &RouteState, path: &FilePath, complete: &UncommittedFile) -> Result<(), Problem> {
    match web.app.checker.check(&web.app.files, complete, &path.extension()).await? {
        FileVerdict::Sound => Ok(()),
        FileVerdict::Unsound(reason) => {
            let name = path.as_str().rsplit('/').next().unwrap_or_default();
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name} was refused: {reason}")))
        }
    }
}

/// Checks that the caller may write the file. Errors: 401 for a guest, 403.
async fn check_right(web: &RouteState, caller: &Caller, path: &FilePath) -> Result<(), Problem> {
    let Some(name) = caller.name().filter(|_| !caller.is_guest()) else {
        return Err(Problem::unauthorized("guests cannot upload: sign in, or send a token"));
    };
    if caller.owns_realm() {
        return Ok(());
    }
    if path.owner() != name {
        return Err(Problem::forbidden(format!("you can't write to users/{}", path.owner())));
    }
    if let Caller::Bearer(claims) = caller
        && !covers(web, claims, path).await?
    {
        let detail = format!("this token can't write to {}: sign in, or use a token that covers it", path.as_str());
        return Err(Problem::forbidden(detail));
    }
    Ok(())
}

/// Whether a token lets its bearer write a file of its account. A file of a scene requires the right to change the
/// scene's objects, another file the right to change the objects of all scenes of the account. Explicit filters grant
/// nothing about files.
async fn covers(web: &RouteState, claims: &Claims, path: &FilePath) -> Result<bool, Problem> {
    if claims.explicit {
        return Ok(false);
    }
    let Some(named) = path.scene() else { return Ok(claims.may_build_all(path.owner())) };
    let scene = ResolvedFileScene::find(web, named).await?;
    BearerClaims(claims.clone()).builds(web, &scene.name).await
}

/// Size limit of the file in bytes, from the owner's free storage.
async fn space_for(web: &RouteState, path: &FilePath) -> Result<u64, Problem> {
    let used = web.app.store.files_of(path.owner()).await?;
    let replaced = web.app.store.file(path.as_str()).await?;
    space_left(used, replaced.map(|file| file.size_bytes))
}

/// Size limit of a file in bytes, for these totals. The size of the replaced file counts as free.
fn space_left(used: FileUsage, replaced: Option<u64>) -> Result<u64, Problem> {
    let max = limits::FILES_PER_ACCOUNT_MAX;
    if replaced.is_none() && used.files >= max {
        let detail = format!("you have reached the limit of {max} files: delete some first");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    let left = (limits::FILES_BYTES_PER_ACCOUNT_MAX + replaced.unwrap_or(0)).saturating_sub(used.bytes);
    Ok(left.min(limits::FILE_BYTES_MAX))
}

fn check_size(size_bytes: u64, space: u64) -> Result<(), Problem> {
    if size_bytes <= space {
        return Ok(());
    }
    let (file, all) = (limits::FILE_BYTES_MAX, limits::FILES_BYTES_PER_ACCOUNT_MAX);
    let detail = format!(
        "the file is larger than the {space} bytes you have left; the limits are {file} bytes a file and {all} bytes an account"
    );
    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
}

/// Time for which the server waits for so many bytes of an upload, all waits together. A slower client would keep a
/// slot from other clients. Time that the disk takes is not the client's.
fn time_for(bytes: u64) -> Duration {
    limits::UPLOAD_GRACE + Duration::from_millis(bytes * 1_000 / limits::UPLOAD_BYTES_PER_S_MIN)
}

/// Receives a body, as long as `check` accepts the bytes so far and the client is fast enough.
pub(super) async fn receive(
    incoming: &mut IncomingFile,
    mut body: Body,
    check: impl Fn(u64) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let end = Instant::now() + limits::UPLOAD_TIMEOUT;
    let mut waited = Duration::ZERO;
    loop {
        let left = time_for(incoming.size_bytes()).saturating_sub(waited);
        let began = Instant::now();
        let piece = timeout(left.min(limits::UPLOAD_PIECE_TIMEOUT), timeout_at(end, body.frame())).await;
        waited += began.elapsed();
        let piece = match piece {
            Err(_) if left < limits::UPLOAD_PIECE_TIMEOUT => return Err(below_least_rate()),
            Err(_) => return Err(too_slow(limits::UPLOAD_PIECE_TIMEOUT)),
            Ok(Err(_)) => return Err(too_slow(limits::UPLOAD_TIMEOUT)),
            Ok(Ok(None)) => return Ok(()),
            Ok(Ok(Some(piece))) => piece.map_err(|_| Problem::bad_request("the upload was interrupted"))?,
        };
        if let Ok(bytes) = piece.into_data() {
            check(incoming.size_bytes() + bytes.len() as u64)?;
            incoming.take(&bytes).await?;
        }
    }
}

fn too_slow(limit: Duration) -> Problem {
    let detail = format!("the upload stalled or took longer than {} s", limit.as_secs());
    Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
}

fn below_least_rate() -> Problem {
    let (least, grace) = (limits::UPLOAD_BYTES_PER_S_MIN, limits::UPLOAD_GRACE.as_secs());
    let detail = format!("the upload is slower than {least} bytes a second after the first {grace} s");
    Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
}

async fn name_content(web: &RouteState, path: &FilePath, received: FileDigest) -> Result<(), Problem> {
    let file = FileRow {
        path: path.as_str().to_owned(),
        hash: received.hash,
        size_bytes: received.size_bytes,
        content_type: media_of(&path.extension()).content_type.to_owned(),
        owner: path.owner().to_owned(),
    };
    if let Some(orphan) = web.app.store.put_file(&file).await? {
        web.app.files.forget(&orphan).await?;
    }
    Ok(())
}

/// Returns a file.
///
/// A file below `users/<name>/scenes/<scene>/` requires access to that scene: 403 while the scene is locked for the
/// caller. The file's signed-in owner and owners of the realm always read it. One byte range is supported.
#[utoipa::path(get, path = "/store/{*path}", operation_id = "download_file", tag = "files", params(("path" = String, Path)), responses(
    (status = 200, content_type = "*/*", body = String), (status = 206, content_type = "*/*", body = String), (status = 304),
    (status = 400, body = ProblemDocument), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument), (status = 416)
))]
pub(super) async fn read(
    web: RouteStateExtractor,
    ReadOnlyRequestCaller(caller): ReadOnlyRequestCaller,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = FilePath::parse(&path)?;
    let public = check_reader(&web, &caller, &path).await?;
    let Some(file) = web.app.store.file(path.as_str()).await? else {
        return Err(no_file(&path));
    };
    let etag = format!("\"{}\"", file.hash);
    let shown = headers_of(&path, &etag, public);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, shown).into_response());
    }
    let range = match requested_range(&headers, file.size_bytes) {
        Ok(range) => range,
        Err(()) => {
            let whole = HeaderValue::try_from(format!("bytes */{}", file.size_bytes)).expect("digits");
            return Ok((StatusCode::RANGE_NOT_SATISFIABLE, [(header::CONTENT_RANGE, whole)]).into_response());
        }
    };
    let part = range.clone().unwrap_or(0..file.size_bytes);
    web.app.files.verify(&file.hash, file.size_bytes).await?;
    let content = web.app.files.pieces(&file.hash, part.clone());
    let mut response = (shown, Body::from_stream(content)).into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(part.end - part.start));
    if range.is_some() {
        let told = format!("bytes {}-{}/{}", part.start, part.end - 1, file.size_bytes);
        response.headers_mut().insert(header::CONTENT_RANGE, HeaderValue::try_from(told).expect("digits"));
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    Ok(response)
}

/// 404, also for files that the caller may not read.
fn no_file(path: &FilePath) -> Problem {
    Problem::not_found(format!("there is no file {:?}, or you don't have access to it", path.as_str()))
}

/// Whether the caller may read a file of this name.
pub(super) async fn may_read(web: &RouteState, caller: &Caller, path: &str) -> Result<bool, Problem> {
    let path = FilePath::parse(path)?;
    match check_reader(web, caller, &path).await {
        Ok(_) => Ok(true),
        Err(problem) if matches!(problem.status(), StatusCode::NOT_FOUND | StatusCode::FORBIDDEN) => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// Whether the file is public, because it belongs to no scene. Errors: 404 if the caller may not read it, 403 if its
/// scene is locked for the caller.
async fn check_reader(web: &RouteState, caller: &Caller, path: &FilePath) -> Result<bool, Problem> {
    let Some(named) = path.scene() else { return Ok(true) };
    let scene = ResolvedFileScene::find(web, named).await?;
    if scene.is_always_read_by(caller, path.owner()) {
        return Ok(false);
    }
    let role = match &scene.settings {
        Some(settings) => caller.reading_role(web, &scene.name, settings).await?,
        None => None,
    };
    if role.is_some() { Ok(false) } else { Err(no_file(path)) }
}

/// The scene that a file belongs to.
struct ResolvedFileScene {
    /// The scene's present name: a renamed scene still shows the files below its old name.
    name: SceneName,
    /// The scene's settings; `None` if the scene doesn't exist, or not yet.
    settings: Option<SceneSettings>,
}

impl ResolvedFileScene {
    async fn find(web: &RouteState, named: SceneName) -> Result<ResolvedFileScene, Problem> {
        if let settings @ Some(_) = web.app.store.scene(&named).await? {
            return Ok(ResolvedFileScene { name: named, settings });
        }
        let present = web.app.store.renamed(&named).await?;
        let name = present.unwrap_or(named);
        let settings = web.app.store.scene(&name).await?;
        Ok(ResolvedFileScene { name, settings })
    }

    /// Whether the caller reads the files as an owner of the realm or as their owner. Their owner's token does so only
    /// while the scene doesn't exist, and within its filters.
    fn is_always_read_by(&self, caller: &Caller, owner: &str) -> bool {
        let is_covered = match caller {
            Caller::Bearer(claims) => self.settings.is_none() && claims.may_read_objects(&self.name),
            Caller::Account { .. } | Caller::Guest { .. } => true,
        };
        let is_owner = caller.name() == Some(owner) && !caller.is_guest();
        caller.owns_realm() || is_owner && is_covered
    }
}

fn headers_of(path: &FilePath, etag: &str, public: bool) -> [(HeaderName, HeaderValue); 7] {
    let media = media_of(&path.extension());
    let text = |text: &str| HeaderValue::from_str(text).expect("hashes are ASCII");
    [
        (header::CONTENT_TYPE, HeaderValue::from_static(media.content_type)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static(if media.inline { "inline" } else { "attachment" })),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        (header::CACHE_CONTROL, HeaderValue::from_static(if public { "no-cache" } else { "private, no-cache" })),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (header::ETAG, text(etag)),
    ]
}

/// The requested byte range, as media players send it. Several ranges get the whole file, which RFC 9110 allows.
fn requested_range(headers: &HeaderMap, size: u64) -> Result<Option<Range<u64>>, ()> {
    let Some(asked) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()?.strip_prefix("bytes=")) else {
        return Ok(None);
    };
    let Some((first, last)) = asked.split_once('-').filter(|_| !asked.contains(',')) else { return Ok(None) };
    let range = match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if last >= first => first..last.saturating_add(1).min(size),
        (Ok(first), Err(_)) if last.trim().is_empty() => first..size,
        (Err(_), Ok(suffix)) if first.trim().is_empty() => size.saturating_sub(suffix)..size,
        _ => return Ok(None),
    };
    if range.start < range.end { Ok(Some(range)) } else { Err(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_at_its_file_limit_can_only_replace_files() {
        let space = |files, replaced| space_left(FileUsage { files, bytes: 7 }, replaced).is_ok();
        let max = limits::FILES_PER_ACCOUNT_MAX;
        assert!(space(max - 1, None) && !space(max, None) && space(max, Some(7)));
    }

    #[test]
    fn a_range_is_clamped_to_the_file_and_an_unsupported_one_is_ignored() {
        let asked = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_str(text).unwrap());
            requested_range(&headers, 10)
        };
        assert_eq!(asked("bytes=0-3"), Ok(Some(0..4)));
        assert_eq!(asked("bytes=8-99"), Ok(Some(8..10)));
        assert_eq!(asked("bytes=4-"), Ok(Some(4..10)));
        assert_eq!(asked("bytes=-4"), Ok(Some(6..10)));
        assert_eq!(asked("bytes=10-"), Err(()));
        for ignored in ["bytes=a-b", "bytes=3-1", "bytes=0-1,4-5", "lines=0-1"] {
            assert_eq!(asked(ignored), Ok(None), "{ignored}");
        }
    }
}
