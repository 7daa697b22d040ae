// Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
//! `attribution`: Author and licence of a model.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Author and licence of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attribution {
    /// Author of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Address of a page about the author.
    #[serde(rename = "authorURL", default, skip_serializing_if = "Option::is_none")]
    pub author_url: Option<String>,
    /// Name of the model's licence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Address of the licence's text.
    #[serde(rename = "licenseURL", default, skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
    /// Whether clients show the attribution. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish: Option<bool>,
    /// Source of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Address of the source.
    #[serde(rename = "sourceURL", default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// Title of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Attribution`], sorted by name.
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
