//! The example of a page: a Python script and the message that the script sends, both from the schema's example. Values
//! and messages have JSON alone.

use serde_json::{Map, Value, json};

use super::schema::{ANY_OBJECT, Attribute, IndexSection, Schema, Schemas, Shape};
use super::spelling::{python_name, quoted};

/// Object type of a component's example, if the schema names none.
const HOST: &str = "box";
const OPTIONS: &str = "scene-options";
const STEP: &str = "    ";

/// The section of a page; empty for a schema without example.
pub(super) fn of(schemas: &Schemas, schema: &Schema) -> String {
    let Some(example) = &schema.example else { return String::new() };
    match schema.section {
        IndexSection::Object | IndexSection::Any | IndexSection::Component => object(schemas, schema, example),
        IndexSection::Options => options(schemas, schema, example),
        IndexSection::Value | IndexSection::Message => format!("\n## Example\n\n{}", block("json", &pretty(example))),
    }
}

fn object(schemas: &Schemas, schema: &Schema, example: &Value) -> String {
    let object_id = format!("my-{}", schema.stem);
    let data =
        if schema.section == IndexSection::Component { on_host(schemas, schema, example) } else { example.clone() };
    let message =
        json!({ "object_id": object_id, "action": "create", "type": "object", "persist": true, "data": data });
    let mut python = Python { schemas, names: vec!["Realm".to_owned()] };
    let described = python.object(&object_id, &data);
    let call = format!("await scene.add(\n{STEP}{},\n{STEP}persist=True,\n)", indented(&described, STEP));
    both(&python.script(&call), &message)
}

/// A component's example: the example of its object type, with the component added.
fn on_host(schemas: &Schemas, schema: &Schema, example: &Value) -> Value {
    let host = schemas.group(schema.example_on.as_deref().unwrap_or(HOST));
    let mut data = host.example.clone().unwrap_or_else(|| json!({ "object_type": host.stem }));
    if let Some(members) = data.as_object_mut() {
        members.insert(schema.stem.clone(), example.clone());
    }
    data
}

fn options(schemas: &Schemas, schema: &Schema, example: &Value) -> String {
    let data = within_options(schemas, schema, example);
    let message = json!({ "object_id": OPTIONS, "action": "update", "type": OPTIONS, "persist": true, "data": &data });
    let mut arguments = vec![quoted(OPTIONS)];
    arguments.extend(data.iter().map(|(key, value)| format!("{}={}", python_name(key), literal(value))));
    let python = Python { schemas, names: vec!["Realm".to_owned()] };
    both(&python.script(&format!("await scene.update{}", bracketed('(', &arguments, ')'))), &message)
}

/// An option's example under its own name, or inside the option that contains it.
fn within_options(schemas: &Schemas, schema: &Schema, example: &Value) -> Map<String, Value> {
    let outer = schemas.iter().filter(|outer| outer.section == IndexSection::Options).find_map(|outer| {
        let place = outer.attributes.iter().find(|attribute| names(&attribute.shape, &schema.stem))?;
        Some((outer, place))
    });
    let Some((outer, Attribute { name, shape, .. })) = outer else {
        return Map::from_iter([(schema.stem.clone(), example.clone())]);
    };
    let value = if matches!(shape, Shape::Array(_)) { json!([example]) } else { example.clone() };
    within_options(schemas, outer, &json!({ name: value }))
}

fn names(shape: &Shape, stem: &str) -> bool {
    match shape {
        Shape::Group(group) => group == stem,
        Shape::Array(items) => names(items, stem),
        _ => false,
    }
}

fn both(script: &str, message: &Value) -> String {
    format!(
        "\n## Example\n\n{}\nThe same as a message:\n\n{}",
        block("python", script),
        block("json", &pretty(message))
    )
}

fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value is written")
}

/// Writes values as Python, and collects the classes they need.
struct Python<'a> {
    schemas: &'a Schemas,
    names: Vec<String>,
}

