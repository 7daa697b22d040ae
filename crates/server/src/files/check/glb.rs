//! Checks glTF: the container (glTF 2.0, 4.4), and that the model refers only to existing parts. Its appearance is
//! not checked; the uploader's page runs Khronos' validator for that.

use std::io::{self, Read};

use gltf_json::validation::{Error, Validate};
use gltf_json::{Accessor, Root};

use super::pictures;
use crate::limits;

const MAGIC: u32 = u32::from_le_bytes(*b"glTF");
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
const HEADER_BYTES: u64 = 12;
const CHUNK_HEADER_BYTES: u64 = 8;

/// Checks a model in binary form (GLB).
pub(super) fn check(mut input: impl Read, size_bytes: u64) -> Result<(), String> {
    let [magic, version, length] = words(&mut input).ok_or("it is not a GLB file: it is too short")?;
    if magic != MAGIC {
        return Err("it is not a GLB file: it does not begin with glTF".to_owned());
    }
    if version != 2 {
        return Err(format!("it is glTF {version}: only version 2 is supported"));
    }
    if u64::from(length) != size_bytes {
        return Err(format!(
            "it says that it has {length} bytes and has {size_bytes}: it was cut off, or more was added"
        ));
    }
    let [json_bytes, kind] = words(&mut input).ok_or("the model's JSON is missing")?;
    let json_bytes = u64::from(json_bytes);
    let after_json = HEADER_BYTES + CHUNK_HEADER_BYTES + json_bytes;
    if kind != JSON || after_json > size_bytes {
        return Err("the model's JSON is missing or longer than the file".to_owned());
    }
    if json_bytes > limits::MODEL_JSON_BYTES_MAX {
        let most = limits::MODEL_JSON_BYTES_MAX;
        return Err(format!("the model's JSON has {json_bytes} bytes; at most {most} are allowed"));
    }
    let mut json = Vec::new();
    let read = (&mut input).take(json_bytes).read_to_end(&mut json);
    read.map_err(|error| format!("it could not be read: {error}"))?;
    let binary = match words::<2>(&mut input) {
        Some([bytes, BIN]) if after_json + CHUNK_HEADER_BYTES + u64::from(bytes) > size_bytes => {
            return Err(format!(
                "its binary part says that it has {bytes} bytes, which is more than the file has left"
            ));
        }
        Some([bytes, BIN]) => u64::from(bytes),
        _ => 0,
    };
    let root = check_model(&json, Some(binary))?;
    pictures::check(&root, input.take(binary))
}

/// Checks a model in text form.
pub(super) fn check_text(json: &[u8]) -> Result<(), String> {
    pictures::check(&check_model(json, None)?, io::empty())
}

fn words<const COUNT: usize>(input: &mut impl Read) -> Option<[u32; COUNT]> {
    let mut found = [0; COUNT];
    for word in &mut found {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes).ok()?;
        *word = u32::from_le_bytes(bytes);
    }
    Some(found)
}

/// Checks a model's JSON. `binary` is the length of a GLB file's binary chunk, 0 if it has none; `None` for a model in
/// text form.
fn check_model(json: &[u8], binary: Option<u64>) -> Result<Root, String> {
    let root: Root = gltf_json::deserialize::from_slice(json).map_err(|error| format!("it is no glTF: {error}"))?;
    if !root.asset.version.starts_with("2.") {
        return Err(format!("it is glTF {}: only version 2 is supported", root.asset.version));
    }
    let mut missing = None;
    // Extensions and their values are the page's concern; only an index out of bounds breaks a model here.
    root.validate(&root, gltf_json::Path::new, &mut |path, error| {
        if error == Error::IndexOutOfBounds {
            missing.get_or_insert_with(path);
        }
    });
    if let Some(path) = missing {
        return Err(format!("{path} refers to something that is not in the file"));
    }
    check_addresses(&root)?;
    check_ranges(&root, binary)?;
    check_tree(&root)?;
    Ok(root)
}

/// References to other files fail: only the file itself is served.
fn check_addresses(root: &Root) -> Result<(), String> {
    let buffers = root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = root.images.iter().filter_map(|image| image.uri.as_deref());
    match buffers.chain(images).find(|uri| !uri.starts_with("data:")) {
        Some(uri) => {
            let shown: String = uri.chars().take(80).collect();
            Err(format!("it needs another file, {shown:?}: export the model with everything in one file (GLB)"))
        }
        None => Ok(()),
    }
}

/// Checks that the first buffer is within the binary chunk, views within their buffers, and accessors within their
/// views.
fn check_ranges(root: &Root, binary: Option<u64>) -> Result<(), String> {
    for (number, buffer) in root.buffers.iter().enumerate() {
        // The first buffer without an address is the file's binary chunk. Extensions fill other such buffers.
        if let (0, None, Some(binary)) = (number, &buffer.uri, binary)
            && buffer.byte_length.0 > binary
            && binary > 0
        {
            let length = buffer.byte_length.0;
            return Err(format!("buffer 0 has {length} bytes, of which {binary} are in the file"));
        }
    }
    for (number, view) in root.buffer_views.iter().enumerate() {
        let end = view.byte_offset.map_or(0, |offset| offset.0).checked_add(view.byte_length.0);
        let length = root.buffers.get(view.buffer.value()).map_or(0, |buffer| buffer.byte_length.0);
        if end.is_none_or(|end| end > length) {
            return Err(format!("bufferView {number} ends beyond its buffer of {length} bytes"));
        }
    }
    for (number, accessor) in root.accessors.iter().enumerate() {
        if let Some((end, length)) = overrun(root, accessor) {
            return Err(format!("accessor {number} ends at {end}, beyond its bufferView of {length} bytes"));
        }
    }
    Ok(())
}

