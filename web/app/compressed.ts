// Compresses the built files once per encoding, as copies beside each file, which the realm serves.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(?:css|html|js|json|mjs|svg|wasm|webmanifest)$/;
/** A smaller file fits into one packet, so compression saves nothing. */
const BYTES_MIN = 1_024;

/** Brotli at its highest level, and gzip for plain HTTP, over which browsers don't accept Brotli. */
export function compressed(): Plugin {
  let folder = "";
  return {
    name: "stoa-compressed",
    apply: "build",
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(files.filter((file) => TEXTS.test(file)).map((file) => compress(join(folder, file))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < BYTES_MIN) return;
  const { BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
