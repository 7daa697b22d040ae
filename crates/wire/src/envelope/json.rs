//! Parses JSON as scene messages allow it: bounded depth, keys and array values, unique keys per level, finite numbers.
//! Takes one pass of serde_json's parser.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::limits;
use crate::reason::{Reason, Refusal};

const TOO_DEEP: Refusal = Refusal::beyond(Reason::TooDeep, limits::JSON_DEPTH_MAX, "levels");
const TOO_MANY_KEYS: Refusal = Refusal::beyond(Reason::TooLarge, limits::JSON_KEYS_MAX, "keys of a payload");
const TOO_MANY_VALUES: Refusal =
    Refusal::beyond(Reason::TooLarge, limits::JSON_VALUES_MAX, "array values of a payload");

/// Parses a text. Errors: [`Reason::TooDeep`], [`Reason::TooLarge`] for too many keys or array values,
/// [`Reason::RepeatedKey`], [`Reason::NotFinite`], else [`Reason::NotJson`].
pub(super) fn parse(text: &str) -> Result<Value, Refusal> {
    let (refusal, keys_left) = (Cell::new(None), Cell::new(limits::JSON_KEYS_MAX));
    let values_left = Cell::new(limits::JSON_VALUES_MAX);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = BoundedJsonSeed {
        levels_left: limits::JSON_DEPTH_MAX,
        keys_left: &keys_left,
        values_left: &values_left,
        refusal: &refusal,
    };
    let outcome = seed.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    outcome.map_err(|error| refusal.get().unwrap_or_else(|| syntax(text, &error).into()))
}

/// Whether the payload would end arena-py 1.6.0's receive loop. That client ignores bytes that are not UTF-8 and
/// parses the rest as JSON; a value that is no object ends the loop.
pub(super) fn deafens(payload: &[u8]) -> bool {
    let text: String = payload.utf8_chunks().map(|chunk| chunk.valid()).collect();
    match text.trim_start_matches([' ', '\t', '\n', '\r']).chars().next() {
        None | Some('{') => false,
        // Python accepts strings that we reject, such as lone surrogates.
        Some('[' | '"') => true,
        Some(_) => parse(&text) != Err(Reason::NotJson.into()),
    }
}

/// The reason of a syntax error. serde_json reports text and position only, so the text at the position decides.
fn syntax(text: &str, error: &serde_json::Error) -> Reason {
    let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = line_start + error.column();
    let named = (0..=2)
        .filter_map(|back| text.get(at.checked_sub(back)?..))
        .any(|rest| rest.starts_with("NaN") || rest.starts_with("Infinity") || rest.starts_with("-Infinity"));
    if named || error.to_string().starts_with("number out of range") { Reason::NotFinite } else { Reason::NotJson }
}

#[derive(Clone, Copy)]
struct BoundedJsonSeed<'a> {
    levels_left: usize,
    /// Keys that may still follow, at all levels.
    keys_left: &'a Cell<usize>,
    /// Array values that may still follow, at all levels.
    values_left: &'a Cell<usize>,
    refusal: &'a Cell<Option<Refusal>>,
}

impl BoundedJsonSeed<'_> {
    fn refuse<E: serde::de::Error>(self, refusal: Refusal) -> E {
        self.refusal.set(Some(refusal));
        E::custom(refusal)
    }

    fn below<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(BoundedJsonSeed { levels_left, ..self }),
            None => Err(self.refuse(TOO_DEEP)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for BoundedJsonSeed<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedJsonSeed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| self.refuse(Reason::NotFinite.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(below)? {
            if !take_one(self.values_left) {
                return Err(self.refuse(TOO_MANY_VALUES));
            }
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if values.contains_key(&key) {
                return Err(self.refuse(Reason::RepeatedKey.into()));
            }
            if !take_one(self.keys_left) {
                return Err(self.refuse(TOO_MANY_KEYS));
            }
            let value = entries.next_value_seed(below)?;
            values.insert(key, value);
        }
        Ok(Value::Object(values))
    }
}

/// Counts down by one. False if the count was already 0.
fn take_one(left: &Cell<usize>) -> bool {
    let next = left.get().checked_sub(1);
    left.set(next.unwrap_or(0));
    next.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_at_all_levels_up_to_their_limit() {
        let payload = |keys: usize| alloc::format!("[{}]", [r#"{"k":{}}"#].repeat(keys).join(","));
        assert!(parse(&payload(limits::JSON_KEYS_MAX)).is_ok());
        let refused = parse(&payload(limits::JSON_KEYS_MAX + 1)).unwrap_err();
        assert_eq!(alloc::format!("{refused}"), "too_large: at most 4096 keys of a payload");
    }

    #[test]
    fn structural_characters_bound_keys_and_values() {
        fn size(value: &Value) -> usize {
            match value {
                Value::Array(values) => values.len() + values.iter().map(size).sum::<usize>(),
                Value::Object(keys) => keys.len() + keys.values().map(size).sum::<usize>(),
                _ => 0,
            }
        }
        for text in ["1", "[]", "[[[1]]]", "[1,2]", r#"{"a":[1,{"b":[[]]}],"c":{}}"#, r#"[":,[", ""]"#] {
            let (value, most) = (parse(text).unwrap(), super::super::structural_characters(text.as_bytes()));
            assert!(size(&value) <= most, "{text}: {most}");
        }
    }

    #[test]
    fn a_separately_parsed_payload_gets_the_same_verdict() {
        use super::super::{Envelope, ParsedPayload};
        use crate::topic::SceneTopic;

        let deep = alloc::format!("{}1{}", "[".repeat(65), "]".repeat(65));
        let payloads = [r#"{"object_id":"c","dn":"a"}"#, r#"{"object_id":"d"}"#, "[1]", "{", r#"{"a":1,"a":2}"#, &deep];
        for topic in ["realm/s/n/s/c/uc/c", "realm/s/n/s/o/uc/c", "realm/s/n/s/e/uc/c", "realm/s/n/s/d/uc/c/-"] {
            let topic = SceneTopic::parse(topic).unwrap().unwrap();
            for payload in payloads.map(str::as_bytes) {
                let apart = Envelope::on_parsed(&topic, payload, Some(ParsedPayload::of(payload)));
                assert_eq!(apart, Envelope::on(&topic, payload), "{topic}: {payload:?}");
            }
        }
    }

    #[test]
    fn array_values_are_counted_at_all_levels_up_to_their_limit() {
        let flat = |values: usize| alloc::format!("[{}1]", "1,".repeat(values - 1));
        let nested = |values: usize| alloc::format!(r#"{{"a":[{}[1]]}}"#, "[1],".repeat(values / 2 - 1));
        for payload in [&flat as &dyn Fn(usize) -> String, &nested] {
            assert!(parse(&payload(limits::JSON_VALUES_MAX)).is_ok());
            let refused = parse(&payload(limits::JSON_VALUES_MAX + 2)).unwrap_err();
            assert_eq!(alloc::format!("{refused}"), "too_large: at most 32768 array values of a payload");
        }
    }
}
