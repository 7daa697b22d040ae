//! Encodes MQTT 3.1.1 and 5 packets by `mqtt_protocol_core`.

use alloc::vec::Vec;

use mqtt_protocol_core::mqtt::packet as codec;
use mqtt_protocol_core::mqtt::packet::{Property, SubEntry, SubOpts, v3_1_1, v5_0};
use mqtt_protocol_core::mqtt::result_code::{
    ConnectReasonCode, ConnectReturnCode, DisconnectReasonCode, MqttError, PubackReasonCode, PubcompReasonCode,
    PubrecReasonCode, PubrelReasonCode, SubackReasonCode, SubackReturnCode, UnsubackReasonCode,
};

use super::frame::EncodedPacket;
use super::properties;
use super::{
    ConnAck, Connect, Disconnect, Packet, Publish, PublishAck, Qos, ReasonCode, RetainHandling, Subscribe,
    SubscribeAck, SubscriptionRequest,
};
use super::{MqttVersion, Unsubscribe};

/// Encodes one packet. In MQTT 5, a code that is not valid in a CONNACK or DISCONNECT becomes
/// [`ReasonCode::UNSPECIFIED_ERROR`]. In 3.1.1, each code becomes one of that version, or is omitted.
///
/// # Panics
/// If the packet is not valid. For instance at a string above 65,535 bytes, a packet id of 0, an AUTH in 3.1.1, and in
/// MQTT 5 at a reason code that is not valid in its packet, unless this is a CONNACK or DISCONNECT.
pub fn encode(packet: &Packet, version: MqttVersion) -> EncodedPacket {
    let bytes = match version {
        MqttVersion::V311 => v311(packet),
        MqttVersion::V5 => v5(packet),
    };
    EncodedPacket::whole(bytes.expect("our own packets are within MQTT's limits").into())
}

fn v311(packet: &Packet) -> Result<Vec<u8>, MqttError> {
    Ok(match packet {
        Packet::Connect(connect) => connect_v311(connect)?,
        Packet::ConnAck(ack) => v3_1_1::Connack::builder()
            .session_present(ack.session_present)
            .return_code(return_code(ack.code))
            .build()?
            .to_continuous_buffer(),
        Packet::Publish(publish) => publish_v311(publish)?,
        Packet::PubAck(ack) => v3_1_1::Puback::builder().packet_id(ack.packet_id).build()?.to_continuous_buffer(),
        Packet::PubRec(ack) => v3_1_1::Pubrec::builder().packet_id(ack.packet_id).build()?.to_continuous_buffer(),
        Packet::PubRel(ack) => v3_1_1::Pubrel::builder().packet_id(ack.packet_id).build()?.to_continuous_buffer(),
        Packet::PubComp(ack) => v3_1_1::Pubcomp::builder().packet_id(ack.packet_id).build()?.to_continuous_buffer(),
        Packet::Subscribe(subscribe) => v3_1_1::Subscribe::builder()
            .packet_id(subscribe.packet_id)
            .entries(entries(subscribe, MqttVersion::V311)?)
            .build()?
            .to_continuous_buffer(),
        Packet::SubAck(acks) => {
            let codes = acks.codes.iter().map(|code| SubackReturnCode::try_from(code.0));
            let codes = codes.map(|code| code.unwrap_or(SubackReturnCode::Failure)).collect();
            v3_1_1::Suback::builder().packet_id(acks.packet_id).return_codes(codes).build()?.to_continuous_buffer()
        }
        Packet::Unsubscribe(Unsubscribe { packet_id, filters }) => {
            let filters = filters.iter().map(alloc::string::String::as_str);
            v3_1_1::Unsubscribe::builder().packet_id(*packet_id).entries(filters)?.build()?.to_continuous_buffer()
        }
        Packet::UnsubAck(acks) => v3_1_1::Unsuback::builder().packet_id(acks.packet_id).build()?.to_continuous_buffer(),
        Packet::PingReq => v3_1_1::Pingreq::new().to_continuous_buffer(),
        Packet::PingResp => v3_1_1::Pingresp::new().to_continuous_buffer(),
        Packet::Disconnect(_) => v3_1_1::Disconnect::new().to_continuous_buffer(),
        Packet::Auth => return Err(MqttError::VersionMismatch),
    })
}

