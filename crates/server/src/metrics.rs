//! The metrics page. The recorder belongs to the server, not to the process, so two servers in one test count
//! separately.

use std::sync::Arc;
use std::time::Duration;

use metrics::{Key, KeyName, Label, Level, Metadata, Recorder, Unit};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use stoa_net::counters::{MotionTransportCounters, MqttConnectionCounters};
use stoa_state::realm::RealmCounter;

use crate::motion::MotionThreadSnapshot;

/// The server's metrics.
pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    page: PrometheusHandle,
    realm: RealmCounters,
    snapshots: metrics::Histogram,
    database: metrics::Gauge,
    /// Stalled HTTP requests that the server aborted, so that addresses with less than their fair share could begin
    /// one.
    pub http_ended: metrics::Counter,
    /// Counters of WebTransport.
    pub webtransport: Arc<MotionTransportCounters>,
    /// Counters of the motion plane's WebSockets.
    pub motion_websocket: Arc<MotionTransportCounters>,
}

const METADATA: Metadata<'static> = Metadata::new("stoa", Level::INFO, None);

/// A metric's name and its HELP text.
#[derive(Clone, Copy)]
struct Metric {
    name: &'static str,
    help: &'static str,
}

const fn metric(name: &'static str, help: &'static str) -> Metric {
    Metric { name, help }
}

/// The counters of the realm: one for each [`RealmCounter`] but `Refused`, which has a label.
struct RealmCounters {
    accepted: metrics::Counter,
    delivered: metrics::Counter,
    encoded: metrics::Counter,
    connected: metrics::Counter,
    connect_refused: metrics::Counter,
    overflowed: metrics::Counter,
    protocol_errors: metrics::Counter,
}

impl RealmCounters {
    fn register(recorder: &PrometheusRecorder) -> RealmCounters {
        let counter = |name: &'static str, help: &'static str| {
            recorder.describe_counter(KeyName::from(name), Some(Unit::Count), help.into());
            recorder.register_counter(&Key::from_static_name(name), &METADATA)
        };
        RealmCounters {
            accepted: counter("stoa_accepted_total", "Messages accepted by the realm"),
            delivered: counter("stoa_delivered_total", "Messages put into an outbox"),
            encoded: counter("stoa_encoded_total", "Messages encoded; one encoding serves all receivers"),
            connected: counter("stoa_connected_total", "Connections whose CONNECT was accepted"),
            connect_refused: counter("stoa_connect_refused_total", "Connections whose CONNECT was refused"),
            overflowed: counter("stoa_overflowed_total", "Connections ended because they read too slowly"),
            protocol_errors: counter(
                "stoa_protocol_errors_total",
                "Connections ended because of invalid bytes, or a packet out of order",
            ),
        }
    }
}

const REFUSED: Metric = metric("stoa_refused_total", "Messages and filters refused, by reason");
const HTTP_REFUSED: Metric = metric("stoa_http_refused_total", "HTTP requests refused, by status");
const HTTP_ENDED: Metric = metric(
    "stoa_http_ended_total",
    "HTTP requests ended although their responses were unread, because requests of smaller addresses had to begin",
);
const LONG_ROUNDS: Metric = metric(
    "stoa_realm_long_rounds_total",
    "Rounds of the realm task over a millisecond of processor time, by the kind of input that took longest",
);
const MOTION_DROPPED: Metric = metric(
    "stoa_motion_dropped_total",
    "Datagrams, frames and parts of frames of the motion plane that were dropped, by reason",
);
const MOTION_PEOPLE: Metric = metric("stoa_motion_people", "Motion sessions, over all transports");
const MOTION_SCENES: Metric = metric("stoa_motion_scenes", "Scenes with motion sessions");
const MOTION_BUSY: Metric = metric("stoa_motion_busy_seconds_total", "Processor time of the motion plane's threads");
const MOTION_BUSY_MICROSECONDS: Metric =
    metric("stoa_motion_busy_microseconds_total", "Former name of stoa_motion_busy_seconds_total, until 0.3");
const TRANSPORT_CONNECTIONS: Metric =
    metric("stoa_motion_way_connections", "Open connections of the motion plane, by transport");
