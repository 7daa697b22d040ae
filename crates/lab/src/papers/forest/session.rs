//! Plays one session of Forest's game, in virtual time. Players run about the halls, and each belongs to one server. A
//! server subscribes to the regions that any of its players sees, and receives the updates of foreign players
//! there. Source: Forest sections 4.1, 4.2 and 5.2. A pure state machine: the same seeds give the same numbers.
//!
//! Left open by the paper and fixed here: servers evaluate visibility in each tick, and leave a region as soon as
//! none of their players sees it. A subscription takes effect in the next tick on any path, since paths are shorter
//! than a tick. Each change is a packet of its own.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::regions::{RegionBitset, RegionGrid};
use super::routers::{CORES, RouterOverlay, TotalLinkTraffic};
use crate::bots::CrowdMovementModel;
use crate::bots::halls::HallMap;
use crate::bots::item_run::ItemRunners;
use crate::papers::numbers::{self, PaperNumberPath};

/// 20 Hz (section 5.3).
pub(super) const TICK: Duration = Duration::from_millis(50);
pub(super) const TICKS_PER_S: usize = 20;
/// Steps in which the bots spread from their starting rooms; the paper mentions no warm-up.
const WARM_UP_TICKS: usize = 30 * TICKS_PER_S;

/// Bytes of a state update and of a subscription (section 5.2: "typical payload size").
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageSizes {
    pub(super) update_bytes: u64,
    pub(super) subscription_bytes: u64,
}

impl MessageSizes {
    pub(super) fn of_paper() -> Result<MessageSizes> {
        let [update, subscription] =
            [numbers::GAME_UPDATE_BYTES, numbers::GAME_SUBSCRIPTION_BYTES].map(PaperNumberPath::read);
        Ok(MessageSizes { update_bytes: update? as u64, subscription_bytes: subscription? as u64 })
    }
}

/// Parameters of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSessionSettings {
    pub(super) servers: usize,
    pub(super) players_each: usize,
    /// Regions on each side of the grid.
    pub(super) regions_side: usize,
    pub(super) routers: usize,
    pub(super) seconds: usize,
    pub(super) sizes: MessageSizes,
    /// Seed of the map, the bots, and the routers' positions.
    pub(super) seed: u64,
}

/// Results of a session: averages over servers and ticks unless noted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SessionFigures {
    /// Foreign players whose updates a server receives.
    pub(super) fan_in: f64,
    /// Largest fan-in of all servers and ticks.
    pub(super) fan_in_max: f64,
    /// Regions to which a server is subscribed.
    pub(super) regions: f64,
    /// Changes of a server's subscriptions in a second.
    pub(super) subscriptions_per_s: f64,
    /// Most changes in a second of all servers and seconds.
    pub(super) subscriptions_per_s_max: f64,
    /// Traffic of all servers over the whole session.
    pub(super) sent_mb: f64,
    pub(super) received_mb: f64,
    pub(super) subscription_kb: f64,
    /// Time from a server's first update of a player to that player's first full state.
    pub(super) discovery_s: f64,
    /// Traffic on all links between routers, by core: all, or only the centre.
    pub(super) links: Vec<RouterLinkTrafficRates>,
}

/// Traffic on all links together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RouterLinkTrafficRates {
    pub(super) core: String,
    pub(super) updates_per_s: f64,
    pub(super) subscriptions_per_s: f64,
}

struct SimulatedGameServer {
    subscribed: RegionBitset,
    /// For each player the tick of its first update here, and whether its full state has arrived.
    heard: Vec<Option<(usize, bool)>>,
    /// Changes in the current second.
    changes: u32,
}

#[derive(Default)]
struct SessionTally {
    ticks: u64,
    fan_in: u64,
    fan_in_max: u64,
    regions: u64,
    changes: u64,
    changes_max: u32,
    discovered: u64,
    waited_ticks: u64,
    crossed: [TotalLinkTraffic; CORES.len()],
}

struct GameSimulation {
    session: GameSessionSettings,
    regions: RegionGrid,
    bots: ItemRunners,
    routers: RouterOverlay,
    servers: Vec<SimulatedGameServer>,
    tally: SessionTally,
}

impl GameSessionSettings {
    fn players(self) -> usize {
        self.servers * self.players_each
    }

    /// Plays the session to its end.
    pub(super) fn play(self) -> Result<SessionFigures> {
        let mut game = self.begin()?;
        for tick in 0..self.seconds * TICKS_PER_S {
            game.step(tick);
        }
        Ok(game.played())
    }