fn v5(packet: &Packet) -> Result<Vec<u8>, MqttError> {
    Ok(match packet {
        Packet::Connect(connect) => connect_v5(connect)?,
        Packet::ConnAck(ack) => connack_v5(ack)?,
        Packet::Publish(publish) => publish_v5(publish)?,
        Packet::PubAck(ack) => puback_v5(ack)?,
        Packet::PubRec(ack) => pubrec_v5(ack)?,
        Packet::PubRel(PublishAck { packet_id, code, .. }) => {
            let code = PubrelReasonCode::try_from(code.0).map_err(|_| MqttError::ProtocolError)?;
            v5_0::Pubrel::builder().packet_id(*packet_id).reason_code(code).build()?.to_continuous_buffer()
        }
        Packet::PubComp(PublishAck { packet_id, code, .. }) => {
            let code = PubcompReasonCode::try_from(code.0).map_err(|_| MqttError::ProtocolError)?;
            v5_0::Pubcomp::builder().packet_id(*packet_id).reason_code(code).build()?.to_continuous_buffer()
        }
        Packet::Subscribe(subscribe) => subscribe_v5(subscribe)?,
        Packet::SubAck(acks) => suback_v5(acks)?,
        Packet::Unsubscribe(Unsubscribe { packet_id, filters }) => {
            let filters = filters.iter().map(alloc::string::String::as_str);
            v5_0::Unsubscribe::builder().packet_id(*packet_id).entries(filters)?.build()?.to_continuous_buffer()
        }
        Packet::UnsubAck(acks) => unsuback_v5(acks)?,
        Packet::PingReq => v5_0::Pingreq::new().to_continuous_buffer(),
        Packet::PingResp => v5_0::Pingresp::new().to_continuous_buffer(),
        Packet::Disconnect(disconnect) => disconnect_v5(disconnect)?,
        Packet::Auth => v5_0::Auth::builder().build()?.to_continuous_buffer(),
    })
}

fn qos(qos: Qos) -> codec::Qos {
    match qos {
        Qos::AtMostOnce => codec::Qos::AtMostOnce,
        Qos::AtLeastOnce => codec::Qos::AtLeastOnce,
        Qos::ExactlyOnce => codec::Qos::ExactlyOnce,
    }
}

fn connect_v311(connect: &Connect) -> Result<Vec<u8>, MqttError> {
    let mut builder = v3_1_1::Connect::builder()
        .client_id(connect.client_id.as_str())?
        .clean_session(connect.clean_start)
        .keep_alive(connect.keep_alive_s);
    if let Some(will) = &connect.will {
        builder = builder.will_message(will.topic.as_str(), will.payload.to_vec(), qos(will.qos), will.retain)?;
    }
    if let Some(username) = &connect.username {
        builder = builder.user_name(username.as_str())?;
    }
    if let Some(password) = &connect.password {
        builder = builder.password(password.to_vec())?;
    }
    Ok(builder.build()?.to_continuous_buffer())
}

fn connect_v5(connect: &Connect) -> Result<Vec<u8>, MqttError> {
    let mut builder = v5_0::Connect::builder()
        .client_id(connect.client_id.as_str())?
        .clean_start(connect.clean_start)
        .keep_alive(connect.keep_alive_s)
        .props(connect_properties(connect)?);
    if let Some(will) = &connect.will {
        let mut will_properties = properties::encode_publish(&will.properties)?;
        if will.delay_s > 0 {
            will_properties.push(Property::WillDelayInterval(codec::WillDelayInterval::new(will.delay_s)?));
        }
        builder = builder
            .will_message(will.topic.as_str(), will.payload.to_vec(), qos(will.qos), will.retain)?
            .will_props(will_properties);
    }
    if let Some(username) = &connect.username {
        builder = builder.user_name(username.as_str())?;
    }
    if let Some(password) = &connect.password {
        builder = builder.password(password.to_vec())?;
    }
    Ok(builder.build()?.to_continuous_buffer())
}

