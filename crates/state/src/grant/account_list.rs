//! A list of accounts in a scene's settings. It has an index, because a list of scenes searches the accounts of all
//! scenes.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;

use serde::{Deserialize, Serialize};

/// Account names, in the order in which the settings give them. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct AccountList(Arc<IndexedNames>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct IndexedNames {
    names: Vec<String>,
    /// Positions of the names in alphabetical order.
    sorted: Vec<u32>,
}

impl AccountList {
    /// Whether the account is listed.
    pub fn has(&self, account: &str) -> bool {
        let IndexedNames { names, sorted } = &*self.0;
        let name_at = |position: &u32| names.get(*position as usize).map(String::as_str);
        sorted.binary_search_by_key(&Some(account), name_at).is_ok()
    }
}

impl From<Vec<String>> for AccountList {
    fn from(names: Vec<String>) -> AccountList {
        let mut sorted: Vec<u32> = (0_u32..).zip(&names).map(|(position, _)| position).collect();
        sorted.sort_unstable_by_key(|position| names.get(*position as usize));
        AccountList(Arc::new(IndexedNames { names, sorted }))
    }
}

impl<const COUNT: usize> From<[String; COUNT]> for AccountList {
    fn from(names: [String; COUNT]) -> AccountList {
        Vec::from(names).into()
    }
}

impl From<AccountList> for Vec<String> {
    fn from(list: AccountList) -> Vec<String> {
        Arc::unwrap_or_clone(list.0).names
    }
}

impl FromIterator<String> for AccountList {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> AccountList {
        Vec::from_iter(names).into()
    }
}

impl Deref for AccountList {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0.names
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_list_keeps_its_order_and_finds_its_names() {
        let names = ["mallory", "alice", "bob", "alice"].map(ToString::to_string);
        let list = AccountList::from(names.clone());
        assert_eq!(*list, names);
        assert!(["alice", "bob", "mallory"].into_iter().all(|name| list.has(name)));
        assert!(!["", "al", "alicia", "zoe"].into_iter().any(|name| list.has(name)));
        assert!(!AccountList::default().has("alice"));
    }

    #[test]
    fn a_list_is_stored_as_its_names() {
        let list: AccountList = serde_json::from_str(r#"["bob","alice"]"#).unwrap();
        assert!(list.has("alice") && list.has("bob"));
        assert_eq!(serde_json::to_string(&list).unwrap(), r#"["bob","alice"]"#);
    }
}