    /// The state after the warm-up, with all servers subscribed.
    fn begin(self) -> Result<GameSimulation> {
        let halls = Arc::new(HallMap::new(self.seed));
        let mut rng = Rng::with_seed(self.seed);
        let routers = RouterOverlay::planned(&mut rng, self.routers, (self.servers, self.players_each))?;
        let regions = RegionGrid::new(&halls, self.regions_side);
        let mut bots = ItemRunners::new(halls, self.players(), self.seed);
        (0..WARM_UP_TICKS).for_each(|_| bots.step(TICK));
        let server = || SimulatedGameServer {
            subscribed: RegionBitset::default(),
            heard: vec![None; self.players()],
            changes: 0,
        };
        let servers = (0..self.servers).map(|_| server()).collect();
        let mut game =
            GameSimulation { session: self, regions, bots, routers, servers, tally: SessionTally::default() };
        // First subscriptions are no changes.
        game.subscribe();
        game.tally = SessionTally::default();
        game.servers.iter_mut().for_each(|server| server.changes = 0);
        Ok(game)
    }
}

impl GameSimulation {
    fn step(&mut self, tick: usize) {
        self.bots.step(TICK);
        self.say(tick);
        self.subscribe();
        if (tick + 1).is_multiple_of(TICKS_PER_S) {
            self.end_second();
        }
    }

    /// Every player sends its position, and once a second its full state.
    fn say(&mut self, tick: usize) {
        let GameSimulation { session, regions, bots, routers, servers, tally } = self;
        for (player, cell) in bots.cells().enumerate() {
            let (region, home) = (regions.of(cell), player / session.players_each);
            let is_full = (tick + player).is_multiple_of(TICKS_PER_S);
            let mut subscribers = 0;
            for (number, server) in servers.iter_mut().enumerate().filter(|(number, _)| *number != home) {
                let heard = &mut server.heard[player];
                if !server.subscribed.has(region) {
                    *heard = None;
                    continue;
                }
                subscribers |= 1 << number;
                let (since, is_known) = heard.get_or_insert((tick, false));
                if is_full && !*is_known {
                    *is_known = true;
                    tally.discovered += 1;
                    tally.waited_ticks += (tick - *since) as u64;
                }
            }
            for (core, crossed) in tally.crossed.iter_mut().enumerate() {
                crossed.updates += routers.update(core, (home, subscribers));
            }
        }
        for server in servers.iter() {
            let fan_in = server.heard.iter().flatten().count() as u64;
            tally.fan_in += fan_in;
            tally.fan_in_max = tally.fan_in_max.max(fan_in);
            tally.regions += u64::from(server.subscribed.count());
        }
        tally.ticks += 1;
    }

    /// Servers subscribe to the regions that their players see.
    fn subscribe(&mut self) {
        let GameSimulation { session, regions, bots, routers, servers, tally } = self;
        let mut wanted = vec![RegionBitset::default(); servers.len()];
        for (player, cell) in bots.cells().enumerate() {
            wanted[player / session.players_each].join(regions.visible(cell));
        }
        for (number, wanted) in wanted.into_iter().enumerate() {
            let before = std::mem::replace(&mut servers[number].subscribed, wanted);
            let changes = before.differences(&wanted);
            servers[number].changes += changes;
            tally.changes += u64::from(changes);
            if changes == 0 {
                continue;
            }
            for region in (0..regions.count()).filter(|region| before.has(*region) != wanted.has(*region)) {
                let others = servers.iter().enumerate().filter(|(other, _)| *other != number);
                let subscribed = others.filter(|(_, server)| server.subscribed.has(region));
                let others = subscribed.fold(0, |bits, (other, _)| bits | 1 << other);
                for (core, crossed) in tally.crossed.iter_mut().enumerate() {
                    crossed.subscriptions += routers.subscription(core, (number, others));
                }
            }
        }
    }

    fn end_second(&mut self) {
        for server in &mut self.servers {
            self.tally.changes_max = self.tally.changes_max.max(std::mem::take(&mut server.changes));
        }
    }

