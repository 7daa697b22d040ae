//! Limits and tuning values of the server, each with its reason.

use std::time::Duration;

use stoa_net::limits::CONNECTIONS_PER_ADDRESS_MAX;
use stoa_state::limits::{COMMANDS_QUEUED_BYTES_MAX, TOKEN_PARENTS_MAX};
use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_RETRY_S};

pub(crate) use stoa_wire::limits::{
    ACCOUNT_NAME_BYTES_MAX, DISPLAY_NAME_BYTES_MAX, PASSWORD_BYTES_MAX, PASSWORD_BYTES_MIN,
};

/// Data folder if `--data` is missing.
pub(crate) const DATA_DIR: &str = "./stoa-data";
/// HTTPS and secure WebSocket.
pub(crate) const HTTPS_PORT: u16 = 8443;
/// Plain HTTP on loopback. Browsers treat it as a secure context, without a certificate warning.
pub(crate) const HTTP_PORT: u16 = 8080;
/// MQTT's registered port.
pub(crate) const MQTT_PORT: u16 = 1883;
/// The registered port of MQTT over TLS.
pub(crate) const MQTTS_PORT: u16 = 8883;
/// UDP port of the motion plane for native clients.
pub(crate) const MOTION_PORT: u16 = 8444;
/// Administration and `/metrics`.
pub(crate) const ADMIN_PORT: u16 = 8445;

/// Connection inputs queued for the realm task. A full channel slows the connections' readers.
pub(crate) const INPUTS_QUEUED_MAX: usize = 8_192;
/// Inputs applied in one batch. Each touched writer is woken once after the batch.
pub(crate) const INPUTS_BATCH_MAX: usize = 1_024;
/// Processor time in which one round applies inputs; then it sends, and the other inputs wait for the next round. A
/// millisecond is left for the last input and for sending, so that a round takes five. A single input may take longer.
pub(crate) const ROUND_INPUTS_TIME_MAX: Duration = Duration::from_millis(4);
/// Processor time from which `/metrics` counts a round as long: bystanders notice it in their median.
pub(crate) const LONG_ROUND: Duration = Duration::from_millis(1);
const _: () = assert!(LONG_ROUND.as_millis() < ROUND_INPUTS_TIME_MAX.as_millis());
/// Time of the realm's task that an input may take without being charged: several times that of a message of a usual
/// size.
pub(crate) const ORDINARY_INPUT_TIME: Duration = Duration::from_micros(100);
/// Time of the realm's task that an input may take without being charged, for each packet that the input sends.
pub(crate) const ORDINARY_SEND_TIME: Duration = Duration::from_micros(2);
/// Objects of an import or a copy that the realm puts into a scene at once: five milliseconds.
pub(crate) const PUT_AT_ONCE_MAX: usize = 256;
/// Bytes of the objects that the realm puts into a scene at once, for large ones.
pub(crate) const PUT_AT_ONCE_BYTES_MAX: usize = 512 * 1_024;
/// Time of a connection's inputs that is charged at once: tens of usual messages, so that most of them cost no charge.
pub(crate) const INPUT_TIME_CHARGED: Duration = Duration::from_millis(1);
/// Queued commands to the realm task from HTTP routes and the control socket.
pub(crate) const REQUESTS_QUEUED_MAX: usize = 256;
/// Bytes in memory of all changes that wait for the disk, above which the realm task takes no input from connections.
/// The realm refuses changes far below it, so this only guards the memory.
pub(crate) const CHANGES_QUEUED_BYTES_MAX: usize = 512 * 1_024 * 1_024;
const _: () = assert!(COMMANDS_QUEUED_BYTES_MAX < CHANGES_QUEUED_BYTES_MAX);
/// Bytes in memory of the changes that one transaction writes: some ten milliseconds of a disk, so that the changes
/// that follow soon have their own. The changes of one message or command are never divided.
pub(crate) const TRANSACTION_BYTES_MAX: usize = 4 * 1_024 * 1_024;
/// Least time between the beginnings of two commits, if the first wrote a few changes. A commit costs as much processor
/// time as ten changes, and people don't notice two milliseconds.
pub(crate) const COMMIT_PERIOD: Duration = Duration::from_millis(2);
/// A commit of at least this many changes does not delay the next one: clients that wait for acknowledgements would
/// send less.
pub(crate) const COMMIT_WRITES_MANY: usize = 16;
/// Rows that one statement writes, a power of two. With ten values each they stay far below SQLite's 32,766 parameters.
pub(crate) const ROWS_PER_STATEMENT_MAX: usize = 64;
/// Token signatures verified in parallel. More would only take cores from the realm task.
pub(crate) const VERIFYING_MAX: usize = 2;
/// Answers to `getPersist` written in parallel. More would only take cores from the realm task.
pub(crate) const RECORDS_WRITING_MAX: usize = 1;
/// Tokens queued for verification. Above it the realm task takes no input from connections.
pub(crate) const VERIFYING_QUEUED_MAX: usize = 4_096;
/// Verdicts of the store queued for the realm task. The store waits while the queue is full; the realm never waits
/// for the store.
pub(crate) const OUTCOMES_QUEUED_MAX: usize = 16;
const _: () = assert!(INPUTS_BATCH_MAX <= INPUTS_QUEUED_MAX);

