//! Parsed schemas: the part of JSON Schema 2020-12 that `spec/objects/` uses, and our annotations. Other keywords
//! of a schema or an attribute are errors, because they would have no effect.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

/// Stem of the schema with the attributes of any object.
pub(super) const ANY_OBJECT: &str = "any-object";

/// All schemas by stem (`gltf-model` for `gltf-model.json`).
pub(super) struct Schemas(BTreeMap<String, Schema>);

/// One file of `spec/objects/`.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) stem: String,
    /// Name of its type in Rust, TypeScript and Python.
    pub(super) title: String,
    pub(super) description: String,
    pub(super) section: IndexSection,
    pub(super) deprecated: bool,
    /// Our pages ignore it.
    pub(super) unshown: bool,
    /// Sorted by name; without `object_type`.
    pub(super) attributes: Vec<Attribute>,
    /// Each stands for all attributes whose names begin with its name: `animation__` for `animation__position`.
    pub(super) prefixes: Vec<Attribute>,
    /// Keys in order, for a schema that Python writes as a tuple.
    pub(super) axes: Vec<String>,
    pub(super) example: Option<Value>,
    /// Object type of a component's example; a box if `None`.
    pub(super) example_on: Option<String>,
}

/// The section of the index page that lists a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IndexSection {
    /// Has an `object_type`.
    Object,
    /// [`ANY_OBJECT`], which is in no section of the index.
    Any,
    /// Value of an attribute of [`ANY_OBJECT`].
    Component,
    /// Value inside another schema.
    Value,
    /// Part of a `scene-options` message.
    Options,
    /// The envelope, and content of messages that are not objects.
    Message,
}

#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) description: String,
    pub(super) default: Option<Value>,
    pub(super) unit: Option<String>,
    /// `color` or `uri-reference`: selects the field of a form.
    pub(super) format: Option<String>,
    pub(super) required: bool,
    pub(super) deprecated: bool,
    /// Our pages ignore it.
    pub(super) unshown: bool,
    /// The A-Frame component that shows it.
    pub(super) component: Option<String>,
    /// The objects on which it has an effect: `model`, `surface` or `entity`. All objects if `None`.
    pub(super) carrier: Option<String>,
    /// Its value when the editor adds it, where that is not the default.
    pub(super) initial: Option<Value>,
    /// A maximum of our pages below that of the schema, because a larger value freezes a page.
    pub(super) cap: Option<f64>,
    /// Its value is the id of another object.
    pub(super) reference: bool,
}

/// Allowed values. The shapes of a choice have different JSON types.
#[derive(Debug, PartialEq)]
pub(super) enum Shape {
    Any,
    Boolean,
    /// One of the texts; any text if the list is empty.
    Text(Vec<String>),
    Number(Range),
    Integer(Range),
    /// An object with free keys.
    Object,
    Array(Box<Shape>),
    /// Another schema, by stem.
    Group(String),
    Choice(Vec<Shape>),
}

/// Inclusive bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Range {
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
}

impl Schemas {
    pub(super) fn read(folder: &Path) -> Result<Schemas> {
        let mut schemas = BTreeMap::new();
        for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let stem = path.file_stem().and_then(|stem| stem.to_str()).context("a file name that is not UTF-8")?;
                let schema = serde_json::from_str(&fs::read_to_string(&path)?)
                    .map_err(anyhow::Error::from)
                    .and_then(|value| Schema::parse(stem, &value))
                    .with_context(|| format!("in {}", path.display()))?;
                schemas.insert(stem.to_owned(), schema);
            }
        }
        let schemas = Schemas(schemas);
        schemas.ensure_references()?;
        Ok(schemas)
    }

    /// All schemas, sorted by stem.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Schema> {
        self.0.values()
    }

    /// Schemas with an `object_type`, sorted.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Schema> {
        self.iter().filter(|schema| schema.section == IndexSection::Object)
    }

    /// The schema that [`Shape::Group`] names.
    pub(super) fn group(&self, stem: &str) -> &Schema {
        self.0.get(stem).expect("read() refused unknown references")
    }

    fn ensure_references(&self) -> Result<()> {
        ensure!(self.0.contains_key(ANY_OBJECT), "{ANY_OBJECT}.json is missing");
        for schema in self.iter() {
            for stem in schema.references() {
                ensure!(self.0.contains_key(stem), "{}.json refers to {stem}.json, which is missing", schema.stem);
            }
        }
        let carried = self.group(ANY_OBJECT).references();
        for schema in self.iter().filter(|schema| schema.section == IndexSection::Component) {
            let stem = schema.stem.as_str();
            ensure!(
                carried.contains(&stem),
                "{stem}.json is a component, but {ANY_OBJECT}.json has no attribute for it"
            );
        }
        Ok(())
    }
}

