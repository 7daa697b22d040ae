//! The content security policy of pages. The realm's own pages run scripts of the realm only. Of ARENA's pages, served
//! by `--web`, a few folders may also load scripts and styles from a CDN, and HTML pages except `index.html` may load
//! web fonts.

use axum::http::HeaderValue;

use super::super::guard::CheckedAuthority;
use super::INDEX;
use crate::config::AllowedFileHosts;

/// Folders of ARENA's pages with libraries from a CDN of npm packages.
const WITH_LIBRARIES: [&str; 3] = ["build", "files", "scenes"];
/// Source of the CDN's scripts and styles.
const LIBRARIES: &str = " https://cdn.jsdelivr.net";
/// Source of the web fonts' style sheets, which ARENA's pages except `index.html` use.
const LETTER_STYLES: &str = " https://fonts.googleapis.com";
/// Source of the web fonts' files.
const LETTERS: &str = " https://fonts.gstatic.com";

/// Sources besides the realm itself.
#[derive(Default)]
struct PageKindCspSources {
    scripts: &'static str,
    styles: [&'static str; 2],
    letters: &'static str,
}

/// The sources of a scene's files, and the page's connections to the realm.
#[derive(Clone, Debug)]
pub(super) struct SceneFileCspSources {
    files: String,
    connections: String,
}

impl SceneFileCspSources {
    /// The sources for a page that was requested from `site`.
    pub(super) fn new(hosts: &AllowedFileHosts, site: Option<&CheckedAuthority>) -> SceneFileCspSources {
        match hosts {
            AllowedFileHosts::Any => {
                SceneFileCspSources { files: " https: http:".into(), connections: " ws: wss: https: http:".into() }
            }
            AllowedFileHosts::Only(hosts) => {
                let files: String = hosts.iter().map(|host| format!(" https://{host}")).collect();
                // In some browsers `'self'` doesn't cover WebSocket, and WebTransport has a port of its own.
                let own = site.map(|site| {
                    let (host, authority) = (site.host(), &site.0);
                    format!(" ws://{authority} wss://{authority} https://{host}:*")
                });
                SceneFileCspSources { connections: format!("{}{files}", own.unwrap_or_default()), files }
            }
        }
    }
}

/// The policy of the file at `path`. `is_served` is true for the operator's folder.
pub(super) fn of(path: &str, is_served: bool, files: &SceneFileCspSources) -> HeaderValue {
    let folder = path.split_once('/').map_or("", |(folder, _)| folder);
    let extra = match is_served {
        true if WITH_LIBRARIES.contains(&folder) => {
            PageKindCspSources { scripts: LIBRARIES, styles: [LIBRARIES, LETTER_STYLES], letters: LETTERS }
        }
        true if path.ends_with(".html") && path != INDEX => {
            PageKindCspSources { styles: ["", LETTER_STYLES], letters: LETTERS, scripts: "" }
        }
        _ => PageKindCspSources::default(),
    };
    HeaderValue::try_from(written(&extra, files)).expect("sources are ASCII")
}

/// The policy's text. Model decoders need WebAssembly and workers. A scene's models, images and sounds may be on
/// other servers.
fn written(extra: &PageKindCspSources, SceneFileCspSources { files, connections }: &SceneFileCspSources) -> String {
    let PageKindCspSources { scripts, styles: [library_styles, letter_styles], letters } = extra;
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{scripts}; worker-src 'self' blob:; \
         style-src 'self' 'unsafe-inline'{library_styles}{letter_styles}; img-src 'self' blob: data:{files}; \
         media-src 'self' blob: data:{files}; font-src 'self' data:{letters}; \
         connect-src 'self' blob: data:{connections}; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_arena_pages_that_need_external_hosts_may_load_from_them() {
        let any = SceneFileCspSources::new(&AllowedFileHosts::Any, None);
        let policy = |path: &str, is_served| of(path, is_served, &any).to_str().unwrap().to_owned();
        let strict = policy("index.html", false);
        for path in ["index.html", "dist/index.js", "static/auth.js"] {
            assert_eq!(policy(path, true), strict, "{path}");
        }
        for path in ["scenes/index.html", "build/index.html", "network/index.html"] {
            assert_eq!(policy(path, false), strict, "{path} of the realm's own");
        }
        for path in ["scenes/index.html", "build/index.html", "files/index.html"] {
            let loose = policy(path, true);
            assert!(loose.contains("script-src 'self' 'wasm-unsafe-eval' https://cdn.jsdelivr.net;"), "{loose}");
            assert!(
                loose.contains("'unsafe-inline' https://cdn.jsdelivr.net https://fonts.googleapis.com;"),
                "{loose}"
            );
        }
        let network = policy("network/index.html", true);
        assert_eq!(policy("landing.html", true), network);
        assert!(network.contains("script-src 'self' 'wasm-unsafe-eval';"), "{network}");
        assert!(network.contains("'unsafe-inline' https://fonts.googleapis.com;"), "{network}");
        assert!(network.contains("font-src 'self' data: https://fonts.gstatic.com;"), "{network}");
        for path in ["scenes/index.html", "network/index.html"] {
            let loose = policy(path, true);
            assert!(loose.ends_with("frame-ancestors 'none'") && !loose.contains("'unsafe-eval'"), "{loose}");
        }
    }

    #[test]
    fn the_csp_allows_only_the_configured_file_hosts() {
        let site = CheckedAuthority("realm.example:8443".parse().unwrap());
        let policy = |hosts: &AllowedFileHosts| {
            of(INDEX, false, &SceneFileCspSources::new(hosts, Some(&site))).to_str().unwrap().to_owned()
        };
        let sources = |policy: &str, name: &str| {
            let directive = policy.split("; ").find(|directive| directive.starts_with(name)).unwrap_or_default();
            directive.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        let own = policy(&AllowedFileHosts::Only(Vec::new()));
        for name in ["img-src", "media-src"] {
            assert_eq!(sources(&own, name), ["'self'", "blob:", "data:"], "{name}");
        }
        let connections = ["ws://realm.example:8443", "wss://realm.example:8443", "https://realm.example:*"];
        assert_eq!(sources(&own, "connect-src"), [&["'self'", "blob:", "data:"], &connections[..]].concat());
        let listed = policy(&AllowedFileHosts::Only(vec!["cdn.example".into()]));
        for name in ["img-src", "media-src", "connect-src"] {
            assert_eq!(sources(&listed, name).last().map(String::as_str), Some("https://cdn.example"), "{name}");
            assert!(sources(&policy(&AllowedFileHosts::Any), name).contains(&"https:".to_owned()), "negative control");
        }
    }
}
