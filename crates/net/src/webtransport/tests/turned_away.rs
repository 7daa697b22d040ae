//! Admitted and refused connections.

use super::fixture::{Realm, eventually};
use crate::endpoint::EndpointConnectionLimits;

#[tokio::test]
async fn a_ticket_is_accepted_once_and_an_invalid_one_never() {
    let realm = Realm::start().await;
    let _first = realm.enter("t1").await.unwrap();
    let _seen = realm.entered().await;
    for wrong in
        ["/motion?ticket=t1", "/motion?ticket=forged", "/motion?ticket=", "/motion", "/motion?ticket=t2&ticket=t3"]
    {
        assert!(realm.open(wrong).await.is_err(), "{wrong}");
    }
    eventually("they are counted", || realm.counters.tickets_refused.get() == 5).await;
    eventually("their places are free", || realm.counters.closed.get() == 5).await;
    assert!(realm.enter("t2").await.is_ok(), "negative control");
    realm.end().await;
}

#[tokio::test]
async fn an_unknown_path_is_refused_and_does_not_spend_the_ticket() {
    let realm = Realm::start().await;
    for wrong in ["/?ticket=t1", "/mqtt?ticket=t1", "/motion/?ticket=t1", "/motion/t1"] {
        assert!(realm.open(wrong).await.is_err(), "{wrong}");
    }
    eventually("they are counted", || realm.counters.handshakes_failed.get() == 4).await;
    assert!(realm.enter("t1").await.is_ok(), "the ticket was not spent");
    realm.end().await;
}

#[tokio::test]
async fn a_full_endpoint_refuses_a_client_until_a_connection_closes() {
    let realm = Realm::under(EndpointConnectionLimits { own: 1, ..EndpointConnectionLimits::default() }).await;
    let first = realm.enter("t1").await.unwrap();
    assert!(realm.enter("t2").await.is_err());
    assert_eq!(realm.counters.turned_away.get(), 1);
    first.close(wtransport::VarInt::from_u32(0), b"");
    eventually("its place is free", || realm.counters.closed.get() == 1).await;
    assert!(realm.enter("t3").await.is_ok());
    realm.end().await;
}
