//! Bounds the bytes of wills, of connected clients and during a delay. All guests share one bound, and all accounts
//! another.

use stoa_wire::packet::{Connect, ReasonCode};

use super::{ConnectionId, Realm, costs};
use crate::grant::Grant;
use crate::ledger::{ChargeVerdict, Ledger, Payer};
use crate::mqtt::connection::{ProtocolViolation, message_of};
use crate::mqtt::session::{DelayedWill, SessionId};
use crate::time::Time;

/// The bytes of a CONNECT's will, with topic and properties.
pub(super) fn will_bytes(connect: &Connect) -> usize {
    connect.will.as_ref().map_or(0, |will| message_of(will.clone()).size_bytes())
}

/// Charges a payer for the bytes of a will. A client without a will is not charged, so it doesn't count as a payer.
pub(super) fn count(ledger: &mut Ledger, payer: Payer, bytes: usize, now: Time) {
    if bytes > 0 {
        ledger.settle(now, payer, costs::will(bytes));
    }
}

impl Realm {
    /// Checks the will of a CONNECT. Errors: the shared bound is reached and the client above its fair share, or the
    /// wills reach their ceiling.
    pub(super) fn check_will(
        &mut self,
        connection: ConnectionId,
        connect: &Connect,
        grant: &Grant,
        now: Time,
    ) -> Result<(), ProtocolViolation> {
        let bytes = will_bytes(connect);
        if bytes == 0 {
            return Ok(());
        }
        let network = self.clients.get(&connection).and_then(|client| client.origin.network());
        let payer = costs::payer(&mut self.ledger, grant, network, now);
        // The will replaces an earlier one of the same session.
        let growth = bytes.saturating_sub(self.replaced_will_bytes(grant.subject(), &connect.client_id, payer));
        if growth > 0 && matches!(self.ledger.check(now, payer, costs::will(growth)), ChargeVerdict::Refuse(_)) {
            let reason = "too many bytes in the wills of all clients";
            return Err(ProtocolViolation { code: ReasonCode::QUOTA_EXCEEDED, reason });
        }
        Ok(())
    }

    fn replaced_will_bytes(&self, subject: &str, client_id: &str, payer: Payer) -> usize {
        let session = self.sessions.of_client(subject, client_id).and_then(|id| self.sessions.get(id));
        let Some(session) = session.filter(|session| session.payer == Some(payer)) else {
            return 0;
        };
        let attached = session.attached.and_then(|attachment| self.access(attachment.connection));
        let delayed = session.will.as_ref().map_or(0, |will| will.publish.size_bytes());
        attached.map_or(delayed, |access| access.will_bytes)
    }

    /// Gives a session the will of its last connection, at the expense of the session's payer.
    pub(super) fn delay_will(&mut self, id: SessionId, will: Option<DelayedWill>, now: Time) {
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        if let (Some(will), Some(payer)) = (&will, session.payer) {
            count(&mut self.ledger, payer, will.publish.size_bytes(), now);
        }
        session.will = will;
    }

    /// Takes a session's delayed will, if it has one that `is_meant`.
    pub(super) fn take_will(
        &mut self,
        id: SessionId,
        is_meant: impl FnOnce(&DelayedWill) -> bool,
    ) -> Option<DelayedWill> {
        let session = self.sessions.get_mut(id)?;
        let will = session.will.take_if(|will| is_meant(will))?;
        if let Some(payer) = session.payer {
            self.ledger.release(payer, costs::will(will.publish.size_bytes()));
        }
        Some(will)
    }
}
