//! Serves HTTP on one accepted connection, and MQTT or motion frames after an upgrade.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use stoa_net::connection::MqttConnectionService;
use stoa_net::shutdown::ShutdownSignal;
use stoa_net::tls::HandshakePerformer;
use stoa_net::websocket::{Role, WebSocketIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::sleep;
use tower::ServiceExt;

use super::progress::{ConnectionProgress, StreamExecutor, WriteTimeoutIo, watch};
use crate::app::App;
use crate::app::request_abort::RequestAbort;
use crate::http::websocket::{UpgradeHandoff, UpgradedProtocol};
use crate::http::{HttpEndpointAddress, PeerSocketAddress, router};
use crate::limits;

/// The routes and TLS of one HTTP endpoint.
#[derive(Clone)]
pub(super) struct HttpService {
    router: Router,
    intake: MqttConnectionService,
    tls: Option<HandshakePerformer>,
    shutdown: ShutdownSignal,
}

impl HttpService {
    /// A service of the realm's pages and API.
    pub(super) fn new(
        app: &App,
        address: Option<SocketAddr>,
        tls: Option<HandshakePerformer>,
        shutdown: &ShutdownSignal,
    ) -> HttpService {
        let address = address.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
        let router = router(app.clone(), HttpEndpointAddress { secure: tls.is_some(), address });
        HttpService { tls, ..HttpService::of(router, app, shutdown) }
    }

    /// A service of other routes, without TLS.
    pub(super) fn of(router: Router, app: &App, shutdown: &ShutdownSignal) -> HttpService {
        HttpService { router, intake: app.intake.clone(), tls: None, shutdown: shutdown.clone() }
    }
}

/// Serves one connection until it ends.
pub(super) async fn serve(service: HttpService, stream: TcpStream, client: SocketAddr) {
    match service.tls.clone() {
        None => speak(service, stream, client).await,
        Some(handshakes) => match handshakes.accept(stream, client.ip().into()).await {
            Ok(stream) => speak(service, stream, client).await,
            Err(_) => service.intake.counters().handshakes_failed.add(1),
        },
    }
}

/// Speaks HTTP until the connection ends or is aborted. A stream of HTTP/2 has a task and an abort of its own.
async fn speak(service: HttpService, io: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, client: SocketAddr) {
    let abort = RequestAbort::default();
    let executor = StreamExecutor { connection: abort.clone(), progress: ConnectionProgress::default() };
    abort.serve(converse(service, io, client, executor)).await;
}

async fn converse<Io>(service: HttpService, io: Io, client: SocketAddr, executor: StreamExecutor)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let HttpService { router, intake, mut shutdown, .. } = service;
    let (slot, progress) = (UpgradeHandoff::default(), executor.progress.clone());
    let (io, hearing) = (WriteTimeoutIo::new(io, progress.clone()), progress.clone());
    let filled = slot.clone();
    let asked = Arc::new(Notify::new());
    let asks = Arc::clone(&asked);
    let service = service_fn(move |request: Request<Incoming>| {
        asks.notify_one();
        hearing.hear();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerSocketAddress(client));
        request.extensions_mut().insert(slot.clone());
        let answer = router.clone().oneshot(request);
        async move {
            let answer = answer.await.unwrap_or_else(|never| match never {});
            Ok::<Response, Infallible>(answer.map(watch))
        }
    });
    let builder = builder(executor);
    let mut conversation = pin!(builder.serve_connection_with_upgrades(TokioIo::new(io), service));
    let mut mute = pin!(progress.mute());
    let ended = loop {
        tokio::select! {
            ended = conversation.as_mut() => break ended,
            () = mute.as_mut() => return,
            () = asked.notified() => continue,
            () = shutdown.wait() => {}
            () = sleep(limits::HTTP_IDLE_TIMEOUT) => {}
        }
        // Requests in progress are still answered, as long as the client reads.
        conversation.as_mut().graceful_shutdown();
        tokio::select! {
            ended = conversation.as_mut() => break ended,
            () = sleep(limits::HTTP_LAST_ANSWERS_TIMEOUT) => return,
        }
    };
    // A broken connection concerns its client alone and is not logged.
    if ended.is_ok()
        && let Some((upgrade, next)) = filled.take()
        && let Ok(upgraded) = upgrade.await
    {
        progress.upgrade();
        let io = TokioIo::new(upgraded);
        match next {
            UpgradedProtocol::Mqtt => {
                let origin = client.ip().into();
                let unfinished = intake.unfinished(origin);
                let decoded = unfinished.beside();
                let io = WebSocketIo::over(io, Role::Server).await.counted(unfinished);
                intake.serve_buffered(origin, io, decoded).await;
            }
            UpgradedProtocol::Motion(source, entry) => source.run(io, *entry).await,
        }
    }
}

fn builder(executor: StreamExecutor) -> auto::Builder<StreamExecutor> {
    let mut builder = auto::Builder::new(executor);
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits::HTTP_HEADER_TIMEOUT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits::HTTP2_STREAMS_MAX)
        .max_send_buf_size(limits::HTTP2_SEND_BUFFER_BYTES)
        .keep_alive_interval(limits::HTTP2_PING_PERIOD)
        .keep_alive_timeout(limits::HTTP2_PING_TIMEOUT);
    builder
}

#[cfg(test)]
mod tests;