impl Python<'_> {
    fn object(&mut self, object_id: &str, data: &Value) -> String {
        let stem = data.get("object_type").and_then(Value::as_str).unwrap_or(HOST);
        let (any, own) = (self.schemas.group(ANY_OBJECT), self.schemas.group(stem));
        let mut members = data.as_object().cloned().unwrap_or_default();
        members.remove("object_type");
        let mut arguments = vec![format!("object_id={}", quoted(object_id))];
        arguments.extend(self.arguments(&[own, any], &members));
        self.call(&own.title, &arguments)
    }

    /// The members as keyword arguments, without those that no schema describes.
    fn arguments(&mut self, schemas: &[&Schema], members: &Map<String, Value>) -> Vec<String> {
        let known = |name: &str| schemas.iter().find_map(|schema| schema.attributes.iter().find(|it| it.name == name));
        let mut arguments = Vec::new();
        for (name, value) in members {
            if let Some(attribute) = known(name) {
                arguments.push(format!("{}={}", python_name(name), self.value(&attribute.shape, value)));
            }
        }
        for prefix in schemas.iter().flat_map(|schema| &schema.prefixes) {
            let named = members.iter().filter_map(|(name, value)| Some((name.strip_prefix(&prefix.name)?, value)));
            let entries: Vec<_> =
                named.map(|(rest, value)| format!("{}: {}", quoted(rest), self.value(&prefix.shape, value))).collect();
            if !entries.is_empty() {
                let field = python_name(prefix.name.trim_end_matches('_'));
                arguments.push(format!("{field}s={}", bracketed('{', &entries, '}')));
            }
        }
        arguments
    }

    fn value(&mut self, shape: &Shape, value: &Value) -> String {
        match (shape, value) {
            (Shape::Choice(shapes), _) => {
                let group = shapes.iter().find(|it| matches!(it, Shape::Group(_)) && value.is_object());
                group.map_or_else(|| literal(value), |group| self.value(group, value))
            }
            (Shape::Group(stem), Value::Object(members)) => self.group(self.schemas.group(stem), members),
            (Shape::Array(items), Value::Array(values)) => {
                let values: Vec<_> = values.iter().map(|value| self.value(items, value)).collect();
                bracketed('[', &values, ']')
            }
            _ => literal(value),
        }
    }

    fn group(&mut self, schema: &Schema, members: &Map<String, Value>) -> String {
        if !schema.axes.is_empty() {
            let numbers: Vec<_> =
                schema.axes.iter().map(|axis| members.get(axis).map_or("0".to_owned(), literal)).collect();
            return format!("({})", numbers.join(", "));
        }
        let arguments = self.arguments(&[schema], members);
        if arguments.is_empty() && !members.is_empty() {
            return literal(&Value::Object(members.clone()));
        }
        self.call(&schema.title, &arguments)
    }

    fn call(&mut self, class: &str, arguments: &[String]) -> String {
        self.names.push(class.to_owned());
        format!("{class}{}", bracketed('(', arguments, ')'))
    }

    fn script(mut self, call: &str) -> String {
        self.names.sort_unstable();
        self.names.dedup();
        let inner = STEP.repeat(2);
        format!(
            "import asyncio\n\nfrom stoa import {}\n\n\nasync def main() -> None:\n{STEP}async with Realm(data_dir=\"stoa-data\") as realm:\n\
             {inner}scene = await realm.scene(\"public/sandbox\")\n{inner}{}\n\n\nasyncio.run(main())",
            self.names.join(", "),
            indented(call, &inner)
        )
    }
}

/// A value as a Python literal.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(values) => bracketed('[', &values.iter().map(literal).collect::<Vec<_>>(), ']'),
        Value::Object(members) => {
            let entries: Vec<_> =
                members.iter().map(|(key, value)| format!("{}: {}", quoted(key), literal(value))).collect();
            bracketed('{', &entries, '}')
        }
        Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// One line if it is short, else one line per part.
fn bracketed(open: char, parts: &[String], close: char) -> String {
    let one = format!("{open}{}{close}", parts.join(", "));
    if one.len() <= 88 && !one.contains('\n') {
        return one;
    }
    let lines: String = parts.iter().map(|part| format!("{STEP}{},\n", indented(part, STEP))).collect();
    format!("{open}\n{lines}{close}")
}

/// Indents all lines but the first.
fn indented(text: &str, by: &str) -> String {
    text.replace('\n', &format!("\n{by}"))
}
