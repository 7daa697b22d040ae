//! Retained messages outside of scenes, within limits. Scenes retain none: late joiners get a snapshot.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Bound::{Included, Unbounded};
use core::time::Duration;

use stoa_wire::packet::Publish;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::Topic;
use stoa_wire::topic_filter::TopicFilter;

use super::outgoing::is_over;
use super::stored::{StoredMessage, StoredRetained};
use crate::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, Resource};
use crate::limits;
use crate::time::{Time, UnixSeconds};

/// A retained message.
#[derive(Clone, Debug)]
pub(crate) struct RetainedMessage {
    pub publish: Arc<Publish>,
    /// Time of arrival, from which its expiry counts.
    pub taken_at: Time,
    /// The subject that published it.
    pub subject: Arc<str>,
}

impl RetainedMessage {
    /// Converts the message for the store.
    pub(crate) fn to_kept(&self, taken_at: UnixSeconds) -> StoredRetained {
        let (topic, subject) = (self.publish.topic.clone(), Arc::clone(&self.subject));
        StoredRetained { topic, subject, qos: self.publish.qos, message: StoredMessage::new(&self.publish, taken_at) }
    }

    fn size(&self) -> usize {
        self.publish.size_bytes()
    }
}

/// Number and bytes of retained messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RetainedUsage {
    messages: usize,
    bytes: usize,
}

impl RetainedUsage {
    fn add(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes += bytes;
    }

    fn take(&mut self, bytes: usize) {
        self.messages -= 1;
        self.bytes -= bytes;
    }
}

/// The bounds of all retained messages, with fair shares of accounts. Guests retain none.
const BOUNDS: [PayerClassBounds; 2] = [
    PayerClassBounds {
        resource: Resource::RetainedMessages,
        class: PayerClass::Members,
        own: None,
        shared: Bound::Level { most: limits::RETAINED_SHARED as u64, ceiling: limits::RETAINED_MAX as u64 },
        of: "retained messages",
    },
    PayerClassBounds {
        resource: Resource::RetainedBytes,
        class: PayerClass::Members,
        own: None,
        shared: Bound::Level { most: limits::RETAINED_BYTES_SHARED as u64, ceiling: limits::RETAINED_BYTES_MAX as u64 },
        of: "bytes of retained messages",
    },
];

/// The use of one subject's retained messages.
#[derive(Debug)]
struct SubjectRetainedUsage {
    usage: RetainedUsage,
    payer: Payer,
}

/// The retained message of each topic, limited in number and bytes, in total and for each subject.
#[derive(Debug)]
pub(crate) struct RetainedMessages {
    messages: BTreeMap<Topic, RetainedMessage>,
    /// The use of all subjects together, and their shares.
    total: Ledger,
    by_subject: BTreeMap<Arc<str>, SubjectRetainedUsage>,
    /// Earliest time of the next scan for expired messages. Expiry counts in seconds, so earlier scans find no more.
    next_look_at: Time,
}

impl Default for RetainedMessages {
    fn default() -> RetainedMessages {
        RetainedMessages {
            messages: BTreeMap::new(),
            total: Ledger::new(&BOUNDS, Time::ZERO),
            by_subject: BTreeMap::new(),
            next_look_at: Time::ZERO,
        }
    }
}

impl RetainedMessages {
    /// Retains a message; an empty payload clears the topic. Errors: the exceeded limit; the earlier message then
    /// remains.
    pub(crate) fn keep(&mut self, message: RetainedMessage) -> Result<(), Refusal> {
        if message.publish.payload.is_empty() {
            self.remove(&message.publish.topic);
            return Ok(());
        }
        if self.check_capacity(&message).is_err() {
            self.remove_expired(message.taken_at);
        }
        self.check_capacity(&message)?;
        self.remove(&message.publish.topic);
        self.insert(message);
        Ok(())
    }

    /// Restores a message that was retained before a restart. Its subject's fair share may have been larger then, so
    /// only the limits of one subject apply. Errors: the exceeded limit.
    pub(crate) fn restore(&mut self, message: RetainedMessage) -> Result<(), Refusal> {
        self.check_subject(&message)?;
        self.insert(message);
        Ok(())
    }

