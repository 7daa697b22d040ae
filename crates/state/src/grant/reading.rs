//! The right to read a scene now: its objects, its history and its files. Source: `spec/topics.md` section 3.1.

use alloc::format;

use stoa_wire::reason::Reason;
use stoa_wire::topic::{SCENE_PREFIX, SceneName};
use stoa_wire::topic_filter::TopicFilter;

use super::claims::Claims;
use super::moderation::{moderates, role_with};
use super::role::{Role, RoleRequester, SceneSettings, role_of};

/// A client that requests to read a scene.
#[derive(Clone, Copy, Debug)]
pub enum SceneReadRequester<'a> {
    /// A signed-in account, or a guest's browser.
    Person {
        /// The account or guest.
        account: RoleRequester<'a>,
        /// The redeemed invitation that grants its role.
        invitation: Option<&'a str>,
    },
    /// The bearer of a token.
    Bearer(&'a Claims),
}

impl SceneReadRequester<'_> {
    /// The role in which the client may read the scene now. `is_inside` says whether the person is inside the scene, or
    /// left it a moment ago; it matters for a locked scene only. Errors: [`Reason::NoSuchScene`] for a client without a
    /// role, such as a banned person; [`Reason::Locked`].
    pub fn may_read_now(&self, name: &SceneName, settings: &SceneSettings, is_inside: bool) -> Result<Role, Reason> {
        let role = self.role(name, settings).ok_or(Reason::NoSuchScene)?;
        let is_admitted = !settings.moderation.locked || is_inside || self.moderates(name, settings);
        if is_admitted { Ok(role) } else { Err(Reason::Locked) }
    }

    fn role(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        match self {
            SceneReadRequester::Person { account, invitation } => role_with(name, settings, account, *invitation),
            SceneReadRequester::Bearer(claims) => claims.reading_role(name, settings),
        }
    }

    fn moderates(&self, name: &SceneName, settings: &SceneSettings) -> bool {
        let role = match self {
            SceneReadRequester::Person { account, invitation } => moderates(name, settings, account, *invitation),
            SceneReadRequester::Bearer(claims) => claims.moderates(name, settings),
        };
        role.is_some()
    }
}

impl Claims {
    /// Whether the bearer may copy a scene's stored objects: its token grants reading them, or everyone may read the
    /// scene; for a guest's token, all guests may. The caller checks a lock.
    pub fn may_copy(&self, name: &SceneName, settings: &SceneSettings) -> bool {
        self.reading_role(name, settings).is_some()
    }

    /// Whether the bearer may subscribe to all objects of the scene.
    pub fn may_read_objects(&self, name: &SceneName) -> bool {
        self.may_read(&format!("{SCENE_PREFIX}{name}/o/+/+"))
    }

    /// Whether the bearer may publish any object of every scene of a namespace, under an identity of its own.
    pub fn may_build_all(&self, namespace: &str) -> bool {
        let identity = self.user_client.as_deref().unwrap_or("+");
        let filter = TopicFilter::parse(&format!("{SCENE_PREFIX}{namespace}/+/o/{identity}/+"));
        filter.is_ok_and(|filter| self.publ.iter().any(|granted| granted.covers(&filter)))
    }

