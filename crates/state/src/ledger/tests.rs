use alloc::collections::BTreeMap;
use alloc::format;
use core::net::IpAddr;
use core::time::Duration;

use fastrand::Rng;
use stoa_wire::reason::Reason;

use super::*;

const MIB: u64 = 1_024 * 1_024;
const SHARED: Bound = Bound::Rate { per_s: 4 * 1_024 * 1_024, burst: 64 * 1_024 * 1_024 };
const WINDOW: Duration = Duration::from_secs(16);

fn ledger(own: Option<PayerRateBound>) -> Ledger {
    let bounds = |class, of| PayerClassBounds { resource: Resource::StoredBytes, class, own, shared: SHARED, of };
    let all = [bounds(PayerClass::Guests, "bytes of all guests"), bounds(PayerClass::Members, "bytes of all members")];
    Ledger::new(&all, Time::ZERO)
}

fn network(address: &str) -> Option<ClientNetwork> {
    Some(address.parse::<IpAddr>().unwrap().into())
}

fn guest(ledger: &mut Ledger, name: &str, address: &str) -> Payer {
    ledger.payer(PayerClass::Guests, name, network(address), Time::ZERO)
}

fn bytes(amount: u64) -> Cost {
    Cost { resource: Resource::StoredBytes, amount }
}

fn is_refused(verdict: ChargeVerdict) -> bool {
    matches!(verdict, ChargeVerdict::Refuse(_))
}

/// Charges until the bound is reached.
fn exhaust(ledger: &mut Ledger, payers: &[Payer], now: Time) {
    for payer in payers.iter().cycle() {
        if is_refused(ledger.charge(now, *payer, bytes(64 * 1_024))) {
            return;
        }
    }
}

/// Charges the payers in turn until one is refused. Returns the bytes that were granted.
fn charge_until_refused(ledger: &mut Ledger, payers: &[Payer], each: u64) -> u64 {
    let charged =
        payers.iter().cycle().take_while(|payer| !is_refused(ledger.charge(Time::ZERO, **payer, bytes(each))));
    charged.map(|_| each).sum()
}

#[test]
fn a_bound_refuses_no_charge_until_it_is_reached() {
    let mut ledger = ledger(None);
    let flood = guest(&mut ledger, "flood", "192.0.2.1");
    let passed = (0..1_000).filter(|_| ledger.charge(Time::ZERO, flood, bytes(MIB)) == ChargeVerdict::Pass).count();
    assert_eq!(passed, 64, "the whole burst");
    let ChargeVerdict::Refuse(refused) = ledger.charge(Time::ZERO, flood, bytes(1)) else { panic!("it is reached") };
    assert_eq!((refused.reason, refused.limit.unwrap().of), (Reason::Flood, "bytes of all guests"));
}

#[test]
fn a_small_payer_is_served_while_the_largest_exhausts_the_bound() {
    let mut ledger = ledger(None);
    let (flood, honest) = (guest(&mut ledger, "flood", "192.0.2.1"), guest(&mut ledger, "honest", "192.0.2.2"));
    exhaust(&mut ledger, &[flood], Time::ZERO);
    for step in 1..200 {
        let now = Time::from_millis(step * 500);
        let _ = ledger.charge(now, flood, bytes(8 * MIB));
        assert!(!is_refused(ledger.charge(now, honest, bytes(1_200))), "{step}");
    }
}

#[test]
fn a_payer_near_its_share_is_slowed_before_it_is_refused() {
    let mut ledger = ledger(None);
    let (flood, busy) = (guest(&mut ledger, "flood", "192.0.2.1"), guest(&mut ledger, "busy", "192.0.2.2"));
    exhaust(&mut ledger, &[flood], Time::ZERO);
    let mut longest = Duration::ZERO;
    let mut given = 0;
    while let verdict @ (ChargeVerdict::Pass | ChargeVerdict::Slow(_)) = ledger.charge(Time::ZERO, busy, bytes(MIB)) {
        if let ChargeVerdict::Slow(pause) = verdict {
            longest = longest.max(pause);
        }
        given += 1;
    }
    assert!((30..=34).contains(&given), "half of the capacity: {given}");
    assert!(longest > Duration::from_millis(100) && longest <= limits::CHARGE_PAUSE_MAX, "{longest:?}");
}

