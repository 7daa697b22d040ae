use std::future::poll_fn;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

use super::*;

/// A client's masked ping without payload.
const PING: [u8; 6] = [0x89, 0x80, 1, 2, 3, 4];

/// A server's message with its header.
fn framed(length: usize) -> Vec<u8> {
    let mut framed = match length {
        ..126 => vec![0x82, length as u8],
        126..65_536 => [&[0x82, 126][..], &(length as u16).to_be_bytes()].concat(),
        _ => [&[0x82, 127][..], &(length as u64).to_be_bytes()].concat(),
    };
    framed.resize(framed.len() + length, b'x');
    framed
}

#[tokio::test]
async fn a_message_of_any_length_is_framed_correctly_in_partial_writes() {
    for length in [1, 125, 126, 65_535, 65_536] {
        let (server, mut client) = duplex(7);
        let expected = framed(length);
        let reading = tokio::spawn(async move {
            let mut read = vec![0; expected.len()];
            client.read_exact(&mut read).await.unwrap();
            assert!(read == expected, "{length}");
        });
        let mut socket = WebSocketIo::over(server, Role::Server).await;
        socket.write_all(&vec![b'x'; length]).await.unwrap();
        socket.flush().await.unwrap();
        reading.await.unwrap();
    }
}

#[tokio::test]
async fn a_vectored_write_is_one_message() {
    let (server, mut client) = duplex(1_024);
    let mut socket = WebSocketIo::over(server, Role::Server).await;
    assert!(socket.is_write_vectored());
    let parts = [IoSlice::new(b"ab"), IoSlice::new(b""), IoSlice::new(b"cde")];
    assert_eq!(socket.write_vectored(&parts).await.unwrap(), 5);
    let mut read = [0; 7];
    client.read_exact(&mut read).await.unwrap();
    assert_eq!(read, *b"\x82\x05abcde");
}

#[tokio::test]
async fn a_ping_received_during_a_write_is_answered_after_the_message() {
    let (server, mut client) = duplex(64);
    let socket = WebSocketIo::over(server, Role::Server).await;
    let (mut from, mut to) = tokio::io::split(socket);
    let writing = tokio::spawn(async move {
        to.write_all(&[b'x'; 1_000]).await.unwrap();
        to.flush().await.unwrap();
        to
    });
    let reading = tokio::spawn(async move { from.read_u8().await.unwrap() });
    let expected = framed(1_000);
    let mut read = vec![0; expected.len() + 2];
    // Its first bytes are here, so the message is in progress.
    client.read_exact(&mut read[..8]).await.unwrap();
    // The ping, and a message of one byte that ends the server's reader.
    client.write_all(&PING).await.unwrap();
    client.write_all(&[0x82, 0x81, 0, 0, 0, 0, 7]).await.unwrap();
    assert_eq!(reading.await.unwrap(), 7, "it reads on while a write is stuck");
    client.read_exact(&mut read[8..]).await.unwrap();
    assert!(read[..expected.len()] == expected, "nothing stands inside of the message");
    assert_eq!(read[expected.len()..], [0x8a, 0], "the pong");
    drop(writing.await.unwrap());
}

#[tokio::test]
async fn control_frames_wait_for_the_end_of_the_message_being_written() {
    let (server, mut client) = duplex(8);
    let mut gate = PayloadWriteTransport::new(server);
    let payload = [b'x'; 12];
    let begun = poll_fn(|context| gate.poll_write_message(context, &[IoSlice::new(&payload)])).await.unwrap();
    assert!(begun < payload.len() && gate.is_writing_message());
    client.read_exact(&mut [0; 8]).await.unwrap();
    let pong = poll_fn(|context| Poll::Ready(Pin::new(&mut gate).poll_write(context, &[0x8a, 0]))).await;
    assert!(pong.is_pending());
    let rest = [IoSlice::new(&payload[begun..])];
    assert_eq!(poll_fn(|context| gate.poll_write_message(context, &rest)).await.unwrap(), payload.len() - begun);
    client.read_exact(&mut vec![0; payload.len() - begun]).await.unwrap();
    assert_eq!(gate.write(&[0x8a, 0]).await.unwrap(), 2, "then they pass");
}