    fn played(self) -> SessionFigures {
        let GameSimulation { session, tally, .. } = self;
        let (seconds, servers) = (session.seconds as f64, session.servers as f64);
        let samples = tally.ticks as f64 * servers;
        let updates = tally.ticks * session.players() as u64;
        let load = |(core, crossed): (&&str, TotalLinkTraffic)| RouterLinkTrafficRates {
            core: (*core).to_owned(),
            updates_per_s: crossed.updates as f64 / seconds,
            subscriptions_per_s: crossed.subscriptions as f64 / seconds,
        };
        SessionFigures {
            fan_in: tally.fan_in as f64 / samples,
            fan_in_max: tally.fan_in_max as f64,
            regions: tally.regions as f64 / samples,
            subscriptions_per_s: tally.changes as f64 / servers / seconds,
            subscriptions_per_s_max: f64::from(tally.changes_max),
            sent_mb: (updates * session.sizes.update_bytes) as f64 / 1e6,
            received_mb: (tally.fan_in * session.sizes.update_bytes) as f64 / 1e6,
            subscription_kb: (tally.changes * session.sizes.subscription_bytes) as f64 / 1e3,
            discovery_s: tally.waited_ticks as f64 / tally.discovered.max(1) as f64 / TICKS_PER_S as f64,
            links: CORES.iter().zip(tally.crossed).map(load).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session((servers, players_each): (usize, usize), regions_side: usize, routers: usize) -> GameSessionSettings {
        let sizes = MessageSizes::of_paper().expect("they are there");
        GameSessionSettings { servers, players_each, regions_side, routers, seconds: 20, seed: 1, sizes }
    }

    #[test]
    fn the_tick_rate_is_the_update_rate_of_the_paper() {
        let paper: serde_json::Value = numbers::whole("forest-game").expect("it is there");
        assert_eq!(paper["update_hz"], TICKS_PER_S);
        assert_eq!(TICK * TICKS_PER_S as u32, Duration::from_secs(1));
    }

    fn play(servers: usize, players_each: usize, regions_side: usize) -> SessionFigures {
        session((servers, players_each), regions_side, 3).play().expect("a session")
    }

    #[test]
    fn with_a_single_region_each_player_receives_all_other_players() {
        let played = play(4, 3, 1);
        assert_eq!((played.fan_in, played.fan_in_max, played.regions), (9.0, 9.0, 1.0));
        assert_eq!((played.subscriptions_per_s, played.subscription_kb), (0.0, 0.0));
        assert!((played.received_mb / played.sent_mb - 3.0).abs() < 1e-9, "each of four gets three quarters");
        assert!((played.sent_mb - 12.0 * 20.0 * 20.0 * 290e-6).abs() < 1e-9);
    }

    #[test]
    fn smaller_regions_lower_the_fan_in_and_raise_the_subscription_rate() {
        let [coarse, fine] = [6, 12].map(|side| play(4, 3, side));
        assert!(coarse.fan_in < 9.0 && fine.fan_in < coarse.fan_in, "{coarse:?}, {fine:?}");
        assert!(fine.subscriptions_per_s > coarse.subscriptions_per_s, "{coarse:?}, {fine:?}");
        assert!(coarse.received_mb > 100.0 * (coarse.subscription_kb / 1e3), "{coarse:?}");
    }

    #[test]
    fn a_small_core_carries_fewer_updates_and_more_subscriptions() {
        let played = play(6, 1, 6);
        let [all, centre] = &played.links[..] else { panic!("two cores") };
        assert!(centre.updates_per_s < all.updates_per_s, "{all:?}, {centre:?}");
        assert!(centre.subscriptions_per_s > 0.0 && all.subscriptions_per_s == 0.0, "{all:?}, {centre:?}");
        assert_eq!(all.updates_per_s, 6.0 * 20.0 * 2.0, "each of all updates crosses both links");
    }

    #[test]
    fn a_server_unsubscribes_from_regions_that_its_players_no_longer_see() {
        let mut game = session((4, 1), 6, 1).begin().expect("a session");
        let first: Vec<RegionBitset> = game.servers.iter().map(|server| server.subscribed).collect();
        (0..20 * TICKS_PER_S).for_each(|tick| game.step(tick));
        for (server, cell) in game.servers.iter().zip(game.bots.cells()) {
            assert_eq!(server.subscribed, *game.regions.visible(cell));
        }
        let has_moved = game.servers.iter().zip(&first).any(|(server, first)| server.subscribed != *first);
        assert!(has_moved && game.tally.changes > 0, "negative control");
    }

    #[test]
    fn a_new_player_is_discovered_after_about_half_a_second() {
        let played = play(4, 5, 6);
        assert!((0.2..0.8).contains(&played.discovery_s), "{played:?}");
    }
}