#[test]
fn three_hundred_guests_of_one_address_leave_half_to_another_household() {
    let mut ledger = ledger(None);
    let crowd: Vec<Payer> = (0..300).map(|n| guest(&mut ledger, &format!("crowd-{n}"), "192.0.2.1")).collect();
    exhaust(&mut ledger, &crowd, Time::ZERO);
    let honest = guest(&mut ledger, "honest", "192.0.2.2");
    let given = charge_until_refused(&mut ledger, &[honest], 64 * 1_024);
    assert!(given >= 30 * MIB, "half of the capacity, not a part in 301: {given}");
}

#[test]
fn a_class_behind_one_address_gets_person_shares_during_a_flood_of_networks() {
    let mut ledger = ledger(None);
    let floods: Vec<Payer> =
        (0..320).map(|n| guest(&mut ledger, &format!("flood-{n}"), &format!("2001:db8:{:x}::1", n % 32))).collect();
    let class: Vec<Payer> = (0..60).map(|n| guest(&mut ledger, &format!("pupil-{n}"), "192.0.2.2")).collect();
    exhaust(&mut ledger, &floods, Time::ZERO);
    let given = charge_until_refused(&mut ledger, &class, 16 * 1_024);
    // Forty of 360 shares, and not one of 33. More than forty people have no more.
    assert!((6 * MIB..8 * MIB).contains(&given), "{given}");
}

#[test]
fn person_and_household_shares_together_grant_the_rate_and_leave_no_lasting_debt() {
    let mut ledger = ledger(None);
    // 64 guests in eight /48 have most of the household shares, 320 at eight addresses most of the person shares.
    let spread =
        (0..64).map(|n| guest(&mut ledger, &format!("spread-{n}"), &format!("2001:db8:{:x}:{n:x}00::1", n % 8)));
    let mut floods: Vec<Payer> = spread.collect();
    floods.extend((0..320).map(|n| guest(&mut ledger, &format!("crowd-{n}"), &format!("192.0.2.{}", n % 8))));
    exhaust(&mut ledger, &floods, Time::ZERO);
    let (mut granted, mut now) = (0, Time::ZERO);
    for tenth in 1..6_000 {
        now = Time::from_millis(tenth * 100);
        for flood in floods.iter().skip(usize::try_from(tenth % 3).unwrap()).step_by(3) {
            if !is_refused(ledger.charge(now, *flood, bytes(32 * 1_024))) {
                granted += 32 * 1_024;
            }
        }
    }
    let rate = 4 * MIB * 600;
    assert!(granted < rate * 11 / 10 + 64 * MIB, "{granted} of {rate}");
    assert!(granted > rate * 9 / 10, "negative control: {granted} of {rate}");
    let honest = guest(&mut ledger, "honest", "198.51.100.1");
    for second in 0..64 {
        let verdict = ledger.charge(now + Duration::from_secs(second), honest, bytes(1_200));
        assert!(!is_refused(verdict), "{second} s after the attack");
    }
    assert_eq!(ledger.charge(now + WINDOW, honest, bytes(MIB)), ChargeVerdict::Pass, "the debt is paid");
}

#[test]
fn connections_of_unknown_people_share_one_household_share() {
    let mut ledger = ledger(None);
    let mut payers = |address: &str, count: u32| -> Vec<Payer> {
        (0..count).map(|n| ledger.address_payer(&format!("{address}-{n}"), network(address), Time::ZERO)).collect()
    };
    let (homes, crowd): (Vec<Payer>, _) =
        ((0..8).flat_map(|n| payers(&format!("192.0.2.{n}"), 1)).collect(), payers("198.51.100.1", 40));
    exhaust(&mut ledger, &homes, Time::ZERO);
    let given = charge_until_refused(&mut ledger, &crowd, 16 * 1_024);
    assert!((7 * MIB..8 * MIB).contains(&given), "one of nine shares: {given}");
}