impl Schema {
    fn parse(stem: &str, value: &Value) -> Result<Schema> {
        let map = value.as_object().context("not a JSON object")?;
        ensure_keys(map, SCHEMA_KEYS)?;
        let section = parse_section(&text(map, "x-section")?)?;
        let required = texts(map.get("required"))?;
        let mut attributes = parse_attributes(map.get("properties"), &required)?;
        if section == IndexSection::Object {
            let place = attributes.iter().position(|attribute| attribute.name == "object_type");
            let own = attributes.remove(place.context("an object without object_type")?);
            ensure!(own.shape == Shape::Text(vec![stem.to_owned()]), "object_type must be the constant {stem:?}");
        }
        let mut prefixes = parse_attributes(map.get("patternProperties"), &[])?;
        for prefix in &mut prefixes {
            let name = prefix.name.strip_prefix('^').context("only patterns of the form ^prefix are known")?;
            prefix.name = name.to_owned();
        }
        Ok(Schema {
            stem: stem.to_owned(),
            title: text(map, "title")?,
            description: text(map, "description")?,
            section,
            deprecated: flag(map, "deprecated"),
            unshown: flag(map, "x-unshown"),
            attributes,
            prefixes,
            axes: texts(map.get("x-tuple"))?,
            example: map.get("examples").and_then(|examples| examples.get(0)).cloned(),
            example_on: map.get("x-on").and_then(Value::as_str).map(str::to_owned),
        })
    }

    /// Stems of the schemas that this one's attributes refer to, sorted and unique.
    pub(super) fn references(&self) -> Vec<&str> {
        let mut stems = Vec::new();
        for attribute in self.attributes.iter().chain(&self.prefixes) {
            attribute.shape.collect_groups(&mut stems);
        }
        stems.sort_unstable();
        stems.dedup();
        stems
    }
}

const SCHEMA_KEYS: &[&str] = &[
    "$schema",
    "title",
    "description",
    "type",
    "allOf",
    "properties",
    "patternProperties",
    "required",
    "deprecated",
    "examples",
    "x-on",
    "x-section",
    "x-tuple",
    "x-unshown",
];

const ATTRIBUTE_KEYS: &[&str] = &[
    "$comment",
    "$ref",
    "type",
    "const",
    "enum",
    "items",
    "anyOf",
    "minimum",
    "maximum",
    "default",
    "description",
    "deprecated",
    "format",
    "x-cap",
    "x-carrier",
    "x-component",
    "x-initial",
    "x-reference",
    "x-unit",
    "x-unshown",
];

fn ensure_keys(map: &Map<String, Value>, known: &[&str]) -> Result<()> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => bail!("the generator does not know the keyword {key:?}"),
        None => Ok(()),
    }
}

fn parse_section(name: &str) -> Result<IndexSection> {
    Ok(match name {
        "object" => IndexSection::Object,
        "any" => IndexSection::Any,
        "component" => IndexSection::Component,
        "value" => IndexSection::Value,
        "options" => IndexSection::Options,
        "message" => IndexSection::Message,
        _ => bail!("unknown x-section {name:?}"),
    })
}

fn parse_attributes(properties: Option<&Value>, required: &[String]) -> Result<Vec<Attribute>> {
    let Some(properties) = properties else { return Ok(Vec::new()) };
    let properties: BTreeMap<_, _> = properties.as_object().context("properties is not an object")?.iter().collect();
    properties.into_iter().map(|(name, value)| parse_attribute(name, value, required)).collect()
}

