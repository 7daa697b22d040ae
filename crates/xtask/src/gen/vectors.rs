//! First versions of `spec/vectors/objects/NAME.json` for new components: values that each implementation must accept
//! or refuse by the schema alone. Once written, a file is kept by hand: cases that the schema doesn't show are added
//! there.

use serde_json::{Value, json};

use super::schema::{Attribute, IndexSection, Range, Schema, Shape};

/// The vectors of a component; `None` for other schemas.
pub(super) fn first_version(schema: &Schema) -> Option<String> {
    if schema.section != IndexSection::Component {
        return None;
    }
    let rows: Vec<String> = cases(schema).iter().map(|case| case.row(&schema.stem)).collect();
    Some(format!("[\n{}\n]\n", rows.join(",\n")))
}

struct Case {
    name: String,
    value: Value,
    /// The attribute at which a refusal points; `None` for a valid value.
    error_path: Option<String>,
}

impl Case {
    fn valid(name: impl Into<String>, value: Value) -> Case {
        Case { name: name.into(), value, error_path: None }
    }

    fn refused(name: String, path: &str, value: Value) -> Case {
        Case { name, value: json!({ path: value }), error_path: Some(path.to_owned()) }
    }

    fn row(&self, stem: &str) -> String {
        let verdict = match &self.error_path {
            None => "\"valid\": true".to_owned(),
            Some(path) => format!("\"valid\": false, \"error_path\": {}", json!(path)),
        };
        let name = json!(format!("{stem}/{}", self.name));
        format!("  {{\"name\": {name}, \"spec\": \"objects/{stem}.json\", \"json\": {}, {verdict}}}", self.value)
    }
}

fn cases(schema: &Schema) -> Vec<Case> {
    let mut cases = vec![
        Case::valid("smallest", json!({})),
        Case::valid("full", schema.example.clone().unwrap_or_else(|| defaults(schema))),
        Case::valid("unknown keys are kept", json!({"made-up": {"depth": [1, {"a": "b"}]}})),
    ];
    if let Some(first) = schema.attributes.first() {
        let name = format!("null stands for absence of {}", first.name);
        cases.push(Case::valid(name, json!({ first.name.as_str(): null })));
    }
    cases.push(Case { name: "not an object".to_owned(), value: json!([1]), error_path: Some(String::new()) });
    cases.extend(schema.attributes.iter().flat_map(refusals));
    cases
}

/// The schema's defaults, for a component without an example.
fn defaults(schema: &Schema) -> Value {
    let pairs = schema.attributes.iter().filter_map(|one| Some((one.name.clone(), one.default.clone()?)));
    Value::Object(pairs.collect())
}

/// Values of one attribute that are refused, and the ends of its range.
fn refusals(attribute: &Attribute) -> Vec<Case> {
    let name = &attribute.name;
    let wrong_type = |value: Value| Case::refused(format!("{name} of a wrong type"), name, value);
    match &attribute.shape {
        Shape::Boolean | Shape::Object | Shape::Group(_) => vec![wrong_type(json!(["no"]))],
        Shape::Array(_) => vec![wrong_type(json!("no"))],
        Shape::Text(values) if values.is_empty() => vec![wrong_type(json!(["no"]))],
        Shape::Text(_) => {
            vec![wrong_type(json!(["no"])), Case::refused(format!("{name} not allowed"), name, json!("no such value"))]
        }
        Shape::Number(range) | Shape::Integer(range) => {
            let mut cases = vec![wrong_type(json!(["no"]))];
            if matches!(attribute.shape, Shape::Integer(_)) {
                cases.push(Case::refused(
                    format!("{name} with a fraction"),
                    name,
                    json!(range.minimum.unwrap_or(0.0) + 0.5),
                ));
            }
            cases.extend(ends(name, *range));
            cases
        }
        Shape::Any | Shape::Choice(_) => Vec::new(),
    }
}

/// A range's ends, and a value beyond each.
fn ends(name: &str, Range { minimum, maximum }: Range) -> Vec<Case> {
    let mut cases = Vec::new();
    for (end, beyond, side, bound) in [(minimum, -1.0, "below", "minimum"), (maximum, 1.0, "above", "maximum")] {
        let Some(end) = end else { continue };
        cases.push(Case::valid(format!("{name} at its {bound}"), json!({ name: whole(end) })));
        cases.push(Case::refused(format!("{name} {side} its range"), name, whole(end + beyond)));
    }
    cases
}

/// A number as schemas write it: whole ones without a fraction.
fn whole(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "bounds of schemas are far below 2^53")]
    let integer = number as i64;
    #[expect(clippy::cast_precision_loss, reason = "bounds of schemas are far below 2^53")]
    if (integer as f64 - number).abs() < f64::EPSILON { json!(integer) } else { json!(number) }
}