    /// Returns a topic's message.
    pub(crate) fn get(&self, topic: &Topic) -> Option<&RetainedMessage> {
        self.messages.get(topic)
    }

    fn check_capacity(&mut self, message: &RetainedMessage) -> Result<(), Refusal> {
        self.check_subject(message)?;
        let (now, payer) = (message.taken_at, self.payer(&message.subject, message.taken_at));
        // A message that replaces one of its subject is charged with its growth.
        let replaced = self.replaced_by(message).map(RetainedMessage::size);
        let size = message.size().saturating_sub(replaced.unwrap_or(0));
        let costs = costs_of(size).into_iter().filter(|cost| match cost.resource {
            Resource::RetainedMessages => replaced.is_none(),
            _ => cost.amount > 0,
        });
        for cost in costs {
            if let ChargeVerdict::Refuse(refused) = self.total.check(now, payer, cost) {
                return Err(Refusal { reason: Reason::TooManyRetained, ..refused });
            }
        }
        Ok(())
    }

    /// The message of the same topic and subject.
    fn replaced_by(&self, message: &RetainedMessage) -> Option<&RetainedMessage> {
        self.messages.get(&message.publish.topic).filter(|older| older.subject == message.subject)
    }

    fn payer(&mut self, subject: &Arc<str>, now: Time) -> Payer {
        let of_subject = self.by_subject.get(subject).map(|of_subject| of_subject.payer);
        of_subject.unwrap_or_else(|| self.total.payer(PayerClass::Members, subject, None, now))
    }

    fn check_subject(&self, message: &RetainedMessage) -> Result<(), Refusal> {
        let mut of_subject =
            self.by_subject.get(&message.subject).map(|of_subject| of_subject.usage).unwrap_or_default();
        if let Some(older) = self.replaced_by(message) {
            of_subject.take(older.size());
        }
        let bounds = [
            (of_subject.messages + 1, limits::SUBJECT_RETAINED_MAX, "retained messages of one account"),
            (
                of_subject.bytes + message.size(),
                limits::SUBJECT_RETAINED_BYTES_MAX,
                "bytes of one account's retained messages",
            ),
        ];
        match bounds.into_iter().find(|(count, most, _)| count > most) {
            Some((_, most, of)) => Err(Refusal::beyond(Reason::TooManyRetained, most, of)),
            None => Ok(()),
        }
    }

    fn insert(&mut self, message: RetainedMessage) {
        let (now, payer) = (message.taken_at, self.payer(&message.subject, message.taken_at));
        for cost in costs_of(message.size()) {
            self.total.settle(now, payer, cost);
        }
        let none = || SubjectRetainedUsage { usage: RetainedUsage::default(), payer };
        self.by_subject.entry(Arc::clone(&message.subject)).or_insert_with(none).usage.add(message.size());
        self.messages.insert(message.publish.topic.clone(), message);
    }

    fn remove(&mut self, topic: &Topic) -> Option<RetainedMessage> {
        let message = self.messages.remove(topic)?;
        let load = self.by_subject.get_mut(&message.subject).expect("a kept message counts for its subject");
        load.usage.take(message.size());
        for cost in costs_of(message.size()) {
            self.total.release(load.payer, cost);
        }
        if load.usage == RetainedUsage::default() {
            self.by_subject.remove(&message.subject);
        }
        Some(message)
    }

    /// Removes expired messages, at most once a second. Called when a limit is reached.
    fn remove_expired(&mut self, now: Time) {
        if self.next_look_at > now {
            return;
        }
        self.next_look_at = now + Duration::from_secs(1);
        let over = self.messages.values().filter(|kept| is_over(&kept.publish, kept.taken_at, now));
        let over: Vec<Topic> = over.map(|kept| kept.publish.topic.clone()).collect();
        for topic in &over {
            self.remove(topic);
        }
    }

