use alloc::vec;
use alloc::vec::Vec;

use fastrand::Rng;
use petgraph::algo::{dijkstra, min_spanning_tree};
use petgraph::data::Element;
use petgraph::graph::{NodeIndex, UnGraph};

use super::*;
use crate::limits;

const SEEDS: u64 = 300;

/// Random points in a square of side 2, as in the paper, with straight distances.
fn points(rng: &mut Rng, count: usize) -> OverlayLinkMatrix {
    let points: Vec<[f64; 2]> = (0..count).map(|_| [rng.f64() * 2.0 - 1.0, rng.f64() * 2.0 - 1.0]).collect();
    OverlayLinkMatrix::new(count, |one, other| {
        let [x, y] = [0, 1].map(|axis| points[one][axis] - points[other][axis]);
        x.hypot(y)
    })
    .expect("lengths")
}

/// Servers with links of random length between a third of the pairs; a line connects all.
fn sparse(rng: &mut Rng, count: usize) -> OverlayLinkMatrix {
    let lengths: Vec<f64> = (0..count * count).map(|_| f64::from(rng.u32(1..1_000))).collect();
    let has: Vec<bool> = (0..count * count).map(|_| rng.u8(..3) == 0).collect();
    let length = |one: usize, other: usize| {
        let at = one * count + other;
        if has[at] || other == one + 1 { lengths[at] } else { f64::INFINITY }
    };
    OverlayLinkMatrix::new(count, length).expect("lengths")
}

fn limits(rng: &mut Rng, count: usize) -> Vec<ServerTrafficLimits> {
    // Whole numbers, whose sums are exact in any order.
    (0..count)
        .map(|_| ServerTrafficLimits { send: f64::from(rng.u8(..20)), receive: f64::from(rng.u8(..90)) })
        .collect()
}

fn grown(links: &OverlayLinkMatrix, root: usize, stretch: f64) -> Comtree {
    Comtree::grow(links, root, stretch).expect("all are joined")
}

fn petgraph_of(links: &OverlayLinkMatrix) -> UnGraph<(), f64> {
    let pairs = (0..links.count()).flat_map(|one| (one + 1..links.count()).map(move |other| (one, other)));
    let there = pairs.filter(|(one, other)| links.length(*one, *other).is_finite());
    UnGraph::from_edges(there.map(|(one, other)| (one as u32, other as u32, links.length(one, other))))
}

/// All trees over this many servers as parents towards the last one, from their Prüfer sequences.
fn all_trees(count: usize) -> Vec<Vec<usize>> {
    let sequences = count.pow(count.saturating_sub(2) as u32);
    (0..sequences)
        .map(|number| {
            let sequence: Vec<usize> =
                (0..count - 2).map(|at| number / count.pow(at as u32) % count).chain([count - 1]).collect();
            let mut degrees = vec![1; count];
            sequence[..count - 2].iter().for_each(|&server| degrees[server] += 1);
            let mut parents = vec![count - 1; count];
            for &parent in &sequence {
                let leaf = degrees.iter().position(|&degree| degree == 1).expect("a leaf is left");
                parents[leaf] = parent;
                degrees[leaf] -= 1;
                degrees[parent] -= 1;
            }
            parents
        })
        .collect()
}

/// Whether a server is below the link between `top` and its parent.
fn is_below(parents: impl Fn(usize) -> Option<usize>, server: usize, top: usize) -> bool {
    core::iter::successors(Some(server), |&at| parents(at)).any(|at| at == top)
}

/// A link's capacity by definition, from sums over both sides.
fn capacity_by_definition(
    parents: &[usize],
    top: usize,
    (limits, core): (&[ServerTrafficLimits], &[usize]),
) -> LinkCapacity {
    let parent = |at: usize| (parents[at] != at).then(|| parents[at]);
    let (below, above): (Vec<usize>, Vec<usize>) = (0..parents.len()).partition(|&at| is_below(parent, at, top));
    let needed = |from: &[usize], to: &[usize]| {
        let send: f64 = from.iter().map(|&at| limits[at].send).sum();
        let receive: f64 = to.iter().map(|&at| limits[at].receive).sum();
        if to.iter().any(|at| core.contains(at)) { send } else { send.min(receive) }
    };
    LinkCapacity { up: needed(&below, &above), down: needed(&above, &below) }
}

fn parents_of(tree: &Comtree) -> Vec<usize> {
    (0..tree.count()).map(|server| tree.parent(server).unwrap_or(server)).collect()
}