    /// The bearer's role for reading a scene: by the token's filters and the present settings, or as all people.
    fn reading_role(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        let by_filters = self.role_now(name, settings).filter(|_| self.may_read_objects(name));
        let who = self.who();
        let role_as = |name_of_reader: &str| {
            let reader = RoleRequester { name: name_of_reader, realm_owner: false, guest: self.guest };
            role_of(name, settings, &reader)
        };
        // The bearer itself must have a role too: a banned person has none.
        let as_all_people = role_as(&who).and(role_as(""));
        by_filters.max(as_all_people)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::grant::{Invitation, Moderation, Restriction, RestrictionKind, TokenFilters};
    use crate::time::UnixSeconds;

    fn atrium() -> SceneName {
        "alice/atrium".parse().unwrap()
    }

    fn locked(settings: SceneSettings) -> SceneSettings {
        SceneSettings { moderation: Moderation { locked: true, ..settings.moderation }, ..settings }
    }

    fn banning(who: &str) -> SceneSettings {
        let bar = Restriction {
            id: "b".into(),
            kind: RestrictionKind::Out,
            who: who.into(),
            shown: String::new(),
            by: "alice".into(),
            at: UnixSeconds(1),
            ends: None,
            extends: None,
        };
        let moderation = Moderation { locked: false, bars: [bar].into() };
        SceneSettings { moderation, ..SceneSettings::default() }
    }

    fn person<'a>(name: &'a str, invitation: Option<&'a str>) -> SceneReadRequester<'a> {
        let guest = name.starts_with("guest:");
        SceneReadRequester::Person { account: RoleRequester { name, realm_owner: false, guest }, invitation }
    }

    /// A viewer's token for one scene.
    fn token(sub: &str, scene: &str) -> Claims {
        let subs = [TopicFilter::parse(&format!("realm/s/{scene}/+/+/+")).unwrap()].into();
        let filters = TokenFilters { publ: [].into(), subs };
        let scene = Some(scene.parse().unwrap());
        Claims { scene, role: Some(Role::Viewer), ..Claims::new(sub, "j", UnixSeconds(1)..UnixSeconds(2), filters) }
    }

    #[test]
    fn a_lock_keeps_out_readers_that_are_neither_inside_nor_moderators() {
        let lock = locked(SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() });
        let [own, other] = [token("carla", "alice/atrium"), token("carla", "public/lobby")];
        for reader in [
            person("carla", None),
            person("guest:1", None),
            SceneReadRequester::Bearer(&own),
            SceneReadRequester::Bearer(&other),
        ] {
            let read = |settings: &SceneSettings, is_inside| reader.may_read_now(&atrium(), settings, is_inside);
            assert_eq!(read(&SceneSettings::default(), false), Ok(Role::Viewer), "negative control: {reader:?}");
            assert_eq!(read(&lock, false), Err(Reason::Locked), "{reader:?}");
            assert_eq!(read(&lock, true), Ok(Role::Viewer), "{reader:?}");
        }
        let moderators = [token("bob", "alice/atrium"), token("alice", "public/lobby")];
        for reader in [person("bob", None), person("alice", None)]
            .into_iter()
            .chain(moderators.iter().map(SceneReadRequester::Bearer))
        {
            assert!(reader.may_read_now(&atrium(), &lock, false).is_ok(), "{reader:?}");
        }
    }

    #[test]
    fn a_banned_person_reads_nothing_by_a_scene_token_or_an_invitation() {
        let invitation =
            Invitation { id: "i".into(), role: Role::Editor, ends: UnixSeconds(9), uses_max: None, by: "alice".into() };
        let ban = |who: &str| SceneSettings { invitations: [invitation.clone()].into(), ..banning(who) };
        let guest = Claims { guest: true, guest_id: Some("1".into()), ..token("anonymous-1", "public/lobby") };
        let [own, other] = [token("carla", "alice/atrium"), token("carla", "public/lobby")];
        for (who, reader) in [
            ("carla", person("carla", Some("i"))),
            ("carla", SceneReadRequester::Bearer(&own)),
            ("carla", SceneReadRequester::Bearer(&other)),
            ("guest:1", person("guest:1", None)),
            ("guest:1", SceneReadRequester::Bearer(&guest)),
        ] {
            let read = |settings: &SceneSettings| reader.may_read_now(&atrium(), settings, true);
            assert!(read(&ban("dora")).is_ok(), "negative control: {reader:?}");
            assert_eq!(read(&ban(who)), Err(Reason::NoSuchScene), "{reader:?}");
        }
        let owner = token("alice", "public/lobby");
        assert!(
            SceneReadRequester::Bearer(&owner).may_read_now(&atrium(), &ban("alice"), false).is_ok(),
            "owners stay"
        );
    }

    #[test]
    fn a_token_reads_a_private_scene_only_by_its_own_filters() {
        let private =
            SceneSettings { public_read: false, viewers: ["carla".into()].into(), ..SceneSettings::default() };
        let [own, other] = [token("carla", "alice/atrium"), token("carla", "public/lobby")];
        let read = |reader: SceneReadRequester<'_>| reader.may_read_now(&atrium(), &private, false);
        assert_eq!(read(person("carla", None)), Ok(Role::Viewer));
        assert_eq!(read(SceneReadRequester::Bearer(&own)), Ok(Role::Viewer));
        assert_eq!(read(SceneReadRequester::Bearer(&other)), Err(Reason::NoSuchScene));
    }

    #[test]
    fn a_token_for_one_scene_does_not_build_in_all_of_the_namespace() {
        let builds = |filter: &str| {
            let publ = [TopicFilter::parse(filter).unwrap()].into();
            Claims { publ, ..token("alice", "alice/atrium") }.may_build_all("alice")
        };
        let filters = ["realm/s/alice/+/o/#", "realm/s/alice/#", "realm/s/alice/atrium/#", "realm/s/bob/#"];
        assert_eq!(filters.map(builds), [true, true, false, false]);
    }
}