fn connect_properties(connect: &Connect) -> Result<Vec<Property>, MqttError> {
    let mut encoded = Vec::new();
    if let Some(seconds) = connect.session_expiry_s {
        encoded.push(Property::SessionExpiryInterval(codec::SessionExpiryInterval::new(seconds)?));
    }
    if let Some(max) = connect.receive_max {
        encoded.push(Property::ReceiveMaximum(codec::ReceiveMaximum::new(max)?));
    }
    if let Some(max) = connect.packet_bytes_max {
        encoded.push(Property::MaximumPacketSize(codec::MaximumPacketSize::new(max)?));
    }
    if let Some(max) = connect.topic_alias_max {
        encoded.push(Property::TopicAliasMaximum(codec::TopicAliasMaximum::new(max)?));
    }
    if connect.response_information {
        encoded.push(Property::RequestResponseInformation(codec::RequestResponseInformation::new(1)?));
    }
    if !connect.problem_information {
        encoded.push(Property::RequestProblemInformation(codec::RequestProblemInformation::new(0)?));
    }
    if let Some(method) = &connect.authentication_method {
        encoded.push(Property::AuthenticationMethod(codec::AuthenticationMethod::new(method.as_str())?));
    }
    Ok(encoded)
}

/// Maps MQTT 5's codes to 3.1.1's.
fn return_code(code: ReasonCode) -> ConnectReturnCode {
    match code {
        ReasonCode::SUCCESS => ConnectReturnCode::Accepted,
        ReasonCode::UNSUPPORTED_PROTOCOL_VERSION => ConnectReturnCode::UnacceptableProtocolVersion,
        ReasonCode::CLIENT_IDENTIFIER_NOT_VALID => ConnectReturnCode::IdentifierRejected,
        ReasonCode::BAD_USER_NAME_OR_PASSWORD => ConnectReturnCode::BadUserNameOrPassword,
        ReasonCode::SERVER_UNAVAILABLE
        | ReasonCode::SERVER_BUSY
        | ReasonCode::QUOTA_EXCEEDED
        | ReasonCode::CONNECTION_RATE_EXCEEDED => ConnectReturnCode::ServerUnavailable,
        _ => ConnectReturnCode::NotAuthorized,
    }
}

fn connack_v5(ack: &ConnAck) -> Result<Vec<u8>, MqttError> {
    let code = ConnectReasonCode::try_from(ack.code.0).unwrap_or(ConnectReasonCode::UnspecifiedError);
    let built = v5_0::Connack::builder()
        .session_present(ack.session_present)
        .reason_code(code)
        .props(properties::encode_connack(&ack.properties)?)
        .build()?;
    Ok(built.to_continuous_buffer())
}

fn publish_v311(publish: &Publish) -> Result<Vec<u8>, MqttError> {
    let builder = v3_1_1::Publish::builder()
        .topic_name(publish.topic.as_str())?
        .qos(qos(publish.qos))
        .retain(publish.retain)
        .dup(publish.dup)
        .payload(&publish.payload[..]);
    let builder = match publish.packet_id {
        Some(id) => builder.packet_id(id),
        None => builder,
    };
    Ok(builder.build()?.to_continuous_buffer())
}

fn publish_v5(publish: &Publish) -> Result<Vec<u8>, MqttError> {
    let builder = v5_0::Publish::builder()
        .topic_name(publish.topic.as_str())?
        .qos(qos(publish.qos))
        .retain(publish.retain)
        .dup(publish.dup)
        .props(properties::encode_publish(&publish.properties)?)
        .payload(&publish.payload[..]);
    let builder = match publish.packet_id {
        Some(id) => builder.packet_id(id),
        None => builder,
    };
    Ok(builder.build()?.to_continuous_buffer())
}

