//! Refuses changes when the database reaches its ceiling: guests' changes before those of accounts. The size of the
//! database refuses no deletions. Also charges commands for the bytes that they store.

use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;

use super::{Command, Realm, costs};
use crate::ledger::PayerClass;
use crate::limits;
use crate::network::ClientNetwork;
use crate::scene::StoredObject;
use crate::time::Time;

/// The size of the database on disk, with objects, history and commits that are not folded in yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseSize {
    /// Present size.
    pub bytes: u64,
    /// Size from which accounts' changes are refused.
    pub bytes_max: u64,
}

/// A size that was not measured yet, and refuses nothing.
impl Default for DatabaseSize {
    fn default() -> DatabaseSize {
        DatabaseSize { bytes: 0, bytes_max: u64::MAX }
    }
}

impl DatabaseSize {
    /// Whether clients of this class may store more. Errors: [`Reason::NotStored`] with the class's ceiling.
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
    pub fn handle_database_size(&mut self, size: DatabaseSize, now: Time) {
        self.database = size;
        self.namespaces.handle_size(size, &self.scenes, now);
    }

    /// Charges a command's author for the changes that it stores. Errors: the reached limit.
    pub(super) fn charge_command(&mut self, command: &Command, now: Time) -> Result<(), Refusal> {
        if command.is_stored() && self.queued_bytes() >= limits::COMMANDS_QUEUED_BYTES_MAX {
            let (most, of) = (limits::COMMANDS_QUEUED_BYTES_MAX, "bytes of changes that wait for the disk");
            return Err(Refusal::beyond(Reason::Flood, most, of));
        }
        let Some(CommandCost { scene, class, author, network, bytes }) = cost_of(command) else { return Ok(()) };
        self.namespaces.check(scene.namespace())?;
        let payer = self.ledger.payer(class, author, network, now);
        let checked = if command.is_stored() {
            costs::check_store(&mut self.ledger, self.database, payer, bytes, now)
        } else {
            // Bytes that the server stores itself do not wait in the realm's queue.
            let database = self.database.check(class);
            database.and_then(|()| costs::check(&mut self.ledger, payer, costs::stored(bytes), now))
        };
        // No connection of the author sent the command, so none is read more slowly.
        self.ledger.take_pause();
        checked?;
        self.ledger.settle(now, payer, costs::stored(bytes));
        self.store_queue.payer = Some(payer);
        Ok(())
    }
}

/// The bytes that a command stores, and the party that pays for them.
struct CommandCost<'a> {
    scene: &'a SceneName,
    class: PayerClass,
    author: &'a str,
    network: Option<ClientNetwork>,
    bytes: usize,
}

/// The cost of a command that stores objects: each with its log entry, which holds its former state. Deletions are
/// free, because the objects were paid for.
fn cost_of(command: &Command) -> Option<CommandCost<'_>> {
    let size = |record: &Option<StoredObject>| record.as_ref().map_or(0, StoredObject::size_bytes);
    match command {
        Command::PutObjects { name: scene, author, objects } => {
            let bytes = objects.iter().map(|record| 2 * record.size_bytes()).sum();
            Some(CommandCost { scene, class: PayerClass::Members, author, network: None, bytes })
        }
        Command::ChargeStored { name: scene, account, bytes } => {
            Some(CommandCost { scene, class: PayerClass::Members, author: account, network: None, bytes: *bytes })
        }
        Command::Amend { name: scene, author, network, amendments } => {
            let class = if author.guest { PayerClass::Guests } else { PayerClass::Members };
            let bytes = amendments.iter().map(|amendment| size(&amendment.basis) + 2 * size(&amendment.target)).sum();
            Some(CommandCost { scene, class, author: &author.subject, network: *network, bytes })
        }
        _ => None,
    }
}
