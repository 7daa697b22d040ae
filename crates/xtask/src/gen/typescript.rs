//! TypeScript: a module per schema with an interface and its description, and `index.ts` with the union of all
//! objects and their decoder.

use serde_json::Value;

use super::schema::{Attribute, IndexSection, Schema, Schemas, Shape};
use super::spelling::{camel, number, quoted, range};

/// File name and text of each module.
pub(super) fn files(schemas: &Schemas) -> Vec<(String, String)> {
    let mut files: Vec<_> =
        schemas.iter().map(|schema| (format!("{}.ts", schema.stem), module(schemas, schema))).collect();
    files.push(("index.ts".to_owned(), index(schemas)));
    files.push(("help.ts".to_owned(), help(schemas)));
    files
}

/// Help texts of schemas and attributes, for forms. A separate module, because only the editor loads it.
fn help(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("\n/** Help texts of a schema and its attributes, without `object_type`. Attributes with a common prefix are listed by it. */\n");
    out.push_str("export interface Help {\n  readonly description: string;\n  readonly attributes: Readonly<Record<string, string>>;\n}\n");
    out.push_str("\n/** By schema: an object type, a component, a value. */\nexport const help: Readonly<Record<string, Help>> = {\n");
    for schema in schemas.iter() {
        line(&mut out, &format!("  {}: {{", key(&schema.stem)));
        line(&mut out, &format!("    description: {},\n    attributes: {{", quoted(&schema.description)));
        for attribute in schema.attributes.iter().chain(&schema.prefixes) {
            line(&mut out, &format!("      {}: {},", key(&attribute.name), quoted(&attribute.description)));
        }
        line(&mut out, "    },\n  },");
    }
    out.push_str("};\n");
    out
}

fn module(schemas: &Schemas, schema: &Schema) -> String {
    let mut out = header(&format!("{}.json", schema.stem));
    out.push_str("import type { Group } from \"../attribute-check.ts\";\n");
    if schema.section == IndexSection::Object {
        out.push_str("import { type AnyObject, anyObjectAttributes } from \"./any-object.ts\";\n");
    }
    for stem in schema.references() {
        let (title, table) = (&schemas.group(stem).title, table_name(stem));
        line(&mut out, &format!("import {{ type {title}, {table} }} from \"./{stem}.ts\";"));
    }
    interface(&mut out, schemas, schema);
    table(&mut out, schema);
    out
}

fn interface(out: &mut String, schemas: &Schemas, schema: &Schema) {
    let is_object = schema.section == IndexSection::Object;
    line(out, &format!("\n/** {}{} */", doc(&schema.description), if schema.deprecated { " @deprecated" } else { "" }));
    let base = if is_object { " extends AnyObject" } else { "" };
    line(out, &format!("export interface {}{base} {{", schema.title));
    if is_object {
        line(out, &format!("  readonly object_type: {};", quoted(&schema.stem)));
    }
    for attribute in &schema.attributes {
        line(out, &format!("  /** {} */", meaning(attribute)));
        line(out, &format!("  readonly {}?: {};", key(&attribute.name), type_of(schemas, &attribute.shape)));
    }
    for prefix in &schema.prefixes {
        line(out, &format!("  /** {} */", meaning(prefix)));
        let shape = type_of(schemas, &prefix.shape);
        line(out, &format!("  readonly [key: `{}${{string}}`]: {shape} | undefined;", prefix.name));
    }
    line(out, "}");
}

fn type_of(schemas: &Schemas, shape: &Shape) -> String {
    match shape {
        Shape::Any => "unknown".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Text(values) if values.is_empty() => "string".to_owned(),
        Shape::Text(values) => values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(" | "),
        Shape::Number(_) | Shape::Integer(_) => "number".to_owned(),
        Shape::Object => "Readonly<Record<string, unknown>>".to_owned(),
        Shape::Array(items) => format!("readonly ({})[]", type_of(schemas, items)),
        Shape::Group(stem) => schemas.group(stem).title.clone(),
        Shape::Choice(shapes) => shapes.iter().map(|shape| type_of(schemas, shape)).collect::<Vec<_>>().join(" | "),
    }
}

fn table(out: &mut String, schema: &Schema) {
    line(out, &format!("\n/** The schema's description of each attribute of {{@link {}}}. */", schema.title));
    line(out, &format!("export const {}: Group = {{", table_name(&schema.stem)));
    if schema.section == IndexSection::Object {
        line(out, "  base: anyObjectAttributes,");
    }
    line(out, "  attributes: {");
    for attribute in &schema.attributes {
        line(out, &format!("    {}: {},", key(&attribute.name), entry(attribute)));
    }
    line(out, "  },\n  prefixes: {");
    for prefix in &schema.prefixes {
        line(out, &format!("    {}: {},", key(&prefix.name), entry(prefix)));
    }
    line(out, "  },\n};");
}

