//! Generates load: by one thread, one epoll and hand-written MQTT packets, and by a netcode client. The generator must
//! be cheap enough not to be the bottleneck.

pub(crate) mod connection;
pub(crate) mod ledger;
pub(crate) mod netcode;
pub(crate) mod packet;
pub(crate) mod person;
pub(crate) mod secure;
pub(crate) mod swarm;
