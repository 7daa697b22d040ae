//! Shared subscriptions: one member of each share gets a message. Source: MQTT 5 section 4.8.2.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use stoa_wire::reason::Reason;
use stoa_wire::topic_filter::TopicFilter;

use super::filter_tree::FilterTree;
use super::routes::SubscriptionOptions;
use super::session::SessionId;

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

    /// The filter of its members.
    pub fn filter(&self) -> &TopicFilter {
        &self.filter
    }
}

impl fmt::Display for SharedFilter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}/{}", self.name, self.filter)
    }
}

/// Whether a member can get a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberReadiness {
    /// It gets the message now.
    Ready,
    /// It gets the message when it reconnects.
    Away,
    /// It can't get the message.
    Unfit,
}

#[derive(Debug, Default)]
struct ShareGroup {
    members: Vec<(SessionId, SubscriptionOptions)>,
    /// Index of the next member.
    turn: usize,
}

/// All shared subscriptions, by filter, then by name.
#[derive(Debug, Default)]
pub(crate) struct SharedSubscriptions {
    shares: FilterTree<BTreeMap<Box<str>, ShareGroup>>,
}

impl SharedSubscriptions {
    /// Adds a member or changes its options.
    pub(crate) fn join(
        &mut self,
        SharedFilter { name, filter }: &SharedFilter,
        session: SessionId,
        wanted: SubscriptionOptions,
    ) {
        let share = self.shares.entry(filter).entry(name.clone()).or_default();
        match share.members.iter_mut().find(|(member, _)| *member == session) {
            Some(member) => member.1 = wanted,
            None => share.members.push((session, wanted)),
        }
    }

    /// Removes a member, and the share with its last one.
    pub(crate) fn leave(&mut self, SharedFilter { name, filter }: &SharedFilter, session: SessionId) {
        let Some(named) = self.shares.get_mut(filter) else {
            return;
        };
        if let Some(share) = named.get_mut(name) {
            share.remove(session);
            if share.members.is_empty() {
                named.remove(name);
            }
        }
        if named.is_empty() {
            self.shares.remove(filter);
        }
    }

    /// Appends to `chosen` one member of each share that matches `topic`: in turn, connected members first.
    pub(crate) fn choose(
        &mut self,
        topic: &str,
        fitness: impl Fn(SessionId, SubscriptionOptions) -> MemberReadiness,
        chosen: &mut Vec<(SessionId, SubscriptionOptions)>,
    ) {
        self.shares.visit(topic, |named| {
            chosen.extend(named.values_mut().filter_map(|share| share.choose(&fitness)));
        });
    }
}

impl ShareGroup {
    fn remove(&mut self, session: SessionId) {
        if let Some(place) = self.members.iter().position(|(member, _)| *member == session) {
            self.members.remove(place);
            // The next member remains the same.
            self.turn -= usize::from(place < self.turn);
        }
    }

    fn choose(
        &mut self,
        fitness: impl Fn(SessionId, SubscriptionOptions) -> MemberReadiness,
    ) -> Option<(SessionId, SubscriptionOptions)> {
        let count = self.members.len();
        let in_turn = || (0..count).map(|step| (self.turn + step) % count);
        let fit = |wished: MemberReadiness| {
            in_turn().find(|index| {
                let (session, wanted) = self.members[*index];
                fitness(session, wanted) == wished
            })
        };
        let index = fit(MemberReadiness::Ready).or_else(|| fit(MemberReadiness::Away))?;
        self.turn = (index + 1) % count;
        Some(self.members[index])
    }
}

#[cfg(test)]
mod tests {
    use stoa_wire::packet::Qos;

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

    fn chosen(
        shares: &mut SharedSubscriptions,
        fitness: impl Fn(SessionId, SubscriptionOptions) -> MemberReadiness,
    ) -> Vec<usize> {
        let mut chosen = Vec::new();
        shares.choose("a/b", fitness, &mut chosen);
        chosen.into_iter().map(|(session, _)| session.0).collect()
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
            shares.join(&shared("$share/x/a/#"), SessionId(session), WANTED);
        }
        shares.join(&shared("$share/y/a/+"), SessionId(9), WANTED);
        let turns: Vec<Vec<usize>> = (0..4).map(|_| chosen(&mut shares, |_, _| MemberReadiness::Ready)).collect();
        assert_eq!(turns, [[1, 9], [2, 9], [3, 9], [1, 9]]);
        shares.leave(&shared("$share/x/a/#"), SessionId(1));
        assert_eq!(chosen(&mut shares, |_, _| MemberReadiness::Ready), [2, 9]);
    }

    #[test]
    fn who_is_there_goes_before_who_is_away_and_nobody_gets_it_where_none_is_fit() {
        let mut shares = SharedSubscriptions::default();
        for session in [1, 2, 3] {
            shares.join(&shared("$share/x/a/b"), SessionId(session), WANTED);
        }
        let only = |there: usize| {
            move |session: SessionId, _| if session.0 == there { MemberReadiness::Ready } else { MemberReadiness::Away }
        };
        assert_eq!(chosen(&mut shares, only(3)), [3]);
        assert_eq!(chosen(&mut shares, only(3)), [3]);
        assert_eq!(chosen(&mut shares, |_, _| MemberReadiness::Away), [1]);
        assert_eq!(chosen(&mut shares, |_, _| MemberReadiness::Unfit), [0_usize; 0]);
    }

    #[test]
    fn a_share_without_members_leaves_nothing_behind() {
        let mut shares = SharedSubscriptions::default();
        shares.join(&shared("$share/x/a/b"), SessionId(1), WANTED);
        shares.leave(&shared("$share/x/a/b"), SessionId(1));
        assert!(chosen(&mut shares, |_, _| MemberReadiness::Ready).is_empty() && shares.shares.is_empty());
    }
}
