//! Motion grants: issue, identity, end.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use stoa_wire::packet::{MqttVersion, ReasonCode};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::SceneName;

use super::ConnectionId;
use super::world::{Entry, NOW_UNIX, World, claims, entry, explicit, guest, lobby};
use crate::grant::{Claims, Role, SceneSettings};
use crate::limits;
use crate::motion::interest::InterestSetPolicy;
use crate::motion::{MotionSettings, MotionSettingsOverrides};
use crate::network::ClientNetwork;
use crate::realm::{Command, CommandAnswer, MotionGrant, MotionGrantId};
use crate::time::UnixSeconds;

const ASKED: &str = r#"{"object_id":"anybody","action":"getMotionTicket"}"#;

fn ask(world: &mut World, connection: ConnectionId, who: &str) -> Option<ReasonCode> {
    let topic = format!("realm/s/public/lobby/d/{who}_0123456789_web/{who}_0123456789/stoa");
    world.say_surely(connection, &topic, ASKED).map(|ack| ack.code)
}

/// Requests a grant as HTTP does.
fn give(world: &mut World, claims: Claims) -> Result<MotionGrant, Refusal> {
    give_from(world, None, claims)
}

fn give_from(world: &mut World, network: Option<ClientNetwork>, claims: Claims) -> Result<MotionGrant, Refusal> {
    match world.command(Command::GrantMotion { name: lobby(), claims: Box::new(claims), network }) {
        CommandAnswer::MotionGrant(motion_grant) => Ok(*motion_grant),
        CommandAnswer::Refused(refused) => Err(refused),
        other => panic!("{other:?}"),
    }
}

fn reason(given: Result<MotionGrant, Refusal>) -> Option<Reason> {
    given.err().map(|refused| refused.reason)
}

/// A token that depends on the scene's settings.
fn member(sub: &str, role: Role) -> Claims {
    Claims { by_realm: false, ..claims(sub, role, false) }
}

#[test]
fn a_motion_ticket_requested_by_mqtt_is_sent_only_to_its_requester() {
    let mut world = World::new();
    let builder = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let visitor = world.enter_scene(2, guest("anonymous-1", MqttVersion::V5));
    assert_eq!(ask(&mut world, builder, "alice"), Some(ReasonCode::SUCCESS));
    assert_eq!(ask(&mut world, visitor, "anonymous-1"), Some(ReasonCode::SUCCESS));
    let given: Vec<_> = world
        .motion_grants
        .iter()
        .map(|(to, motion_grant)| (*to, motion_grant.rights.may_show, motion_grant.rights.may_track))
        .collect();
    assert_eq!(given, [(builder, true, true), (visitor, true, false)]);
    let (_, motion_grant) = &world.motion_grants[0];
    assert_eq!(
        (motion_grant.id_tag.as_str(), motion_grant.user_client.as_str()),
        ("alice_0123456789", "alice_0123456789_web")
    );
    assert_eq!(
        (&motion_grant.scene, motion_grant.settings),
        (&lobby(), MotionSettings { has_voice: true, ..MotionSettings::default() })
    );
    for connection in [builder, visitor] {
        world.inbox(connection);
    }
    world.realm.handle_ticket(builder, &lobby(), b"{\"object_id\":\"-\"}".to_vec(), world.now);
    world.drain();
    let told = world.messages(builder);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "realm/s/public/lobby/d/stoa/-/alice_0123456789");
    assert_eq!(world.messages(visitor), [], "it is a secret");
}

#[test]
fn only_requests_addressed_to_the_realm_get_a_motion_grant() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let own = "alice_0123456789_web/alice_0123456789";
    for topic in [format!("d/{own}/bob"), format!("d/{own}/-"), format!("c/{own}/stoa"), format!("d/{own}")] {
        world.say(alice, &format!("realm/s/public/lobby/{topic}"), ASKED);
    }
    let object = format!("realm/s/public/lobby/o/{own}");
    let on_object = r#"{"object_id":"alice_0123456789","action":"getMotionTicket","data":{}}"#;
    assert_eq!(world.say_surely(alice, &object, on_object).map(|ack| ack.code.is_error()), Some(true));
    assert_eq!(world.motion_grants, []);
    assert_eq!(ask(&mut world, alice, "alice"), Some(ReasonCode::SUCCESS), "negative control");
    assert_eq!(world.motion_grants.len(), 1);
}

