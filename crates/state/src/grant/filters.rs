//! The filters a role gets: the table of `spec/topics.md` section 3, sorted, covered ones removed.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::PART_PREFIXES;
use super::role::{Account, Role, SceneSettings};

/// The ids a token is issued for; absent in tokens for the environment, whose client ids nobody can know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// Token 5.
    pub user_client: Option<String>,
    /// Token 6: the idTag.
    pub id_tag: Option<String>,
}

/// Who enters which scene as what.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Where to.
    pub scene: &'a SceneName,
    /// Its settings.
    pub settings: &'a SceneSettings,
    /// Who.
    pub account: &'a Account<'a>,
    /// As what, see [`super::role_of`].
    pub role: Role,
    /// With which ids.
    pub ids: &'a Ids,
}

/// What a token may publish and subscribe to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filters {
    /// Publish.
    pub publ: Vec<TopicFilter>,
    /// Subscribe.
    pub subs: Vec<TopicFilter>,
}

/// The filters of one who enters a scene.
pub fn filters(entry: &Entry<'_>) -> Filters {
    let Entry { scene, settings, account, role, ids } = *entry;
    let root = format!("realm/s/{scene}");
    let uc = ids.user_client.as_deref().unwrap_or("+");
    let id = ids.id_tag.as_deref().unwrap_or("+");

    let mut publ = Vec::from(["$NETWORK/latency".to_string(), format!("{root}/p/{uc}/{id}")]);
    let mut subs = Vec::from([format!("{root}/+/+/+"), format!("{root}/+/+/+/{id}/#")]);
    publ.extend(["r", "e", "d"].map(|kind| format!("{root}/{kind}/{uc}/{id}/-")));
    if settings.users || role > Role::Viewer {
        for kind in ["x", "u", "c"] {
            publ.extend([format!("{root}/{kind}/{uc}/{id}"), format!("{root}/{kind}/{uc}/{id}/+")]);
        }
        // Of a token without an idTag, `u/<uc>/+` covers the parts as well.
        for prefix in PART_PREFIXES.into_iter().filter(|_| ids.id_tag.is_some()) {
            publ.extend([format!("{root}/u/{uc}/{prefix}{id}"), format!("{root}/u/{uc}/{prefix}{id}/+")]);
        }
    }
    if !account.guest {
        let shared = [format!("realm/g/{}/p/+", scene.namespace()), format!("realm/d/{}/#", account.name)];
        publ.extend(shared.clone());
        subs.extend(shared);
        subs.push("$NETWORK".to_string());
    }
    if role >= Role::Editor {
        publ.extend([format!("{root}/o/{uc}/#"), format!("{root}/o/{uc}/+/+"), format!("{root}/p/{uc}/+")]);
        if !account.guest {
            publ.push(format!("{root}/p/+/#"));
            subs.push(format!("{root}/p/+/#"));
        }
    }
    if role == Role::Owner {
        publ.extend([format!("{root}/+/{uc}/+"), format!("{root}/+/{uc}/+/+")]);
    }
    Filters { publ: without_covered(parse(&publ)), subs: without_covered(parse(&subs)) }
}

/// The filters of the realm's owner, without a scene: everything.
pub fn realm_filters() -> Filters {
    let all = parse(&["#".to_string()]);
    Filters { publ: all.clone(), subs: all }
}

/// Sorts, and removes whatever another of them covers.
pub fn without_covered(mut filters: Vec<TopicFilter>) -> Vec<TopicFilter> {
    filters.sort();
    filters.dedup();
    let is_covered = |filter: &TopicFilter| filters.iter().any(|other| other != filter && other.covers(filter));
    let keep: Vec<bool> = filters.iter().map(|filter| !is_covered(filter)).collect();
    filters.into_iter().zip(keep).filter_map(|(filter, kept)| kept.then_some(filter)).collect()
}

fn parse(texts: &[String]) -> Vec<TopicFilter> {
    texts.iter().map(|text| TopicFilter::parse(text).expect("ids and names hold no wildcard of their own")).collect()
}
