//! The web pages, embedded in the binary or from `--web DIR`. One page serves every scene; its script reads the path.

mod policy;

use std::borrow::Cow;
use std::path::Path;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};
use stoa_wire::topic::is_name;

use self::policy::SceneFileCspSources;
use super::arena::defaults;
use super::guard::CheckedAuthority;
use super::page::framed;
use super::{Problem, RouteStateExtractor};
use crate::identity::accounts::FIRST_SEGMENTS;

/// The build of `web/app`. Empty on a fresh checkout.
#[derive(Embed)]
#[folder = "../../web/app/dist"]
#[allow_missing = true]
struct EmbeddedPages;

const INDEX: &str = "index.html";

/// Path of the page that ARENA's page of programs shows in a frame.
const DASHBOARD: &str = "dashboard";

/// Media type of files with an unknown extension.
const OCTETS: &str = "application/octet-stream";

/// The page that is served if no pages are built.
const PLACEHOLDER: &str =
    "<!doctype html><meta charset=utf-8><title>Stoa</title><h1>The server is running, but its pages are not built</h1>
<p>Run <code>make run</code>, or <code>npm ci && npm run build</code> in <code>web/</code> and restart the server.";

/// Content encodings, smallest output first, with the extension of the build's compressed files.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Folders of ARENA's pages that may follow a scene's path.
const MOVED: [&str; 4] = ["conf", "dist", "src", "static"];

/// Extensions without a media type here that still don't belong to a scene's name.
const ENDINGS: [&str; 12] = ["asp", "aspx", "bak", "dae", "fbx", "htm", "mtl", "obj", "php", "ply", "ts", "xml"];

/// Serves a file of the pages, or the scenes' page for the paths of [`is_page`].
pub(super) async fn serve(web: RouteStateExtractor, request: Request) -> Result<Response, Problem> {
    let path = request.uri().path();
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Problem::not_found(format!("there is nothing at {path:?}")));
    }
    let folder = web.app.config.web.as_deref();
    let files = SceneFileCspSources::new(&web.app.config.file_hosts, request.extensions().get());
    let wanted = path.trim_start_matches('/');
    for candidate in candidates(wanted) {
        let site = request.extensions().get::<CheckedAuthority>();
        if let Some(answer) = site.and_then(|site| defaults::file(&web, site, candidate)) {
            return Ok(answer);
        }
        if let Some(content) = load_encoded(request.headers(), folder, candidate).await {
            return Ok(respond(&request, policy::of(candidate, folder.is_some(), &files), candidate, content));
        }
    }
    let own_page = format!("{}/{INDEX}", wanted.trim_end_matches('/'));
    if let Some(content) = load_encoded(request.headers(), folder, &own_page).await {
        if !wanted.ends_with('/') {
            return into_folder(wanted, request.uri().query());
        }
        return Ok(respond(&request, policy::of(&own_page, folder.is_some(), &files), &own_page, content));
    }
    if folder.is_some() && wanted.trim_end_matches('/') == DASHBOARD {
        return Ok(framed(StatusCode::NOT_FOUND, "Programs", "<p>This server runs no programs yet.</p>"));
    }
    if !is_page(wanted) {
        return Err(Problem::not_found(format!("there is nothing at {path:?}")));
    }
    let index = load_encoded(request.headers(), folder, INDEX).await;
    let index = index.unwrap_or_else(|| PageFile::read(PLACEHOLDER.into()));
    Ok(respond(&request, policy::of(INDEX, folder.is_some(), &files), INDEX, index))
}

/// Redirects to the folder's path with a slash, because a page names its files relative to its folder. ARENA's pages
/// link to `/scenes` and mean `/scenes/`.
fn into_folder(wanted: &str, query: Option<&str>) -> Result<Response, Problem> {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let there = HeaderValue::try_from(format!("/{wanted}/{query}"));
    let there = there.map_err(|_| Problem::bad_request("the query contains a control character"))?;
    Ok((StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, there)]).into_response())
}

/// Candidate files for a path. ARENA's pages name their files relative to the scene's path, so up to two segments
/// may precede the folders in [`MOVED`].
fn candidates(wanted: &str) -> impl Iterator<Item = &str> {
    let shorter = |path: &str| path.find('/').map(|at| at + 1);
    let first = shorter(wanted).map(|at| &wanted[at..]);
    let second = first.and_then(|path| shorter(path).map(|at| &path[at..]));
    let is_moved = |path: &&str| path.split_once('/').is_some_and(|(folder, _)| MOVED.contains(&folder));
    Some(wanted)
        .filter(|wanted| !wanted.is_empty())
        .into_iter()
        .chain([first, second].into_iter().flatten().filter(is_moved))
}

/// Whether a path belongs to the page: `/`, a word or a scene.
fn is_page(path: &str) -> bool {
    let mut segments = path.split('/');
    match (segments.next(), segments.next(), segments.next()) {
        (Some(word), None, _) => word.is_empty() || (is_name(word) && !word.contains('.')),
        (Some(namespace), Some(scene), None) => {
            is_name(namespace) && is_name(scene) && !FIRST_SEGMENTS.contains(&namespace) && !is_file(scene)
        }
        _ => false,
    }
}

/// Whether a name ends like a file of the pages. A missing style sheet must be a 404 and not a scene's page.
fn is_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.contains(&ending) || content_type(&name) != OCTETS
}

