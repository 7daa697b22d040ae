/** The editor's chunk, which is loaded when the editor is first opened. */

import { StoaAddTab } from "./adding/stoa-add.ts";
import { StoaFileList } from "./adding/stoa-your-files.ts";
import { StoaUploadList } from "./files/stoa-uploads.ts";
import { StoaAddableBehaviourList } from "./inspector/stoa-abilities.ts";
import { StoaPortalTargetField } from "./inspector/stoa-doorway.ts";
import { StoaAttributeField } from "./inspector/stoa-field.ts";
import { StoaDetailsTab } from "./inspector/stoa-inspector.ts";
import { StoaMainFileField } from "./inspector/stoa-main-file.ts";
import { StoaEditorPanel } from "./stoa-edit.ts";
import { StoaSurroundingsTab } from "./surroundings/stoa-surroundings.ts";
import { StoaObjectTree } from "./tree/stoa-tree.ts";

const ELEMENTS = {
  "stoa-abilities": StoaAddableBehaviourList,
  "stoa-add": StoaAddTab,
  "stoa-doorway": StoaPortalTargetField,
  "stoa-edit": StoaEditorPanel,
  "stoa-field": StoaAttributeField,
  "stoa-inspector": StoaDetailsTab,
  "stoa-main-file": StoaMainFileField,
  "stoa-surroundings": StoaSurroundingsTab,
  "stoa-tree": StoaObjectTree,
  "stoa-uploads": StoaUploadList,
  "stoa-your-files": StoaFileList,
} as const;

/** Defines the editor's elements. A second call changes nothing. */
export function defineEditor(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "stoa-abilities": StoaAddableBehaviourList;
    "stoa-add": StoaAddTab;
    "stoa-doorway": StoaPortalTargetField;
    "stoa-edit": StoaEditorPanel;
    "stoa-field": StoaAttributeField;
    "stoa-inspector": StoaDetailsTab;
    "stoa-main-file": StoaMainFileField;
    "stoa-surroundings": StoaSurroundingsTab;
    "stoa-tree": StoaObjectTree;
    "stoa-uploads": StoaUploadList;
    "stoa-your-files": StoaFileList;
  }
}
