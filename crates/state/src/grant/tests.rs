use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;
use stoa_wire::topic_filter::TopicFilter;

use super::*;
use crate::limits;
use crate::time::UnixSeconds;

fn lobby() -> SceneName {
    SceneName::new("public", "lobby").unwrap()
}

fn filters_of(texts: &[&str]) -> Vec<TopicFilter> {
    texts.iter().map(|text| TopicFilter::parse(text).unwrap()).collect()
}

fn claims(publ: &[&str]) -> Claims {
    Claims::new(
        "alice",
        "j1",
        UnixSeconds(1_000)..UnixSeconds(5_000),
        TokenFilters { publ: filters_of(publ), subs: filters_of(&["realm/s/public/lobby/+/+/+"]) },
    )
}

fn account(name: &str) -> RoleRequester<'_> {
    RoleRequester { name, realm_owner: false, guest: false }
}

#[test]
fn roles_follow_from_the_settings() {
    let closed = SceneSettings { public_read: false, ..SceneSettings::default() };
    let listed =
        SceneSettings { editors: ["bob".to_string()].into(), viewers: ["eve".to_string()].into(), ..closed.clone() };
    assert_eq!(role_of(&lobby(), &SceneSettings::default(), &account("alice")), Some(Role::Viewer));
    assert_eq!(role_of(&lobby(), &closed, &account("alice")), None);
    assert_eq!(role_of(&lobby(), &listed, &account("bob")), Some(Role::Editor));
    assert_eq!(role_of(&lobby(), &listed, &account("eve")), Some(Role::Viewer));
    assert_eq!(role_of(&lobby(), &closed, &account("public")), Some(Role::Owner));
    assert_eq!(role_of(&lobby(), &closed, &RoleRequester { realm_owner: true, ..account("alice") }), Some(Role::Owner));
}

#[test]
fn a_guest_has_a_role_only_where_anonymous_users_are_allowed() {
    let guest = RoleRequester { guest: true, ..account("anonymous-0123456789") };
    let open = SceneSettings { public_write: true, ..SceneSettings::default() };
    assert_eq!(role_of(&lobby(), &open, &guest), Some(Role::Editor), "negative control");
    let closed = SceneSettings { anonymous_users: false, ..open };
    assert_eq!(role_of(&lobby(), &closed, &guest), None);
    assert_eq!(role_of(&lobby(), &closed, &account("alice")), Some(Role::Editor));
}

#[test]
fn a_token_for_another_purpose_is_no_grant() {
    let ticket = Claims { typ: "ticket".to_string(), ..claims(&["#"]) };
    assert_eq!(Grant::new(ticket, "c1").map(|_| ()), Err(Reason::NotGranted));
    assert!(Grant::new(claims(&["#"]), "c1").is_ok(), "negative control");
}

#[test]
fn a_client_id_that_is_reserved_or_issued_to_another_account_is_refused() {
    for another in ["bob_0123456789_web", "bob_0123456789", "bob_smith_0123456789_py"] {
        assert_eq!(Grant::new(claims(&["#"]), another).map(|_| ()), Err(Reason::WrongIdentity), "{another}");
    }
    for own in ["alice_0123456789_web", "pyClient-123456", "sensor_1", "bob_01234567890"] {
        assert!(Grant::new(claims(&["#"]), own).is_ok(), "{own}");
    }
    for reserved in ["stoa", "-", "", "a/b", "+"] {
        assert_eq!(Grant::new(claims(&["#"]), reserved).map(|_| ()), Err(Reason::WrongIdentity), "{reserved}");
    }
}

#[test]
fn an_id_tag_that_begins_like_a_face_object_keeps_its_prefix() {
    assert_eq!(owner_of_part("face_x_0123456789", "face_x_0123456789"), "face_x_0123456789");
    assert_eq!(owner_of_part("handLeft_alice_0123456789", "alice_0123456789"), "alice_0123456789");
}

#[test]
fn a_grant_ends_after_its_leeway() {
    let grant = Grant::new(claims(&["#"]), "c1").unwrap();
    assert!(!grant.is_expired(UnixSeconds(5_002)));
    assert!(grant.is_expired(UnixSeconds(5_003)));
}

#[test]
fn a_guest_may_not_publish_to_runtimes_or_program_streams() {
    let guest = Claims { guest: true, ..claims(&["#"]) };
    let guest = Grant::new(guest, "c1").unwrap();
    let member = Grant::new(claims(&["#"]), "c1").unwrap();
    for topic in ["realm/g/public/p/rt1", "realm/s/public/lobby/p/rt1/module/-/stdin"] {
        assert_eq!(guest.may_publish(topic), Err(Reason::NotGranted), "{topic}");
        assert_eq!(member.may_publish(topic), Ok(()), "{topic}");
    }
}

#[test]
fn a_grant_for_all_topics_includes_the_latency_topic_but_not_sys() {
    let owner = Grant::new(claims(&["#"]), "c1").unwrap();
    assert_eq!(owner.may_publish("$NETWORK/latency"), Ok(()));
    assert_eq!(owner.may_publish("$SYS/uptime"), Err(Reason::NotGranted));
}

