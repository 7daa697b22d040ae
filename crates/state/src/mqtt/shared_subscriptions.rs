//! Shared subscriptions: one member of each share gets a message. Source: MQTT 5 section 4.8.2.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Bound;

use stoa_wire::packet::Qos;
use stoa_wire::reason::Reason;
use stoa_wire::topic_filter::TopicFilter;

use super::filter_tree::FilterTree;
use super::routes::SubscriptionOptions;
use super::session::{Session, SessionId};
use crate::limits;

const PREFIX: &str = "$share/";

/// `$share/<name>/<filter>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedFilter {
    name: Box<str>,
    filter: TopicFilter,
}

impl SharedFilter {
    /// Parses a shared subscription; `None` for any other. Errors: [`Reason::BadTopic`] for an empty name, a name
    /// with wildcards, or an invalid filter.
    pub fn parse(text: &str) -> Option<Result<SharedFilter, Reason>> {
        let rest = text.strip_prefix(PREFIX)?;
        Some(match rest.split_once('/') {
            Some((name, filter)) if !name.is_empty() && !name.contains(['+', '#', '\0']) => {
                TopicFilter::parse(filter).map(|filter| SharedFilter { name: name.into(), filter })
            }
            _ => Err(Reason::BadTopic),
        })
    }

    /// The filter without `$share/<name>/`.
    pub fn filter(&self) -> &TopicFilter {
        &self.filter
    }
}

impl fmt::Display for SharedFilter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}/{}", self.name, self.filter)
    }
}

/// Whether a member has a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberPresence {
    /// The member gets messages now.
    Connected,
    /// The member gets messages of QoS 1 and 2 when it reconnects.
    Away,
}

impl MemberPresence {
    /// The presence of a session's membership.
    pub(crate) fn of(session: &Session) -> MemberPresence {
        if session.attached.is_some() { MemberPresence::Connected } else { MemberPresence::Away }
    }
}

/// Members that take turns, in the order of their sessions.
#[derive(Debug, Default)]
struct RoundRobinMembers {
    members: BTreeMap<SessionId, SubscriptionOptions>,
    /// The member that was chosen last. It may have left.
    last: Option<SessionId>,
}

impl RoundRobinMembers {
    /// Chooses the next fit member; none if all of the next [`limits::SHARE_MEMBERS_TRIED`] are unfit.
    fn choose(&mut self, is_fit: impl Fn(SessionId) -> bool) -> Option<(SessionId, SubscriptionOptions)> {
        let after = self.last.map_or(Bound::Unbounded, Bound::Excluded);
        let in_turn = self.members.range((after, Bound::Unbounded)).chain(&self.members);
        let (session, wanted) = in_turn.take(limits::SHARE_MEMBERS_TRIED).find(|(session, _)| is_fit(**session))?;
        self.last = Some(*session);
        Some((*session, *wanted))
    }
}

/// The shares of one filter by name. Members without a connection are apart, so that the search for a connected member
/// passes none of them. Members without a connection that want QoS 0 get nothing, and are in neither map.
#[derive(Debug, Default)]
struct FilterShareGroups {
    connected: BTreeMap<Box<str>, RoundRobinMembers>,
    away: BTreeMap<Box<str>, RoundRobinMembers>,
}

