//! The motion plane on real sockets: threads that each own some of the scenes, tickets that lead there, and what is known of both. Who may be there is the realm's to say
//! (`stoa_state::realm`); what is said is `stoa_state::motion`'s; see `spec/wire.md`.

mod browsers;
mod connection;
mod figures;
mod handle;
mod people;
mod reports;
mod scene;
mod scenes;
mod thread;
mod tickets;

pub use self::browsers::{BrowserEndpoints, ConnectionEntrance};
pub use self::connection::MotionConnection;
pub use self::figures::{MotionFigures, MotionTotals};
pub use self::handle::{
    MotionConfig, MotionHandle, MotionThreads, NetcodeOffer, TicketDocument, TicketRequester, WebSocketOffer,
    WebTransportOffer, start,
};
pub use self::reports::SceneReports;
pub use self::tickets::TransportKind;
