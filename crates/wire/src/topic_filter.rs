//! Parses topic filters, matches them with topics (MQTT 3.1.1 section 4.7), and compares them for grants
//! (`spec/topics.md` section 3).

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::limits;
use crate::reason::Reason;

/// A well-formed filter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicFilter(Box<str>);

/// Whether a topic or filter exceeds the limit of levels. Each level becomes a node of a tree, so a long topic
/// or filter of empty levels would cost a thousand times its bytes.
pub(crate) fn has_too_many_levels(text: &str) -> bool {
    text.bytes().filter(|byte| *byte == b'/').count() >= limits::TOPIC_LEVELS_MAX
}

impl TopicFilter {
    /// Parses a filter. Errors: [`Reason::BadTopic`] if it is empty or too long, has too many levels or U+0000, a
    /// wildcard shares its level, or `#` is not the last level.
    pub fn parse(text: &str) -> Result<TopicFilter, Reason> {
        if text.is_empty() || text.len() > limits::TOPIC_BYTES_MAX || text.contains('\0') || has_too_many_levels(text) {
            return Err(Reason::BadTopic);
        }
        let mut levels = text.split('/').peekable();
        while let Some(level) = levels.next() {
            let wildcard = level.contains(['+', '#']);
            if wildcard && (level.len() > 1 || level == "#" && levels.peek().is_some()) {
                return Err(Reason::BadTopic);
            }
        }
        Ok(TopicFilter(text.into()))
    }

    /// Whether the filter matches `topic`. A topic that begins with `$` never matches a wildcard at the first
    /// level.
    pub fn matches(&self, topic: &str) -> bool {
        if topic.starts_with('$') && self.0.starts_with(['+', '#']) {
            return false;
        }
        let mut tokens = topic.split('/');
        for level in self.0.split('/') {
            match (level, tokens.next()) {
                // `#` matches the parent level too, so no token is needed here.
                ("#", _) => return true,
                ("+", Some(_)) => {}
                (name, Some(token)) if name == token => {}
                _ => return false,
            }
        }
        tokens.next().is_none()
    }

    /// Whether a right to this filter includes `other`. Level by level, `+` covers `+` or a name but not `#`; `#`
    /// covers one or more remaining levels. Topics that begin with `$` need no rule here, because
    /// [`TopicFilter::matches`] applies it at delivery.
    pub fn covers(&self, other: &TopicFilter) -> bool {
        let mut others = other.0.split('/');
        for level in self.0.split('/') {
            match (level, others.next()) {
                ("#", Some(_)) => return true,
                ("+", Some(asked)) if asked != "#" => {}
                (name, Some(asked)) if name == asked => {}
                _ => return false,
            }
        }
        others.next().is_none()
    }

    /// Whether some topic matches both filters.
    pub fn overlaps(&self, other: &TopicFilter) -> bool {
        let (mut ours, mut others) = (self.0.split('/'), other.0.split('/'));
        loop {
            match (ours.next(), others.next()) {
                // `#` matches the parent level too.
                (Some("#"), _) | (_, Some("#")) | (None, None) => return true,
                (Some(one), Some(other)) if one == other || one == "+" || other == "+" => {}
                _ => return false,
            }
        }
    }

    /// The levels, in order.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The filter as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for TopicFilter {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for TopicFilter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for TopicFilter {
    type Err = Reason;

    fn from_str(text: &str) -> Result<TopicFilter, Reason> {
        TopicFilter::parse(text)
    }
}

impl serde::Serialize for TopicFilter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for TopicFilter {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<TopicFilter, D::Error> {
        let text = String::deserialize(deserializer)?;
        TopicFilter::parse(&text).map_err(serde::de::Error::custom)
    }
}
