//! The motion plane on real sockets: threads that each own some of the scenes, tickets that admit clients to them,
//! and handles for the rest of the server. The realm (`stoa_state::realm`) grants access, `stoa_state::motion`
//! defines the frames' content; see `spec/wire.md`.

mod browsers;
mod connection;
mod handle;
mod people;
mod reports;
mod scene;
mod scenes;
mod thread;
mod thread_counters;
mod tickets;

pub use self::browsers::{BrowserEndpointAddresses, BrowserTicketRedeemer};
pub use self::connection::DedicatedMotionSession;
pub use self::handle::{
    MotionConfig, MotionHandle, MotionThreads, NetcodeOffer, TicketDocument, TicketRequestContext, WebSocketOffer,
    WebTransportOffer, start,
};
pub use self::reports::SceneReportBatch;
pub use self::thread_counters::{MotionThreadSnapshot, SharedThreadCounters};
pub use self::tickets::MotionTransportKind;
