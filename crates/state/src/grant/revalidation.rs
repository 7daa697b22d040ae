//! Checks whether a grant still follows from the scenes' settings, which may have changed since its token was
//! issued. Source: `spec/topics.md` section 3.

use alloc::format;

use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::claims::Claims;
use super::moderation::{RestrictionKind, role_with};
use super::role::{Role, RoleRequester, SceneSettings};

/// The role in some scenes that one right of a grant requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleRequirement<'a> {
    /// Namespace; `+` means all.
    pub namespace: &'a str,
    /// Scene; `+` means all of the namespace.
    pub scene: &'a str,
    /// Lowest sufficient role.
    pub role: Role,
}

impl RoleRequirement<'_> {
    /// Whether it concerns this scene.
    pub fn concerns(&self, name: &SceneName) -> bool {
        (self.namespace == "+" || self.namespace == name.namespace())
            && (self.scene == "+" || self.scene == name.scene())
    }
}

impl Claims {
    /// Whether the rights follow from scene settings. Otherwise the issuer decided: explicit filters, and rights
    /// from the realm itself.
    pub fn follow_settings(&self) -> bool {
        !self.explicit && (!self.by_realm || self.guest)
    }

    /// The bearer's role by a scene's present settings; `None` if it may not enter. Rights that don't follow from
    /// settings count as owner, except for a banned bearer of explicit filters that don't grant building.
    pub fn role_now(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        if !self.follow_settings() {
            let is_out = !self.by_realm && settings.moderation.keeps(RestrictionKind::Out, &self.who());
            // A moderator can't be removed.
            return (!is_out || self.moderates(name, settings).is_some()).then_some(Role::Owner);
        }
        // A token for many scenes is not admitted to a locked scene.
        let is_kept_out = settings.moderation.locked && self.scene.as_ref() != Some(name);
        if is_kept_out && self.moderates(name, settings).is_none() {
            return None;
        }
        let who = self.who();
        let account = RoleRequester { name: &who, realm_owner: false, guest: self.guest };
        role_with(name, settings, &account, self.invitation.as_deref())
    }

    /// Whether a scene's present settings still give all rights that the claims grant in it.
    pub fn hold_in(&self, name: &SceneName, settings: &SceneSettings) -> bool {
        let now = self.role_now(name, settings);
        let is_met = |required_role: RoleRequirement<'_>| now >= Some(required_role.role);
        let is_silent = now == Some(Role::Viewer) && !settings.users && self.follow_settings();
        self.needs().filter(|required_role| required_role.concerns(name)).all(is_met)
            && !(is_silent && self.grants_presence(name))
    }

    /// The required roles by scene: the role of a scene's token, else that of each filter.
    pub fn needs(&self) -> impl Iterator<Item = RoleRequirement<'_>> {
        let scene_role = self.scene.as_ref().zip(self.role);
        let scene_role =
            scene_role.map(|(name, role)| RoleRequirement { namespace: name.namespace(), scene: name.scene(), role });
        let publ = self.publ.iter().map(|filter| (filter, Role::Editor));
        let subs = self.subs.iter().map(|filter| (filter, Role::Viewer));
        let by_filters = publ.chain(subs).filter(move |_| scene_role.is_none());
        scene_role.into_iter().chain(by_filters.filter_map(|(filter, most)| required_role(filter, most)))
    }

    fn grants_presence(&self, name: &SceneName) -> bool {
        let (uc, id) = (self.user_client.as_deref().unwrap_or("+"), self.user_id.as_deref().unwrap_or("+"));
        let presence = TopicFilter::parse(&format!("realm/s/{name}/x/{uc}/{id}"));
        presence.is_ok_and(|presence| self.publ.iter().any(|filter| filter.covers(&presence)))
    }
}

