//! Python: a module per schema with a frozen dataclass (a tuple for vectors) and its description, and `__init__.py`
//! with all of them.

use super::schema::{ANY_OBJECT, Attribute, IndexSection, Range, Schema, Schemas, Shape};
use super::spelling::{number, python_name, quoted, range, snake};

/// File name and text of each module.
pub(super) fn files(schemas: &Schemas) -> Vec<(String, String)> {
    let mut files: Vec<_> =
        schemas.iter().map(|schema| (format!("{}.py", module_name(&schema.stem)), module(schemas, schema))).collect();
    files.push(("__init__.py".to_owned(), package(schemas)));
    files
}

fn module(schemas: &Schemas, schema: &Schema) -> String {
    let body = if schema.axes.is_empty() { class(schemas, schema) } else { tuple(schema) };
    let mut out = header(&format!("{}.json", schema.stem));
    line(
        &mut out,
        &format!("\"\"\"`{}`: {}\"\"\"\n\nfrom __future__ import annotations\n", schema.stem, doc(&schema.description)),
    );
    let collections: Vec<_> =
        ["Mapping", "Sequence"].into_iter().filter(|name| body.contains(&format!("{name}["))).collect();
    if !collections.is_empty() {
        line(&mut out, &format!("from collections.abc import {}", collections.join(", ")));
    }
    if body.contains("@dataclass") {
        let field = if body.contains("= field(") { ", field" } else { "" };
        line(&mut out, &format!("from dataclasses import dataclass{field}"));
    }
    let typing: Vec<_> = ["ClassVar", "Literal", "TypeAlias"].into_iter().filter(|name| body.contains(name)).collect();
    line(&mut out, &format!("from typing import {}\n", typing.join(", ")));
    let machinery: Vec<_> = ["Attribute", "AttributeGroup", "SchemaObject", "Shape"]
        .into_iter()
        .filter(|name| {
            [format!("{name}("), format!("{name})"), format!("{name}]")].iter().any(|needle| body.contains(needle))
        })
        .collect();
    line(&mut out, &format!("from stoa._schema import {}", machinery.join(", ")));
    if schema.section == IndexSection::Object {
        out.push_str("from stoa._generated._any_object import AnyObject\n");
    }
    for stem in schema.references() {
        line(&mut out, &format!("from stoa._generated.{} import {}", module_name(stem), imported(schemas.group(stem))));
    }
    out + &body
}

/// Names that another module imports from the schema's module.
fn imported(schema: &Schema) -> String {
    if schema.axes.is_empty() { schema.title.clone() } else { format!("{}, {}", constant(&schema.stem), schema.title) }
}

/// A vector: a type alias and its encoding.
fn tuple(schema: &Schema) -> String {
    let floats = vec!["float"; schema.axes.len()].join(", ");
    let axes = schema.axes.iter().map(|axis| {
        let attribute = schema.attributes.iter().find(|attribute| &attribute.name == axis);
        let default = attribute.and_then(|attribute| attribute.default.as_ref()).and_then(serde_json::Value::as_f64);
        format!("({}, {:?})", quoted(axis), default.unwrap_or(0.0))
    });
    let axes = axes.collect::<Vec<_>>().join(", ");
    let (title, description) = (&schema.title, doc(&schema.description));
    format!(
        "\n{title}: TypeAlias = tuple[{floats}]\n\"\"\"{description} As ({}).\"\"\"\n\n{} = Shape(\"tuple\", axes=({axes}))\n",
        schema.axes.join(", "),
        constant(&schema.stem)
    )
}

fn class(schemas: &Schemas, schema: &Schema) -> String {
    let mut out = String::new();
    let base = match schema.section {
        IndexSection::Object => "AnyObject",
        IndexSection::Any => "SchemaObject",
        _ => "AttributeGroup",
    };
    line(&mut out, &format!("\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass {}({base}):", schema.title));
    line(&mut out, &format!("    \"\"\"{}\"\"\"\n", doc(&schema.description)));
    if schema.section == IndexSection::Object {
        line(&mut out, &format!("    OBJECT_TYPE: ClassVar[str] = {}", quoted(&schema.stem)));
    }
    for attribute in &schema.attributes {
        let (name, annotation) = (python_name(&attribute.name), annotation(schemas, &attribute.shape));
        line(&mut out, &format!("    {name}: {annotation} | None = None\n    \"\"\"{}\"\"\"", meaning(attribute)));
    }
    for prefix in &schema.prefixes {
        let (name, annotation) = (prefix_field(&prefix.name), annotation(schemas, &prefix.shape));
        line(
            &mut out,
            &format!("    {name}: Mapping[str, {annotation}] = field(default_factory=dict[str, {annotation}])"),
        );
        line(
            &mut out,
            &format!("    \"\"\"{} Keyed by the part after `{}`.\"\"\"", doc(&prefix.description), prefix.name),
        );
    }
    table(&mut out, schemas, schema);
    out
}

fn table(out: &mut String, schemas: &Schemas, schema: &Schema) {
    line(out, "    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {");
    if schema.section == IndexSection::Object {
        line(out, "        **AnyObject.ATTRIBUTES,");
    }
    let entry = |field: &str, attribute: &Attribute| {
        format!(
            "        {}: Attribute({}, {}),",
            quoted(&attribute.name),
            quoted(field),
            shape(schemas, &attribute.shape)
        )
    };
    schema.attributes.iter().for_each(|attribute| line(out, &entry(&python_name(&attribute.name), attribute)));
    line(out, "    }");
    if !schema.prefixes.is_empty() {
        line(out, "    PREFIXES: ClassVar[Mapping[str, Attribute]] = {");
        schema.prefixes.iter().for_each(|prefix| line(out, &entry(&prefix_field(&prefix.name), prefix)));
        line(out, "    }");
    }
}

