import { describe, expect, it } from "vitest";
import { button, drawn, find, show, submit, type } from "../support/page.ts";
import { texts } from "../support/texts.ts";

const QUESTION = {
  title: "Lunch",
  label: "What?",
  placeholder: "soup",
  inputType: "text",
  inputValue: "",
  inputOptions: [],
};

async function asking() {
  const ask = await show(document.createElement("stoa-ask"), {});
  return { ask, root: ask.shadowRoot };
}

describe("a question of the scene", () => {
  it("is a dialog with a title and a labelled field, and returns the sent text", async () => {
    const { ask, root } = await asking();
    const answer = ask.ask(QUESTION);
    await drawn(ask);
    expect(find(root, "dialog", HTMLElement).hasAttribute("open")).toBe(true);
    expect(find(root, "h2", HTMLElement).textContent).toBe("Lunch");
    expect(find(root, "label", HTMLElement).textContent).toContain("What?");
    type(find(root, "input", HTMLInputElement), "noodles");
    submit(find(root, "form", HTMLFormElement));
    expect(await answer).toBe("noodles");
    await drawn(ask);
    expect(root?.querySelector("dialog")).toBeNull();
  });

  it("returns null when it is cancelled, replaced or removed", async () => {
    const { ask, root } = await asking();
    const cancelled = ask.ask(QUESTION);
    await drawn(ask);
    button(root, texts.ask.cancel).click();
    expect(await cancelled).toBeNull();
    const replaced = ask.ask(QUESTION);
    const left = ask.ask(QUESTION);
    expect(await replaced).toBeNull();
    ask.remove();
    expect(await left).toBeNull();
  });

  it.each(["select", "radio"])("with a %s offers its choices as text, never as markup", async (inputType) => {
    const { ask, root } = await asking();
    void ask.ask({ ...QUESTION, inputType, inputOptions: ["red", "<img src=x onerror=alert(1)>"] });
    await drawn(ask);
    expect(root?.querySelector("img")).toBeNull();
    expect(root?.textContent).toContain("<img src=x");
  });

  it("with an unknown kind of field has a text field", async () => {
    const { ask, root } = await asking();
    void ask.ask({ ...QUESTION, inputType: "file" });
    await drawn(ask);
    expect(find(root, "input", HTMLInputElement).type).toBe("text");
  });
});

describe("an address that leaves the scene", () => {
  it("is shown for consent before it opens", async () => {
    const { ask, root } = await asking();
    const going = ask.mayLeave("https://example.org/far");
    await drawn(ask);
    expect(root?.textContent).toContain("https://example.org/far");
    submit(find(root, "form", HTMLFormElement));
    expect(await going).toBe(true);
    const staying = ask.mayLeave("https://example.org/far");
    await drawn(ask);
    button(root, texts.ask.cancel).click();
    expect(await staying).toBe(false);
  });

  it("on this server is described as another page of it", async () => {
    const { ask, root } = await asking();
    void ask.mayLeave(new URL("/user/v2/logout", location.origin).href);
    await drawn(ask);
    expect(root?.textContent).toContain(texts.ask.otherPage.leads);
    expect(root?.textContent).toContain("/user/v2/logout");
  });
});
