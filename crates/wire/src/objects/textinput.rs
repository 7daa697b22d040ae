// Generated from spec/objects/textinput.json by cargo xtask gen. Do not edit.
//! `textinput`: A form that opens at an event and sends the typed text.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// A form that opens at an event and sends the typed text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextInput {
    /// The choices. Default `[]`.
    #[serde(rename = "inputOptions", default, skip_serializing_if = "Option::is_none")]
    pub input_options: Option<Vec<String>>,
    /// Kind of field, as in HTML. One of `text`, `email`, `password`, `number`, `tel`, `range`, `textarea`, `url`, `select`, `radio`, `checkbox`, `date`, `datetime-local`, `time`, `week`, `month`. Default `"text"`.
    #[serde(rename = "inputType", default, skip_serializing_if = "Option::is_none")]
    pub input_type: Option<String>,
    /// Initial content of the field. Default `""`.
    #[serde(rename = "inputValue", default, skip_serializing_if = "Option::is_none")]
    pub input_value: Option<String>,
    /// Text beside the field. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Event at which the form opens. One of `mousedown`, `mouseup`, `mouseenter`, `mouseleave`, `triggerdown`, `triggerup`, `gripdown`, `gripup`, `menudown`, `menuup`, `systemdown`, `systemup`, `trackpaddown`, `trackpadup`. Default `"mousedown"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Text in the empty field. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Heading of the form. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`TextInput`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "inputOptions",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "inputType",
            shape: Shape::Text(&[
                "text",
                "email",
                "password",
                "number",
                "tel",
                "range",
                "textarea",
                "url",
                "select",
                "radio",
                "checkbox",
                "date",
                "datetime-local",
                "time",
                "week",
                "month",
            ]),
            default: Some("\"text\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "inputValue",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "label",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "on",
            shape: Shape::Text(&[
                "mousedown",
                "mouseup",
                "mouseenter",
                "mouseleave",
                "triggerdown",
                "triggerup",
                "gripdown",
                "gripup",
                "menudown",
                "menuup",
                "systemdown",
                "systemup",
                "trackpaddown",
                "trackpadup",
            ]),
            default: Some("\"mousedown\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "placeholder",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "title",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
