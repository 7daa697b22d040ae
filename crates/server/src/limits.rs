//! Every number that bounds or shapes the server, with its reason.

use std::time::Duration;

use stoa_net::limits::CONNECTIONS_PER_ADDRESS_MAX;
use stoa_state::limits::TOKEN_PARENTS_MAX;
use stoa_wire::limits::MOTION_RETRY_S;

pub(crate) use stoa_wire::limits::{
    ACCOUNT_NAME_BYTES_MAX, DISPLAY_NAME_BYTES_MAX, PASSWORD_BYTES_MAX, PASSWORD_BYTES_MIN,
};

/// The data folder where none is given.
pub(crate) const DATA_DIR: &str = "./stoa-data";
/// HTTPS and secure WebSocket.
pub(crate) const HTTPS_PORT: u16 = 8443;
/// Plain HTTP on loopback: a secure context for browsers, without a certificate warning.
pub(crate) const HTTP_PORT: u16 = 8080;
/// MQTT's registered port.
pub(crate) const MQTT_PORT: u16 = 1883;
/// MQTT over TLS's registered port.
pub(crate) const MQTTS_PORT: u16 = 8883;
/// Native motion, in UDP.
pub(crate) const MOTION_PORT: u16 = 8444;
/// Administration.
pub(crate) const ADMIN_PORT: u16 = 8445;

/// Inputs of connections that wait for the realm task; a full channel slows their readers down.
pub(crate) const INPUTS_QUEUED_MAX: usize = 8_192;
/// Inputs applied in one batch, after which each touched writer is woken once.
pub(crate) const INPUTS_BATCH_MAX: usize = 1_024;
/// Commands of doors that wait for the realm task.
pub(crate) const REQUESTS_QUEUED_MAX: usize = 256;
/// Changes that wait for the disk. Past it the realm task takes no more from connections until the store has caught up.
pub(crate) const CHANGES_QUEUED_MAX: usize = 65_536;
/// The same in bytes: a few seconds of what a disk takes.
pub(crate) const CHANGES_QUEUED_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Tokens whose signatures are checked at one time; others wait. More would only take cores from the realm.
pub(crate) const VERIFYING_MAX: usize = 2;
/// Tokens that wait for it; past it the realm task takes no more from connections.
pub(crate) const VERIFYING_QUEUED_MAX: usize = 4_096;
/// Verdicts of the store that wait for the realm task; the store waits when it is full, the realm never waits for the store.
pub(crate) const VERDICTS_QUEUED_MAX: usize = 16;
const _: () = assert!(INPUTS_BATCH_MAX <= INPUTS_QUEUED_MAX);

/// How long a ticket to the motion plane lets in: a phone on a poor network opens a connection in less.
pub(crate) const MOTION_TICKET_TTL: Duration = Duration::from_secs(10);
/// So often a fifth of the motion plane's receivers is served.
pub(crate) const MOTION_SUBTICK: Duration = stoa_state::limits::MOTION_SUBTICK;
/// The same while nobody is in: how long the first one waits for an answer at most.
pub(crate) const MOTION_IDLE_TICK: Duration = Duration::from_millis(100);
/// How many native clients are a crowd, whose datagrams are taken together.
pub(crate) const MOTION_CROWD: usize = 32;
/// For how long they gather: a place is known so much later at most, and the thread wakes up 500 times a second instead of 20,000.
pub(crate) const MOTION_PAUSE: Duration = Duration::from_millis(2);
/// How late a tick may begin because more datagrams wait than are taken at once.
pub(crate) const MOTION_TICK_DELAY_MAX: Duration = Duration::from_millis(4);
const _: () = assert!(MOTION_TICK_DELAY_MAX.as_millis() < MOTION_SUBTICK.as_millis());
/// Between two looks at who is silent, and two tellings of what was counted.
pub(crate) const MOTION_REPORT_PERIOD: Duration = Duration::from_secs(1);
/// Frames of one client by WebTransport or WebSocket that wait for the next tick: what 90 Hz say in a tenth of a second, and a burst after a stall.
pub(crate) const MOTION_FRAMES_WAITING_MAX: usize = 16;
/// Between two tellings of where people of the motion plane are to those who know MQTT alone: ARENA's cameras have ten a second too.
pub(crate) const MOTION_BRIDGE_PERIOD: Duration = Duration::from_millis(100);
/// Heads and hands of one scene that are told then: 200 messages a second, whoever moves among more is told of in turns.
pub(crate) const MOTION_BRIDGE_PLACES: usize = 20;
/// Of a scene that nobody follows by MQTT, each so many tellings are one, of as many places: once a second.
pub(crate) const MOTION_BRIDGE_SELDOM: usize = 10;
/// Tellings that the realm may have before it while more places are told.
pub(crate) const MOTION_NEWS_WAITING_MAX: usize = 64;
/// Places of people who are not on the plane that wait for one thread: what the realm takes in of a thousand cameras in a second.
pub(crate) const MOTION_PLACES_WAITING_MAX: usize = 16_384;
/// Addresses in a connect token: clients try one after the other.
pub(crate) const MOTION_SERVERS_MAX: usize = 8;
/// Threads of the motion plane: each has a port of its own, and scenes of its own.
pub(crate) const MOTION_THREADS_MAX: usize = 64;