impl FilterShareGroups {
    fn leave(&mut self, name: &str, session: SessionId) {
        for shares in [&mut self.connected, &mut self.away] {
            let Some(share) = shares.get_mut(name) else { continue };
            share.members.remove(&session);
            if share.members.is_empty() {
                shares.remove(name);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.connected.is_empty() && self.away.is_empty()
    }
}

/// All shared subscriptions, by filter, then by name.
#[derive(Debug, Default)]
pub(crate) struct SharedSubscriptions {
    shares: FilterTree<FilterShareGroups>,
}

impl SharedSubscriptions {
    /// Adds a member or changes its options or its presence.
    pub(crate) fn join(
        &mut self,
        shared: &SharedFilter,
        session: SessionId,
        wanted: SubscriptionOptions,
        presence: MemberPresence,
    ) {
        self.leave(shared, session);
        let SharedFilter { name, filter } = shared;
        let order = match presence {
            MemberPresence::Connected => self.shares.entry(filter).connected.entry(name.clone()),
            MemberPresence::Away if wanted.qos > Qos::AtMostOnce => self.shares.entry(filter).away.entry(name.clone()),
            MemberPresence::Away => return,
        };
        order.or_default().members.insert(session, wanted);
    }

    /// Notes that a session got a connection or lost it.
    pub(crate) fn refresh(&mut self, id: SessionId, session: &Session) {
        for (shared, wanted) in &session.shares {
            self.join(shared, id, *wanted, MemberPresence::of(session));
        }
    }

    /// Removes a member, and the share with its last one.
    pub(crate) fn leave(&mut self, SharedFilter { name, filter }: &SharedFilter, session: SessionId) {
        let Some(end) = self.shares.get_mut(filter) else {
            return;
        };
        end.leave(name, session);
        if end.is_empty() {
            self.shares.remove(filter);
        }
    }

    /// Appends to `chosen` one member of each share that matches `topic`: in turn, connected members that are fit
    /// first. Members without a connection get nothing of QoS 0. Takes logarithmic time for each share.
    pub(crate) fn choose(
        &mut self,
        topic: &str,
        qos: Qos,
        is_fit: impl Fn(SessionId) -> bool,
        chosen: &mut Vec<(SessionId, SubscriptionOptions)>,
    ) {
        self.shares.visit(topic, |FilterShareGroups { connected, away }| {
            for (name, share) in connected.iter_mut() {
                let member = share.choose(&is_fit).or_else(|| match qos {
                    Qos::AtMostOnce => None,
                    _ => away.get_mut(name)?.choose(|_| true),
                });
                chosen.extend(member);
            }
            if qos > Qos::AtMostOnce {
                let unattended = away.iter_mut().filter(|(name, _)| !connected.contains_key(*name));
                chosen.extend(unattended.filter_map(|(_, share)| share.choose(|_| true)));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: SubscriptionOptions = SubscriptionOptions {
        qos: Qos::AtLeastOnce,
        no_local: false,
        retain_as_published: false,
        subscription_id: None,
    };

    fn shared(text: &str) -> SharedFilter {
        SharedFilter::parse(text).expect("asks for a share").unwrap()
    }

    fn chosen(shares: &mut SharedSubscriptions, qos: Qos, is_fit: impl Fn(SessionId) -> bool) -> Vec<usize> {
        let mut chosen = Vec::new();
        shares.choose("a/b", qos, is_fit, &mut chosen);
        chosen.into_iter().map(|(session, _)| session.0).collect()
    }

    fn join(shares: &mut SharedSubscriptions, text: &str, session: usize, presence: MemberPresence) {
        shares.join(&shared(text), SessionId(session), WANTED, presence);
    }

    #[test]
    fn a_share_has_a_name_without_wildcards_and_a_filter() {
        assert!(SharedFilter::parse("a/b").is_none() && SharedFilter::parse("$shared/a/b").is_none());
        let parsed = shared("$share/name/+/b/#");
        assert_eq!((parsed.filter().as_str(), &*alloc::format!("{parsed}")), ("+/b/#", "$share/name/+/b/#"));
        for bad in
            ["$share/", "$share/name", "$share//a", "$share/na+me/a", "$share/#/a", "$share/name/", "$share/name/a#"]
        {
            assert_eq!(SharedFilter::parse(bad), Some(Err(Reason::BadTopic)), "{bad}");
        }
    }

    #[test]
    fn members_take_turns_and_each_share_gets_the_message_once() {
        let mut shares = SharedSubscriptions::default();
        for session in [1, 2, 3] {
            join(&mut shares, "$share/x/a/#", session, MemberPresence::Connected);
        }
        join(&mut shares, "$share/y/a/+", 9, MemberPresence::Connected);
        let turns: Vec<Vec<usize>> = (0..4).map(|_| chosen(&mut shares, Qos::AtMostOnce, |_| true)).collect();
        assert_eq!(turns, [[1, 9], [2, 9], [3, 9], [1, 9]]);
        shares.leave(&shared("$share/x/a/#"), SessionId(1));
        assert_eq!(chosen(&mut shares, Qos::AtMostOnce, |_| true), [2, 9]);
    }

    #[test]
    fn connected_members_go_before_absent_ones_and_unfit_members_get_nothing() {
        let mut shares = SharedSubscriptions::default();
        for session in [1, 2, 3] {
            join(&mut shares, "$share/x/a/b", session, MemberPresence::Away);
        }
        join(&mut shares, "$share/x/a/b", 3, MemberPresence::Connected);
        for _ in 0..2 {
            assert_eq!(chosen(&mut shares, Qos::AtLeastOnce, |_| true), [3]);
        }
        assert_eq!(chosen(&mut shares, Qos::AtLeastOnce, |_| false), [1]);
        assert_eq!(chosen(&mut shares, Qos::AtMostOnce, |_| false), [0_usize; 0]);
        join(&mut shares, "$share/x/a/b", 3, MemberPresence::Away);
        let turns: Vec<Vec<usize>> = (0..3).map(|_| chosen(&mut shares, Qos::AtLeastOnce, |_| true)).collect();
        assert_eq!(turns, [[2], [3], [1]]);
        assert_eq!(chosen(&mut shares, Qos::AtMostOnce, |_| true), [0_usize; 0], "absent members get no QoS 0");
    }

    #[test]
    fn a_choice_tries_few_members_however_many_are_unfit_or_absent() {
        let mut shares = SharedSubscriptions::default();
        for session in 0..2_000 {
            join(&mut shares, "$share/x/a/b", session, MemberPresence::Away);
        }
        for session in 2_000..4_000 {
            join(&mut shares, "$share/x/a/b", session, MemberPresence::Connected);
        }
        let tried = core::cell::Cell::new(0);
        let is_fit = |_| {
            tried.set(tried.get() + 1);
            false
        };
        assert_eq!(chosen(&mut shares, Qos::AtLeastOnce, is_fit), [0]);
        assert_eq!(tried.get(), limits::SHARE_MEMBERS_TRIED);
    }

    #[test]
    fn a_share_without_members_is_removed() {
        let mut shares = SharedSubscriptions::default();
        for presence in [MemberPresence::Connected, MemberPresence::Away] {
            join(&mut shares, "$share/x/a/b", 1, presence);
        }
        shares.leave(&shared("$share/x/a/b"), SessionId(1));
        assert!(chosen(&mut shares, Qos::AtLeastOnce, |_| true).is_empty() && shares.shares.is_empty());
    }
}
