//! Payers: the accounts and guests that are charged, and the groups whose members share a bound.

use core::ops::Deref;

use crate::limits::{CIRCLES_V6, PEOPLE_PER_HOUSEHOLD_MAX};
use crate::network::{ClientNetwork, NetworkPrefix};

/// A party that is charged: an account, a guest, or an address or connection whose person is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payer {
    pub(super) id: PayerId,
    pub(super) class: PayerClass,
    pub(super) network: Option<ClientNetwork>,
    /// Whether the payer is one person, so that it has a share by person too.
    pub(super) is_person: bool,
}

/// Payers that share bounds with each other. The use of one class doesn't reduce the shares of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PayerClass {
    /// Accounts.
    Members,
    /// Guests, and addresses and connections whose person is unknown.
    Guests,
}

/// A payer's number, which is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PayerId(pub(super) u64);

/// A node of the tree in which uses are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ShareKey {
    /// All guests of a network prefix.
    Prefix(NetworkPrefix),
    /// One payer.
    Payer(PayerId),
}

/// A node on a payer's path, with the largest numbers of households and of people whose shares the node may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShareStep {
    pub(super) key: ShareKey,
    pub(super) households_max: u32,
    pub(super) people_max: u32,
}

/// The nodes that a payer is counted in, widest first. It is on the stack, because every stored change needs one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharePath {
    steps: [ShareStep; CIRCLES_V6.len() + 1],
    first: usize,
}

impl Deref for SharePath {
    type Target = [ShareStep];

    fn deref(&self) -> &[ShareStep] {
        &self.steps[self.first..]
    }
}

impl Payer {
    /// The class of payers with which it shares bounds.
    pub fn class(self) -> PayerClass {
        self.class
    }

    /// The payer's number.
    pub fn id(self) -> PayerId {
        self.id
    }

    /// The network of the client, if that is known.
    pub fn network(self) -> Option<ClientNetwork> {
        self.network
    }

    /// The payer's path. Guests are grouped by network, because one person can be many guests. Clients on this machine
    /// are not grouped, because the guests of a proxy all have the proxy's address.
    pub(super) fn path(self) -> SharePath {
        let own = ShareStep { key: ShareKey::Payer(self.id), households_max: 1, people_max: 1 };
        let household_people = if self.is_person { PEOPLE_PER_HOUSEHOLD_MAX } else { 1 };
        let mut path = SharePath { steps: [own; CIRCLES_V6.len() + 1], first: CIRCLES_V6.len() };
        let networks = self.network.filter(|network| self.class == PayerClass::Guests && !network.is_here());
        for (prefix, households_max) in networks.into_iter().flat_map(ClientNetwork::circles) {
            path.first -= 1;
            let people_max = households_max * household_people;
            path.steps[path.first] = ShareStep { key: ShareKey::Prefix(prefix), households_max, people_max };
        }
        path
    }
}
