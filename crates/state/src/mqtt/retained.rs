//! Retained messages. Scenes retain none: late joiners get a snapshot.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Bound;
use core::time::Duration;

use stoa_wire::packet::Publish;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::Topic;
use stoa_wire::topic_filter::TopicFilter;

use super::outgoing::is_over;
use super::stored::{StoredMessage, StoredRetained};
use crate::limits;
use crate::time::{Time, UnixTime};

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
    /// Converts it for the store.
    pub(crate) fn to_kept(&self, taken_at: UnixTime) -> StoredRetained {
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

/// The retained message of each topic, limited in number and bytes, in total and for each subject.
#[derive(Debug, Default)]
pub(crate) struct RetainedMessages {
    messages: BTreeMap<Topic, RetainedMessage>,
    total: RetainedUsage,
    by_subject: BTreeMap<Arc<str>, RetainedUsage>,
    /// When the next scan for expired messages pays: expiry counts in seconds.
    next_look_at: Time,
}

impl RetainedMessages {
    /// Retains a message; an empty payload clears the topic. Errors: the exceeded limit; the earlier message then
    /// remains.
    pub(crate) fn keep(&mut self, message: RetainedMessage) -> Result<(), Refusal> {
        let older = self.remove(&message.publish.topic);
        if message.publish.payload.is_empty() {
            return Ok(());
        }
        if self.check_room(&message).is_err() {
            self.remove_expired(message.taken_at);
        }
        let room = self.check_room(&message);
        if let Some(kept) = if room.is_ok() { Some(message) } else { older } {
            self.insert(kept);
        }
        room
    }

    /// Returns a topic's message.
    pub(crate) fn get(&self, topic: &Topic) -> Option<&RetainedMessage> {
        self.messages.get(topic)
    }

    fn check_room(&self, message: &RetainedMessage) -> Result<(), Refusal> {
        let of_subject = self.by_subject.get(&message.subject).copied().unwrap_or_default();
        let bounds = [
            (self.total.messages + 1, limits::RETAINED_MAX, "retained messages"),
            (self.total.bytes + message.size(), limits::RETAINED_BYTES_MAX, "bytes of retained messages"),
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
        self.total.add(message.size());
        self.by_subject.entry(Arc::clone(&message.subject)).or_default().add(message.size());
        self.messages.insert(message.publish.topic.clone(), message);
    }

    fn remove(&mut self, topic: &Topic) -> Option<RetainedMessage> {
        let message = self.messages.remove(topic)?;
        self.total.take(message.size());
        let load = self.by_subject.get_mut(&message.subject).expect("a kept message counts for its subject");
        load.take(message.size());
        if *load == RetainedUsage::default() {
            self.by_subject.remove(&message.subject);
        }
        Some(message)
    }

    /// Scans for expired messages: only when the store is full, and once a second.
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
        let begin = Topic::parse(prefix).map_or(Bound::Unbounded, Bound::Included);
        let mut compared = 0;
        let alike = self.messages.range((begin, Bound::Unbounded));
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
    fn a_filter_is_compared_only_with_topics_that_begin_like_it() {
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
    fn one_subject_cannot_fill_the_realm() {
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
    fn bytes_are_bounded_and_what_was_kept_stays_where_the_new_is_too_large() {
        let mut retained = RetainedMessages::default();
        assert_eq!(retained.keep(kept("ada", "a", 10)), Ok(()));
        let of = "bytes of one account's retained messages";
        let full = Refusal::beyond(Reason::TooManyRetained, limits::SUBJECT_RETAINED_BYTES_MAX, of);
        assert_eq!(retained.keep(kept("ada", "a", limits::SUBJECT_RETAINED_BYTES_MAX)), Err(full));
        assert_eq!(topics(&retained, Time::ZERO), ["a"]);
        assert_eq!(retained.keep(kept("bo", "a", 20)), Ok(()), "another may say it anew, and then it counts for them");
        assert_eq!(retained.by_subject.keys().map(|subject| &**subject).collect::<Vec<_>>(), ["bo"]);
        assert_eq!(retained.keep(kept("bo", "a", 0)), Ok(()));
        assert_eq!((retained.total, retained.by_subject.len()), (RetainedUsage::default(), 0));
    }

    #[test]
    fn properties_count_as_the_payload_does() {
        let mut retained = RetainedMessages::default();
        let mut message = kept("ada", "a", 1);
        let pair = ("key".into(), "v".repeat(limits::SUBJECT_RETAINED_BYTES_MAX));
        Arc::get_mut(&mut message.publish).unwrap().properties.user_properties.push(pair);
        assert!(retained.keep(message).is_err());
    }

    #[test]
    fn what_has_expired_is_not_sent_and_makes_room() {
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
