//! Bugs planted between the simulator and the system under test, to prove that the comparison detects them.

use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
use stoa_state::realm::StoreWrite;
use stoa_wire::packet::Packet;

/// A fault of the system under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokerBug {
    /// An acknowledgement is sent before its write is on disk.
    EarlyAcknowledgement,
    /// Retained messages never reach the disk.
    RetainedLost,
    /// Queued messages of a session never reach the disk.
    QueueLost,
    /// A clean start finds the old session.
    CleanStartIgnored,
    /// A DISCONNECT is treated as a lost connection: the will is published.
    WillAfterDisconnect,
    /// The end of a will never reaches the disk.
    WillEndLost,
    /// Each member of a share gets everything.
    ShareForAll,
    /// A redelivered QoS 2 message is accepted again.
    TakenTwice,
    /// A token allows more than it grants.
    RightsIgnored,
    /// A failed commit is treated as successful.
    FailureIgnored,
}

/// Changes a client's packet before the realm reads it.
pub(super) fn tamper(bug: Option<BrokerBug>, packet: &mut Packet) {
    match (bug, packet) {
        (Some(BrokerBug::CleanStartIgnored), Packet::Connect(connect)) => connect.clean_start = false,
        (Some(BrokerBug::ShareForAll), Packet::Subscribe(subscribe)) => {
            for asked in &mut subscribe.subscriptions {
                let own = asked.filter.strip_prefix("$share/").and_then(|rest| rest.split_once('/'));
                if let Some(own) = own.map(|(_, filter)| filter.to_string()) {
                    asked.filter = own;
                }
            }
        }
        _ => {}
    }
}

/// Whether a write is lost before the disk.
pub(super) fn loses(bug: Option<BrokerBug>, write: &StoreWrite) -> bool {
    match (bug, write) {
        (Some(BrokerBug::RetainedLost), StoreWrite::Broker(BrokerWrite::Retain { message, .. })) => message.is_some(),
        (Some(BrokerBug::QueueLost), StoreWrite::Broker(BrokerWrite::Session { write, .. })) => {
            matches!(write, SessionWrite::Queued(_))
        }
        (Some(BrokerBug::WillEndLost), StoreWrite::Broker(BrokerWrite::Session { write, .. })) => {
            matches!(write, SessionWrite::Will(None))
        }
        _ => false,
    }
}