#[test]
fn a_tree_without_a_stretch_bound_is_the_shortest_of_all_trees() {
    for seed in 0..20 {
        let links = points(&mut Rng::with_seed(seed), 6);
        let length = |parents: &Vec<usize>| (0..5).map(|at| links.length(at, parents[at])).sum::<f64>();
        let trees = all_trees(6);
        assert_eq!(trees.len(), 1_296, "Cayley: 6⁴ trees");
        let shortest = trees.iter().map(length).fold(f64::INFINITY, f64::min);
        for root in 0..6 {
            let ours = grown(&links, root, f64::INFINITY).length();
            assert!((ours - shortest).abs() < 1e-9, "seed {seed}: {ours}, and {shortest} is there");
        }
    }
}

#[test]
fn a_tree_without_a_stretch_bound_is_as_short_as_petgraphs() {
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let links = if rng.bool() { points(&mut rng, 30) } else { sparse(&mut rng, 30) };
        let theirs: f64 = min_spanning_tree(&petgraph_of(&links))
            .filter_map(|element| match element {
                Element::Edge { weight, .. } => Some(weight),
                Element::Node { .. } => None,
            })
            .sum();
        let ours = grown(&links, rng.usize(..30), f64::INFINITY).length();
        assert!((ours - theirs).abs() < 1e-9, "seed {seed}: {ours}, petgraph has {theirs}");
    }
}

#[test]
fn root_paths_with_a_stretch_of_one_are_as_short_as_petgraphs() {
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let links = if rng.bool() { points(&mut rng, 30) } else { sparse(&mut rng, 30) };
        let root = rng.usize(..30);
        let theirs = dijkstra(&petgraph_of(&links), NodeIndex::new(root), None, |edge| *edge.weight());
        let tree = grown(&links, root, 1.0);
        for server in 0..30 {
            let theirs = theirs[&NodeIndex::new(server)];
            assert!((tree.depth(server) - theirs).abs() < 1e-9, "seed {seed}: {server}");
        }
    }
}

#[test]
fn no_path_to_the_root_exceeds_the_stretch_bound() {
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let links = if rng.bool() { points(&mut rng, 25) } else { sparse(&mut rng, 25) };
        let (root, stretch) = (rng.usize(..25), 1.0 + rng.f64() * 2.0);
        let tree = grown(&links, root, stretch);
        let shortest = links.shortest_from(root).expect("a server");
        assert_eq!(tree.order().count(), 25, "seed {seed}: all are in");
        for server in 0..25 {
            let (way, shortest) = (tree.depth(server), shortest[server]);
            assert!(way <= shortest * stretch * 1.000_000_1, "seed {seed}: {server} is {way} away, not {shortest}");
        }
        let unbounded = grown(&links, root, f64::INFINITY);
        assert!(tree.length() >= unbounded.length() - 1e-9, "seed {seed}: none is shorter than the shortest");
    }
    let is_longer = (0..SEEDS).any(|seed| {
        let links = points(&mut Rng::with_seed(seed), 25);
        let shortest = links.shortest_from(0).expect("a server");
        let tree = grown(&links, 0, f64::INFINITY);
        (0..25).any(|server| tree.depth(server) > 3.0 * shortest[server])
    });
    assert!(is_longer, "negative control: without a bound some ways are long");
}

#[test]
fn path_lengths_in_the_tree_are_the_sums_of_its_links() {
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let tree = grown(&sparse(&mut rng, 12), rng.usize(..12), 1.5);
        let alone = UnGraph::<(), f64>::from_edges(
            tree.links().map(|(server, parent, length)| (server as u32, parent as u32, length)),
        );
        for one in 0..12 {
            let theirs = dijkstra(&alone, NodeIndex::new(one), None, |edge| *edge.weight());
            for other in 0..12 {
                assert_eq!(tree.way(one, other), theirs[&NodeIndex::new(other)], "seed {seed}: {one} to {other}");
            }
        }
    }
}

#[test]
fn each_links_capacity_matches_the_definition() {
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let count = rng.usize(1..14);
        let tree = grown(&sparse(&mut rng, count), rng.usize(..count), 1.0 + rng.f64());
        let limits = limits(&mut rng, count);
        for core in [CoreRouters::none(&tree), CoreRouters::within(&tree, rng.usize(..4))] {
            let capacities = tree.provision(&limits, &core).expect("limits");
            let routers: Vec<usize> = (0..count).filter(|server| core.has(*server)).collect();
            for (server, ..) in tree.links() {
                let wanted = capacity_by_definition(&parents_of(&tree), server, (&limits, &routers));
                assert_eq!(capacities[server], wanted, "seed {seed}: above {server}, core {routers:?}");
            }
            assert_eq!(capacities[tree.root()], LinkCapacity::default(), "nothing is above the root");
        }
    }
}

