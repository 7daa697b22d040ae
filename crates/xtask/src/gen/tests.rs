//! Generates from small schemas in a temporary folder.

use super::*;

fn write_schema(root: &Path, stem: &str, text: &str) -> Result<()> {
    let folder = root.join("spec/objects");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(format!("{stem}.json")), text)?)
}

const ANY: &str = r#"{"title":"AnyObject","x-section":"any","description":"Any.","properties":{"parent":{"type":"string","description":"Its parent."}}}"#;
const LAMP: &str = r#"{"title":"Lamp","x-section":"object","description":"A lamp.","properties":{
    "object_type":{"const":"lamp","description":"Its type."},
    "power":{"type":"number","minimum":0,"default":60,"x-unit":"watts","description":"How bright."}}}"#;

#[test]
fn a_schema_generates_rust_typescript_python_and_a_page() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(root.path(), "any-object", ANY)?;
    write_schema(root.path(), "lamp", LAMP)?;
    let files = files(root.path())?;
    for (path, part) in [
        ("crates/wire/src/objects/lamp.rs", "pub power: Option<f64>"),
        ("web/client/src/generated/lamp.ts", "readonly power?: number;"),
        ("python/stoa/_generated/_lamp.py", "power: float | None = None"),
        ("docs/objects/lamp.md", "| `power` | number | `60` | watts | at least 0 | How bright. |"),
    ] {
        let text = files.get(&root.path().join(path)).with_context(|| format!("{path} is not generated"))?;
        assert!(text.contains(part), "{path} lacks {part:?}:\n{text}");
        assert!(text.lines().next().is_some_and(|line| line.contains(&mark("lamp.json"))), "{path} lacks the mark");
    }
    Ok(())
}

#[test]
fn a_doc_page_marks_attributes_without_effect() -> Result<()> {
    let root = tempfile::tempdir()?;
    let any = ANY.replace("\"parent\":", "\"glow\":{\"$ref\":\"glow.json\",\"description\":\"Its glow.\"},\"parent\":");
    write_schema(root.path(), "any-object", &any)?;
    write_schema(root.path(), "lamp", &LAMP.replace("\"x-unit\"", "\"x-unshown\":true,\"x-unit\""))?;
    let glow = r#"{"title":"Glow","x-section":"component","x-unshown":true,"description":"A glow.","properties":{}}"#;
    write_schema(root.path(), "glow", glow)?;
    let files = files(root.path())?;
    for (page, part) in [
        ("lamp", "| `power`† | number |"),
        ("lamp", "† no effect in Stoa's pages."),
        ("glow", "**No effect** in Stoa's pages"),
    ] {
        let text = files.get(&root.path().join(format!("docs/objects/{page}.md"))).context("a page")?;
        assert!(text.contains(part), "{page} lacks {part:?}:\n{text}");
    }
    Ok(())
}

#[test]
fn stale_generated_files_are_removed_and_hand_written_ones_kept() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(root.path(), "any-object", ANY)?;
    write_schema(root.path(), "lamp", LAMP)?;
    run(root.path())?;
    let by_hand = root.path().join("docs/objects/by-hand.md");
    fs::write(&by_hand, "# Written by hand\n")?;
    fs::remove_file(root.path().join("spec/objects/lamp.json"))?;
    run(root.path())?;
    assert!(!root.path().join("docs/objects/lamp.md").exists());
    assert!(root.path().join("docs/objects/any-object.md").exists() && by_hand.exists(), "negative control");
    Ok(())
}

#[test]
fn an_unknown_schema_keyword_is_refused() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(
        root.path(),
        "any-object",
        &ANY.replace("\"type\":\"string\"", "\"type\":\"string\",\"maxLength\":3"),
    )?;
    let refusal = files(root.path()).expect_err("maxLength is not generated");
    assert!(format!("{refusal:#}").contains("maxLength"), "{refusal:#}");
    Ok(())
}

#[test]
fn a_reference_to_a_missing_schema_is_refused() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(root.path(), "any-object", &ANY.replace("\"type\":\"string\"", "\"$ref\":\"nowhere.json\""))?;
    assert!(files(root.path()).is_err());
    Ok(())
}

#[test]
fn a_component_that_no_object_can_carry_is_refused() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(root.path(), "any-object", ANY)?;
    let glow = r#"{"title":"Glow","x-section":"component","description":"A glow.","properties":{}}"#;
    write_schema(root.path(), "glow", glow)?;
    let error = files(root.path()).expect_err("no attribute refers to it").to_string();
    assert!(error.contains("glow.json is a component, but any-object.json has no attribute for it"), "{error}");
    Ok(())
}

