//! What a small picture says of itself in its first bytes: which format, how wide, how high. Nothing of it is decoded here.

use crate::limits;

/// What was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its media type, by its bytes and not by what anybody says.
    pub content_type: &'static str,
    /// In points.
    pub width: u32,
    /// In points.
    pub height: u32,
}

/// Why it is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Another format.
    #[error("this is no JPEG, PNG or WebP")]
    Unknown,
    /// It breaks off, or has no size.
    #[error("the picture is broken: it does not say how large it is")]
    Broken,
    /// Too many points.
    #[error("a picture of {width} x {height} points; at most {max} a side are allowed", max = limits::PICTURE_SIDE_MAX)]
    TooLarge {
        /// Of so many.
        width: u32,
        /// And so many.
        height: u32,
    },
}

/// Looks at a picture.
///
/// # Errors
/// [`PictureError`].
pub fn look_at(bytes: &[u8]) -> Result<Seen, PictureError> {
    let (content_type, size) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        ("image/png", size_of_png(bytes))
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        ("image/jpeg", size_of_jpeg(bytes))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        ("image/webp", size_of_webp(bytes))
    } else {
        return Err(PictureError::Unknown);
    };
    let (width, height) = size.filter(|(width, height)| *width > 0 && *height > 0).ok_or(PictureError::Broken)?;
    if width.max(height) > limits::PICTURE_SIDE_MAX {
        return Err(PictureError::TooLarge { width, height });
    }
    Ok(Seen { content_type, width, height })
}

fn u16_be(bytes: &[u8], at: usize) -> Option<u32> {
    let two = bytes.get(at..at + 2)?;
    Some(u32::from(u16::from_be_bytes(two.try_into().ok()?)))
}

fn u16_le(bytes: &[u8], at: usize) -> Option<u32> {
    let two = bytes.get(at..at + 2)?;
    Some(u32::from(u16::from_le_bytes(two.try_into().ok()?)))
}

fn u24_le(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u16_le(bytes, at)? | u32::from(*bytes.get(at + 2)?) << 16)
}

/// The first chunk is IHDR: width and height, four bytes each.
fn size_of_png(bytes: &[u8]) -> Option<(u32, u32)> {
    let four = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    (bytes.get(12..16)? == b"IHDR").then_some(())?;
    Some((four(16)?, four(20)?))
}

/// Segment after segment up to a frame header (SOF0 to SOF15, which DHT, JPG and DAC are not).
fn size_of_jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        (*bytes.get(at)? == 0xff).then_some(())?;
        match *bytes.get(at + 1)? {
            0xff => at += 1,
            0xc4 | 0xc8 | 0xcc | 0xd0..=0xfe | 0x01..=0xbf => {
                let length = u16_be(bytes, at + 2).filter(|length| *length >= 2)?;
                at += 2 + usize::try_from(length).ok()?;
            }
            0xc0..=0xcf => return Some((u16_be(bytes, at + 7)?, u16_be(bytes, at + 5)?)),
            0x00 => return None,
        }
    }
}

/// Lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`).
fn size_of_webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => {
            (bytes.get(23..26)? == [0x9d, 0x01, 0x2a]).then_some(())?;
            Some((u16_le(bytes, 26)? & 0x3fff, u16_le(bytes, 28)? & 0x3fff))
        }
        b"VP8L" => {
            (*bytes.get(20)? == 0x2f).then_some(())?;
            let bits = u32::from_le_bytes(bytes.get(21..25)?.try_into().ok()?);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((u24_le(bytes, 24)? + 1, u24_le(bytes, 27)? + 1)),
        _ => None,
    }
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
    fn each_format_says_how_large_it_is() {
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
            assert_eq!(look_at(&bytes), Ok(Seen { content_type, width: 640, height: 360 }), "{name}");
            for length in 0..bytes.len() {
                // Wherever it breaks off, it is looked at without harm.
                let _ = look_at(&bytes[..length]);
            }
        }
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        assert_eq!(look_at(b"<svg onload=alert(1)>"), Err(PictureError::Unknown));
        assert_eq!(look_at(b"<html>"), Err(PictureError::Unknown));
        assert_eq!(look_at(b""), Err(PictureError::Unknown));
        assert_eq!(look_at(&png(0, 5)), Err(PictureError::Broken));
        assert_eq!(look_at(&[0xff, 0xd8, 0xff, 0xe0, 0, 0]), Err(PictureError::Broken), "a segment of no length");
        let bomb = PictureError::TooLarge { width: 60_000, height: 60_000 };
        assert_eq!(look_at(&png(60_000, 60_000)), Err(bomb));
    }
}
