import { beforeEach, describe, expect, it, vi } from "vitest";
import { type MainFileReplacement, mainFile } from "../../../src/editor/files/main-file.ts";
import { templateText } from "../../../src/templates/templates.ts";
import { bytesInWords } from "../../../src/texts/byte-sizes.ts";
import { FakeSession } from "../../support/fake-session.ts";
import { fakeStage } from "../../support/fake-stage.ts";
import { button, drawn, find, show, type } from "../../support/page.ts";
import { texts } from "../../support/texts.ts";
import { put } from "../support.ts";

const CAT: MainFileReplacement = { kind: "image", url: "/store/cat.png", media: { aspect: 2 } };
const FILM: MainFileReplacement = {
  kind: "video",
  url: "/store/film.mp4",
  media: { aspect: 2, posterUrl: "/store/film.webp" },
};
const NONE: MainFileReplacement = { kind: "image", url: "" };

describe("an object's main file", () => {
  it.each([
    [{ object_type: "gltf-model", src: "/store/a.glb" }, "model", "/store/a.glb", { url: "/store/cat.png", src: null }],
    [{ object_type: "gaussian_splatting" }, "splat", "", { src: "/store/cat.png" }],
    [{ object_type: "videosphere", src: "/store/a.mp4" }, "panorama", "/store/a.mp4", { src: "/store/cat.png" }],
    [
      { object_type: "sphere", sound: { src: "/store/a.mp3" } },
      "sound",
      "/store/a.mp3",
      { sound: { src: "/store/cat.png" } },
    ],
    [{ object_type: "image", width: 3 }, "picture", "", { url: "/store/cat.png", width: 3, height: 1.5 }],
    [{ object_type: "box" }, "surface", "", { material: { src: "/store/cat.png", color: "#ffffff" } }],
    [
      { object_type: "plane", material: { src: "/store/a.png" } },
      "surface",
      "/store/a.png",
      { material: { src: "/store/cat.png" } },
    ],
  ])("for %j is of kind %s", (attributes, kind, url, patch) => {
    const file = mainFile("one", attributes);
    expect([file?.kind, file?.url, file?.patch(CAT)]).toEqual([kind, url, patch]);
  });

  it.each([{ object_type: "light" }, { object_type: "text" }, { object_type: "box", portal: { scene: "a/b" } }, {}])(
    "doesn't exist for %j",
    (attributes) => {
      expect(mainFile("one", attributes)).toBeUndefined();
    },
  );

  it("can be a video on a board, which a picture or no file replaces completely", () => {
    const board = { object_type: "box", material: { color: "#112233" } };
    const film = mainFile("board", board)?.patch(FILM);
    expect(film).toEqual({
      material: { src: "/store/film.webp", color: "#ffffff" },
      "click-listener": true,
      "video-control": {
        ...{ video_path: "/store/film.mp4", video_object: "board", anyone_clicks: true, video_loop: true },
        frame_object: "/store/film.webp",
      },
    });
    const playing = mainFile("board", { ...board, ...film });
    expect(playing?.url).toBe("/store/film.mp4");
    expect(playing?.patch(CAT)).toEqual({ material: { src: "/store/cat.png" }, "video-control": null });
    expect(playing?.patch(NONE)).toEqual({ material: { src: null }, "video-control": null });
  });
});