/// Headers of one HTTP request must have come by then: a half-sent request holds no socket for longer.
pub(crate) const HTTP_HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// HTTP/2's opening words (RFC 9113 section 3.4): with so many bytes it is known which protocol is spoken, and the time-outs of that one count.
pub(crate) const HTTP_PREFACE_BYTES: u64 = 24;
/// An answer of which nothing is taken for so long is ended: it holds an open file, or its part of the reader's window. In HTTP/2 it is ended alone: others
/// on its connection may be read, by other people where a proxy stands between. A player that has enough for now asks for the rest anew.
pub(crate) const HTTP_STALL_TIMEOUT: Duration = Duration::from_secs(60);
/// What was asked for before a connection was to end has been taken by then: the largest file by a bad mobile line.
pub(crate) const HTTP_LAST_ANSWERS_TIMEOUT: Duration = Duration::from_secs(3_600);
const _: () = assert!(FILE_BYTES_MAX / HTTP_LAST_ANSWERS_TIMEOUT.as_secs() <= 2 * STREAMING_BYTES_PER_S_MIN);
/// Signals within this time are one wish to end.
pub(crate) const ONE_SIGNAL: Duration = Duration::from_millis(1_000);
/// How long a draining server waits for HTTP requests and outboxes that are still being written.
pub(crate) const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// File descriptors that are no connection's: the database, files being read and written, the runtime, the control socket.
pub(crate) const DESCRIPTORS_KEPT: u64 = 256;
/// Connections of the admin address: a scraper, and somebody who looks.
pub(crate) const ADMIN_CONNECTIONS_MAX: usize = 32;
const _: () = assert!(
    ADMIN_CONNECTIONS_MAX + UPLOADS_MAX + 2 * EXPORTS_MAX + CONTROL_CONNECTIONS_MAX < DESCRIPTORS_KEPT as usize
);
/// Requests at one time on one HTTP/2 connection: what browsers use at most.
pub(crate) const HTTP2_STREAMS_MAX: u32 = 32;
/// How often a quiet HTTP/2 client is asked whether it is there: a phone that left the network is noticed within a minute.
pub(crate) const HTTP2_PING_PERIOD: Duration = Duration::from_secs(40);
/// It has answered by then.
pub(crate) const HTTP2_PING_TIMEOUT: Duration = Duration::from_secs(20);
/// A connection that asked nothing for so long is sent away; browsers open another when they need one.
pub(crate) const HTTP_IDLE_TIMEOUT: Duration = Duration::from_secs(300);
const _: () = assert!(HTTP2_PING_PERIOD.as_secs() + HTTP2_PING_TIMEOUT.as_secs() < HTTP_IDLE_TIMEOUT.as_secs());