fn puback_v5(ack: &PublishAck) -> Result<Vec<u8>, MqttError> {
    let code = PubackReasonCode::try_from(ack.code.0).map_err(|_| MqttError::ProtocolError)?;
    let builder = v5_0::Puback::builder().packet_id(ack.packet_id).reason_code(code);
    Ok(match &ack.reason {
        Some(reason) => builder.props(properties::encode_reason(Some(reason))?).build()?,
        None => builder.build()?,
    }
    .to_continuous_buffer())
}

fn pubrec_v5(ack: &PublishAck) -> Result<Vec<u8>, MqttError> {
    let code = PubrecReasonCode::try_from(ack.code.0).map_err(|_| MqttError::ProtocolError)?;
    let builder = v5_0::Pubrec::builder().packet_id(ack.packet_id).reason_code(code);
    Ok(match &ack.reason {
        Some(reason) => builder.props(properties::encode_reason(Some(reason))?).build()?,
        None => builder.build()?,
    }
    .to_continuous_buffer())
}

fn entries(subscribe: &Subscribe, version: MqttVersion) -> Result<Vec<SubEntry>, MqttError> {
    let entry = |subscription: &SubscriptionRequest| {
        let mut options = SubOpts::new().set_qos(qos(subscription.qos));
        if version == MqttVersion::V5 {
            let handling = match subscription.retain_handling {
                RetainHandling::Send => codec::RetainHandling::SendRetained,
                RetainHandling::SendIfNew => codec::RetainHandling::SendRetainedIfNotExists,
                RetainHandling::DoNotSend => codec::RetainHandling::DoNotSendRetained,
            };
            options = options.set_nl(subscription.no_local).set_rap(subscription.retain_as_published).set_rh(handling);
        }
        SubEntry::new(subscription.filter.as_str(), options)
    };
    subscribe.subscriptions.iter().map(entry).collect()
}

fn subscribe_v5(subscribe: &Subscribe) -> Result<Vec<u8>, MqttError> {
    let mut own = Vec::new();
    if let Some(id) = subscribe.subscription_id {
        own.push(Property::SubscriptionIdentifier(codec::SubscriptionIdentifier::new(id)?));
    }
    let built = v5_0::Subscribe::builder()
        .packet_id(subscribe.packet_id)
        .entries(entries(subscribe, MqttVersion::V5)?)
        .props(own)
        .build()?;
    Ok(built.to_continuous_buffer())
}

fn suback_v5(acks: &SubscribeAck) -> Result<Vec<u8>, MqttError> {
    let codes = acks.codes.iter().map(|code| SubackReasonCode::try_from(code.0)).collect::<Result<Vec<_>, _>>();
    let codes = codes.map_err(|_| MqttError::ProtocolError)?;
    Ok(v5_0::Suback::builder().packet_id(acks.packet_id).reason_codes(codes).build()?.to_continuous_buffer())
}

fn unsuback_v5(acks: &SubscribeAck) -> Result<Vec<u8>, MqttError> {
    let codes = acks.codes.iter().map(|code| UnsubackReasonCode::try_from(code.0)).collect::<Result<Vec<_>, _>>();
    let codes = codes.map_err(|_| MqttError::ProtocolError)?;
    Ok(v5_0::Unsuback::builder().packet_id(acks.packet_id).reason_codes(codes).build()?.to_continuous_buffer())
}

fn disconnect_v5(disconnect: &Disconnect) -> Result<Vec<u8>, MqttError> {
    let code = DisconnectReasonCode::try_from(disconnect.code.0).unwrap_or(DisconnectReasonCode::UnspecifiedError);
    let mut own = properties::encode_reason(disconnect.reason.as_deref())?;
    if let Some(seconds) = disconnect.session_expiry_s {
        own.push(Property::SessionExpiryInterval(codec::SessionExpiryInterval::new(seconds)?));
    }
    Ok(v5_0::Disconnect::builder().reason_code(code).props(own).build()?.to_continuous_buffer())
}
