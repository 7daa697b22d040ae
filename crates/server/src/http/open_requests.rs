//! Counts requests in progress: each from its headers until the body of the answer has ended or is dropped. An unread
//! answer stays in memory until its client reads it or the server aborts it.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{StatusCode, Version, header};
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use stoa_net::entrance::PATH;
use stoa_state::network::ClientNetwork;

use super::PeerSocketAddress;
use crate::app::shared_capacity::{CapacityError, CapacityPermit, FairCapacityLimiter};

/// A request in progress.
#[derive(Debug)]
pub(super) struct OpenRequest {
    /// `None` for requests from this machine and for WebSocket upgrades.
    part: Option<CapacityPermit>,
    version: Version,
}

impl OpenRequest {
    /// Counts a request, perhaps after a while ([`FairCapacityLimiter::take_soon`]). Requests from this machine are
    /// exempt, and so are WebSocket upgrades: connections have bounds of their own.
    ///
    /// # Errors
    /// [`CapacityError`].
    pub(super) fn begin<'a>(
        open: &'a FairCapacityLimiter,
        request: &Request,
    ) -> impl Future<Output = Result<OpenRequest, CapacityError>> + Send + use<'a> {
        let network = request.extensions().get::<PeerSocketAddress>().map(|client| ClientNetwork::from(client.0.ip()));
        let is_exempt = network.is_some_and(ClientNetwork::is_here) || upgrades(request);
        let version = request.version();
        async move {
            let part = if is_exempt { None } else { Some(open.take_soon(network, 1).await?) };
            Ok(OpenRequest { part, version })
        }
    }

    /// Counts the request until the answer's body has ended.
    pub(super) fn until_ended(self, response: Response) -> Response {
        let Some(part) = self.part.filter(|_| response.status() != StatusCode::SWITCHING_PROTOCOLS) else {
            return response;
        };
        let stated = response.headers().get(header::CONTENT_LENGTH);
        let stated = stated.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        let left = stated.or_else(|| response.body().size_hint().exact()).filter(|_| self.version == Version::HTTP_2);
        response.map(|body| Body::new(CountedBody { body, part: Some(part), left, last_byte: None }))
    }
}

/// Whether an HTTP/1.1 request asks for a WebSocket. Such a request is the last one on its connection.
fn upgrades(request: &Request) -> bool {
    let path = request.uri().path();
    request.version() == Version::HTTP_11
        && request.headers().contains_key(header::UPGRADE)
        && (path == PATH || path.trim_end_matches('/') == "/mqtt")
}

/// The body of an answer to a counted request.
///
/// An HTTP/2 stream takes a piece as soon as its client grants one byte. The stream drops the body after the last
/// piece, although that piece may stay in memory. The last byte is therefore a piece of its own, which waits until all
/// other bytes have been granted.
struct CountedBody {
    body: Body,
    part: Option<CapacityPermit>,
    /// Bytes left of an HTTP/2 answer of known length.
    left: Option<u64>,
    last_byte: Option<Bytes>,
}

impl CountedBody {
    fn without_last_byte(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        let Some(left) = &mut self.left else { return frame };
        match frame.into_data() {
            Ok(mut bytes) => {
                *left = left.saturating_sub(bytes.len() as u64);
                if *left == 0 && bytes.len() > 1 {
                    self.last_byte = Some(bytes.split_off(bytes.len() - 1));
                }
                Frame::data(bytes)
            }
            Err(frame) => frame,
        }
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(last) = self.last_byte.take() {
            return Poll::Ready(Some(Ok(Frame::data(last))));
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                self.part.iter().for_each(CapacityPermit::note_progress);
                Poll::Ready(Some(Ok(self.without_last_byte(frame))))
            }
            Poll::Ready(ended) => {
                self.part = None;
                Poll::Ready(ended)
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.last_byte.is_none() && (self.left == Some(0) || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.last_byte.as_ref().map_or_else(|| self.body.size_hint(), |_| SizeHint::with_exact(1))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::app::shared_capacity::of_requests;

    /// The sizes of an answer's pieces, and the number of requests in progress before each.
    async fn pieces(version: Version, content: &'static str) -> Vec<(usize, u64)> {
        let open = of_requests();
        let request = axum::http::Request::builder().version(version).body(Body::empty()).unwrap();
        let counted = OpenRequest::begin(&open, &request).await.unwrap();
        let mut body = counted.until_ended(Response::new(Body::from(content))).into_body();
        let mut pieces = Vec::new();
        while !body.is_end_stream() {
            let before = open.used_by(None);
            let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
            pieces.push((piece.len(), before));
        }
        drop(body);
        assert_eq!(open.used_by(None), 0, "the request has ended");
        pieces
    }

    #[tokio::test]
    async fn an_http_2_response_counts_as_in_progress_until_its_last_byte() {
        assert_eq!(pieces(Version::HTTP_2, "quack").await, [(4, 1), (1, 1)]);
        assert_eq!(pieces(Version::HTTP_2, "q").await, [(1, 1)]);
        assert!(pieces(Version::HTTP_2, "").await.is_empty());
        assert_eq!(pieces(Version::HTTP_11, "quack").await, [(5, 1)], "its connection waits");
    }
}
