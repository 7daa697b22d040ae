//! STYLE.md, section 5: a pure machine of `state` doesn't refer to `Realm`, which puts machines together. So each
//! machine can be tested and read alone.

use std::path::Path;

pub(super) fn findings(path: &Path, text: &str) -> Vec<String> {
    let Ok(below) = path.strip_prefix("crates/state/src") else { return Vec::new() };
    if below == Path::new("realm.rs") || below.starts_with("realm") {
        return Vec::new();
    }
    let names_the_realm = |line: &&str| line.contains("crate::realm");
    text.lines().filter(names_the_realm).map(|line| format!("{} is allowed in realm/ only", line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_names_the_realm_is_rejected() {
        let text = "use crate::realm::Counter;\n";
        assert_eq!(findings(Path::new("crates/state/src/scene/people.rs"), text).len(), 1);
        for path in ["crates/state/src/realm/output.rs", "crates/state/src/realm.rs", "crates/sim/src/world.rs"] {
            assert!(findings(Path::new(path), text).is_empty(), "negative control: {path}");
        }
    }
}
