//! A copy of SQLite's default VFS. Reads and writes go to the real files, which are never synchronized. For files
//! directly in a folder given to [`watch`], a simulated [`Disk`] records each opening, write, truncation,
//! synchronization and removal.
#![allow(unsafe_code, reason = "SQLite is C, and so is its interface to files")]

use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once};

use libsqlite3_sys::{
    SQLITE_OK, SQLITE_OPEN_CREATE, SQLITE_OPEN_MAIN_JOURNAL, SQLITE_OPEN_SUPER_JOURNAL, SQLITE_OPEN_WAL, sqlite3_file,
    sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

use crate::disk::Disk;

/// All watched folders. Global to the test program, as SQLite's list of VFSs is.
static WATCHED: Mutex<Watched> = Mutex::new(Watched { disks: BTreeMap::new(), files: BTreeMap::new() });
static REGISTERED: Once = Once::new();

struct Watched {
    /// Disks by folder.
    disks: BTreeMap<PathBuf, Disk>,
    /// By the address of SQLite's file structure.
    files: BTreeMap<usize, File>,
}

struct File {
    path: PathBuf,
    /// As in SQLite's default VFS for a new log or journal: the first synchronization covers the folder too.
    syncs_folder: bool,
    real: &'static sqlite3_io_methods,
}

impl Watched {
    fn disk_of(&mut self, path: &Path) -> Option<&mut Disk> {
        self.disks.get_mut(path.parent()?)
    }

    fn disk_and_file(&mut self, file: *mut sqlite3_file) -> Option<(&mut Disk, &mut File)> {
        let file = self.files.get_mut(&(file as usize))?;
        Some((self.disks.get_mut(file.path.parent()?)?, file))
    }
}

fn watched() -> MutexGuard<'static, Watched> {
    WATCHED.lock().expect("no code panics while it holds this lock")
}

/// Records file operations in a folder from now on.
pub(crate) fn watch(folder: &Path, disk: Disk) {
    REGISTERED.call_once(register);
    watched().disks.insert(folder.to_owned(), disk);
}

/// Accesses a folder's disk. Meanwhile no file operation is recorded.
pub(crate) fn with_disk<T>(folder: &Path, look: impl FnOnce(&mut Disk) -> T) -> T {
    look(watched().disks.get_mut(folder).expect("the folder is watched"))
}

/// Stops recording.
pub(crate) fn forget(folder: &Path) {
    watched().disks.remove(folder);
}

/// Registers a copy of SQLite's default VFS, with two functions replaced, as the new default.
fn register() {
    // SAFETY: the default VFS exists as long as the program, and so does the leaked copy. The default's functions
    // in the copy work on it, since they read only fields that were copied with them.
    unsafe {
        let mut ours = *sqlite3_vfs_find(std::ptr::null());
        ours.zName = c"power-loss".as_ptr();
        ours.pNext = std::ptr::null_mut();
        ours.xOpen = Some(open);
        ours.xDelete = Some(remove);
        assert_eq!(sqlite3_vfs_register(Box::leak(Box::new(ours)), 1), SQLITE_OK);
    }
}

fn default_vfs() -> *mut sqlite3_vfs {
    // SAFETY: the name is a C string; this VFS is built into SQLite.
    unsafe { sqlite3_vfs_find(c"unix".as_ptr()) }
}

/// SAFETY for all functions below: SQLite calls them by its own contract, with pointers valid for the call, and
/// with one thread per open file.
unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    flags_out: *mut c_int,
) -> c_int {
    // SAFETY: as above; an opened file has methods, which are static tables of SQLite.
    unsafe {
        let vfs = default_vfs();
        let code = (*vfs).xOpen.expect("SQLite has it")(vfs, name, file, flags, flags_out);
        if code != SQLITE_OK || name.is_null() {
            return code;
        }
        let (path, mut watched) = (path_of(name), watched());
        let Some(disk) = watched.disk_of(&path) else {
            return code;
        };
        disk.open(&path);
        let real: &'static sqlite3_io_methods = &*(*file).pMethods;
        let logs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
        let syncs_folder = flags & SQLITE_OPEN_CREATE != 0 && flags & logs != 0;
        watched.files.insert(file as usize, File { path, syncs_folder, real });
        let ours = sqlite3_io_methods {
            // Version 2 has no memory mapping, so every write is seen.
            iVersion: 2,
            xClose: Some(close),
            xWrite: Some(write),
            xTruncate: Some(truncate),
            xSync: Some(sync),
            ..*real
        };
        (*file).pMethods = Box::leak(Box::new(ours));
        code
    }
}

unsafe extern "C" fn remove(_: *mut sqlite3_vfs, name: *const c_char, folder: c_int) -> c_int {
    // SAFETY: as above.
    unsafe {
        let vfs = default_vfs();
        let code = (*vfs).xDelete.expect("SQLite has it")(vfs, name, 0);
        let path = path_of(name);
        if code == SQLITE_OK
            && let Some(disk) = watched().disk_of(&path)
        {
            disk.remove(&path, folder != 0);
        }
        code
    }
}

unsafe fn path_of(name: *const c_char) -> PathBuf {
    // SAFETY: SQLite's names are C strings.
    PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()))
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let real = real_of(file);
    watched().files.remove(&(file as usize));
    // SAFETY: as above; a file is closed once.
    unsafe {
        (*file).pMethods = real;
        real.xClose.expect("SQLite has it")(file)
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: sqlite3_int64,
) -> c_int {
    // SAFETY: as above; the buffer has `length` bytes.
    let (code, bytes) = unsafe {
        let code = real_of(file).xWrite.expect("SQLite has it")(file, bytes, length, offset);
        (code, std::slice::from_raw_parts(bytes.cast::<u8>(), usize::try_from(length).expect("is a length")))
    };
    if let Some((disk, file)) = watched().disk_and_file(file) {
        disk.write(&file.path, usize::try_from(offset).expect("is an offset"), bytes);
    }
    code
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    // SAFETY: as above.
    let code = unsafe { real_of(file).xTruncate.expect("SQLite has it")(file, size) };
    if let Some((disk, file)) = watched().disk_and_file(file) {
        disk.truncate(&file.path, usize::try_from(size).expect("is a size"));
    }
    code
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    if let Some((disk, file)) = watched().disk_and_file(file) {
        disk.sync(&file.path, std::mem::take(&mut file.syncs_folder));
    }
    SQLITE_OK
}

fn real_of(file: *mut sqlite3_file) -> &'static sqlite3_io_methods {
    watched().files.get(&(file as usize)).expect("an open file is known until it is closed").real
}
