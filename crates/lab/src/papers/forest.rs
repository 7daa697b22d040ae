//! Repeats experiments of Forest ("Performance-Engineered Network Overlays for High Quality Interaction in Virtual
//! Worlds", Haitjema et al.): its trees (Figures 4 to 6), and a game like its own (Figures 8 to 10).

mod figures;
pub(crate) mod game;
mod motion_plane;
mod plane_report;
mod points;
mod regions;
mod routers;
mod session;
mod sweep;
pub(crate) mod trees;
