//! Export, import and copy of whole scenes. The new scene belongs to the caller, and account names aren't copied. Files
//! are stored below the folder of the namespace's account, in `public` of the caller, and count as that account's.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use stoa_state::grant::{LOCAL_OWNER, PUBLIC, Role, SceneSettings};
use stoa_state::scene::{RecordsSnapshot, StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::body::Json;
use super::caller::Caller;
use super::problem::ProblemDocument;
use super::rate_limit::RequestNetwork;
use super::scenes::{closed, may_not, name_of, scene_name_of, settings_of};
use super::storing::bytes_of_objects;
use super::uploads::{UploadSlot, may_read, receive, to_its_end};
use super::{Problem, RouteState, RouteStateExtractor, streaming};
use crate::app::slots::SlotHolder;
use crate::files::{FilePath, UncommittedFile};
use crate::limits;
use crate::os::blocking::apart;
use crate::os::clock;
use crate::scenes::registrar;
use crate::scenes::transfer::{
    self, ImportDestination, ImportDocumentFile, ImportReadError, files_of, without_accounts,
};
use crate::store::{FileRow, SceneContents, SceneImport};

/// The result of an import or copy.
#[derive(Serialize, ToSchema)]
pub(super) struct ImportReport {
    /// The scene: `<namespace>/<scene>`.
    scene: String,
    /// Number of its objects.
    objects: usize,
    /// Number of its files.
    files: usize,
    /// Files that the export names without their content.
    missing: Vec<String>,
    /// The first 50 warnings about objects that pages may show differently than intended.
    warnings: Vec<String>,
}

/// A request for a copy.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloneSceneRequest {
    /// Name of the new scene: `<namespace>/<scene>`.
    to: String,
}

/// Exports a scene as JSON lines (`docs/operator.md`): its settings, its objects, and the files they refer to that
/// the caller may read.
///
/// For editors and owners with an account.
#[utoipa::path(get, path = "/api/v1/scenes/{namespace}/{scene}/export", operation_id = "export_scene", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), responses(
    (status = 200, body = String, content_type = "application/x-ndjson"), (status = 403, body = ProblemDocument),
    (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn export(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    let account = may_carry(&web, &caller, &name).await?;
    let slot = web.exports.take_now(&[SlotHolder::Account(account)], "exports")?;
    let ExportableSceneContents { settings, records, files } = readable(&web, &caller, asker, &name).await?;
    let objects = apart(move || records.into_objects()).await;
    let pieces = transfer::pieces(&name, without_accounts(settings), objects, files, true);
    let contents = web.app.files.clone();
    let body = streaming::export(
        pieces,
        async move |piece: transfer::ExportPiece| piece.into_bytes(&contents).await.map_err(std::io::Error::other),
        slot,
    );
    let called = format!("attachment; filename=\"{}-{}.jsonl\"", name.namespace(), name.scene());
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(called).expect("names of scenes are ASCII")),
    ];
    Ok((headers, body).into_response())
}

