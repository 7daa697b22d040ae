// Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
//! `attribution`: Who made it and under which licence it is used.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Who made it and under which licence it is used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Where more is said of who made it.
    #[serde(rename = "authorURL", default, skip_serializing_if = "Option::is_none")]
    pub author_url: Option<String>,
    /// Name of its licence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Where that licence is.
    #[serde(rename = "licenseURL", default, skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
    /// Whether it is shown. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish: Option<bool>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Address of where it comes from.
    #[serde(rename = "sourceURL", default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What the schema says of each attribute of [`Attribution`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "author",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "authorURL",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "license",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "licenseURL",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "publish",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "source",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sourceURL",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "title",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
