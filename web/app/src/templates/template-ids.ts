/** Ids of the templates for a new scene, in the order in which they are offered. */
export const TEMPLATES = ["empty", "meeting", "classroom", "gallery"] as const;

export type TemplateId = (typeof TEMPLATES)[number];