/// Creates a scene from an export in the body, whole or not at all.
///
/// For accounts that may create a scene of that name.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/import", operation_id = "import_scene", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), request_body(content = String, content_type = "application/x-ndjson"), responses(
    (status = 201, body = ImportReport), (status = 403, body = ProblemDocument), (status = 408, body = ProblemDocument),
    (status = 409, body = ProblemDocument), (status = 413, body = ProblemDocument), (status = 422, body = ProblemDocument),
    (status = 429, body = ProblemDocument), (status = 507, body = ProblemDocument)
))]
pub(super) async fn import(
    web: RouteStateExtractor,
    caller: Caller,
    Path((namespace, scene)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let name = name_of(&namespace, &scene)?;
    let account = may_make(&web, &caller, &name).await?;
    let told = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    check_size(told.unwrap_or(0))?;
    let network = RequestNetwork::of(request.extensions().get());
    let slot = UploadSlot::take(&web, (&account, network), "uploads or imports")?;
    let mut incoming = web.app.files.receive().await?;
    if let Err(problem) = receive(&mut incoming, request.into_body(), check_size).await {
        incoming.abort().await;
        return Err(problem);
    }
    let web = Arc::clone(&web);
    let made = to_its_end(async move {
        let complete = incoming.finish().await?;
        let made = make_of(&web, (&name, &account), &caller, &complete).await;
        web.app.files.discard(complete).await;
        drop(slot);
        made
    });
    Ok((StatusCode::CREATED, axum::Json(made.await?)).into_response())
}

/// Creates a scene that is a copy of another.
///
/// For editors and owners with an account who may create a scene of the new name.
#[utoipa::path(post, path = "/api/v1/scenes/{namespace}/{scene}/clone", operation_id = "clone_scene", tag = "scenes", params(
    ("namespace" = String, Path), ("scene" = String, Path)
), request_body = CloneSceneRequest, responses(
    (status = 201, body = ImportReport), (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument),
    (status = 409, body = ProblemDocument), (status = 413, body = ProblemDocument), (status = 422, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn copy(
    web: RouteStateExtractor,
    caller: Caller,
    asker: RequestNetwork,
    Path((namespace, scene)): Path<(String, String)>,
    Json(CloneSceneRequest { to }): Json<CloneSceneRequest>,
) -> Result<Response, Problem> {
    let from = name_of(&namespace, &scene)?;
    may_carry(&web, &caller, &from).await?;
    let to = scene_name_of(&to)?;
    let account = may_make(&web, &caller, &to).await?;
    let _slot = UploadSlot::take(&web, (&account, asker), "uploads or copies")?;
    let ExportableSceneContents { settings, records, files } = readable(&web, &caller, asker, &from).await?;
    let objects = apart(move || records.to_objects()).await;
    let mut carried = SceneContents { settings, objects, files };
    let owner = owner_of_files(&to, &account);
    // Files of the new owner that aren't below a scene's folder are shared by both scenes.
    let stays =
        |row: &FileRow| row.owner == owner && FilePath::parse(&row.path).is_ok_and(|path| path.scene().is_none());
    carried.files.retain(|row| !stays(row));
    let made = settle_in(&web, (&to, &account), &caller, carried).await?;
    Ok((StatusCode::CREATED, axum::Json(made)).into_response())
}

/// The account's name, if the caller may export the scene: editors and owners with an account.
async fn may_carry(web: &RouteState, caller: &Caller, name: &SceneName) -> Result<String, Problem> {
    let settings = settings_of(web, name).await?;
    let account = caller.name().filter(|_| !caller.is_guest());
    match (caller.role_inside(web, name, &settings).await?, account) {
        (Some(role), Some(account)) if role >= Role::Editor => Ok(account.to_owned()),
        (Some(_), _) => Err(may_not(name, "export")),
        (None, _) => Err(closed(name, Some(&settings), caller.is_guest(), "export")),
    }
}

/// The account's name, if the caller may create a scene of this name and there is none.
async fn may_make(web: &RouteState, caller: &Caller, name: &SceneName) -> Result<String, Problem> {
    let Some(account) = caller.name().filter(|_| !caller.is_guest()) else { return Err(may_not(name, "create")) };
    // Explicit filters grant nothing about files.
    let explicit = matches!(caller, Caller::Bearer(claims) if claims.explicit);
    if explicit || !caller.may_make(web, name).await? {
        return Err(may_not(name, "create"));
    }
    match web.app.store.scene(name).await? {
        Some(_) => Err(is_there(name)),
        None => Ok(account.to_owned()),
    }
}

fn is_there(name: &SceneName) -> Problem {
    Problem::new(StatusCode::CONFLICT, format!("the name {name} is taken"))
}

fn check_size(bytes: u64) -> Result<(), Problem> {
    let most = limits::CARRIED_BYTES_MAX;
    if bytes <= most {
        return Ok(());
    }
    let detail = format!("the file has {bytes} bytes or more; the limit for a scene is {most}");
    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
}

/// The owner of a new scene's files: the namespace's account, so that they can be as private as the scene. In `public`,
/// the caller.
fn owner_of_files(name: &SceneName, account: &str) -> String {
    if name.namespace() == PUBLIC { account.to_owned() } else { name.namespace().to_owned() }
}

/// The parts of a scene that a caller may export.
struct ExportableSceneContents {
    settings: SceneSettings,
    records: RecordsSnapshot,
    files: Vec<FileRow>,
}

/// The stored state of a scene, and the files that the caller may read. The records are shared with the realm: they
/// take memory only for objects changed since. The caller's network is charged for their bytes.
async fn readable(
    web: &RouteState,
    caller: &Caller,
    asker: RequestNetwork,
    name: &SceneName,
) -> Result<ExportableSceneContents, Problem> {
    web.readings.ask(asker)?;
    let settings = settings_of(web, name).await?;
    // Waits until the changes that clients already see are on disk, acknowledged or not.
    let (records, _) = web.app.realm.settle(name.clone()).await?;
    let (records, paths, scene_bytes) = apart(move || {
        let paths = files_of(records.objects());
        let bytes: usize = records.objects().map(StoredObject::size_bytes).sum();
        (records, paths, bytes)
    })
    .await;
    web.readings.spend(asker, u32::try_from(scene_bytes / 1_024).unwrap_or(u32::MAX));
    let (mut files, mut bytes) = (Vec::new(), 0);
    for path in paths {
        let Some(row) = web.app.store.file(&path).await? else { continue };
        if !may_read(web, caller, &path).await? {
            continue;
        }
        bytes += row.size_bytes;
        files.push(row);
        check_files(files.len(), bytes)?;
    }
    Ok(ExportableSceneContents { settings, records, files })
}

fn check_files(count: usize, bytes: u64) -> Result<(), Problem> {
    let (most, bytes_max) = (limits::CARRIED_FILES_MAX, limits::CARRIED_FILE_BYTES_MAX);
    if count <= most && bytes <= bytes_max {
        return Ok(());
    }
    let detail = format!(
        "the scene has {count} files of {bytes} bytes or more; the limit is {most} files of {bytes_max} bytes in all"
    );
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail))
}