/// The end of an accessor and the length of its view, if the accessor ends beyond it. For data packed by an
/// extension, the view is the unpacked one.
fn overrun(root: &Root, accessor: &Accessor) -> Option<(u64, u64)> {
    let view = root.buffer_views.get(accessor.buffer_view?.value())?;
    let (component, shape) = (accessor.component_type.as_ref(), accessor.type_.as_ref());
    let (gltf_json::validation::Checked::Valid(component), gltf_json::validation::Checked::Valid(shape)) =
        (component, shape)
    else {
        return None;
    };
    let element = (component.0.size() * shape.multiplicity()) as u64;
    let stride = view.byte_stride.map_or(element, |stride| stride.0 as u64);
    let steps = accessor.count.0.saturating_sub(1).saturating_mul(stride);
    let end = accessor.byte_offset.map_or(0, |offset| offset.0).saturating_add(steps).saturating_add(element);
    (end > view.byte_length.0).then_some((end, view.byte_length.0))
}

/// Checks that a node has at most one parent and is not its own ancestor, so that a walk down the tree ends.
fn check_tree(root: &Root) -> Result<(), String> {
    let mut parents = vec![None; root.nodes.len()];
    for (number, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            match parents.get_mut(child.value()) {
                Some(parent) if parent.is_none() => *parent = Some(number),
                _ => return Err(format!("node {} is a child of several nodes", child.value())),
            }
        }
    }
    let mut reached = 0;
    let mut waiting: Vec<usize> = (0..parents.len()).filter(|node| parents[*node].is_none()).collect();
    while let Some(node) = waiting.pop() {
        reached += 1;
        waiting.extend(root.nodes[node].children.iter().flatten().map(|child| child.value()));
    }
    if reached < parents.len() { Err("some of its nodes are their own ancestors".to_owned()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn glb(model: &Value, binary: &[u8]) -> Vec<u8> {
        let mut text = serde_json::to_vec(model).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + binary.len();
        let mut bytes = Vec::new();
        for word in [MAGIC, 2, length as u32, text.len() as u32, JSON] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(text);
        bytes.extend((binary.len() as u32).to_le_bytes());
        bytes.extend(BIN.to_le_bytes());
        bytes.extend(binary);
        bytes
    }

    /// A triangle: three positions of three numbers.
    fn triangle() -> Value {
        json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 36}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "nodes": [{"mesh": 0}, {"children": [0]}],
            "scenes": [{"nodes": [1]}],
        })
    }

    fn refused(change: impl FnOnce(&mut Value)) -> String {
        let mut model = triangle();
        change(&mut model);
        let bytes = glb(&model, &[0; 36]);
        check(&bytes[..], bytes.len() as u64).expect_err("it is broken")
    }

    #[test]
    fn a_complete_model_is_sound_even_with_unknown_extensions() {
        let bytes = glb(&triangle(), &[0; 36]);
        assert_eq!(check(&bytes[..], bytes.len() as u64), Ok(()));
        let mut strange = triangle();
        strange["extensionsRequired"] = json!(["KHR_draco_mesh_compression", "VRMC_vrm"]);
        strange["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
        let bytes = glb(&strange, &[0; 36]);
        assert_eq!(check(&bytes[..], bytes.len() as u64), Ok(()));
    }

    #[test]
    fn an_inconsistent_model_is_refused_and_the_error_names_the_fault() {
        assert!(refused(|model| model["nodes"][0]["mesh"] = json!(7)).contains("nodes[0].mesh"));
        assert!(refused(|model| model["accessors"][0]["count"] = json!(4)).contains("accessor 0 ends at 48"));
        assert!(refused(|model| model["bufferViews"][0]["byteOffset"] = json!(1)).contains("bufferView 0"));
        assert!(refused(|model| model["buffers"][0]["byteLength"] = json!(4_000_000_000_u64)).contains("of which 36"));
        assert!(refused(|model| model["images"] = json!([{"uri": "wood.png"}])).contains("\"wood.png\""));
        assert!(refused(|model| model["nodes"][0]["children"] = json!([1])).contains("ancestors"));
        assert!(refused(|model| model["nodes"][0]["children"] = json!([0])).contains("child of several"));
        assert!(refused(|model| model["asset"]["version"] = json!("1.0")).contains("only version 2"));
        assert!(refused(|model| model["nodes"] = json!(3)).contains("no glTF"));
    }

    #[test]
    fn a_truncated_or_malformed_glb_container_is_refused() {
        let whole = glb(&triangle(), &[0; 36]);
        for length in 0..whole.len() {
            assert!(check(&whole[..length], length as u64).is_err(), "{length} bytes");
        }
        let mut longer = whole.clone();
        longer[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(check(&longer[..], longer.len() as u64).unwrap_err().contains("longer than the file"));
        assert!(check(&b"quack quack quack"[..], 17).unwrap_err().contains("begin with glTF"));
    }
}
