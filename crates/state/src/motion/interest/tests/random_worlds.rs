use alloc::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::model::Model;
use super::*;

const PEOPLE: u32 = 9;
const SLOTS: u32 = 20;

/// A small random scene, its expected sets, and the changes reported so far.
struct World {
    /// Printed by each failure, to replay it.
    seed: u64,
    rng: Rng,
    interest: InterestSets,
    model: Model,
    /// Pairs that follow from the reported changes.
    reported: BTreeSet<(ObserverId, ItemId)>,
    items: BTreeMap<ItemId, InterestItem>,
    observers: BTreeMap<ObserverId, Observer>,
    now: Time,
}

impl World {
    fn new(policy: InterestSetPolicy, seed: u64) -> World {
        World {
            seed,
            rng: Rng::with_seed(seed),
            interest: InterestSets::new(policy),
            model: Model::new(policy),
            reported: BTreeSet::new(),
            items: BTreeMap::new(),
            observers: BTreeMap::new(),
            now: Time::ZERO,
        }
    }

    fn position(&mut self) -> [i32; 3] {
        let others: Vec<[i32; 3]> = self.items.values().map(|item| item.position).collect();
        match self.rng.u32(0..8) {
            0 if !others.is_empty() => others[self.rng.usize(0..others.len())],
            // On the border of two cells, or on the corner of three.
            1 => [8_660, 0, 0],
            2 => [0, 0, 10_000],
            3 => [self.rng.i32(-90_000..90_000), self.rng.i32(-20_000..20_000), self.rng.i32(-90_000..90_000)],
            _ => [self.rng.i32(-30_000..30_000), 0, self.rng.i32(-30_000..30_000)],
        }
    }

    fn put(&mut self, slot: u32, position: [i32; 3]) {
        let (item, observer) = (ItemId(slot), ObserverId(slot));
        let owner = if slot < PEOPLE {
            self.observers.insert(observer, Observer { id: observer, position });
            Some(observer)
        } else {
            self.items.get(&item).and_then(|item| item.owner)
        };
        self.items.insert(item, InterestItem { id: item, owner, position });
    }

    /// Adds, removes, hands over or teleports an item.
    fn happen(&mut self) {
        let slot = self.rng.u32(0..SLOTS);
        match self.rng.u32(0..8) {
            0 => self.remove(slot),
            // The sets learn of these by the lists only.
            1 => {
                self.items.remove(&ItemId(slot));
            }
            2 => {
                self.observers.remove(&ObserverId(slot));
            }
            3 => {
                let owner = ObserverId(self.rng.u32(0..PEOPLE));
                let owner = self.rng.bool().then_some(owner);
                if let Some(item) = self.items.get_mut(&ItemId(slot)) {
                    item.owner = owner;
                }
            }
            _ => {
                let position = self.position();
                self.put(slot, position);
            }
        }
    }

    fn remove(&mut self, slot: u32) {
        let (item, observer) = (ItemId(slot), ObserverId(slot));
        let mut changes = Vec::new();
        self.interest.remove_item(item, &mut changes);
        self.apply_changes(&changes);
        self.interest.remove_observer(observer);
        self.reported.retain(|(it, _)| *it != observer);
        self.model.remove_item(item);
        self.model.remove_observer(observer);
        self.items.remove(&item);
        self.observers.remove(&observer);
        if self.interest.policy() != InterestSetPolicy::All {
            let model: BTreeSet<(ObserverId, ItemId)> = self.model.pairs.keys().copied().collect();
            assert_eq!(self.reported, model, "seed {}", self.seed);
        }
    }

    /// All items walk or lean a little.
    fn walk(&mut self) {
        let slots: Vec<u32> = self.items.keys().map(|item| item.0).collect();
        for slot in slots {
            let reach = [0, 400, 3_000][self.rng.usize(0..3)];
            let step = [(); 3].map(|()| self.rng.i32(-reach..=reach));
            let [x, y, z] = self.items[&ItemId(slot)].position;
            // The area that the model's cells cover.
            let position = [(x + step[0]).clamp(-100_000, 100_000), y, (z + step[2]).clamp(-100_000, 100_000)];
            if self.observers.contains_key(&ObserverId(slot)) || slot >= PEOPLE {
                self.put(slot, position);
            }
        }
    }

    fn update(&mut self) {
        let items: Vec<InterestItem> = self.items.values().copied().collect();
        let observers: Vec<Observer> = self.observers.values().copied().collect();
        let present = InterestInput { items: &items, observers: &observers };
        let mut changes = Vec::new();
        self.interest.update(present, self.now, &mut changes);
        self.model.update(present, self.now);
        let there = &self.observers;
        self.reported.retain(|(observer, _)| there.contains_key(observer));
        self.apply_changes(&changes);
        self.now = self.now + Duration::from_millis(self.rng.u64(200..350));
    }