#[test]
fn a_class_behind_one_address_is_not_refused_during_one_guests_flood() {
    let mut ledger = ledger(None);
    let flood = guest(&mut ledger, "flood", "192.0.2.1");
    let class: Vec<Payer> = (0..40).map(|n| guest(&mut ledger, &format!("pupil-{n}"), "192.0.2.2")).collect();
    exhaust(&mut ledger, &[flood], Time::ZERO);
    for half_second in 1..120 {
        let now = Time::from_millis(half_second * 500);
        let _ = ledger.charge(now, flood, bytes(16 * MIB));
        for pupil in &class {
            assert!(!is_refused(ledger.charge(now, *pupil, bytes(1_200))), "two objects a second of each");
        }
    }
}

#[test]
fn a_class_behind_one_address_is_not_refused_during_floods_from_many_networks() {
    let mut ledger = ledger(None);
    let floods: Vec<Payer> =
        (0..32).map(|n| guest(&mut ledger, &format!("flood-{n}"), &format!("2001:db8:{n:x}::1"))).collect();
    let class: Vec<Payer> = (0..40).map(|n| guest(&mut ledger, &format!("pupil-{n}"), "192.0.2.2")).collect();
    exhaust(&mut ledger, &floods, Time::ZERO);
    let mut refused = 0;
    for half_second in 1..120 {
        let now = Time::from_millis(half_second * 500);
        for flood in &floods {
            refused += usize::from(is_refused(ledger.charge(now, *flood, bytes(MIB))));
        }
        for pupil in &class {
            assert!(!is_refused(ledger.charge(now, *pupil, bytes(1_200))), "two objects a second of each");
        }
    }
    assert!(refused > 1_000, "negative control: {refused}");
}

#[test]
fn a_flooding_pupil_does_not_cause_refusals_for_its_class() {
    let mut ledger = ledger(None);
    let class: Vec<Payer> = (0..40).map(|n| guest(&mut ledger, &format!("pupil-{n}"), "192.0.2.2")).collect();
    exhaust(&mut ledger, &class[..1], Time::ZERO);
    for half_second in 1..120 {
        let now = Time::from_millis(half_second * 500);
        let _ = ledger.charge(now, class[0], bytes(16 * MIB));
        for pupil in &class[1..] {
            assert!(!is_refused(ledger.charge(now, *pupil, bytes(1_200))));
        }
    }
}

#[test]
fn a_customer_with_many_networks_has_the_share_of_eight_households() {
    let mut ledger = ledger(None);
    let tunnel: Vec<Payer> =
        (0..256).map(|n| guest(&mut ledger, &format!("tunnel-{n}"), &format!("2001:db8:0:{n:x}00::1"))).collect();
    exhaust(&mut ledger, &tunnel, Time::ZERO);
    let homes: Vec<Payer> = (0..8).map(|n| guest(&mut ledger, &format!("home-{n}"), &format!("192.0.2.{n}"))).collect();
    let given = charge_until_refused(&mut ledger, &homes, 64 * 1_024);
    assert!((28 * MIB..36 * MIB).contains(&given), "eight of sixteen shares: {given}");
}

#[test]
fn each_guest_on_this_machine_has_its_own_share() {
    let mut ledger = ledger(None);
    let (flood, honest) = (guest(&mut ledger, "flood", "127.0.0.1"), guest(&mut ledger, "honest", "127.0.0.1"));
    exhaust(&mut ledger, &[flood], Time::ZERO);
    assert!(!is_refused(ledger.charge(Time::ZERO, honest, bytes(16 * MIB))));
}

#[test]
fn a_guests_flood_uses_none_of_the_members_capacity() {
    let mut ledger = ledger(None);
    let flood = guest(&mut ledger, "flood", "192.0.2.1");
    exhaust(&mut ledger, &[flood], Time::ZERO);
    let member = ledger.payer(PayerClass::Members, "flood", network("192.0.2.1"), Time::ZERO);
    assert_eq!(ledger.charge(Time::ZERO, member, bytes(16 * MIB)), ChargeVerdict::Pass);
}