/// Lifetime of a motion ticket. A phone on a poor network opens a connection in less.
pub(crate) const MOTION_TICKET_TTL: Duration = Duration::from_secs(10);
/// Period of the motion plane's subticks. Each subtick serves a fifth of the receivers.
pub(crate) const MOTION_SUBTICK: Duration = stoa_state::limits::MOTION_SUBTICK;
/// Subtick while no client is connected. Bounds how long the first client waits for an answer.
pub(crate) const MOTION_IDLE_TICK: Duration = Duration::from_millis(100);
/// Native clients of a thread above which their datagrams are gathered and read in batches.
pub(crate) const MOTION_CROWD: usize = 32;
/// Time for which datagrams of a crowd are gathered before a read. It delays a pose by at most this, and the thread
/// wakes 500 times a second instead of 20,000.
pub(crate) const MOTION_PAUSE: Duration = Duration::from_millis(2);
/// Longest delay of a tick while more datagrams wait than one batch takes, and longest time for commands in one tick.
pub(crate) const MOTION_TICK_DELAY_MAX: Duration = Duration::from_millis(4);
const _: () = assert!(MOTION_TICK_DELAY_MAX.as_millis() < MOTION_SUBTICK.as_millis());
/// Period of the check for silent clients and of the report of counters.
pub(crate) const MOTION_REPORT_PERIOD: Duration = Duration::from_secs(1);
/// Bytes of pose frames of one WebTransport or WebSocket client queued for the next tick: sixteen of the largest, a tenth
/// of a second at 90 Hz and a burst after a stall.
pub(crate) const MOTION_POSE_BYTES_WAITING_MAX: usize = 16 * FRAME_BYTES_MAX;
/// Bytes that each of these frames counts at least: up to 32 frames wait.
pub(crate) const MOTION_POSE_BYTES_MIN: usize = FRAME_BYTES_MAX / 2;
/// Bytes of voice frames of one such client queued for the next tick: a third of a second at the highest rate.
pub(crate) const MOTION_VOICE_BYTES_WAITING_MAX: usize = 8 * 1_024;
/// Period of bridged poses from the motion plane to MQTT clients. ARENA's cameras send ten a second too.
pub(crate) const MOTION_BRIDGE_PERIOD: Duration = Duration::from_millis(100);
/// Heads and hands of one scene in one bridge period: 200 messages a second. If more of them move, they take turns.
pub(crate) const MOTION_BRIDGE_PLACES: usize = 20;
/// In a scene that no MQTT client follows, poses are bridged in one of this many periods: once a second, with this
/// many times the poses.
pub(crate) const MOTION_BRIDGE_SELDOM: usize = 10;
/// Bridge messages that may wait for the realm before the threads stop reporting poses. Arrivals and departures are
/// reported always.
pub(crate) const MOTION_NEWS_WAITING_MAX: usize = 64;
/// Poses of MQTT-only people queued for one motion thread: a second of a thousand cameras.
pub(crate) const MOTION_PLACES_WAITING_MAX: usize = 16_384;
/// Server addresses in a connect token. Clients try them in order.
pub(crate) const MOTION_SERVERS_MAX: usize = 8;
/// Threads of the motion plane. Each has its own port and its own scenes.
pub(crate) const MOTION_THREADS_MAX: usize = 64;

/// Time for the headers of one HTTP request. A half-sent request holds no socket for longer.
pub(crate) const HTTP_HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// Length of HTTP/2's connection preface (RFC 9113 section 3.4). After so many bytes the protocol is known, and its
/// own time-outs apply.
pub(crate) const HTTP_PREFACE_BYTES: u64 = 24;
/// A response of which the client reads nothing for this long is aborted: it counts as a request in progress, and holds
/// its part of the flow-control window. In HTTP/2 only that stream is reset: its connection may carry the requests of
/// other people behind a proxy. A media player that has buffered enough requests the rest again.
pub(crate) const HTTP_STALL_TIMEOUT: Duration = Duration::from_secs(60);
/// Time for the responses that a closing connection still owes: the largest file over a bad mobile line.
pub(crate) const HTTP_LAST_ANSWERS_TIMEOUT: Duration = Duration::from_secs(3_600);
const _: () = assert!(FILE_BYTES_MAX / HTTP_LAST_ANSWERS_TIMEOUT.as_secs() <= 2 * STREAMING_BYTES_PER_S_MIN);
/// Signals within this time count as one request to end.
pub(crate) const ONE_SIGNAL: Duration = Duration::from_millis(1_000);
/// Time for a draining server to finish HTTP requests and outboxes.
pub(crate) const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// File descriptors kept back from connections: for the database, files being read and written, the runtime and the
/// control socket.
pub(crate) const DESCRIPTORS_KEPT: u64 = 256;
/// Connections of the admin address: a scraper and a person.
pub(crate) const ADMIN_CONNECTIONS_MAX: usize = 32;
const _: () = assert!(
    ADMIN_CONNECTIONS_MAX + UPLOADS_MAX + 3 * FILE_CHECKS_MAX + FILE_READS_MAX + CONTROL_CONNECTIONS_MAX
        < DESCRIPTORS_KEPT as usize
);
/// Concurrent streams on one HTTP/2 connection. Browsers use no more.
pub(crate) const HTTP2_STREAMS_MAX: u32 = 32;
/// Requests in progress of one address, or one /64 of IPv6. A request is in progress until its answer has been read. A
/// class of forty behind one address has at most 40 × [`HTTP2_STREAMS_MAX`] = 1,280, if each browser uses all streams.
/// Loopback addresses are not limited.
pub(crate) const REQUESTS_PER_ADDRESS_MAX: u64 = 1_536;
const _: () = assert!(40 * (HTTP2_STREAMS_MAX as u64) < REQUESTS_PER_ADDRESS_MAX);
/// Requests in progress of all addresses from which fair shares count: two addresses with all theirs. Each holds up to
/// two pieces of [`FILE_PIECE_BYTES`].
pub(crate) const REQUESTS_SHARED: u64 = 2 * REQUESTS_PER_ADDRESS_MAX;
/// Bytes of an HTTP/2 response that wait for the connection: two pieces of a file.
pub(crate) const HTTP2_SEND_BUFFER_BYTES: usize = 2 * FILE_PIECE_BYTES as usize;
/// Requests in progress of all addresses. The rest above [`REQUESTS_SHARED`] is for addresses below their fair share.
pub(crate) const REQUESTS_MAX: u64 = 4_096;
const _: () = assert!(REQUESTS_SHARED < REQUESTS_MAX && REQUESTS_MAX * 2 * FILE_PIECE_BYTES <= 128 << 20);
/// Period in which a client that waits for a part of a shared bound tries again.
pub(crate) const LEVEL_RETRY: Duration = Duration::from_millis(100);
/// Period of HTTP/2 pings on a quiet connection. With [`HTTP2_PING_TIMEOUT`] a phone that left the network is noticed
/// within a minute.
pub(crate) const HTTP2_PING_PERIOD: Duration = Duration::from_secs(40);
/// Time to answer an HTTP/2 ping.
pub(crate) const HTTP2_PING_TIMEOUT: Duration = Duration::from_secs(20);
/// A connection without a request for this long is closed. Browsers open another when they need one.
pub(crate) const HTTP_IDLE_TIMEOUT: Duration = Duration::from_secs(300);
const _: () = assert!(HTTP2_PING_PERIOD.as_secs() + HTTP2_PING_TIMEOUT.as_secs() < HTTP_IDLE_TIMEOUT.as_secs());

