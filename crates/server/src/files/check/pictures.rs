//! Checks the pictures inside a model. A browser decodes all of them, whatever their size.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf_json::Root;

use super::kind::{HEAD_BYTES, pixels_of, take};
use crate::limits;

/// Base64 as lenient as in browsers.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Reads the first bytes of each picture in a model and limits the total of pixels. `binary` is the content of the
/// binary chunk after the model's JSON.
pub(super) fn check(root: &Root, binary: impl Read) -> Result<(), String> {
    let mut pixels = 0_usize;
    let mut count = |head: &[u8], times: usize| {
        // Browsers don't decode formats they don't know, such as later versions of KTX2.
        if imagesize::image_type(head).is_err() {
            return Ok(());
        }
        let one = pixels_of(head).map_err(|why| format!("a picture in it: {why}"))?;
        pixels = pixels.saturating_add(one.saturating_mul(times));
        let most = limits::MODEL_PIXELS_MAX;
        if pixels > most { Err(format!("its pictures have {pixels} pixels together: at most {most}")) } else { Ok(()) }
    };
    let mut beside = BTreeMap::<u64, (u64, usize)>::new();
    let mut written = BTreeMap::<usize, Vec<u8>>::new();
    for image in &root.images {
        if let Some(uri) = &image.uri {
            count(&decoded(uri)?, 1)?;
        }
        let Some(view) = image.buffer_view.and_then(|view| root.buffer_views.get(view.value())) else { continue };
        let (start, length) = (view.byte_offset.map_or(0, |offset| offset.0), view.byte_length.0);
        match root.buffers.get(view.buffer.value()).and_then(|buffer| buffer.uri.as_deref()) {
            Some(uri) => {
                let bytes = match written.entry(view.buffer.value()) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => place.insert(decoded(uri)?),
                };
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                count(&bytes[start..], 1)?;
            }
            None if view.buffer.value() == 0 => {
                let (longest, times) = beside.entry(start).or_default();
                (*longest, *times) = ((*longest).max(length), *times + 1);
            }
            None => {}
        }
    }
    check_beside(beside, binary, count)
}

/// Checks the pictures in the binary chunk, in the order of their offsets.
fn check_beside(
    pictures: BTreeMap<u64, (u64, usize)>,
    mut binary: impl Read,
    mut count: impl FnMut(&[u8], usize) -> Result<(), String>,
) -> Result<(), String> {
    let mut at = 0;
    for (start, (length, times)) in pictures {
        let between = start.checked_sub(at).ok_or("its pictures lie over each other")?;
        let skipped = io::copy(&mut (&mut binary).take(between), &mut io::sink());
        skipped.map_err(|error| format!("it could not be read: {error}"))?;
        let head = take(&mut binary, length.min(HEAD_BYTES))?;
        at = start + head.len() as u64;
        count(&head, times)?;
    }
    Ok(())
}

/// The content of a `data:` address.
fn decoded(uri: &str) -> Result<Vec<u8>, String> {
    let text = uri.split_once(',').filter(|(head, _)| head.to_ascii_lowercase().trim_end().ends_with(";base64"));
    let (_, text) = text.ok_or("an embedded part is not encoded as base64")?;
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(text).map_err(|_| "an embedded part is not valid base64".to_owned())
}

#[cfg(test)]
mod tests {
    use base64::prelude::BASE64_STANDARD;
    use serde_json::{Value, json};

    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
        [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &size, b"\x08\x06\0\0\0\0\0\0\0"].concat()
    }

    fn verdict(parts: Value, binary: &[u8]) -> Result<(), String> {
        let mut model = json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 10_000}]});
        model.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
        let root: Root = gltf_json::deserialize::from_value(model).unwrap();
        check(&root, binary)
    }

    fn beside(views: Value, count: usize) -> Value {
        let images: Vec<Value> = (0..count).map(|view| json!({"bufferView": view, "mimeType": "image/png"})).collect();
        json!({"bufferViews": views, "images": images})
    }

    #[test]
    fn an_oversized_picture_in_a_model_is_refused_wherever_it_is_stored() {
        let (small, vast) = (png(1_024, 1_024), png(16_384, 16_384));
        let length = small.len();
        let both = [&b"points"[..], &small, b"..", &vast].concat();
        let views = json!([{"buffer": 0, "byteOffset": 8 + length, "byteLength": length}, {"buffer": 0, "byteOffset": 6, "byteLength": length}]);
        assert!(verdict(beside(views.clone(), 2), &both).unwrap_err().contains("16384 by 16384"));
        let sound = [&b"points"[..], &small, b"..", &small].concat();
        assert_eq!(verdict(beside(views, 2), &sound), Ok(()), "negative control");
        let written = |bytes: &[u8]| format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes));
        assert!(verdict(json!({"images": [{"uri": written(&vast)}]}), b"").unwrap_err().contains("16384 by"));
        assert_eq!(verdict(json!({"images": [{"uri": written(&small)}]}), b""), Ok(()));
        let view = json!([{"buffer": 0, "byteOffset": 6, "byteLength": length}]);
        let mut inside = beside(view, 1);
        inside["buffers"] = json!([{"byteLength": 100, "uri": written(&[b"points", &vast[..]].concat())}]);
        assert!(verdict(inside, b"").unwrap_err().contains("16384 by"));
        assert!(verdict(json!({"images": [{"uri": "data:image/png,%89PNG"}]}), b"").unwrap_err().contains("base64"));
    }

    #[test]
    fn pictures_of_a_model_share_one_pixel_limit_even_when_identical() {
        let picture = png(8_192, 8_192);
        let view = json!({"buffer": 0, "byteLength": picture.len()});
        assert_eq!(verdict(beside(json!(vec![view.clone(); 4]), 4), &picture), Ok(()), "negative control");
        assert!(verdict(beside(json!(vec![view; 5]), 5), &picture).unwrap_err().contains("together"));
        let over = json!([{"buffer": 0, "byteLength": 33}, {"buffer": 0, "byteOffset": 8, "byteLength": 8}]);
        assert!(verdict(beside(over, 2), &picture).unwrap_err().contains("over each other"));
        assert_eq!(
            verdict(beside(json!([{"buffer": 0, "byteLength": 4}]), 1), b"\xabKTX"),
            Ok(()),
            "none of a browser's"
        );
        assert!(
            verdict(beside(json!([{"buffer": 0, "byteLength": 20}]), 1), &picture[..20]).is_err(),
            "it says no size"
        );
    }
}