#[test]
fn a_motion_grant_gives_no_more_rights_than_its_token() {
    let mut world = World::new();
    let rights = |given: Result<MotionGrant, Refusal>| {
        given.map(|motion_grant| (motion_grant.rights.may_show, motion_grant.rights.may_track))
    };
    assert_eq!(rights(give(&mut world, claims("alice", Role::Owner, false))), Ok((true, true)));
    assert_eq!(rights(give(&mut world, member("bob", Role::Viewer))), Ok((true, false)));
    let blind = Claims { subs: Vec::new(), ..member("bob", Role::Viewer) };
    assert_eq!(reason(give(&mut world, blind)), Some(Reason::NotGranted), "who may not read gets nothing");
    let silent = Claims { publ: Vec::new(), ..member("bob", Role::Viewer) };
    assert_eq!(rights(give(&mut world, silent)), Ok((false, false)), "who may say nothing looks");
    let Entry { claims: filters, .. } = explicit("carla", MqttVersion::V5, &["realm/s/public/lobby/#"]);
    assert_eq!(reason(give(&mut world, filters.clone())), Some(Reason::WrongIdentity), "it is nobody's in particular");
    let named = Claims { user_client: Some("carla_web".into()), user_id: Some("carla".into()), ..filters };
    assert_eq!(rights(give(&mut world, named.clone())), Ok((true, true)));
    let long = |bytes: usize| Claims { user_id: Some("c".repeat(bytes)), ..named.clone() };
    assert_eq!(reason(give(&mut world, long(128))), None);
    assert_eq!(reason(give(&mut world, long(129))), Some(Reason::WrongIdentity), "no frame has room for it");
    let elsewhere =
        Claims { scene: None, role: None, publ: Vec::new(), subs: Vec::new(), ..member("bob", Role::Viewer) };
    assert_eq!(reason(give(&mut world, elsewhere)), Some(Reason::NotGranted));
    let ended = Claims { exp: UnixSeconds(NOW_UNIX - 10), ..member("bob", Role::Viewer) };
    assert_eq!(reason(give(&mut world, ended)), Some(Reason::NotGranted));
    assert_eq!(reason(give(&mut world, member("bob", Role::Editor))), Some(Reason::NotGranted), "he is no editor");
    let name: SceneName = "alice/none".parse().unwrap();
    let claims = Box::new(claims("alice", Role::Owner, false));
    let answer = world.command(Command::GrantMotion { name, claims, network: None });
    assert!(matches!(answer, CommandAnswer::Refused(Refusal { reason: Reason::NoSuchScene, .. })), "{answer:?}");
}

#[test]
fn a_motion_grant_ends_with_its_token_account_access_or_scene() {
    let mut world = World::new();
    let motion_grant = |world: &mut World, claims: Claims| give(world, claims).expect("a pass").id;
    let bystander = motion_grant(&mut world, claims("alice", Role::Owner, false));
    let ended = |world: &mut World| core::mem::take(&mut world.ended_motion_grants);

    let own = motion_grant(&mut world, member("bob", Role::Viewer));
    let child = motion_grant(
        &mut world,
        Claims { jti: "child".into(), parents: vec!["jti-bob".into()], ..member("bob", Role::Viewer) },
    );
    world.command(Command::Revoke { jti: "jti-bob".to_string() });
    assert_eq!(ended(&mut world), [own, child], "revoked");

    let account = motion_grant(&mut world, member("bob", Role::Viewer));
    let namesake = motion_grant(&mut world, claims("bob", Role::Viewer, true));
    world.command(Command::EndAccount { name: "bob".to_string() });
    assert_eq!(ended(&mut world), [account], "no guest has the name of an account");

    world.set(SceneSettings { anonymous_users: false, ..SceneSettings::default() });
    assert_eq!(ended(&mut world), [namesake], "guests are shut out");
    assert_eq!(reason(give(&mut world, claims("gus", Role::Viewer, true))), Some(Reason::NotGranted));

    let short = motion_grant(&mut world, Claims { exp: UnixSeconds(NOW_UNIX + 60), ..member("bob", Role::Viewer) });
    world.pass(60);
    assert_eq!(ended(&mut world), [], "not yet");
    world.pass(limits::GRANT_LEEWAY_S);
    assert_eq!(ended(&mut world), [short], "expired");

    world.command(Command::CloseScene { name: lobby() });
    assert_eq!(ended(&mut world), [bystander], "with the scene all end");
}