/// The scenes and the role that a filter in the scene tree requires. The role is `most` for a filter that covers
/// objects, else viewer. A filter such as `realm/s/#` concerns all scenes below it, with their objects. `None` for a
/// filter outside of the scene tree.
fn required_role(filter: &TopicFilter, most: Role) -> Option<RoleRequirement<'_>> {
    let mut levels = filter.levels().filter(|level| *level != "#");
    let mut level = || levels.next().or_else(|| filter.as_str().ends_with('#').then_some("+"));
    let covers = |level: Option<&str>, name: &str| level.is_some_and(|level| level == name || level == "+");
    if !covers(level(), "realm") || !covers(level(), "s") {
        return None;
    }
    let (namespace, scene, kind) = (level()?, level()?, level());
    let role = if covers(kind, "o") { most } else { Role::Viewer };
    Some(RoleRequirement { namespace, scene, role })
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use super::*;
    use crate::grant::filters::roaming_filters;
    use crate::grant::{Moderation, Restriction, TokenFilterInput, TokenIds, filters, role_of};
    use crate::time::UnixSeconds;

    fn atrium() -> SceneName {
        "alice/atrium".parse().unwrap()
    }

    fn claims(sub: &str, granted: crate::grant::TokenFilters) -> Claims {
        Claims {
            user_client: Some(format!("{sub}_0123456789_web")),
            user_id: Some(format!("{sub}_0123456789")),
            ..Claims::new(sub, "j", UnixSeconds(1)..UnixSeconds(2), granted)
        }
    }

    /// Claims issued by `settings`.
    fn issued(sub: &str, guest: bool, settings: &SceneSettings) -> Claims {
        let (scene, account) = (atrium(), RoleRequester { name: sub, realm_owner: false, guest });
        let role = role_of(&scene, settings, &account).expect("may enter");
        let ids = TokenIds::person(format!("{sub}_0123456789_web"), format!("{sub}_0123456789"));
        let granted = filters(&TokenFilterInput { scene: &scene, settings, account: &account, role, ids: &ids });
        Claims { scene: Some(scene), role: Some(role), guest, ..claims(sub, granted) }
    }

    fn roaming(sub: &str, own: &[&str], readable: &[&str]) -> Claims {
        let texts = |patterns: &[&str]| patterns.iter().map(ToString::to_string).collect::<Vec<String>>();
        let account = RoleRequester { name: sub, realm_owner: false, guest: false };
        let ids = TokenIds { user_client: Some(format!("{sub}_0123456789_web")), ..TokenIds::default() };
        claims(sub, roaming_filters(&account, &ids, &texts(own), &texts(readable)))
    }

    #[test]
    fn a_scene_grant_holds_only_while_the_settings_still_give_its_role() {
        let open = SceneSettings::default();
        let everybody_builds = SceneSettings { public_write: true, ..SceneSettings::default() };
        let private = SceneSettings { public_read: false, ..SceneSettings::default() };
        let bobs = SceneSettings { editors: ["bob".into()].into(), ..private.clone() };
        let members_only = SceneSettings { anonymous_users: false, ..SceneSettings::default() };
        let silent = SceneSettings { users: false, ..SceneSettings::default() };
        for (name, claims, now, holds) in [
            ("nothing changed", issued("bob", false, &open), &open, true),
            ("made private", issued("bob", false, &open), &private, false),
            ("made private: its owner", issued("alice", false, &open), &private, true),
            ("an editor removed", issued("bob", false, &bobs), &private, false),
            ("an editor removed, who may look", issued("bob", false, &bobs), &open, false),
            ("an editor added", issued("bob", false, &open), &bobs, true),
            ("no more free building", issued("bob", false, &everybody_builds), &open, false),
            ("guests shut out", issued("anonymous-1", true, &open), &members_only, false),
            ("guests shut out: a member", issued("bob", false, &open), &members_only, true),
            ("viewers made silent", issued("bob", false, &open), &silent, false),
            ("viewers made silent: was so", issued("bob", false, &silent), &silent, true),
            ("viewers made silent: an owner", issued("alice", false, &open), &silent, true),
        ] {
            assert_eq!(claims.hold_in(&atrium(), now), holds, "{name}");
        }
    }

    #[test]
    fn a_realm_or_explicit_grant_ignores_settings_but_a_guests_realm_grant_does_not() {
        let closed = SceneSettings { public_read: false, anonymous_users: false, ..SceneSettings::default() };
        let bob = issued("bob", false, &SceneSettings::default());
        assert!(!bob.hold_in(&atrium(), &closed), "negative control");
        assert!(Claims { by_realm: true, ..bob.clone() }.hold_in(&atrium(), &closed));
        assert!(Claims { explicit: true, ..bob }.hold_in(&atrium(), &closed));
        let guest = issued("anonymous-1", true, &SceneSettings::default());
        assert!(!Claims { by_realm: true, ..guest }.hold_in(&atrium(), &closed));
    }

    #[test]
    fn a_ban_voids_explicit_filters_for_the_scene_unless_they_allow_building() {
        let bar = Restriction {
            id: "b".into(),
            kind: RestrictionKind::Out,
            who: "bob".into(),
            shown: "Bob".into(),
            by: "alice".into(),
            at: UnixSeconds(1),
            ends: None,
            extends: None,
        };
        let moderation = Moderation { locked: false, bars: [bar].into() };
        let (open, barred) = (SceneSettings::default(), SceneSettings { moderation, ..SceneSettings::default() });
        let explicit = |claims: Claims| Claims { explicit: true, scene: None, role: None, ..claims };
        let looks = explicit(issued("bob", false, &open));
        assert!(looks.hold_in(&atrium(), &open), "negative control");
        assert!(!looks.hold_in(&atrium(), &barred));
        for (filter, holds) in
            [("#", false), ("realm/#", false), ("realm/s/alice/#", false), ("realm/s/bob/#", true), ("realm/g/#", true)]
        {
            let subs = [filter.parse().unwrap()].into();
            let listens = Claims { publ: Vec::new(), subs, ..looks.clone() };
            assert_eq!(
                (listens.hold_in(&atrium(), &open), listens.hold_in(&atrium(), &barred)),
                (true, holds),
                "{filter}"
            );
        }
        assert!(explicit(issued("carla", false, &open)).hold_in(&atrium(), &barred), "somebody else");
        assert!(Claims { by_realm: true, ..looks }.hold_in(&atrium(), &barred), "the realm's own");
        let everybody_builds = SceneSettings { public_write: true, ..open };
        assert!(explicit(issued("bob", false, &everybody_builds)).hold_in(&atrium(), &barred), "moderates by that");
    }

    #[test]
    fn a_lock_voids_a_multi_scene_grant_unless_its_bearer_moderates() {
        let open = SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() };
        let moderation = Moderation { locked: true, ..Moderation::default() };
        let locked = SceneSettings { moderation, ..open.clone() };
        let looker = roaming("carla", &["carla/+"], &["alice/atrium"]);
        assert!(looker.hold_in(&atrium(), &open), "negative control");
        assert!(!looker.hold_in(&atrium(), &locked));
        assert!(roaming("bob", &["alice/atrium"], &[]).hold_in(&atrium(), &locked));
        assert!(issued("carla", false, &open).hold_in(&atrium(), &locked), "whoever is inside stays");
    }

    #[test]
    fn a_wildcard_filter_that_covers_objects_requires_the_editor_role_to_publish() {
        for text in ["realm/s/alice/atrium/o/#", "realm/s/alice/atrium/+/#", "realm/s/alice/atrium/#", "realm/s/#"] {
            let filter = TopicFilter::parse(text).unwrap();
            let role_for = |most| required_role(&filter, most).map(|required| required.role);
            assert_eq!(role_for(Role::Editor), Some(Role::Editor), "{text}");
            assert_eq!(role_for(Role::Viewer), Some(Role::Viewer), "{text}: to read");
        }
        let chat = TopicFilter::parse("realm/s/alice/atrium/c/#").unwrap();
        assert_eq!(required_role(&chat, Role::Editor).map(|required| required.role), Some(Role::Viewer));
    }

    #[test]
    fn a_multi_scene_grant_holds_in_each_scene_by_the_role_its_filters_require() {
        let lists = |editors: &[&str], viewers: &[&str]| SceneSettings {
            public_read: false,
            editors: editors.iter().map(ToString::to_string).collect(),
            viewers: viewers.iter().map(ToString::to_string).collect(),
            ..SceneSettings::default()
        };
        let builder = roaming("bob", &["bob/+", "alice/atrium"], &["public/+"]);
        let looker = roaming("bob", &["bob/+"], &["alice/atrium"]);
        assert!(builder.hold_in(&atrium(), &lists(&["bob"], &[])));
        assert!(!builder.hold_in(&atrium(), &lists(&[], &["bob"])));
        assert!(looker.hold_in(&atrium(), &lists(&[], &["bob"])));
        assert!(!looker.hold_in(&atrium(), &lists(&[], &[])));
        let [own, other, public] = ["bob/loft", "carla/attic", "public/lobby"].map(|name| name.parse().unwrap());
        assert!(builder.hold_in(&own, &lists(&[], &[])), "the namespace is its own");
        assert!(builder.hold_in(&other, &lists(&[], &[])), "it says nothing of it");
        assert!(builder.hold_in(&public, &SceneSettings::default()));
        assert!(!builder.hold_in(&public, &lists(&[], &[])), "a pattern covers it");
    }
}
