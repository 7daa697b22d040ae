/** Texts on whole scenes: create, duplicate, export, import. Part of `texts.ts`, split for its length. */
import { pluralsOf } from "./plurals.ts";

const plural = pluralsOf("en");

/** The English texts on whole scenes. */
export const scenes = {
  make: {
    beginWith: "Start with",
    file: "From a file",
    fileText: "A scene exported from this or another server",
    chooseFile: "Scene file",
    fileLimit: (most: string) => `Up to ${most}. The files in it count towards your storage.`,
    noFile: "Choose a file first.",
    noScene: (name: string) =>
      `${name} isn't a scene exported from Stoa or ARENA. “Export as a file”, in a scene's settings, makes one that ends in .jsonl.`,
    sending: (percent: number) => `Uploading: ${percent}%`,
    working: "Creating the scene…",
    made: (scene: string) => `${scene} is ready.`,
    madeWith: (objects: number, files: number) =>
      `${plural(objects, { one: "# object", other: "# objects" })}, ${plural(files, { one: "# file", other: "# files" })}.`,
    missing: (names: readonly string[]) => `These files were missing: ${names.join(", ")}`,
    enter: "Enter scene",
  },
  templates: {
    empty: { name: "Empty", text: "A floor, a sky and light" },
    meeting: { name: "Meeting circle", text: "Twelve seats around a table" },
    classroom: { name: "Classroom", text: "A screen, a desk and rows of seats" },
    gallery: { name: "Gallery", text: "Walls with frames for pictures" },
  },
  /** Texts within the templates of new scenes. */
  written: {
    door: "Entrance",
    table: "At the table",
    speaker: "At the desk",
    audience: "In the audience",
    middle: "In the middle",
    classroomText: "Put an image or video here:\nopen Edit, select this board,\nthen “Choose an image or video…”.",
    frame: (number: number) => `Picture ${number}`,
    galleryTitle: "Gallery",
  },
  carry: {
    title: "Export or duplicate",
    save: "Export as a file",
    saveText: "A backup, or a copy for another server: all objects and their files. Access settings aren't included.",
    saving: "Exporting…",
    saved: (name: string, size: string) => `Saved ${name} (${size}).`,
    copy: "Duplicate",
    copyName: "Name of the copy",
    copied: (scene: string) => `${scene} is ready.`,
    copying: "Duplicating…",
    model: "Export as a 3D model",
    modelText: "What you see here, as one GLB file for other programs. Text, sounds and animations are not included.",
    modelSaving: "Exporting…",
    bring: "Import a 3D scene",
    bringText: "A GLB model, with its spots and doorways.",
    bringing: "Importing…",
    brought: (places: number, doors: number) =>
      `Imported, with ${plural(places, { one: "# spot", other: "# spots" })} and ${plural(doors, { one: "# doorway", other: "# doorways" })}.`,
    notGlb: (name: string) => `${name} isn't a GLB file.`,
    notDrawn: "The scene is still loading. Try again in a moment.",
    notWritten: "The model couldn't be exported.",
    textureLost: (count: number) =>
      plural(count, { one: "# texture couldn't be exported.", other: "# textures couldn't be exported." }),
  },
};
