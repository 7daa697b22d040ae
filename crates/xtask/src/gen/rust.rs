//! Rust: a module per schema with a struct and its description, the enum of object types, and the enum of all
//! objects' attributes.

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::schema::{ANY_OBJECT, Attribute, IndexSection, Range, Schema, Schemas, Shape};
use super::spelling::{quoted, range, rust_name, snake};

/// File name and text of each module.
pub(super) fn files(schemas: &Schemas) -> Vec<(String, String)> {
    let mut files: Vec<_> =
        schemas.iter().map(|schema| (format!("{}.rs", snake(&schema.stem)), module(schemas, schema))).collect();
    files.push(("object_type.rs".to_owned(), object_type(schemas)));
    files.push(("scene_attributes.rs".to_owned(), scene_attributes(schemas)));
    files
}

/// `objects.rs`: the table of contents.
pub(super) fn contents(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("//! Types of scene objects and their components, with ARENA's attribute names. [`SceneAttributes::decode`] checks and decodes\n");
    out.push_str("//! the `data` of a message; [`group`] returns the description of a schema.\n\n");
    out.push_str("pub mod attribute;\npub mod object_type;\npub mod scene_attributes;\n");
    for schema in schemas.iter() {
        line(&mut out, &format!("pub mod {};", rust_name(&schema.stem)));
    }
    out.push_str("\npub use attribute::{Attribute, AttributeError, AttributeFault, Group, Range, Shape};\npub use object_type::ObjectType;\npub use scene_attributes::SceneAttributes;\n");
    for schema in schemas.iter() {
        line(&mut out, &format!("pub use {}::{};", rust_name(&schema.stem), schema.title));
    }
    out.push_str("\n/// Descriptions of all schemas by the stems of their files in `spec/objects/`, sorted.\n");
    out.push_str("pub static GROUPS: &[(&str, &Group)] = &[\n");
    for schema in schemas.iter() {
        line(&mut out, &format!("({}, &{}::ATTRIBUTES),", quoted(&schema.stem), rust_name(&schema.stem)));
    }
    out.push_str("];\n\n/// The description of the schema `spec/objects/<stem>.json`.\npub fn group(stem: &str) -> Option<&'static Group> {\n");
    out.push_str("let place = GROUPS.binary_search_by(|(name, _)| (*name).cmp(stem)).ok()?;\n");
    out.push_str("GROUPS.get(place).map(|(_, group)| *group)\n}\n");
    out
}

/// Formats `text` with rustfmt.
pub(super) fn format(text: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=120,use_small_heuristics=Max", "--config-path", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("starting rustfmt")?;
    rustfmt.stdin.take().context("rustfmt has no input")?.write_all(text.as_bytes())?;
    let output = rustfmt.wait_with_output()?;
    ensure!(output.status.success(), "rustfmt rejected the generated code");
    String::from_utf8(output.stdout).context("rustfmt's output is not UTF-8")
}

fn module(schemas: &Schemas, schema: &Schema) -> String {
    let mut body = String::new();
    structure(&mut body, schemas, schema);
    table(&mut body, schema);
    let mut out = header(&format!("{}.json", schema.stem));
    line(&mut out, &format!("//! `{}`: {}\n", schema.stem, doc(&schema.description)));
    imports(&mut out, &body);
    for stem in schema.references() {
        let group = schemas.group(stem);
        if body.contains(&format!("<{}>", group.title)) {
            line(&mut out, &format!("use super::{}::{};", rust_name(&group.stem), group.title));
        }
    }
    out + &body
}

/// The imports that a module's body needs.
fn imports(out: &mut String, body: &str) {
    let needed = |names: &[(&str, &str)]| {
        let needed = names.iter().filter(|(use_of_it, _)| body.contains(use_of_it));
        needed.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    };
    out.push_str("use alloc::string::String;\n");
    if body.contains("Vec<") {
        out.push_str("use alloc::vec::Vec;\n");
    }
    let json = needed(&[("Map<", "Map"), ("Value>", "Value")]);
    line(out, &format!("\nuse serde::{{Deserialize, Serialize}};\nuse serde_json::{{{json}}};\n"));
    if body.contains("any: AnyObject") {
        out.push_str("use super::any_object::{self, AnyObject};\n");
    }
    let shapes =
        needed(&[("Attribute {", "Attribute"), ("Group =", "Group"), ("Range {", "Range"), ("Shape::", "Shape")]);
    line(out, &format!("use super::attribute::{{{shapes}}};"));
}

