//! QUIC settings of the WebTransport endpoint.

use std::io;
use std::sync::Arc;

use quinn::crypto::rustls::QuicServerConfig;
use quinn::{
    AckFrequencyConfig, EndpointConfig, IdleTimeout, ServerConfig, TransportConfig, ValidationTokenConfig, VarInt,
};
use quinn_proto::RandomConnectionIdGenerator;

use super::congestion_window::FixedCongestionWindowFactory;
use crate::limits;

pub(super) fn endpoint() -> EndpointConfig {
    let mut config = EndpointConfig::default();
    config.cid_generator(|| Box::new(connection_ids()));
    config
}

/// Random connection ids of 64 bits. quinn's default ids have 24 random bits, and its Retry doesn't check whether the
/// new id is in use. If it is, the client's packets go to the other connection, and the client times out. With 2,000
/// connections of five ids each, that would happen to one client in 1,700.
fn connection_ids() -> RandomConnectionIdGenerator {
    RandomConnectionIdGenerator::new(8)
}

pub(super) fn server(tls: &Arc<rustls::ServerConfig>) -> io::Result<ServerConfig> {
    let crypto = QuicServerConfig::try_from(Arc::clone(tls)).map_err(io::Error::other)?;
    let mut config = ServerConfig::with_crypto(Arc::new(crypto));
    // Every address is validated by a Retry; no token allows a client to skip that.
    let mut tokens = ValidationTokenConfig::default();
    tokens.sent(0);
    config
        .transport_config(Arc::new(transport()))
        .validation_token_config(tokens)
        .retry_token_lifetime(limits::HANDSHAKE_TIMEOUT)
        .max_incoming(limits::QUIC_INCOMING_MAX)
        .incoming_buffer_size(limits::QUIC_INCOMING_BYTES)
        .incoming_buffer_size_total(limits::QUIC_INCOMING_BYTES * limits::QUIC_INCOMING_MAX as u64);
    Ok(config)
}

fn transport() -> TransportConfig {
    let mut acknowledging = AckFrequencyConfig::default();
    acknowledging
        .ack_eliciting_threshold(VarInt::from_u32(limits::QUIC_ACK_PACKETS))
        .max_ack_delay(Some(limits::QUIC_ACK_DELAY));
    let idle = IdleTimeout::try_from(limits::QUIC_IDLE_TIMEOUT).expect("it fits into 62 bits of milliseconds");
    let mut transport = TransportConfig::default();
    transport
        .max_idle_timeout(Some(idle))
        // One session, requested on the first stream.
        .max_concurrent_bidi_streams(VarInt::from_u32(1))
        .max_concurrent_uni_streams(VarInt::from_u32(limits::QUIC_UNI_STREAMS_MAX))
        .stream_receive_window(VarInt::from_u32(limits::QUIC_STREAM_BYTES))
        .receive_window(VarInt::from_u32(limits::QUIC_RECEIVE_BYTES))
        .send_window(limits::QUIC_SEND_BYTES)
        .crypto_buffer_size(limits::QUIC_CRYPTO_BYTES)
        .datagram_receive_buffer_size(Some(limits::QUIC_UNTAKEN_BYTES))
        .datagram_send_buffer_size(limits::QUIC_UNSENT_BYTES)
        // A frame fits every path's MTU, so a larger MTU gains nothing.
        .mtu_discovery_config(None)
        .ack_frequency_config(Some(acknowledging))
        .congestion_controller_factory(Arc::new(FixedCongestionWindowFactory));
    transport
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use quinn::ConnectionIdGenerator;

    use super::connection_ids;

    #[test]
    fn a_hundred_thousand_connection_ids_differ() {
        let mut ids = connection_ids();
        let distinct: HashSet<_> = (0..100_000).map(|_| ids.generate_cid()).collect();
        assert_eq!(distinct.len(), 100_000, "ids of 24 bits would repeat some 300 times");
    }
}
