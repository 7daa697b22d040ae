/** The pages' texts, by which the tests of this folder select. */
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const SOURCE = fileURLToPath(new URL("../src/texts/texts.ts", import.meta.url));
const { module } = await runnerImport(SOURCE, { configFile: false });

/** The texts with an error for a missing key: a selector without a name would match any element. */
function strict(texts, path = "texts") {
  return new Proxy(texts, {
    get(target, key) {
      const text = target[key];
      if (text === undefined && typeof key === "string") throw new Error(`there is no ${path}.${key}`);
      const isTable = typeof text === "object" && text !== null && !Array.isArray(text) && !(text instanceof Map);
      return isTable ? strict(text, `${path}.${String(key)}`) : text;
    },
  });
}

export const texts = strict(module.texts);