#[test]
fn a_payer_is_limited_to_its_own_rate_and_pays_debt_for_past_work() {
    let own = PayerRateBound { per_s: 64 * 1_024, burst: 4 * 1_024 * 1_024, of: "bytes of a guest" };
    let mut ledger = ledger(Some(own));
    let ada = guest(&mut ledger, "ada", "192.0.2.1");
    let passed = (0..100).filter(|_| !is_refused(ledger.charge(Time::ZERO, ada, bytes(MIB)))).count();
    assert_eq!(passed, 4);
    ledger.settle(Time::ZERO, ada, bytes(6 * MIB));
    let ChargeVerdict::Refuse(refused) = ledger.check(Time::from_secs(90), ada, bytes(1)) else { panic!("it owes") };
    assert_eq!(refused.limit.unwrap().of, "bytes of a guest");
    assert_eq!(ledger.check(Time::from_secs(97), ada, bytes(1)), ChargeVerdict::Pass);
}

#[test]
fn a_returning_payer_gets_the_same_payer_id() {
    let mut ledger = ledger(None);
    let before = guest(&mut ledger, "ada", "192.0.2.1");
    assert_eq!(guest(&mut ledger, "ada", "192.0.2.1"), before);
    assert_ne!(guest(&mut ledger, "bo", "192.0.2.1"), before);
    assert_ne!(ledger.payer(PayerClass::Members, "ada", None, Time::ZERO), before);
}

#[test]
fn a_level_falls_on_release_and_never_exceeds_its_ceiling() {
    let level = Bound::Level { most: 8 * MIB, ceiling: 16 * MIB };
    let bounds = PayerClassBounds {
        resource: Resource::QueuedBytes,
        class: PayerClass::Guests,
        own: None,
        shared: level,
        of: "bytes that wait for the disk",
    };
    let mut ledger = Ledger::new(&[bounds], Time::ZERO);
    let queued = |amount| Cost { resource: Resource::QueuedBytes, amount };
    let payers: Vec<Payer> = (0..64).map(|n| guest(&mut ledger, &format!("{n}"), &format!("192.0.2.{n}"))).collect();
    let taken = (0..100).filter(|_| !is_refused(ledger.charge(Time::ZERO, payers[0], queued(MIB)))).count();
    assert_eq!(taken, 8);
    let total: usize =
        payers[1..].iter().filter(|payer| !is_refused(ledger.charge(Time::ZERO, **payer, queued(MIB)))).count();
    assert!((1..=8).contains(&total), "up to the ceiling: {total}");
    for _ in 0..8 {
        ledger.release(payers[0], queued(MIB));
    }
    assert_eq!(ledger.usage(Time::ZERO).next().unwrap().2, total as u64 * MIB);
    assert!(!is_refused(ledger.charge(Time::ZERO, payers[0], queued(MIB))), "negative control");
}

#[test]
fn a_full_payer_table_admits_new_payers_and_stays_bounded() {
    let mut ledger = ledger(Some(PayerRateBound { per_s: 1, burst: 1, of: "bytes of a guest" }));
    for number in 0..2 * u32::try_from(limits::PAYERS_MAX).unwrap() {
        let address = core::net::Ipv4Addr::from_bits(0x0a00_0000 + number);
        let payer = guest(&mut ledger, &format!("guest-{number}"), &format!("{address}"));
        assert!(!is_refused(ledger.charge(Time::ZERO, payer, bytes(1))));
    }
    assert!(ledger.ids.len() <= limits::PAYERS_MAX && ledger.bounds[0].own.len() <= limits::PAYERS_MAX);
    assert!(ledger.bounds[0].shared.payers() <= limits::PAYERS_MAX);
}