/// Creates a scene from an uploaded document.
async fn make_of(
    web: &Arc<RouteState>,
    to: (&SceneName, &str),
    caller: &Caller,
    complete: &UncommittedFile,
) -> Result<ImportReport, Problem> {
    let source = ImportDocumentFile::of_stranger(web.app.files.path_of(complete));
    let reading = source.clone();
    let document = apart(move || transfer::read(&reading, None)).await.map_err(unreadable)?;
    check_files(document.files.len(), document.files.iter().map(|row| row.size_bytes).sum())?;
    // An empty document is a mistake of the sender.
    if document.settings.is_none() && document.objects.is_empty() {
        return Err(unfit("the file contains no scene"));
    }
    let named = document.named.clone();
    let mut carried = document.carried();
    carried.settings.motion.check().map_err(|error| unfit(error.to_string()))?;
    let now = UnixMillis(clock::unix_now().0 * 1_000);
    carried.objects.iter_mut().for_each(|object| not_later_than(now, object));
    let owner = owner_of_files(to.0, to.1);
    let planned: Vec<FileRow> =
        plan(web, to.0, &owner, &carried.files).await?.into_iter().map(|(_, row)| row).collect();
    registrar::check_disk_quota(&web.app.store, &planned).await?;
    let fresh = store_contents(web, source, &carried).await?;
    let made = settle_in(web, to, caller, carried).await;
    if made.is_err() {
        registrar::take_back(&web.app.store, &web.app.files, fresh).await?;
    }
    made.map(|made| ImportReport { missing: named, ..made })
}

/// Limits times to now, because another realm's clock or an edited file may be ahead.
fn not_later_than(now: UnixMillis, object: &mut StoredObject) {
    object.created_at = object.created_at.min(now);
    object.updated_at = object.updated_at.min(now);
}

async fn store_contents(
    web: &Arc<RouteState>,
    source: ImportDocumentFile,
    carried: &SceneContents,
) -> Result<Vec<String>, Problem> {
    if carried.files.is_empty() {
        return Ok(Vec::new());
    }
    let (files, checker) = (web.app.files.clone(), web.app.checker);
    let stored = apart(move || Handle::current().block_on(transfer::store_contents(&source, &files, checker))).await;
    match stored {
        Ok(fresh) => Ok(fresh),
        Err((error, fresh)) => {
            registrar::take_back(&web.app.store, &web.app.files, fresh).await?;
            Err(unreadable(error))
        }
    }
}

