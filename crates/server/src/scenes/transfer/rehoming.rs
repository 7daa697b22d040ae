//! Gives an imported scene to its importer: the files get names below the importer's folder, and the objects refer to
//! the new names.

use std::collections::BTreeMap;

use serde_json::Value;
use stoa_state::grant::{AccountList, SceneSettings};
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

use super::references::file_in;
use crate::files::{FilePath, encoded};
use crate::store::FileRow;

/// The destination of a scene and its files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportDestination<'a> {
    /// The scene's new name.
    pub scene: &'a SceneName,
    /// The files' new owner.
    pub owner: &'a str,
}

impl ImportDestination<'_> {
    /// A file's new name. A file in a scene's folder moves to the new scene's folder, so that the new scene's people
    /// may read it, or to `uploads` if the new scene is not in the owner's namespace.
    #[must_use]
    pub(crate) fn name_of(&self, file: &FileRow) -> String {
        let below: Vec<&str> = file.path.split('/').skip(2).collect();
        let (folder, rest) = match FilePath::parse(&file.path).ok().and_then(|path| path.scene()) {
            Some(_) => (self.own_folder(), below.get(2..).unwrap_or_default().join("/")),
            None => (format!("users/{}", self.owner), below.join("/")),
        };
        self.fit(file, format!("{folder}/{rest}"))
    }

    /// An alternative name, if another file has [`ImportDestination::name_of`]'s. It includes the hash, so no two
    /// contents share it.
    #[must_use]
    pub(crate) fn other_name_of(&self, file: &FileRow) -> String {
        let name = self.name_of(file);
        let mark = file.hash.get(..12).unwrap_or(&file.hash);
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", &name));
        let marked = match last.rsplit_once('.') {
            Some((stem, ending)) => format!("{folder}/{stem}-{mark}.{ending}"),
            None => format!("{folder}/{last}-{mark}"),
        };
        self.fit(file, marked)
    }

    fn own_folder(&self) -> String {
        if self.scene.namespace() == self.owner {
            format!("users/{}/scenes/{}", self.owner, self.scene.scene())
        } else {
            format!("users/{}/uploads", self.owner)
        }
    }

    /// Replaces a name that is not valid, such as one that is too long, by one made of the content's hash.
    fn fit(&self, file: &FileRow, name: String) -> String {
        if FilePath::parse(&name).is_ok() {
            return name;
        }
        let ending = FilePath::parse(&file.path).map(|path| path.extension()).unwrap_or_default();
        format!("{}/{}.{ending}", self.own_folder(), file.hash.get(..32).unwrap_or(&file.hash))
    }
}

/// Replaces the objects' references to files by the new names, in any of their spellings.
pub(crate) fn rename_files(objects: &mut [StoredObject], names: &BTreeMap<String, String>) {
    for object in objects {
        object.attributes.values_mut().for_each(|value| rename_in(value, names));
    }
}

fn rename_in(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(new) = file_in(text).and_then(|old| names.get(&old)) {
                *text = format!("/store/{}", encoded(new));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename_in(item, names)),
        Value::Object(map) => map.values_mut().for_each(|value| rename_in(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Settings without owner, editors, viewers, invitations and restrictions: in another realm, account names mean other
/// people.
#[must_use]
pub(crate) fn without_accounts(settings: SceneSettings) -> SceneSettings {
    let settings = settings.without_people();
    SceneSettings { owner: None, editors: AccountList::default(), viewers: AccountList::default(), ..settings }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use stoa_state::scene::UnixMillis;

    use super::*;

    fn file(path: &str) -> FileRow {
        let hash = "0123456789abcdef".repeat(4);
        FileRow { path: path.into(), hash, size_bytes: 1, content_type: String::new(), owner: String::new() }
    }

    #[test]
    fn scene_files_move_to_the_new_scene_and_account_files_to_its_owner() {
        let scene: SceneName = "bob/den".parse().unwrap();
        let home = ImportDestination { scene: &scene, owner: "bob" };
        let called = |path: &str| home.name_of(&file(path));
        assert_eq!(called("users/alice/scenes/atrium/birds/duck.glb"), "users/bob/scenes/den/birds/duck.glb");
        assert_eq!(called("users/alice/my duck.glb"), "users/bob/my duck.glb");
        assert_eq!(called("users/bob/my duck.glb"), "users/bob/my duck.glb");
        let taken = home.other_name_of(&file("users/alice/my duck.glb"));
        assert_eq!(taken, "users/bob/my duck-0123456789ab.glb");
        let hall: SceneName = "public/hall".parse().unwrap();
        let in_public = ImportDestination { scene: &hall, owner: "olga" };
        assert_eq!(in_public.name_of(&file("users/alice/scenes/atrium/duck.glb")), "users/olga/uploads/duck.glb");
    }

    #[test]
    fn a_file_name_that_grows_too_long_is_replaced_by_its_hash() {
        let scene: SceneName = "bob/den".parse().unwrap();
        let owner = "b".repeat(64);
        let home = ImportDestination { scene: &scene, owner: &owner };
        let long = format!("users/a/{}.glb", "x".repeat(480));
        assert!(FilePath::parse(&long).is_ok(), "negative control");
        let named = home.name_of(&file(&long));
        assert!(FilePath::parse(&named).is_ok() && named.ends_with("89abcdef.glb"), "{named}");
    }

    #[test]
    fn objects_refer_to_renamed_files_at_any_depth() {
        let attributes = json!({
            "url": "https://arena.example/store/users/alice/my%20duck.glb?v=2", "text": "see store",
            "buttons": [{"src": "store/users/alice/my duck.glb"}, "/store/users/alice/other.png"],
        });
        let mut objects = [StoredObject {
            object_id: "duck".into(),
            type_name: "object".into(),
            attributes: attributes.as_object().cloned().unwrap(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        }];
        let names = BTreeMap::from([("users/alice/my duck.glb".to_owned(), "users/bob/my duck.glb".to_owned())]);
        rename_files(&mut objects, &names);
        let new = "/store/users/bob/my%20duck.glb";
        let expected =
            json!({"url": new, "text": "see store", "buttons": [{"src": new}, "/store/users/alice/other.png"]});
        assert_eq!(Value::Object(objects[0].attributes.clone()), expected);
    }
}