#[test]
fn a_grant_may_build_only_with_a_filter_for_all_its_objects_in_the_scene() {
    let moderates = |publ: &[&str]| Grant::new(claims(publ), "c1").unwrap().may_build(&lobby());
    assert!(moderates(&["#"]));
    assert!(moderates(&["realm/s/public/lobby/o/c1/#"]));
    assert!(!moderates(&["realm/s/public/lobby/o/c1/box"]));
    assert!(!moderates(&["realm/s/public/sandbox/o/c1/#"]));
}

#[test]
fn token_filters_without_ids_use_wildcards_and_need_no_hand_filters() {
    let (settings, alice) = (SceneSettings::default(), account("alice"));
    let entry = TokenFilterInput {
        scene: &lobby(),
        settings: &settings,
        account: &alice,
        role: Role::Editor,
        ids: &TokenIds::default(),
    };
    let given = filters(&entry);
    assert!(given.publ.iter().any(|filter| filter.as_str() == "realm/s/public/lobby/u/+/+"));
    assert!(!given.publ.iter().any(|filter| filter.as_str().contains("hand")));
    assert_eq!(realm_filters().publ, filters_of(&["#"]));
}

#[test]
fn covered_filters_are_removed() {
    let given = without_covered(filters_of(&["a/b", "a/+", "a/b", "c", "a/#"]));
    assert_eq!(given, filters_of(&["a/#", "c"]));
}

#[test]
fn a_wildcard_grant_does_not_allow_publishing_under_another_identity() {
    for publ in ["#", "realm/s/#", "realm/s/public/lobby/+/+/+"] {
        let grant = Grant::new(claims(&[publ]), "pyClient-123456").unwrap();
        assert_eq!(
            grant.may_publish("realm/s/public/lobby/u/pyClient-123456/handLeft_pyClient-123456"),
            Ok(()),
            "{publ}"
        );
        for kind in ["x", "u", "c", "o", "r", "e", "p", "d"] {
            let another = alloc::format!("realm/s/public/lobby/{kind}/bob_0123456789_web/bob_0123456789");
            assert_eq!(grant.may_publish(&another), Err(Reason::WrongIdentity), "{publ} {kind}");
        }
        for kind in ["x", "u", "c"] {
            let another = alloc::format!("realm/s/public/lobby/{kind}/pyClient-123456/bob_0123456789");
            assert_eq!(grant.may_publish(&another), Err(Reason::WrongIdentity), "{publ} {kind}");
        }
    }
}

#[test]
fn a_viewer_may_send_client_events_and_get_persist_but_not_change_objects() {
    let viewer = Grant::new(Claims { role: Some(Role::Viewer), ..claims(&["#"]) }, "c1").unwrap();
    let editor = Grant::new(Claims { role: Some(Role::Editor), ..claims(&["#"]) }, "c1").unwrap();
    for action in [Action::Create, Action::Update, Action::Delete, Action::LoadTemplate] {
        assert!(!viewer.may_act_on_objects(Some(action)), "{action:?}");
        assert!(editor.may_act_on_objects(Some(action)), "{action:?}");
    }
    assert!(
        viewer.may_act_on_objects(Some(Action::ClientEvent)) && viewer.may_act_on_objects(Some(Action::GetPersist))
    );
}

#[test]
fn two_guests_with_the_same_name_are_different_subjects() {
    let guest = |id: &str| {
        let named = Claims { sub: "anonymous-bob".into(), guest: true, user_id: Some(id.into()), ..claims(&["#"]) };
        Grant::new(named, "c1").unwrap().subject().to_string()
    };
    assert_ne!(guest("anonymous-bob_0000000001"), guest("anonymous-bob_0000000002"));
    let member = Grant::new(Claims { user_id: Some("alice_0000000001".into()), ..claims(&["#"]) }, "c1").unwrap();
    assert_eq!(member.subject(), "alice");
}

#[test]
fn a_multi_scene_token_can_edit_its_own_namespace_and_view_public_scenes() {
    let alice = account("alice");
    let ids = TokenIds { user_client: Some("alice_1_web".into()), id_tag: Some("alice_1".into()), rights: Vec::new() };
    let open = SceneSettings::default();
    let names = ["public/lobby", "bob/den"].map(|name| name.parse::<SceneName>().unwrap());
    let given = managed_scenes_filters(names.iter().map(|name| (name, &open)), &alice, &ids);
    let publ = ["$NETWORK/latency", "realm/s/alice/+/o/alice_1_web/#", "realm/s/alice/+/p/+/#"];
    assert_eq!(given.publ, filters_of(&publ));
    let subs = ["$NETWORK", "realm/s/alice/+/+/+/+", "realm/s/alice/+/+/+/+/alice_1/#", "realm/s/alice/+/p/+/#"];
    let public = ["realm/s/public/+/+/+/+", "realm/s/public/+/+/+/+/alice_1/#"];
    assert_eq!(given.subs, filters_of(&[&subs[..], &public[..]].concat()));
}

