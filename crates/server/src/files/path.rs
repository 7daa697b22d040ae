//! Validated names of uploaded files: `users/<name>/…`. Other names are rejected.

use stoa_wire::topic::{SceneName, is_name};

use crate::limits;

/// A validated name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(String);

/// Reasons why a text is not a file's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path is too long.
    #[error("the path has {got} bytes; at most {max} are allowed", max = limits::FILE_PATH_BYTES_MAX)]
    TooLong {
        /// Length in bytes.
        got: usize,
    },
    /// The path is outside `users/<name>/`.
    #[error("the path {0:?} is not users/<name>/<file>")]
    NotUsers(String),
    /// A segment is empty, begins or ends with a dot or a space, or has characters with a meaning to some system.
    #[error(
        "the path has a segment {0:?}; segments are not empty, don't begin with a dot or a space, and hold no / \\ : * ? \" < > | or control character"
    )]
    BadSegment(String),
}

impl FilePath {
    /// Validates a percent-decoded path.
    ///
    /// # Errors
    /// [`PathError`].
    pub fn parse(text: &str) -> Result<FilePath, PathError> {
        if text.len() > limits::FILE_PATH_BYTES_MAX {
            return Err(PathError::TooLong { got: text.len() });
        }
        let mut segments = text.split('/');
        if segments.clone().count() < 3 || segments.next() != Some("users") || !segments.next().is_some_and(is_name) {
            return Err(PathError::NotUsers(text.to_owned()));
        }
        match segments.find(|segment| !is_segment(segment)) {
            Some(bad) => Err(PathError::BadSegment(bad.to_owned())),
            None => Ok(FilePath(text.to_owned())),
        }
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The account that owns the file.
    #[must_use]
    pub fn owner(&self) -> &str {
        self.0.split('/').nth(1).expect("checked by parse")
    }

    /// The scene whose read right the file requires: files in `users/<name>/scenes/<scene>/…`, ARENA's folder for a
    /// scene's files. `None` for all other files, which are public.
    #[must_use]
    pub fn scene(&self) -> Option<SceneName> {
        let mut segments = self.0.split('/').skip(2);
        let (folder, scene, file) = (segments.next()?, segments.next()?, segments.next());
        if folder != "scenes" || file.is_none() {
            return None;
        }
        SceneName::new(self.owner(), scene).ok()
    }

    /// The extension after the last dot, in lower case.
    #[must_use]
    pub fn extension(&self) -> String {
        let file = self.0.rsplit('/').next().unwrap_or_default();
        file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
    }
}

/// Percent-encodes all bytes except `/` and the unreserved characters of RFC 3986, section 2.3.
#[must_use]
pub fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

fn is_segment(segment: &str) -> bool {
    let allowed = |character: char| {
        !character.is_control() && !matches!(character, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    !segment.is_empty()
        && !segment.starts_with(['.', ' '])
        && !segment.ends_with(['.', ' '])
        && segment.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traversing_hidden_or_malformed_file_path_is_refused() {
        for path in [
            "users/alice/../bob/a",
            "users/alice/..",
            "users/../../etc/passwd",
            "users/alice/.ssh/key",
            "users/alice//a",
        ] {
            assert!(FilePath::parse(path).is_err(), "{path}");
        }
        for path in
            ["users/alice/a\\b", "users/alice/a\0b", "users/alice/", "users/alice", "scenes/a/b", "/users/alice/a"]
        {
            assert!(FilePath::parse(path).is_err(), "{path}");
        }
        assert!(FilePath::parse(&format!("users/alice/{}", "x".repeat(512))).is_err());
        assert!(FilePath::parse("users/alice/models/my duck.glb").is_ok());
    }

    #[test]
    fn the_scene_of_a_file_is_taken_from_its_path() {
        let scene = |path: &str| FilePath::parse(path).unwrap().scene().map(|scene| scene.to_string());
        assert_eq!(scene("users/alice/scenes/atrium/duck.glb"), Some("alice/atrium".into()));
        assert_eq!(scene("users/alice/scenes/duck.glb"), None);
        assert_eq!(scene("users/alice/duck.glb"), None);
    }
}
