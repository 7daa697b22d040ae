//! The OpenAPI document as text, written once for all requests.

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use utoipa::openapi::OpenApi;

/// Extension through which a route gets the document.
pub(in super::super) type OpenApiExtension = Extension<Arc<OpenApiDocument>>;

/// The description of an endpoint. Its text is written at the first request.
pub(in super::super) struct OpenApiDocument {
    description: OpenApi,
    text: OnceLock<Bytes>,
}

impl OpenApiDocument {
    /// The layer that gives the document to its route.
    pub(in super::super) fn layer(description: OpenApi) -> OpenApiExtension {
        Extension(Arc::new(OpenApiDocument { description, text: OnceLock::new() }))
    }

    /// The text, which all answers share.
    fn text(&self) -> Bytes {
        let written = || serde_json::to_vec(&self.description).expect("a description is JSON").into();
        self.text.get_or_init(written).clone()
    }

    pub(super) fn response(&self) -> Response {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], self.text()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_openapi_text_is_generated_once() {
        let Extension(document) = OpenApiDocument::layer(OpenApi::default());
        let (first, second) = (document.text(), document.text());
        assert_eq!(first.as_ptr(), second.as_ptr());
        assert!(first.starts_with(br#"{"openapi":"3.1"#), "{first:?}");
    }
}