const CONNECTIONS: Metric = metric("stoa_net_connections", "Open MQTT connections");
const SNAPSHOT: Metric = metric(
    "stoa_realm_snapshot_seconds",
    "Processor time for which a snapshot blocked the realm task, in the last minute",
);

const DATABASE: Metric =
    metric("stoa_store_database_bytes", "Size of the database on disk, with commits that are not folded in yet");

/// Quantiles of times: the median, the 99.9th percentile and the maximum.
const QUANTILES: [f64; 3] = [0.5, 0.999, 1.0];

impl Metrics {
    /// All counters at zero.
    pub(crate) fn new() -> Metrics {
        let builder = PrometheusBuilder::new().set_quantiles(&QUANTILES).expect("there are quantiles");
        let recorder = builder.build_recorder();
        let page = recorder.handle();
        let realm = RealmCounters::register(&recorder);
        recorder.describe_counter(KeyName::from(HTTP_ENDED.name), Some(Unit::Count), HTTP_ENDED.help.into());
        let http_ended = recorder.register_counter(&Key::from_static_name(HTTP_ENDED.name), &METADATA);
        recorder.describe_histogram(KeyName::from(SNAPSHOT.name), Some(Unit::Seconds), SNAPSHOT.help.into());
        let snapshots = recorder.register_histogram(&Key::from_static_name(SNAPSHOT.name), &METADATA);
        recorder.describe_gauge(KeyName::from(DATABASE.name), Some(Unit::Bytes), DATABASE.help.into());
        let database = recorder.register_gauge(&Key::from_static_name(DATABASE.name), &METADATA);
        for Metric { name, help } in [REFUSED, HTTP_REFUSED, LONG_ROUNDS] {
            recorder.describe_counter(KeyName::from(name), Some(Unit::Count), help.into());
        }
        // Publishes the descriptions.
        page.run_upkeep();
        let (webtransport, motion_websocket) = (Arc::default(), Arc::default());
        Metrics { recorder, page, realm, snapshots, database, http_ended, webtransport, motion_websocket }
    }

    /// Counts an event of the realm.
    pub(crate) fn count(&self, counter: RealmCounter, reason: Option<&'static str>, times: u64) {
        let of_event = match counter {
            RealmCounter::Accepted => &self.realm.accepted,
            RealmCounter::Delivered => &self.realm.delivered,
            RealmCounter::Encoded => &self.realm.encoded,
            RealmCounter::Connected => &self.realm.connected,
            RealmCounter::ConnectRefused => &self.realm.connect_refused,
            RealmCounter::Overflowed => &self.realm.overflowed,
            RealmCounter::ProtocolError => &self.realm.protocol_errors,
            RealmCounter::Refused => return self.refused(reason.unwrap_or("unknown")),
        };
        of_event.increment(times);
    }

    /// Records the time for which a snapshot blocked the realm task.
    pub(crate) fn snapshot_taken(&self, own_time: Duration) {
        self.snapshots.record(own_time.as_secs_f64());
        // Without this, values would accumulate until the page is read.
        self.page.run_upkeep();
    }

    /// Shows the size of the database.
    pub(crate) fn database_measured(&self, bytes: u64) {
        #[expect(clippy::cast_precision_loss, reason = "a disk has far less than 2^52 bytes")]
        self.database.set(bytes as f64);
    }

    /// Counts an event. [`Metrics::new`] set the metric's HELP text. Setting it here would store the text again with
    /// each event until the page is read, so clients could fill the memory.
    fn increment(&self, name: &'static str, label: Label) {
        self.recorder.register_counter(&Key::from_parts(name, vec![label]), &METADATA).increment(1);
    }

    /// A counter of the page, with its HELP text.
    fn counter(&self, metric: Metric, labels: Vec<Label>) -> metrics::Counter {
        self.recorder.describe_counter(KeyName::from(metric.name), Some(Unit::Count), metric.help.into());
        self.recorder.register_counter(&Key::from_parts(metric.name, labels), &METADATA)
    }

