//! The metrics page. The recorder belongs to the server, not to the process, so two servers in one test count
//! separately.

use std::sync::Arc;
use std::time::Duration;

use metrics::{Key, KeyName, Label, Level, Metadata, Recorder, Unit};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use stoa_net::counters::{ConnectionCounters, FrameCounters};
use stoa_state::realm::RealmCounter;

use crate::motion::MotionTotals;

/// The server's metrics.
pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    page: PrometheusHandle,
    realm: [metrics::Counter; 7],
    snapshots: metrics::Histogram,
    /// Counters of WebTransport.
    pub webtransport: Arc<FrameCounters>,
    /// Counters of the motion plane's WebSockets.
    pub motion_websocket: Arc<FrameCounters>,
}

const METADATA: Metadata<'static> = Metadata::new("stoa", Level::INFO, None);

/// Names and help texts, in the order of [`Metrics::count`]'s `match`.
const REALM_COUNTERS: [(&str, &str); 7] = [
    ("stoa_accepted_total", "Messages accepted by the realm"),
    ("stoa_delivered_total", "Messages put into an outbox"),
    ("stoa_encoded_total", "Messages encoded; one encoding serves all receivers"),
    ("stoa_connected_total", "Connections whose CONNECT was accepted"),
    ("stoa_connect_refused_total", "Connections whose CONNECT was refused"),
    ("stoa_overflowed_total", "Connections ended because they read too slowly"),
    ("stoa_protocol_errors_total", "Connections ended because their bytes were no packet, or a packet out of place"),
];
const REFUSED: &str = "stoa_refused_total";
const HTTP_REFUSED: &str = "stoa_http_refused_total";
const MOTION_DROPPED: &str = "stoa_motion_dropped_total";
const SNAPSHOT: &str = "stoa_realm_snapshot_seconds";

/// Quantiles of times: the median, the 99.9th percentile and the maximum.
const QUANTILES: [f64; 3] = [0.5, 0.999, 1.0];

impl Metrics {
    /// All counters at zero.
    pub(crate) fn new() -> Metrics {
        let builder = PrometheusBuilder::new().set_quantiles(&QUANTILES).expect("there are quantiles");
        let recorder = builder.build_recorder();
        let page = recorder.handle();
        let realm = REALM_COUNTERS.map(|(name, meaning)| {
            recorder.describe_counter(KeyName::from(name), Some(Unit::Count), meaning.into());
            recorder.register_counter(&Key::from_static_name(name), &METADATA)
        });
        recorder.describe_counter(KeyName::from(REFUSED), Some(Unit::Count), "Requests refused, by reason".into());
        recorder.describe_counter(
            KeyName::from(HTTP_REFUSED),
            Some(Unit::Count),
            "HTTP requests that were refused, by status".into(),
        );
        recorder.describe_counter(
            KeyName::from(MOTION_DROPPED),
            Some(Unit::Count),
            "Datagrams, frames and parts of frames of the motion plane that were dropped, by reason".into(),
        );
        recorder.describe_histogram(
            KeyName::from(SNAPSHOT),
            Some(Unit::Seconds),
            "Processor time for which a snapshot held the realm's task, in the last minute".into(),
        );
        let snapshots = recorder.register_histogram(&Key::from_static_name(SNAPSHOT), &METADATA);
        Metrics { recorder, page, realm, snapshots, webtransport: Arc::default(), motion_websocket: Arc::default() }
    }

    /// Counts an event of the realm.
    pub(crate) fn count(&self, counter: RealmCounter, reason: Option<&'static str>, times: u64) {
        let index = match counter {
            RealmCounter::Accepted => 0,
            RealmCounter::Delivered => 1,
            RealmCounter::Encoded => 2,
            RealmCounter::Connected => 3,
            RealmCounter::ConnectRefused => 4,
            RealmCounter::Overflowed => 5,
            RealmCounter::ProtocolError => 6,
            RealmCounter::Refused => return self.refused(reason.unwrap_or("unknown")),
        };
        self.realm[index].increment(times);
    }

    /// Records the time for which a snapshot blocked the realm task.
    pub(crate) fn snapshot_taken(&self, own_time: Duration) {
        self.snapshots.record(own_time.as_secs_f64());
        // Without this, values would accumulate until the page is read.
        self.page.run_upkeep();
    }

    /// Sets the counters of one thread of the motion plane.
    fn show_motion(&self, thread: usize, totals: &MotionTotals) {
        let MotionTotals { frames, datagrams, .. } = totals;
        let label = || Label::new("thread", thread.to_string());
        let counted = [
            ("stoa_motion_frames_in_total", frames.taken),
            ("stoa_motion_frames_out_total", frames.sent),
            ("stoa_motion_frame_bytes_out_total", frames.sent_bytes),
            ("stoa_motion_poses_thinned_total", frames.thinned),
            ("stoa_motion_datagrams_in_total", datagrams.received),
            ("stoa_motion_datagram_bytes_in_total", datagrams.received_bytes),
            ("stoa_motion_receive_calls_total", datagrams.receive_calls),
            ("stoa_motion_datagrams_out_total", datagrams.sent),
            ("stoa_motion_datagram_bytes_out_total", datagrams.sent_bytes),
            ("stoa_motion_send_calls_total", datagrams.send_calls),
            ("stoa_motion_late_ticks_total", totals.late_ticks),
            ("stoa_motion_busy_microseconds_total", u64::try_from(totals.busy.as_micros()).unwrap_or(u64::MAX)),
        ];
        for (name, value) in counted {
            self.recorder.register_counter(&Key::from_parts(name, vec![label()]), &METADATA).absolute(value);
        }
        for (why, value) in totals.dropped() {
            let key = Key::from_parts(MOTION_DROPPED, vec![label(), Label::from_static_parts("reason", why)]);
            self.recorder.register_counter(&key, &METADATA).absolute(value);
        }
        for (name, value) in [("stoa_motion_people", totals.people), ("stoa_motion_scenes", totals.scenes)] {
            #[expect(clippy::cast_precision_loss, reason = "a count of people is far below 2^52")]
            self.recorder.register_gauge(&Key::from_parts(name, vec![label()]), &METADATA).set(value as f64);
        }
    }