    /// Checks that the changes ascend and each has an effect.
    fn apply_changes(&mut self, changes: &[InterestMembershipChange]) {
        let ascend = changes.is_sorted_by(|one, next| (one.observer, one.item) < (next.observer, next.item));
        assert!(ascend, "seed {}: {changes:?}", self.seed);
        for &InterestMembershipChange { observer, item, entered } in changes {
            let changed = match entered {
                true => self.reported.insert((observer, item)),
                false => self.reported.remove(&(observer, item)),
            };
            assert!(changed, "seed {}: {observer:?} {item:?} {entered}", self.seed);
        }
    }

    /// Compares both directions and the reported changes with the model.
    fn check(&self) {
        let model: BTreeSet<(ObserverId, ItemId)> = self.model.pairs.keys().copied().collect();
        let slots = 0..SLOTS + 2;
        let observed = |it| self.interest.visible(it).map(move |item| (it, item));
        let observed: Vec<(ObserverId, ItemId)> = slots.clone().map(ObserverId).flat_map(observed).collect();
        let observed_by = |it| self.interest.watchers(it).map(move |observer| (observer, it));
        let observed_by: Vec<(ObserverId, ItemId)> = slots.map(ItemId).flat_map(observed_by).collect();
        let seed = self.seed;
        assert_eq!((observed.len(), observed_by.len()), (model.len(), model.len()), "seed {seed}: each once");
        assert_eq!(observed.into_iter().collect::<BTreeSet<_>>(), model, "seed {seed}");
        assert_eq!(observed_by.into_iter().collect::<BTreeSet<_>>(), model, "seed {seed}");
        if self.interest.policy() == InterestSetPolicy::All {
            assert!(self.reported.is_empty(), "seed {seed}");
        } else {
            assert_eq!(self.reported, model, "seed {seed}");
        }
    }

    /// Passes the time of the hysteresis.
    fn settle(&mut self) {
        for _ in 0..4 {
            self.update();
            self.check();
        }
        let lingers = |fell_out_at: &Option<Time>| fell_out_at.is_some();
        assert!(!self.model.pairs.values().any(lingers), "seed {}: seen only because it was", self.seed);
    }
}

/// A policy with parameters that fit the size of the worlds.
fn scaled(policy: InterestSetPolicy) -> InterestSetPolicy {
    match policy {
        InterestSetPolicy::All | InterestSetPolicy::Hex { .. } => policy,
        InterestSetPolicy::Radius { .. } => InterestSetPolicy::Radius { radius_mm: 20_000 },
        InterestSetPolicy::Nearest { .. } => InterestSetPolicy::Nearest { count: 3 },
    }
}

fn run(policy: InterestSetPolicy) {
    run_seeds(policy, 1_000);
}

fn run_seeds(policy: InterestSetPolicy, seeds: u64) {
    let policy = scaled(policy);
    for seed in 0..seeds {
        let mut world = World::new(policy, seed);
        for _ in 0..30 {
            (0..3).for_each(|_| world.happen());
            world.walk();
            world.update();
            world.check();
        }
        world.settle();
    }
}

#[test]
fn fifty_random_worlds_match_the_model_under_every_policy() {
    for policy in InterestSetPolicy::SAMPLES {
        run_seeds(policy, 50);
    }
}

#[test]
fn a_thousand_random_worlds_match_the_model_under_policy_all() {
    run(InterestSetPolicy::All);
}

#[test]
fn a_thousand_random_worlds_match_the_model_under_policy_radius() {
    run(InterestSetPolicy::RADIUS);
}

#[test]
fn a_thousand_random_worlds_match_the_model_under_policy_nearest() {
    run(InterestSetPolicy::NEAREST);
}

#[test]
fn a_thousand_random_worlds_match_the_model_under_policy_hex() {
    run(InterestSetPolicy::HEX);
}

#[test]
fn the_same_inputs_give_the_same_order_of_visible_items() {
    for policy in POLICIES {
        let orders = [(); 2].map(|()| {
            let mut world = World::new(policy, 7);
            for _ in 0..30 {
                world.happen();
                world.walk();
                world.update();
            }
            let orders = (0..SLOTS).map(|slot| world.interest.visible(ObserverId(slot)).collect::<Vec<_>>());
            orders.collect::<Vec<_>>()
        });
        assert_eq!(orders[0], orders[1], "{policy:?}");
        assert!(orders[0].iter().any(|order| !order.is_empty()), "negative control: {policy:?}");
    }
}