#[test]
fn a_returned_motion_grant_is_removed() {
    let mut world = World::new();
    let motion_grant = give(&mut world, member("bob", Role::Viewer)).expect("a pass").id;
    world.command(Command::EndMotionGrant { motion_grant });
    world.command(Command::EndMotionGrant { motion_grant: MotionGrantId(999) });
    world.command(Command::Revoke { jti: "jti-bob".to_string() });
    world.pass(4_000);
    assert_eq!(world.ended_motion_grants, []);
    let next = give(&mut world, claims("alice", Role::Owner, false));
    assert!(next.is_err() || next.is_ok_and(|next| next.id != motion_grant), "no name means somebody else later");
}

#[test]
fn each_guest_has_its_own_limit_of_motion_grants() {
    let mut world = World::new();
    let mut given = Vec::new();
    for _ in 0..limits::GUEST_MOTION_GRANTS_MAX {
        given.push(give(&mut world, claims("gus", Role::Viewer, true)).expect("a pass").id);
    }
    assert_eq!(reason(give(&mut world, claims("gus", Role::Viewer, true))), Some(Reason::Flood));
    assert!(give(&mut world, claims("ida", Role::Viewer, true)).is_ok(), "another guest's are its own");
    world.command(Command::EndMotionGrant { motion_grant: given[0] });
    assert!(give(&mut world, claims("gus", Role::Viewer, true)).is_ok());
    assert_eq!(reason(give(&mut world, claims("gus", Role::Viewer, true))), Some(Reason::Flood));
}

#[test]
fn a_network_with_thousands_of_guests_leaves_grants_to_newcomers() {
    let mut world = World::new();
    world.set(SceneSettings { people_max: Some(10_000), ..SceneSettings::default() });
    let network = |address: &str| Some(ClientNetwork::from(address.parse::<core::net::IpAddr>().unwrap()));
    let flood = |world: &mut World, address: &str| {
        let give_one = |number: usize| {
            let name = format!("gus{address}-{}", number / limits::GUEST_MOTION_GRANTS_MAX);
            give_from(world, network(address), claims(&name, Role::Viewer, true)).ok()
        };
        (0..limits::MOTION_GRANTS_MAX).map_while(give_one).map(|grant| grant.id).collect::<Vec<_>>()
    };
    let taken = flood(&mut world, "192.0.2.1");
    let shared = limits::MOTION_GRANTS_SHARED;
    assert!((shared..shared + shared / 32).contains(&taken.len()), "{} grants", taken.len());
    let newcomer = |world: &mut World| give_from(world, network("192.0.2.2"), claims("ida", Role::Viewer, true));
    assert!(newcomer(&mut world).is_ok(), "a newcomer is within its share");
    assert!(give(&mut world, claims("alice", Role::Owner, false)).is_ok(), "accounts have a bound of their own");
    assert!(flood(&mut world, "192.0.2.1").is_empty(), "the large network is above its share");
    for motion_grant in taken {
        world.command(Command::EndMotionGrant { motion_grant });
    }
    assert!(!flood(&mut world, "192.0.2.1").is_empty(), "returned grants make room");
}

#[test]
fn a_scene_reports_its_motion_settings_only_when_they_change() {
    let mut world = World::new();
    world.set(SceneSettings { users: false, ..SceneSettings::default() });
    assert_eq!(world.motion_changes, [], "nothing of it has changed");
    let motion = MotionSettingsOverrides { policy: Some(InterestSetPolicy::HEX), bytes_per_s: None };
    world.set(SceneSettings { motion, ..SceneSettings::default() });
    let settings = MotionSettings { policy: InterestSetPolicy::HEX, has_voice: true, ..MotionSettings::default() };
    assert_eq!(world.motion_changes, [(lobby(), settings)]);
    assert_eq!(
        give(&mut world, claims("alice", Role::Owner, false)).map(|motion_grant| motion_grant.settings),
        Ok(settings)
    );
}
