// Generated from spec/objects/textinput.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A form that opens at an event and sends the typed text. */
export interface TextInput {
  /** The choices. Default `[]`. */
  readonly inputOptions?: readonly (string)[];
  /** Kind of field, as in HTML. Default `"text"`. */
  readonly inputType?: "text" | "email" | "password" | "number" | "tel" | "range" | "textarea" | "url" | "select" | "radio" | "checkbox" | "date" | "datetime-local" | "time" | "week" | "month";
  /** Initial content of the field. Default `""`. */
  readonly inputValue?: string;
  /** Text beside the field. Default `""`. */
  readonly label?: string;
  /** Event at which the form opens. Default `"mousedown"`. */
  readonly on?: "mousedown" | "mouseup" | "mouseenter" | "mouseleave" | "triggerdown" | "triggerup" | "gripdown" | "gripup" | "menudown" | "menuup" | "systemdown" | "systemup" | "trackpaddown" | "trackpadup";
  /** Text in the empty field. Default `""`. */
  readonly placeholder?: string;
  /** Heading of the form. Default `""`. */
  readonly title?: string;
}

/** The schema's description of each attribute of {@link TextInput}. */
export const textinputAttributes: Group = {
  attributes: {
    inputOptions: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    inputType: { shape: { kind: "text", values: ["text", "email", "password", "number", "tel", "range", "textarea", "url", "select", "radio", "checkbox", "date", "datetime-local", "time", "week", "month"] }, default: "text" },
    inputValue: { shape: { kind: "text" }, default: "" },
    label: { shape: { kind: "text" }, default: "" },
    on: { shape: { kind: "text", values: ["mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup"] }, default: "mousedown", required: true },
    placeholder: { shape: { kind: "text" }, default: "" },
    title: { shape: { kind: "text" }, default: "", required: true },
  },
  prefixes: {
  },
};
