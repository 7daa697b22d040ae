//! Topic filters of a role: the table of `spec/topics.md` section 3, sorted, without covered filters.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::account_list::AccountList;
use super::role::{PUBLIC, Role, RoleRequester, SceneSettings, role_of};
use crate::limits;

/// Topic of the network graph.
const NETWORK: &str = "$NETWORK";

/// Ids that a token is issued for. A token in a program's environment has none, because its client id is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenIds {
    /// User client (token 5 of topics).
    pub user_client: Option<String>,
    /// The idTag (token 6 of topics).
    pub id_tag: Option<String>,
    /// Further requested rights.
    pub rights: Vec<RequestableRight>,
}

impl TokenIds {
    /// Ids of a person in a page, with hands and face besides the camera.
    pub fn person(user_client: String, id_tag: String) -> TokenIds {
        let rights = Vec::from([RequestableRight::LeftHand, RequestableRight::RightHand, RequestableRight::Face]);
        TokenIds { user_client: Some(user_client), id_tag: Some(id_tag), rights }
    }
}

/// A right that a token grants only on request: to show a hand or face, or to host a service of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestableRight {
    /// `handLeft_<idTag>`.
    LeftHand,
    /// `handRight_<idTag>`.
    RightHand,
    /// `face_<idTag>`.
    Face,
    /// Hosts render fusion: receives messages to the recipient `-` on `r`, and answers. Editors only.
    RenderHost,
    /// Hosts environment capture: receives messages to the recipient `-` on `e`, and answers. Editors only.
    EnvironmentHost,
}

impl RequestableRight {
    /// Prefix of the idTag in the part's object id; hosts have none.
    fn prefix(self) -> Option<&'static str> {
        match self {
            RequestableRight::LeftHand => Some("handLeft_"),
            RequestableRight::RightHand => Some("handRight_"),
            RequestableRight::Face => Some("face_"),
            RequestableRight::RenderHost | RequestableRight::EnvironmentHost => None,
        }
    }

    /// The topic kind of the hosted service; `None` for parts of a person.
    fn hosted_kind(self) -> Option<&'static str> {
        match self {
            RequestableRight::RenderHost => Some("r"),
            RequestableRight::EnvironmentHost => Some("e"),
            RequestableRight::LeftHand | RequestableRight::RightHand | RequestableRight::Face => None,
        }
    }
}

/// A person, scene and role for which a token is issued.
#[derive(Clone, Copy, Debug)]
pub struct TokenFilterInput<'a> {
    /// The scene that the token is for.
    pub scene: &'a SceneName,
    /// The scene's settings.
    pub settings: &'a SceneSettings,
    /// The account or guest.
    pub account: &'a RoleRequester<'a>,
    /// The role, see [`super::role_of`].
    pub role: Role,
    /// The ids that the token is issued for.
    pub ids: &'a TokenIds,
}

/// The topic filters of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenFilters {
    /// For publishing.
    pub publ: Vec<TopicFilter>,
    /// For subscribing.
    pub subs: Vec<TopicFilter>,
}

/// Filters as text, while they are collected.
#[derive(Default)]
struct FilterTexts {
    publ: Vec<String>,
    subs: Vec<String>,
}

impl FilterTexts {
    fn add_reader(&mut self, root: &str, id: &str) {
        self.subs.extend([format!("{root}/+/+/+"), format!("{root}/+/+/+/{id}/#")]);
    }

    fn add_writer(&mut self, root: &str, ids: &TokenIds, guest: bool) {
        let FilterTexts { publ, subs } = self;
        let uc = ids.user_client.as_deref().unwrap_or("+");
        publ.extend([format!("{root}/o/{uc}/#"), format!("{root}/o/{uc}/+/+"), format!("{root}/p/{uc}/+")]);
        for kind in ids.rights.iter().filter_map(|right| right.hosted_kind()) {
            publ.extend([format!("{root}/{kind}/{uc}/-"), format!("{root}/{kind}/{uc}/-/+")]);
            subs.push(format!("{root}/{kind}/+/+/-/#"));
        }
        if !guest {
            publ.push(format!("{root}/p/+/#"));
            subs.push(format!("{root}/p/+/#"));
        }
    }

    fn into_filters(self) -> TokenFilters {
        TokenFilters { publ: without_covered(parse(&self.publ)), subs: without_covered(parse(&self.subs)) }
    }
}