/// Default lifetime of a token by `stoa token`: a day, as ARENA's.
pub(crate) const TOKEN_TTL_S_DEFAULT: u64 = 86_400;
/// Longest lifetime by `stoa token`: a year, as ARENA's service tokens.
pub(crate) const TOKEN_TTL_S_MAX: u64 = 366 * 86_400;
/// Lifetime of `DIR/run/token`.
pub(crate) const RUN_TOKEN_TTL: Duration = Duration::from_secs(12 * 3_600);
/// Period in which `DIR/run/token` is rewritten.
pub(crate) const RUN_TOKEN_PERIOD: Duration = Duration::from_secs(6 * 3_600);
const _: () = assert!(RUN_TOKEN_PERIOD.as_secs() < RUN_TOKEN_TTL.as_secs());

/// Lifetime of the realm's certificate authority. People install it on phones by hand, so it is long.
pub(crate) const CA_LIFETIME: Duration = Duration::from_secs(10 * 365 * 86_400);
/// Lifetime of the server's certificate. Browsers reject more than 398 days.
pub(crate) const CERT_LIFETIME: Duration = Duration::from_secs(396 * 86_400);
/// A certificate with less than this left is renewed.
pub(crate) const CERT_RENEW_BEFORE: Duration = Duration::from_secs(30 * 86_400);
/// Period of the check whether the certificate needs renewal.
pub(crate) const CERT_CHECK_PERIOD: Duration = Duration::from_secs(12 * 3_600);
/// How far `notBefore` is in the past, because phones' clocks are off.
pub(crate) const CERT_BACKDATE: Duration = Duration::from_secs(3_600);
const _: () = assert!(CERT_LIFETIME.as_secs() + CERT_BACKDATE.as_secs() <= 397 * 86_400);
/// Lifetime of the WebTransport certificates that browsers accept by hash. Browsers reject more than two weeks in
/// all.
pub(crate) const SHORT_CERT_LIFETIME: Duration = Duration::from_secs(13 * 86_400);
/// Period after which a new WebTransport certificate is made. The previous one is then valid for six more days.
pub(crate) const SHORT_CERT_PERIOD: Duration = Duration::from_secs(7 * 86_400);
/// Time from publishing a certificate's hash to its first use. By then clients with an older list of hashes have
/// connected.
pub(crate) const SHORT_CERT_SETTLE: Duration = Duration::from_secs(3_600);
const _: () = assert!(SHORT_CERT_LIFETIME.as_secs() + CERT_BACKDATE.as_secs() <= 14 * 86_400);
const _: () = assert!(SHORT_CERT_PERIOD.as_secs() + CERT_CHECK_PERIOD.as_secs() < SHORT_CERT_LIFETIME.as_secs());

/// Period of the removal of old history.
pub(crate) const PRUNE_PERIOD: Duration = Duration::from_secs(3_600);

/// One request line on the control socket: an imported scene, doubled for JSON's escapes.
pub(crate) const CONTROL_LINE_BYTES_MAX: u64 = 2 * stoa_state::limits::SCENE_BYTES_MAX as u64;
/// Time to read a control request, and to write its answer.
pub(crate) const CONTROL_TIMEOUT: Duration = Duration::from_secs(10);
/// Concurrent control connections: one person types.
pub(crate) const CONTROL_CONNECTIONS_MAX: usize = 16;
/// Warnings about one imported object: enough to see the fault.
pub(crate) const IMPORT_WARNINGS_MAX: usize = 20;
/// File content in one line of an export.
pub(crate) const EXPORT_PIECE_BYTES: u64 = 512 * 1_024;
/// A whole export that a page downloads or uploads: a size that a browser still saves, and that a line of 10 Mbit/s
/// uploads within [`UPLOAD_TIMEOUT`].
pub(crate) const CARRIED_BYTES_MAX: u64 = 1 << 30;
/// Bytes of the files in an export that a page downloads or uploads, before base64 adds a third. The largest scene fits
/// into the rest.
pub(crate) const CARRIED_FILE_BYTES_MAX: u64 = 640 << 20;
const _: () = assert!(CARRIED_FILE_BYTES_MAX / 3 * 4 + stoa_state::limits::SCENE_BYTES_MAX as u64 <= CARRIED_BYTES_MAX);
/// Number of files in an export that a page downloads or uploads.
pub(crate) const CARRIED_FILES_MAX: usize = 4_096;
const _: () = assert!(CARRIED_FILES_MAX as u64 <= FILES_PER_ACCOUNT_MAX);
/// One value, such as a line, of an uploaded export. Parsed, it may take 16 times as much memory. Our longest holds
/// [`EXPORT_PIECE_BYTES`].
pub(crate) const IMPORT_VALUE_BYTES_MAX: u64 = 4 << 20;
const _: () = assert!(EXPORT_PIECE_BYTES * 2 < IMPORT_VALUE_BYTES_MAX);
/// Import warnings that a page receives in full. The rest are counted.
pub(crate) const IMPORT_WARNINGS_LISTED_MAX: usize = 50;
/// Buffer for copying or hashing a file.
pub(crate) const COPY_BYTES: usize = 256 * 1_024;
/// Offset of a restored realm's epoch from its backup's. The realm may have started, and made scenes, at most this
/// often since the backup.
pub(crate) const RESTORED_EPOCHS: i64 = 1_000_000;
/// Delay after a failed accept on the control socket.
pub(crate) const CONTROL_RETRY: Duration = Duration::from_millis(100);

