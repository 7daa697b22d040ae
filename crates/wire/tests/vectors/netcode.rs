//! Decodes and encodes netcode's packets and tokens as `netcode.json` says.

use std::net::SocketAddr;

use serde_json::Value;
use stoa_wire::netcode::{
    self, ChallengePacketContent, ChallengeToken, ConnectToken, ConnectionRequest, PacketContent, PacketError,
    PacketKeys, PrivateToken, SealedHeader, SealedPacketKind, ServerListError, TokenError, UnopenedNetcodePacket,
};

use super::{bytes_of, hex_of, run, text};

/// Expands pieces separated by spaces: hex, `NN*times`, `..length` (zeros up to that length).
fn expanded(pieces: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for piece in pieces.split_whitespace() {
        let count = |text: &str| text.parse::<usize>().unwrap_or_else(|error| panic!("{piece}: {error}"));
        if let Some(length) = piece.strip_prefix("..") {
            bytes.resize(count(length), 0);
        } else if let Some((hex, times)) = piece.split_once('*') {
            bytes.extend(bytes_of(hex).repeat(count(times)));
        } else {
            bytes.extend(bytes_of(piece));
        }
    }
    bytes
}

fn bytes(case: &Value, key: &str) -> Vec<u8> {
    expanded(text(case, key))
}

fn array<const N: usize>(case: &Value, key: &str) -> [u8; N] {
    let all = bytes(case, key);
    <[u8; N]>::try_from(all).unwrap_or_else(|all| panic!("{key} has {} bytes, not {N}", all.len()))
}

/// Numbers that may exceed 2^53 are strings, in all languages.
fn number(case: &Value, key: &str) -> u64 {
    text(case, key).parse::<u64>().unwrap_or_else(|error| panic!("{key}: {error}"))
}

fn small<T: TryFrom<i64>>(case: &Value, key: &str) -> T {
    let number = case[key].as_i64().and_then(|number| T::try_from(number).ok());
    number.unwrap_or_else(|| panic!("{key} is {}", case[key]))
}

fn kind(case: &Value) -> SealedPacketKind {
    match text(case, "kind") {
        "denied" => SealedPacketKind::Denied,
        "challenge" => SealedPacketKind::Challenge,
        "response" => SealedPacketKind::Response,
        "keep-alive" => SealedPacketKind::KeepAlive,
        "payload" => SealedPacketKind::Payload,
        "disconnect" => SealedPacketKind::Disconnect,
        other => panic!("no kind is called {other}"),
    }
}

fn servers(case: &Value) -> Vec<SocketAddr> {
    let texts = case["servers"].as_array().expect("`servers` is an array").iter().filter_map(Value::as_str);
    texts.map(|text| text.parse::<SocketAddr>().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

fn packet_error(error: PacketError) -> &'static str {
    match error {
        PacketError::TooShort { .. } => "too short",
        PacketError::RequestLength(_) => "request length",
        PacketError::Version => "version",
        PacketError::Kind(_) => "kind",
        PacketError::SequenceBytes(_) => "sequence bytes",
        PacketError::ContentLength { .. } => "content length",
    }
}

fn token_error(error: TokenError) -> &'static str {
    match error {
        TokenError::Length { .. } => "length",
        TokenError::Version => "version",
        TokenError::Times { .. } => "times",
        TokenError::Addresses(ServerListError::CutShort) => "cut short",
        TokenError::Addresses(ServerListError::Count(_)) => "servers",
        TokenError::Addresses(ServerListError::Kind(_)) => "address kind",
    }
}

#[test]
fn packets_and_tokens_of_netcode_are_read_and_written_as_the_vectors_say() {
    run("netcode.json", |case| {
        let has = |key: &str| case.get(key).is_some();
        if has("made") {
            check_made(case);
        } else if has("plain") {
            check_content(case);
        } else if has("private") {
            check_private(case);
        } else if has("connect") {
            check_connect(case);
        } else if has("challenge") {
            check_challenge(case);
        } else {
            check_packet(case);
        }
    });
}

fn check_packet(case: &Value) {
    let (name, datagram) = (text(case, "name"), bytes(case, "bytes"));
    match (UnopenedNetcodePacket::read(&datagram), case["error"].as_str()) {
        (Err(error), Some(wanted)) => assert_eq!(packet_error(error), wanted, "{name}"),
        (Ok(UnopenedNetcodePacket::Request(request)), None) => {
            let wanted = &case["packet"];
            assert_eq!(text(wanted, "kind"), "request", "{name}");
            let (nonce, sealed) = (array(wanted, "nonce"), array(wanted, "sealed"));
            let (protocol_id, expires_at) = (number(wanted, "protocol_id"), number(wanted, "expires_at"));
            assert_eq!(
                request,
                ConnectionRequest { protocol_id, expires_at, nonce: &nonce, sealed: &sealed },
                "{name}"
            );
            assert_eq!(request.to_bytes().to_vec(), datagram, "{name}");
        }
        (Ok(UnopenedNetcodePacket::Sealed(packet)), None) => {
            let wanted = &case["packet"];
            let head = SealedHeader::new(kind(wanted), number(wanted, "sequence"));
            assert_eq!((packet.head.kind(), packet.head.sequence()), (head.kind(), head.sequence()), "{name}");
            assert_eq!(packet.sealed, bytes(wanted, "sealed"), "{name}");
            assert_eq!(datagram.len(), packet.head.length() + packet.sealed.len(), "{name}");
            let mut ours = [0; netcode::packet::HEAD_BYTES_MAX];
            let length = head.write(&mut ours);
            // Other senders may use a longer sequence than necessary.
            let is_same = datagram.starts_with(&ours[..length]);
            assert!(is_same || length < packet.head.length(), "{name}: {}", hex_of(&ours[..length]));
        }
        (outcome, wanted) => panic!("{name}: {outcome:?} is not {wanted:?}"),
    }
}

