//! Describes attributes as the schemas do, and checks values against the descriptions. TypeScript and Python have the
//! same check, and all three run `spec/vectors/objects/`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ObjectType;

/// One attribute of a [`Group`].
#[derive(Debug)]
pub struct Attribute {
    /// ARENA's name of the attribute.
    pub name: &'static str,
    /// Allowed values.
    pub shape: Shape,
    /// The default value, as JSON text.
    pub default: Option<&'static str>,
    /// The unit of the value.
    pub unit: Option<&'static str>,
    /// Whether a complete object has it. Its absence is not an error, because ARENA's programs omit much.
    pub required: bool,
    /// Whether new content should avoid it.
    pub deprecated: bool,
}

/// The attributes of one schema.
#[derive(Debug)]
pub struct Group {
    /// A group whose attributes are also allowed: for object types, those of any object.
    pub base: Option<&'static Group>,
    /// Sorted by name.
    pub attributes: &'static [Attribute],
    /// Attributes for every key that begins with their name, such as `animation__`.
    pub prefixes: &'static [Attribute],
}

/// Allowed values of an attribute.
#[derive(Debug)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// One of these texts; any text if the list is empty.
    Text(&'static [&'static str]),
    /// A number.
    Number(Range),
    /// A number without a fraction.
    Integer(Range),
    /// An object with free keys.
    Object,
    /// An array of values of one shape.
    Array(&'static Shape),
    /// An object described by a schema.
    Group(&'static Group),
    /// One of several shapes; no two have the same JSON type.
    Choice(&'static [Shape]),
}

/// Inclusive bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least value.
    pub minimum: Option<f64>,
    /// The greatest value.
    pub maximum: Option<f64>,
}

/// The first violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("attribute {path:?}: {reason}")]
pub struct AttributeError {
    /// Keys and array indices from the outermost value on, joined by `.`: `material.opacity`, `buttons.0.size`.
    pub path: String,
    /// The violated rule.
    pub reason: AttributeFault,
}

/// Rule that a value violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeFault {
    /// The value's JSON type is not allowed.
    #[error("wrong type")]
    WrongType,
    /// The schema lists the allowed texts, and this is none of them.
    #[error("not one of the allowed values")]
    NotAllowed,
    /// A number below the minimum or above the maximum.
    #[error("out of range")]
    OutOfRange,
    /// `object_type` is unknown.
    #[error("unknown object type")]
    UnknownObjectType,
}

impl Group {
    /// Reports the first value (by key) that violates the schema. A key that is `null`, unknown or absent never does.
    pub fn check(&self, value: &Value) -> Result<(), AttributeError> {
        let map = value.as_object().ok_or(AttributeFault::WrongType).map_err(AttributeError::here)?;
        self.check_map(map)
    }

    /// The attribute that describes `key`.
    pub fn attribute(&self, key: &str) -> Option<&Attribute> {
        let own = self.attributes.binary_search_by(|attribute| attribute.name.cmp(key)).ok();
        own.and_then(|place| self.attributes.get(place))
            .or_else(|| self.prefixes.iter().find(|prefix| key.starts_with(prefix.name)))
            .or_else(|| self.base.and_then(|base| base.attribute(key)))
    }

    fn check_map(&self, map: &Map<String, Value>) -> Result<(), AttributeError> {
        for (key, value) in map.iter().filter(|(_, value)| !value.is_null()) {
            if let Some(attribute) = self.attribute(key) {
                attribute.shape.check(value).map_err(|wrong| wrong.below(key))?;
            }
        }
        Ok(())
    }
}

impl Shape {
    fn check(&self, value: &Value) -> Result<(), AttributeError> {
        let fits = match (self, value) {
            (Shape::Any, _) | (Shape::Boolean, Value::Bool(_)) | (Shape::Object, Value::Object(_)) => Ok(()),
            (Shape::Text(allowed), Value::String(text)) => {
                if allowed.is_empty() || allowed.contains(&text.as_str()) {
                    Ok(())
                } else {
                    Err(AttributeFault::NotAllowed)
                }
            }
            (Shape::Number(range), Value::Number(number)) => range.check(number.as_f64(), false),
            (Shape::Integer(range), Value::Number(number)) => range.check(number.as_f64(), true),
            (Shape::Array(items), Value::Array(values)) => return items.check_all(values),
            (Shape::Group(group), Value::Object(map)) => return group.check_map(map),
            (Shape::Choice(shapes), _) => match shapes.iter().find(|shape| shape.has_type_of(value)) {
                Some(shape) => return shape.check(value),
                None => Err(AttributeFault::WrongType),
            },
            _ => Err(AttributeFault::WrongType),
        };
        fits.map_err(AttributeError::here)
    }

    fn check_all(&self, values: &[Value]) -> Result<(), AttributeError> {
        for (place, value) in values.iter().enumerate() {
            self.check(value).map_err(|wrong| wrong.below(&place.to_string()))?;
        }
        Ok(())
    }

    fn has_type_of(&self, value: &Value) -> bool {
        match self {
            Shape::Any | Shape::Choice(_) => true,
            Shape::Boolean => value.is_boolean(),
            Shape::Text(_) => value.is_string(),
            Shape::Number(_) | Shape::Integer(_) => value.is_number(),
            Shape::Object | Shape::Group(_) => value.is_object(),
            Shape::Array(_) => value.is_array(),
        }
    }
}

impl Range {
    fn check(self, number: Option<f64>, whole: bool) -> Result<(), AttributeFault> {
        let number = number.ok_or(AttributeFault::WrongType)?;
        if whole && number % 1.0 != 0.0 {
            return Err(AttributeFault::WrongType);
        }
        let inside = self.minimum.is_none_or(|minimum| number >= minimum)
            && self.maximum.is_none_or(|maximum| number <= maximum);
        if inside { Ok(()) } else { Err(AttributeFault::OutOfRange) }
    }
}

impl AttributeError {
    fn here(reason: AttributeFault) -> AttributeError {
        AttributeError { path: String::new(), reason }
    }

    fn below(self, key: &str) -> AttributeError {
        let path = if self.path.is_empty() { key.to_string() } else { format!("{key}.{}", self.path) };
        AttributeError { path, reason: self.reason }
    }
}

/// The value of `object_type`.
pub(super) fn object_type(attributes: &Map<String, Value>) -> Result<ObjectType, AttributeError> {
    let text = attributes.get("object_type").and_then(Value::as_str).ok_or(AttributeFault::WrongType);
    text.and_then(|text| ObjectType::from_str(text).map_err(|_| AttributeFault::UnknownObjectType))
        .map_err(|reason| AttributeError::here(reason).below("object_type"))
}

/// Checks attributes against a group and decodes them into the group's struct.
pub(super) fn read<T: DeserializeOwned>(
    group: &Group,
    attributes: &Map<String, Value>,
) -> Result<Box<T>, AttributeError> {
    group.check_map(attributes)?;
    let mut attributes = attributes.clone();
    attributes.remove("object_type");
    serde_json::from_value(Value::Object(attributes)).map_err(|_| AttributeError::here(AttributeFault::WrongType))
}

/// Encodes an object's struct as the `data` of a message.
pub(super) fn write<T: Serialize>(object_type: ObjectType, object: &T) -> Map<String, Value> {
    let mut map = match serde_json::to_value(object) {
        Ok(Value::Object(map)) => map,
        // A struct of keys and JSON values always becomes an object.
        _ => Map::new(),
    };
    map.insert("object_type".to_string(), Value::from(object_type.as_str()));
    map
}