    /// Sets a gauge with its HELP text.
    fn set_gauge(&self, metric: Metric, labels: Vec<Label>, value: u64) {
        self.recorder.describe_gauge(KeyName::from(metric.name), Some(Unit::Count), metric.help.into());
        let gauge = self.recorder.register_gauge(&Key::from_parts(metric.name, labels), &METADATA);
        #[expect(clippy::cast_precision_loss, reason = "a count of people or connections is far below 2^52")]
        gauge.set(value as f64);
    }

    /// Sets the counters of one thread of the motion plane.
    fn show_motion(&self, thread: usize, totals: &MotionThreadSnapshot) {
        let MotionThreadSnapshot { frames, datagrams, .. } = totals;
        let labels = || vec![Label::new("thread", thread.to_string())];
        let busy_us = u64::try_from(totals.busy.as_micros()).unwrap_or(u64::MAX);
        let counted = [
            (metric("stoa_motion_frames_in_total", "Frames received"), frames.taken),
            (metric("stoa_motion_frames_out_total", "Frames sent"), frames.sent),
            (metric("stoa_motion_frame_bytes_out_total", "Bytes of the frames sent"), frames.sent_bytes),
            (metric("stoa_motion_poses_thinned_total", "Poses omitted for a receiver's budget"), frames.thinned),
            (metric("stoa_voice_units_in_total", "Units of voices received"), frames.voice.units_in),
            (metric("stoa_voice_units_out_total", "Units of voices sent"), frames.voice.units_out),
            (
                metric("stoa_voice_units_repeated_total", "Units of voices sent again on lossy paths"),
                frames.voice.units_repeated,
            ),
            (metric("stoa_motion_datagrams_in_total", "UDP datagrams received"), datagrams.received),
            (
                metric("stoa_motion_datagram_bytes_in_total", "Bytes of the datagrams received"),
                datagrams.received_bytes,
            ),
            (
                metric("stoa_motion_receive_calls_total", "System calls that received datagrams"),
                datagrams.receive_calls,
            ),
            (metric("stoa_motion_datagrams_out_total", "UDP datagrams sent"), datagrams.sent),
            (metric("stoa_motion_datagram_bytes_out_total", "Bytes of the datagrams sent"), datagrams.sent_bytes),
            (metric("stoa_motion_send_calls_total", "System calls that sent datagrams"), datagrams.send_calls),
            (metric("stoa_motion_late_ticks_total", "Ticks that began after the next one was due"), totals.late_ticks),
            (MOTION_BUSY_MICROSECONDS, busy_us),
        ];
        for (metric, value) in counted {
            self.counter(metric, labels()).absolute(value);
        }
        for (why, value) in totals.dropped() {
            let labels = [labels(), vec![Label::from_static_parts("reason", why)]].concat();
            self.counter(MOTION_DROPPED, labels).absolute(value);
        }
        self.set_gauge(MOTION_PEOPLE, labels(), totals.people as u64);
        self.set_gauge(MOTION_SCENES, labels(), totals.scenes as u64);
    }

    fn show_transports(&self) {
        for (transport, counts) in [("webtransport", &self.webtransport), ("websocket", &self.motion_websocket)] {
            let labels = || vec![Label::from_static_parts("way", transport)];
            let counted = [
                (metric("stoa_motion_way_opened_total", "Connections accepted"), counts.opened.get()),
                (metric("stoa_motion_way_closed_total", "Accepted connections that have ended"), counts.closed.get()),
                (
                    metric("stoa_motion_way_turned_away_total", "Connections refused for a limit"),
                    counts.turned_away.get(),
                ),
                (metric("stoa_motion_way_retried_total", "First packets answered with a Retry"), counts.retried.get()),
                (
                    metric("stoa_motion_way_put_off_total", "First packets left unanswered in a burst"),
                    counts.put_off.get(),
                ),
                (
                    metric("stoa_motion_way_handshakes_failed_total", "Handshakes that failed or timed out"),
                    counts.handshakes_failed.get(),
                ),
                (
                    metric("stoa_motion_way_tickets_refused_total", "Connections with an invalid ticket"),
                    counts.tickets_refused.get(),
                ),
                (metric("stoa_motion_way_frames_in_total", "Frames received, by transport"), counts.frames_in.get()),
                (
                    metric("stoa_motion_way_frames_refused_total", "Messages received that were no frame"),
                    counts.frames_refused.get(),
                ),
                (metric("stoa_motion_way_frames_out_total", "Frames sent, by transport"), counts.frames_out.get()),
                (
                    metric(
                        "stoa_motion_way_frames_dropped_total",
                        "Frames dropped for newer ones, or for lack of space",
                    ),
                    counts.frames_dropped.get(),
                ),
                (
                    metric(
                        "stoa_motion_way_socket_overflowed_total",
                        "Datagrams dropped because the socket's buffer was full",
                    ),
                    counts.socket_overflowed(),
                ),
            ];
            for (metric, value) in counted {
                self.counter(metric, labels()).absolute(value);
            }
            self.set_gauge(TRANSPORT_CONNECTIONS, labels(), counts.opened.get().saturating_sub(counts.closed.get()));
        }
    }

