//! Kinds of files by their extensions, with checks of their first bytes.

use std::io::{self, Read};

use super::glb;
use crate::limits;

/// A kind of file that is checked. Other files are served unchecked, and Stoa doesn't parse them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedFileKind {
    /// Binary glTF: `glb`, `vrm`.
    Glb,
    /// glTF as text.
    Gltf,
    /// An image that browsers render.
    Image,
    /// Audio or video that browsers play.
    Media,
    /// Points or splats with a text header.
    Ply,
    /// Compressed splats.
    Spz,
}

const IMAGES: [&str; 6] = ["avif", "gif", "jpeg", "jpg", "png", "webp"];
const MEDIA: [&str; 10] = ["aac", "flac", "m4a", "mp3", "mp4", "oga", "ogg", "opus", "wav", "webm"];
const WORDS: [(CheckedFileKind, &str); 6] = [
    (CheckedFileKind::Glb, "glb"),
    (CheckedFileKind::Gltf, "gltf"),
    (CheckedFileKind::Image, "image"),
    (CheckedFileKind::Media, "media"),
    (CheckedFileKind::Ply, "ply"),
    (CheckedFileKind::Spz, "spz"),
];
/// Bytes read to identify an image, audio, video or PLY file. Cameras put thumbnails before the image's size.
pub(super) const HEAD_BYTES: u64 = 1 << 20;

impl CheckedFileKind {
    /// The kind of an extension in lower case.
    #[must_use]
    pub fn of(extension: &str) -> Option<CheckedFileKind> {
        match extension {
            "glb" | "vrm" => Some(CheckedFileKind::Glb),
            "gltf" => Some(CheckedFileKind::Gltf),
            "ply" => Some(CheckedFileKind::Ply),
            "spz" => Some(CheckedFileKind::Spz),
            image if IMAGES.contains(&image) => Some(CheckedFileKind::Image),
            media if MEDIA.contains(&media) => Some(CheckedFileKind::Media),
            _ => None,
        }
    }

    pub(super) fn word(self) -> &'static str {
        WORDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    pub(super) fn called(word: &str) -> Option<CheckedFileKind> {
        WORDS.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
    }

    /// Checks a file of `size_bytes` bytes.
    ///
    /// # Errors
    /// The reason for the uploader.
    pub(super) fn check(self, mut input: impl Read, size_bytes: u64) -> Result<(), String> {
        match self {
            CheckedFileKind::Glb => glb::check(input, size_bytes),
            CheckedFileKind::Gltf => {
                let text = take(&mut input, limits::MODEL_JSON_BYTES_MAX + 1)?;
                if text.len() as u64 > limits::MODEL_JSON_BYTES_MAX {
                    return Err(format!("its text has more than {} bytes", limits::MODEL_JSON_BYTES_MAX));
                }
                glb::check_text(&text)
            }
            CheckedFileKind::Image => pixels_of(&take(&mut input, HEAD_BYTES)?).map(drop),
            CheckedFileKind::Media => check_media(&take(&mut input, HEAD_BYTES)?),
            CheckedFileKind::Ply => check_ply(&take(&mut input, HEAD_BYTES)?, size_bytes),
            CheckedFileKind::Spz => {
                let head = take(&mut input, 2)?;
                if head == [0x1f, 0x8b] { Ok(()) } else { Err("it is no SPZ file: it is not compressed".to_owned()) }
            }
        }
    }
}

/// Reads up to `most` bytes.
pub(super) fn take(input: &mut impl Read, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let taken: io::Result<usize> = input.take(most).read_to_end(&mut bytes);
    taken.map(|_| bytes).map_err(|error| format!("it could not be read: {error}"))
}

