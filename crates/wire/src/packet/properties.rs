//! Converts MQTT 5 properties from and to the codec's.

use alloc::string::String;
use alloc::vec::Vec;

use bytes::Bytes;
use mqtt_protocol_core::mqtt::packet as codec;
use mqtt_protocol_core::mqtt::packet::{Properties, Property};
use mqtt_protocol_core::mqtt::result_code::MqttError;

use super::{ConnAckProperties, PublishProperties};
use crate::limits;
use crate::topic::Topic;

/// Converts the properties of a PUBLISH. Errors: more user properties than [`limits::USER_PROPERTIES_MAX`], a string
/// with U+0000, or an invalid response topic. The codec accepts the latter two, and a receiver would have to end its
/// connection for them (MQTT 5 section 1.5.4).
pub(super) fn decode_publish(properties: &Properties) -> Result<PublishProperties, MqttError> {
    let mut decoded = PublishProperties::default();
    for property in properties {
        match property {
            Property::PayloadFormatIndicator(p) => {
                decoded.payload_is_utf8 = Some(p.val() == codec::PayloadFormat::String as u8);
            }
            Property::MessageExpiryInterval(p) => decoded.message_expiry_s = Some(p.val()),
            Property::ContentType(p) => decoded.content_type = Some(p.val().into()),
            Property::ResponseTopic(p) => decoded.response_topic = Some(p.val().into()),
            Property::CorrelationData(p) => decoded.correlation = Some(Bytes::copy_from_slice(p.val())),
            Property::TopicAlias(p) => decoded.topic_alias = Some(p.val()),
            Property::SubscriptionIdentifier(p) => decoded.subscription_ids.push(p.val()),
            Property::UserProperty(p) => decoded.user_properties.push((p.key().into(), p.val().into())),
            _ => {}
        }
    }
    if decoded.user_properties.len() > limits::USER_PROPERTIES_MAX {
        return Err(MqttError::QuotaExceeded);
    }
    let texts = decoded.user_properties.iter().flat_map(|(key, value)| [key, value]).chain(&decoded.content_type);
    let unfit = decoded.response_topic.as_ref().is_some_and(|topic| Topic::parse(topic).is_err());
    if unfit || texts.into_iter().any(|text| text.contains('\0')) {
        return Err(MqttError::MalformedPacket);
    }
    Ok(decoded)
}

/// Converts the properties of a PUBLISH to the codec's. Errors: a value that MQTT forbids, such as a too long string.
pub(super) fn encode_publish(properties: &PublishProperties) -> Result<Properties, MqttError> {
    let mut encoded = Properties::new();
    if let Some(is_utf8) = properties.payload_is_utf8 {
        let format = if is_utf8 { codec::PayloadFormat::String } else { codec::PayloadFormat::Binary };
        encoded.push(Property::PayloadFormatIndicator(codec::PayloadFormatIndicator::new(format)?));
    }
    if let Some(seconds) = properties.message_expiry_s {
        encoded.push(Property::MessageExpiryInterval(codec::MessageExpiryInterval::new(seconds)?));
    }
    if let Some(content_type) = &properties.content_type {
        encoded.push(Property::ContentType(codec::ContentType::new(content_type.as_str())?));
    }
    if let Some(topic) = &properties.response_topic {
        encoded.push(Property::ResponseTopic(codec::ResponseTopic::new(topic.as_str())?));
    }
    if let Some(correlation) = &properties.correlation {
        encoded.push(Property::CorrelationData(codec::CorrelationData::new(correlation.to_vec())?));
    }
    if let Some(alias) = properties.topic_alias {
        encoded.push(Property::TopicAlias(codec::TopicAlias::new(alias)?));
    }
    for id in &properties.subscription_ids {
        encoded.push(Property::SubscriptionIdentifier(codec::SubscriptionIdentifier::new(*id)?));
    }
    for (key, value) in &properties.user_properties {
        encoded.push(Property::UserProperty(codec::UserProperty::new(key.as_str(), value.as_str())?));
    }
    Ok(encoded)
}

pub(super) fn decode_connack(properties: &Properties) -> ConnAckProperties {
    let mut decoded = ConnAckProperties::default();
    for property in properties {
        match property {
            Property::SessionExpiryInterval(p) => decoded.session_expiry_s = Some(p.val()),
            Property::ReceiveMaximum(p) => decoded.receive_max = Some(p.val()),
            Property::MaximumPacketSize(p) => decoded.packet_bytes_max = Some(p.val()),
            Property::AssignedClientIdentifier(p) => decoded.assigned_client_id = Some(p.val().into()),
            Property::TopicAliasMaximum(p) => decoded.topic_alias_max = Some(p.val()),
            Property::ResponseInformation(p) => decoded.response_information = Some(p.val().into()),
            Property::ReasonString(p) => decoded.reason = Some(p.val().into()),
            Property::ServerKeepAlive(p) => decoded.keep_alive_s = Some(p.val()),
            Property::SubscriptionIdentifierAvailable(p) => decoded.subscription_ids = Some(p.val() == 1),
            Property::SharedSubscriptionAvailable(p) => decoded.shared_subscriptions = Some(p.val() == 1),
            _ => {}
        }
    }
    decoded
}

/// Converts the properties of a CONNACK to the codec's. Errors: a value that MQTT forbids, such as a too long string.
pub(super) fn encode_connack(properties: &ConnAckProperties) -> Result<Properties, MqttError> {
    let mut encoded = Properties::new();
    if let Some(seconds) = properties.session_expiry_s {
        encoded.push(Property::SessionExpiryInterval(codec::SessionExpiryInterval::new(seconds)?));
    }
    if let Some(max) = properties.receive_max {
        encoded.push(Property::ReceiveMaximum(codec::ReceiveMaximum::new(max)?));
    }
    if let Some(max) = properties.packet_bytes_max {
        encoded.push(Property::MaximumPacketSize(codec::MaximumPacketSize::new(max)?));
    }
    if let Some(id) = &properties.assigned_client_id {
        encoded.push(Property::AssignedClientIdentifier(codec::AssignedClientIdentifier::new(id.as_str())?));
    }
    if let Some(max) = properties.topic_alias_max {
        encoded.push(Property::TopicAliasMaximum(codec::TopicAliasMaximum::new(max)?));
    }
    if let Some(text) = &properties.response_information {
        encoded.push(Property::ResponseInformation(codec::ResponseInformation::new(text.as_str())?));
    }
    encoded.extend(encode_reason(properties.reason.as_deref())?);
    if let Some(seconds) = properties.keep_alive_s {
        encoded.push(Property::ServerKeepAlive(codec::ServerKeepAlive::new(seconds)?));
    }
    if let Some(available) = properties.subscription_ids {
        let property = codec::SubscriptionIdentifierAvailable::new(available.into())?;
        encoded.push(Property::SubscriptionIdentifierAvailable(property));
    }
    if let Some(available) = properties.shared_subscriptions {
        let property = codec::SharedSubscriptionAvailable::new(available.into())?;
        encoded.push(Property::SharedSubscriptionAvailable(property));
    }
    Ok(encoded)
}

pub(super) fn decode_reason(properties: Option<&Properties>) -> Option<String> {
    properties.into_iter().flatten().find_map(|property| match property {
        Property::ReasonString(p) => Some(p.val().into()),
        _ => None,
    })
}

pub(super) fn encode_reason(reason: Option<&str>) -> Result<Vec<Property>, MqttError> {
    reason.into_iter().map(|text| Ok(Property::ReasonString(codec::ReasonString::new(text)?))).collect()
}
