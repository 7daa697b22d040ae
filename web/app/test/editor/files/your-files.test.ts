import { beforeEach, describe, expect, it } from "vitest";
import { Editor } from "../../../src/editor/editor.ts";
import { filesIn } from "../../../src/editor/files/your-files.ts";
import { FakeSession } from "../../support/fake-session.ts";
import { drawn, find, labelled, show } from "../../support/page.ts";
import { texts } from "../../support/texts.ts";
import { placingStage } from "../support.ts";

const item = (name: string, day: number, isDir = false) => ({
  name,
  isDir,
  modified: `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`,
});
const LISTING = {
  items: [
    item("duck-abc123.glb", 1),
    item("duck-abc123.glb.webp", 1),
    item("my wall-abc124.png", 3),
    item("notes.txt", 4),
    item("old", 5, true),
    { name: 7 },
  ],
};

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

describe("the list of files", () => {
  it("has the files that can be shown, newest first, each with its thumbnail", () => {
    expect(filesIn("users/ada/scenes/room", LISTING)).toEqual([
      expect.objectContaining({
        name: "my wall-abc124.png",
        url: "/store/users/ada/scenes/room/my%20wall-abc124.png",
        pictureUrl: undefined,
        kind: "image",
      }),
      expect.objectContaining({
        url: "/store/users/ada/scenes/room/duck-abc123.glb",
        pictureUrl: "/store/users/ada/scenes/room/duck-abc123.glb.webp",
        kind: "model",
      }),
    ]);
  });

  it.each([undefined, null, [], { items: 3 }, { items: [null, "x"] }])("is empty for the listing %j", (listing) => {
    expect(filesIn("users/ada", listing)).toEqual([]);
  });
});

async function open(list: () => Promise<ReturnType<typeof filesIn>>) {
  const stage = placingStage(session);
  const said: string[] = [];
  const host = {
    session,
    stage,
    selected: [],
    choose: () => undefined,
    showError: (wrong: string) => said.push(wrong),
  };
  const editor = new Editor(host, { read: () => undefined, write: () => undefined });
  const element = await show(document.createElement("stoa-your-files"), { editor, folder: "users/ada/uploads", list });
  const details = find(element.shadowRoot, "details", HTMLDetailsElement);
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  await drawn(element);
  return element;
}

describe("your files", () => {
  it("are added to the scene by a click", async () => {
    const element = await open(() => Promise.resolve(filesIn("users/ada/uploads", LISTING)));
    labelled(element.shadowRoot, texts.edit.add.addAgain("duck-abc123.glb"), HTMLButtonElement).click();
    await drawn(element);
    expect(session.asked).toMatchObject([
      [
        "create",
        expect.stringMatching(/^duck-/),
        { object_type: "gltf-model", url: "/store/users/ada/uploads/duck-abc123.glb" },
        { persist: true },
      ],
    ]);
  });

  it("show an error when they can't be listed", async () => {
    const element = await open(() => Promise.reject(new Error("the realm answered 500")));
    expect(find(element.shadowRoot, "[role=alert]", HTMLElement).textContent).toContain(texts.edit.add.filesAway);
  });
});
