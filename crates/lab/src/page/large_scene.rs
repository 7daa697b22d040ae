//! Generates a large scene of a typical kind: mostly plain shapes, some turning or clickable, with signs and lines.

use fastrand::Rng;
use serde_json::{Value, json};

const SHAPES: [&str; 10] =
    ["box", "sphere", "cylinder", "cone", "torus", "dodecahedron", "octahedron", "plane", "circle", "ring"];
/// Side of the hall. People walk in its middle.
const HALL_M: f64 = 60.0;
const HEIGHT_M: f64 = 4.0;

/// Records in the format of `stoa scene import`. Among 20 objects are two signs, a line, two turning shapes and one
/// clickable shape.
pub(super) fn records(objects: usize, seed: u64) -> Vec<Value> {
    let mut rng = Rng::with_seed(seed);
    (0..objects)
        .map(|index| {
            json!({"object_id": format!("thing-{index}"), "type": "object", "attributes": attributes(index, &mut rng)})
        })
        .collect()
}

fn attributes(index: usize, rng: &mut Rng) -> Value {
    let mut along = |length: f64| rng.f64() * length;
    let (x, y, z) = (along(HALL_M) - HALL_M / 2.0, along(HEIGHT_M), along(HALL_M) - HALL_M / 2.0);
    let position = json!({"x": x, "y": y, "z": z});
    let color = format!("#{:06x}", rng.u32(..0x100_0000));
    match index % 20 {
        8 | 18 => json!({"object_type": "text", "value": format!("Thing {index}"), "position": position}),
        9 => {
            json!({"object_type": "line", "start": position, "end": {"x": x + 1.0, "y": y + 1.0, "z": z}, "color": color})
        }
        place => {
            let mut shape = json!({
                "object_type": SHAPES[rng.usize(..SHAPES.len())], "position": position, "material": {"color": color},
                "scale": {"x": 0.5, "y": 0.5, "z": 0.5},
            });
            if place % 10 == 0 {
                shape["animation"] =
                    json!({"property": "rotation", "to": "0 360 0", "loop": true, "dur": 4_000, "easing": "linear"});
            }
            if place == 1 {
                shape["click-listener"] = json!(true);
            }
            shape
        }
    }
}