/// Age of kept history, unless the operator sets another: a quarter, in which people notice that something was broken.
pub(crate) const HISTORY_AGE_DEFAULT: Duration = Duration::from_secs(90 * 86_400);
/// Size of kept history in bytes of its entries, unless the operator sets another. A small disk holds it.
pub(crate) const HISTORY_BYTES_DEFAULT: u64 = 1 << 30;

/// MiB of the whole database, unless the operator sets another: the default history, and the objects of a hundred large
/// scenes.
pub(crate) const DATABASE_MIB_DEFAULT: u32 = 16_384;
/// Smallest ceiling of the database that an operator may set, in MiB: a few scenes with their history.
pub(crate) const DATABASE_MIB_MIN: u32 = 64;
/// Bytes of stored changes after which the realm learns the size of the database. Reading it after each commit would
/// cost 1 % of the server's time for stored messages.
pub(crate) const MEASURE_BYTES: usize = 64 * 1_024;
/// Period after which the realm learns the size of the database while nothing is stored.
pub(crate) const MEASURE_PERIOD: Duration = Duration::from_secs(15);
/// Bytes of new log entries after which history is pruned, besides the regular period: some seconds of a flood, which
/// exceeds the size of kept history by no more than that.
pub(crate) const LOG_GROWTH_BYTES: u64 = 16 * 1_024 * 1_024;
/// Period after which the free space within the database is checked. A file with a GiB of it is small after a minute. A
/// shorter period would cost an idle server more.
pub(crate) const SHRINK_PERIOD: Duration = Duration::from_secs(15);
/// A database returns space to the file system while more than one page of this many is free. The file then has at most
/// 1.25 times its content.
pub(crate) const FREE_PART_MAX: i64 = 5;
/// Free bytes within a large database, above which it returns space to the file system.
pub(crate) const FREE_BYTES_MAX: i64 = 16 * 1_024 * 1_024;
/// Pages of the database that one transaction returns: as many bytes as other transactions write.
pub(crate) const VACUUM_PAGES_MAX: i64 = 1_024;
/// Free pages times returned pages of one such transaction. SQLite searches its list of free pages for each page that
/// it returns; this many comparisons take about ten milliseconds.
pub(crate) const VACUUM_COMPARISONS_MAX: i64 = 16_000_000;
/// Largest database of an older version that is converted at a start, so that its free space can return to the disk. A
/// slow disk copies it in some seconds.
pub(crate) const CONVERTED_BYTES_MAX: u64 = 256 * 1_024 * 1_024;
/// Bytes of SQLite's log (WAL) that stay allocated after a burst.
pub(crate) const WAL_BYTES_KEPT: u64 = 16 * 1_024 * 1_024;
const _: () = assert!(TRANSACTION_BYTES_MAX as u64 <= WAL_BYTES_KEPT);

/// Entries of a scene's history in one answer.
pub(crate) const HISTORY_PAGE_MAX: usize = 200;
/// Entries that one request for history reads in search of those that it returns: some tens of milliseconds. The
/// answer's `next` continues from there.
pub(crate) const LOG_SCANNED_MAX: u32 = 10_000;
/// Bytes of the entries of one such answer, as they are in the log: parsing them takes some tens of milliseconds. One
/// longer entry is returned alone.
pub(crate) const HISTORY_PAGE_BYTES_MAX: u64 = 4 << 20;
/// Entries without a `limit`: a screen or two.
pub(crate) const HISTORY_PAGE_DEFAULT: usize = 50;
/// A value before or after a change, as JSON. Longer ones are left out, because people read them.
pub(crate) const HISTORY_VALUE_BYTES_MAX: usize = 4 * 1_024;
/// Entries that one restore undoes: a day of a busy group. All are in memory at once, as text.
pub(crate) const SPAN_ENTRIES_MAX: usize = 50_000;
/// Bytes of the entries that one restore undoes.
pub(crate) const SPAN_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Charge for a millisecond of reading the log, in KiB of [`READ_KIB_PER_S`]. A client that reads it all the time
/// gets half of a reader's time.
pub(crate) const LOG_KIB_PER_MS: u32 = 2 * READ_KIB_PER_S / 1_000;
/// Objects a second that one address changes by restores. Changes above it are owed. Each is a message to every
/// client and an entry in the log, so the rate is that of a guest's messages.
pub(crate) const RESTORED_PER_S: u32 = 100;
/// Burst of objects that one address changes by restores: a large scene restored, and back.
pub(crate) const RESTORED_BURST: u32 = 2 * stoa_state::limits::AMENDED_MAX as u32;
/// Objects a second that all addresses together change by restores, of which each has a fair share.
pub(crate) const ALL_RESTORED_PER_S: u32 = 5 * RESTORED_PER_S;
/// Burst of objects that all addresses together change by restores.
pub(crate) const ALL_RESTORED_BURST: u32 = 5 * RESTORED_BURST;
/// Objects named in the answer to a restore. All are counted.
pub(crate) const RESTORED_NAMED_MAX: usize = 100;
/// Longest history, in days, that an operator may set: a century.
pub(crate) const HISTORY_DAYS_MAX: u32 = 36_500;

