//! The content security policy of pages. The realm's own pages run scripts of the realm only. ARENA's pages, served
//! by `--web`, load some scripts from elsewhere. Each of their folders gets the sources that it needs, and no other
//! page does.

use axum::http::HeaderValue;

use super::INDEX;

/// Folders of ARENA's pages with libraries from a CDN of npm packages.
const WITH_LIBRARIES: [&str; 3] = ["build", "files", "scenes"];
/// That CDN: scripts and their styles.
const LIBRARIES: &str = " https://cdn.jsdelivr.net";
/// Style sheets of web fonts, which all of ARENA's pages use.
const LETTER_STYLES: &str = " https://fonts.googleapis.com";
/// The font files of those style sheets.
const LETTERS: &str = " https://fonts.gstatic.com";

/// Sources besides the realm itself.
#[derive(Default)]
struct ExtraSources {
    scripts: &'static str,
    styles: [&'static str; 2],
    letters: &'static str,
}

/// The policy of the file at `path`. `is_served` is true for the operator's folder.
pub(super) fn of(path: &str, is_served: bool) -> HeaderValue {
    let folder = path.split_once('/').map_or("", |(folder, _)| folder);
    let extra = match is_served {
        true if WITH_LIBRARIES.contains(&folder) => {
            ExtraSources { scripts: LIBRARIES, styles: [LIBRARIES, LETTER_STYLES], letters: LETTERS }
        }
        true if path.ends_with(".html") && path != INDEX => {
            ExtraSources { styles: ["", LETTER_STYLES], letters: LETTERS, scripts: "" }
        }
        _ => ExtraSources::default(),
    };
    HeaderValue::try_from(written(&extra)).expect("sources are ASCII")
}

/// The policy's text. Model decoders need WebAssembly and workers. A scene's models, images and sounds may be on
/// other servers.
fn written(ExtraSources { scripts, styles: [library_styles, letter_styles], letters }: &ExtraSources) -> String {
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob:{scripts}; worker-src 'self' blob:; \
         style-src 'self' 'unsafe-inline'{library_styles}{letter_styles}; img-src 'self' blob: data: https: http:; \
         media-src 'self' blob: data: https: http:; font-src 'self' data:{letters}; \
         connect-src 'self' ws: wss: blob: data: https: http:; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_pages_of_arena_load_from_elsewhere_that_must() {
        let policy = |path: &str, is_served| of(path, is_served).to_str().unwrap().to_owned();
        let strict = policy("index.html", false);
        for path in ["index.html", "dist/index.js", "static/auth.js"] {
            assert_eq!(policy(path, true), strict, "{path}");
        }
        for path in ["scenes/index.html", "build/index.html", "network/index.html"] {
            assert_eq!(policy(path, false), strict, "{path} of the realm's own");
        }
        for path in ["scenes/index.html", "build/index.html", "files/index.html"] {
            let loose = policy(path, true);
            assert!(loose.contains("script-src 'self' 'wasm-unsafe-eval' blob: https://cdn.jsdelivr.net;"), "{loose}");
            assert!(
                loose.contains("'unsafe-inline' https://cdn.jsdelivr.net https://fonts.googleapis.com;"),
                "{loose}"
            );
        }
        let network = policy("network/index.html", true);
        assert_eq!(policy("landing.html", true), network);
        assert!(network.contains("script-src 'self' 'wasm-unsafe-eval' blob:;"), "{network}");
        assert!(network.contains("'unsafe-inline' https://fonts.googleapis.com;"), "{network}");
        assert!(network.contains("font-src 'self' data: https://fonts.gstatic.com;"), "{network}");
        for path in ["scenes/index.html", "network/index.html"] {
            let loose = policy(path, true);
            assert!(loose.ends_with("frame-ancestors 'none'") && !loose.contains("'unsafe-eval'"), "{loose}");
        }
    }
}