fn entry(attribute: &Attribute) -> String {
    let mut parts = vec![format!("shape: {}", shape(&attribute.shape))];
    let texts = [
        ("unit", &attribute.unit),
        ("format", &attribute.format),
        ("component", &attribute.component),
        ("carrier", &attribute.carrier),
    ];
    let values = [("default", &attribute.default), ("initial", &attribute.initial)];
    parts.extend(
        values.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}: {}", literal(value)))),
    );
    parts.extend(attribute.cap.map(|cap| format!("cap: {}", number(cap))));
    parts.extend(texts.iter().filter_map(|(name, text)| text.as_ref().map(|text| format!("{name}: {}", quoted(text)))));
    let flags =
        [("required", attribute.required), ("deprecated", attribute.deprecated), ("reference", attribute.reference)];
    parts.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| format!("{name}: true")));
    format!("{{ {} }}", parts.join(", "))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let pairs: Vec<_> = map.iter().map(|(name, value)| format!("{}: {}", key(name), literal(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        _ => value.to_string(),
    }
}

fn shape(shape: &Shape) -> String {
    let bounded = |kind: &str, range: &super::schema::Range| {
        let bounds = [("minimum", range.minimum), ("maximum", range.maximum)];
        let bounds =
            bounds.iter().filter_map(|(name, bound)| bound.map(|bound| format!(", {name}: {}", number(bound))));
        format!("{{ kind: \"{kind}\"{} }}", bounds.collect::<String>())
    };
    match shape {
        Shape::Any => "{ kind: \"any\" }".to_owned(),
        Shape::Boolean => "{ kind: \"boolean\" }".to_owned(),
        Shape::Text(values) if values.is_empty() => "{ kind: \"text\" }".to_owned(),
        Shape::Text(values) => {
            let values: Vec<_> = values.iter().map(|value| quoted(value)).collect();
            format!("{{ kind: \"text\", values: [{}] }}", values.join(", "))
        }
        Shape::Number(range) => bounded("number", range),
        Shape::Integer(range) => bounded("integer", range),
        Shape::Object => "{ kind: \"object\" }".to_owned(),
        Shape::Array(items) => format!("{{ kind: \"array\", items: {} }}", self::shape(items)),
        Shape::Group(stem) => format!("{{ kind: \"group\", group: {} }}", table_name(stem)),
        Shape::Choice(shapes) => {
            let shapes: Vec<_> = shapes.iter().map(self::shape).collect();
            format!("{{ kind: \"choice\", shapes: [{}] }}", shapes.join(", "))
        }
    }
}

fn index(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str(
        "import { findWrongObject, type Group, type Violation, withoutNulls } from \"../attribute-check.ts\";\n",
    );
    for schema in schemas.iter() {
        let object =
            if schema.section == IndexSection::Object { format!("type {}, ", schema.title) } else { String::new() };
        line(&mut out, &format!("import {{ {object}{} }} from \"./{}.ts\";", table_name(&schema.stem), schema.stem));
    }
    out.push('\n');
    for schema in schemas.iter() {
        line(&mut out, &format!("export type {{ {} }} from \"./{}.ts\";", schema.title, schema.stem));
    }
    out.push_str(
        "\n/** An object's attributes (`data` of a message), by `object_type`. */\nexport type SceneAttributes =\n",
    );
    let union: Vec<_> = schemas.objects().map(|schema| format!("  | {}", schema.title)).collect();
    line(&mut out, &format!("{};", union.join("\n")));
    out.push_str(
        "\n/** A known value of `object_type`. */\nexport type ObjectType = SceneAttributes[\"object_type\"];\n",
    );
    out.push_str(
        "\n/** Description of each object type. */\nexport const objectTypes: Readonly<Record<ObjectType, Group>> = {\n",
    );
    for schema in schemas.objects() {
        line(&mut out, &format!("  {}: {},", key(&schema.stem), table_name(&schema.stem)));
    }
    out.push_str(
        "};\n\n/** Descriptions of all schemas besides object types: components, values, options, messages. */\n",
    );
    out.push_str("export const groups = {\n");
    for schema in schemas.iter().filter(|schema| schema.section != IndexSection::Object) {
        line(&mut out, &format!("  {}: {},", key(&schema.stem), table_name(&schema.stem)));
    }
    out.push_str(DECODER);
    out
}

const DECODER: &str = r#"} satisfies Readonly<Record<string, Group>>;

/** Result of {@link decodeAttributes}. */
export type Decoded =
  | { readonly ok: true; readonly value: SceneAttributes }
  | { readonly ok: false; readonly path: string; readonly reason: Violation["reason"] };

/**
 * Checks and decodes attributes. `null` means absent and is omitted; required keys may be absent; unknown keys are
 * kept. A failure names the first value that has a wrong type, is not allowed, or is out of range.
 */
export function decodeAttributes(value: unknown): Decoded {
  const wrong = findWrongObject(objectTypes, value);
  if (wrong !== undefined) {
    return { ok: false, path: wrong.path, reason: wrong.reason };
  }
  const attributes = withoutNulls(value);
  return conforms(attributes) ? { ok: true, value: attributes } : { ok: false, path: "", reason: "wrong type" };
}

function conforms(value: unknown): value is SceneAttributes {
  return findWrongObject(objectTypes, value) === undefined;
}
"#;

fn table_name(stem: &str) -> String {
    format!("{}Attributes", camel(stem))
}

/// A property's name, quoted if necessary.
fn key(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_plain { name.to_owned() } else { quoted(name) }
}

fn meaning(attribute: &Attribute) -> String {
    let mut text = doc(&attribute.description);
    if let Some(unit) = &attribute.unit {
        text.push_str(&format!(" In {unit}."));
    }
    if let Shape::Number(bounds) | Shape::Integer(bounds) = &attribute.shape {
        let bounds = range(*bounds);
        text.push_str(&if bounds.is_empty() { bounds } else { format!(" Range: {bounds}.") });
    }
    if let Some(default) = &attribute.default {
        text.push_str(&format!(" Default `{default}`."));
    }
    if attribute.deprecated {
        text.push_str(" @deprecated");
    }
    text
}

fn doc(text: &str) -> String {
    text.replace("*/", "* /")
}

fn header(source: &str) -> String {
    format!("// {}\n", super::mark(source))
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