/// Lifetime of a token by `stoa token`, unless told: a day, as ARENA's.
pub(crate) const TOKEN_TTL_S: u64 = 86_400;
/// The longest lifetime `stoa token` gives: a year, as ARENA's service tokens.
pub(crate) const TOKEN_TTL_S_MAX: u64 = 366 * 86_400;
/// Lifetime of `DIR/run/token`.
pub(crate) const RUN_TOKEN_TTL: Duration = Duration::from_secs(12 * 3_600);
/// It is written anew this often.
pub(crate) const RUN_TOKEN_PERIOD: Duration = Duration::from_secs(6 * 3_600);
const _: () = assert!(RUN_TOKEN_PERIOD.as_secs() < RUN_TOKEN_TTL.as_secs());

/// Lifetime of the realm's authority: it is installed by hand on phones, so it lasts.
pub(crate) const CA_LIFETIME: Duration = Duration::from_secs(10 * 365 * 86_400);
/// Lifetime of the server's certificate: browsers refuse more than 398 days.
pub(crate) const CERT_LIFETIME: Duration = Duration::from_secs(396 * 86_400);
/// A certificate with less than this left is made anew.
pub(crate) const CERT_RENEW_BEFORE: Duration = Duration::from_secs(30 * 86_400);
/// How often the server looks whether its certificate is still good.
pub(crate) const CERT_CHECK_PERIOD: Duration = Duration::from_secs(12 * 3_600);
/// Certificates begin a little in the past: clocks of phones are off.
pub(crate) const CERT_BACKDATE: Duration = Duration::from_secs(3_600);
const _: () = assert!(CERT_LIFETIME.as_secs() + CERT_BACKDATE.as_secs() <= 397 * 86_400);
/// Lifetime of the certificates that browsers take by their hash, from when they are made: they refuse more than two weeks in all.
pub(crate) const SHORT_CERT_LIFETIME: Duration = Duration::from_secs(13 * 86_400);
/// How often one of them is made: the one before is good for six days more.
pub(crate) const SHORT_CERT_PERIOD: Duration = Duration::from_secs(7 * 86_400);
/// How long its hash has been handed out before it is shown: whoever has an older list has long come in.
pub(crate) const SHORT_CERT_SETTLE: Duration = Duration::from_secs(3_600);
const _: () = assert!(SHORT_CERT_LIFETIME.as_secs() + CERT_BACKDATE.as_secs() <= 14 * 86_400);
const _: () = assert!(SHORT_CERT_PERIOD.as_secs() + CERT_CHECK_PERIOD.as_secs() < SHORT_CERT_LIFETIME.as_secs());

/// Old history is removed this often.
pub(crate) const PRUNE_PERIOD: Duration = Duration::from_secs(3_600);

/// One request line on the control socket: a scene to be imported, twice, for JSON may escape.
pub(crate) const CONTROL_LINE_BYTES_MAX: u64 = 2 * stoa_state::limits::SCENE_BYTES_MAX as u64;
/// A control connection says all it has to say by then, and takes its answer.
pub(crate) const CONTROL_TIMEOUT: Duration = Duration::from_secs(10);
/// Control connections at one time: one person types.
pub(crate) const CONTROL_CONNECTIONS_MAX: usize = 16;
/// Warnings about one object that is imported: enough to see what is wrong with it.
pub(crate) const IMPORT_WARNINGS_MAX: usize = 20;
/// Content of a file in one line of an export.
pub(crate) const EXPORT_PIECE_BYTES: u64 = 512 * 1_024;
/// A whole export that a page gives or takes: what a browser still keeps for a person, and half of what one uploads in a quarter of an hour.
pub(crate) const CARRIED_BYTES_MAX: u64 = 1 << 30;
/// The files in it, before base64 makes them a third longer: there is room for the largest scene beside them.
pub(crate) const CARRIED_FILE_BYTES_MAX: u64 = 640 << 20;
const _: () = assert!(CARRIED_FILE_BYTES_MAX / 3 * 4 + stoa_state::limits::SCENE_BYTES_MAX as u64 <= CARRIED_BYTES_MAX);
/// The same by number.
pub(crate) const CARRIED_FILES_MAX: usize = 4_096;
const _: () = assert!(CARRIED_FILES_MAX as u64 <= FILES_PER_ACCOUNT_MAX);
/// One value of an export that a stranger has sent, such as a line: parsed, it may take 16 times as much memory. The longest of ours holds a piece of a file.
pub(crate) const IMPORT_VALUE_BYTES_MAX: u64 = 4 << 20;
const _: () = assert!(EXPORT_PIECE_BYTES * 2 < IMPORT_VALUE_BYTES_MAX);
/// Warnings of an import that a page is told: more is counted.
pub(crate) const IMPORT_WARNINGS_TOLD_MAX: usize = 50;
/// A piece of a file that is copied or looked at.
pub(crate) const COPY_BYTES: usize = 256 * 1_024;
/// What a restored realm's epoch is ahead of its backup's: since then the realm may have started, and made scenes, at most so often.
pub(crate) const RESTORED_EPOCHS: i64 = 1_000_000;
/// Wait after a failed accept on the control socket.
pub(crate) const CONTROL_RETRY: Duration = Duration::from_millis(100);

