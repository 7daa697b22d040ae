/**
 * Replaces the libraries with which glTF Transform reads and scales pictures. They build functions from text, which the
 * realm's content security policy forbids; `model-worker.ts` uses the browser instead. Aliased in `vite.config.ts`.
 */
function none(): never {
  throw new Error("pictures are drawn by the browser");
}

export { none as getPixels, none as lanczos2, none as lanczos3, none as savePixels };
// ndarray has a default export only.
// biome-ignore lint/style/noDefaultExport: the library that this stands for has one
export default none;