#[test]
fn a_new_component_gets_vectors_once() -> Result<()> {
    let root = tempfile::tempdir()?;
    let any = ANY.replace("\"parent\":", "\"glow\":{\"$ref\":\"glow.json\",\"description\":\"Its glow.\"},\"parent\":");
    write_schema(root.path(), "any-object", &any)?;
    let glow = r#"{"title":"Glow","x-section":"component","description":"A glow.","properties":{
        "power":{"type":"number","minimum":0,"default":60,"description":"How bright."},
        "rays":{"type":"integer","minimum":1,"default":6,"description":"Number of its rays."},
        "tint":{"type":"string","enum":["warm","cold"],"description":"Its tint."}}}"#;
    write_schema(root.path(), "glow", glow)?;
    run(root.path())?;
    let path = root.path().join("spec/vectors/objects/glow.json");
    let text = fs::read_to_string(&path)?;
    for row in [
        r#"{"name": "glow/full", "spec": "objects/glow.json", "json": {"power":60,"rays":6}, "valid": true}"#,
        r#"{"name": "glow/power at its minimum", "spec": "objects/glow.json", "json": {"power":0}, "valid": true}"#,
        r#"{"name": "glow/power below its range", "spec": "objects/glow.json", "json": {"power":-1}, "valid": false, "error_path": "power"}"#,
        r#"{"name": "glow/rays with a fraction", "spec": "objects/glow.json", "json": {"rays":1.5}, "valid": false, "error_path": "rays"}"#,
        r#"{"name": "glow/tint not allowed", "spec": "objects/glow.json", "json": {"tint":"no such value"}, "valid": false, "error_path": "tint"}"#,
    ] {
        assert!(text.contains(row), "{row} is not in {text}");
    }
    assert!(serde_json::from_str::<serde_json::Value>(&text)?.is_array());
    fs::write(&path, "[]")?;
    run(root.path())?;
    assert_eq!(fs::read_to_string(&path)?, "[]", "a hand-written file stays");
    Ok(())
}

#[test]
fn a_limit_becomes_a_constant_in_three_languages() -> Result<()> {
    let root = tempfile::tempdir()?;
    write_schema(root.path(), "any-object", ANY)?;
    let limits = root.path().join("spec/limits.json");
    let one = |reason: &str| format!(r#"{{"name":"NAP_S_MAX","value":86400,"unit":"seconds","reason":"{reason}"}}"#);
    fs::write(&limits, format!("[{}]", one("A day.")))?;
    let files = files(root.path())?;
    for (path, part) in [
        (RUST_LIMITS, "/// A day. In seconds.\npub const NAP_S_MAX: u64 = 86_400;"),
        ("web/client/src/generated/limits.ts", "/** A day. In seconds. */\nexport const NAP_S_MAX = 86_400;"),
        ("python/stoa/_generated/_limits.py", "NAP_S_MAX: Final = 86_400\n\"\"\"A day. In seconds.\"\"\""),
    ] {
        let text = files.get(&root.path().join(path)).with_context(|| format!("{path} is not generated"))?;
        assert!(text.contains(part), "{path} lacks {part:?}:\n{text}");
    }
    let number = one("A name.").replace("seconds", "number").replace("86400", "54070977983603");
    fs::write(&limits, format!("[{number}]"))?;
    let text = super::files(root.path())?.remove(&root.path().join(RUST_LIMITS)).context("is generated")?;
    assert!(text.contains("pub const NAP_S_MAX: u64 = 54_070_977_983_603;"), "32 bits are too few:\n{text}");
    for wrong in [one("no sentence"), format!("{0},{0}", one("Twice."))] {
        fs::write(&limits, format!("[{wrong}]"))?;
        assert!(super::files(root.path()).is_err(), "{wrong} is refused");
    }
    Ok(())
}

#[test]
fn a_component_example_becomes_a_script_and_a_message_on_its_object() -> Result<()> {
    let root = tempfile::tempdir()?;
    let any = ANY.replace(
        "\"properties\":{",
        "\"properties\":{\"glow\":{\"$ref\":\"glow.json\",\"description\":\"Its glow.\"},\"spot\":{\"$ref\":\"spot.json\",\"description\":\"Its place.\"},",
    );
    let lamp = LAMP.replace(
        "\"properties\"",
        "\"examples\":[{\"object_type\":\"lamp\",\"spot\":{\"x\":1,\"y\":2}}],\"properties\"",
    );
    write_schema(root.path(), "any-object", &any)?;
    write_schema(root.path(), "lamp", &lamp)?;
    write_schema(
        root.path(),
        "spot",
        r#"{"title":"Spot","x-section":"component","description":"A place.","x-tuple":["x","y"],
        "properties":{"x":{"type":"number","description":"Across."},"y":{"type":"number","description":"Up."}}}"#,
    )?;
    write_schema(
        root.path(),
        "glow",
        r#"{"title":"Glow","x-section":"component","x-on":"lamp","description":"A glow.",
        "properties":{"on":{"type":"boolean","description":"Whether."}},"examples":[{"on":true}]}"#,
    )?;
    let files = files(root.path())?;
    let page = files.get(&root.path().join("docs/objects/glow.md")).context("a page")?;
    for part in [
        "from stoa import Glow, Lamp, Realm\n",
        "Lamp(object_id=\"my-glow\", glow=Glow(on=True), spot=(1, 2))",
        "\"object_type\": \"lamp\"",
        "Used in [any-object](any-object.md).",
    ] {
        assert!(page.contains(part), "the page lacks {part:?}:\n{page}");
    }
    Ok(())
}