/// Random traffic within all limits: sender, rate, receivers.
fn traffic(rng: &mut Rng, limits: &[ServerTrafficLimits]) -> Vec<(usize, f64, Vec<usize>)> {
    let (mut sendable, mut receivable) =
        (limits.iter().map(|it| it.send).collect::<Vec<_>>(), limits.iter().map(|it| it.receive).collect::<Vec<_>>());
    let mut flows = Vec::new();
    for _ in 0..60 {
        let from = rng.usize(..limits.len());
        let others = (0..limits.len()).filter(|at| *at != from);
        let receivers: Vec<usize> = others.filter(|_| rng.bool()).collect();
        let room = receivers.iter().map(|&at| receivable[at]).fold(sendable[from], f64::min);
        if room > 0.0 {
            receivers.iter().for_each(|&at| receivable[at] -= room);
            sendable[from] -= room;
            flows.push((from, room, receivers));
        }
    }
    flows
}

#[test]
fn no_traffic_within_the_limits_exceeds_a_capacity() {
    let mut full = 0;
    for seed in 0..SEEDS {
        let mut rng = Rng::with_seed(seed);
        let tree = grown(&points(&mut rng, 10), rng.usize(..10), 1.0 + rng.f64());
        let limits = limits(&mut rng, 10);
        for core in [CoreRouters::none(&tree), CoreRouters::within(&tree, rng.usize(..3))] {
            let capacities = tree.provision(&limits, &core).expect("limits");
            let mut carried = [LinkCapacity::default(); 10];
            for (from, rate, receivers) in traffic(&mut rng, &limits) {
                let needs = |at: usize| receivers.contains(&at) || core.has(at);
                for (server, ..) in tree.links() {
                    let below = |at: usize| is_below(|at| tree.parent(at), at, server);
                    let is_wanted = |side: bool| (0..10).any(|at| below(at) == side && needs(at));
                    let carried = &mut carried[server];
                    match below(from) {
                        true if is_wanted(false) => carried.up += rate,
                        false if is_wanted(true) => carried.down += rate,
                        _ => {}
                    }
                }
            }
            for (carried, capacity) in carried.iter().zip(&capacities) {
                assert!(carried.up <= capacity.up && carried.down <= capacity.down, "seed {seed}");
                full += usize::from(carried.up > 0.0 && carried.up == capacity.up);
            }
        }
    }
    assert!(full > 100, "negative control: the traffic fills links, {full} of them");
}

/// The lowest cost of all trees, and that of the shortest-path tree from its best root.
fn cheapest(links: &OverlayLinkMatrix, limits: &[ServerTrafficLimits]) -> (f64, f64) {
    let cost = |parents: &Vec<usize>| -> f64 {
        let each = (0..links.count() - 1)
            .map(|at| capacity_by_definition(parents, at, (limits, &[])).both() * links.length(at, parents[at]));
        each.sum()
    };
    let roots: Vec<usize> = (0..links.count()).collect();
    let wanted = PlanRequest { limits, core_hops: None, roots: &roots, stretches: &[1.0] };
    let least = all_trees(links.count()).iter().map(cost).fold(f64::INFINITY, f64::min);
    (least, ComtreePlan::cheapest(links, &wanted).expect("a plan").cost)
}

#[test]
fn the_best_shortest_path_tree_is_within_the_papers_bound_of_the_cheapest() {
    let mut is_dearer = false;
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let links = points(&mut rng, 5);
        let fan_out = f64::from(rng.u8(1..5));
        let sends: Vec<f64> = (0..5).map(|_| f64::from(rng.u8(1..9))).collect();
        let limits: Vec<ServerTrafficLimits> =
            sends.iter().map(|&send| ServerTrafficLimits { send, receive: send * fan_out }).collect();
        let (least, ours) = cheapest(&links, &limits);
        assert!(ours >= least - 1e-9, "seed {seed}: none is cheaper than the cheapest");
        assert!(ours <= least * f64::midpoint(1.0, fan_out) + 1e-9, "seed {seed}: {ours}, {least} at {fan_out}");
        is_dearer |= ours > least * 1.05;
    }
    assert!(is_dearer, "negative control: it is not always the cheapest");
}

#[test]
fn the_best_shortest_path_tree_is_the_cheapest_if_sends_equal_receives() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let links = points(&mut rng, 5);
        let mut limits = limits(&mut rng, 5);
        let receives: f64 = limits.iter().map(|it| it.receive).sum();
        let sends: f64 = limits.iter().map(|it| it.send).sum();
        limits[0].send += (receives - sends).max(0.0);
        limits[0].receive += (sends - receives).max(0.0);
        let (least, ours) = cheapest(&links, &limits);
        assert!((ours - least).abs() < 1e-9, "seed {seed}: {ours}, {least} is the cheapest");
    }
}

