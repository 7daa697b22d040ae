//! A scene's stored objects, as the model and its templates know them.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelStoredObject {
    pub(crate) type_name: String,
    pub(crate) attributes: Value,
    pub(crate) expires_ms: Option<u64>,
}

/// The stored state; cheap to clone.
pub(crate) type ModelStoredObjects = BTreeMap<String, Rc<ModelStoredObject>>;