/// Lifetime of the first owner's link.
pub(crate) const OWNER_LINK_TTL: Duration = Duration::from_secs(3_600);
/// Lifetime of a browser's sign-in.
pub(crate) const WEB_SESSION_TTL: Duration = Duration::from_secs(30 * 86_400);
/// Web sessions of one account: a person's devices, with the browsers that were forgotten. A new one ends the oldest.
pub(crate) const WEB_SESSIONS_PER_ACCOUNT_MAX: u32 = 32;
/// Time for which a browser is recognized after a sign-in: longer than a summer's holidays.
pub(crate) const KNOWN_BROWSER_TTL: Duration = Duration::from_secs(365 * 86_400);
/// Wrong passwords for one account name from one address in [`LOGIN_FAILURES_PERIOD`].
pub(crate) const LOGIN_FAILURES_HERE_MAX: u32 = 10;
/// Wrong passwords for one account name from all addresses. No single address can lock the account's owner out.
pub(crate) const LOGIN_FAILURES_PER_NAME_MAX: u32 = 200;
/// Wrong passwords from one address in [`LOGIN_FAILURES_PERIOD`]. A whole class may share an address.
pub(crate) const LOGIN_FAILURES_PER_ADDRESS_MAX: u32 = 100;
/// Failures are forgotten after this time.
pub(crate) const LOGIN_FAILURES_PERIOD: Duration = Duration::from_secs(300);
/// Names, addresses and browsers with remembered failures. At this number, single failures and the oldest are
/// forgotten.
pub(crate) const LOGIN_KEYS_MAX: usize = 100_000;
const _: () = assert!(LOGIN_FAILURES_HERE_MAX < LOGIN_FAILURES_PER_ADDRESS_MAX);
const _: () = assert!(LOGIN_FAILURES_PER_ADDRESS_MAX < LOGIN_FAILURES_PER_NAME_MAX);