/// Stoa's filters for a scene: those of ARENA's account service, but a realm owner gets no other scenes, and guests
/// don't get the programs of other clients (`p/+/#`).
pub fn filters(entry: &TokenFilterInput<'_>) -> TokenFilters {
    let TokenFilterInput { scene, settings, account, role, ids } = *entry;
    let root = format!("realm/s/{scene}");
    let uc = ids.user_client.as_deref().unwrap_or("+");
    let id = ids.id_tag.as_deref().unwrap_or("+");

    let mut texts = FilterTexts::default();
    texts.publ.extend(["$NETWORK/latency".to_string(), format!("{root}/p/{uc}/{id}")]);
    texts.add_reader(&root, id);
    texts.publ.extend(["r", "e", "d"].map(|kind| format!("{root}/{kind}/{uc}/{id}/-")));
    if settings.users || role > Role::Viewer {
        // Without an idTag, the wildcard kind would let viewers build.
        let kinds: &[&str] = if ids.id_tag.is_some() { &["+"] } else { &["x", "u", "c"] };
        for kind in kinds {
            texts.publ.extend([format!("{root}/{kind}/{uc}/{id}"), format!("{root}/{kind}/{uc}/{id}/+")]);
        }
        // Without an idTag, `u/<uc>/+` covers the parts too.
        for prefix in ids.rights.iter().filter_map(|right| right.prefix()).filter(|_| ids.id_tag.is_some()) {
            texts.publ.extend([format!("{root}/u/{uc}/{prefix}{id}"), format!("{root}/u/{uc}/{prefix}{id}/+")]);
        }
    }
    if !account.guest {
        let shared = [format!("realm/g/{}/p/+", scene.namespace()), format!("realm/d/{}/#", account.name)];
        texts.publ.extend(shared.clone());
        texts.subs.extend(shared);
    }
    if role >= Role::Editor {
        texts.add_writer(&root, ids, account.guest);
    }
    texts.into_filters()
}

/// [`filters`], and for a realm owner all scenes, as ARENA's account service grants.
pub fn arena_filters(entry: &TokenFilterInput<'_>) -> TokenFilters {
    let own = filters(entry);
    if !entry.account.realm_owner {
        return own;
    }
    let all = roaming_filters(entry.account, entry.ids, &["+/+".to_string()], &[]);
    let devices = parse(&["realm/d/#".to_string()]);
    let own_subs = own.subs.into_iter().chain(all.subs).filter(|filter| filter.as_str() != NETWORK);
    TokenFilters {
        publ: without_covered(own.publ.into_iter().chain(all.publ).chain(devices.clone()).collect()),
        subs: without_covered(own_subs.chain(devices).collect()),
    }
}

/// Filters for the scenes that an account may build in by name, and for reading scenes of `public` and those that list
/// it as a viewer, as ARENA's build and scenes pages need. `scenes` are all scenes of the realm. At most
/// [`limits::ROAMING_SCENES_MAX`] patterns to build and as many to read are named.
pub fn managed_scenes_filters<'a>(
    scenes: impl Iterator<Item = (&'a SceneName, &'a SceneSettings)>,
    account: &RoleRequester<'_>,
    ids: &TokenIds,
) -> TokenFilters {
    let mut own = Vec::new();
    if !account.guest {
        own.push(if account.realm_owner { "+/+".to_string() } else { format!("{}/+", account.name) });
    }
    let (mut readable, mut closed) = (Vec::new(), false);
    for (name, settings) in scenes {
        let listed = |list: &AccountList| !account.guest && list.has(account.name);
        match role_of(name, settings, account) {
            Some(Role::Owner) => own.push(name.to_string()),
            Some(Role::Editor) if listed(&settings.editors) => own.push(name.to_string()),
            Some(_) if settings.moderation.locked => closed |= name.namespace() == PUBLIC,
            Some(_) if name.namespace() == PUBLIC || listed(&settings.viewers) => readable.push(name.to_string()),
            Some(_) => {}
            None => closed |= name.namespace() == PUBLIC,
        }
    }
    if !closed {
        readable.retain(|name| !name.starts_with("public/"));
        readable.insert(0, format!("{PUBLIC}/+"));
    }
    own.truncate(limits::ROAMING_SCENES_MAX);
    readable.truncate(limits::ROAMING_SCENES_MAX);
    roaming_filters(account, ids, &own, &readable)
}

/// Filters for several scenes: `own` are patterns such as `alice/+` with the right to build, `readable` those with
/// the right to read.
pub(super) fn roaming_filters(
    account: &RoleRequester<'_>,
    ids: &TokenIds,
    own: &[String],
    readable: &[String],
) -> TokenFilters {
    let id = ids.id_tag.as_deref().unwrap_or("+");
    let mut texts =
        FilterTexts { publ: Vec::from(["$NETWORK/latency".to_string()]), subs: Vec::from([NETWORK.to_string()]) };
    for pattern in readable.iter().chain(own) {
        texts.add_reader(&format!("realm/s/{pattern}"), id);
    }
    for pattern in own {
        texts.add_writer(&format!("realm/s/{pattern}"), ids, account.guest);
    }
    texts.into_filters()
}

/// Filters of the realm's owner without a scene: everything.
pub fn realm_filters() -> TokenFilters {
    let all = parse(&["#".to_string()]);
    TokenFilters { publ: all.clone(), subs: all }
}

/// Sorts filters and removes covered ones.
pub fn without_covered(mut filters: Vec<TopicFilter>) -> Vec<TopicFilter> {
    filters.sort();
    filters.dedup();
    let is_covered = |filter: &TopicFilter| filters.iter().any(|other| other != filter && other.covers(filter));
    let keep: Vec<bool> = filters.iter().map(|filter| !is_covered(filter)).collect();
    filters.into_iter().zip(keep).filter_map(|(filter, kept)| kept.then_some(filter)).collect()
}

fn parse(texts: &[String]) -> Vec<TopicFilter> {
    texts
        .iter()
        .map(|text| TopicFilter::parse(text).expect("ids and names hold no wildcard but whole levels"))
        .collect()
}
