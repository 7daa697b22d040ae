//! The motion plane on real sockets: threads that each own some of the scenes, tickets that lead there, and what is known of both. Who may be there is the realm's to say
//! (`stoa_state::realm`); what is said is `stoa_state::motion`'s; see `spec/wire.md`.

mod browsers;
mod entry;
mod figures;
mod handle;
mod news;
mod people;
mod scene;
mod scenes;
mod thread;
mod tickets;

pub use self::browsers::{Browsers, ByConnection};
pub use self::entry::Entry;
pub use self::figures::{Figures, Totals};
pub use self::handle::{
    Asker, MotionHandle, NetcodeWay, Plan, Running, TicketDocument, WebSocketWay, WebTransportWay, start,
};
pub use self::news::News;
pub use self::tickets::By;
