//! Dependencies have one direction: each crate may use those of its row, each folder the folders before it in
//! `layers.toml`. The figure of ARCHITECTURE.md shows the dependencies of the crates and web packages.

mod figure;
mod order;

use std::path::Path;

use anyhow::Result;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// Allowed dependencies of each crate. Tests may use more: only normal and build dependencies are checked.
const ALLOWED: [(&str, &[&str]); 8] = [
    ("stoa-wire", &["bytes", "libm", "mqtt-protocol-core", "serde", "serde_json", "thiserror"]),
    ("stoa-state", &["stoa-wire", "bytes", "jiff", "rpds", "serde", "serde_json", "thiserror"]),
    (
        "stoa-net",
        &[
            "stoa-wire",
            "stoa-state",
            "aws-lc-rs",
            "bytes",
            "chacha20poly1305",
            "futures-util",
            "nix",
            "quinn",
            "quinn-proto",
            "quinn-udp",
            "rustix",
            "rustls",
            "socket2",
            "thiserror",
            "tokio",
            "tokio-rustls",
            "tokio-tungstenite",
            "web-transport-proto",
        ],
    ),
    (
        "stoa-server",
        &[
            "stoa-wire",
            "stoa-state",
            "stoa-net",
            "argon2",
            "async-trait",
            "aws-lc-rs",
            "axum",
            "base64",
            "bytes",
            "clap",
            "futures-util",
            "gltf-json",
            "http-body-util",
            "hyper",
            "hyper-util",
            "imagesize",
            "infer",
            "jiff",
            "jsonwebtoken",
            "landlock",
            "libc",
            "metrics",
            "metrics-exporter-prometheus",
            "object_store",
            "qrcode",
            "rand",
            "rcgen",
            "rust-embed",
            "rustix",
            "rustls",
            "seccompiler",
            "serde",
            "serde_json",
            "sqlx",
            "thiserror",
            "tokio",
            "toml",
            "tower",
            "tracing",
            "tracing-subscriber",
            "utoipa",
            "utoipa-axum",
        ],
    ),
    ("stoa-sim", &["stoa-wire", "stoa-state", "bytes", "clap", "fastrand", "serde_json"]),
    (
        "stoa-lab",
        &[
            "stoa-wire",
            "stoa-state",
            "stoa-net",
            "stoa-server",
            "anyhow",
            "aws-lc-rs",
            "base64",
            "bytes",
            "clap",
            "fastrand",
            "jiff",
            "nix",
            "pulldown-cmark",
            "quinn",
            "quinn-udp",
            "rustix",
            "rustls",
            "serde",
            "serde_json",
            "tempfile",
            "tokio",
            "tokio-rustls",
            "url",
            "web-transport-proto",
            "wtransport",
        ],
    ),
    (
        "stoa-fuzz",
        &["stoa-wire", "stoa-state", "stoa-net", "stoa-server", "aws-lc-rs", "fastrand", "libfuzzer-sys", "serde_json"],
    ),
    ("stoa-xtask", &["anyhow", "cargo_metadata", "clap", "pulldown-cmark", "serde", "serde_json", "toml"]),
];

/// A dependency of one crate on another.
struct Edge {
    from: String,
    to: String,
}

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let edges: Vec<Edge> = metadata
        .workspace_packages()
        .into_iter()
        .flat_map(|package| {
            let outside_tests = package.dependencies.iter().filter(|used| used.kind != DependencyKind::Development);
            outside_tests.map(|used| Edge { from: package.name.to_string(), to: used.name.clone() })
        })
        .collect();
    let mut findings: Vec<String> = edges.iter().filter_map(objection).collect();
    findings.extend(unused(&edges));
    findings.extend(figure::findings(root, &edges)?);
    findings.extend(order::findings(root)?);
    Ok(findings)
}

/// Allowed dependencies that don't exist, so that the list stays exact.
fn unused(edges: &[Edge]) -> Vec<String> {
    let all = ALLOWED.iter().flat_map(|(from, allowed)| allowed.iter().map(move |to| (*from, *to)));
    let idle = all.filter(|(from, to)| !edges.iter().any(|edge| edge.from == *from && edge.to == *to));
    idle.map(|(from, to)| format!("the allow list has {to} for {from}, which doesn't use it: remove the entry"))
        .collect()
}

fn objection(edge: &Edge) -> Option<String> {
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == edge.from) else {
        return Some(format!("crate {} has no row in the allow list of crates/xtask/src/check/layers.rs", edge.from));
    };
    let fits = allowed.contains(&edge.to.as_str());
    (!fits).then(|| format!("{} may not depend on {}", edge.from, edge.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: &str, to: &str) -> Option<String> {
        objection(&Edge { from: from.into(), to: to.into() })
    }

    #[test]
    fn an_unused_allowed_dependency_is_rejected() {
        let every = ALLOWED.iter().flat_map(|(from, allowed)| {
            allowed.iter().map(|to| Edge { from: (*from).to_owned(), to: (*to).to_owned() })
        });
        let mut edges: Vec<Edge> = every.collect();
        assert!(unused(&edges).is_empty(), "negative control");
        edges.pop();
        assert_eq!(unused(&edges).len(), 1);
    }

    #[test]
    fn a_dependency_against_the_layer_direction_is_rejected() {
        assert_eq!(edge("stoa-state", "stoa-wire"), None, "negative control");
        assert!(edge("stoa-wire", "stoa-state").is_some());
        assert!(edge("stoa-state", "tokio").is_some());
        assert!(edge("stoa-net", "sqlx").is_some());
        assert!(edge("stoa-server", "stoa-xtask").is_some());
        assert!(edge("stoa-ninth", "serde").is_some(), "a ninth crate needs a row first");
    }
}
