//! Creates the network namespace of a run. The realm exempts loopback addresses from its bounds per address. In a
//! namespace the loopback interface can have other addresses, without a network.

use std::net::Ipv6Addr;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Set within the namespace: its addresses, separated by spaces.
const ADDRESSES: &str = "STOA_LAB_ADDRESSES";
/// Root creates a namespace directly, other users within a user namespace.
const UNSHARE: [&[&str]; 2] = [&["unshare", "--net"], &["unshare", "--user", "--map-root-user", "--net"]];
/// Loopback is down in a new namespace.
const SET_UP: &str = "ip link set lo up || exit
for address in $STOA_LAB_ADDRESSES; do ip -6 address add \"$address/128\" dev lo nodad || exit; done
exec \"$@\"";

/// Runs this program again within a new namespace that has these addresses. Returns only in the namespace.
///
/// # Errors
/// No namespace can be created, or the program does not start there.
pub(super) fn enter(addresses: &[Ipv6Addr]) -> Result<()> {
    if std::env::var_os(ADDRESSES).is_some() {
        return Ok(());
    }
    let unshare = UNSHARE.into_iter().find(|command| works(command)).context(
        "no network namespace can be made here: it takes root or user namespaces (kernel.unprivileged_userns_clone), \
         and the programs unshare and ip",
    )?;
    let mut command = Command::new(unshare[0]);
    command.args(&unshare[1..]).args(["sh", "-c", SET_UP, "sh"]).arg(std::env::current_exe()?);
    let error = command.args(std::env::args_os().skip(1)).env(ADDRESSES, listed(addresses)).exec();
    Err(error).with_context(|| format!("{command:?} does not start"))
}

fn works(unshare: &[&str]) -> bool {
    let mut command = Command::new(unshare[0]);
    command.args(&unshare[1..]).args(["ip", "link", "set", "lo", "up"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn listed(addresses: &[Ipv6Addr]) -> String {
    addresses.iter().map(Ipv6Addr::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_passed_to_the_shell_separated_by_spaces() {
        let addresses =
            [Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), Ipv6Addr::new(0x2001, 0xdb8, 7, 0, 0, 0, 0, 1)];
        assert_eq!(listed(&addresses), "2001:db8::1 2001:db8:7::1");
        assert!(SET_UP.contains(ADDRESSES));
    }
}
