/** The editor, a chunk that is loaded when it is first opened. */

import { StoaAdd } from "./adding/stoa-add.ts";
import { StoaYourFiles } from "./adding/stoa-your-files.ts";
import { StoaUploads } from "./files/stoa-uploads.ts";
import { StoaAbilities } from "./inspector/stoa-abilities.ts";
import { StoaDoorway } from "./inspector/stoa-doorway.ts";
import { StoaField } from "./inspector/stoa-field.ts";
import { StoaInspector } from "./inspector/stoa-inspector.ts";
import { StoaMainFile } from "./inspector/stoa-main-file.ts";
import { StoaEdit } from "./stoa-edit.ts";
import { StoaSurroundings } from "./surroundings/stoa-surroundings.ts";
import { StoaTree } from "./tree/stoa-tree.ts";

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

/** Defines the editor's elements. A second call changes nothing. */
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
