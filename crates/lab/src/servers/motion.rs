//! Servers of the motion plane under test, and how people get in: Stoa with tickets of its own, or the bare machines with tokens of the lab's.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use stoa_state::motion::interest::Policy;

use super::bare::Bare;
use super::gate::Gate;
use super::relay::Relay;
use super::{Running, Stage, stoa};
use crate::crowd::Cast;
use crate::http;

/// The most that a scene may have: the core is to be measured, not the budget.
const BYTES_PER_S: u32 = stoa_state::limits::MOTION_BYTES_PER_S_MAX;
const SUBTICK_US: u64 = stoa_state::limits::MOTION_SUBTICK.as_micros() as u64;

/// How a server shares motion.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MotionOptions {
    /// all, radius, nearest or hex
    #[arg(long, default_value = "all")]
    pub(crate) policy: String,
    /// Each receiver's byte budget
    #[arg(long, default_value_t = BYTES_PER_S)]
    pub(crate) bytes_per_s: u32,
    /// Between two groups of receivers, of which there are five
    #[arg(long, default_value_t = SUBTICK_US)]
    pub(crate) subtick_us: u64,
    /// auto, at-once or ticks [default: the server's own]
    #[arg(long)]
    pub(crate) serving: Option<String>,
}

impl Default for MotionOptions {
    /// As the command line has it.
    fn default() -> MotionOptions {
        let subtick_us = SUBTICK_US;
        MotionOptions { policy: "all".to_owned(), bytes_per_s: BYTES_PER_S, subtick_us, serving: None }
    }
}

impl MotionOptions {
    pub(crate) fn policy(&self) -> Result<Policy> {
        Ok(match self.policy.as_str() {
            "all" => Policy::All,
            "radius" => Policy::RADIUS,
            "nearest" => Policy::NEAREST,
            "hex" => Policy::HEX,
            other => bail!("no policy is called {other}"),
        })
    }

    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let MotionOptions { policy, bytes_per_s, subtick_us, serving } = self;
        let mut arguments = vec![
            format!("--policy={policy}"),
            format!("--bytes-per-s={bytes_per_s}"),
            format!("--subtick-us={subtick_us}"),
        ];
        arguments.extend(serving.as_ref().map(|way| format!("--serving={way}")));
        arguments
    }
}

/// Which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MotionKind {
    /// This project's release binary.
    Stoa,
    /// Its machines alone.
    Bare,
}

/// A server of the motion plane that runs until this is dropped.
pub(crate) enum MotionServer<'a> {
    Stoa { running: Running, address: SocketAddr, stage: &'a Stage },
    Bare(Bare),
    Relay(Relay),
}

impl MotionServer<'_> {
    pub(crate) fn start<'a>(kind: MotionKind, stage: &'a Stage, options: &MotionOptions) -> Result<MotionServer<'a>> {
        Ok(match kind {
            MotionKind::Bare => MotionServer::Bare(Bare::start(options)?),
            MotionKind::Stoa => {
                let (running, address) = stoa::start_with_motion(stage, options)?;
                MotionServer::Stoa { running, address, stage }
            }
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        match self {
            MotionServer::Stoa { running, .. } => running.pid(),
            MotionServer::Bare(bare) => bare.pid(),
            MotionServer::Relay(relay) => relay.pid(),
        }
    }

    /// Where its pages are.
    pub(crate) fn http(&self) -> Result<SocketAddr> {
        match self {
            MotionServer::Stoa { running, .. } => running.http(),
            MotionServer::Bare(_) | MotionServer::Relay(_) => bail!("only a realm has pages"),
        }
    }

    /// The ports of its UDP sockets.
    pub(crate) fn ports(&self) -> impl Iterator<Item = u16> {
        let webtransport = match self {
            MotionServer::Stoa { running, .. } => running.secure_address(),
            MotionServer::Bare(_) | MotionServer::Relay(_) => None,
        };
        [Some(self.address()), webtransport].into_iter().flatten().map(|address| address.port())
    }

    /// Where its datagrams go.
    pub(crate) fn address(&self) -> SocketAddr {
        match self {
            MotionServer::Stoa { address, .. } => *address,
            MotionServer::Bare(bare) => bare.address,
            MotionServer::Relay(relay) => relay.address,
        }
    }

    /// What the server says that it dropped, by reason; beside it, how many poses it left out for receivers' budgets.
    pub(crate) fn dropped(&self) -> Result<(BTreeMap<String, u64>, u64)> {
        let MotionServer::Stoa { running, .. } = self else { return Ok((BTreeMap::new(), 0)) };
        let page = String::from_utf8(http::get(running.admin()?, "/metrics", None)?)?;
        let (mut dropped, mut thinned) = (BTreeMap::new(), 0);
        for (name, count) in page.lines().filter_map(|line| line.rsplit_once(' ')) {
            let why = match name.split_once('{').unwrap_or((name, "")) {
                ("stoa_motion_poses_thinned_total", _) => {
                    thinned = count.parse()?;
                    continue;
                }
                ("stoa_motion_dropped_total", labels) => {
                    let reason = labels.split("reason=\"").nth(1).and_then(|rest| rest.split('"').next());
                    reason.context("a reason")?
                }
                ("stoa_motion_way_frames_dropped_total", "way=\"webtransport\"}") => "webtransport_full",
                _ => continue,
            };
            dropped.insert(why.to_owned(), count.parse()?);
        }
        Ok((dropped, thinned))
    }

    /// Where everybody gets in.
    pub(crate) fn gate(&self, cast: &Cast) -> Result<Gate<'_>> {
        match self {
            MotionServer::Relay(_) => Ok(Gate::Open),
            MotionServer::Bare(_) if cast.scenes() > 1 => bail!("the bare machines have one scene"),
            MotionServer::Bare(bare) => Ok(Gate::Bare(bare)),
            MotionServer::Stoa { running, stage, .. } => Gate::of_realm(running, stage, cast),
        }
    }
}