fn unreadable(error: ImportReadError) -> Problem {
    match error {
        ImportReadError::Files(error) => error.into(),
        error => unfit(error.to_string()),
    }
}

fn unfit(why: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why)
}

/// The new row of each file, with its old path. A file whose new path holds other content gets another path.
async fn plan(
    web: &RouteState,
    scene: &SceneName,
    owner: &str,
    files: &[FileRow],
) -> Result<Vec<(String, FileRow)>, Problem> {
    let home = ImportDestination { scene, owner };
    let mut planned = Vec::with_capacity(files.len());
    let mut taken = BTreeMap::<String, String>::new();
    for file in files {
        let name = home.name_of(file);
        let there = match taken.get(&name) {
            Some(hash) => Some(hash.clone()),
            None => web.app.store.file(&name).await?.map(|row| row.hash),
        };
        let is_free = there.is_none_or(|hash| hash == file.hash);
        let path = if is_free { name } else { home.other_name_of(file) };
        taken.insert(path.clone(), file.hash.clone());
        planned.push((file.path.clone(), FileRow { path, owner: owner.to_owned(), ..file.clone() }));
    }
    Ok(planned)
}

/// Checks that the caller may write the files of a new scene. Errors: 403 for files outside of the scene's folder,
/// which a token for one scene doesn't cover.
fn check_files_right(caller: &Caller, name: &SceneName, files: &[FileRow]) -> Result<(), Problem> {
    let Caller::Bearer(claims) = caller else { return Ok(()) };
    let is_outside =
        |row: &&FileRow| FilePath::parse(&row.path).ok().and_then(|path| path.scene()).as_ref() != Some(name);
    match files.iter().find(is_outside) {
        Some(row) if !caller.owns_realm() && !claims.may_build_all(&row.owner) => {
            let detail = format!("this token can't write to {}: sign in, or use a token that covers it", row.path);
            Err(Problem::forbidden(detail))
        }
        _ => Ok(()),
    }
}

/// Creates the scene: renames its files, updates the references of its objects, and sets the caller as owner.
async fn settle_in(
    web: &RouteState,
    to: (&SceneName, &str),
    caller: &Caller,
    carried: SceneContents,
) -> Result<ImportReport, Problem> {
    let (name, account) = to;
    let SceneContents { settings, mut objects, files } = carried;
    let owner = owner_of_files(name, account);
    let planned = plan(web, name, &owner, &files).await?;
    let names: BTreeMap<String, String> = planned.iter().map(|(old, row)| (old.clone(), row.path.clone())).collect();
    let files: Vec<FileRow> = planned.into_iter().map(|(_, row)| row).collect();
    check_files_right(caller, name, &files)?;
    let (objects, findings, bytes) = apart(move || {
        transfer::rename_files(&mut objects, &names);
        let (findings, bytes) = (transfer::check(&objects), bytes_of_objects(&objects));
        (objects, findings, bytes)
    })
    .await;
    if let Some(first) = findings.errors.first() {
        return Err(unfit(format!("nothing was imported: {first}")));
    }
    let maker = (account != LOCAL_OWNER).then(|| account.to_owned());
    let settings = SceneSettings { owner: maker.clone(), created: None, ..without_accounts(settings) };
    let made = ImportReport {
        scene: name.to_string(),
        objects: objects.len(),
        files: files.len(),
        missing: Vec::new(),
        warnings: findings.warnings.into_iter().take(limits::IMPORT_WARNINGS_LISTED_MAX).collect(),
    };
    web.charge_stored(name, account, bytes).await?;
    let author = Some(account.to_owned());
    let import =
        SceneImport { name: name.clone(), carried: SceneContents { settings, objects, files }, replace: false, author };
    if web.app.registrar.import(import).await? { Ok(made) } else { Err(is_there(name)) }
}