#[tokio::test]
async fn queued_pongs_are_bounded_for_a_client_that_reads_nothing() {
    let (ours, theirs) = tokio::io::duplex(64 * 1_024);
    let mut socket = WebSocketIo::over(ours, Role::Server).await;
    let mut client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let pings = 40_000;
    let asking = async {
        for number in 0..pings {
            let ping = Message::Ping(vec![b'x'; 125].into());
            if number % 64 == 0 { client.send(ping).await } else { client.feed(ping).await }.unwrap();
        }
        client.send(Message::Binary(vec![1].into())).await.unwrap();
        client
    };
    let hearing = async {
        let mut byte = [0];
        socket.read_exact(&mut byte).await.unwrap();
    };
    let (mut client, ()) = tokio::join!(asking, hearing);
    // Only queued bytes follow.
    let giving = async {
        socket.flush().await.unwrap();
        drop(socket);
    };
    let counting = async {
        let mut pongs = 0;
        while let Some(Ok(message)) = client.next().await {
            pongs += usize::from(message.is_pong());
        }
        pongs
    };
    let ((), pongs) = tokio::join!(giving, counting);
    let most = (limits::WEBSOCKET_UNSENT_BYTES_MAX + 64 * 1_024) / 125;
    assert!(pongs <= most && pongs < pings, "{pongs} answers waited");
}

#[tokio::test(start_paused = true)]
async fn an_unfinished_message_ends_the_connection_at_its_timeout() {
    let begun = tokio::time::Instant::now();
    let (server, mut client) = duplex(1_024);
    let mut socket = WebSocketIo::over(server, Role::Server).await;
    let mut byte = [0; 1];
    for part in [&[0x82, 0x81][..], &[0, 0, 0, 0, b'a']] {
        client.write_all(part).await.unwrap();
        // Sets the timer for this message; the next part ends it.
        let _ = tokio::time::timeout(limits::WEBSOCKET_MESSAGE_TIMEOUT / 2, socket.read_exact(&mut byte)).await;
    }
    assert_eq!(byte, [b'a'], "negative control: it ended in time");
    let idle = tokio::time::timeout(10 * limits::WEBSOCKET_MESSAGE_TIMEOUT, socket.read_exact(&mut byte)).await;
    assert!(idle.is_err(), "negative control: nothing has begun");
    let half_begun = begun.elapsed();
    client.write_all(&[0x82, 0x82, 0, 0, 0, 0, b'a']).await.unwrap();
    for _ in 0..10 {
        let reading = tokio::time::timeout(limits::WEBSOCKET_MESSAGE_TIMEOUT / 4, socket.read_exact(&mut byte)).await;
        if let Ok(read) = reading {
            assert_eq!(read.unwrap_err().kind(), io::ErrorKind::TimedOut);
            break;
        }
    }
    let after = begun.elapsed() - half_begun;
    assert!(after >= limits::WEBSOCKET_MESSAGE_TIMEOUT && after < 2 * limits::WEBSOCKET_MESSAGE_TIMEOUT, "{after:?}");
}

#[tokio::test]
async fn a_message_as_large_as_several_packets_is_read_whole() {
    let (ours, theirs) = duplex(64 * 1_024);
    let mut socket = WebSocketIo::over(ours, Role::Server).await;
    let mut client = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
    let packet_bytes = 150_000;
    let message = Message::Binary(vec![b'x'; 3 * packet_bytes].into());
    let telling = async { client.send(message).await.map_err(io::Error::other) };
    let mut heard = vec![0; 3 * packet_bytes];
    let ((), read) = tokio::try_join!(telling, socket.read_exact(&mut heard)).unwrap();
    assert_eq!(read, 3 * packet_bytes);
}

#[tokio::test]
async fn a_message_above_the_size_limit_is_refused_in_one_frame_or_many() {
    let most = limits::WEBSOCKET_MESSAGE_BYTES_MAX;
    let frame = |first: u8, bytes: usize| {
        let head = [&[first, 0xff][..], &(bytes as u64).to_be_bytes(), &[0; 4]].concat();
        [head, vec![b'x'; bytes]].concat()
    };
    for (frames, is_taken) in [
        (vec![frame(0x82, most)], true),
        (vec![frame(0x82, most + 1)], false),
        (vec![frame(0x02, 70_000), frame(0x80, most - 70_000)], true),
        (vec![frame(0x02, 70_000), frame(0x80, most - 70_000 + 1)], false),
    ] {
        let (server, mut client) = duplex(2 * most);
        let mut socket = WebSocketIo::over(server, Role::Server).await;
        client.write_all(&frames.concat()).await.unwrap();
        let read = socket.read_exact(&mut [0; 1]).await;
        assert_eq!(read.is_ok(), is_taken, "{} frames", frames.len());
    }
}