/// Threads of low priority that hash passwords, sign tokens and make snapshots. Argon2 takes 19 MiB each, which stay
/// allocated.
pub(crate) const BACKGROUND_THREADS: usize = 2;
/// Guest tokens a second for one address, or one /64 of IPv6. Each costs a signature and a row on disk, and gives its
/// bearer an allowance. Behind a proxy all guests share an address.
pub(crate) const GUEST_TOKENS_PER_S: u32 = 2;
/// Burst of guest tokens: several classes that join in the same minute.
pub(crate) const GUEST_TOKENS_BURST: u32 = 300;
/// Guest tokens a second for all addresses of one endpoint: a sixth of a core at 1.7 ms for a signature. Above it each
/// address has a fair share.
pub(crate) const GUESTS_TOKENS_PER_S: u32 = 100;
/// Burst of guest tokens for all addresses: the people of a full realm return after a restart. Ten seconds' worth, so
/// that a thousand addresses have a share of a token each.
pub(crate) const GUESTS_TOKENS_BURST: u32 = 1_000;
/// Tokens and upload passes a second for one account. Each costs a signature, 1.7 ms of a core, and a row on disk.
pub(crate) const ACCOUNT_TOKENS_PER_S: u32 = 5;
/// Burst of tokens and upload passes for one account: its scripts all start again.
pub(crate) const ACCOUNT_TOKENS_BURST: u32 = 600;
/// Tokens and upload passes a second for all accounts on one endpoint. Above it each account has a fair share.
pub(crate) const ACCOUNTS_TOKENS_PER_S: u32 = 100;
/// Burst of tokens and upload passes for all accounts. See [`GUESTS_TOKENS_BURST`].
pub(crate) const ACCOUNTS_TOKENS_BURST: u32 = 1_000;
/// QR codes a second for one address, or one /64 of IPv6. Each takes a few milliseconds of a core.
pub(crate) const QR_CODES_PER_S: u32 = 5;
/// Burst of QR codes for one address: a class of forty opens the page for phones a few times.
pub(crate) const QR_CODES_BURST: u32 = 200;
/// QR codes a second for all addresses on one endpoint, of which each has a fair share.
pub(crate) const ALL_QR_CODES_PER_S: u32 = 10 * QR_CODES_PER_S;
/// Burst of QR codes for all addresses.
pub(crate) const ALL_QR_CODES_BURST: u32 = 3 * QR_CODES_BURST;
/// Requests a second to the API by one address, or one /64 of IPv6. Many of them ask the realm's task or the database,
/// about 50 µs each, so this is a fiftieth of the task's time. Loopback addresses are not limited.
pub(crate) const API_REQUESTS_PER_S: u32 = 400;
/// Burst of requests to the API by one address: a class of forty opens a list of 300 scenes, each with its picture.
pub(crate) const API_REQUESTS_BURST: u32 = 16_000;
const _: () = assert!(40 * (300 + 2 * HTTP2_STREAMS_MAX) < API_REQUESTS_BURST);
/// Requests a second to the API by all addresses on one endpoint: a fifth of the task's time. Above it each address has
/// a fair share.
pub(crate) const ALL_API_REQUESTS_PER_S: u32 = 10 * API_REQUESTS_PER_S;
/// Burst of requests to the API by all addresses.
pub(crate) const ALL_API_REQUESTS_BURST: u32 = 3 * API_REQUESTS_BURST;
/// Requests a second by which one account changes something: settings, invitations, moderation, files. Each is a
/// transaction on disk of a few milliseconds, and often a command to the realm. A person makes a few a minute.
pub(crate) const ACCOUNT_CHANGES_PER_S: u32 = 10;
/// Burst of requests by which one account changes something: a folder with the pictures and models of a large scene.
pub(crate) const ACCOUNT_CHANGES_BURST: u32 = 600;
/// Requests a second by which accounts and guests of one address, or one /64 of IPv6, change something. Loopback
/// addresses are not limited.
pub(crate) const ADDRESS_CHANGES_PER_S: u32 = 10 * ACCOUNT_CHANGES_PER_S;
/// Burst of requests by which one address changes something: a class of forty in which each person uploads a hundred
/// files.
pub(crate) const ADDRESS_CHANGES_BURST: u32 = 4_000;
const _: () = assert!(ACCOUNT_CHANGES_BURST * 5 < ADDRESS_CHANGES_BURST);
/// Requests a second that change something, of all accounts and again of all addresses, on one endpoint. Above it each
/// has a fair share.
pub(crate) const ALL_CHANGES_PER_S: u32 = 2 * ADDRESS_CHANGES_PER_S;
/// Burst of requests that change something, of all accounts and again of all addresses.
pub(crate) const ALL_CHANGES_BURST: u32 = 2 * ADDRESS_CHANGES_BURST;
/// Motion tickets a second over HTTP for one address, or one /64 of IPv6. Each of its connections retries
/// WebTransport after `MOTION_RETRY_S`. Loopback addresses are not limited.
pub(crate) const MOTION_TICKETS_PER_S: u32 = 50;
const _: () = assert!(MOTION_TICKETS_PER_S as u64 * MOTION_RETRY_S >= CONNECTIONS_PER_ADDRESS_MAX as u64);
/// Burst of motion tickets: all connections of an address return after a restart, twice.
pub(crate) const MOTION_TICKETS_BURST: u32 = 2 * CONNECTIONS_PER_ADDRESS_MAX as u32;
const _: () = assert!((MOTION_TICKETS_BURST as usize) < stoa_state::limits::MOTION_GRANTS_MAX / 4);
/// Motion tickets a second for all addresses of one endpoint. Above it each address has a fair share.
pub(crate) const ALL_MOTION_TICKETS_PER_S: u32 = 10 * MOTION_TICKETS_PER_S;
/// Burst of motion tickets for all addresses.
pub(crate) const ALL_MOTION_TICKETS_BURST: u32 = 10 * MOTION_TICKETS_BURST;
/// Histories and copies of whole scenes read at one time on one endpoint.
pub(crate) const READINGS_MAX: usize = 2;
/// Parts of snapshots and of `/persist` that are made or wait for a background thread at one time on one endpoint. A
/// part that waits for its reader holds no slot.
pub(crate) const STREAMINGS_MAX: usize = 32;
/// One chunk of a snapshot or an export being sent.
pub(crate) const STREAMING_CHUNK_BYTES: usize = 64 * 1_024;
/// Chunks of an export made ahead of the reader.
pub(crate) const STREAMING_CHUNKS_QUEUED_MAX: usize = 16;
/// A reader that takes no chunk for this long is disconnected.
pub(crate) const STREAMING_STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Time after which the least rate of a snapshot's or an export's reader counts.
pub(crate) const STREAMING_GRACE: Duration = Duration::from_secs(5);
/// Least average rate of a snapshot's or an export's reader after [`STREAMING_GRACE`], in bytes a second: a bad mobile
/// line.
pub(crate) const STREAMING_BYTES_PER_S_MIN: u64 = 64 * 1_024;
/// Parts of snapshots in [`STREAMINGS_MAX`] for one address, and for each wider IPv6 prefix: a quarter. A class behind
/// one address takes turns within a second.
pub(crate) const STREAMINGS_PER_ADDRESS_MAX: usize = 8;
const _: () = assert!(STREAMINGS_PER_ADDRESS_MAX * 4 <= STREAMINGS_MAX);
/// One part of a snapshot, made at once and then sent. Most scenes fit as a whole.
pub(crate) const SNAPSHOT_PART_BYTES: usize = 16 * STREAMING_CHUNK_BYTES;
/// Chunks of a snapshot in the connection's hands. The rest of a part is dropped if the reader is too slow.
pub(crate) const SNAPSHOT_CHUNKS_QUEUED_MAX: usize = 2;
/// Memory of an object's id in the rest of a snapshot.
pub(crate) const SNAPSHOT_ID_BYTES: u64 = 64;
/// Bytes of snapshots that wait for their readers, of all addresses, from which fair shares count. It is also the bound
/// of one address: a class of forty, each with one part.
pub(crate) const UNREAD_BYTES_SHARED: u64 = 64 << 20;
const _: () = assert!(40 * SNAPSHOT_PART_BYTES as u64 <= UNREAD_BYTES_SHARED);
/// Bytes of snapshots that wait for their readers, of all addresses. The rest above [`UNREAD_BYTES_SHARED`] is for
/// addresses below their fair share.
pub(crate) const UNREAD_BYTES_MAX: u64 = 2 * UNREAD_BYTES_SHARED;
/// Time without progress from which a request counts as stalled, where an address has more than its share. Readers on a
/// bad mobile line ([`STREAMING_BYTES_PER_S_MIN`]) take a chunk in that time.
pub(crate) const REQUEST_STALLED: Duration = Duration::from_secs(1);
const _: () = assert!(STREAMING_CHUNK_BYTES as u64 <= STREAMING_BYTES_PER_S_MIN * REQUEST_STALLED.as_secs());
/// Pause after a search that found too few stalled requests. A search among [`REQUESTS_MAX`] takes about 100 µs, so all
/// searches together take a hundredth of a core.
pub(crate) const STALLED_SEARCH_PAUSE: Duration = Duration::from_millis(10);
/// Longest wait for a slot.
pub(crate) const SLOT_TIMEOUT: Duration = Duration::from_secs(20);
/// KiB a second of whole scenes that one address reads, by snapshot or `/persist`. Reads above it are owed: hundreds
/// of small scenes, or a huge one now and then.
pub(crate) const READ_KIB_PER_S: u32 = 16 * 1_024;
/// Burst of whole scenes that one address reads, in KiB: a class of 40 joins a scene of 6 MB.
pub(crate) const READ_KIB_BURST: u32 = 256 * 1_024;
/// KiB a second of whole scenes that all addresses of one endpoint read: half of a core. Above it each address has a
/// fair share.
pub(crate) const ALL_READ_KIB_PER_S: u32 = 4 * READ_KIB_PER_S;
/// Burst of whole scenes that all addresses read, in KiB.
pub(crate) const ALL_READ_KIB_BURST: u32 = 4 * READ_KIB_BURST;
/// Addresses and groups of addresses with a remembered allowance. Above it the least recently used are forgotten.
pub(crate) const PACE_ASKERS_MAX: usize = 65_536;
const _: () = assert!(READ_KIB_BURST as usize * 1_024 >= stoa_state::limits::SCENE_BYTES_MAX);

