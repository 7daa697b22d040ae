//! `stoa scene export` and `stoa scene import`.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use stoa_wire::topic::SceneName;

use super::super::{CliError, DataDir, print};
use crate::control::{Reply, Request};
use crate::files::Files;
use crate::files::check::Checker;
use crate::scenes::transfer::{self, Document, Source};
use crate::store::Import;

/// Options of an import.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) file: PathBuf,
    pub(super) name: Option<SceneName>,
    pub(super) from: Option<SceneName>,
    pub(super) replace: bool,
    pub(super) dry_run: bool,
}

pub(super) async fn export(
    folder: &DataDir,
    name: SceneName,
    (out, with_files): (Option<PathBuf>, bool),
) -> Result<(), CliError> {
    let Reply::Scene(carried) = folder.execute(Request::SceneExport { name: name.clone() }).await? else {
        return Err(CliError::Usage("unexpected answer of the server, whose version may differ".to_owned()));
    };
    let files = Files::open_beside(&folder.data)?;
    let files = (&files, with_files);
    let left_out: Vec<_> = carried.files.iter().filter(|_| !with_files).map(|file| file.path.clone()).collect();
    match &out {
        Some(path) => {
            // Written under another name first, so that no half export has the final name.
            let next = path.with_extension("next");
            let mut to = BufWriter::new(File::create(&next)?);
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

pub(super) async fn import(folder: &DataDir, wish: Wish) -> Result<(), CliError> {
    folder.expect_realm()?;
    let source = Source::of_operator(&wish.file);
    let document = transfer::read(&source, wish.from.as_ref())?;
    let name = wish
        .name
        .or_else(|| document.name.clone())
        .ok_or_else(|| CliError::Usage(format!("{} names no scene: give one with --as", wish.file.display())))?;
    tell(&document)?;
    if wish.dry_run {
        return Ok(());
    }
    let (objects, has_files) = (document.objects.len(), !document.files.is_empty());
    let files = Files::open_beside(&folder.data)?;
    let mut fresh = Vec::new();
    if has_files {
        fresh = match transfer::store_contents(&source, (&files, Checker::Child)).await {
            Ok(fresh) => fresh,
            Err((error, fresh)) => {
                take_back(folder, fresh).await?;
                return Err(error.into());
            }
        };
    }
    let import = Import { name: name.clone(), carried: document.carried(), replace: wish.replace, author: None };
    let done = folder.execute(Request::SceneImport { import: Box::new(import) }).await;
    if let Err(error) = done {
        take_back(folder, fresh).await?;
        return Err(error);
    }
    Ok(print(&format!("{name}: {objects} objects"))?)
}

/// Removes stored contents again. The server keeps those that have a file name by now, and blocks naming meanwhile.
async fn take_back(folder: &DataDir, fresh: Vec<String>) -> Result<(), CliError> {
    if !fresh.is_empty() {
        folder.execute(Request::ContentsTakeBack { hashes: fresh }).await?;
    }
    Ok(())
}

/// Prints warnings and errors. Fails if there is any error, because no realm could hold the scene.
fn tell(document: &Document) -> Result<(), CliError> {
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
        count => Err(CliError::Usage(format!("nothing was imported: {count} objects or limits are wrong"))),
    }
}