/// Name of the field for all attributes with a prefix: `animations` for `animation__`.
fn prefix_field(prefix: &str) -> String {
    format!("{}s", python_name(prefix.trim_end_matches('_')))
}

fn annotation(schemas: &Schemas, shape: &Shape) -> String {
    match shape {
        Shape::Any => "object".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Text(values) if values.is_empty() => "str".to_owned(),
        Shape::Text(values) => {
            format!("Literal[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
        }
        Shape::Number(_) => "float".to_owned(),
        Shape::Integer(_) => "int".to_owned(),
        Shape::Object => "Mapping[str, object]".to_owned(),
        Shape::Array(items) => format!("Sequence[{}]", annotation(schemas, items)),
        Shape::Group(stem) => schemas.group(stem).title.clone(),
        Shape::Choice(shapes) => shapes.iter().map(|shape| annotation(schemas, shape)).collect::<Vec<_>>().join(" | "),
    }
}

fn shape(schemas: &Schemas, shape: &Shape) -> String {
    let bounded = |kind: &str, range: &Range| {
        let bounds = [("minimum", range.minimum), ("maximum", range.maximum)];
        let bounds = bounds.iter().filter_map(|(name, bound)| bound.map(|bound| format!(", {name}={}", number(bound))));
        format!("Shape(\"{kind}\"{})", bounds.collect::<String>())
    };
    match shape {
        Shape::Any => "Shape(\"any\")".to_owned(),
        Shape::Boolean => "Shape(\"boolean\")".to_owned(),
        Shape::Text(values) if values.is_empty() => "Shape(\"text\")".to_owned(),
        Shape::Text(values) => {
            let values: String = values.iter().map(|value| format!("{}, ", quoted(value))).collect();
            format!("Shape(\"text\", values=({}))", values.trim_end_matches(' '))
        }
        Shape::Number(range) => bounded("number", range),
        Shape::Integer(range) => bounded("integer", range),
        Shape::Object => "Shape(\"object\")".to_owned(),
        Shape::Array(items) => format!("Shape(\"array\", items={})", self::shape(schemas, items)),
        Shape::Group(stem) => {
            let group = schemas.group(stem);
            if group.axes.is_empty() { format!("Shape(\"group\", group={})", group.title) } else { constant(stem) }
        }
        Shape::Choice(shapes) => {
            let shapes: String = shapes.iter().map(|shape| format!("{}, ", self::shape(schemas, shape))).collect();
            format!("Shape(\"choice\", shapes=({}))", shapes.trim_end())
        }
    }
}

fn package(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("\"\"\"Types of scene objects and their components, with ARENA's attribute names.\"\"\"\n\nfrom __future__ import annotations\n\n");
    out.push_str(
        "from collections.abc import Mapping\nfrom typing import TypeAlias\n\nfrom stoa._schema import Shape, read_object\n",
    );
    for schema in schemas.iter() {
        line(&mut out, &format!("from stoa._generated.{} import {}", module_name(&schema.stem), imported(schema)));
    }
    let objects: Vec<_> = schemas.objects().map(|schema| schema.title.as_str()).collect();
    line(&mut out, &format!("\nSceneAttributes: TypeAlias = {}", objects.join(" | ")));
    out.push_str("\"\"\"An object of any known type.\"\"\"\n\nOBJECT_TYPES: Mapping[str, type[AnyObject]] = {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("    {}: {},", quoted(&schema.stem), schema.title));
    }
    out.push_str("}\n\"\"\"The class of each `object_type`.\"\"\"\n\nGROUPS: Mapping[str, Shape] = {\n");
    for schema in schemas.iter().filter(|schema| schema.section != IndexSection::Object && schema.stem != ANY_OBJECT) {
        let shape = shape(schemas, &Shape::Group(schema.stem.clone()));
        line(&mut out, &format!("    {}: {shape},", quoted(&schema.stem)));
    }
    out.push_str("}\n\"\"\"Components, values, options and messages, by the name of their schema.\"\"\"\n");
    out.push_str(DECODER);
    // `__all__` omits the shapes of vectors: the package `stoa` re-exports all of it, and its users don't need them.
    let constants = ["GROUPS", "OBJECT_TYPES"].map(str::to_owned);
    let mut names: Vec<_> = schemas.iter().map(|schema| schema.title.clone()).collect();
    names.push("SceneAttributes".to_owned());
    names.sort();
    names.push("decode_attributes".to_owned());
    constants.iter().chain(&names).for_each(|name| line(&mut out, &format!("    {},", quoted(name))));
    out.push_str("]\n");
    out
}

const DECODER: &str = r#"

def decode_attributes(object_id: str, attributes: Mapping[str, object]) -> AnyObject:
    """Check and decode attributes by their `object_type`. Raises AttributeValueError."""
    return read_object(OBJECT_TYPES, object_id, attributes)


__all__ = [
"#;

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
        text.push_str(&format!(" Default `{}`.", doc(&default.to_string())));
    }
    if attribute.deprecated {
        text.push_str(" Deprecated.");
    }
    text
}

fn module_name(stem: &str) -> String {
    format!("_{}", snake(stem))
}

fn constant(stem: &str) -> String {
    snake(stem).to_uppercase()
}

fn doc(text: &str) -> String {
    text.replace('\\', "\\\\").replace("\"\"\"", "'''")
}

fn header(source: &str) -> String {
    format!("# {}\n", super::mark(source))
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