/// Lifetime of tokens for pages and scripts. They renew theirs unattended, so it is short.
pub(crate) const SCENE_TOKEN_TTL: Duration = Duration::from_secs(3_600);
/// Lifetime of tokens for ARENA's programs. They never renew one while they run, so it is as long as ARENA's.
pub(crate) const ARENA_TOKEN_TTL: Duration = Duration::from_secs(86_400);
/// How long a revoked token is remembered after its own end. Tokens requested with it may outlive it by their own
/// lifetime, and tokens requested with those, again.
pub(crate) const REVOKED_KEPT: Duration = Duration::from_secs(86_400 * TOKEN_PARENTS_MAX as u64);
const _: () = assert!(REVOKED_KEPT.as_secs() >= ARENA_TOKEN_TTL.as_secs() * TOKEN_PARENTS_MAX as u64);
/// Lifetime of guests' tokens for ARENA's programs. See [`ARENA_TOKEN_TTL`].
pub(crate) const ARENA_GUEST_TOKEN_TTL: Duration = Duration::from_secs(6 * 3_600);
/// Lifetime of upload tokens, as that of ARENA's file browser.
pub(crate) const UPLOAD_PASS_TTL: Duration = Duration::from_secs(2 * 3_600);
/// The kind of program that asks for a token: `web`, `py1.6.0`. It is a part of topics.
pub(crate) const CLIENT_KIND_BYTES_MAX: usize = 32;
/// Longest token that is verified. Longer tokens are none of ours.
pub(crate) const TOKEN_BYTES_MAX: usize = 16 * 1_024;
/// Longest cookie that is set. Browsers drop longer ones.
pub(crate) const COOKIE_BYTES_MAX: usize = 4_096;
/// A JSON body. Settings with a few thousand names fit.
pub(crate) const JSON_BYTES_MAX: usize = 256 * 1_024;
/// Time for a JSON body. A half-sent request holds its connection for no longer.
pub(crate) const JSON_TIMEOUT: Duration = Duration::from_secs(10);
/// One uploaded file.
pub(crate) const FILE_BYTES_MAX: u64 = 256 << 20;
/// All files of one account.
pub(crate) const FILES_BYTES_PER_ACCOUNT_MAX: u64 = 4 << 30;
/// Number of files of one account. Each is a row, a file on disk and an fsync, however small.
pub(crate) const FILES_PER_ACCOUNT_MAX: u64 = 10_000;
/// One piece of a file that is being sent: one frame of HTTP/2. A reader that stops reading holds two pieces in memory.
pub(crate) const FILE_PIECE_BYTES: u64 = 16 * 1_024;
/// Pieces of files read at one time. Each has a file open; further ones wait for a few milliseconds.
pub(crate) const FILE_READS_MAX: usize = 64;
/// Time for the next piece of an upload.
pub(crate) const UPLOAD_PIECE_TIMEOUT: Duration = Duration::from_secs(15);
/// Time after which an upload's least rate counts. A client that sends nothing keeps a slot for no longer.
pub(crate) const UPLOAD_GRACE: Duration = Duration::from_secs(5);
/// Least average rate of an upload after [`UPLOAD_GRACE`], in bytes a second: a bad mobile line.
pub(crate) const UPLOAD_BYTES_PER_S_MIN: u64 = 32 * 1_024;
/// Time for a whole upload: 256 MiB at 300 kB/s.
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_secs(900);
/// Time to check one file, in processor and wall-clock time. The longest model description parses in a second.
pub(crate) const FILE_CHECK_TIMEOUT: Duration = Duration::from_secs(20);
/// Memory that the check may map, this program included. The longest description takes a few times its length.
pub(crate) const FILE_CHECK_MEMORY_BYTES: u64 = 2 << 30;
/// Output of the check.
pub(crate) const FILE_VERDICT_BYTES_MAX: u64 = 4_096;
/// A model's JSON description: a hundred thousand nodes.
pub(crate) const MODEL_JSON_BYTES_MAX: u64 = 64 << 20;
/// One side of an image in pixels, the maximum of graphics cards.
pub(crate) const IMAGE_SIDE_MAX: usize = 16_384;
/// All pixels of an image: 256 MiB decoded.
pub(crate) const IMAGE_PIXELS_MAX: usize = 64 << 20;
/// All pixels of one model's images: 1 GiB decoded, which is a page's budget for all textures.
pub(crate) const MODEL_PIXELS_MAX: usize = 256 << 20;
const _: () = assert!(IMAGE_PIXELS_MAX <= MODEL_PIXELS_MAX);
/// Concurrent uploads, imports and copies. An upload holds an open file, and up to two pieces of [`PIECE_BYTES`].
pub(crate) const UPLOADS_MAX: usize = 32;
/// Concurrent uploads, imports and copies of one account, which cannot take all slots.
pub(crate) const UPLOADS_PER_ACCOUNT_MAX: usize = 2;
/// Concurrent uploads, imports and copies of one address, and of each wider IPv6 prefix: a quarter. A class behind one
/// address takes turns.
pub(crate) const UPLOADS_PER_ADDRESS_MAX: usize = 8;
const _: () = assert!(UPLOADS_PER_ADDRESS_MAX * 4 <= UPLOADS_MAX);
/// Concurrent uploads, imports and copies of all addresses from which fair shares count. The rest of the slots is for
/// addresses below their fair share.
pub(crate) const UPLOADS_SHARED: usize = 24;
const _: () = assert!(UPLOADS_PER_ADDRESS_MAX < UPLOADS_SHARED && UPLOADS_SHARED < UPLOADS_MAX);
/// Files checked at one time. Further uploads wait. Each check may map [`FILE_CHECK_MEMORY_BYTES`].
pub(crate) const FILE_CHECKS_MAX: usize = 8;
/// Concurrent exports on one endpoint. Each holds a thread. A slow reader of an export blocks no upload.
pub(crate) const EXPORTS_MAX: usize = 16;
/// Concurrent exports of one account.
pub(crate) const EXPORTS_PER_ACCOUNT_MAX: usize = 2;
/// Names in one listing of a folder. A person can still read such a page.
pub(crate) const FILES_LISTED_MAX: u32 = 2_000;
/// A file's name with all its folders.
pub(crate) const FILE_PATH_BYTES_MAX: usize = 512;
/// Scenes of one namespace, except `public`, where only the realm's owner makes scenes. People don't oversee more,
/// and each takes memory.
pub(crate) const SCENES_PER_ACCOUNT_MAX: u64 = 256;
/// A scene's summary in lists: a sentence or two.
pub(crate) const SUMMARY_BYTES_MAX: usize = 1_024;
/// Approximate size of a scene's entry in a list.
pub(crate) const SCENE_ENTRY_BYTES: usize = 100;
/// Editors or viewers of one scene.
pub(crate) const SCENE_NAMES_MAX: usize = 4_096;
/// `Retry-After` for a client that has all its slots.
pub(crate) const PLACE_RETRY: Duration = Duration::from_secs(5);
const _: () = assert!(UPLOADS_PER_ACCOUNT_MAX < UPLOADS_MAX);
const _: () = assert!(FILE_BYTES_MAX <= FILES_BYTES_PER_ACCOUNT_MAX);

