//! Reads a picture's format, width and height from its headers. The pixels are not decoded.

use crate::limits;

/// A picture's format and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PictureHeader {
    /// Media type, by the bytes and not by the sender's claim.
    pub content_type: &'static str,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// Reasons to refuse a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PictureError {
    /// The format is not JPEG, PNG or WebP.
    #[error("the picture is not a JPEG, PNG or WebP")]
    Unknown,
    /// The file is cut off, or states no size or a size of zero.
    #[error("the picture is damaged: its size can't be read")]
    Broken,
    /// A side exceeds [`limits::PICTURE_SIDE_MAX`].
    #[error("the picture has {width} x {height} pixels; at most {max} a side are allowed", max = limits::PICTURE_SIDE_MAX)]
    TooLarge {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
}

/// Reads a picture's format and size.
///
/// # Errors
/// [`PictureError`].
pub(crate) fn read_header(bytes: &[u8]) -> Result<PictureHeader, PictureError> {
    let content_type = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        "image/png"
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        "image/jpeg"
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        "image/webp"
    } else {
        return Err(PictureError::Unknown);
    };
    let size = imagesize::blob_size(bytes).map_err(|_| PictureError::Broken)?;
    let [width, height] = [size.width, size.height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    if width == 0 || height == 0 {
        return Err(PictureError::Broken);
    }
    if width.max(height) > limits::PICTURE_SIDE_MAX {
        return Err(PictureError::TooLarge { width, height });
    }
    Ok(PictureHeader { content_type, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &width.to_be_bytes(), &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat()
    }

    fn jpeg(width: u16, height: u16) -> Vec<u8> {
        let app0 = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2];
        [&app0[..], &[0xff, 0xc0, 0, 11, 8], &height.to_be_bytes(), &width.to_be_bytes(), &[1, 1, 0x11, 0]].concat()
    }

    fn webp(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&b"RIFF\0\0\0\0WEBP"[..], kind, &[0; 4], body].concat()
    }

    #[test]
    fn the_picture_header_of_each_format_gives_its_type_and_size() {
        let lossy = webp(b"VP8 ", &[0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01]);
        let lossless = webp(b"VP8L", &[[0x2f].as_slice(), &(639u32 | 359 << 14).to_le_bytes()].concat());
        let extended = webp(b"VP8X", &[0, 0, 0, 0, 0x7f, 0x02, 0, 0x67, 0x01, 0]);
        for (name, bytes, content_type) in [
            ("png", png(640, 360), "image/png"),
            ("jpeg", jpeg(640, 360), "image/jpeg"),
            ("lossy", lossy, "image/webp"),
            ("lossless", lossless, "image/webp"),
            ("extended", extended, "image/webp"),
        ] {
            assert_eq!(read_header(&bytes), Ok(PictureHeader { content_type, width: 640, height: 360 }), "{name}");
            for length in 0..bytes.len() {
                // A file cut off anywhere must not panic.
                let _ = read_header(&bytes[..length]);
            }
        }
    }

    #[test]
    fn an_unknown_broken_or_oversized_picture_is_refused() {
        assert_eq!(read_header(b"<svg onload=alert(1)>"), Err(PictureError::Unknown));
        assert_eq!(read_header(b"<html>"), Err(PictureError::Unknown));
        assert_eq!(read_header(b""), Err(PictureError::Unknown));
        assert_eq!(read_header(&png(0, 5)), Err(PictureError::Broken));
        assert_eq!(read_header(&[0xff, 0xd8, 0xff, 0xe0, 0, 0]), Err(PictureError::Broken), "a segment of no length");
        let bomb = PictureError::TooLarge { width: 60_000, height: 60_000 };
        assert_eq!(read_header(&png(60_000, 60_000)), Err(bomb));
    }
}