/// History that is kept: a quarter, in which somebody notices what was broken.
pub(crate) const HISTORY_AGE_MAX: Duration = Duration::from_secs(90 * 86_400);
/// History that is kept, in bytes of its entries: a small disk holds it.
pub(crate) const HISTORY_BYTES_MAX: u64 = 1 << 30;

/// Entries of a scene's history in one answer.
pub(crate) const HISTORY_PAGE_MAX: usize = 200;
/// What is told where nobody says how many: a screen or two.
pub(crate) const HISTORY_PAGE_DEFAULT: usize = 50;
/// What an entry replaced, or replaced it with, as JSON: longer is not told, for people read it.
pub(crate) const HISTORY_VALUE_BYTES_MAX: usize = 4 * 1_024;
/// Entries that one restore goes back over: what a busy group does in a day. All of them are in memory then, as text.
pub(crate) const SPAN_ENTRIES_MAX: usize = 50_000;
/// Their bytes.
pub(crate) const SPAN_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// KiB that a millisecond's look at the log counts for, of [`READ_KIB_PER_S`]: whoever asks for much of it all the time has half a reader, others the rest.
pub(crate) const LOG_KIB_PER_MS: u32 = 2 * READ_KIB_PER_S / 1_000;
/// Objects a second that one address changes by restores; what was changed beyond is owed. Each is a message to everybody and an entry in the log, so it is
/// what a guest may say.
pub(crate) const RESTORED_PER_S: u32 = 100;
/// The same at once: a large scene there and back.
pub(crate) const RESTORED_BURST: u32 = 2 * stoa_state::limits::AMENDED_MAX as u32;
/// Objects that are named in the answer to a restore; all are counted.
pub(crate) const RESTORED_NAMED_MAX: usize = 100;
/// Days of history that an operator may ask for: a century.
pub(crate) const HISTORY_DAYS_MAX: u32 = 36_500;

/// The first owner's link.
pub(crate) const OWNER_LINK_TTL: Duration = Duration::from_secs(3_600);
/// A browser stays signed in for a month.
pub(crate) const WEB_SESSION_TTL: Duration = Duration::from_secs(30 * 86_400);
/// Wrong passwords for one account name from one address in [`LOGIN_FAILURES_PERIOD`].
pub(crate) const LOGIN_FAILURES_HERE_MAX: u32 = 10;
/// The same from all addresses: one of them alone must not keep an account's owner out.
pub(crate) const LOGIN_FAILURES_PER_NAME_MAX: u32 = 200;
/// Wrong passwords from one address in [`LOGIN_FAILURES_PERIOD`]: a whole class may sit behind one.
pub(crate) const LOGIN_FAILURES_PER_ADDRESS_MAX: u32 = 100;
/// After it, failures are forgotten.
pub(crate) const LOGIN_FAILURES_PERIOD: Duration = Duration::from_secs(300);
/// Names and addresses whose failures are remembered; past it single failures and the oldest are forgotten.
pub(crate) const LOGIN_KEYS_MAX: usize = 100_000;
const _: () = assert!(LOGIN_FAILURES_HERE_MAX < LOGIN_FAILURES_PER_ADDRESS_MAX);
const _: () = assert!(LOGIN_FAILURES_PER_ADDRESS_MAX < LOGIN_FAILURES_PER_NAME_MAX);