    /// Retained messages for a new subscription, by topic, and the number of topics that were compared: those that
    /// begin like the filter, up to its first wildcard.
    pub(crate) fn matching(&self, filter: &TopicFilter, now: Time) -> (Vec<RetainedMessage>, usize) {
        let prefix = literal_prefix(filter.as_str());
        let begin = Topic::parse(prefix).map_or(Unbounded, Included);
        let mut compared = 0;
        let alike = self.messages.range((begin, Unbounded));
        let alike = alike.take_while(|(topic, _)| topic.as_str().starts_with(prefix)).inspect(|_| compared += 1);
        let is_meant = |kept: &&RetainedMessage| {
            filter.matches(kept.publish.topic.as_str()) && !is_over(&kept.publish, kept.taken_at, now)
        };
        let messages = alike.map(|(_, kept)| kept).filter(is_meant).cloned().collect();
        (messages, compared)
    }
}

/// The levels of a filter before its first wildcard, with which each matching topic begins.
fn literal_prefix(filter: &str) -> &str {
    let literal = filter.split(['+', '#']).next().unwrap_or_default();
    if literal.len() == filter.len() { literal } else { literal.strip_suffix('/').unwrap_or(literal) }
}

/// The costs of one retained message of this size.
fn costs_of(bytes: usize) -> [Cost; 2] {
    [
        Cost { resource: Resource::RetainedMessages, amount: 1 },
        Cost { resource: Resource::RetainedBytes, amount: bytes as u64 },
    ]
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;

    use stoa_wire::packet::{PublishProperties, Qos};

    use super::*;

    fn kept(subject: &str, topic: &str, bytes: usize) -> RetainedMessage {
        let publish = Publish {
            topic: Topic::parse(topic).unwrap(),
            payload: vec![b'x'; bytes].into(),
            qos: Qos::AtMostOnce,
            retain: true,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        };
        RetainedMessage { publish: Arc::new(publish), taken_at: Time::ZERO, subject: subject.into() }
    }

    fn topics(retained: &RetainedMessages, now: Time) -> Vec<String> {
        let all = TopicFilter::parse("#").unwrap();
        let (messages, compared) = retained.matching(&all, now);
        assert_eq!(compared, retained.messages.len());
        messages.into_iter().map(|kept| kept.publish.topic.as_str().into()).collect()
    }

    #[test]
    fn a_filter_is_compared_only_with_topics_that_share_its_literal_prefix() {
        let mut retained = RetainedMessages::default();
        for topic in ["a", "a/b", "a/b/c", "a/bc", "b/a", "b/b/c", "c"] {
            retained.keep(kept("ada", topic, 1)).unwrap();
        }
        let cases: [(&str, &[&str], usize); 8] = [
            ("a/b/#", &["a/b", "a/b/c"], 3),
            ("a/b", &["a/b"], 3),
            ("a/+", &["a/b", "a/bc"], 4),
            ("+/b", &["a/b"], 7),
            ("+/b/c", &["a/b/c", "b/b/c"], 7),
            ("b/+/c", &["b/b/c"], 2),
            ("c/#", &["c"], 1),
            ("d", &[], 0),
        ];
        for (filter, expected, compared) in cases {
            let (messages, count) = retained.matching(&TopicFilter::parse(filter).unwrap(), Time::ZERO);
            let topics: Vec<_> = messages.iter().map(|kept| kept.publish.topic.as_str()).collect();
            assert_eq!((topics.as_slice(), count), (expected, compared), "{filter}");
        }
    }

    #[test]
    fn one_subject_cannot_fill_the_retained_messages() {
        let mut retained = RetainedMessages::default();
        let taken =
            (0..limits::RETAINED_MAX).filter(|number| retained.keep(kept("ada", &format!("a/{number}"), 1)).is_ok());
        assert_eq!(taken.count(), limits::SUBJECT_RETAINED_MAX);
        assert_eq!(retained.keep(kept("bo", "b", 1)), Ok(()), "others have room");
        let of = "retained messages of one account";
        let full = Refusal::beyond(Reason::TooManyRetained, limits::SUBJECT_RETAINED_MAX, of);
        assert_eq!(retained.keep(kept("ada", "c", 1)), Err(full));
        assert_eq!(retained.keep(kept("ada", "a/0", 0)), Ok(()));
        assert_eq!(retained.keep(kept("ada", "c", 1)), Ok(()), "a cleared topic makes room");
    }

    #[test]
    fn a_retained_message_over_the_byte_limit_is_refused_and_the_old_one_stays() {
        let mut retained = RetainedMessages::default();
        assert_eq!(retained.keep(kept("ada", "a", 10)), Ok(()));
        let of = "bytes of one account's retained messages";
        let full = Refusal::beyond(Reason::TooManyRetained, limits::SUBJECT_RETAINED_BYTES_MAX, of);
        assert_eq!(retained.keep(kept("ada", "a", limits::SUBJECT_RETAINED_BYTES_MAX)), Err(full));
        assert_eq!(topics(&retained, Time::ZERO), ["a"]);
        assert_eq!(retained.keep(kept("bo", "a", 20)), Ok(()), "another may say it anew, and then it counts for them");
        assert_eq!(retained.by_subject.keys().map(|subject| &**subject).collect::<Vec<_>>(), ["bo"]);
        assert_eq!(retained.keep(kept("bo", "a", 0)), Ok(()));
        let mut used = retained.total.usage(Time::ZERO).map(|(_, _, used, _)| used);
        assert!(used.all(|used| used == 0) && retained.by_subject.is_empty());
    }

    #[test]
    fn flooding_accounts_leave_retained_room_to_an_account_within_its_share() {
        let mut retained = RetainedMessages::default();
        let mut fill = |number: usize| {
            let (subject, topic) = (format!("flood{}", number % 9), format!("flood/{number}"));
            retained.keep(kept(&subject, &topic, 1)).is_ok()
        };
        let taken = (0..limits::RETAINED_MAX).filter(|number| fill(*number)).count();
        let shared = limits::RETAINED_SHARED;
        assert!((shared..shared + shared / 32).contains(&taken), "{taken}");
        assert_eq!(retained.keep(kept("ada", "ada/lamp", 1)), Ok(()), "an account within its share");
        let refused = retained.keep(kept("flood0", "flood/more", 1));
        assert_eq!(refused.map_err(|refused| refused.reason), Err(Reason::TooManyRetained));
        assert_eq!(retained.keep(kept("flood0", "flood/0", 2)), Ok(()), "a topic keeps its message up to date");
    }

    #[test]
    fn retained_messages_are_restored_after_a_restart_despite_smaller_shares() {
        let mut retained = RetainedMessages::default();
        let of_six = (0..6 * limits::SUBJECT_RETAINED_MAX)
            .map(|number| kept(&format!("flood{}", number / limits::SUBJECT_RETAINED_MAX), &format!("a/{number}"), 1));
        assert!(of_six.into_iter().all(|message| retained.restore(message).is_ok()));
        assert!(retained.restore(kept("flood0", "b", 1)).is_err(), "more than one account may have");
        assert_eq!(retained.keep(kept("ada", "ada/lamp", 1)), Ok(()));
    }

    #[test]
    fn user_properties_count_toward_the_retained_byte_limit() {
        let mut retained = RetainedMessages::default();
        let mut message = kept("ada", "a", 1);
        let pair = ("key".into(), "v".repeat(limits::SUBJECT_RETAINED_BYTES_MAX));
        Arc::get_mut(&mut message.publish).unwrap().properties.user_properties.push(pair);
        assert!(retained.keep(message).is_err());
    }

    #[test]
    fn expired_retained_messages_are_not_sent_and_free_their_room() {
        let mut retained = RetainedMessages::default();
        let expiring = |topic: &str| {
            let mut expiring = kept("ada", topic, 1);
            Arc::get_mut(&mut expiring.publish).unwrap().properties.message_expiry_s = Some(5);
            expiring
        };
        let mut numbers = 0..limits::SUBJECT_RETAINED_MAX;
        assert!(numbers.all(|number| retained.keep(expiring(&format!("a/{number}"))).is_ok()));
        assert_eq!(topics(&retained, Time::from_secs(4)).len(), limits::SUBJECT_RETAINED_MAX);
        assert!(topics(&retained, Time::from_secs(5)).is_empty());
        let later = RetainedMessage { taken_at: Time::from_secs(5), ..kept("ada", "b", 1) };
        assert_eq!(retained.keep(later), Ok(()));
        assert_eq!(retained.messages.len(), 1);
    }
}