    fn show_ways(&self) {
        for (way, counted) in [("webtransport", &self.webtransport), ("websocket", &self.motion_websocket)] {
            let label = |name| Key::from_parts(name, vec![Label::from_static_parts("way", way)]);
            for (name, value) in [
                ("stoa_motion_way_opened_total", counted.opened.get()),
                ("stoa_motion_way_closed_total", counted.closed.get()),
                ("stoa_motion_way_turned_away_total", counted.turned_away.get()),
                ("stoa_motion_way_retried_total", counted.retried.get()),
                ("stoa_motion_way_put_off_total", counted.put_off.get()),
                ("stoa_motion_way_handshakes_failed_total", counted.handshakes_failed.get()),
                ("stoa_motion_way_tickets_refused_total", counted.tickets_refused.get()),
                ("stoa_motion_way_frames_in_total", counted.frames_in.get()),
                ("stoa_motion_way_frames_refused_total", counted.frames_refused.get()),
                ("stoa_motion_way_frames_out_total", counted.frames_out.get()),
                ("stoa_motion_way_frames_dropped_total", counted.frames_dropped.get()),
                ("stoa_motion_way_socket_overflowed_total", counted.socket_overflowed()),
            ] {
                self.recorder.register_counter(&label(name), &METADATA).absolute(value);
            }
            let open = counted.opened.get().saturating_sub(counted.closed.get());
            #[expect(clippy::cast_precision_loss, reason = "a count of connections is far below 2^52")]
            self.recorder.register_gauge(&label("stoa_motion_way_connections"), &METADATA).set(open as f64);
        }
    }

    /// Counts a refused request of the realm.
    pub(crate) fn refused(&self, reason: &'static str) {
        let key = Key::from_parts(REFUSED, vec![Label::from_static_parts("reason", reason)]);
        self.recorder.register_counter(&key, &METADATA).increment(1);
    }

    /// Counts a refused HTTP request.
    pub(crate) fn http_refused(&self, status: u16) {
        let key = Key::from_parts(HTTP_REFUSED, vec![Label::new("status", status.to_string())]);
        self.recorder.register_counter(&key, &METADATA).increment(1);
    }

    /// Renders the page in Prometheus's text format, with the counters of the transports and of the motion threads.
    pub(crate) fn render(&self, net: &ConnectionCounters, motion: impl IntoIterator<Item = MotionTotals>) -> String {
        motion.into_iter().enumerate().for_each(|(thread, totals)| self.show_motion(thread, &totals));
        let absolutes = [
            ("stoa_net_opened_total", net.opened.get()),
            ("stoa_net_closed_total", net.closed.get()),
            ("stoa_net_turned_away_total", net.turned_away.get()),
            ("stoa_net_turned_away_by_address_total", net.turned_away_by_address.get()),
            ("stoa_net_turned_away_by_rate_total", net.turned_away_by_rate.get()),
            ("stoa_net_handshakes_failed_total", net.handshakes_failed.get()),
            ("stoa_net_text_frames_total", net.text_frames.get()),
            ("stoa_net_wakeups_total", net.wakeups.get()),
            ("stoa_net_writes_total", net.writes.get()),
            ("stoa_net_frames_total", net.frames.get()),
            ("stoa_net_bytes_in_total", net.bytes_in.get()),
            ("stoa_net_bytes_out_total", net.bytes_out.get()),
        ];
        for (name, value) in absolutes {
            self.recorder.register_counter(&Key::from_static_name(name), &METADATA).absolute(value);
        }
        let open = net.opened.get().saturating_sub(net.closed.get());
        let gauge = self.recorder.register_gauge(&Key::from_static_name("stoa_net_connections"), &METADATA);
        #[expect(clippy::cast_precision_loss, reason = "a count of connections is far below 2^52")]
        gauge.set(open as f64);
        self.show_ways();
        self.page.render()
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_refusals_by_their_reason() {
        let metrics = Metrics::new();
        metrics.count(RealmCounter::Refused, Some("id_mismatch"), 1);
        metrics.count(RealmCounter::Accepted, None, 1);
        let page = metrics.render(&ConnectionCounters::default(), []);
        assert!(page.contains("stoa_refused_total{reason=\"id_mismatch\"} 1"), "{page}");
        assert!(page.contains("stoa_accepted_total 1"), "{page}");
        assert!(page.contains("stoa_net_writes_total 0"), "{page}");
    }

    #[test]
    fn the_page_shows_for_how_long_snapshots_held_the_realm() {
        let metrics = Metrics::new();
        metrics.snapshot_taken(Duration::from_micros(250));
        metrics.snapshot_taken(Duration::from_micros(500));
        let page = metrics.render(&ConnectionCounters::default(), []);
        assert!(page.contains("stoa_realm_snapshot_seconds_count 2"), "{page}");
        assert!(page.contains("stoa_realm_snapshot_seconds{quantile=\"1\"} 0.0005"), "{page}");
        assert!(page.contains("stoa_realm_snapshot_seconds{quantile=\"0.999\"} "), "{page}");
    }
}