/// Passwords hashed or compared at one time on one door: argon2 takes 19 MiB for each, which are kept.
pub(crate) const HASHES_MAX: usize = 2;
/// Tokens a second for guests of one address, of IPv6 one /64: each costs a signature and a line on disk, and gives its bearer an allowance.
/// Behind a proxy all guests have one address.
pub(crate) const GUEST_TOKENS_PER_S: u32 = 2;
/// The same at once: several classes that come in at the same minute.
pub(crate) const GUEST_TOKENS_BURST: u32 = 300;
/// Tickets to the motion plane a second for one address, of IPv6 one /64, asked for over HTTP: each of its connections tries WebTransport again after `MOTION_RETRY_S`. This
/// machine's own are not counted.
pub(crate) const MOTION_TICKETS_PER_S: u32 = 50;
const _: () = assert!(MOTION_TICKETS_PER_S as u64 * MOTION_RETRY_S >= CONNECTIONS_PER_ADDRESS_MAX as u64);
/// The same at once: all of them come back after a restart, and again.
pub(crate) const MOTION_TICKETS_BURST: u32 = 2 * CONNECTIONS_PER_ADDRESS_MAX as u32;
const _: () = assert!((MOTION_TICKETS_BURST as usize) < stoa_state::limits::MOTION_GRANTS_MAX / 4);
/// Scenes read whole at one time on one door.
pub(crate) const READINGS_MAX: usize = 2;
/// Snapshots on their way out at one time on one door: each holds a thread, its queue, and the objects that have changed since.
pub(crate) const STREAMINGS_MAX: usize = 32;
/// One piece of a snapshot on its way out.
pub(crate) const STREAMING_CHUNK_BYTES: usize = 64 * 1_024;
/// Pieces that are made ahead of the reader: most scenes are made whole at once.
pub(crate) const STREAMING_CHUNKS_QUEUED_MAX: usize = 16;
/// A reader who takes no piece in this time reads no more.
pub(crate) const STREAMING_STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes a second that a reader of a snapshot takes at least, all in all: a bad mobile line.
pub(crate) const STREAMING_BYTES_PER_S_MIN: u64 = 64 * 1_024;
/// Of all snapshots on their way out, those of one address: a class behind one takes turns, within a second.
pub(crate) const STREAMINGS_PER_ADDRESS_MAX: usize = 8;
/// How long somebody waits for a place.
pub(crate) const PLACE_TIMEOUT: Duration = Duration::from_secs(20);
/// KiB a second of scenes that one address reads whole, by snapshot or `/persist`; what was read beyond is owed: hundreds of small ones, a huge one now
/// and then.
pub(crate) const READ_KIB_PER_S: u32 = 16 * 1_024;
/// The same at once: a class of 40 enters a scene of 6 MB.
pub(crate) const READ_KIB_BURST: u32 = 256 * 1_024;
/// Addresses and circles of them whose allowances are remembered; past it, those are forgotten that asked least recently.
pub(crate) const PACE_ASKERS_MAX: usize = 65_536;
const _: () = assert!(READ_KIB_BURST as usize * 1_024 >= stoa_state::limits::SCENE_BYTES_MAX);

