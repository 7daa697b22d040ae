//! Reference pages: one per schema, and an index.

use super::examples;
use super::schema::{Attribute, IndexSection, Schema, Schemas, Shape};
use super::spelling::range;

const SECTIONS: [(IndexSection, &str); 5] = [
    (IndexSection::Object, "Object types"),
    (IndexSection::Component, "Components: values of the attributes of any object"),
    (IndexSection::Value, "Values within attributes"),
    (IndexSection::Options, "Scene options: values within a `scene-options` message"),
    (IndexSection::Message, "Messages"),
];

/// File name and text of each page.
pub(super) fn files(schemas: &Schemas) -> Vec<(String, String)> {
    let mut files: Vec<_> =
        schemas.iter().map(|schema| (format!("{}.md", schema.stem), page(schemas, schema))).collect();
    files.push(("README.md".to_owned(), index(schemas)));
    files
}

fn index(schemas: &Schemas) -> String {
    let mut out = header("*.json");
    out.push_str("# Objects and their attributes\n");
    out.push_str("A message about an object has these keys under `data`: `object_type`, the attributes of that type, and those of\n");
    out.push_str("[any object](any-object.md). Unknown keys are kept; `null` removes one. Schemas: `spec/objects/`.\n");
    for (section, heading) in SECTIONS {
        line(&mut out, &format!("\n## {heading}\n\n| name | meaning |\n|---|---|"));
        for schema in schemas.iter().filter(|schema| schema.section == section) {
            let deprecated = if schema.deprecated { " Deprecated." } else { "" };
            line(&mut out, &format!("| [{0}]({0}.md) | {1}{deprecated} |", schema.stem, cell(&schema.description)));
        }
    }
    out
}

fn page(schemas: &Schemas, schema: &Schema) -> String {
    let mut out = header(&format!("{}.json", schema.stem));
    line(&mut out, &format!("# {}\n{}", schema.stem, schema.description));
    if schema.deprecated {
        out.push_str("\n**Deprecated**: supported for existing scenes; don't use it in new ones.\n");
    }
    if schema.unshown {
        out.push_str("\n**No effect** in Stoa's pages: stored and forwarded like any attribute.\n");
    }
    if !schema.attributes.is_empty() || !schema.prefixes.is_empty() {
        out.push_str("\n| attribute | type | default | unit | range | meaning |\n|---|---|---|---|---|---|\n");
    }
    for attribute in &schema.attributes {
        line(&mut out, &row(&attribute.name, attribute));
    }
    for prefix in &schema.prefixes {
        line(&mut out, &row(&format!("{}<…>", prefix.name), prefix));
    }
    if schema.attributes.iter().any(|attribute| attribute.required) {
        out.push_str("\n\\* a complete object has it; absence is not an error.\n");
    }
    if schema.attributes.iter().any(|attribute| attribute.unshown) {
        out.push_str("\n† no effect in Stoa's pages.\n");
    }
    if schema.section == IndexSection::Object {
        out.push_str("\nIt also has the attributes of [any object](any-object.md).\n");
    }
    let users = users(schemas, &schema.stem);
    if !users.is_empty() {
        line(&mut out, &format!("\nUsed in {}.", users.join(", ")));
    }
    out + &examples::of(schemas, schema)
}

/// Links to the schemas that refer to this one.
fn users(schemas: &Schemas, stem: &str) -> Vec<String> {
    let users = schemas.iter().filter(|schema| schema.references().contains(&stem));
    users.map(|schema| format!("[{0}]({0}.md)", schema.stem)).collect()
}

fn row(name: &str, attribute: &Attribute) -> String {
    let required = if attribute.required { "\\*" } else { "" };
    let unshown = if attribute.unshown { "†" } else { "" };
    let default = attribute.default.as_ref().map_or(String::new(), |default| format!("`{default}`"));
    let bounds = match &attribute.shape {
        Shape::Number(bounds) | Shape::Integer(bounds) => range(*bounds),
        _ => String::new(),
    };
    let deprecated = if attribute.deprecated { " **Deprecated.**" } else { "" };
    format!(
        "| `{name}`{required}{unshown} | {} | {} | {} | {bounds} | {}{deprecated} |",
        type_of(&attribute.shape),
        cell(&default),
        attribute.unit.as_deref().unwrap_or_default(),
        cell(&attribute.description)
    )
}

fn type_of(shape: &Shape) -> String {
    match shape {
        Shape::Any => "anything".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Text(values) if values.is_empty() => "string".to_owned(),
        Shape::Text(values) => values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
        Shape::Number(_) => "number".to_owned(),
        Shape::Integer(_) => "integer".to_owned(),
        Shape::Object => "object".to_owned(),
        Shape::Array(items) => format!("array of {}", type_of(items)),
        Shape::Group(stem) => format!("[{stem}]({stem}.md)"),
        Shape::Choice(shapes) => shapes.iter().map(type_of).collect::<Vec<_>>().join(" or "),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn header(source: &str) -> String {
    format!("<!-- {} -->\n", super::mark(source))
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
