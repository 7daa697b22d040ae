import { describe, expect, it, test, vi } from "vitest";
import { looksOf, modelPath, PLAIN_LOOKS } from "../../src/preferences/avatar-appearance.ts";
import { Preferences } from "../../src/preferences/preferences.ts";
import { FakeSession } from "../support/fake-session.ts";
import { button, drawn, find, labelled, show, submit, type } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

test("a stored appearance is read back, and invalid values become the default", () => {
  const chosen = { color: "#62843a", body: "half", model: "/store/users/ada/me.vrm" } as const;
  expect(looksOf(JSON.stringify(chosen))).toEqual(chosen);
  const odd = { color: "red", body: "none", model: "https://elsewhere.test/store/me.vrm" };
  for (const text of [JSON.stringify(odd), "", "null", "7"]) expect(looksOf(text)).toEqual(PLAIN_LOOKS);
});

test.each([
  ["https://realm.test/store/a.glb", "/store/a.glb"],
  ["/store/users/ada/me.VRM", "/store/users/ada/me.VRM"],
  ["https://elsewhere.test/store/a.glb", null],
  ["/user/v2/logout", null],
  ["/store/a.png", null],
  ["javascript:alert(1)//.glb", null],
])("the model address %s is read as %s", (address, path) =>
  expect(modelPath(address, "https://realm.test")).toBe(path),
);

describe("the appearance settings", () => {
  async function open(refusal: unknown = null) {
    const shelf = new Map<string, string>();
    const preferences = new Preferences({
      getItem: (key) => shelf.get(key) ?? null,
      setItem: (key, value) => void shelf.set(key, value),
    });
    const session = new FakeSession();
    const done: unknown[] = [];
    const stage = Object.assign(Object.create(null), {
      setDoing: (doing: unknown) => done.push(doing),
      checkModel: () => Promise.resolve(refusal),
    });
    const looks = await show(document.createElement("stoa-looks"), { preferences, session, stage });
    const wear = async (address: string) => {
      type(find(looks.shadowRoot, "[name=model]", HTMLInputElement), address);
      submit(find(looks.shadowRoot, "form", HTMLFormElement));
      await drawn(looks);
      await drawn(looks);
    };
    return { preferences, session, done, looks, wear };
  }

  it("a colour is published and stored at once, and a second click restores the personal colour", async () => {
    const { preferences, session, looks } = await open();
    const green = () => labelled(looks.shadowRoot, String(texts.looks.colors[3]), HTMLButtonElement);
    green().click();
    await drawn(looks);
    expect(preferences.looks.color).toBe("#20a04e");
    expect(green().getAttribute("aria-pressed")).toBe("true");
    expect(session.asked.at(-1)).toEqual(["looks", { headModelPath: "", color: "#20a04e" }]);
    green().click();
    expect(preferences.looks.color).toBe("");
    expect(session.asked.at(-1)).toEqual(["looks", { headModelPath: "", color: preferences.color }]);
  });

  it("a model that passes the check is stored and published", async () => {
    const { preferences, session, wear } = await open();
    await wear("/store/users/ada/me.vrm");
    expect(preferences.looks.model).toBe("/store/users/ada/me.vrm");
    expect(session.asked.at(-1)).toMatchObject(["looks", { headModelPath: "/store/users/ada/me.vrm" }]);
  });

  it("a model that is too large or from another host is refused and isn't published", async () => {
    const { preferences, session, looks, wear } = await open({ reason: "bytes", found: 35, limit: 20 });
    await wear("/store/users/ada/me.vrm");
    expect(find(looks.shadowRoot, "[role=status]", HTMLElement).textContent).toContain(
      holding(texts.looks.refusals.bytes(35, 20), "35", "20"),
    );
    expect([preferences.looks.model, session.asked]).toEqual(["", []]);
    await wear("https://elsewhere.test/me.vrm");
    expect(find(looks.shadowRoot, "[role=status]", HTMLElement).textContent).toBe(texts.looks.notHere);
    expect(button(looks.shadowRoot, texts.looks.use)).toBeDefined();
  });

  it("an upload that the server refuses shows the server's message", async () => {
    const { looks } = await open();
    looks.account = { username: "ada", owner: false, ownerExists: true, accounts: "closed", network: null };
    await drawn(looks);
    vi.stubGlobal("XMLHttpRequest", Refusing);
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(Refusing.answer, { status: 413 })));
    const field = find(looks.shadowRoot, "[type=file]", HTMLInputElement);
    Object.defineProperty(field, "files", { value: [new File(["glTF"], "me.vrm")] });
    field.dispatchEvent(new Event("change"));
    await vi.waitFor(() => expect(looks.result).not.toBe(texts.looks.sending));
    vi.unstubAllGlobals();
    expect(looks.result).toBe(holding(texts.looks.notSent("One file may have 20 MB."), "One file may have 20 MB."));
  });
});

/** A fake realm that refuses every file. */
class Refusing {
  static readonly answer = JSON.stringify({ title: "too large", detail: "One file may have 20 MB." });
  readonly upload = {};
  readonly status = 413;
  readonly responseText = Refusing.answer;
  onload: (() => void) | undefined;

  open(): void {}
  setRequestHeader(): void {}
  send(): void {
    queueMicrotask(() => this.onload?.());
  }
}