/// Tokens for pages and scripts: short, since they are renewed without a word.
pub(crate) const SCENE_TOKEN_TTL: Duration = Duration::from_secs(3_600);
/// Tokens for ARENA's programs: they never ask for another while they run, so theirs last as long as ARENA's do.
pub(crate) const ARENA_TOKEN_TTL: Duration = Duration::from_secs(86_400);
/// How long after its own end a revoked token is known: what was asked for by it may outlive it by its own time, and what was asked for by that, again.
pub(crate) const REVOKED_KEPT: Duration = Duration::from_secs(86_400 * TOKEN_PARENTS_MAX as u64);
const _: () = assert!(REVOKED_KEPT.as_secs() >= ARENA_TOKEN_TTL.as_secs() * TOKEN_PARENTS_MAX as u64);
/// The same for guests.
pub(crate) const ARENA_GUEST_TOKEN_TTL: Duration = Duration::from_secs(6 * 3_600);
/// What uploads are signed with: as long as ARENA's file browser's.
pub(crate) const UPLOAD_PASS_TTL: Duration = Duration::from_secs(2 * 3_600);
/// What kind of program asks for a token: `web`, `py1.6.0`, …; stands in topics.
pub(crate) const CLIENT_KIND_BYTES_MAX: usize = 32;
/// A token longer than this isn't one of ours.
pub(crate) const TOKEN_BYTES_MAX: usize = 16 * 1_024;
/// Cookies longer than this are dropped by browsers.
pub(crate) const COOKIE_BYTES_MAX: usize = 4_096;
/// A JSON body: settings with a few thousand names fit.
pub(crate) const JSON_BYTES_MAX: usize = 256 * 1_024;
/// A JSON body has come by then: a half-sent request holds its connection for no longer.
pub(crate) const JSON_TIMEOUT: Duration = Duration::from_secs(10);
/// One uploaded file.
pub(crate) const FILE_BYTES_MAX: u64 = 256 << 20;
/// All files of one account.
pub(crate) const FILES_BYTES_PER_ACCOUNT_MAX: u64 = 4 << 30;
/// The same by number: each is a row, a file on disk and an fsync, however small it is.
pub(crate) const FILES_PER_ACCOUNT_MAX: u64 = 10_000;
/// The next piece of an upload has come by then.
pub(crate) const UPLOAD_PIECE_TIMEOUT: Duration = Duration::from_secs(15);
/// A whole upload has come by then: 256 MiB at 300 kB/s.
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_secs(900);
/// How long looking at a file may take, of the processor and by the clock: a description of the longest kind is parsed in a second.
pub(crate) const FILE_CHECK_TIMEOUT: Duration = Duration::from_secs(20);
/// What it may map, this program included: the longest description takes a few times its length.
pub(crate) const FILE_CHECK_MEMORY_BYTES: u64 = 2 << 30;
/// What it has to say.
pub(crate) const FILE_VERDICT_BYTES_MAX: u64 = 4_096;
/// A model's description: a hundred thousand nodes.
pub(crate) const MODEL_JSON_BYTES_MAX: u64 = 64 << 20;
/// A side of an image: what graphics cards take at most.
pub(crate) const IMAGE_SIDE_MAX: usize = 16_384;
/// All of it: 256 MiB once it is unpacked.
pub(crate) const IMAGE_PIXELS_MAX: usize = 64 << 20;
/// All pictures in one model: 1 GiB once they are unpacked, which is what pages keep for all textures.
pub(crate) const MODEL_PIXELS_MAX: usize = 256 << 20;
const _: () = assert!(IMAGE_PIXELS_MAX <= MODEL_PIXELS_MAX);
/// Uploads at one time.
pub(crate) const UPLOADS_MAX: usize = 8;
/// The same of one account: it cannot hold all places while others wait.
pub(crate) const UPLOADS_PER_ACCOUNT_MAX: usize = 2;
/// Exports on their way out at one time on one door: each holds a thread, and a file that is read. Whoever takes them slowly keeps no upload out.
pub(crate) const EXPORTS_MAX: usize = 16;
/// The same of one account.
pub(crate) const EXPORTS_PER_ACCOUNT_MAX: usize = 2;
/// Names in one folder that a list of it holds: a page of them can still be read.
pub(crate) const FILES_LISTED_MAX: u32 = 2_000;
/// A file's name, all its folders included.
pub(crate) const FILE_PATH_BYTES_MAX: usize = 512;
/// Scenes of one namespace other than `public`, whose scenes only the realm's owner makes: nobody keeps more in view, and each is memory.
pub(crate) const SCENES_PER_ACCOUNT_MAX: u64 = 256;
/// What a scene says of itself in lists: a sentence or two.
pub(crate) const SUMMARY_BYTES_MAX: usize = 1_024;
/// A scene in a list, about.
pub(crate) const SCENE_ENTRY_BYTES: usize = 100;
/// Editors or viewers of one scene.
pub(crate) const SCENE_NAMES_MAX: usize = 4_096;
/// When who has all its places may try again.
pub(crate) const PLACE_RETRY: Duration = Duration::from_secs(5);
const _: () = assert!(UPLOADS_PER_ACCOUNT_MAX < UPLOADS_MAX);
const _: () = assert!(FILE_BYTES_MAX <= FILES_BYTES_PER_ACCOUNT_MAX);