#[test]
fn a_larger_core_costs_more() {
    let links = points(&mut Rng::with_seed(3), 25);
    let tree = grown(&links, 0, 1.2);
    let limits = [ServerTrafficLimits { send: 25.0, receive: 250.0 }; 25];
    let cost = |core: &CoreRouters| tree.cost(&tree.provision(&limits, core).expect("limits"));
    let cores = [CoreRouters::none(&tree)].into_iter().chain((0..4).map(|hops| CoreRouters::within(&tree, hops)));
    let costs: Vec<f64> = cores.map(|core| cost(&core)).collect();
    assert!(costs.is_sorted(), "{costs:?}");
    assert!(costs[4] > costs[0] * 1.1, "{costs:?}");
    assert_eq!(CoreRouters::within(&tree, 0).count(), 1);
    assert_eq!(CoreRouters::within(&tree, usize::MAX).count(), 25);
}

#[test]
fn links_to_servers_without_traffic_get_no_capacity() {
    // A line; the last two servers are not needed.
    let links =
        OverlayLinkMatrix::new(4, |one, other| if other == one + 1 { 1.0 } else { f64::INFINITY }).expect("lengths");
    let tree = grown(&links, 0, 1.0);
    let served = ServerTrafficLimits { send: 2.0, receive: 3.0 };
    let limits = [served, served, ServerTrafficLimits::default(), ServerTrafficLimits::default()];
    let capacities = tree.provision(&limits, &CoreRouters::within(&tree, 0)).expect("limits");
    assert_eq!(capacities[1], LinkCapacity { up: 2.0, down: 2.0 });
    assert_eq!(capacities[2..], [LinkCapacity::default(); 2]);
}

#[test]
fn invalid_plan_inputs_are_errors() {
    let links = points(&mut Rng::with_seed(1), 3);
    let grow = |root, stretch| Comtree::grow(&links, root, stretch).map(|_| ());
    assert_eq!(grow(0, 1.0), Ok(()), "negative control");
    assert_eq!(grow(3, 1.0), Err(OverlayPlanError::NoSuchServer { got: 3, count: 3 }));
    assert_eq!(grow(0, 0.9), Err(OverlayPlanError::Stretch { got: 0.9 }));
    assert!(matches!(grow(0, f64::NAN), Err(OverlayPlanError::Stretch { .. })));
    let apart = OverlayLinkMatrix::new(2, |_, _| f64::INFINITY).expect("lengths");
    assert_eq!(Comtree::grow(&apart, 0, 2.0).map(|_| ()), Err(OverlayPlanError::NoWay { from: 0, to: 1 }));
    let max = limits::OVERLAY_SERVERS_MAX;
    let made = |count, length| OverlayLinkMatrix::new(count, |_, _| length).map(|_| ());
    assert_eq!(made(max + 1, 1.0), Err(OverlayPlanError::TooMany { got: max + 1, max }));
    assert_eq!(made(2, -1.0), Err(OverlayPlanError::Length { one: 0, other: 1, got: -1.0 }));
    let tree = grown(&links, 0, 1.0);
    let provision = |limits: &[ServerTrafficLimits]| tree.provision(limits, &CoreRouters::none(&tree)).map(|_| ());
    let fit = ServerTrafficLimits { send: 1.0, receive: 1.0 };
    assert_eq!(provision(&[fit; 3]), Ok(()), "negative control");
    assert_eq!(provision(&[fit; 4]), Err(OverlayPlanError::Limits { got: 4, count: 3 }));
    let bad = ServerTrafficLimits { send: f64::INFINITY, receive: 1.0 };
    assert_eq!(provision(&[fit, bad, fit]), Err(OverlayPlanError::Limits { got: 2, count: 3 }));
    let wanted = PlanRequest { limits: &[fit; 3], core_hops: None, roots: &[], stretches: &[1.0] };
    assert_eq!(ComtreePlan::cheapest(&links, &wanted).map(|_| ()), Err(OverlayPlanError::NoChoice));
}

#[test]
fn servers_at_one_position_are_joined_by_a_tree_of_length_zero() {
    let links = OverlayLinkMatrix::new(3, |_, _| 0.0).expect("lengths");
    for stretch in [1.0, 1.2, f64::INFINITY] {
        assert_eq!(grown(&links, 1, stretch).length(), 0.0);
    }
}