    /// Counts a refused request of the realm.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.increment(REFUSED.name, Label::from_static_parts("reason", reason));
    }

    /// Counts a long round of the realm task.
    pub(crate) fn long_round(&self, cause: &'static str) {
        self.increment(LONG_ROUNDS.name, Label::from_static_parts("cause", cause));
    }

    /// Counts a refused HTTP request.
    pub(crate) fn http_refused(&self, status: u16) {
        self.increment(HTTP_REFUSED.name, Label::new("status", status.to_string()));
    }

    /// Renders the page in Prometheus's text format, with the counters of the transports and of the motion threads.
    pub(crate) fn render(
        &self,
        net: &MqttConnectionCounters,
        motion: impl IntoIterator<Item = MotionThreadSnapshot>,
    ) -> String {
        let motion: Vec<MotionThreadSnapshot> = motion.into_iter().collect();
        motion.iter().enumerate().for_each(|(thread, totals)| self.show_motion(thread, totals));
        let counted = [
            (metric("stoa_net_opened_total", "MQTT connections accepted"), net.opened.get()),
            (metric("stoa_net_closed_total", "Accepted MQTT connections that have ended"), net.closed.get()),
            (
                metric("stoa_net_turned_away_total", "Connections refused because the endpoint was full"),
                net.turned_away.get(),
            ),
            (
                metric(
                    "stoa_net_turned_away_by_address_total",
                    "Connections refused for their network's open connections",
                ),
                net.turned_away_by_address.get(),
            ),
            (
                metric(
                    "stoa_net_turned_away_by_rate_total",
                    "Connections refused for their network's rate of new ones",
                ),
                net.turned_away_by_rate.get(),
            ),
            (
                metric("stoa_net_handshakes_failed_total", "TLS handshakes that failed or timed out"),
                net.handshakes_failed.get(),
            ),
            (metric("stoa_net_text_frames_total", "WebSockets closed for a text frame"), net.text_frames.get()),
            (metric("stoa_net_wakeups_total", "Times a connection's writer was woken"), net.wakeups.get()),
            (metric("stoa_net_writes_total", "Writes after such wake-ups"), net.writes.get()),
            (metric("stoa_net_frames_total", "MQTT packets in those writes"), net.frames.get()),
            (metric("stoa_net_bytes_in_total", "Bytes received, after TLS and WebSocket"), net.bytes_in.get()),
            (metric("stoa_net_bytes_out_total", "Bytes sent, before TLS and WebSocket"), net.bytes_out.get()),
        ];
        for (metric, value) in counted {
            self.counter(metric, Vec::new()).absolute(value);
        }
        self.set_gauge(CONNECTIONS, Vec::new(), net.opened.get().saturating_sub(net.closed.get()));
        self.show_transports();
        self.page.render() + &busy_seconds(&motion)
    }
}

