//! The operator's pages name each constant of `docs/limits.md` that bounds what a client can cause. Defaults, whose
//! names end in `_DEFAULT`, are exempt, and other constants with a reason.

use std::fs;
use std::path::Path;

use anyhow::Result;

const LIMITS: &str = "docs/limits.md";
const BOUNDS: &str = "docs/bounds.md";
/// Names bounds of its own subjects, such as history.
const MANUAL: &str = "docs/operator.md";

/// Exempt constants, which limit no action of a client: the common reason, then the names.
const EXEMPT: [(&str, &str); 10] = [
    ("address", "ADMIN_PORT DATA_DIR HTTPS_PORT HTTP_PORT MOTION_PORT MQTTS_PORT MQTT_PORT"),
    (
        "batching",
        "BATCH_BYTES_MAX BATCH_MESSAGES_MAX COPY_BYTES EXPORT_PIECE_BYTES FRAMES_READ_BYTES GROUP_MEMBERS_MIN \
         MOTION_CROWD MOTION_PAUSE MOTION_TICK_DELAY_MAX OUTCOMES_QUEUED_MAX PARTS_MAX PIECES_KEPT PIECE_BYTES \
         QUIC_POLLS_AT_ONCE QUIC_SLICE_LANES READ_BYTES_MAX RECEIVE_BUFFER_BYTES ROWS_PER_STATEMENT_MAX RUN_BYTES_MAX \
         RUN_DATAGRAMS_MAX SEND_BUFFER_BYTES SEND_WAIT SHARED_MESSAGE_BYTES_MIN SINGLES_MAX SINGLES_SHARE \
         STREAMING_CHUNK_BYTES WRITE_BYTES_MAX",
    ),
    (
        "certificate",
        "CA_LIFETIME CERT_BACKDATE CERT_CHECK_PERIOD CERT_LIFETIME CERT_RENEW_BEFORE SHORT_CERT_LIFETIME \
         SHORT_CERT_PERIOD SHORT_CERT_SETTLE",
    ),
    (
        "conflation",
        "BACKLOG_FRAMES_MAX CONFLATION_FRAMES_MIN CONFLATION_MOVES_MAX STALLED_FRAMES_MIN STALLED_ROUNDS_MIN",
    ),
    (
        "congestion",
        "MOTION_FIRST_BYTES_PER_S MOTION_LATE_MS MOTION_LEAST_MS MOTION_PATIENCE_MS_MAX MOTION_PATIENCE_MS_MIN \
         QUIC_ACK_DELAY QUIC_ACK_PACKETS QUIC_WINDOW_BYTES_MIN RATE_ARRIVALS_SILENCE_MS RATE_CUT_QUEUE_MS \
         RATE_DRAIN_MS RATE_DRAIN_PERCENT RATE_HISTORY_FRAMES RATE_HOLD_PERCENT RATE_HOLD_QUEUE_MS RATE_LEAST_MS \
         RATE_LOSS_FRAMES_MIN RATE_LOSS_MS_MAX RATE_LOST_PER_MILLE_MAX RATE_LOST_PER_MILLE_MIN \
         RATE_NEAR_PERCENT_MAX RATE_NEAR_PERCENT_MIN RATE_PORTIONS_MAX RATE_PORTION_BYTES_MIN RATE_RECENT_ACKS_MS \
         RATE_RECENT_MS RATE_RESUME_PERCENT RATE_RISE_BYTES_PER_S RATE_RISE_NEAR_PER_MILLE RATE_RISE_PERIOD_MS \
         RATE_RISE_PER_MILLE_MAX RATE_RISE_PER_MILLE_MIN RATE_UNUSED_CUT_PERCENT RATE_VAIN_CUTS_MAX \
         UPLINK_BYTES_PER_S_MAX UPLINK_BYTES_PER_S_MIN UPLINK_FIRST_BYTES_PER_S",
    ),
    (
        "estimate",
        "LOG_ENTRY_BYTES OBJECT_BYTES_TYPICAL QUIC_KEPT_BYTES RECORD_KEYS_BYTES SCENE_ENTRY_BYTES SNAPSHOT_ID_BYTES",
    ),
    (
        "operator",
        "BUSY_TIMEOUT DRAIN_TIMEOUT MOTION_SERVERS_MAX MOTION_THREADS_MAX ONE_SIGNAL OVERLAY_SERVERS_MAX \
         RESTORED_EPOCHS REVOKED_KEPT RUN_TOKEN_PERIOD RUN_TOKEN_TTL TOKEN_TTL_S_MAX",
    ),
    (
        "period",
        "ALLOWANCES_FORGOTTEN_EVERY DOORS_PERIOD FLOW_BEAT FLOW_BEAT_MS FLOW_REST FLOW_SILENCE_MS INTEREST_INTERVAL \
         KEEP_ALIVE_PERIOD MEASURE_PERIOD \
         MOTION_AT_ONCE_PEOPLE MOTION_AT_ONCE_PER_S MOTION_BASELINE_DOUBLINGS MOTION_BASELINE_PERIOD \
         MOTION_BASELINE_PERIOD_MIN MOTION_BRIDGE_SELDOM MOTION_IDLE_TICK MOTION_PERIOD_MS MOTION_QUALITY_PERIOD \
         MOTION_REPORT_MS MOTION_REPORT_PERIOD MOTION_SAID_PERIOD MOTION_SUBTICK MOTION_UNHEARD \
         NAMESPACES_COUNTED_PERIOD SHARES_KEPT SHRINK_PERIOD SWEEP_PERIOD UPLINK_PERIOD UPLINK_PERIOD_MIN \
         VOICE_CHOICE_PERIOD VOICE_SILENCE",
    ),
    (
        "protocol",
        "COOKIE_BYTES_MAX DATAGRAM_BYTES_MAX GOODBYES GRANT_LEEWAY_S HEX_BORDER_SHARE HTTP_PREFACE_BYTES \
         MOTION_ID_REST MOTION_ID_REST_S MOTION_OPEN_TIMEOUT_MS MOTION_PROTOCOL_ID MOTION_SKIPPED_MAX MOTION_WINDOW \
         MOVE_SILENCE NEAREST_STAY RADIUS_OUT_PERCENT REPLAY_SEQUENCES SEAL_BYTES_MAX VOICE_LEAD_UNITS \
         VOICE_RATE_KEPT_PERCENT VOICE_RATE_PERCENT VOICE_REACH_MM \
         VOICE_REPEATS_LOST_PER_MILLE VOICE_STAY_PERCENT VOICE_TYPICAL_BYTES_PER_S",
    ),
    (
        "retry",
        "ACCEPT_RETRY CONTROL_RETRY LEVEL_RETRY MOTION_RETRY_S OFFLOAD_RETRY PLACE_RETRY STALLED_SEARCH_PAUSE \
         STORE_RETRY",
    ),
];

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    if !root.join(LIMITS).is_file() {
        return Ok(Vec::new());
    }
    let exempt: Vec<&str> = EXEMPT.iter().flat_map(|(_, names)| names.split_whitespace()).collect();
    let pages = [BOUNDS, MANUAL].map(|page| fs::read_to_string(root.join(page)).unwrap_or_default());
    Ok(differences(&fs::read_to_string(root.join(LIMITS))?, &pages.concat(), &exempt))
}

