//! Completes the description: the errors that the guard and the extractors give, a text for each status, and the body
//! of each error.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Content, OpenApi, PathItem, Ref, RefOr, Response, Schema};

use super::super::guard::has_error_pages;

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";
const HTML: &str = "text/html";

/// An error of ARENA's account service.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct AccountServiceErrorDocument {
    /// The error.
    error: String,
}

/// The operations of a path, each with its method.
pub(super) fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    let all = [("get", get), ("put", put), ("post", post), ("delete", delete), ("patch", patch)];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Completes each operation.
pub(super) fn complete(description: &mut OpenApi) {
    for (path, item) in &mut description.paths.paths {
        name_by_method(item);
        for (method, operation) in operations(item) {
            let reads = method == "get";
            if reads || method == "delete" {
                // A handler of several methods describes a body, which only its POST and PUT have.
                operation.request_body = None;
            }
            add_common(method, operation);
            let errors = ErrorContents::of(path, reads);
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response {
                    complete_response(status, response, &errors);
                }
            }
        }
    }
}

/// Adds the method to an operation id that several methods of a path share, since they share a handler.
fn name_by_method(item: &mut PathItem) {
    let mut uses = BTreeMap::<Option<String>, usize>::new();
    for (_, operation) in operations(item) {
        *uses.entry(operation.operation_id.clone()).or_default() += 1;
    }
    for (method, operation) in operations(item) {
        if uses[&operation.operation_id] > 1 {
            operation.operation_id = operation.operation_id.take().map(|id| format!("{method}_{id}"));
        }
    }
}

/// Adds the errors of the guard and of the extractors.
fn add_common(method: &str, operation: &mut Operation) {
    let has_body = operation.request_body.is_some();
    let takes_credentials = operation.security.as_ref().is_some_and(|security| !security.is_empty());
    for (status, applies) in [
        ("400", true),
        ("401", takes_credentials),
        // The guard refuses writes by pages of other sites.
        ("403", method != "get"),
        ("408", has_body),
        ("413", has_body),
        ("429", true),
        ("507", method != "get"),
        ("default", true),
    ] {
        if applies {
            operation.responses.responses.entry(status.to_owned()).or_insert_with(|| Response::new("").into());
        }
    }
}

/// The bodies of the errors at a path, by content type.
struct ErrorContents {
    /// The bodies of refusals.
    refusals: Vec<(&'static str, RefOr<Schema>)>,
}

impl ErrorContents {
    fn of(path: &str, reads: bool) -> ErrorContents {
        let mut refusals = vec![(PROBLEM, Ref::from_schema_name("ProblemDocument").into())];
        if path.starts_with("/user/v2/") {
            refusals.insert(0, (JSON, Ref::from_schema_name("AccountServiceErrorDocument").into()));
        }
        if path.starts_with("/persist/") {
            refusals.insert(0, (JSON, string()));
        }
        if reads && has_error_pages(path) {
            refusals.push((HTML, string()));
        }
        ErrorContents { refusals }
    }
}

fn string() -> RefOr<Schema> {
    RefOr::T(Schema::Object(ObjectBuilder::new().schema_type(Type::String).build()))
}

/// Adds the text of the status, and to an error its bodies. A server error that declares a body of its own keeps only
/// that.
fn complete_response(status: &str, response: &mut Response, errors: &ErrorContents) {
    if response.description.is_empty() {
        meaning(status).clone_into(&mut response.description);
    }
    let declares_problem = response.content.values().any(is_problem);
    let is_refusal = matches!(status, "default" | "507") || status.starts_with('4') || declares_problem;
    if !is_refusal || matches!(status, "416") {
        return;
    }
    response.content.retain(|content_type, _| content_type == HTML);
    for (content_type, schema) in &errors.refusals {
        let content = Content::new(Some(schema.clone()));
        response.content.entry((*content_type).to_owned()).or_insert(content.into());
    }
}

fn is_problem(content: &RefOr<Content>) -> bool {
    let RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) = content else { return false };
    schema.ref_location.ends_with("/ProblemDocument")
}

/// The meaning of a status in this API.
fn meaning(status: &str) -> &'static str {
    match status {
        "200" => "The request succeeded.",
        "201" => "The item was created.",
        "204" => "The request succeeded. The response has no body.",
        "206" => "The requested part of the file.",
        "303" => "Redirects to the page in `Location`.",
        "304" => "The client's copy is current.",
        "400" => "A parameter, the body or `Host` is invalid.",
        "401" => "The credentials are missing, invalid or expired.",
        "403" => "The caller lacks the right, or the request comes from a page of another site.",
        "404" => "The item doesn't exist, or the caller may not know of it.",
        "408" => "The body didn't arrive in time.",
        "409" => "The request conflicts with the current state, such as a name in use.",
        "410" => "The link or invitation was used, revoked or has expired.",
        "413" => "The body exceeds its size limit.",
        "415" => "The content type isn't supported.",
        "416" => "The requested range is outside the file.",
        "422" => "A value isn't allowed.",
        "429" => "Too many requests. `Retry-After` says when to try again.",
        "501" => "The server doesn't support this.",
        "503" => "The server is busy or stopping.",
        "507" => "The server's disk is full.",
        "default" => "Another error, such as 421 for a host name that isn't the server's, or 500.",
        _ => "",
    }
}
