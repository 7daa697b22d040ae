//! Bugs planted between the simulator and the system under test, to prove that the comparison detects them.

use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
use stoa_state::realm::StoreWrite;
use stoa_wire::packet::Packet;

/// A fault of the system under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedBrokerFault {
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
pub(super) fn tamper(bug: Option<InjectedBrokerFault>, packet: &mut Packet) {
    match (bug, packet) {
        (Some(InjectedBrokerFault::CleanStartIgnored), Packet::Connect(connect)) => connect.clean_start = false,
        (Some(InjectedBrokerFault::ShareForAll), Packet::Subscribe(subscribe)) => {
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
pub(super) fn loses(bug: Option<InjectedBrokerFault>, write: &StoreWrite) -> bool {
    match (bug, write) {
        (Some(InjectedBrokerFault::RetainedLost), StoreWrite::Broker(BrokerWrite::Retain { message, .. })) => {
            message.is_some()
        }
        (Some(InjectedBrokerFault::QueueLost), StoreWrite::Broker(BrokerWrite::Session { write, .. })) => {
            matches!(write, SessionWrite::Queued(_))
        }
        (Some(InjectedBrokerFault::WillEndLost), StoreWrite::Broker(BrokerWrite::Session { write, .. })) => {
            matches!(write, SessionWrite::Will(None))
        }
        _ => false,
    }
}