fn differences(limits: &str, pages: &str, exempt: &[&str]) -> Vec<String> {
    let rows = limits.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let listed: Vec<&str> = rows.map(|(name, _)| name).collect();
    let is_named = |name: &str| pages.contains(&format!("`{name}`"));
    let is_exempt = |name: &str| name.ends_with("_DEFAULT") || exempt.contains(&name);
    let missing = listed.iter().filter(|name| !is_named(name) && !is_exempt(name));
    let missing =
        missing.map(|name| format!("{BOUNDS} doesn't name {name} of {LIMITS}: add or exempt it ({})", file!()));
    let stale = exempt.iter().filter(|name| !listed.contains(name) || is_named(name));
    let stale = stale.map(|name| format!("{} exempts {name}, which {BOUNDS} names or {LIMITS} doesn't list", file!()));
    let unlisted = constants(pages).filter(|name| !listed.contains(name));
    let unlisted = unlisted.map(|name| format!("{BOUNDS} names {name}, which {LIMITS} doesn't list"));
    missing.chain(stale).chain(unlisted).collect()
}

/// Names of constants in backticks. Names that begin with `STOA_` are omitted: they are environment variables.
fn constants(pages: &str) -> impl Iterator<Item = &str> {
    let is_constant = |name: &&str| {
        let of_constants = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        name.contains('_') && name.chars().all(of_constants) && !name.starts_with('_') && !name.starts_with("STOA_")
    };
    pages.split('`').filter(is_constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "# All limits\n| limit | value | reason |\n|---|---|---|\n| `FILES_MAX` | 2 | Files. |\n| `PERIOD` | 1 s | Chores. |\n";

    #[test]
    fn a_bound_that_the_page_does_not_name_is_rejected() {
        assert!(differences(LISTED, "At most `FILES_MAX`.", &["PERIOD"]).is_empty(), "negative control");
        let found = differences(LISTED, "At most `FILES_MAX_ALL` or FILES_MAX.", &["PERIOD"]);
        assert!(found[0].contains("doesn't name FILES_MAX of"), "{found:?}");
        assert!(found[1].contains("names FILES_MAX_ALL, which"), "{found:?}");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn an_exemption_that_no_constant_needs_is_rejected() {
        assert_eq!(differences(LISTED, "`FILES_MAX`, set by `STOA_FILES`", &["PERIOD", "FILES_MAX"]).len(), 1);
        assert_eq!(differences(LISTED, "`FILES_MAX`", &["PERIOD", "FORMER_MAX"]).len(), 1);
    }

    #[test]
    fn a_default_needs_no_exemption() {
        let listed = LISTED.replace("`FILES_MAX`", "`FILES_DEFAULT`");
        assert_eq!(differences(&listed, "", &["PERIOD"]), [""; 0]);
    }

    #[test]
    fn limits_of_a_repository_are_compared_with_its_bounds_page() -> Result<()> {
        let folder = tempfile::tempdir()?;
        assert!(findings(folder.path())?.is_empty(), "negative control: no limits");
        fs::create_dir(folder.path().join("docs"))?;
        fs::write(folder.path().join(LIMITS), LISTED)?;
        fs::write(folder.path().join(BOUNDS), "# Limits\n")?;
        assert!(findings(folder.path())?.iter().any(|finding| finding.contains("doesn't name FILES_MAX of")));
        Ok(())
    }
}