describe("the field for an object's main file", () => {
  let session: FakeSession;
  const changes = () => session.asked.filter((asked) => !Array.isArray(asked) || asked[0] !== "looks");

  beforeEach(() => {
    session = new FakeSession();
    for (const line of templateText("classroom", "ada/class", { public_read: true }).split("\n").slice(1)) {
      const { object_id: id, type, attributes } = JSON.parse(line);
      session.objects.set(id, { objectId: id, type, attributes, persist: true });
    }
  });

  async function open(objectId: string, stage = fakeStage()) {
    const edit = await show(document.createElement("stoa-edit"), { session, stage, selected: [objectId] });
    const inspector = find(edit.shadowRoot, "stoa-inspector", HTMLElement);
    const file = find(inspector.shadowRoot, "stoa-main-file", HTMLElement);
    return { edit, inspector, root: file.shadowRoot };
  }

  it.each(["screen", "screen-hint"])(
    "sets the picture of an empty board and removes the hint, with %s selected",
    async (pressed) => {
      session.me = { ...session.me, guest: false };
      const { root } = await open(pressed);
      expect(button(root, texts.edit.details.file.choose.surface).disabled).toBe(false);
      expect(find(root, "input[type=file]", HTMLInputElement).accept).toBe(
        ".avif,.gif,.jpeg,.jpg,.png,.webp,.mp4,.webm",
      );
      type(find(root, "input:not([type=file])", HTMLInputElement), " /store/users/ada/cat.png ");
      expect(changes()).toEqual([
        ["update", "screen", { material: { src: "/store/users/ada/cat.png", color: "#ffffff" } }],
        ["remove", "screen-hint"],
      ]);
    },
  );

  it("reads an address with a video's extension as a video", async () => {
    const { root } = await open("screen");
    type(find(root, "input", HTMLInputElement), "https://example.org/film.webm?v=1");
    expect(changes()).toMatchObject([
      ["update", "screen", { "video-control": { video_path: "https://example.org/film.webm?v=1" } }],
      ["remove", "screen-hint"],
    ]);
  });

  it("uploads a file from the computer into the selected object", async () => {
    session.me = { ...session.me, guest: false };
    const { edit, root } = await open("screen");
    const add = vi.spyOn(edit.uploads.uploads, "add").mockReturnValue();
    const chooser = find(root, "input[type=file]", HTMLInputElement);
    Object.defineProperty(chooser, "files", { value: [new File(["x"], "cat.png"), new File(["x"], "dog.png")] });
    chooser.dispatchEvent(new Event("change"));
    expect(add.mock.calls).toMatchObject([[[{ file: { name: "cat.png" }, into: { objectId: "screen" } }]]]);
    expect(await add.mock.calls[0]?.[0][0]?.into?.put(CAT)).toBe(true);
    expect(changes()).toHaveLength(2);
    session.objects.delete("screen");
    expect(await add.mock.calls[0]?.[0][0]?.into?.put(CAT), "it is gone").toBe(false);
  });

  it("tells guests why they can't upload, and offers an address field", async () => {
    const { root } = await open("screen");
    await drawn(document.querySelector("stoa-edit") as never);
    expect(root?.textContent).toContain(texts.edit.files.guest);
    expect(root?.querySelector("button")).toBeNull();
    expect(find(root, "input", HTMLInputElement).value).toBe("");
  });

  it("the Add tab shows the storage quota once the server has answered", async () => {
    const answer = { used_bytes: 0, bytes_max: 4e9, files: 0, files_max: 9, file_bytes_max: 268e6 };
    vi.stubGlobal("fetch", async () => Response.json(answer));
    session.me = { ...session.me, guest: false };
    const { edit } = await open("screen");
    const add = find(edit.shadowRoot, "stoa-add", HTMLElement);
    await expect
      .poll(() => add.shadowRoot?.textContent)
      .toContain(texts.edit.add.quota(bytesInWords(268e6), bytesInWords(4e9)));
    vi.unstubAllGlobals();
  });

  it("shows why the file can't be loaded, until it is repaired", async () => {
    put(session, "photo", { object_type: "image", url: "cat.png" });
    let code: "no-address" | undefined = "no-address";
    const brokenOf = (objectId: string) => code && { objectId, src: "refused:cat.png", code };
    const { edit, inspector, root } = await open("photo", fakeStage({ brokenOf }));
    const said = () => find(root, "#why", HTMLElement).textContent?.trim();
    expect(said()).toBe(texts.edit.details.file.broken(texts.loading.reasons["no-address"]));
    const names = [...(inspector.shadowRoot?.querySelectorAll("stoa-field") ?? [])].map(({ name }) => name);
    expect(names, "its address stands above, and only there").not.toContain("url");
    code = undefined;
    document.dispatchEvent(new CustomEvent("stoa-mended"));
    await drawn(edit);
    expect(said()).toBe("");
  });
});