fn check_content(case: &Value) {
    let (name, plain, kind) = (text(case, "name"), bytes(case, "plain"), kind(case));
    let content = match (PacketContent::read(kind, &plain), case["error"].as_str()) {
        (Ok(content), None) => content,
        (Err(error), Some(wanted)) => {
            assert_eq!(packet_error(error), wanted, "{name}");
            return;
        }
        (outcome, wanted) => panic!("{name}: {outcome:?} is not {wanted:?}"),
    };
    let wanted = &case["content"];
    let is_wanted = match content {
        PacketContent::Denied => kind == SealedPacketKind::Denied,
        PacketContent::Disconnect => kind == SealedPacketKind::Disconnect,
        PacketContent::Challenge(challenge) => kind == SealedPacketKind::Challenge && is_challenge(challenge, wanted),
        PacketContent::Response(challenge) => kind == SealedPacketKind::Response && is_challenge(challenge, wanted),
        PacketContent::KeepAlive { client_index, clients_max } => {
            (client_index, clients_max) == (small(wanted, "client_index"), small(wanted, "clients_max"))
        }
        PacketContent::Payload(payload) => payload == bytes(wanted, "payload"),
    };
    assert!(is_wanted, "{name}: {content:?} is not {wanted}");
    assert_eq!(content.kind(), kind, "{name}");
    let mut again = Vec::new();
    content.write(&mut again);
    assert_eq!(again, plain, "{name}");
}

fn is_challenge(challenge: ChallengePacketContent, wanted: &Value) -> bool {
    challenge == ChallengePacketContent { sequence: number(wanted, "sequence"), sealed: &array(wanted, "sealed") }
}

fn check_private(case: &Value) {
    let (name, plain) = (text(case, "name"), array(case, "private"));
    let token = match (PrivateToken::read(&plain), case["error"].as_str()) {
        (Ok(token), None) => token,
        (Err(error), Some(wanted)) => {
            assert_eq!(token_error(error), wanted, "{name}");
            return;
        }
        (outcome, wanted) => panic!("{name}: {outcome:?} is not {wanted:?}"),
    };
    let wanted = &case["token"];
    let (to_server, to_client) = (array(wanted, "client_to_server"), array(wanted, "server_to_client"));
    let user_data = array(wanted, "user_data");
    let wanted = PrivateToken {
        client_id: number(wanted, "client_id"),
        timeout_s: small(wanted, "timeout_s"),
        servers: servers(wanted),
        keys: PacketKeys { client_to_server: &to_server, server_to_client: &to_client },
        user_data: &user_data,
    };
    assert_eq!(token, wanted, "{name}");
    same_but_for_what_follows(&wanted.to_bytes(), &plain, name);
}

fn check_connect(case: &Value) {
    let (name, all) = (text(case, "name"), bytes(case, "connect"));
    let token = match (ConnectToken::read(&all), case["error"].as_str()) {
        (Ok(token), None) => token,
        (Err(error), Some(wanted)) => {
            assert_eq!(token_error(error), wanted, "{name}");
            return;
        }
        (outcome, wanted) => panic!("{name}: {outcome:?} is not {wanted:?}"),
    };
    let wanted = &case["token"];
    let (to_server, to_client) = (array(wanted, "client_to_server"), array(wanted, "server_to_client"));
    let (nonce, sealed) = (array(wanted, "nonce"), array(wanted, "sealed"));
    let wanted = ConnectToken {
        protocol_id: number(wanted, "protocol_id"),
        created_at: number(wanted, "created_at"),
        expires_at: number(wanted, "expires_at"),
        nonce: &nonce,
        sealed: &sealed,
        timeout_s: small(wanted, "timeout_s"),
        servers: servers(wanted),
        keys: PacketKeys { client_to_server: &to_server, server_to_client: &to_client },
    };
    assert_eq!(token, wanted, "{name}");
    assert_eq!(wanted.to_bytes(), all, "{name}");
}

fn check_challenge(case: &Value) {
    let (name, plain) = (text(case, "name"), array(case, "challenge"));
    let wanted = &case["token"];
    let user_data = array(wanted, "user_data");
    let wanted = ChallengeToken { client_id: number(wanted, "client_id"), user_data: &user_data };
    assert_eq!(ChallengeToken::read(&plain), wanted, "{name}");
    same_but_for_what_follows(&wanted.to_bytes(), &plain, name);
}

/// Equal up to the zeros that we write after the last field; readers ignore those bytes.
fn same_but_for_what_follows(ours: &[u8], theirs: &[u8], name: &str) {
    let written = ours.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    assert_eq!(ours.len(), theirs.len(), "{name}");
    assert_eq!(ours[..written], theirs[..written], "{name}");
}

fn check_made(case: &Value) {
    let made = match text(case, "made") {
        "nonce" => netcode::nonce(number(case, "sequence")).to_vec(),
        "packet_associated" => {
            let head = SealedHeader::new(kind(case), number(case, "sequence"));
            head.associated(number(case, "protocol_id")).to_vec()
        }
        "token_associated" => {
            netcode::token_associated(number(case, "protocol_id"), number(case, "expires_at")).to_vec()
        }
        other => panic!("nothing is called {other}"),
    };
    assert_eq!(hex_of(&made), hex_of(&bytes(case, "bytes")), "{}", case["name"]);
}
