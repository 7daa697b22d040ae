/** Texts on whole scenes: create, duplicate, export, import. Part of `texts.ts`, split for its length. */

/** The English texts. */
export const scenes = {
  make: {
    beginWith: "Begin with",
    file: "A file",
    fileText: "A scene that was saved here or elsewhere",
    chooseFile: "The file with the scene",
    fileLimit: (most: string) => `Up to ${most}. Its files count as yours.`,
    noFile: "Choose the file first.",
    noScene: (name: string) =>
      `${name} is no scene that was saved from Stoa or ARENA. “Save as a file”, in a scene's settings, makes one that ends in .jsonl.`,
    sending: (percent: number) => `Sending: ${percent} %`,
    working: "The realm is making the scene …",
    made: (scene: string) => `${scene} is there.`,
    madeWith: (objects: number, files: number) =>
      `${objects === 1 ? "One thing" : `${objects} things`}, ${files === 1 ? "one file" : `${files} files`}.`,
    missing: (names: readonly string[]) => `These files were not in it: ${names.join(", ")}`,
    enter: "Enter it",
  },
  templates: {
    empty: { name: "Empty", text: "A floor, a sky and light" },
    meeting: { name: "Meeting circle", text: "Twelve seats around a table" },
    classroom: { name: "Classroom", text: "A screen, a desk and rows of seats" },
    gallery: { name: "Gallery", text: "Walls with frames for pictures" },
  },
  /** Texts within the templates of new scenes. */
  written: {
    door: "Door",
    table: "At the table",
    speaker: "At the desk",
    audience: "In the rows",
    middle: "In the middle",
    classroomText: "Put a picture or a video here:\npress Edit, then this board,\nthen “Choose a picture or video …”.",
    frame: (number: number) => `Picture ${number}`,
    galleryTitle: "Gallery",
  },
  carry: {
    title: "This scene as a whole",
    more: "Save or copy",
    save: "Save as a file",
    saveText: "All that is in it with its files, to keep or to take to another realm. Not the people and their rights.",
    saving: "The file is being written …",
    saved: (name: string, size: string) => `${name} is saved (${size}).`,
    copy: "Make a copy",
    copyName: "Name of the copy",
    copied: (scene: string) => `The copy is there: ${scene}.`,
    copying: "The copy is being made …",
    model: "Save as a 3D model",
    modelText: "What is seen here, in one file (GLB) for other programs. Without texts, sounds and what moves.",
    modelSaving: "The model is being written …",
    bring: "Bring in a 3D scene",
    bringText: "A model (GLB) with its named places and the doors in it.",
    bringing: "The scene is being brought in …",
    brought: (places: number, doors: number) =>
      `It is there: ${places === 1 ? "one place" : `${places} places`}, ${doors === 1 ? "one door" : `${doors} doors`}.`,
    notGlb: (name: string) => `${name} is no GLB file.`,
    notDrawn: "The scene isn't drawn yet.",
    notWritten: "The model couldn't be written.",
    textureLost: (count: number) => (count === 1 ? "One texture stayed behind." : `${count} textures stayed behind.`),
  },
};