/// Loads a file, or its compressed variant if the browser accepts that. Both are in the same folder.
async fn load_encoded(headers: &HeaderMap, folder: Option<&Path>, path: &str) -> Option<PageFile> {
    let plain = load(folder, path).await?;
    for (encoding, ending) in ENCODINGS {
        if takes(headers, encoding)
            && let Some(encoded) = load(folder, &format!("{path}.{ending}")).await
        {
            return Some(PageFile { encoding: Some(encoding), ..encoded });
        }
    }
    Some(plain)
}

/// Whether a browser accepts an encoding, with a weight above 0 (RFC 9110, section 12.5.3).
fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && weight.is_some_and(|weight| weight > 0.0)
    })
}

async fn load(folder: Option<&Path>, path: &str) -> Option<PageFile> {
    // The bundler writes neither percent-encoded nor parent paths.
    let plain = path.split('/').all(|segment| !segment.is_empty() && !segment.starts_with('.'));
    if !plain || path.contains(['%', '\\', '\0']) {
        return None;
    }
    match folder {
        Some(folder) => tokio::fs::read(folder.join(path)).await.ok().map(PageFile::read),
        None => EmbeddedPages::get(path).map(PageFile::built),
    }
}

/// A file of the pages. An embedded one is sent from the binary without a copy, however many clients read it slowly.
struct PageFile {
    content: Bytes,
    hash: [u8; 32],
    encoding: Option<&'static str>,
}

impl PageFile {
    fn built(file: EmbeddedFile) -> PageFile {
        let content = match file.data {
            Cow::Borrowed(built) => Bytes::from_static(built),
            Cow::Owned(read) => Bytes::from(read),
        };
        PageFile { content, hash: file.metadata.sha256_hash(), encoding: None }
    }

    fn read(content: Vec<u8>) -> PageFile {
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
        let hash = digest.as_ref().try_into().expect("SHA-256 has 32 bytes");
        PageFile { content: Bytes::from(content), hash, encoding: None }
    }
}

fn respond(request: &Request, policy: HeaderValue, path: &str, file: PageFile) -> Response {
    let PageFile { content, hash, encoding } = file;
    let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let etag = format!("\"{hash}\"");
    // The bundler puts a hash of the content into names below `assets`.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::ETAG, HeaderValue::try_from(&etag).expect("hexadecimal")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (header::VARY, HeaderValue::from_static("Accept-Encoding")),
    ];
    let known = request.headers().get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let encoding = encoding.map(|encoding| [(header::CONTENT_ENCODING, HeaderValue::from_static(encoding))]);
    (headers, encoding.map_or_else(HeaderMap::new, HeaderMap::from_iter), content).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "ttf" => "font/ttf",
        extension => crate::files::media_of(extension).content_type,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn scene_and_single_word_paths_get_the_page_but_missing_files_do_not() {
        for path in ["", "owner", "public/lobby", "alice/v1.2"] {
            assert!(is_page(path), "{path}");
        }
        let candidates = |path| candidates(path).collect::<Vec<_>>();
        assert_eq!(candidates("public/conf/defaults.js"), ["public/conf/defaults.js", "conf/defaults.js"]);
        assert_eq!(candidates("a/b/static/x/y.js"), ["a/b/static/x/y.js", "static/x/y.js"]);
        assert_eq!(candidates("a/b/c/static/y.js"), ["a/b/c/static/y.js"]);
        assert_eq!(candidates("public/lobby"), ["public/lobby"]);
        for path in ["favicon.ico", "assets/gone.js", "api/v1", "a/b/c", "store/x", "a//b", "public/"] {
            assert!(!is_page(path), "{path}");
        }
        for path in ["programs/style.css", "scenes/gone.js", "a/b.html", "a/b.PNG", "a/b.glb", "a/b.php", "a/wp.xml"] {
            assert!(!is_page(path), "{path} is a file that is missing");
        }
    }

    #[tokio::test]
    async fn a_file_is_sent_in_the_smallest_encoding_the_browser_accepts() {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in [("a.js", "plain"), ("a.js.br", "short"), ("a.js.gz", "longer"), ("b.js", "only")] {
            std::fs::write(dir.path().join(name), content).unwrap();
        }
        for (path, accepted, encoding, content) in [
            ("a.js", "gzip, deflate, br;q=0.5", Some("br"), "short"),
            ("a.js", "GZIP", Some("gzip"), "longer"),
            ("a.js", "br;q=0, gzip;q=1.0", Some("gzip"), "longer"),
            ("a.js", "", None, "plain"),
            ("a.js", "brotli", None, "plain"),
            ("b.js", "br, gzip", None, "only"),
        ] {
            let request = Request::builder().header(header::ACCEPT_ENCODING, accepted).body(Body::empty()).unwrap();
            let file = load_encoded(request.headers(), Some(dir.path()), path).await.unwrap();
            assert_eq!((file.encoding, &file.content[..]), (encoding, content.as_bytes()), "{path} {accepted}");
            let answer = respond(&request, HeaderValue::from_static("default-src 'self'"), path, file);
            let said = answer.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap());
            assert_eq!(said, encoding, "{path} {accepted}");
            assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        }
    }

    #[tokio::test]
    async fn paths_outside_the_pages_folder_are_not_served() {
        let dir = tempfile::tempdir().unwrap();
        let pages = dir.path().join("pages");
        std::fs::create_dir_all(pages.join("assets")).unwrap();
        std::fs::write(dir.path().join("secret"), "x").unwrap();
        std::fs::write(pages.join("assets/a.js"), "x").unwrap();
        assert!(load(Some(&pages), "assets/a.js").await.is_some(), "negative control: it reads files");
        for path in ["../secret", "assets/../../secret", "%2e%2e/secret", "/etc/passwd", "assets"] {
            assert!(load(Some(&pages), path).await.is_none(), "{path}");
        }
    }
}
