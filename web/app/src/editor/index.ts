/** The editor: a part of the pages that is fetched when it is opened first. */
import { StoaAbilities } from "./stoa-abilities.ts";
import { StoaAdd } from "./stoa-add.ts";
import { StoaDoorway } from "./stoa-doorway.ts";
import { StoaEdit } from "./stoa-edit.ts";
import { StoaField } from "./stoa-field.ts";
import { StoaInspector } from "./stoa-inspector.ts";
import { StoaMainFile } from "./stoa-main-file.ts";
import { StoaSurroundings } from "./stoa-surroundings.ts";
import { StoaTree } from "./stoa-tree.ts";
import { StoaUploads } from "./stoa-uploads.ts";
import { StoaYourFiles } from "./stoa-your-files.ts";

const ELEMENTS = {
  "stoa-abilities": StoaAbilities,
  "stoa-add": StoaAdd,
  "stoa-doorway": StoaDoorway,
  "stoa-edit": StoaEdit,
  "stoa-field": StoaField,
  "stoa-inspector": StoaInspector,
  "stoa-main-file": StoaMainFile,
  "stoa-surroundings": StoaSurroundings,
  "stoa-tree": StoaTree,
  "stoa-uploads": StoaUploads,
  "stoa-your-files": StoaYourFiles,
} as const;

/** Defines the editor's elements; a second call changes nothing. */
export function defineEditor(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "stoa-abilities": StoaAbilities;
    "stoa-add": StoaAdd;
    "stoa-doorway": StoaDoorway;
    "stoa-edit": StoaEdit;
    "stoa-field": StoaField;
    "stoa-inspector": StoaInspector;
    "stoa-main-file": StoaMainFile;
    "stoa-surroundings": StoaSurroundings;
    "stoa-tree": StoaTree;
    "stoa-uploads": StoaUploads;
    "stoa-your-files": StoaYourFiles;
  }
}
