//! The generator: one thread, one epoll, hand-made MQTT 3.1.1 packets; and a client of netcode. It must be cheap enough not to be what is measured.

pub(crate) mod ledger;
pub(crate) mod line;
pub(crate) mod netcode;
pub(crate) mod packet;
pub(crate) mod person;
pub(crate) mod secure;
pub(crate) mod swarm;