fn structure(out: &mut String, schemas: &Schemas, schema: &Schema) {
    line(out, &format!("\n/// {}", doc(&schema.description)));
    line(out, "#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]");
    line(out, &format!("pub struct {} {{", schema.title));
    for attribute in &schema.attributes {
        line(out, &format!("/// {}", meaning(attribute)));
        let field = rust_name(&attribute.name);
        let renamed =
            if field == attribute.name { String::new() } else { format!("rename = {}, ", quoted(&attribute.name)) };
        line(out, &format!("#[serde({renamed}default, skip_serializing_if = \"Option::is_none\")]"));
        line(out, &format!("pub {field}: Option<{}>,", field_type(schemas, schema, &attribute.shape)));
    }
    if schema.section == IndexSection::Object {
        line(out, "/// Attributes of any object.\n#[serde(flatten)]\npub any: AnyObject,");
    }
    if schema.stem != ANY_OBJECT {
        line(out, "/// Keys that the schema does not name, kept as they came.\n#[serde(flatten)]");
        line(out, "pub other: Map<String, Value>,");
    }
    line(out, "}");
}

fn field_type(schemas: &Schemas, schema: &Schema, shape: &Shape) -> String {
    match shape {
        Shape::Any | Shape::Choice(_) => "Value".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Text(_) => "String".to_owned(),
        Shape::Number(_) | Shape::Integer(_) => "f64".to_owned(),
        Shape::Object => "Map<String, Value>".to_owned(),
        Shape::Array(items) => format!("Vec<{}>", field_type(schemas, schema, items)),
        // Components are many and large, and most objects have few of them.
        Shape::Group(stem) if schema.stem == ANY_OBJECT => format!("alloc::boxed::Box<{}>", schemas.group(stem).title),
        Shape::Group(stem) => schemas.group(stem).title.clone(),
    }
}

fn table(out: &mut String, schema: &Schema) {
    line(out, &format!("\n/// The schema's description of each attribute of [`{}`], sorted by name.", schema.title));
    line(out, "pub static ATTRIBUTES: Group = Group {");
    let base = if schema.section == IndexSection::Object { "Some(&any_object::ATTRIBUTES)" } else { "None" };
    line(out, &format!("base: {base},\nattributes: &["));
    schema.attributes.iter().for_each(|attribute| entry(out, attribute));
    line(out, "],\nprefixes: &[");
    schema.prefixes.iter().for_each(|attribute| entry(out, attribute));
    line(out, "],\n};");
}

fn entry(out: &mut String, attribute: &Attribute) {
    let option = |text: Option<String>| text.map_or("None".to_owned(), |text| format!("Some({})", quoted(&text)));
    line(out, "Attribute {");
    line(out, &format!("name: {},", quoted(&attribute.name)));
    line(out, &format!("shape: {},", shape(&attribute.shape)));
    line(out, &format!("default: {},", option(attribute.default.as_ref().map(ToString::to_string))));
    line(out, &format!("unit: {},", option(attribute.unit.clone())));
    line(out, &format!("required: {},\ndeprecated: {},\n}},", attribute.required, attribute.deprecated));
}

