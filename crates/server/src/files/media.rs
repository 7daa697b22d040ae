//! Media types of uploads by file extension. HTML and JavaScript have none here, so they are served as downloads of an
//! unknown type, and browsers don't run them.

/// The headers that a file is served with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileResponseHeaders {
    /// The media type.
    pub content_type: &'static str,
    /// Whether browsers show it in place. Otherwise they download it when it is opened as a page.
    pub inline: bool,
}

/// Extension and media type of files that browsers show in place.
const INLINE: [(&str, &str); 22] = [
    ("avif", "image/avif"),
    ("gif", "image/gif"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("ktx2", "image/ktx2"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("aac", "audio/aac"),
    ("flac", "audio/flac"),
    ("m4a", "audio/mp4"),
    ("mp3", "audio/mpeg"),
    ("oga", "audio/ogg"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("wav", "audio/wav"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("glb", "model/gltf-binary"),
    ("gltf", "model/gltf+json"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// Extension and media type of files that browsers download. SVG runs scripts when opened as a page; as an attachment
/// it can only be used as an image.
const ATTACHED: [(&str, &str); 2] = [("pdf", "application/pdf"), ("svg", "image/svg+xml")];

/// The media type of an extension.
#[must_use]
pub fn media_of(extension: &str) -> FileResponseHeaders {
    let find =
        |table: &[(&str, &'static str)]| table.iter().find(|(ending, _)| *ending == extension).map(|found| found.1);
    if let Some(content_type) = find(&INLINE) {
        return FileResponseHeaders { content_type, inline: true };
    }
    FileResponseHeaders { content_type: find(&ATTACHED).unwrap_or("application/octet-stream"), inline: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_browser_could_execute_are_served_as_downloads() {
        for extension in ["html", "htm", "xhtml", "js", "mjs", "xml", "", "svg"] {
            assert!(!media_of(extension).inline, "{extension}");
        }
        assert_eq!(media_of("html").content_type, "application/octet-stream");
        assert_eq!(media_of("glb"), FileResponseHeaders { content_type: "model/gltf-binary", inline: true });
    }
}
