/** The rooms that a new scene may begin as, in the order in which they are offered. */
export const TEMPLATES = ["empty", "meeting", "classroom", "gallery"] as const;

/** One of them. */
export type TemplateId = (typeof TEMPLATES)[number];
