//! Set-up of a phone or headset: the address as a QR code, and the realm's certificate authority to install. Neither
//! is secret: the caller knows the address, and every TLS handshake shows the authority.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use qrcode::{Color, EcLevel, QrCode};
use serde::Deserialize;
use utoipa::IntoParams;

use super::problem::ProblemDocument;
use super::query::Query;
use super::rate_limit::RequestNetwork;
use super::{Problem, RouteStateExtractor};
use crate::limits;
use crate::os::blocking::apart;

/// Modules of light ground around a code. With fewer some readers find no code (ISO/IEC 18004).
const QUIET: usize = 4;

/// The content of a QR code.
#[derive(Deserialize, IntoParams)]
pub(super) struct QrCodeParameters {
    /// The text, usually an address.
    #[serde(default)]
    text: String,
}

/// Returns the realm's certificate authority, in the format that phones and headsets install.
#[utoipa::path(get, path = "/api/v1/ca.pem", operation_id = "get_authority_certificate", tag = "pages", responses(
    (status = 200, content_type = "application/x-x509-ca-cert"), (status = 404, body = ProblemDocument)
))]
pub(super) async fn authority(web: RouteStateExtractor) -> Result<Response, Problem> {
    let pem = tokio::fs::read(web.app.config.data.join("tls").join("ca.pem")).await;
    let pem = pem.map_err(|_| Problem::not_found("this server has no certificate authority of its own"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-x509-ca-cert")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"stoa-ca.crt\"")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    Ok((headers, pem).into_response())
}

/// Returns a QR code as an SVG, dark on light.
#[utoipa::path(get, path = "/api/v1/qr.svg", operation_id = "get_qr_code", tag = "pages", params(QrCodeParameters), responses(
    (status = 200, content_type = "image/svg+xml"), (status = 400, body = ProblemDocument), (status = 429, body = ProblemDocument)
))]
pub(super) async fn qr(
    web: RouteStateExtractor,
    asker: RequestNetwork,
    Query(QrCodeParameters { text }): Query<QrCodeParameters>,
) -> Result<Response, Problem> {
    if text.is_empty() {
        return Err(Problem::bad_request("the text of the code is missing"));
    }
    if text.len() > limits::QR_BYTES_MAX {
        let detail = format!("a text of {} bytes exceeds the limit of {}", text.len(), limits::QR_BYTES_MAX);
        return Err(Problem::bad_request(detail));
    }
    web.codes.ask(asker)?;
    let picture = apart(move || {
        let code = QrCode::with_error_correction_level(&text, EcLevel::M).expect("the limit leaves room in a code");
        svg(&code)
    });
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"))], picture.await).into_response())
}

fn svg(code: &QrCode) -> String {
    let width = code.width();
    let size = width + 2 * QUIET;
    let dark = code.to_colors().into_iter().enumerate().filter(|(_, color)| *color == Color::Dark);
    let path: String = dark.map(|(at, _)| format!("M{} {}h1v1h-1z", at % width + QUIET, at / width + QUIET)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_qr_code_has_a_quiet_zone_and_all_its_dark_modules() {
        let code = QrCode::with_error_correction_level("https://192.168.1.5:8443/public/lobby", EcLevel::M).unwrap();
        let picture = svg(&code);
        let dark = code.to_colors().into_iter().filter(|color| *color == Color::Dark).count();
        assert_eq!(picture.matches("h1v1h-1z").count(), dark);
        assert!(picture.contains(&format!("viewBox=\"0 0 {0} {0}\"", code.width() + 8)), "{picture}");
        assert!(picture.contains("M4 4h1"), "the finder pattern stands in the corner");
    }

    #[test]
    fn a_scanned_qr_code_yields_its_text() {
        let longest = format!("https://192.168.1.5:8443/{}", "x".repeat(limits::QR_BYTES_MAX - 25));
        for text in ["https://192.168.1.5:8443/public/lobby", "https://[fd00::1]:8443/", &longest] {
            let code = QrCode::with_error_correction_level(text, EcLevel::M).unwrap();
            assert_eq!(scanned(&svg(&code)), text);
        }
    }

    /// Reads the picture as a camera does, each module some pixels large.
    fn scanned(picture: &str) -> String {
        const PIXELS: usize = 5;
        let size: usize = picture.split_once("viewBox=\"0 0 ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        let path = picture.split_once("<path d=\"").unwrap().1.split('"').next().unwrap();
        let dark: HashSet<&str> = path.split("h1v1h-1z").collect();
        let shade = |x: usize, y: usize| {
            if dark.contains(format!("M{} {}", x / PIXELS, y / PIXELS).as_str()) { 0 } else { 255 }
        };
        let mut seen = rqrr::PreparedImage::prepare_from_greyscale(size * PIXELS, size * PIXELS, shade);
        let [grid] = &seen.detect_grids()[..] else { panic!("no code, or several") };
        grid.decode().unwrap().1
    }

    #[test]
    fn the_longest_allowed_text_fits_into_a_qr_code() {
        for text in ["x".repeat(limits::QR_BYTES_MAX), "é".repeat(limits::QR_BYTES_MAX / 2)] {
            assert!(QrCode::with_error_correction_level(&text, EcLevel::M).is_ok());
        }
    }
}