#[test]
fn the_water_level_cuts_only_the_largest_uses_to_fit_the_capacity() {
    let level = |amounts: &[u64], capacity| {
        let mut uses: Vec<UseAndWeight> =
            amounts.iter().map(|amount| UseAndWeight { amount: *amount, weight: 1 }).collect();
        water_level(&mut uses, capacity)
    };
    assert_eq!(level(&[10, 20, 90], 90), 60);
    assert_eq!(level(&[50, 50, 50], 90), 30);
    assert_eq!(level(&[10, 20, 30], 90), 30, "the largest, if all fit");
    assert_eq!(level(&[], 90), 90);
    let mut weighted = [UseAndWeight { amount: 80, weight: 4 }, UseAndWeight { amount: 30, weight: 1 }];
    assert_eq!(water_level(&mut weighted, 50), 10);
}

/// Random payers charge at random times. Those below an even share of the capacity are never refused, and all together
/// stay near the capacity of a window.
#[test]
fn small_payers_are_never_refused_and_the_bound_holds() {
    for seed in 1..=20_u64 {
        let mut random = Rng::with_seed(seed);
        let mut ledger = ledger(None);
        let payers: Vec<Payer> = (0..8).map(|n| guest(&mut ledger, &format!("{n}"), &format!("192.0.2.{n}"))).collect();
        let mut accepted: BTreeMap<u64, u64> = BTreeMap::new();
        let mut now = Time::ZERO;
        for _ in 0..10_000 {
            now = now + Duration::from_millis(random.u64(0..20));
            let payer = random.u64(0..8);
            // The first two send at most 20 kB every 80 ms on average: 4 MB in a window, of 8 MiB each.
            let amount = if payer < 2 { 1 + random.u64(0..20_000) } else { 1 + random.u64(0..MIB / 2) };
            let verdict = ledger.charge(now, payers[usize::try_from(payer).unwrap()], bytes(amount));
            if is_refused(verdict) {
                assert!(payer >= 2, "seed {seed}: a small payer was refused at {now:?}");
            } else {
                *accepted.entry(now.as_nanos() / u64::try_from(WINDOW.as_nanos()).unwrap()).or_default() += amount;
            }
        }
        // The first window has the burst besides the rate. In the others payers that return below their shares pass
        // beyond the capacity, by the harmonic number of their count at most: 2.7 for eight.
        assert!(accepted.len() > 3, "seed {seed}: negative control: {} windows", accepted.len());
        let most = accepted.values().skip(1).max().copied().unwrap_or(0);
        assert!(most <= 64 * MIB * 5 / 2, "seed {seed}: {most}");
        assert!(most >= 32 * MIB, "seed {seed}: negative control: the load reaches the bound: {most}");
    }
}

#[test]
fn payers_above_their_share_are_paced_and_small_payers_are_not() {
    let mut ledger = ledger(None);
    let floods: Vec<Payer> = (0..50).map(|n| guest(&mut ledger, &format!("flood-{n}"), "192.0.2.1")).collect();
    let honest = guest(&mut ledger, "honest", "192.0.2.2");
    assert_eq!(ledger.pace(Time::ZERO, floods[0], bytes(MIB)), Duration::ZERO, "the bound is not reached");
    // Each sends as soon as it may, for a minute.
    let mut due: Vec<(Time, Payer)> = floods.iter().map(|flood| (Time::ZERO, *flood)).collect();
    let end = Time::ZERO + Duration::from_secs(60);
    let mut sent = 0;
    loop {
        let (at, flood) = due.iter_mut().min_by_key(|(at, _)| *at).unwrap();
        if *at > end {
            break;
        }
        let pause = ledger.pace(*at, *flood, bytes(64 * 1_024));
        *at = *at + pause + Duration::from_millis(1);
        sent += 64 * 1_024;
    }
    // The burst, and a minute's rate.
    let bound = 64 * MIB + 60 * 4 * MIB;
    assert!(sent <= bound + bound / 4, "{} MiB", sent / MIB);
    assert!(sent >= bound / 2, "{} MiB: the rate is used", sent / MIB);
    assert_eq!(ledger.pace(end, honest, bytes(64 * 1_024)), Duration::ZERO);
}