/// The number of pixels of an image, from its first bytes. Fails if it is no image or too large.
pub(super) fn pixels_of(head: &[u8]) -> Result<usize, String> {
    let size = imagesize::blob_size(head).map_err(|_| "it is no image that browsers know".to_owned())?;
    let (side, all) = (limits::IMAGE_SIDE_MAX, limits::IMAGE_PIXELS_MAX);
    if size.width.max(size.height) > side || size.width * size.height > all {
        let (width, height) = (size.width, size.height);
        return Err(format!("the image is {width} by {height}: at most {side} a side and {all} pixels"));
    }
    Ok(size.width * size.height)
}

fn check_media(head: &[u8]) -> Result<(), String> {
    let found = infer::get(head).map(|found| found.matcher_type());
    match found {
        Some(infer::MatcherType::Audio | infer::MatcherType::Video) => Ok(()),
        _ => Err("it is no sound or video that browsers know".to_owned()),
    }
}

/// PLY: `ply`, lines of text, `end_header`, then the counted elements (Turk, 1994).
fn check_ply(head: &[u8], size_bytes: u64) -> Result<(), String> {
    let end = head.windows(10).position(|window| window == b"end_header");
    let (true, Some(end)) = (head.starts_with(b"ply"), end) else {
        return Err("it is not a PLY file: it lacks the header".to_owned());
    };
    let text = String::from_utf8_lossy(&head[..end]);
    let counts = text.lines().filter_map(|line| line.trim().strip_prefix("element ")?.split_whitespace().nth(1));
    let mut elements = 0_u64;
    for count in counts {
        let count: u64 = count.parse().map_err(|_| format!("its header counts {count:?} elements"))?;
        elements = elements.saturating_add(count);
    }
    // Each element takes at least one byte.
    if elements > size_bytes {
        return Err(format!("its header counts {elements} elements in {size_bytes} bytes"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn verdict(kind: CheckedFileKind, bytes: &[u8]) -> Result<(), String> {
        kind.check(bytes, bytes.len() as u64)
    }

    /// The first bytes of a PNG of that size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes().into_iter().chain(height.to_be_bytes()));
        bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
        bytes
    }

    #[test]
    fn images_with_a_wrong_format_or_too_many_pixels_are_refused() {
        assert_eq!(verdict(CheckedFileKind::Image, &png(1_024, 512)), Ok(()));
        assert!(verdict(CheckedFileKind::Image, &png(100_000, 1)).unwrap_err().contains("100000 by 1"));
        assert!(verdict(CheckedFileKind::Image, &png(16_000, 16_000)).unwrap_err().contains("pixels"));
        for other in [&b"<svg onload=alert(1)>"[..], b"", b"\x89PNG\r\n\x1a\n"] {
            assert!(verdict(CheckedFileKind::Image, other).is_err());
        }
    }

    #[test]
    fn audio_and_video_are_recognized_by_their_first_bytes() {
        assert_eq!(verdict(CheckedFileKind::Media, b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"), Ok(()));
        assert_eq!(verdict(CheckedFileKind::Media, b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0"), Ok(()));
        assert!(verdict(CheckedFileKind::Media, b"<html><script>").is_err());
        assert!(verdict(CheckedFileKind::Media, &png(1, 1)).is_err(), "an image is no film");
    }

    #[test]
    fn point_clouds_need_a_valid_header_that_matches_their_length() {
        let ply =
            b"ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nend_header\n0123456789abcdef";
        assert_eq!(verdict(CheckedFileKind::Ply, ply), Ok(()));
        let many = b"ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n";
        assert!(verdict(CheckedFileKind::Ply, many).unwrap_err().contains("4000000000 elements in"));
        assert!(verdict(CheckedFileKind::Ply, b"ply\nformat ascii 1.0\n").is_err());
        assert!(verdict(CheckedFileKind::Ply, b"ply\nelement vertex -1\nend_header").unwrap_err().contains("\"-1\""));
        assert_eq!(verdict(CheckedFileKind::Spz, &[0x1f, 0x8b, 8]), Ok(()));
        assert!(verdict(CheckedFileKind::Spz, b"spz").is_err());
    }
}