/// The lines of [`MOTION_BUSY`]: the recorder's counters are integers, and Prometheus's base unit of time is seconds.
fn busy_seconds(motion: &[MotionThreadSnapshot]) -> String {
    let Metric { name, help } = MOTION_BUSY;
    let mut lines = format!("# HELP {name} {help}\n# TYPE {name} counter\n");
    for (thread, totals) in motion.iter().enumerate() {
        lines.push_str(&format!("{name}{{thread=\"{thread}\"}} {}\n", totals.busy.as_secs_f64()));
    }
    lines
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_metrics_page_counts_refusals_by_reason() {
        let metrics = Metrics::new();
        metrics.count(RealmCounter::Refused, Some("id_mismatch"), 1);
        metrics.count(RealmCounter::Accepted, None, 1);
        let page = metrics.render(&MqttConnectionCounters::default(), []);
        assert!(page.contains("stoa_refused_total{reason=\"id_mismatch\"} 1"), "{page}");
        assert!(page.contains("stoa_accepted_total 1"), "{page}");
        assert!(page.contains("stoa_net_writes_total 0"), "{page}");
    }

    #[test]
    fn the_metrics_page_counts_long_rounds_by_cause() {
        let metrics = Metrics::new();
        for cause in ["publish", "timer", "publish"] {
            metrics.long_round(cause);
        }
        let page = metrics.render(&MqttConnectionCounters::default(), []);
        assert!(page.contains("stoa_realm_long_rounds_total{cause=\"publish\"} 2"), "{page}");
        assert!(page.contains("stoa_realm_long_rounds_total{cause=\"timer\"} 1"), "{page}");
    }

    #[test]
    fn counted_refusals_accumulate_no_memory_between_scrapes() {
        let metrics = Metrics::new();
        let left = allocation_counter::measure(|| {
            for _ in 0..10_000 {
                metrics.http_refused(404);
                metrics.refused("id_mismatch");
            }
        });
        assert!(left.bytes_current < 10_000, "{left:?}");
    }

    #[test]
    fn the_metrics_page_shows_how_long_snapshots_blocked_the_realm() {
        let metrics = Metrics::new();
        metrics.snapshot_taken(Duration::from_micros(250));
        metrics.snapshot_taken(Duration::from_micros(500));
        let page = metrics.render(&MqttConnectionCounters::default(), []);
        assert!(page.contains("stoa_realm_snapshot_seconds_count 2"), "{page}");
        assert!(page.contains("stoa_realm_snapshot_seconds{quantile=\"1\"} 0.0005"), "{page}");
        assert!(page.contains("stoa_realm_snapshot_seconds{quantile=\"0.999\"} "), "{page}");
    }

    #[test]
    fn the_metrics_page_shows_the_size_of_the_database() {
        let metrics = Metrics::new();
        metrics.database_measured(4_096);
        let page = metrics.render(&MqttConnectionCounters::default(), []);
        assert!(page.contains("\nstoa_store_database_bytes 4096\n"), "{page}");
    }

    #[test]
    fn every_metric_has_a_help_text_and_a_base_unit() {
        let metrics = Metrics::new();
        metrics.refused("id_mismatch");
        metrics.http_refused(404);
        metrics.long_round("publish");
        metrics.snapshot_taken(Duration::from_micros(250));
        let totals = MotionThreadSnapshot { busy: Duration::from_millis(1_500), ..MotionThreadSnapshot::default() };
        let page = metrics.render(&MqttConnectionCounters::default(), [totals]);
        let after = |keyword: &str| -> BTreeSet<String> {
            let rests = page.lines().filter_map(|line| line.strip_prefix(keyword));
            rests.map(|rest| rest.split(' ').next().unwrap_or_default().to_owned()).collect()
        };
        let (names, helped) = (after("# TYPE "), after("# HELP "));
        assert!(names.len() > 40, "{names:?}");
        assert_eq!(names.difference(&helped).collect::<Vec<_>>(), Vec::<&String>::new(), "metrics without HELP");
        let old = [MOTION_BUSY_MICROSECONDS.name];
        let odd = ["micro", "milli", "kilo", "mega", "minutes", "_ms", "_us"];
        let off: Vec<&String> = names.iter().filter(|name| odd.iter().any(|unit| name.contains(unit))).collect();
        assert_eq!(off, old, "base units are seconds and bytes");
        assert!(page.contains("stoa_motion_busy_seconds_total{thread=\"0\"} 1.5\n"), "{page}");
    }
}
