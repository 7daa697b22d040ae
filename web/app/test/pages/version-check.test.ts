import { expect, it } from "vitest";
import { CAME_BACK, type StoaNewVersionNotice } from "../../src/pages/stoa-renewed.ts";
import { VersionCheck } from "../../src/pages/version-check.ts";
import { button, drawn, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

const OWN = "/assets/index-abcd1234.js";
const page = (script: string) => `<script type="module" src="${script}"></script>`;

it.each([
  ["the same pages", () => Promise.resolve(page(OWN)), false],
  ["another build", () => Promise.resolve(page("/assets/index-zzzz9999.js")), true],
  ["a realm that is away", () => Promise.reject(new Error("away")), false],
])("the version check recognises %s", async (_, firstPage, renewed) => {
  expect(await new VersionCheck(OWN, firstPage).isRenewed()).toBe(renewed);
});

it("a new version is announced once the server is back, until it is postponed", async () => {
  let script = OWN;
  const versionCheck = new VersionCheck(OWN, () => Promise.resolve(page(script)));
  const element: StoaNewVersionNotice = await show(document.createElement("stoa-renewed"), { versionCheck });
  const comeBack = async () => {
    dispatchEvent(new Event(CAME_BACK));
    await drawn(element);
    return element.shadowRoot?.textContent ?? "";
  };
  expect(await comeBack()).not.toContain(texts.renewed.said);
  script = "/assets/index-zzzz9999.js";
  expect(await comeBack()).toContain(texts.renewed.said);
  button(element.shadowRoot, texts.renewed.later).click();
  await drawn(element);
  expect(element.shadowRoot?.textContent).not.toContain(texts.renewed.said);
});