fn parse_attribute(name: &str, value: &Value, required: &[String]) -> Result<Attribute> {
    let map = value.as_object().with_context(|| format!("{name} is not an object"))?;
    ensure_keys(map, ATTRIBUTE_KEYS).with_context(|| format!("at {name}"))?;
    let optional_text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(Attribute {
        name: name.to_owned(),
        shape: Shape::parse(map).with_context(|| format!("at {name}"))?,
        description: text(map, "description").with_context(|| format!("at {name}"))?,
        default: map.get("default").cloned(),
        unit: optional_text("x-unit"),
        format: optional_text("format"),
        required: required.iter().any(|required| required == name),
        deprecated: flag(map, "deprecated"),
        unshown: flag(map, "x-unshown"),
        component: optional_text("x-component"),
        carrier: optional_text("x-carrier"),
        initial: map.get("x-initial").cloned(),
        cap: map.get("x-cap").and_then(Value::as_f64),
        reference: flag(map, "x-reference"),
    })
}

impl Shape {
    fn parse(map: &Map<String, Value>) -> Result<Shape> {
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let stem = reference.strip_suffix(".json").context("a $ref must name a file beside this one")?;
            return Ok(Shape::Group(stem.to_owned()));
        }
        if let Some(constant) = map.get("const").and_then(Value::as_str) {
            return Ok(Shape::Text(vec![constant.to_owned()]));
        }
        if let Some(shapes) = map.get("anyOf").and_then(Value::as_array) {
            let shapes = shapes.iter().map(|shape| Shape::parse(shape.as_object().context("anyOf of non-objects")?));
            return Shape::choice(shapes.collect::<Result<_>>()?);
        }
        match map.get("type") {
            None => Ok(Shape::Any),
            Some(Value::String(name)) => Shape::parse_type(name, map),
            Some(names) => {
                let names = texts(Some(names))?;
                Shape::choice(names.iter().map(|name| Shape::parse_type(name, map)).collect::<Result<_>>()?)
            }
        }
    }

    fn parse_type(name: &str, map: &Map<String, Value>) -> Result<Shape> {
        let range = || Range {
            minimum: map.get("minimum").and_then(Value::as_f64),
            maximum: map.get("maximum").and_then(Value::as_f64),
        };
        Ok(match name {
            "boolean" => Shape::Boolean,
            "string" => Shape::Text(texts(map.get("enum"))?),
            "number" => Shape::Number(range()),
            "integer" => Shape::Integer(range()),
            "object" => Shape::Object,
            "array" => match map.get("items").and_then(Value::as_object) {
                Some(items) => Shape::Array(Box::new(Shape::parse(items)?)),
                None => Shape::Array(Box::new(Shape::Any)),
            },
            _ => bail!("unknown type {name:?}"),
        })
    }

    fn choice(shapes: Vec<Shape>) -> Result<Shape> {
        let mut types: Vec<_> = shapes.iter().map(Shape::json_type).collect();
        types.sort_unstable();
        types.dedup();
        ensure!(types.len() == shapes.len(), "a choice between shapes of one JSON type: {shapes:?}");
        Ok(Shape::Choice(shapes))
    }

    fn json_type(&self) -> &'static str {
        match self {
            Shape::Any | Shape::Choice(_) => "any",
            Shape::Boolean => "boolean",
            Shape::Text(_) => "string",
            Shape::Number(_) | Shape::Integer(_) => "number",
            Shape::Object | Shape::Group(_) => "object",
            Shape::Array(_) => "array",
        }
    }

    fn collect_groups<'a>(&'a self, stems: &mut Vec<&'a str>) {
        match self {
            Shape::Group(stem) => stems.push(stem),
            Shape::Array(items) => items.collect_groups(stems),
            Shape::Choice(shapes) => shapes.iter().for_each(|shape| shape.collect_groups(stems)),
            _ => {}
        }
    }
}

fn text(map: &Map<String, Value>, key: &str) -> Result<String> {
    Ok(map.get(key).and_then(Value::as_str).with_context(|| format!("{key} is missing"))?.to_owned())
}

fn texts(value: Option<&Value>) -> Result<Vec<String>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let values = value.as_array().context("not an array")?;
    values.iter().map(|value| Ok(value.as_str().context("not an array of strings")?.to_owned())).collect()
}

fn flag(map: &Map<String, Value>, key: &str) -> bool {
    map.get(key).and_then(Value::as_bool).unwrap_or(false)
}
