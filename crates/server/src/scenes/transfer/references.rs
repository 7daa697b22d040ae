//! Finds the uploaded files that a scene's objects refer to.

use std::collections::BTreeSet;

use serde_json::Value;
use stoa_state::scene::StoredObject;

use crate::files::FilePath;

/// The paths (`users/…`) of files that any string in the objects' attributes refers to, percent-decoded as stored.
pub(crate) fn files_of<'a>(objects: impl IntoIterator<Item = &'a StoredObject>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for object in objects {
        object.attributes.values().for_each(|value| gather(value, &mut found));
    }
    found
}

fn gather(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => found.extend(file_in(text)),
        Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
        Value::Object(map) => map.values().for_each(|value| gather(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `/store/users/…`, `store/users/…`, or either at any host. ARENA's programs write all three.
pub(super) fn file_in(text: &str) -> Option<String> {
    let (before, path) = text.split_once("store/users/")?;
    if !(before.is_empty() || before.ends_with('/')) {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = decoded(&format!("users/{path}"))?;
    FilePath::parse(&path).ok().map(|path| path.as_str().to_owned())
}

fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_files_are_recognized_in_all_url_forms() {
        for text in [
            "/store/users/alice/my%20duck.glb",
            "store/users/alice/my duck.glb?v=2",
            "https://arena.example/store/users/alice/my%20duck.glb#x",
        ] {
            assert_eq!(file_in(text).as_deref(), Some("users/alice/my duck.glb"), "{text}");
        }
        for text in ["/bookstore/users/alice/a.glb", "/store/users/../keys/tokens.pem", "/store/models/a.glb", "%"] {
            assert_eq!(file_in(text), None, "{text}");
        }
    }
}