fn shape(shape: &Shape) -> String {
    let bound = |bound: Option<f64>| bound.map_or("None".to_owned(), |bound| format!("Some({bound:?})"));
    let bounds =
        |range: &Range| format!("Range {{ minimum: {}, maximum: {} }}", bound(range.minimum), bound(range.maximum));
    match shape {
        Shape::Any => "Shape::Any".to_owned(),
        Shape::Boolean => "Shape::Boolean".to_owned(),
        Shape::Text(values) => {
            format!("Shape::Text(&[{}])", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
        }
        Shape::Number(range) => format!("Shape::Number({})", bounds(range)),
        Shape::Integer(range) => format!("Shape::Integer({})", bounds(range)),
        Shape::Object => "Shape::Object".to_owned(),
        Shape::Array(items) => format!("Shape::Array(&{})", self::shape(items)),
        Shape::Group(stem) => format!("Shape::Group(&super::{}::ATTRIBUTES)", rust_name(stem)),
        Shape::Choice(shapes) => {
            format!("Shape::Choice(&[{}])", shapes.iter().map(self::shape).collect::<Vec<_>>().join(", "))
        }
    }
}

fn object_type(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("//! The object types of the schemas.\n\nuse core::fmt;\nuse core::str::FromStr;\n\n");
    out.push_str("/// A value of `object_type`.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum ObjectType {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("/// {}\n{},", doc(&schema.description), schema.title));
    }
    out.push_str(
        "}\n\n/// The text is no known object type. Unknown types are valid in ARENA and forwarded unchanged.\n",
    );
    out.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]\n#[error(\"unknown object type\")]\npub struct UnknownObjectType;\n\n");
    out.push_str("impl ObjectType {\n/// All, sorted by their names.\npub const ALL: &'static [ObjectType] = &[\n");
    schemas.objects().for_each(|schema| line(&mut out, &format!("ObjectType::{},", schema.title)));
    out.push_str("];\n\n/// ARENA's name of the type.\npub fn as_str(self) -> &'static str {\nmatch self {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("ObjectType::{} => {},", schema.title, quoted(&schema.stem)));
    }
    out.push_str("}\n}\n}\n\nimpl FromStr for ObjectType {\ntype Err = UnknownObjectType;\n\nfn from_str(text: &str) -> Result<Self, Self::Err> {\nOk(match text {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("{} => ObjectType::{},", quoted(&schema.stem), schema.title));
    }
    out.push_str("_ => return Err(UnknownObjectType),\n})\n}\n}\n\nimpl fmt::Display for ObjectType {\n");
    out.push_str("fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\nf.write_str(self.as_str())\n}\n}\n");
    out
}

fn scene_attributes(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("//! The attributes of an object of any type.\n\nuse alloc::boxed::Box;\nuse alloc::string::String;\n\nuse serde_json::{Map, Value};\n\n");
    out.push_str("use super::ObjectType;\nuse super::attribute::{self, AttributeError};\n\n/// An object's attributes (`data` of a message), by `object_type`.\n");
    out.push_str("#[derive(Clone, Debug, PartialEq)]\npub enum SceneAttributes {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("/// {}\n{}(Box<super::{}>),", doc(&schema.description), schema.title, schema.title));
    }
    out.push_str("}\n\nimpl SceneAttributes {\n/// Checks and decodes attributes. `null` means absent; required keys may be absent; unknown keys are kept.\n");
    out.push_str("/// Errors: an unknown `object_type`, or the first value that is of a wrong type, not among those allowed, or out of range.\n");
    out.push_str("pub fn decode(attributes: &Map<String, Value>) -> Result<Self, AttributeError> {\nlet object_type = attribute::object_type(attributes)?;\n");
    out.push_str("Ok(match object_type {\n");
    for schema in schemas.objects() {
        let (title, module) = (&schema.title, rust_name(&schema.stem));
        line(
            &mut out,
            &format!(
                "ObjectType::{title} => Self::{title}(attribute::read(&super::{module}::ATTRIBUTES, attributes)?),"
            ),
        );
    }
    out.push_str("})\n}\n\n/// Encodes the attributes for a message, including `object_type`.\npub fn encode(&self) -> Map<String, Value> {\n");
    out.push_str("let object_type = self.object_type();\nmatch self {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("Self::{}(object) => attribute::write(object_type, object),", schema.title));
    }
    out.push_str("}\n}\n\n/// The object type.\npub fn object_type(&self) -> ObjectType {\nmatch self {\n");
    for schema in schemas.objects() {
        line(&mut out, &format!("Self::{} (_) => ObjectType::{},", schema.title, schema.title));
    }
    out.push_str("}\n}\n}\n");
    out
}

/// Doc comment of an attribute: meaning, unit, allowed values, range and default.
fn meaning(attribute: &Attribute) -> String {
    let mut text = doc(&attribute.description);
    if let Some(unit) = &attribute.unit {
        let _ = write!(text, " In {unit}.");
    }
    match &attribute.shape {
        Shape::Text(values) if !values.is_empty() => {
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            let _ = write!(text, " One of {}.", values.join(", "));
        }
        Shape::Number(bounds) | Shape::Integer(bounds) if !range(*bounds).is_empty() => {
            let _ = write!(text, " Range: {}.", range(*bounds));
        }
        _ => {}
    }
    if let Some(default) = &attribute.default {
        let _ = write!(text, " Default `{default}`.");
    }
    if attribute.deprecated {
        text.push_str(" Deprecated.");
    }
    text
}

fn doc(text: &str) -> String {
    text.replace('[', "\\[").replace('<', "\\<")
}

fn header(source: &str) -> String {
    format!("// {}\n", super::mark(source))
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
