//! Compares each answer of the suite with the description of its route.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::http::{HeaderMap, Method, Uri, header};
use jsonschema::Validator;
use serde_json::{Value, json};

use super::fixture::Answer;
use crate::http::{HttpEndpointAddress, openapi};

/// Statuses of the guard and the router, and of a broken server. `default` describes them.
const COMMON: [u16; 4] = [405, 421, 500, 503];

/// A request, as far as its description depends on it.
#[derive(Clone, Debug)]
pub(super) struct Requested {
    pub(super) method: Method,
    pub(super) uri: Uri,
}

/// The OpenAPI document, and the validators of the schemas that answers needed so far.
pub(super) struct Described {
    document: Value,
    validators: Mutex<BTreeMap<String, Arc<Validator>>>,
}

impl Described {
    /// The description that every fixture serves.
    pub(super) fn of_the_fixture() -> &'static Described {
        static DESCRIBED: OnceLock<Described> = OnceLock::new();
        DESCRIBED.get_or_init(|| {
            let endpoint = HttpEndpointAddress { secure: false, address: ([127, 0, 0, 1], 8080).into() };
            Described::new(serde_json::to_value(openapi::routes(endpoint).1).unwrap())
        })
    }

    fn new(mut document: Value) -> Described {
        close(&mut document["components"]["schemas"]);
        Described { document, validators: Mutex::default() }
    }

    /// Compares an answer with its description. Routes that aren't described pass.
    ///
    /// # Errors
    /// The difference.
    pub(super) fn check(&self, requested: &Requested, answer: &Answer) -> Result<(), String> {
        let Some((path, item)) = self.item(requested.uri.path()) else { return Ok(()) };
        let method = requested.method.as_str().to_ascii_lowercase();
        let status = answer.status.as_u16();
        let at = format!("{method} {path}: {status}");
        let method = if method == "head" { "get".to_owned() } else { method };
        let Some(operation) = item.get(&method) else {
            // The guard comes before the router.
            return if [400, 403, 405, 421].contains(&status) { Ok(()) } else { Err(format!("{at} of no operation")) };
        };
        let responses = &operation["responses"];
        let response =
            responses.get(status.to_string()).or_else(|| responses.get("default").filter(|_| COMMON.contains(&status)));
        let response = response.ok_or_else(|| format!("{at} is not described"))?;
        if requested.method == Method::HEAD || answer.body.is_empty() {
            return Ok(());
        }
        let content_type = essence(&answer.headers);
        let range = format!("{}/*", content_type.split('/').next().unwrap_or_default());
        let content = [content_type, &range, "*/*"].into_iter().find_map(|key| response["content"].get(key));
        let content = content.ok_or_else(|| format!("{at} has no content of type {content_type:?}"))?;
        if content_type != "application/json" && !content_type.ends_with("+json") {
            return Ok(());
        }
        let body = serde_json::from_slice(&answer.body).map_err(|error| format!("{at}: {error}"))?;
        let validator = self.validator(&content["schema"]);
        let faults: Vec<String> =
            validator.iter_errors(&body).map(|error| format!("{} {error}", error.instance_path())).collect();
        if faults.is_empty() { Ok(()) } else { Err(format!("{at} differs from its schema: {faults:?} in {body}")) }
    }

    /// The path of the description that serves a request: of several that fit, the one with the fewest parameters.
    fn item(&self, path: &str) -> Option<(&String, &Value)> {
        let paths = self.document["paths"].as_object().expect("paths");
        let fitting = paths.iter().filter(|(template, _)| fits(template, path));
        fitting.min_by_key(|(template, _)| template.matches('{').count())
    }

    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let made = validators.entry(schema.to_string()).or_insert_with(|| {
            let root = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "allOf": [schema],
                "components": self.document["components"],
            });
            Arc::new(jsonschema::validator_for(&root).expect("a valid schema"))
        });
        Arc::clone(made)
    }
}

/// Forbids properties that an object's schema doesn't list, so that a body of another type is rejected even if all its
/// properties are optional.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("unevaluatedProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn essence(headers: &HeaderMap) -> &str {
    let content_type = headers.get(header::CONTENT_TYPE).map_or("", |value| value.to_str().unwrap());
    content_type.split(';').next().unwrap_or_default()
}

/// Whether a path fits a template. `{path}` takes all that is left.
fn fits(template: &str, path: &str) -> bool {
    let (mut templates, mut segments) = (template.split('/'), path.split('/'));
    loop {
        match (templates.next(), segments.next()) {
            (None, None) => return true,
            (Some("{path}"), Some(segment)) => return !segment.is_empty(),
            (Some(template), Some(segment)) if template == segment => {}
            (Some(template), Some(segment)) if template.starts_with('{') && !segment.is_empty() => {}
            _ => return false,
        }
    }
}

#[test]
fn a_response_that_differs_from_the_openapi_document_is_reported() {
    let described = Described::of_the_fixture();
    let check = |(method, path): (Method, &'static str), status: u16, content_type: &'static str, body: &str| {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type.parse().unwrap())]);
        let answer = Answer { status: status.try_into().unwrap(), headers, body: body.as_bytes().to_vec() };
        described.check(&Requested { method, uri: Uri::from_static(path) }, &answer)
    };
    let redeem = (Method::POST, "/api/v1/invitations/redeem");
    let problem = r#"{"type":"about:blank","title":"Gone","status":410,"detail":"it ended"}"#;
    assert_eq!(check(redeem.clone(), 410, "application/problem+json", problem), Ok(()), "negative control");
    let found = |result: Result<(), String>, fault: &str| {
        let text = result.expect_err("it differs");
        assert!(text.contains(fault), "{text}");
    };
    found(check(redeem.clone(), 418, "application/problem+json", problem), "is not described");
    found(check(redeem.clone(), 410, "application/json", problem), "no content of type");
    found(check(redeem.clone(), 410, "application/problem+json", r#"{"error":"it ended"}"#), "differs from its schema");
    let more = r#"{"type":"about:blank","title":"Gone","status":410,"detail":"it ended","more":1}"#;
    found(check(redeem, 410, "application/problem+json", more), "differs from its schema");
    found(check((Method::PATCH, "/api/v1/me"), 200, "application/json", "{}"), "of no operation");
    assert_eq!(check((Method::GET, "/public/lobby"), 418, "text/html", ""), Ok(()), "a page");
}

#[test]
fn a_path_belongs_to_the_description_with_the_fewest_parameters() {
    let described = Described::of_the_fixture();
    let template = |path: &str| described.item(path).map(|(template, _)| template.as_str());
    assert_eq!(template("/persist/public/!allscenes"), Some("/persist/{namespace}/!allscenes"));
    assert_eq!(template("/persist/public/lobby"), Some("/persist/{namespace}/{scene}"));
    assert_eq!(template("/store/users/alice/x.glb"), Some("/store/{path}"));
    assert_eq!(template("/store/"), None);
    assert_eq!(template("/public/lobby"), None);
}
