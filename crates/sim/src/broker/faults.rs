//! Bugs to plant between the simulator and the system under test, to prove that the comparison would see them.

use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
use stoa_state::realm::StoreWrite;
use stoa_wire::packet::Packet;

/// What the system under test is made to do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokerBug {
    /// An acknowledgement leaves before the disk has what it promises.
    EarlyAcknowledgement,
    /// Retained messages never reach the disk.
    RetainedLost,
    /// What waits for a session never reaches the disk.
    QueueLost,
    /// A clean start finds the old session.
    CleanStartIgnored,
    /// A DISCONNECT is taken for a lost connection: the will is said.
    WillAfterDisconnect,
    /// Each member of a share gets everything.
    ShareForAll,
    /// A message of QoS 2 that is sent again is taken again.
    TakenTwice,
    /// A token allows what it does not say.
    RightsIgnored,
    /// A commit that failed is taken for a good one.
    FailureIgnored,
}

/// What the realm gets to read instead of what the client wrote.
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

/// Whether the disk gets to see it.
pub(super) fn loses(bug: Option<BrokerBug>, write: &StoreWrite) -> bool {
    match (bug, write) {
        (Some(BrokerBug::RetainedLost), StoreWrite::Broker(BrokerWrite::Retain { message, .. })) => message.is_some(),
        (Some(BrokerBug::QueueLost), StoreWrite::Broker(BrokerWrite::Session { write, .. })) => {
            matches!(write, SessionWrite::Queued(_))
        }
        _ => false,
    }
}
