//! `stoa scene export` and `stoa scene import`.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use stoa_wire::topic::SceneName;

use super::super::{CommandFailure, DataFolderOption, print};
use crate::control::{ControlCommandOutput, ControlRequest};
use crate::files::ContentStore;
use crate::files::check::FileCheckMode;
use crate::os::private_file;
use crate::scenes::transfer::{self, ImportContents, ImportDocumentFile};
use crate::store::SceneImport;

/// Options of an import.
#[derive(Debug)]
pub(super) struct ImportOptions {
    pub(super) file: PathBuf,
    pub(super) name: Option<SceneName>,
    pub(super) from: Option<SceneName>,
    pub(super) replace: bool,
    pub(super) dry_run: bool,
}

pub(super) async fn export(
    folder: &DataFolderOption,
    name: SceneName,
    out: Option<PathBuf>,
    with_files: bool,
) -> Result<(), CommandFailure> {
    let ControlCommandOutput::Scene(carried) =
        folder.execute(ControlRequest::SceneExport { name: name.clone() }).await?
    else {
        return Err(CommandFailure::Usage("unexpected answer of the server, whose version may differ".to_owned()));
    };
    let files = ContentStore::open_beside(&folder.data)?;
    let files = (&files, with_files);
    let left_out: Vec<_> = carried.files.iter().filter(|_| !with_files).map(|file| file.path.clone()).collect();
    match &out {
        Some(path) => {
            // Written under another name first, so that no half export has the final name.
            let next = path.with_added_extension("next");
            let mut to = BufWriter::new(private_file::create(&next)?);
            transfer::write(&mut to, &name, *carried, files).await?;
            to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(&next, path)?;
        }
        None => transfer::write(&mut BufWriter::new(io::stdout()), &name, *carried, files).await?,
    }
    for file in left_out {
        eprintln!("stoa: {file} is only named; --with-files includes its content");
    }
    Ok(())
}

pub(super) async fn import(folder: &DataFolderOption, options: ImportOptions) -> Result<(), CommandFailure> {
    folder.expect_realm()?;
    let source = ImportDocumentFile::of_operator(&options.file);
    let document = transfer::read(&source, options.from.as_ref())?;
    let name = options.name.or_else(|| document.name.clone()).ok_or_else(|| {
        CommandFailure::Usage(format!("{} names no scene: give one with --as", options.file.display()))
    })?;
    tell(&document)?;
    if options.dry_run {
        return Ok(());
    }
    let (objects, has_files) = (document.objects.len(), !document.files.is_empty());
    let files = ContentStore::open_beside(&folder.data)?;
    let mut fresh = Vec::new();
    if has_files {
        fresh = match transfer::store_contents(&source, &files, FileCheckMode::Child).await {
            Ok(fresh) => fresh,
            Err((error, fresh)) => {
                take_back(folder, fresh).await?;
                return Err(error.into());
            }
        };
    }
    let import =
        SceneImport { name: name.clone(), carried: document.carried(), replace: options.replace, author: None };
    let done = folder.execute(ControlRequest::SceneImport { import: Box::new(import) }).await;
    if let Err(error) = done {
        take_back(folder, fresh).await?;
        return Err(error);
    }
    Ok(print(&format!("{name}: {objects} objects"))?)
}

/// Removes stored contents again. Contents that have a file name by now are kept, and no content gets a name meanwhile.
async fn take_back(folder: &DataFolderOption, fresh: Vec<String>) -> Result<(), CommandFailure> {
    if !fresh.is_empty() {
        folder.execute(ControlRequest::ContentsTakeBack { hashes: fresh }).await?;
    }
    Ok(())
}

/// Prints warnings and errors. Fails if there is any error, because no realm could hold the scene.
fn tell(document: &ImportContents) -> Result<(), CommandFailure> {
    let findings = transfer::check(&document.objects);
    for warning in &findings.warnings {
        eprintln!("stoa: warning: {warning}");
    }
    for file in &document.named {
        eprintln!("stoa: warning: {file} is only named: upload it if it is missing");
    }
    for error in &findings.errors {
        eprintln!("stoa: {error}");
    }
    match findings.errors.len() {
        0 => Ok(()),
        count => Err(CommandFailure::Usage(format!("nothing was imported: {count} objects or limits are wrong"))),
    }
}
