// Generated from spec/objects/program.json by cargo xtask gen. Do not edit.
//! `program`: A program of a scene: its file and its runtime.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};
use super::channel::Channel;
use super::program_run::ProgramRun;

/// A program of a scene: its file and its runtime.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Preferred runtime. One of `client`, `none`. Default `"client"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affinity: Option<String>,
    /// Arguments on its command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
    /// Topics that it reads and writes. Default `[{"mode":"rw","params":{"topic":"realm/s/${scene}/${namespace}"},"path":"/ch/${scene}","type":"pubsub"}]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<Vec<Channel>>,
    /// Its environment variables; names in `${}` are filled in. Default `["MID=${moduleid}","SCENE=${scene}","NAMESPACE=${namespace}","MQTTH=${mqtth}","REALM=realm"]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<String>>,
    /// Name of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Name of its file; write `file` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// WebAssembly or Python. One of `WA`, `PY`. Default `"WA"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filetype: Option<String>,
    /// Whether it runs once, or once for each client. One of `single`, `client`. Default `"client"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instantiate: Option<String>,
    /// Folder of its file in the file store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Name of the program, with its namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Runtime that it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Its status while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_info: Option<ProgramRun>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Program`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "affinity",
            shape: Shape::Text(&["client", "none"]),
            default: Some("\"client\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "args",
            shape: Shape::Array(&Shape::Text(&[])),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "channels",
            shape: Shape::Array(&Shape::Group(&super::channel::ATTRIBUTES)),
            default: Some(
                "[{\"mode\":\"rw\",\"params\":{\"topic\":\"realm/s/${scene}/${namespace}\"},\"path\":\"/ch/${scene}\",\"type\":\"pubsub\"}]",
            ),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "env",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some(
                "[\"MID=${moduleid}\",\"SCENE=${scene}\",\"NAMESPACE=${namespace}\",\"MQTTH=${mqtth}\",\"REALM=realm\"]",
            ),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "file",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "filename",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "filetype",
            shape: Shape::Text(&["WA", "PY"]),
            default: Some("\"WA\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "instantiate",
            shape: Shape::Text(&["single", "client"]),
            default: Some("\"client\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "location",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "name",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "parent",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "run_info",
            shape: Shape::Group(&super::program_run::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
