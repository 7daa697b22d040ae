//! The ceiling of the database. Guests' changes are refused before those of accounts. Deletions are never refused.

use stoa_wire::reason::{Reason, Refusal};

use super::{Command, Realm};
use crate::ledger::PayerClass;
use crate::limits;

/// The size of the database on disk, with objects, history and commits that are not folded in yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseSize {
    /// Present size.
    pub bytes: u64,
    /// Size from which accounts' changes are refused.
    pub bytes_max: u64,
}

/// Not measured yet.
impl Default for DatabaseSize {
    fn default() -> DatabaseSize {
        DatabaseSize { bytes: 0, bytes_max: u64::MAX }
    }
}

impl DatabaseSize {
    /// Whether clients of this class may store more. Errors: [`Reason::NotStored`] with their ceiling.
    pub(super) fn check(self, class: PayerClass) -> Result<(), Refusal> {
        let (most, of) = match class {
            PayerClass::Members => (self.bytes_max, "MiB of the realm's database"),
            PayerClass::Guests => {
                (self.bytes_max / 10 * limits::GUESTS_DATABASE_TENTHS, "MiB of the realm's database, for guests")
            }
        };
        if self.bytes < most {
            return Ok(());
        }
        Err(Refusal::beyond(Reason::NotStored, usize::try_from(most >> 20).unwrap_or(usize::MAX), of))
    }
}

impl Realm {
    /// Handles a new size of the database.
    pub fn handle_database_size(&mut self, size: DatabaseSize) {
        self.database = size;
    }

    /// Whether a command may store changes now. Errors: the reached limit.
    pub(super) fn check_command(&self, command: &Command) -> Result<(), Refusal> {
        if !command.is_stored() {
            return Ok(());
        }
        if self.queued_bytes() >= limits::COMMANDS_QUEUED_BYTES_MAX {
            let (most, of) = (limits::COMMANDS_QUEUED_BYTES_MAX, "bytes of changes that wait for the disk");
            return Err(Refusal::beyond(Reason::Flood, most, of));
        }
        let only_deletes = matches!(command, Command::ClearScene { .. });
        if only_deletes { Ok(()) } else { self.database.check(PayerClass::Members) }
    }
}