/// Pieces of an upload are gathered to this size before they go to the file store, which wants few and large ones.
pub(crate) const PIECE_BYTES: usize = 1 << 20;
/// A message that waits for several sessions is written once if it is as long as this; a row of its own would cost more than a short one.
pub(crate) const SHARED_MESSAGE_BYTES_MIN: usize = 512;
/// How long a write that somebody waits for waits for those before it: then the asker is told, and may try again.
pub(crate) const WRITER_TIMEOUT: Duration = Duration::from_secs(30);
/// The same for what was accepted: it is stored late rather than not at all.
pub(crate) const WRITER_WAIT_MAX: Duration = Duration::from_secs(3_600);
const _: () = assert!(WRITER_TIMEOUT.as_secs() < WRITER_WAIT_MAX.as_secs());
/// Connections to the database that read beside the one that writes.
pub(crate) const READERS: u32 = 2;
/// How long a connection waits for another process that holds the database, such as a backup.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Text in a QR code: an address with a scene and a place in it; beyond that a code gets too fine for a phone's camera across a room.
pub(crate) const QR_BYTES_MAX: usize = 512;

/// How long an invitation lasts at most: a course of a year.
pub(crate) const INVITATION_TTL_MAX: Duration = Duration::from_secs(366 * 86_400);
/// Invitations of one scene at one time: a link for each group, and a list that a person still reads.
pub(crate) const INVITATIONS_PER_SCENE_MAX: usize = 64;
/// For so long a link that has ended says why; then it is like one that never was.
pub(crate) const INVITATION_REMEMBERED: Duration = Duration::from_secs(90 * 86_400);
/// Decisions about people in one scene at one time: each message in the chat is held against them.
pub(crate) const BARS_PER_SCENE_MAX: usize = 256;
/// As how many guests one decision follows a browser that opens links: each is a line of the settings. After that it takes an account.
pub(crate) const GUESTS_PER_BAR_MAX: usize = 4;
/// Whoever was asked to leave stays out for so long: longer than a page takes to come back by itself.
pub(crate) const KICK_TTL: Duration = Duration::from_secs(60);
/// How long somebody is kept out or silent at most, where an end is told.
pub(crate) const BAR_TTL_MAX: Duration = Duration::from_secs(366 * 86_400);
/// How often is looked what has ended of these: about as late they end.
pub(crate) const DOORS_PERIOD: Duration = Duration::from_secs(2);
/// How long a browser without an account stays the same guest.
pub(crate) const GUEST_TTL: Duration = Duration::from_secs(30 * 86_400);
/// How long a link to an account lasts: it goes by a chat or a slip of paper, and is used the same day or the next.
pub(crate) const ACCOUNT_LINK_TTL: Duration = Duration::from_secs(2 * 86_400);
/// Accounts of one realm that made themselves, or not: their names are listed whole to the realm's owner.
pub(crate) const ACCOUNTS_MAX: u64 = 10_000;
/// What making an account costs its address, of [`JOINS_BURST`] and one a second: a class at once, then one a minute.
pub(crate) const JOIN_COST: u32 = 60;
/// See [`JOIN_COST`].
pub(crate) const JOINS_BURST: u32 = 40 * JOIN_COST;
/// Redeeming links, a second and address. Nobody guesses 256 bits; it is for the disk.
pub(crate) const REDEEMS_PER_S: u32 = 2;
/// At once: a class that opens its link.
pub(crate) const REDEEMS_BURST: u32 = 100;
/// The picture of a scene in the list: 640 × 360 points of WebP take 20 to 60 KiB.
pub(crate) const PICTURE_BYTES_MAX: usize = 192 * 1_024;
/// Its longer side, in points.
pub(crate) const PICTURE_SIDE_MAX: u32 = 1_024;
