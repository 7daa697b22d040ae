//! The OpenAPI document: names, responses, and security that the server enforces.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Map, Value, json};

use super::fixture::{Answer, Fixture, browser};

/// One operation of the document.
struct Operation {
    method: Method,
    path: String,
    described: Value,
}

impl Operation {
    fn id(&self) -> &str {
        self.described["operationId"].as_str().expect("an operation id")
    }

    /// Sends it with a valid body, for the lobby.
    async fn send(&self, realm: &Fixture, document: &Value, cookie: &str) -> Answer {
        let names = [
            ("{namespace}", "public"),
            ("{scene}", "lobby"),
            ("{object_id}", "x"),
            ("{id}", "x"),
            ("{path}", "users/alice/x.glb"),
        ];
        let path = names.into_iter().fold(self.path.clone(), |path, (name, value)| path.replace(name, value));
        let schema = &self.described["requestBody"]["content"]["application/json"]["schema"];
        let body = if schema.is_null() { String::new() } else { sample(document, schema).to_string() };
        let request = browser(self.method.clone(), &path).header(header::COOKIE, cookie);
        realm.send(request.body(Body::from(body)).unwrap()).await
    }
}

/// A value of a schema, with the required properties only.
fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return sample(document, document.pointer(reference.trim_start_matches('#')).expect("a schema"));
    }
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let fields = required.map(|name| (name.to_owned(), sample(document, &schema["properties"][name])));
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        Some("string") => schema["enum"].get(0).cloned().unwrap_or_else(|| "public/lobby".into()),
        Some("boolean") => false.into(),
        Some("array") => json!([]),
        _ => 1.into(),
    }
}

async fn document(realm: &Fixture) -> (Value, Vec<Operation>) {
    let document = realm.get("/api/v1/openapi.json", "").await.json();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, described) in item.as_object().unwrap() {
            let method = method.to_ascii_uppercase().parse().unwrap();
            operations.push(Operation { method, path: path.clone(), described: described.clone() });
        }
    }
    assert!(operations.len() > 80);
    (document, operations)
}

#[tokio::test]
async fn each_operation_has_a_unique_id_and_describes_each_status() {
    let (document, operations) = document(&Fixture::open().await).await;
    let mut ids = BTreeSet::new();
    let repeated: Vec<&str> = operations.iter().map(Operation::id).filter(|id| !ids.insert(*id)).collect();
    assert!(repeated.is_empty(), "several operations have these ids: {repeated:?}");
    for operation in &operations {
        let id = operation.id();
        assert!(id.contains('_') && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{id}");
        for (status, response) in operation.described["responses"].as_object().unwrap() {
            assert_ne!(response["description"].as_str().unwrap_or_default(), "", "{id}: {status}");
        }
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for schema in ["ProblemDocument", "AccountServiceErrorDocument", "SettingsDocument"] {
        assert!(schemas.contains_key(schema), "{schema}");
    }
}

#[tokio::test]
async fn operations_need_the_credentials_that_they_describe() {
    let realm = Fixture::open().await;
    let (document, operations) = document(&realm).await;
    let owner = realm.signed_in("alice", true).await;
    let mut checked = 0;
    for operation in &operations {
        let (id, security) = (operation.id(), operation.described["security"].as_array().expect("security"));
        let is_required = !security.is_empty() && !security.contains(&json!({}));
        let without = operation.send(&realm, &document, "").await.status.as_u16();
        if !is_required {
            // Signing in answers 401 because of the body, some writes 403.
            let is_refused = without == 401 || operation.method == Method::GET && without == 403;
            assert!(!is_refused || id == "sign_in", "{id} is described as serving guests: {without}");
            continue;
        }
        // ARENA's clients expect 400 from this path.
        let is_refused = [401, 403, 404].contains(&without) || id.ends_with("_arena_scene") && without == 400;
        assert!(is_refused, "{id} without credentials: {without}");
        if operation.method == Method::GET && security.contains(&json!({"session": []})) {
            assert_ne!(operation.send(&realm, &document, &owner).await.status.as_u16(), without, "{id}");
            checked += 1;
        }
    }
    assert!(checked >= 8, "{checked}");
}
