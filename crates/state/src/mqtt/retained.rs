//! Messages that stay for later subscribers. Nothing of a scene is retained: late joiners have its snapshot.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

use stoa_wire::packet::Publish;
use stoa_wire::topic::Topic;
use stoa_wire::topic_filter::TopicFilter;

use crate::limits;

/// The last retained message of each topic, bounded in number and bytes.
#[derive(Debug, Default)]
pub struct Retained {
    messages: BTreeMap<Topic, Arc<Publish>>,
    bytes: usize,
}

fn size(message: &Publish) -> usize {
    message.topic.as_str().len() + message.payload.len()
}

impl Retained {
    /// Keeps a message; an empty payload clears its topic. False where there is no room: the message is then not kept.
    pub fn keep(&mut self, message: &Arc<Publish>) -> bool {
        let older_bytes = self.messages.get(&message.topic).map(|older| size(older));
        let others_bytes = self.bytes - older_bytes.unwrap_or(0);
        if message.payload.is_empty() {
            self.messages.remove(&message.topic);
            self.bytes = others_bytes;
            return true;
        }
        let crowded = older_bytes.is_none() && self.messages.len() >= limits::RETAINED_MAX;
        if crowded || others_bytes + size(message) > limits::RETAINED_BYTES_MAX {
            return false;
        }
        self.bytes = others_bytes + size(message);
        self.messages.insert(message.topic.clone(), Arc::clone(message));
        true
    }

    /// What a new subscription gets, by topic.
    pub fn matching(&self, filter: &TopicFilter) -> impl Iterator<Item = &Arc<Publish>> {
        self.messages.iter().filter(|(topic, _)| filter.matches(topic.as_str())).map(|(_, message)| message)
    }
}
