/** The realm's own font, used by tests for measuring. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FontMetrics, fontMetrics } from "../../src/panels/font-metrics.ts";

const file = join(import.meta.dirname, "../../assets/fonts/Roboto-sdf.json");

export const roboto: FontMetrics = fontMetrics(JSON.parse(readFileSync(file, "utf8")));