#[test]
fn a_multi_scene_token_covers_public_scenes_when_many_scenes_list_its_bearer() {
    let scenes: Vec<SceneName> =
        (0..2 * limits::ROAMING_SCENES_MAX).map(|n| format!("bob/den{n}").parse().unwrap()).collect();
    let shown = SceneSettings { public_read: false, viewers: ["alice".into()].into(), ..SceneSettings::default() };
    let ids = TokenIds { user_client: Some("u".into()), id_tag: Some("i".into()), rights: Vec::new() };
    let given = managed_scenes_filters(scenes.iter().map(|name| (name, &shown)), &account("alice"), &ids);
    let topics = ["realm/s/public/lobby/o/u/x", "realm/s/bob/den0/o/u/x"];
    assert!(topics.iter().all(|topic| given.subs.iter().any(|filter| filter.matches(topic))), "{:?}", given.subs);
}

#[test]
fn a_multi_scene_token_omits_scenes_that_its_bearer_may_not_enter_now() {
    let names = ["public/lobby", "public/closed", "bob/den", "bob/hall"].map(|name| name.parse::<SceneName>().unwrap());
    let closed = SceneSettings { public_read: false, ..SceneSettings::default() };
    let listed = SceneSettings { editors: ["alice".into()].into(), ..closed.clone() };
    let seen = SceneSettings { viewers: ["alice".into()].into(), ..closed.clone() };
    let open = SceneSettings::default();
    let scenes = names.iter().zip([&open, &closed, &listed, &seen]);
    let ids = TokenIds { user_client: Some("u".into()), id_tag: Some("i".into()), rights: Vec::new() };
    let given = managed_scenes_filters(scenes.clone(), &account("alice"), &ids);
    let covers = |filters: &[TopicFilter], topic: &str| filters.iter().any(|filter| filter.matches(topic));
    for (topic, builds, looks) in [
        ("realm/s/public/lobby/o/u/x", false, true),
        ("realm/s/public/closed/o/u/x", false, false),
        ("realm/s/bob/den/o/u/x", true, true),
        ("realm/s/bob/hall/o/u/x", false, true),
        ("realm/s/alice/any/o/u/x", true, true),
    ] {
        assert_eq!((covers(&given.publ, topic), covers(&given.subs, topic)), (builds, looks), "{topic}");
    }
    let guest = managed_scenes_filters(scenes, &RoleRequester { guest: true, ..account("alice") }, &ids);
    assert!(!covers(&guest.subs, "realm/s/bob/hall/o/u/x"), "a guest's name is in nobody's list");
    let locked = |settings: SceneSettings| SceneSettings {
        moderation: Moderation { locked: true, ..Moderation::default() },
        ..settings
    };
    let locked = [locked(open.clone()), closed.clone(), locked(listed.clone()), locked(seen.clone())];
    let given = managed_scenes_filters(names.iter().zip(&locked), &account("alice"), &ids);
    for (topic, looks) in
        [("realm/s/public/lobby/o/u/x", false), ("realm/s/bob/den/o/u/x", true), ("realm/s/bob/hall/o/u/x", false)]
    {
        assert_eq!(covers(&given.subs, topic), looks, "behind a locked door: {topic}");
    }
}

#[test]
fn only_owners_make_scenes_in_a_namespace_and_only_readers_copy_scenes() {
    let owner = RoleRequester { realm_owner: true, ..account("olga") };
    let guest = RoleRequester { guest: true, ..account("alice") };
    for (who, namespace, may) in [
        (&account("alice"), "alice", true),
        (&account("alice"), "bob", false),
        (&account("alice"), PUBLIC, false),
        (&owner, PUBLIC, true),
        (&owner, "bob", true),
        (&guest, "alice", false),
    ] {
        assert_eq!(may_make(who, namespace), may, "{who:?} {namespace}");
    }
    let name: SceneName = "bob/den".parse().unwrap();
    let settings = |public_read, public_write, anonymous_users| SceneSettings {
        public_read,
        public_write,
        anonymous_users,
        ..SceneSettings::default()
    };
    for (settings, member, guests) in [
        (settings(true, false, true), true, true),
        (settings(true, false, false), true, false),
        (settings(false, true, true), true, true),
        (settings(false, false, true), false, false),
    ] {
        let may = |guest| Claims { guest, ..claims(&["realm/s/alice/+/#"]) }.may_copy(&name, &settings);
        assert_eq!((may(false), may(true)), (member, guests), "{settings:?}");
    }
    let reader = Claims { subs: filters_of(&["realm/s/bob/den/#"]), by_realm: true, ..claims(&[]) };
    assert!(reader.may_copy(&name, &settings(false, false, false)), "its token reads it");
    let outdated = Claims { by_realm: false, ..reader };
    assert!(!outdated.may_copy(&name, &settings(false, false, false)), "the settings no longer give that token");
    assert_eq!(SceneSettings::owned_by(LOCAL_OWNER).owner, None, "is no account");
    assert_eq!(SceneSettings::owned_by("alice").owner.as_deref(), Some("alice"));
}
