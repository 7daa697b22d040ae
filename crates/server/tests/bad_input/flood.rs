//! Valid messages at too high a rate.

use stoa_wire::packet::MqttVersion;
use stoa_wire::packet::{Packet, Publish, PublishProperties, Qos, ReasonCode, encode};
use stoa_wire::topic::Topic;

use crate::stage::{SANDBOX, Stage, create, enter};

#[tokio::test]
async fn a_flooding_guest_gets_refusals_and_only_the_burst_is_forwarded() {
    let mut stage = Stage::set().await;
    let guest = stage.guest().await;
    let mut sender = enter(&stage.server, &guest).await;
    let topic = format!("{SANDBOX}/o/{}/thing", guest.user_client);
    // In rounds of the receive maximum, so that only the rate is wrong.
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..8 {
        let message = |packet_id| {
            Packet::Publish(Publish {
                topic: Topic::parse(&topic).unwrap(),
                payload: create("thing").to_string().into(),
                qos: Qos::AtLeastOnce,
                retain: false,
                dup: false,
                packet_id: Some(packet_id),
                properties: PublishProperties::default(),
            })
        };
        let bytes: Vec<u8> = (1..=200).flat_map(|id| encode(&message(id), MqttVersion::V5).parts().concat()).collect();
        sender.send_bytes(&bytes).await;
        for _ in 0..200 {
            let Some(Packet::PubAck(ack)) = sender.next().await else { panic!("each is answered") };
            match ack.code {
                ReasonCode::SUCCESS => taken += 1,
                code => {
                    assert_eq!(
                        (code, ack.reason.as_deref()),
                        (ReasonCode::QUOTA_EXCEEDED, Some("flood: at most 60 messages a second of a guest"))
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0, "{taken} were taken");
    assert_eq!(stage.refused("flood").await, refused);
    assert_eq!(
        stage.heard_before_control().await,
        taken,
        "what was refused was not forwarded, and the innocent is there"
    );
}