/// Size to which the pieces of an upload are gathered. The file store prefers few large ones.
pub(crate) const PIECE_BYTES: usize = 1 << 20;
/// A message queued for several sessions is stored once if it has at least this length. For a short one a row of its
/// own would cost more than copies.
pub(crate) const SHARED_MESSAGE_BYTES_MIN: usize = 512;
/// How long an awaited write waits for earlier ones. Then it fails, and the client may retry.
pub(crate) const WRITER_TIMEOUT: Duration = Duration::from_secs(30);
/// [`WRITER_TIMEOUT`] for accepted changes. They are stored late rather than not at all.
pub(crate) const WRITER_WAIT_MAX: Duration = Duration::from_secs(3_600);
const _: () = assert!(WRITER_TIMEOUT.as_secs() < WRITER_WAIT_MAX.as_secs());
/// Read connections to the database, in addition to the one that writes.
pub(crate) const READERS: u32 = 2;
/// Readers of the log at one time. Long histories leave a reader to sign-ins and tokens.
pub(crate) const LOG_READERS: usize = 1;
const _: () = assert!(LOG_READERS < READERS as usize);
/// How long a connection waits for another process that holds the database, such as a backup.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Text in a QR code: an address with a scene and a spot. The code of a longer one is too fine for a phone's camera
/// across a room.
pub(crate) const QR_BYTES_MAX: usize = 512;

/// Longest lifetime of an invitation: a course of a year.
pub(crate) const INVITATION_TTL_MAX: Duration = Duration::from_secs(366 * 86_400);
/// Invitations of one scene: a link for each group, in a list that a person still reads.
pub(crate) const INVITATIONS_PER_SCENE_MAX: usize = 64;
/// How long an ended link still says why it ended. Afterwards it counts as unknown.
pub(crate) const INVITATION_REMEMBERED: Duration = Duration::from_secs(90 * 86_400);
/// Restrictions of people in one scene. Each chat message is checked against them.
pub(crate) const BARS_PER_SCENE_MAX: usize = 256;
/// Guest identities of one browser that one restriction follows. Each is a row in the settings. After that the
/// browser needs an account.
pub(crate) const GUESTS_PER_BAR_MAX: usize = 4;
/// A removed person stays out for this long, which is longer than a page takes to reconnect by itself.
pub(crate) const KICK_TTL: Duration = Duration::from_secs(60);
/// Longest removal or mute with an end.
pub(crate) const BAR_TTL_MAX: Duration = Duration::from_secs(366 * 86_400);
/// Period of the check for expired invitations and restrictions; they end about this late.
pub(crate) const DOORS_PERIOD: Duration = Duration::from_secs(2);
/// How long a browser without an account stays the same guest.
pub(crate) const GUEST_TTL: Duration = Duration::from_secs(30 * 86_400);
/// Lifetime of an account link. It travels by chat or on a slip of paper, and is used the same day or the next.
pub(crate) const ACCOUNT_LINK_TTL: Duration = Duration::from_secs(2 * 86_400);
/// Accounts of one realm. The realm's owner gets a list of all names.
pub(crate) const ACCOUNTS_MAX: u64 = 10_000;
/// Cost of an account's creation for its address, from a bucket of [`JOINS_BURST`] that refills by one a second: a
/// class at once, then one a minute.
pub(crate) const JOIN_COST: u32 = 60;
/// Bucket of one address for creating accounts, see [`JOIN_COST`].
pub(crate) const JOINS_BURST: u32 = 40 * JOIN_COST;
/// Refill of [`ALL_JOINS_BURST`] a second.
pub(crate) const ALL_JOINS_PER_S: u32 = 10;
/// Bucket of all addresses together for creating accounts, of which each has a fair share.
pub(crate) const ALL_JOINS_BURST: u32 = 10 * JOINS_BURST;
/// Link redemptions a second for one address. The limit protects the disk, because 256 bits can't be guessed.
pub(crate) const REDEEMS_PER_S: u32 = 2;
/// Burst of redemptions: a class that opens its link.
pub(crate) const REDEEMS_BURST: u32 = 100;
/// Link redemptions a second for all addresses together, of which each has a fair share.
pub(crate) const ALL_REDEEMS_PER_S: u32 = 10 * REDEEMS_PER_S;
/// Burst of link redemptions for all addresses.
pub(crate) const ALL_REDEEMS_BURST: u32 = 10 * REDEEMS_BURST;
/// A scene's picture in the list. 640 × 360 pixels of WebP take 20 to 60 KiB.
pub(crate) const PICTURE_BYTES_MAX: usize = 192 * 1_024;
/// Longer side of a scene's picture, in pixels.
pub(crate) const PICTURE_SIDE_MAX: u32 = 1_024;
